//! What holds for any text, however strange.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

use crate::text::*;

fn config() -> Config {
    Config {
        cases: 512,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(0x6d65_6d63_6f72_6501),
        failure_persistence: None,
        ..Config::default()
    }
}

/// Any Unicode text, rich in what the rules look at.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => any::<char>().prop_map(String::from),
        6 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        2 => "[a-zA-Z0-9]{1,9}",
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

const PIECES: &[&str] = &[
    " ",
    "\n",
    "\0",
    "\u{301}",
    "\u{200d}",
    "\u{200b}",
    "\u{202e}",
    "\u{fe0f}",
    "\u{feff}",
    "👨",
    "👩",
    "🏽",
    "🇨",
    "🇳",
    "我",
    "的",
    "们喜欢",
    "們",
    "什么",
    "咖啡",
    "한국",
    "\u{1112}\u{1161}",
    "ガ",
    "ｶﾞ",
    "ไทย",
    "שלום",
    "مرحبا",
    "हिन्दी",
    "İ",
    "ß",
    "ﬁ",
    "ſ",
    "Σ",
    "½",
    "①",
    "™",
    ".",
    "...",
    "。",
    "！",
    "?",
    ";",
    ",",
    "，",
    "、",
    "-",
    "_",
    "::",
    "/",
    "@",
    "'",
    "’",
    "\"",
    "“",
    "”",
    "「",
    "」",
    "`",
    "```",
    "\n```\n",
    "\n> ",
    "(",
    ")",
    "（",
    "https://",
    "v2.5.1",
    "E0382",
    "CN-A10293",
    "1,000",
    "3.14",
    "foo_bar",
    "camelCase",
    "I'm",
    " and I ",
    ", but ",
    "但是",
    "Dr. ",
    "e.g. ",
    "U.S. ",
];

