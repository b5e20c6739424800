//! The reviewer with scripted replies.

use std::sync::Arc;

use memcore_core::{ChatReply, Error, ErrorKind, RejectionReason, Review, ReviewRequest, Reviewer, Verdict};
use memcore_testkit::sample::{at, session_scope};
use serde_json::{Value, json};

use super::LlmReviewer;
use crate::{
    FnChatModel,
    testing::{Script, conversation, memories},
};

const MEMORIES: [&str; 3] = ["The user lives in Turin.", "用户喜欢喝茶。", "The deploy target is Heroku."];
const TALK: [&str; 4] = [
    "I moved to Bologna last week.",
    "assistant> You might prefer Fly.io to Heroku.",
    "茶我已经不喝了。\nShould we drop Heroku?",
    "Tom wrote: \"we are off Heroku since May\"",
];

fn request(memories_known: &[&str], lines: &[&str]) -> ReviewRequest {
    ReviewRequest::new(session_scope("lin", "s"), memories(memories_known), conversation(lines), at(100))
}

fn entry(handle: Value, verdict: &str, content: Value, quote: &str) -> Value {
    json!({"handle": handle, "verdict": verdict, "content": content, "reason": "so it says", "quote": quote})
}

async fn reviewed(entries: &[Value]) -> Review {
    let reply = json!({"proposals": entries}).to_string();
    LlmReviewer::new(Script::of([reply.as_str()]).model()).review(&request(&MEMORIES, &TALK)).await.unwrap()
}

#[tokio::test]
async fn proposals_carry_the_memory_and_the_users_words() {
    let review = reviewed(&[
        entry(json!(1), "revise", json!("The user lives in Bologna."), "i moved to Bologna"),
        entry(json!("2"), "Retire", json!(null), "茶我已经不喝了"),
    ])
    .await;
    let known = memories(&MEMORIES);
    let [first, second] = &review.proposals[..] else { panic!("{review:?}") };
    assert_eq!((first.id, second.id), (known[0].id, known[1].id));
    assert_eq!(first.verdict, Verdict::Revise { content: "The user lives in Bologna.".to_owned() });
    assert_eq!((&second.verdict, second.reason.as_str()), (&Verdict::Retire, "so it says"));
    let talk = conversation(&TALK);
    for (proposal, at, words) in [(first, 0, "I moved to Bologna"), (second, 2, "茶我已经不喝了")] {
        assert_eq!(proposal.quote.text, words);
        assert_eq!(proposal.quote.message.as_ref(), Some(&talk[at].id));
        assert_eq!(talk[at].text().get(proposal.quote.start..proposal.quote.end), Some(words));
    }
    assert_eq!((review.usage.calls, review.usage.tokens()), (1, 15));
}

#[tokio::test]
async fn without_the_users_own_words_there_is_no_proposal() {
    let live = json!("The user lives in Bologna.");
    for (entry, expected) in [
        (entry(json!(1), "revise", live.clone(), "I have moved to Bologna"), RejectionReason::Ungrounded),
        (entry(json!(3), "retire", json!(null), "You might prefer Fly.io"), RejectionReason::Ungrounded),
        (entry(json!(3), "retire", json!(null), "Should we drop Heroku?"), RejectionReason::Question),
        (entry(json!(3), "retire", json!(null), "we are off Heroku since May"), RejectionReason::Quoted),
        (entry(json!(9), "retire", json!(null), "I moved to Bologna"), RejectionReason::Invalid),
        (entry(json!(0), "retire", json!(null), "I moved to Bologna"), RejectionReason::Invalid),
        (entry(json!("b7e1"), "retire", json!(null), "I moved to Bologna"), RejectionReason::Invalid),
        (entry(json!(1), "delete", json!(null), "I moved to Bologna"), RejectionReason::Invalid),
        (entry(json!(1), "revise", json!(null), "I moved to Bologna"), RejectionReason::Invalid),
        (entry(json!(1), "revise", json!("x".repeat(2_001)), "I moved to Bologna"), RejectionReason::Invalid),
    ] {
        let review = reviewed(std::slice::from_ref(&entry)).await;
        assert!(review.proposals.is_empty(), "{entry}");
        let reasons: Vec<_> = review.rejected.iter().map(|rejection| rejection.reason).collect();
        assert_eq!(reasons, [expected], "{entry}");
    }
}

#[tokio::test]
async fn what_is_said_later_decides() {
    let lines: Vec<String> =
        (0..500).map(|n| format!("Ticket {n}: the ledger has been migrated to a new host.")).collect();
    let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    lines.insert(0, "I still live in Turin.");
    lines.push("I moved to Bologna.");
    let model = FnChatModel::new("reader", |asked| async move {
        let shown = asked.messages[0].text();
        let conversation = shown.split("<conversation>").nth(1).unwrap().to_owned();
        let verdicts = [("confirm", "I still live in Turin."), ("retire", "I moved to Bologna.")];
        let said = verdicts.into_iter().filter(|(_, quote)| conversation.contains(quote));
        let entries: Vec<Value> = said.map(|(verdict, quote)| entry(json!(1), verdict, json!(null), quote)).collect();
        Ok(ChatReply::new(json!({"proposals": entries}).to_string()))
    });
    let review = LlmReviewer::new(Arc::new(model)).review(&request(&MEMORIES, &lines)).await.unwrap();
    assert!(review.usage.calls > 1);
    let verdicts: Vec<_> = review.proposals.iter().map(|proposal| &proposal.verdict).collect();
    assert_eq!(verdicts, [&Verdict::Retire]);
}

#[tokio::test]
async fn nothing_to_propose_and_failure_are_told_apart() {
    let nothing = LlmReviewer::new(Script::of([r#"{"proposals": []}"#]).model());
    let review = nothing.review(&request(&MEMORIES, &TALK)).await.unwrap();
    assert!(review.proposals.is_empty() && review.failures.is_empty());

    let babble = LlmReviewer::new(Script::of(["All good!", "Nothing to see."]).model());
    let review = babble.review(&request(&MEMORIES, &TALK)).await.unwrap();
    let [failure] = &review.failures[..] else { panic!("{review:?}") };
    assert_eq!((failure.kind(), failure.raw_reply()), (ErrorKind::ExtractFailed, Some("Nothing to see.")));
    assert_eq!(review.usage.calls, 2);

    let script = Script::default();
    script.then(Err(Error::new(ErrorKind::Unavailable, "down")));
    let error = LlmReviewer::new(script.model()).review(&request(&MEMORIES, &TALK)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
}

#[tokio::test]
async fn without_memories_or_words_of_the_users_no_model_is_asked() {
    let script = Script::default();
    let reviewer = LlmReviewer::new(script.model());
    for request in [request(&[], &TALK), request(&MEMORIES, &[]), request(&MEMORIES, &["assistant> Hello."])] {
        assert!(reviewer.review(&request).await.unwrap().proposals.is_empty());
    }
    assert!(script.asked().is_empty());
    assert_eq!((reviewer.name(), reviewer.model()), ("llm", Some("scripted")));
}
