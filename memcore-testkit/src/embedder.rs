//! The suite of embedding models: one case for each clause of [`Embedder`]'s contract.

use std::future::Future;

use memcore_core::Embedder;

use crate::suite;

/// What a case gets.
type Fixture = Box<dyn Embedder>;

/// Runs one case of the suite by its name, on an embedder that is made for it.
///
/// # Panics
/// Where the embedder breaks the clause.
pub fn run_case<F: Embedder, M: Future<Output = F>>(name: &str, make: impl FnOnce() -> M) {
    const CASES: &suite::Table<Fixture> = crate::embedder_cases!(table_of);
    suite::run(CASES, name, async { Box::new(make().await) as Fixture });
}

/// Makes a `#[test]` of every case of the suite of embedding models; see the crate's docs.
#[macro_export]
macro_rules! embedder_suite {
    ($make:expr) => {
        $crate::embedder_cases!(tests_of embedder $make);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! embedder_cases {
    ($then:ident $($input:tt)*) => {
        $crate::$then! {
            [$($input)*]
            cases {
                every_text_has_one_result_in_its_order,
                no_texts_have_no_results,
                a_blank_text_is_not_embeddable_and_fails_alone,
                every_vector_has_the_identitys_dimensions,
                the_same_text_has_the_same_vectors,
                a_text_does_not_depend_on_its_batch,
                the_identity_never_changes,
                a_long_text_is_covered_to_its_end,
                a_short_text_has_one_vector,
                odd_texts_never_panic,
                related_texts_are_nearer_than_unrelated_ones,
            }
        }
    };
}

mod cases {
    //! The cases. Plain English words are what every model can embed; anything else it may refuse, text by text.

    use memcore_core::{EmbedRole, Embedder, ErrorKind, TextEmbedding};

    use super::Fixture;
    use crate::Lcg;

    const ROLES: [EmbedRole; 2] = [EmbedRole::Query, EmbedRole::Passage];

    async fn embed(embedder: &dyn Embedder, texts: &[&str], role: EmbedRole) -> Vec<Result<TextEmbedding, ErrorKind>> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let results = embedder.embed(&texts, role).await;
        assert_eq!(results.len(), texts.len(), "one result per text");
        results.into_iter().map(|result| result.map_err(|error| error.kind())).collect()
    }

    /// The embedding of one text that every model can embed.
    async fn embed_one(embedder: &dyn Embedder, text: &str, role: EmbedRole) -> TextEmbedding {
        embed(embedder, &[text], role).await.remove(0).expect("plain English words can be embedded")
    }

    /// The least similarity of two embeddings, vector by vector.
    fn agreement(a: &TextEmbedding, b: &TextEmbedding) -> f32 {
        assert_eq!(a.chunks().len(), b.chunks().len());
        a.chunks().iter().zip(b.chunks()).map(|(a, b)| a.cosine(b).unwrap()).fold(1.0, f32::min)
    }

    /// English words without end, in sentences.
    fn prose(words: usize, seed: u64) -> String {
        const WORDS: [&str; 12] =
            ["the", "garden", "behind", "our", "house", "is", "full", "of", "old", "trees", "and", "birds"];
        let mut lcg = Lcg::new(seed);
        let mut text = String::new();
        for n in 1..=words {
            text.push_str(lcg.pick(&WORDS));
            text.push_str(if n % 9 == 0 { ". " } else { " " });
        }
        text
    }

    pub(super) async fn every_text_has_one_result_in_its_order(embedder: Fixture) {
        let texts = ["a red bicycle", "tax law", "the weather in spring", "a red bicycle"];
        for role in ROLES {
            let results = embed(&*embedder, &texts, role).await;
            for (text, result) in texts.iter().zip(&results) {
                let alone = embed_one(&*embedder, text, role).await;
                assert!(agreement(result.as_ref().unwrap(), &alone) >= 0.9999, "{text}");
            }
            let (first, second) = (results[0].as_ref().unwrap(), results[1].as_ref().unwrap());
            assert!(agreement(first, second) < 0.999, "different texts have different vectors");
        }
    }

    pub(super) async fn no_texts_have_no_results(embedder: Fixture) {
        for role in ROLES {
            assert!(embedder.embed(&[], role).await.is_empty());
        }
    }

    pub(super) async fn a_blank_text_is_not_embeddable_and_fails_alone(embedder: Fixture) {
        for role in ROLES {
            let results = embed(&*embedder, &["", "a red bicycle", " \t\r\n", "\u{3000}\u{a0}", "tax law"], role).await;
            for blank in [0, 2, 3] {
                assert_eq!(results[blank].as_ref().err(), Some(&ErrorKind::NotEmbeddable), "text {blank}");
            }
            assert!(results[1].is_ok() && results[4].is_ok());
        }
    }

    pub(super) async fn every_vector_has_the_identitys_dimensions(embedder: Fixture) {
        let dimensions = embedder.identity().dimensions;
        assert!(dimensions > 0);
        let long = prose(700, 1);
        for role in ROLES {
            for result in embed(&*embedder, &["a red bicycle", "一辆红色的自行车", &long], role).await {
                let chunks = result.map(TextEmbedding::into_chunks).unwrap_or_default();
                assert!(chunks.iter().all(|chunk| chunk.dimensions() == dimensions));
            }
        }
    }

    pub(super) async fn the_same_text_has_the_same_vectors(embedder: Fixture) {
        for text in ["a red bicycle", "I moved to a small town by the sea"] {
            let first = embed_one(&*embedder, text, EmbedRole::Passage).await;
            let second = embed_one(&*embedder, text, EmbedRole::Passage).await;
            assert_eq!(first, second, "{text}");
        }
    }

    pub(super) async fn a_text_does_not_depend_on_its_batch(embedder: Fixture) {
        let text = "a red bicycle";
        let (short, long) = ("tax", prose(60, 2));
        let alone = embed_one(&*embedder, text, EmbedRole::Passage).await;
        for batch in [vec![text, &long], vec![&long, &short, text], vec![text; 40], vec!["", text, "一辆红色的自行车"]]
        {
            let results = embed(&*embedder, &batch, EmbedRole::Passage).await;
            for (given, result) in batch.iter().zip(&results) {
                if *given == text {
                    assert!(agreement(result.as_ref().unwrap(), &alone) >= 0.9999, "a batch of {}", batch.len());
                }
            }
        }
    }

    pub(super) async fn the_identity_never_changes(embedder: Fixture) {
        let before = embedder.identity().clone();
        embed(&*embedder, &["a red bicycle", ""], EmbedRole::Query).await;
        assert_eq!(embedder.identity(), &before);
        assert!(!before.model.is_empty() && before.max_tokens > 0);
    }

    pub(super) async fn a_long_text_is_covered_to_its_end(embedder: Fixture) {
        // Words are at least one token each. A model without a practical limit gets a text that is merely long.
        let limit = embedder.identity().max_tokens;
        let long = prose(limit.min(2_000) * 2, 3);
        let with_end = |end: &str| format!("{long}{end}");
        let (one, other) = (with_end("My dentist is called Marek."), with_end("Volcanoes on Iceland erupt."));
        let first = embed_one(&*embedder, &one, EmbedRole::Passage).await;
        let second = embed_one(&*embedder, &other, EmbedRole::Passage).await;
        if limit <= 2_000 {
            assert!(first.chunks().len() >= 2, "{} vectors for twice the limit", first.chunks().len());
        }
        assert_ne!(first.chunks().last(), second.chunks().last(), "the end of a long text counts");
        let begun = embed_one(&*embedder, &format!("Volcanoes erupt. {long}"), EmbedRole::Passage).await;
        assert_ne!(begun.chunks().first(), first.chunks().first(), "so does its beginning");
    }

    pub(super) async fn a_short_text_has_one_vector(embedder: Fixture) {
        for text in ["bicycle", "I moved to a small town by the sea"] {
            assert_eq!(embed_one(&*embedder, text, EmbedRole::Passage).await.chunks().len(), 1, "{text}");
        }
    }

    pub(super) async fn odd_texts_never_panic(embedder: Fixture) {
        let huge = "word 词 ".repeat(10_000);
        let unbroken = "x".repeat(20_000);
        let texts = [
            "\0",
            "a\0b",
            "🍜👩‍👩‍👧",
            "\u{202e}مرحبا بالعالم",
            "\u{feff}\u{200b}",
            "\u{301}\u{301}",
            "???",
            "한국어",
            "喝咖啡",
            "[CLS] [SEP] [PAD] [UNK]",
            "<s></s>",
            &unbroken,
            &huge,
        ];
        for role in ROLES {
            let results = embed(&*embedder, &texts, role).await;
            for (text, result) in texts.iter().zip(results) {
                let start: String = text.chars().take(20).collect();
                match result {
                    Ok(embedding) => assert!(!embedding.chunks().is_empty(), "{start}"),
                    Err(kind) => assert_eq!(kind, ErrorKind::NotEmbeddable, "{start}"),
                }
            }
        }
    }

    pub(super) async fn related_texts_are_nearer_than_unrelated_ones(embedder: Fixture) {
        for (question, related, unrelated) in [
            ("red bicycle", "she bought a red bicycle", "the court rejected the appeal"),
            ("trees in the garden", "the garden is full of old trees", "my laptop needs a new battery"),
        ] {
            let question = embed_one(&*embedder, question, EmbedRole::Query).await;
            let related = embed_one(&*embedder, related, EmbedRole::Passage).await;
            let unrelated = embed_one(&*embedder, unrelated, EmbedRole::Passage).await;
            assert!(agreement(&question, &related) > agreement(&question, &unrelated));
        }
    }
}
