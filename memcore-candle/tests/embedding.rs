//! What vectors mean: pooling, masking, prefixes, splitting, and that neighbours in a batch do not matter.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod tiny_model;

use std::fs;
use std::path::Path;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::BertModel;
use memcore_core::{EmbedRole, Embedder, Embedding, ErrorKind, Pooling};
use sha2::{Digest, Sha256};
use tiny_model::{HIDDEN, POSITIONS, embed, embed_one};

/// The token vectors of one text, by Candle's own model, without batch, padding or mask.
fn token_vectors(directory: &Path, text: &str) -> Vec<Vec<f32>> {
    let weights = fs::read(directory.join("model.safetensors")).unwrap();
    let weights = VarBuilder::from_buffered_safetensors(weights, DType::F32, &Device::Cpu).unwrap();
    let config = serde_json::from_value(tiny_model::config()).unwrap();
    let ids = Tensor::new(tiny_model::ids(text), &Device::Cpu).unwrap().unsqueeze(0).unwrap();
    let model = BertModel::load(weights, &config).unwrap();
    model.forward(&ids, &ids.zeros_like().unwrap(), None).unwrap().squeeze(0).unwrap().to_vec2().unwrap()
}

#[track_caller]
fn assert_same(left: &Embedding, right: &Embedding) {
    let cosine = left.cosine(right).unwrap();
    assert!(cosine >= 0.9999, "{cosine}");
}

#[track_caller]
fn assert_different(left: &Embedding, right: &Embedding) {
    let cosine = left.cosine(right).unwrap();
    assert!(cosine < 0.999, "{cosine}");
}