fn check_spans(text: &str, spans: &[Span]) -> Result<(), TestCaseError> {
    let mut last_end = 0;
    for span in spans {
        prop_assert!(last_end <= span.start && span.start < span.end && span.end <= text.len());
        prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
        prop_assert_eq!(span.of(text).trim(), span.of(text));
        last_end = span.end;
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn normal_form_is_idempotent(text in texts()) {
        let normal = normalize(&text);
        prop_assert_eq!(normalize(&normal), normal);
    }

    #[test]
    fn terms_are_short_bare_and_placed(text in texts()) {
        for term in index_terms(&text) {
            prop_assert!(!term.text.is_empty() && term.text.chars().count() <= 64);
            prop_assert!(!term.text.contains(|ch: char| ch.is_whitespace() || ch.is_control()), "{:?}", term);
            prop_assert!(text.get(term.start..term.end).is_some_and(|source| !source.is_empty()));
        }
    }

    #[test]
    fn joined_terms_split_into_the_terms(text in texts()) {
        let terms: Vec<_> = index_terms(&text).into_iter().map(|term| term.text).collect();
        let joined = joined_index_text(&text);
        prop_assert_eq!(joined.split_whitespace().collect::<Vec<_>>(), terms);
    }

    #[test]
    fn a_text_holds_every_term_of_itself_as_a_query(text in texts()) {
        let index: std::collections::HashSet<_> = index_terms(&text).into_iter().map(|term| term.text).collect();
        let query = query_terms(&text);
        prop_assert_eq!(query.is_empty(), index.is_empty());
        for term in query {
            prop_assert!(index.contains(&term.text), "{:?}", term);
            prop_assert!(term.weight > 0.0 && term.weight <= 1.0);
        }
    }

    #[test]
    fn spans_are_in_order_trimmed_and_on_character_boundaries(text in texts()) {
        check_spans(&text, &sentences(&text))?;
        check_spans(&text, &clauses(&text))?;
        check_spans(&text, &quoted_spans(&text))?;
    }

    #[test]
    fn sentences_leave_out_white_space_only(text in texts()) {
        let bare = |text: &str| text.chars().filter(|ch| !ch.is_whitespace()).collect::<String>();
        let kept: String = sentences(&text).iter().map(|span| span.of(&text)).collect();
        prop_assert_eq!(bare(&kept), bare(&text));
    }

    #[test]
    fn cuts_stay_within_the_limit_and_begin_as_the_text(text in texts(), max in 0_usize..60) {
        let cut = truncate_at_sentence(&text, max, &estimate_tokens);
        prop_assert!(estimate_tokens(&cut) <= max);
        prop_assert!(cut == text || cut.strip_suffix('…').is_none_or(|kept| text.starts_with(kept)));
    }

    #[test]
    fn estimates_never_fall_as_a_text_grows(text in texts(), more in texts()) {
        let grown = format!("{text}{more}");
        prop_assert!(estimate_tokens(&text) <= estimate_tokens(&grown));
    }

    #[test]
    fn likeness_is_symmetric_and_bounded(a in texts(), b in texts()) {
        let overlap = term_overlap(&a, &b);
        prop_assert!((0.0..=1.0).contains(&overlap));
        prop_assert_eq!(overlap, term_overlap(&b, &a));
        prop_assert_eq!(term_overlap(&a, &a), 1.0);
        prop_assert!((0.0..=1.0).contains(&ngram_overlap(&a, &b)));
        prop_assert_eq!(differs_only_in_numbers(&a, &b), differs_only_in_numbers(&b, &a));
        prop_assert!(!differs_only_in_numbers(&a, &a));
    }

    #[test]
    fn measures_take_any_text(text in texts()) {
        let padded = format!("{text} ");
        prop_assert_eq!(language(&text), language(&padded));
        prop_assert!(input_length(&text) <= 2 * text.chars().count() * 4);
        prop_assert!(!has_decisive("") && (has_decisive(&text) || !text.chars().any(char::is_numeric)));
    }
}

/// Repetitions that would show a step per pair of bytes: it would take minutes for each of them.
#[test]
fn repetitions_of_anything_take_linear_time() {
    const BYTES: usize = 1 << 16;
    let units =
        ["a", "我", "\"", "“", "(", "1.", "A. ", "\u{301}", "`", "'", "a_", "aB", "http://", "\u{200d}", " ", "\n>"];
    for unit in units {
        let text = unit.repeat(BYTES / unit.len());
        let len = text.len();
        assert!(index_terms(&text).len() <= len && query_terms(&text).len() <= len, "{unit}");
        assert!(sentences(&text).len() + clauses(&text).len() + quoted_spans(&text).len() <= 3 * len, "{unit}");
        assert!(normalize(&text).len() <= len && estimate_tokens(&text) <= 3 * len, "{unit}");
        assert!(truncate_at_sentence(&text, 9, &str::len).len() <= 9, "{unit}");
        assert!(!differs_only_in_numbers(&text, &text), "{unit}");
    }
    let padded = format!("{}{}", " ".repeat(BYTES), "A. ".repeat(BYTES / 3));
    assert!(!sentences(&padded).is_empty());
}

#[test]
fn a_mebibyte_of_prose_is_no_trouble() {
    let text = "我在 Google 用 v2.5.1。She likes tea, but \"not\" coffee.\n".repeat((1 << 20) / 64);
    assert!(index_terms(&text).len() <= text.len());
    assert!(sentences(&text).len() > 1000 && !normalize(&text).is_empty());
}

#[test]
fn a_cut_counts_few_beginnings_of_a_long_text() {
    let calls = std::cell::Cell::new(0);
    let count = |text: &str| {
        calls.set(calls.get() + 1);
        text.len()
    };
    let text = "One more sentence. ".repeat(10_000);
    assert!(truncate_at_sentence(&text, 1000, &count).len() > 900);
    assert!(calls.get() < 40, "{}", calls.get());
}
