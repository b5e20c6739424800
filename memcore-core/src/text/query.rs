//! The terms of a query: the segmentation of the index, weighed by how much a match says.

use std::collections::HashMap;

use super::Span;
use super::compound::{Capitals, Compound};
use super::folding::bounded;
use super::glyphs::Glyph;
use super::language::{Language, language};
use super::quotes::inline_quotations;
use super::scan::{Chunk, chunks};
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
    let mut query = Query::default();
    let proper = proper_nouns(text, &chunks);
    for pass in [StopWords::Skip, StopWords::Keep] {
        for (chunk, &is_proper) in chunks.iter().zip(&proper) {
            let is_quoted = |span: Span| is_within(&quoted, span);
            match chunk {
                Chunk::Word(word) => query.add_word(word, is_proper, is_quoted(word.span), pass),
                Chunk::Run(run) => query.add_run(run, &is_quoted, pass),
                Chunk::Emoji(emoji, span) => {
                    query.add(bounded(emoji.clone()), TermKind::Word, 1.0, is_quoted(*span));
                }
            }
        }
        if !query.terms.is_empty() {
            break;
        }
    }
    query.terms
}

/// Whether one of `quoted`, which are in order and apart, holds `span`.
fn is_within(quoted: &[Span], span: Span) -> bool {
    let after = quoted.partition_point(|quote| quote.start <= span.start);
    after.checked_sub(1).and_then(|at| quoted.get(at)).is_some_and(|quote| span.end <= quote.end)
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
        let decisive = word.is_exact || is_proper || (is_quoted && !is_stop);
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
                let has_content_before = at > 0 && is_content(at - 1);
                let is_alone = !has_content_before && !is_content(at + 1);
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

/// For each chunk whether it is a proper noun: capitalised where its place in the sentence does not ask for it.
fn proper_nouns(text: &str, chunks: &[Chunk]) -> Vec<bool> {
    let mut proper = vec![false; chunks.len()];
    if is_headline(chunks) {
        return proper;
    }
    let in_chinese = language(text) == Language::Zh;
    let mut before: Option<&Chunk> = None;
    for (chunk, proper) in chunks.iter().zip(&mut proper) {
        if let Chunk::Word(word) = chunk {
            let may_be = match word.capitals {
                Capitals::None => false,
                // I, I'm; What, Where after a mark that was not recognised.
                Capitals::First => !is_english_stop_word(&word.surface) || matches!(&*word.surface, "may" | "will"),
                Capitals::All => true,
            };
            *proper = may_be && (in_chinese || before.is_some_and(|before| is_same_sentence(text, before, word)));
        }
        before = Some(chunk);
    }
    proper
}

/// Whether every word begins with a capital, function words too: `What Is My Name`, `WHERE IS MY CAR`.
fn is_headline(chunks: &[Chunk]) -> bool {
    let words = || {
        let words = chunks.iter().filter_map(|chunk| if let Chunk::Word(word) = chunk { Some(word) } else { None });
        words.filter(|word| word.surface.chars().all(char::is_alphabetic))
    };
    words().all(|word| word.capitals != Capitals::None)
        && words().skip(1).any(|word| word.surface != "i" && is_english_stop_word(&word.surface))
}

/// Whether no mark that ends a sentence or opens a quotation stands between `before` and `word`.
fn is_same_sentence(text: &str, before: &Chunk, word: &Compound) -> bool {
    const SENTENCE_MARKS: &[char] = &['.', '!', '?', '\n', ':', ';', '"', '“', '…', '。', '！', '？', '；', '：', '「'];
    let end = match before {
        Chunk::Word(before) => before.span.end,
        Chunk::Run(run) => run.last().map_or(0, |glyph| glyph.end),
        Chunk::Emoji(..) => return false,
    };
    !Span::new(end, word.span.start).of(text).contains(SENTENCE_MARKS)
}
