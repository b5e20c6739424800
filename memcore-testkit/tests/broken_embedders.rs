//! The suite of embedding models can fail: each broken embedder is caught by the case of the clause that it breaks.

#![allow(clippy::unwrap_used, reason = "everything here runs in tests")]

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU64, Ordering},
};

use async_trait::async_trait;
use memcore_core::{EmbedRole, Embedder, Embedding, EmbeddingIdentity, Error, ErrorKind, Result, TextEmbedding};
use memcore_testkit::{HashEmbedder, embedder};

/// What is wrong with an embedder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defect {
    SkipsBadTexts,
    FailsTheWholeBatch,
    EmbedsBlankTexts,
    AnswersBackwards,
    DependsOnTheBatch,
    DependsOnTheCall,
    CutsLongTexts,
    SplitsShortTexts,
    AnswersWithOtherDimensions,
    PanicsOnOddTexts,
    AnswersTheSameForAll,
    AnswersAnEmptyBatch,
}

/// Which case catches which defect.
const CAUGHT_BY: [(Defect, &str); 12] = [
    (Defect::SkipsBadTexts, "a_blank_text_is_not_embeddable_and_fails_alone"),
    (Defect::FailsTheWholeBatch, "a_blank_text_is_not_embeddable_and_fails_alone"),
    (Defect::EmbedsBlankTexts, "a_blank_text_is_not_embeddable_and_fails_alone"),
    (Defect::AnswersBackwards, "every_text_has_one_result_in_its_order"),
    (Defect::DependsOnTheBatch, "a_text_does_not_depend_on_its_batch"),
    (Defect::DependsOnTheCall, "the_same_text_has_the_same_vectors"),
    (Defect::CutsLongTexts, "a_long_text_is_covered_to_its_end"),
    (Defect::SplitsShortTexts, "a_short_text_has_one_vector"),
    (Defect::AnswersWithOtherDimensions, "every_vector_has_the_identitys_dimensions"),
    (Defect::PanicsOnOddTexts, "odd_texts_never_panic"),
    (Defect::AnswersTheSameForAll, "related_texts_are_nearer_than_unrelated_ones"),
    (Defect::AnswersAnEmptyBatch, "no_texts_have_no_results"),
];

/// Whether a case fails on an embedder.
fn fails(case: &str, defect: Option<Defect>) -> bool {
    let run = || embedder::run_case(case, || async { Broken::new(defect) });
    catch_unwind(AssertUnwindSafe(run)).is_err()
}

#[test]
fn every_broken_embedder_is_caught_by_the_case_of_its_clause() {
    let missed: Vec<_> = CAUGHT_BY.into_iter().filter(|(defect, case)| !fails(case, Some(*defect))).collect();
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

#[test]
fn the_same_cases_pass_on_the_same_embedder_without_a_defect() {
    let failed: Vec<_> = CAUGHT_BY.into_iter().filter(|(_, case)| fails(case, None)).collect();
    assert!(failed.is_empty(), "failed: {failed:#?}");
}

/// The hashing embedder, with a defect in front of it.
#[derive(Debug)]
struct Broken {
    inner: HashEmbedder,
    defect: Option<Defect>,
    calls: AtomicU64,
}

impl Broken {
    fn new(defect: Option<Defect>) -> Self {
        Self { inner: HashEmbedder::new(128), defect, calls: AtomicU64::new(0) }
    }

    /// A vector that has nothing to do with any text.
    fn constant(&self, n: usize) -> TextEmbedding {
        let mut values = vec![1.0; self.inner.identity().dimensions];
        values[0] += n as f32;
        TextEmbedding::single(Embedding::new(values).unwrap())
    }
}

#[async_trait]
impl Embedder for Broken {
    fn identity(&self) -> &EmbeddingIdentity {
        self.inner.identity()
    }

    async fn embed(&self, texts: &[String], role: EmbedRole) -> Vec<Result<TextEmbedding>> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let mut results = self.inner.embed(texts, role).await;
        match self.defect {
            None => {}
            Some(Defect::SkipsBadTexts) => results.retain(Result::is_ok),
            Some(Defect::FailsTheWholeBatch) if results.iter().any(Result::is_err) => {
                results.fill_with(|| Err(Error::new(ErrorKind::NotEmbeddable, "one of them is bad")));
            }
            Some(Defect::EmbedsBlankTexts) => {
                results = results.into_iter().map(|result| result.or_else(|_| Ok(self.constant(0)))).collect();
            }
            Some(Defect::AnswersBackwards) => results.reverse(),
            Some(Defect::DependsOnTheBatch) if texts.len() > 2 => {
                results = results.into_iter().map(|result| result.map(|_| self.constant(texts.len()))).collect();
            }
            Some(Defect::DependsOnTheCall) => {
                let n = usize::try_from(call).unwrap();
                results = results.into_iter().map(|result| result.map(|_| self.constant(n))).collect();
            }
            Some(Defect::CutsLongTexts) => {
                let cut = |embedding: TextEmbedding| TextEmbedding::single(embedding.chunks()[0].clone());
                results = results.into_iter().map(|result| result.map(cut)).collect();
            }
            Some(Defect::SplitsShortTexts) => {
                let twice = |embedding: TextEmbedding| {
                    TextEmbedding::chunked([embedding.chunks(), embedding.chunks()].concat()).unwrap()
                };
                results = results.into_iter().map(|result| result.map(twice)).collect();
            }
            Some(Defect::AnswersWithOtherDimensions) => {
                let shorter = TextEmbedding::single(Embedding::new(vec![1.0; 3]).unwrap());
                results = results.into_iter().map(|result| result.map(|_| shorter.clone())).collect();
            }
            Some(Defect::PanicsOnOddTexts) => assert!(!texts.iter().any(|text| text.contains('\0')), "no NUL, please"),
            Some(Defect::AnswersTheSameForAll) => {
                results = results.into_iter().map(|result| result.map(|_| self.constant(0))).collect();
            }
            Some(Defect::AnswersAnEmptyBatch) if texts.is_empty() => results.push(Ok(self.constant(0))),
            Some(Defect::FailsTheWholeBatch | Defect::DependsOnTheBatch | Defect::AnswersAnEmptyBatch) => {}
        }
        results
    }
}
