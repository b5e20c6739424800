//! What holds for any text: quotes are exact, only the user's messages are read, and the work is bounded.

use memcore_core::{MessageId, Role};
use proptest::prelude::*;

use super::{extract, extract_with_context, stored};

/// Pieces that rules react to, in any order and with anything between them.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "我",
            "住在",
            "喜欢",
            "记住：",
            "以后都",
            "忘掉",
            "不对，",
            "应该是",
            "如果",
            "吗？",
            "，",
            "。",
            "上个月",
            "对",
            "过敏",
            "“",
            "”",
            "I ",
            "live in ",
            "love ",
            "Remember: ",
            "always ",
            "Forget ",
            "No, it's ",
            "if ",
            "? ",
            ", ",
            ". ",
            "last month ",
            "my ",
            " is ",
            "\"",
            "\n",
            "> ",
            "```\n",
            "<memory>",
            "</memory>",
            "9090",
            "Oslo",
            "we decided to ",
            "；",
            " and ",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn quotes_are_exact_and_extraction_is_deterministic(first in pieces(), second in pieces()) {
        let messages = [(Role::User, first.as_str()), (Role::Assistant, second.as_str()), (Role::User, second.as_str())];
        let found = extract(&messages);
        let again = extract(&messages);
        prop_assert_eq!((&found.candidates, &found.rejected), (&again.candidates, &again.rejected));
        let stored = stored(&messages, 100);
        for candidate in &found.candidates {
            let quote = candidate.quote.as_ref().unwrap();
            let source = stored.iter().find(|message| Some(&message.id) == quote.message.as_ref()).unwrap();
            prop_assert_eq!(source.role, Role::User);
            let text = source.text();
            prop_assert_eq!(text.get(quote.start..quote.end), Some(quote.text.as_str()));
            prop_assert!(!candidate.content.trim().is_empty());
        }
    }

    #[test]
    fn what_others_say_gives_nothing(text in pieces()) {
        let found = extract(&[(Role::Assistant, &text), (Role::Tool, &text), (Role::System, &text)]);
        prop_assert!(found.candidates.is_empty() && found.rejected.is_empty());
    }
}

#[test]
fn nothing_is_taken_from_the_context_but_what_a_correction_means() {
    let context = [(Role::User, "我的门禁号是 4411，我住在宁波。"), (Role::Assistant, "好的，门禁号 4411。")];
    let found = extract_with_context(&context, &[(Role::User, "不对，是 4412")]);
    let [corrected] = found.candidates.as_slice() else { panic!("{found:?}") };
    assert_eq!(corrected.content, "我的门禁号是 4412");
    assert_eq!(corrected.quote.as_ref().unwrap().message, Some(MessageId::new("m100").unwrap()));
}

#[test]
fn a_message_gives_a_bounded_number_of_candidates() {
    let many: String = (0..200).map(|number| format!("Remember: box {number} is on shelf {number}.\n")).collect();
    let found = extract(&[(Role::User, &many)]);
    assert_eq!(found.candidates.len(), 32);
    assert!(found.rejected.len() <= 16);
}

#[test]
fn a_megabyte_of_anything_is_read_without_harm() {
    let line = "2026-05-03 08:00:01 INFO worker started, we use 4 threads\n";
    for text in [
        line.repeat(1024 * 1024 / line.len()),
        "我喜欢".repeat(120_000),
        "I like tea, ".repeat(90_000),
        "\0".repeat(1024 * 1024),
        "🎉".repeat(250_000),
        "> ".repeat(500_000),
    ] {
        assert!(extract(&[(Role::User, &text)]).candidates.len() <= 32);
    }
}
