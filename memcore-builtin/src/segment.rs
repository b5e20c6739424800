//! The cheapest way to cut a run into pieces of the lexicon (Unigram segmentation by Viterbi).

use crate::lexicon::Lexicon;
use crate::runs::{Run, Script};

/// Marks the start of a Latin word, as in the teacher's vocabulary.
const WORD_START: char = '\u{2581}';

/// More than any way through known pieces costs, so that an unknown character is the last resort.
const UNKNOWN_COST: u32 = 1_000;

/// Bytes of a run that are cut at once: bounds the work and the memory for a text without spaces, and is longer than
/// any word.
const WINDOW: usize = 4_096;

/// A part of a text that has a vector of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// A piece: its row in the table.
    Piece(usize),
    /// A character or word that the table does not hold.
    Unknown(String),
}

/// Adds the tokens of `run` to `tokens`, in order.
pub(crate) fn segment(run: &Run, lexicon: &Lexicon, tokens: &mut Vec<Token>) {
    match run.script {
        Script::Other => tokens.push(Token::Unknown(run.text.clone())),
        Script::Latin => cut(&format!("{WORD_START}{}", run.text), lexicon, tokens),
        Script::Digits | Script::Han | Script::Kana => cut(&run.text, lexicon, tokens),
    }
}

/// The last step of the cheapest way to a place.
#[derive(Debug, Clone, Copy)]
struct Step {
    cost: u32,
    from: usize,
    row: Option<usize>,
}

fn cut(text: &str, lexicon: &Lexicon, tokens: &mut Vec<Token>) {
    let mut rest = text;
    while !rest.is_empty() {
        let (window, next) = rest.split_at(rest.floor_char_boundary(WINDOW));
        cut_window(window, lexicon, tokens);
        rest = next;
    }
}

fn cut_window(text: &str, lexicon: &Lexicon, tokens: &mut Vec<Token>) {
    let mut steps: Vec<Option<Step>> = vec![None; text.len() + 1];
    steps[0] = Some(Step { cost: 0, from: 0, row: None });
    for (from, ch) in text.char_indices() {
        let Some(Step { cost, .. }) = steps[from] else { continue };
        // Of two equally cheap ways the one found first stays: the order of places and lengths is fixed.
        let mut offer = |bytes: usize, more: u32, row: Option<usize>| {
            let cost = cost.saturating_add(more);
            let step = &mut steps[from + bytes];
            if step.is_none_or(|step| cost < step.cost) {
                *step = Some(Step { cost, from, row });
            }
        };
        lexicon.prefixes(&text.as_bytes()[from..], |found| offer(found.bytes, found.cost, Some(found.row)));
        offer(ch.len_utf8(), UNKNOWN_COST, None);
    }
    let first = tokens.len();
    let mut end = text.len();
    while let Some(step) = steps[end].filter(|_| end > 0) {
        match step.row {
            Some(row) => tokens.push(Token::Piece(row)),
            None if text[step.from..end].starts_with(WORD_START) => {}
            None => tokens.push(Token::Unknown(text[step.from..end].to_owned())),
        }
        end = step.from;
    }
    tokens[first..].reverse();
}
