//! How well a text covers a query: BM25 divided by what a text with every term would get.

use std::collections::HashMap;

use memcore_core::text::{self, QueryTerm};

/// Saturation of repeated terms, and influence of length (Robertson and Zaragoza, 2009); lengths vary little among
/// single statements, hence the small `B`.
const K1: f32 = 0.9;
const B: f32 = 0.3;
/// Terms of a statement of ordinary length.
const USUAL_LENGTH: f32 = 24.0;

/// Memories from which on it can be told which terms are common among them.
const ENOUGH_DOCUMENTS: u64 = 20;
/// A term that more than one in so many memories have says nothing about any of them.
const COMMON_SHARE: u64 = 5;

/// Whether a term is so common among a user's memories that having it sets none of them apart: the names of those who
/// talk, above all.
#[must_use]
pub fn is_common(frequency: u64, documents: u64) -> bool {
    documents >= ENOUGH_DOCUMENTS && frequency.saturating_mul(COMMON_SHARE) > documents
}

/// A query prepared for scoring many texts.
#[derive(Debug, Clone)]
pub struct TextScorer {
    weights: Vec<(QueryTerm, f32)>,
    ideal: f32,
}

/// How a text scored.
#[derive(Debug, Clone, PartialEq)]
pub struct TextScore {
    /// 0 (no term of the query) to 1 (every term).
    pub value: f32,
    /// The terms that matched.
    pub matched: Vec<String>,
}

impl TextScorer {
    /// Weighs each term by its weight in the query and by how rare it is among the user's `documents`; `frequencies`
    /// runs parallel to `terms`.
    ///
    /// A term that no document has still counts: what is asked for and is nowhere makes every text a worse answer. One
    /// that is [common](is_common) decides nothing.
    #[must_use]
    pub fn new(terms: &[QueryTerm], frequencies: &[u64], documents: u64) -> Self {
        let weights: Vec<(QueryTerm, f32)> = terms
            .iter()
            .enumerate()
            .map(|(at, term)| {
                let frequency = frequencies.get(at).copied().unwrap_or(0).min(documents);
                let mut term = term.clone();
                term.decisive &= !is_common(frequency, documents);
                let (frequency, documents) = (frequency as f32, documents as f32);
                // The idf of Lucene's BM25, divided by its greatest value, so that one document alone is no handicap.
                let idf = (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln();
                let greatest = (1.0 + (documents + 0.5) / 0.5).ln();
                let rarity = if documents < 8.0 { 1.0 } else { idf / greatest };
                let weight = term.weight * rarity;
                (term, weight)
            })
            .collect();
        let ideal = weights.iter().map(|(_, weight)| weight).sum();
        Self { weights, ideal }
    }

    /// Scores one text.
    #[must_use]
    pub fn score(&self, content: &str) -> TextScore {
        let mut counts: HashMap<&str, f32> = HashMap::new();
        let terms = text::index_terms(content);
        for term in &terms {
            *counts.entry(term.text.as_str()).or_default() += 1.0;
        }
        let length = 1.0 - B + B * terms.len() as f32 / USUAL_LENGTH;
        let (mut sum, mut matched) = (0.0, Vec::new());
        for (term, weight) in &self.weights {
            if let Some(count) = counts.get(term.text.as_str()) {
                // One occurrence in a text of usual length counts fully.
                sum += weight * (count * (K1 + 1.0) / (count + K1 * length)).min(1.0);
                matched.push(term.text.clone());
            }
        }
        let value = if self.ideal > 0.0 { (sum / self.ideal).clamp(0.0, 1.0) } else { 0.0 };
        TextScore { value, matched }
    }

    /// Whether a text has one of the terms that the query is about.
    #[must_use]
    pub fn decisive_match(&self, score: &TextScore) -> bool {
        self.weights.iter().any(|(term, _)| term.decisive && score.matched.contains(&term.text))
    }

    /// Whether the query is about particular terms at all.
    #[must_use]
    pub fn has_decisive(&self) -> bool {
        self.weights.iter().any(|(term, _)| term.decisive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, better: &str, worse: &str) {
        let terms = text::query_terms(query);
        let scorer = TextScorer::new(&terms, &vec![1; terms.len()], 10);
        let (better, worse) = (scorer.score(better).value, scorer.score(worse).value);
        assert!(better > worse, "{query}: {better} {worse}");
        assert!((0.0..=1.0).contains(&better) && (0.0..=1.0).contains(&worse));
    }

    #[test]
    fn the_text_that_covers_more_of_the_query_scores_higher() {
        check("which port does staging use", "the staging server uses port 7070", "the staging server is in Ohio");
        check("体检报告放在哪里", "我的体检报告放在办公桌的蓝色文件夹里", "我的护照放在保险柜里");
        check("E0499 是什么", "E0499 是缓存层的两次借用", "E0382 是移动之后使用");
    }

    #[test]
    fn a_name_that_stands_everywhere_decides_nothing() {
        for query in ["What did Melanie paint?", "Melanie 画了什么"] {
            let terms = text::query_terms(query);
            let scorer_of = |frequency, documents| {
                let frequencies: Vec<u64> =
                    terms.iter().map(|term| if term.decisive { frequency } else { 1 }).collect();
                TextScorer::new(&terms, &frequencies, documents)
            };
            assert!(scorer_of(3, 100).has_decisive(), "{query}");
            assert!(scorer_of(9, 10).has_decisive(), "{query}: too few to tell");
            assert!(!scorer_of(50, 100).has_decisive(), "{query}");
        }
    }

    #[test]
    fn a_query_without_terms_matches_nothing() {
        assert_eq!(TextScorer::new(&[], &[], 0).score("anything").value, 0.0);
    }
}
