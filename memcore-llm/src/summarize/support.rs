//! Which sentences of a summary the conversation supports: code looks, whatever the model says.

use std::collections::HashSet;

use memcore_core::{Language, text};

use crate::{
    extract::{foreign, window::Window},
    prompt::data::moment,
};

/// Share of a sentence's terms that must stand in the sources; across languages words cannot be compared.
const SHARED: f32 = 0.25;
/// What summaries call the two speakers, whatever the conversation does.
const SPEAKERS: &str = "user assistant 用户 助手";

/// What a summary may be made of.
#[derive(Debug)]
pub(super) struct Sources {
    language: Language,
    terms: HashSet<String>,
    numbers: HashSet<String>,
}

impl Sources {
    /// The summary so far, and a window's messages with their times.
    pub(super) fn new(previous: &str, window: &Window<'_>) -> Self {
        let said = window.pieces.iter().map(|piece| piece.text.as_str());
        let words: Vec<&str> = [previous].into_iter().chain(said).collect();
        let words = words.join("\n");
        let mut numbers = numbers(&words);
        for piece in &window.pieces {
            numbers.extend(self::numbers(&moment(piece.message.at)));
        }
        Self { language: text::language(&words), terms: index_terms(&words), numbers }
    }

    /// The text without the sentences that invent something.
    pub(super) fn supported(&self, summary: &str) -> String {
        let mut kept = String::new();
        let mut behind = 0;
        for sentence in text::sentences(summary) {
            let gap = summary.get(behind..sentence.start).unwrap_or_default();
            behind = sentence.end;
            if self.supports(sentence.of(summary)) {
                kept.push_str(gap);
                kept.push_str(sentence.of(summary));
            }
        }
        kept.trim().to_owned()
    }

    fn supports(&self, sentence: &str) -> bool {
        if foreign::has_memory_tag(sentence) || !numbers(sentence).is_subset(&self.numbers) {
            return false;
        }
        if text::language(sentence) != self.language {
            return true;
        }
        let mut stated = index_terms(sentence);
        for speaker in index_terms(SPEAKERS) {
            stated.remove(&speaker);
        }
        stated.intersection(&self.terms).count() as f32 >= SHARED * stated.len() as f32
    }
}

fn index_terms(words: &str) -> HashSet<String> {
    text::index_terms(words).into_iter().map(|term| term.text).collect()
}

/// The numbers of a text as runs of digits, without zeros in front: `2026-07-04` holds 2026, 7 and 4.
fn numbers(words: &str) -> HashSet<String> {
    let words = text::normalize(words);
    let runs = words.split(|ch: char| !ch.is_ascii_digit()).filter(|run| !run.is_empty());
    runs.map(|run| run.trim_start_matches('0').to_owned()).collect()
}
