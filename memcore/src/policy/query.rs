//! What of a question is compared by meaning.

use std::collections::HashSet;

use memcore_core::text;

/// Characters of a Chinese word.
const WORD: usize = 2;

/// The question without words that nearly every memory has: a name that stands everywhere draws the question's vector
/// towards everything alike. As it is where nothing else would be left.
#[must_use]
pub fn without(question: &str, common: &HashSet<&str>) -> String {
    if common.is_empty() {
        return question.to_owned();
    }
    let words = question.split_whitespace().filter(|word| !is_common(word, common));
    let mut rest = words.collect::<Vec<&str>>().join(" ");
    for term in common.iter().filter(|term| !term.is_ascii() && term.chars().count() >= WORD) {
        rest = rest.replace(term, "");
    }
    let rest = rest.trim();
    let left: HashSet<String> = text::index_terms(rest).into_iter().map(|term| term.text).collect();
    let asked = text::query_terms(question);
    let is_left = asked.iter().any(|term| !common.contains(term.text.as_str()) && left.contains(&term.text));
    if is_left { rest.to_owned() } else { question.to_owned() }
}

/// Whether a word, without "'s", is nothing but common terms.
fn is_common(word: &str, common: &HashSet<&str>) -> bool {
    let stem = word.trim_matches(|ch: char| !ch.is_alphanumeric());
    let stem = stem.strip_suffix("'s").or_else(|| stem.strip_suffix("’s")).unwrap_or(stem);
    let terms = text::index_terms(stem);
    !terms.is_empty() && terms.iter().all(|term| common.contains(term.text.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_stand_everywhere_are_left_out_of_what_is_compared_by_meaning() {
        for (question, common, expected) in [
            ("When did Melanie paint a sunrise?", &["melani", "melanie"][..], "When did paint a sunrise?"),
            ("What is Melanie's favourite book?", &["melani", "melanie"], "What is favourite book?"),
            ("小美什么时候去露营？", &["小美"], "什么时候去露营？"),
            ("小美 when did you paint?", &["小美"], "when did you paint?"),
            ("Who is Melanie?", &["melani", "melanie"], "Who is Melanie?"),
            ("小美是谁？", &["小美"], "小美是谁？"),
            ("When did Melanie paint?", &[], "When did Melanie paint?"),
        ] {
            assert_eq!(without(question, &common.iter().copied().collect()), expected);
        }
    }
}
