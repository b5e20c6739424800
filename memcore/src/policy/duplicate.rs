//! When two statements say the same.

use std::collections::BTreeSet;

use memcore_core::text::{self, TermKind};

/// Share of content words that two equal statements have in common.
const SAME_WORDS: f32 = 0.75;
/// Share of content words from which two results are too alike to be shown both.
const ALIKE_WORDS: f32 = 0.8;

/// How two statements relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// Equal but for case, width, spacing and final punctuation.
    Same,
    /// Other words for the same, as far as words and vectors tell.
    NearDuplicate,
    /// The same statement with the opposite sense, or another number in it: both may be meant.
    Contradiction,
    /// Nothing of that.
    Different,
}

/// Compares two statements. `cosine_is_duplicate` says whether their vectors are as close as those of duplicates
/// (see [`Calibration`](super::calibration::Calibration)); none without vectors.
///
/// Vectors alone are not trusted: "I like tea" and "I do not like tea", or two room numbers, lie closer together than
/// most true duplicates. So words, numbers and polarity must agree as well.
#[must_use]
pub fn likeness(a: &str, b: &str, cosine_is_duplicate: Option<bool>) -> Likeness {
    if text::normalize(a) == text::normalize(b) {
        return Likeness::Same;
    }
    let (a, b) = (Wording::of(a), Wording::of(b));
    let overlap = jaccard(&a.words, &b.words);
    if overlap < SAME_WORDS {
        return Likeness::Different;
    }
    if a.numbers != b.numbers || a.is_negative != b.is_negative {
        return Likeness::Contradiction;
    }
    match cosine_is_duplicate {
        Some(true) => Likeness::NearDuplicate,
        // Without vectors only the very same words in another order or form count.
        None if overlap >= 0.999 => Likeness::NearDuplicate,
        _ => Likeness::Different,
    }
}

/// Whether a statement denies: an odd number of negations.
#[must_use]
pub fn is_negative(statement: &str) -> bool {
    const ZH: [&str; 8] = ["讨厌", "拒绝", "禁止", "反对", "停止", "放弃", "戒", "无"];
    const EN: [&str; 5] = ["without", "hate", "dislike", "avoid", "stopped"];
    let (rest, denials) = without_denials(statement);
    let english = words(&rest).filter(|word| EN.contains(word)).count();
    let chinese: usize = ZH.iter().map(|word| rest.matches(word).count()).sum();
    (denials + english + chinese) % 2 == 1
}

/// The statement in lower case without its mere negations, and how many there were: what is left is what it is about.
fn without_denials(statement: &str) -> (String, usize) {
    const ZH: [char; 6] = ['不', '没', '别', '未', '勿', '非'];
    const EN: [&str; 13] =
        ["not", "no", "never", "none", "dont", "doesnt", "didnt", "isnt", "arent", "wont", "cant", "cannot", "wasnt"];
    let lower = statement.to_lowercase().replace(['\'', '’'], "");
    let denials =
        lower.chars().filter(|c| ZH.contains(c)).count() + words(&lower).filter(|word| EN.contains(word)).count();
    let kept: Vec<&str> = lower
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .filter(|word| !EN.contains(&word.trim_end_matches(|c: char| !c.is_alphanumeric())))
        .collect();
    (kept.concat().replace(ZH, ""), denials)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
}

/// What a statement is made of, read once so that it can be compared with many.
#[derive(Debug, Clone)]
pub struct Wording {
    words: BTreeSet<String>,
    /// In the order of the statement: table 4 with 6 seats is not table 6 with 4.
    numbers: Vec<String>,
    is_negative: bool,
}

impl Wording {
    /// Reads a statement.
    #[must_use]
    pub fn of(statement: &str) -> Self {
        let (mut words, mut numbers) = (BTreeSet::new(), Vec::new());
        for term in text::query_terms(&without_denials(statement).0) {
            if matches!(term.kind, TermKind::Number | TermKind::Identifier) || term.text.chars().any(char::is_numeric) {
                numbers.push(term.text);
            } else {
                words.insert(term.text);
            }
        }
        Self { words, numbers, is_negative: is_negative(statement) }
    }

    /// Whether two results would tell the reader the same.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.numbers == other.numbers
            && self.is_negative == other.is_negative
            && jaccard(&self.words, &other.words) >= ALIKE_WORDS
    }
}

fn jaccard(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f32 {
    let union = a.union(b).count();
    if union == 0 {
        return if a.len() == b.len() { 1.0 } else { 0.0 };
    }
    a.intersection(b).count() as f32 / union as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, expected: Likeness) {
        assert_eq!(likeness(a, b, Some(true)), expected, "{a} | {b}");
        assert_eq!(likeness(b, a, Some(true)), expected, "{b} | {a}");
    }

    #[test]
    fn equal_statements_are_the_same_in_both_languages() {
        check("我喜欢喝乌龙茶。", "我喜欢喝乌龙茶！", Likeness::Same);
        check("I like oolong tea", "I like  Oolong tea.", Likeness::Same);
    }

    #[test]
    fn opposite_or_numerically_different_statements_are_never_duplicates() {
        check("我喜欢喝乌龙茶", "我不喜欢喝乌龙茶", Likeness::Contradiction);
        check("I like oolong tea", "I don't like oolong tea", Likeness::Contradiction);
        check("会议室 301 有投影仪", "会议室 302 有投影仪", Likeness::Contradiction);
        check("用户的生日是 3 月 8 日", "用户的生日是 8 月 3 日", Likeness::Contradiction);
        check("Table 4 seats 6 people", "Table 6 seats 4 people", Likeness::Contradiction);
    }

    #[test]
    fn statements_about_other_things_differ_however_close_their_vectors() {
        check("我把护照锁在保险柜里", "我把相机借给了小陈", Likeness::Different);
        check("My sister lives in Oslo", "My brother works at a bank", Likeness::Different);
    }
}
