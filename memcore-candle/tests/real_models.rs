//! The real models against vectors that PyTorch computed on the same weights: alone, and in batches of mixed order.
//!
//! Needs `MEMCORE_TEST_MODELS`, a folder with `minilm/` and `e5-small/` (see `scripts/fetch-models`).

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::collections::HashMap;
use std::path::PathBuf;

use memcore_candle::{BertEmbedder, E5Small, MiniLm, ModelSource};
use memcore_core::{EmbedRole, Embedder, Embedding};
use serde::Deserialize;

const FIXTURE: &str = include_str!("fixtures/reference.json");

/// Vectors as whole numbers of `1 / scale`: within 2e-7 of the exact ones in cosine.
#[derive(Deserialize)]
struct Reference {
    scale: f32,
    texts: Vec<String>,
    #[serde(flatten)]
    models: HashMap<String, Vec<Vec<f32>>>,
}

impl Reference {
    fn vectors(&self, model: &str) -> Vec<Embedding> {
        let unscaled = |vector: &Vec<f32>| vector.iter().map(|value| value / self.scale).collect::<Vec<_>>();
        self.models[model].iter().map(|vector| Embedding::new(unscaled(vector)).unwrap()).collect()
    }
}

fn source(test: &str) -> Option<ModelSource> {
    let folder = std::env::var_os("MEMCORE_TEST_MODELS").map(PathBuf::from);
    if folder.is_none() {
        #[expect(clippy::print_stderr, reason = "a test that did not run says so")]
        {
            eprintln!("{test}: not run, MEMCORE_TEST_MODELS is unset");
        }
    }
    folder.map(ModelSource::ModelDir)
}

async fn embed(embedder: &BertEmbedder, texts: &[String], role: EmbedRole) -> Vec<Embedding> {
    let results = embedder.embed(texts, role).await;
    results
        .into_iter()
        .map(|result| {
            let mut chunks = result.unwrap().into_chunks();
            assert_eq!(chunks.len(), 1, "every text of the reference fits");
            chunks.remove(0)
        })
        .collect()
}

/// Every text's cosine to the reference: alone, all in one batch, reversed, and in batches of every third text.
async fn check_parity(embedder: &BertEmbedder) {
    let reference: Reference = serde_json::from_str(FIXTURE).unwrap();
    let expected = reference.vectors(&embedder.identity().model);
    let texts = &reference.texts;
    let count = texts.len();
    assert!(count > 20 && expected.len() == count);
    let mut orders: Vec<Vec<usize>> = (0..count).map(|at| vec![at]).collect();
    orders.push((0..count).collect());
    orders.push((0..count).rev().collect());
    orders.extend((0..3).map(|first| (first..count).step_by(3).collect()));
    for order in orders {
        let batch: Vec<String> = order.iter().map(|at| texts[*at].clone()).collect();
        for (at, vector) in order.iter().zip(embed(embedder, &batch, EmbedRole::Query).await) {
            let cosine = vector.cosine(&expected[*at]).unwrap();
            assert!(cosine >= 0.9999, "{cosine} for {:?} in a batch of {}", texts[*at], order.len());
        }
    }
}

#[tokio::test]
async fn minilm_agrees_with_the_reference() {
    let Some(source) = source("minilm_agrees_with_the_reference") else { return };
    let embedder = MiniLm::load(source).unwrap();
    assert_eq!((embedder.identity().dimensions, embedder.identity().max_tokens), (384, 256));
    check_parity(&embedder).await;

    let unrelated = ["The cat sleeps on the sofa.", "Quarterly revenue fell by three percent."].map(str::to_owned);
    let vectors = embed(&embedder, &unrelated, EmbedRole::Passage).await;
    let cosine = vectors[0].cosine(&vectors[1]).unwrap();
    assert!(cosine < 0.2, "unrelated texts are unlike each other (0.89 where padding is averaged in): {cosine}");
}

#[tokio::test]
async fn e5_agrees_with_the_reference_and_tells_roles_apart() {
    let Some(source) = source("e5_agrees_with_the_reference_and_tells_roles_apart") else { return };
    let embedder = E5Small::load(source).unwrap();
    assert_eq!((embedder.identity().dimensions, embedder.identity().max_tokens), (384, 512));
    check_parity(&embedder).await;

    let text = ["周末我们去爬山".to_owned()];
    let query = embed(&embedder, &text, EmbedRole::Query).await.remove(0);
    let passage = embed(&embedder, &text, EmbedRole::Passage).await.remove(0);
    assert!(query.cosine(&passage).unwrap() < 0.9999);

    let passages = ["她对海鲜过敏", "The deploy runs on Fridays."].map(str::to_owned);
    let question = embed(&embedder, &["What can she not eat?".to_owned()], EmbedRole::Query).await.remove(0);
    let answers = embed(&embedder, &passages, EmbedRole::Passage).await;
    assert!(question.cosine(&answers[0]).unwrap() > question.cosine(&answers[1]).unwrap(), "across languages");
}

#[tokio::test]
async fn long_texts_are_found_by_what_their_end_says() {
    let Some(source) = source("long_texts_are_found_by_what_their_end_says") else { return };
    let embedder = MiniLm::load(source).unwrap();
    let filler = "The weekly meeting went over the usual list of small things. ".repeat(60);
    let texts = [format!("{filler}The submarine is painted yellow."), filler];
    let results = embedder.embed(&texts, EmbedRole::Passage).await;
    let question = embed(&embedder, &["What colour is the submarine?".to_owned()], EmbedRole::Query).await.remove(0);
    let best: Vec<f32> = results
        .iter()
        .map(|result| {
            let chunks = result.as_ref().unwrap().chunks();
            assert!(chunks.len() > 2);
            chunks.iter().map(|chunk| chunk.cosine(&question).unwrap()).fold(-1.0, f32::max)
        })
        .collect();
    assert!(best[0] > best[1] + 0.1, "{best:?}");
}
