//! Text search: BM25 over the terms of one user's records.

use std::collections::BTreeMap;

use super::user_memory::UserMemory;
use crate::{
    TextHit, TextMatches, TextQuery,
    text::{QueryTerm, index_terms},
};

/// How fast further occurrences of a term stop to count; the usual value of Okapi BM25.
const SATURATION: f64 = 1.2;
/// How much a long text is held against it; the usual value of Okapi BM25.
const LENGTH_PENALTY: f64 = 0.75;

/// How often a text has each of its terms.
pub(super) type TermCounts = BTreeMap<String, u32>;

/// Counts the terms of a text.
pub(super) fn count_terms(text: &str) -> TermCounts {
    let mut counts = TermCounts::new();
    for term in index_terms(text) {
        *counts.entry(term.text).or_default() += 1;
    }
    counts
}

impl UserMemory {
    /// Statistics are those of all of the user's records; the filter decides only which of them may be found.
    pub(super) fn search_text(&self, query: &TextQuery) -> TextMatches {
        let documents = self.entries.len() as u64;
        let having = |term: &QueryTerm| {
            self.entries.values().filter(|entry| entry.terms.contains_key(&term.text)).count() as u64
        };
        let frequencies: Vec<u64> = query.terms.iter().map(having).collect();
        let all_terms: u64 = self.entries.values().map(|entry| length(&entry.terms)).sum();
        let mean_length = (all_terms as f64 / documents.max(1) as f64).max(1.0);
        let score = |terms: &TermCounts| -> Option<f32> {
            let norm = 1.0 - LENGTH_PENALTY + LENGTH_PENALTY * length(terms) as f64 / mean_length;
            let matched: Vec<f64> = std::iter::zip(&query.terms, &frequencies)
                .filter(|(term, _)| term.weight > 0.0)
                .filter_map(|(term, frequency)| {
                    let count = f64::from(*terms.get(&term.text)?);
                    let rarity = rarity(documents, *frequency);
                    Some(f64::from(term.weight) * rarity * count * (SATURATION + 1.0) / (count + SATURATION * norm))
                })
                .collect();
            (!matched.is_empty()).then(|| matched.iter().sum::<f64>() as f32)
        };
        let mut hits: Vec<TextHit> = self
            .entries
            .iter()
            .filter(|(_, entry)| query.filter.admits(&entry.current.record))
            .filter_map(|(id, entry)| Some(TextHit { id: *id, score: score(&entry.terms)? }))
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        hits.truncate(query.k);
        TextMatches { hits, frequencies, documents }
    }
}

/// How much a term says, by how few of the records have it; always above zero, so that every match counts.
fn rarity(documents: u64, frequency: u64) -> f64 {
    let (documents, frequency) = (documents as f64, frequency as f64);
    (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln()
}

fn length(terms: &TermCounts) -> u64 {
    terms.values().map(|count| u64::from(*count)).sum()
}
