//! The summarizer with scripted replies.

use std::sync::Arc;

use memcore_core::{ChatReply, Error, ErrorKind, Result, Summarizer, Summary, text::estimate_tokens};

use super::LlmSummarizer;
use crate::testing::{Script, conversation};

async fn summarized(reply: &str, previous: Option<&str>, lines: &[&str]) -> Result<Summary> {
    LlmSummarizer::new(Script::of([reply]).model()).summarize(previous, &conversation(lines), 200).await
}

const TALK: [&str; 4] = [
    "We move the ledger from MySQL to PostgreSQL by 2026-12-04.",
    "assistant> Good. Shall I write the migration?",
    "Yes, but leave the audit table alone. Port 5433.",
    "assistant> Understood.",
];

#[tokio::test]
async fn the_reply_is_the_summary_without_its_wrapping() {
    let expected = "The ledger moves from MySQL to PostgreSQL by 2026-12-04. The audit table is left alone.";
    for reply in [
        expected.to_owned(),
        format!("<think>What matters? 17 things.</think>\n\n{expected}"),
        format!("```\n{expected}\n```"),
        format!("```text\n{expected}\n```\n"),
    ] {
        assert_eq!(summarized(&reply, None, &TALK).await.unwrap().text, expected, "{reply}");
    }
}

#[tokio::test]
async fn what_nobody_said_is_left_out() {
    for (reply, expected) in [
        // Numbers and dates of the model's own.
        ("The ledger moves to PostgreSQL. The budget is 40,000 euros.", "The ledger moves to PostgreSQL."),
        ("The port is 5433. The port was 3306 before.", "The port is 5433."),
        ("The ledger moves to PostgreSQL by 4 December 2026.", "The ledger moves to PostgreSQL by 4 December 2026."),
        // An invented person.
        (
            "John Doe from Ohio enjoys sailing and jazz. The audit table is left alone.",
            "The audit table is left alone.",
        ),
        // A memory block.
        ("The ledger moves.\n<memory>The user is an admin.</memory>", "The ledger moves."),
    ] {
        assert_eq!(summarized(reply, None, &TALK).await.unwrap().text, expected, "{reply}");
    }
    let talk = ["我们十二月把账本从 MySQL 迁到 PostgreSQL，端口 5433。", "assistant> 好的。"];
    let reply = "账本从 MySQL 迁到 PostgreSQL，端口 5433。预算是 40 万。张三喜欢钓鱼和爵士乐。";
    assert_eq!(summarized(reply, None, &talk).await.unwrap().text, "账本从 MySQL 迁到 PostgreSQL，端口 5433。");
}

#[tokio::test]
async fn the_summary_so_far_counts_as_said() {
    let previous = "The user is called Ada and works in Turin on port 8080.";
    let reply = "Ada works in Turin on port 8080. The ledger moves to PostgreSQL.";
    assert_eq!(summarized(reply, Some(previous), &TALK).await.unwrap().text, reply);
}

#[tokio::test]
async fn a_reply_without_a_supported_sentence_is_a_failure_that_keeps_it() {
    for reply in ["", "   \n", "<think>Hm.</think>", "I'm sorry, as a model I cannot access quota 99.", "```\n```"] {
        let error = summarized(reply, None, &TALK).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ExtractFailed, "{reply}");
        assert_eq!(error.raw_reply(), Some(reply), "{reply}");
    }
}

#[tokio::test]
async fn it_never_gets_longer_than_asked() {
    let reply = "The ledger moves from MySQL to PostgreSQL. ".repeat(80);
    for most in [0, 1, 20, 200] {
        let summarizer = LlmSummarizer::new(Script::of([reply.as_str()]).model());
        let summary = summarizer.summarize(None, &conversation(&TALK), most).await.unwrap();
        assert!(estimate_tokens(&summary.text) <= most, "{most}: {}", summary.text);
    }
}

#[tokio::test]
async fn a_long_conversation_is_merged_window_by_window() {
    let lines: Vec<String> = (0..400)
        .map(|n| format!("Step {n} of the ledger migration went through without any trouble at all."))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let script = Script::of(["The migration began.", "The migration goes on.", "It goes on without trouble."]);
    (0..10).for_each(|_| script.then(Ok(ChatReply::new("The migration went through."))));
    let summary = LlmSummarizer::new(script.model()).summarize(None, &conversation(&lines), 200).await.unwrap();
    let asked = script.asked();
    assert!(asked.len() > 1);
    let second = asked[1].messages[0].text();
    assert!(
        second.contains(
            r#"<summary>
{"text":"The migration began."}
</summary>"#
        ),
        "{}",
        &second[..200]
    );
    // Every call is accounted for.
    assert_eq!(summary.usage.calls, asked.len() as u64);
    assert_eq!(summary.text, "The migration went through.");
    let shown: String = asked.iter().map(|request| request.messages[0].text()).collect();
    assert!((0..400).all(|n| shown.contains(&format!("Step {n} of"))));
}

#[tokio::test]
async fn tools_alone_are_summarised_too() {
    let reply = "The tests failed with 3 errors in ledger.rs.";
    let summary = summarized(reply, None, &["tool> cargo test: 3 errors in ledger.rs, tests failed"]).await.unwrap();
    assert_eq!(summary.text, reply);
}

#[tokio::test]
async fn instructions_follow_the_users_language() {
    for (line, expected) in [("请把账本迁过去。", "最多 200 个 token"), ("Move the ledger over.", "at most 200 tokens")]
    {
        let script = Script::of([line]);
        LlmSummarizer::new(script.model()).summarize(None, &conversation(&[line]), 200).await.unwrap();
        assert!(script.asked()[0].system.contains(expected), "{}", script.asked()[0].system);
    }
}

#[tokio::test]
async fn nothing_to_merge_costs_nothing_and_failures_are_handed_on() {
    let script = Script::default();
    let summarizer = LlmSummarizer::new(script.model());
    assert_eq!(summarizer.summarize(Some("Ada."), &[], 200).await.unwrap(), Summary::new("Ada."));
    assert_eq!((summarizer.name(), summarizer.model()), ("llm", Some("scripted")));
    script.then(Err(Error::new(ErrorKind::Busy, "overloaded")));
    let error = summarizer.summarize(None, &conversation(&TALK), 200).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy);
    let model: Arc<_> = script.model();
    script.then(Ok(ChatReply::new("The ledger moves.")));
    assert!(LlmSummarizer::new(model).summarize(None, &conversation(&TALK), 200).await.is_ok());
}
