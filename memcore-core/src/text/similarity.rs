//! Likeness of texts by their words, without an embedding.

use std::collections::HashSet;

use super::normalize;
use super::numerals::reading;
use super::scan::{Chunk, chunks};
use super::terms::index_terms;

/// How alike `a` and `b` are by their terms: the Jaccard index of their sets of index terms, 0..=1.
///
/// Texts without any term are alike only where their normal forms are equal.
pub fn term_overlap(a: &str, b: &str) -> f32 {
    let set = |text: &str| index_terms(text).into_iter().map(|term| term.text).collect::<HashSet<String>>();
    let (a_terms, b_terms) = (set(a), set(b));
    let common = a_terms.intersection(&b_terms).count();
    let all = a_terms.len() + b_terms.len() - common;
    if all == 0 {
        return if normalize(a) == normalize(b) { 1.0 } else { 0.0 };
    }
    common as f32 / all as f32
}

/// Whether `a` and `b` say the same with other numbers: 3 cups and 5 cups, 三点 and 四点, v2.5 and v2.6, `E0382` and
/// `E0499`. Such texts are near in every embedding and yet no duplicates.
///
/// Numbers are digits anywhere in a word, English number words and Chinese numerals. Equal numbers in different
/// spelling do not count as different where they are single digits or words up to twelve.
pub fn differs_only_in_numbers(a: &str, b: &str) -> bool {
    let (a, b) = (reading(a), reading(b));
    a.masked == b.masked && a.numbers != b.numbers
}

/// The share of the n-grams of `memory` that occur in `reply`, 0..=1: 1 where the reply repeats the memory word for
/// word.
///
/// An n-gram is three adjacent words or CJK characters, fewer where the memory has fewer.
pub fn ngram_overlap(reply: &str, memory: &str) -> f32 {
    const N: usize = 3;
    let (reply, memory) = (units(reply), units(memory));
    let n = N.min(memory.len());
    if n == 0 {
        return 0.0;
    }
    let in_reply: HashSet<&[String]> = reply.windows(n).collect();
    let in_memory: HashSet<&[String]> = memory.windows(n).collect();
    in_memory.intersection(&in_reply).count() as f32 / in_memory.len() as f32
}

/// The words of `text` in small letters and its characters of scripts without spaces, in order.
fn units(text: &str) -> Vec<String> {
    let mut units = Vec::new();
    for chunk in chunks(text) {
        match chunk {
            Chunk::Word(word) => units.push(word.surface),
            Chunk::Run(run) => units.extend(run.iter().map(|glyph| String::from(glyph.ch))),
            Chunk::Emoji(..) => {}
        }
    }
    units
}
