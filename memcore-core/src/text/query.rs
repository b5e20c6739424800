//! The terms of a query: the segmentation of the index, weighed by how much a match says.

use std::collections::HashMap;

use super::Span;
use super::compound::{Capitals, Compound};
use super::folding::bounded;
use super::glyphs::Glyph;
use super::language::{Language, language};
use super::quotes::inline_quotations;
use super::scan::{Chunk, chunks};
use super::script::is_cjk;
use super::stop_words::{chinese_stop_mask, is_english_stop_word};
use super::terms::TermKind;

/// One term of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    /// The term, spelt as [`Term::text`](super::Term::text).
    pub text: String,
    /// What sort of term it is.
    pub kind: TermKind,
    /// How much a match of this term says, over 0 and at most 1.
    pub weight: f32,
    /// Whether the query is about this very term: a number, an identifier, a proper noun, part of a quoted phrase.
    /// A text that lacks it is hardly the answer.
    pub decisive: bool,
}

/// The weight of a character within a longer run of content: a weak hint, since its pairs say more.
const UNIGRAM_WEIGHT: f32 = 0.15;
/// The weight of a pair of a content character and a function character: 目的 is a word, 欢什 is not.
const STRADDLING_WEIGHT: f32 = 0.4;
/// The weight of a part of an exact identifier: `E0382` asks for no other 0382.
const PART_OF_EXACT_WEIGHT: f32 = 0.4;
/// The weight of a part of joined plain words: `multi-agent` is also about agents.
const PART_OF_JOINED_WEIGHT: f32 = 0.7;

/// The terms of `text` as a query, each once, in the order of the text.
///
/// The segmentation is that of [`index_terms`](super::index_terms), and every term is one of its terms. Stop words of
/// English and Chinese are left out unless there is nothing else. Of a run of Chinese the pairs count; a character
/// counts fully only where it stands alone. No character of the query means anything beyond itself.
pub fn query_terms(text: &str) -> Vec<QueryTerm> {
    let chunks = chunks(text);
    let quoted = inline_quotations(text);
    let in_chinese = language(text) == Language::Zh;
    let mut query = Query::default();
    let mut has_content = false;
    for pass in [StopWords::Skip, StopWords::Keep] {
        for (at, chunk) in chunks.iter().enumerate() {
            let is_quoted = |span: Span| quoted.iter().any(|quote| quote.start <= span.start && span.end <= quote.end);
            match chunk {
                Chunk::Word(word) => {
                    let is_proper = in_chinese && word.capitals != Capitals::None
                        || is_proper_noun(text, word, at.checked_sub(1).and_then(|before| chunks.get(before)));
                    query.add_word(word, is_proper, is_quoted(word.span), pass);
                }
                Chunk::Run(run) => query.add_run(run, &is_quoted, pass),
                Chunk::Emoji(emoji, span) => query.add(bounded(emoji.clone()), TermKind::Word, 1.0, is_quoted(*span)),
            }
        }
        has_content |= !query.terms.is_empty();
        if has_content {
            break;
        }
    }
    query.terms
}

/// What to do with stop words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StopWords {
    Skip,
    Keep,
}

/// The terms so far, and where each one is.
#[derive(Debug, Default)]
struct Query {
    terms: Vec<QueryTerm>,
    places: HashMap<String, usize>,
}

impl Query {
    /// Adds a term, or raises the one that is there.
    fn add(&mut self, text: String, kind: TermKind, weight: f32, decisive: bool) {
        if let Some(term) = self.places.get(&text).and_then(|&place| self.terms.get_mut(place)) {
            term.weight = term.weight.max(weight);
            term.decisive |= decisive;
            return;
        }
        self.places.insert(text.clone(), self.terms.len());
        self.terms.push(QueryTerm { text, kind, weight, decisive });
    }

    fn add_word(&mut self, word: &Compound, is_proper: bool, is_quoted: bool, pass: StopWords) {
        let is_stop = is_english_stop_word(&word.surface);
        if is_stop && !is_proper && pass == StopWords::Skip {
            return;
        }
        let (text, kind) = word.whole.clone();
        let decisive =
            word.is_exact || (is_proper && !matches!(word.surface.as_str(), "i" | "ok")) || (is_quoted && !is_stop);
        self.add(text, kind, 1.0, decisive);
        let weight = if word.is_exact { PART_OF_EXACT_WEIGHT } else { PART_OF_JOINED_WEIGHT };
        for (text, kind) in &word.parts {
            if !is_english_stop_word(text) {
                self.add(text.clone(), *kind, weight, false);
            }
        }
    }

    fn add_run(&mut self, run: &[Glyph], is_quoted: &dyn Fn(Span) -> bool, pass: StopWords) {
        let chars: Vec<char> = run.iter().map(|glyph| glyph.ch).collect();
        let stops = match pass {
            StopWords::Skip => chinese_stop_mask(&chars),
            StopWords::Keep => vec![false; chars.len()],
        };
        let is_content = |at: usize| stops.get(at) == Some(&false);
        for (at, glyph) in run.iter().enumerate() {
            if is_content(at) {
                let is_alone = !(at > 0 && is_content(at - 1)) && !is_content(at + 1);
                let weight = if is_alone { 1.0 } else { UNIGRAM_WEIGHT };
                let span = Span::new(glyph.start, glyph.end);
                self.add(String::from(glyph.ch), TermKind::Unigram, weight, is_alone && is_quoted(span));
            }
            let Some(next) = run.get(at + 1) else { continue };
            let weight = match (is_content(at), is_content(at + 1)) {
                (true, true) => 1.0,
                (false, false) => continue,
                _ => STRADDLING_WEIGHT,
            };
            let span = Span::new(glyph.start, next.end);
            self.add(
                String::from_iter([glyph.ch, next.ch]),
                TermKind::Bigram,
                weight,
                weight == 1.0 && is_quoted(span),
            );
        }
    }
}

/// Whether `word` is capitalised where the place in the sentence does not ask for it.
fn is_proper_noun(text: &str, word: &Compound, before: Option<&Chunk>) -> bool {
    if word.capitals == Capitals::None || word.surface == "i" || word.surface.starts_with("i'") {
        return false;
    }
    let end = match before {
        Some(Chunk::Run(run)) => return run.last().is_some_and(|glyph| is_cjk(glyph.ch)),
        Some(Chunk::Word(previous)) => previous.span.end,
        Some(Chunk::Emoji(..)) | None => return false,
    };
    // Only white space, commas, hyphens and brackets between two words of one sentence.
    let between = Span::new(end, word.span.start).of(text);
    !between.contains(['.', '!', '?', '\n', ':', ';', '"', '“', '…'])
}
