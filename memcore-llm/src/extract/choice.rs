//! Quotes that only choose among what the assistant has just offered.

use std::collections::HashSet;

use memcore_core::text;

use super::request::has_word;

/// How one of several offers is chosen.
const CHOICES: [&str; 36] = [
    "the first",
    "the second",
    "the third",
    "the fourth",
    "the fifth",
    "the last",
    "the other one",
    "option",
    "number one",
    "number two",
    "number three",
    "number 1",
    "number 2",
    "number 3",
    "first one",
    "second one",
    "third one",
    "last one",
    "former",
    "latter",
    "第一",
    "第二",
    "第三",
    "第四",
    "第五",
    "第1",
    "第2",
    "第3",
    "前者",
    "后者",
    "最后一",
    "方案",
    "选a",
    "选b",
    "选c",
    "另一个",
];
/// The longest choice, as Chinese characters plus twice the other words: more words speak for themselves.
const LONGEST_CHOICE: usize = 16;

/// Whether the words do no more than choose among what was offered: "the second one, please".
pub(super) fn is_choice(quote: &str) -> bool {
    let chosen = quote.to_lowercase();
    text::input_length(quote) <= LONGEST_CHOICE && CHOICES.iter().any(|cue| has_word(&chosen, cue))
}

/// Whether a statement takes something up from an offer.
pub(super) fn takes_up(content: &str, offer: &str) -> bool {
    let offered: HashSet<String> = text::index_terms(offer).into_iter().map(|term| term.text).collect();
    text::query_terms(content).iter().any(|term| offered.contains(&term.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_names_nothing_but_its_place() {
        for (quote, expected) in [
            ("The second one, please.", true),
            ("Let's go with option B", true),
            ("the latter", true),
            ("第二个吧", true),
            ("那就后者", true),
            ("选B", true),
            ("Adoption papers are ready", false),
            ("that one, please", false),
            ("好的，就这样", false),
            ("In the second half of the year I will be away on parental leave", false),
            ("第二季度我要去休产假，请把所有评审都转给小林", false),
        ] {
            assert_eq!(is_choice(quote), expected, "{quote}");
        }
    }
}
