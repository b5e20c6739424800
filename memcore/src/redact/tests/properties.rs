//! What holds for every text.

use memcore_core::Redactor;
use proptest::prelude::*;

use super::generate::{ALNUM, Random};
use crate::redact::PatternRedactor;

/// Pieces that rules look for, so that random texts come close to secrets.
fn piece() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "password",
        "密码",
        "是",
        " is ",
        "=",
        ": ",
        "：",
        "\"",
        "'",
        "`",
        "token",
        "API_KEY",
        "<private>",
        "</private>",
        "[redacted:phone]",
        "[private]",
        "sk-",
        "ghp_",
        "AKIA",
        "eyJ",
        ".",
        "-",
        " ",
        "\n",
        "+86",
        "X",
        "订单号",
        "卡号",
        "https://u:",
        "@",
        "-----BEGIN RSA PRIVATE ",
        "KEY-----",
        "-----END ",
        "\u{200b}",
        "\u{1b}[",
        "m",
        "，",
        "。",
        "passport",
    ]);
    prop_oneof![
        4 => words.prop_map(str::to_owned),
        1 => any::<u64>().prop_map(|seed| Random::new(seed).text(ALNUM, 24)),
        1 => any::<u64>().prop_map(|seed| Random::new(seed).card()),
        1 => any::<u64>().prop_map(|seed| Random::new(seed).resident_id()),
        1 => any::<u64>().prop_map(|seed| Random::new(seed).mobile()),
        1 => "\\PC{0,8}",
        1 => "[0-9 -]{1,24}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), prop::collection::vec(piece(), 0..24).prop_map(|pieces| pieces.concat())]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn redacting_twice_changes_nothing(text in text()) {
        let redactor = PatternRedactor::new();
        let once = redactor.redact(&text).text;
        let twice = redactor.redact(&once);
        prop_assert_eq!(&twice.text, &once);
        prop_assert!(twice.findings.is_empty());
    }

    #[test]
    fn findings_are_ordered_disjoint_ranges_of_the_original(text in text()) {
        let redaction = PatternRedactor::new().redact(&text);
        let mut done = 0;
        let mut kept = String::new();
        for finding in &redaction.findings {
            prop_assert!(done <= finding.start && finding.start < finding.end);
            // `get` fails where an offset lies inside a character.
            kept.push_str(text.get(done..finding.start).unwrap());
            let marker = if finding.class == "private" { "[private]".to_owned() } else { format!("[redacted:{}]", finding.class) };
            kept.push_str(&marker);
            done = finding.end;
        }
        kept.push_str(text.get(done..).unwrap());
        prop_assert_eq!(kept, redaction.text);
    }
}