/// Texts of very different lengths, in no order of length.
fn mixed_texts() -> Vec<String> {
    let words: Vec<&str> = tiny_model::WORDS.split_whitespace().skip(4).collect();
    (0..70)
        .map(|seed| {
            let length = 1 + (seed * 31) % 57;
            (0..length).map(|at| words[(seed * 13 + at * 7) % words.len()]).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

#[tokio::test]
async fn mean_pooling_is_the_mean_of_all_tokens_without_padding() {
    let directory = tiny_model::directory();
    let text = "we chose rust for the parser";
    let tokens = token_vectors(directory.path(), text);
    let mean: Vec<f32> =
        (0..HIDDEN).map(|at| tokens.iter().map(|token| token[at]).sum::<f32>() / tokens.len() as f32).collect();
    let embedder = tiny_model::load(directory.path());
    assert_same(&embed_one(&embedder, text).await, &Embedding::new(mean).unwrap());
}

#[tokio::test]
async fn cls_pooling_is_the_first_token() {
    let directory = tiny_model::directory();
    let text = "i live in shanghai";
    let first = token_vectors(directory.path(), text).remove(0);
    let embedder = tiny_model::builder(directory.path()).pooling(Pooling::Cls).build().unwrap();
    assert_same(&embed_one(&embedder, text).await, &Embedding::new(first).unwrap());
    assert_eq!(embedder.identity().pooling, Pooling::Cls);
    assert_different(&embed_one(&embedder, text).await, &embed_one(&tiny_model::load(directory.path()), text).await);
}

#[tokio::test]
async fn a_text_has_the_same_vector_alone_and_in_any_batch() {
    let directory = tiny_model::directory();
    for pooling in [Pooling::Mean, Pooling::Cls] {
        let embedder = tiny_model::builder(directory.path()).pooling(pooling).build().unwrap();
        let texts = mixed_texts();
        let together = embedder.embed(&texts, EmbedRole::Passage).await;
        let reversed: Vec<String> = texts.iter().rev().cloned().collect();
        let backwards = embedder.embed(&reversed, EmbedRole::Passage).await;
        for ((text, batched), reversed) in texts.iter().zip(&together).zip(backwards.iter().rev()) {
            let alone = embed_one(&embedder, text).await;
            assert_same(&alone, &batched.as_ref().unwrap().chunks()[0]);
            assert_same(&alone, &reversed.as_ref().unwrap().chunks()[0]);
        }
    }
}

#[tokio::test]
async fn vectors_are_of_unit_length_and_repeatable() {
    let directory = tiny_model::directory();
    let embedder = tiny_model::load(directory.path());
    let first = embed(&embedder, &["green tea every morning", "我 喜 欢 喝 茶"], EmbedRole::Query).await;
    assert_eq!(first, embed(&embedder, &["green tea every morning", "我 喜 欢 喝 茶"], EmbedRole::Query).await);
    for vector in first.iter().flatten() {
        let norm: f32 = vector.as_slice().iter().map(|value| value * value).sum();
        assert!((norm - 1.0).abs() < 1e-5, "{norm}");
        assert_eq!(vector.dimensions(), embedder.identity().dimensions);
    }
    assert_different(&first[0][0], &first[1][0]);
}

#[tokio::test]
async fn padding_and_truncation_of_the_tokenizer_file_are_switched_off() {
    let (shipped, plain) = (tiny_model::directory(), tiny_model::directory());
    let mut tokenizer = tiny_model::tokenizer();
    tokenizer["padding"] = serde_json::Value::Null;
    tokenizer["truncation"] = serde_json::Value::Null;
    fs::write(plain.path().join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let (shipped, plain) = (tiny_model::load(shipped.path()), tiny_model::load(plain.path()));
    for text in ["tea", "we lived in porto and not in shanghai"] {
        assert_same(&embed_one(&shipped, text).await, &embed_one(&plain, text).await);
    }
    let long = "black coffee every morning ".repeat(60);
    assert_eq!(
        embed(&shipped, &[&long], EmbedRole::Passage).await[0].len(),
        embed(&plain, &[&long], EmbedRole::Passage).await[0].len()
    );
}

#[tokio::test]
async fn each_role_has_its_prefix() {
    let directory = tiny_model::directory();
    let plain = tiny_model::load(directory.path());
    let prefixed =
        tiny_model::builder(directory.path()).query_prefix("query: ").passage_prefix("passage: ").build().unwrap();
    let text = "你 住 在 上 海";
    let query = embed(&prefixed, &[text], EmbedRole::Query).await.remove(0).remove(0);
    let passage = embed_one(&prefixed, text).await;
    assert_same(&query, &embed_one(&plain, "query: 你 住 在 上 海").await);
    assert_same(&passage, &embed_one(&plain, "passage: 你 住 在 上 海").await);
    assert_different(&query, &passage);
    assert_eq!(prefixed.identity().query_prefix, "query: ");
    assert_eq!(prefixed.identity().passage_prefix, "passage: ");
    assert_ne!(prefixed.identity().fingerprint(), plain.identity().fingerprint());
}

#[tokio::test]
async fn a_long_text_is_split_into_full_pieces_that_overlap_and_each_has_the_prefix() {
    let directory = tiny_model::directory();
    let embedder = tiny_model::builder(directory.path()).passage_prefix("passage: ").build().unwrap();
    // [CLS] passage : … [SEP] leave room for 60 words of the 64 tokens; a quarter of them is shared.
    let room = POSITIONS - 4;
    let step = room - room / 4;
    let known: Vec<&str> = tiny_model::WORDS.split_whitespace().skip(7).collect();
    let words: Vec<&str> = (0..200).map(|at| known[(at * at + at / 7) % known.len()]).collect();
    let pieces = embed(&embedder, &[&words.join(" ")], EmbedRole::Passage).await.remove(0);

    let mut starts: Vec<usize> = (0..).map(|piece| piece * step).take_while(|start| start + room < 200).collect();
    starts.push(200 - room);
    assert_eq!(pieces.len(), starts.len());
    for (piece, start) in pieces.iter().zip(starts) {
        assert_same(piece, &embed_one(&embedder, &words[start..start + room].join(" ")).await);
    }
}

#[tokio::test]
async fn a_text_is_split_only_past_the_limit() {
    let directory = tiny_model::directory();
    let embedder = tiny_model::builder(directory.path()).max_tokens(20).build().unwrap();
    let pieces = |words: usize| "tea ".repeat(words);
    assert_eq!(embed(&embedder, &[&pieces(18)], EmbedRole::Passage).await[0].len(), 1);
    assert_eq!(embed(&embedder, &[&pieces(19)], EmbedRole::Passage).await[0].len(), 2);
    assert_eq!(embedder.identity().max_tokens, 20);
}

#[tokio::test]
async fn a_blank_text_fails_alone() {
    let directory = tiny_model::directory();
    let embedder = tiny_model::builder(directory.path()).query_prefix("query: ").build().unwrap();
    let texts = ["tea", "", " \n\t\u{3000}", "\u{200b}", "\u{0}", "unheard of", "你 住 在 上 海"].map(str::to_owned);
    let results = embedder.embed(&texts, EmbedRole::Query).await;
    assert_eq!(results.len(), texts.len());
    for (text, result) in texts.iter().zip(results) {
        if text.chars().any(char::is_alphabetic) {
            assert!(result.is_ok(), "{text:?}");
        } else {
            assert_eq!(result.unwrap_err().kind(), ErrorKind::NotEmbeddable, "{text:?}");
        }
    }
    assert!(embedder.embed(&[], EmbedRole::Query).await.is_empty());
}

#[tokio::test]
async fn requests_at_the_same_time_get_their_own_answers() {
    let directory = tiny_model::directory();
    let embedder = std::sync::Arc::new(tiny_model::load(directory.path()));
    let mut tasks = tokio::task::JoinSet::new();
    for text in mixed_texts() {
        let embedder = embedder.clone();
        tasks.spawn(async move { (embed_one(&embedder, &text).await, text) });
    }
    while let Some(done) = tasks.join_next().await {
        let (vector, text) = done.unwrap();
        assert_same(&vector, &embed_one(&embedder, &text).await);
    }
}

#[test]
fn the_identity_states_the_hash_of_the_weights_in_use() {
    let directory = tiny_model::directory();
    let weights = fs::read(directory.path().join("model.safetensors")).unwrap();
    let sha256: String = Sha256::digest(weights).iter().map(|byte| format!("{byte:02x}")).collect();
    let embedder = tiny_model::builder(directory.path()).revision("7").expect_weights_sha256(&sha256).build().unwrap();
    let identity = embedder.identity();
    assert_eq!(identity.weights_sha256, sha256);
    assert_eq!((identity.model.as_str(), identity.revision.as_str()), ("tiny", "7"));
    assert_eq!((identity.dimensions, identity.max_tokens), (HIDDEN, POSITIONS));
}
