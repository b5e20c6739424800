//! Conversations that a model reads.

use crate::server::{KEY, Lockers, contents, expected, program, transcript};

#[tokio::test]
async fn a_transcript_is_read_by_the_model_and_what_it_cost_is_shown() {
    let lockers = Lockers::default();
    let server = lockers.start().await;
    let program = program(&server.uri());
    let file = program.file("talk.jsonl", transcript(3));
    let answer = program.answer(&["ingest", &file]);
    assert_eq!((answer["added"].as_u64(), answer["pending"].as_u64()), (Some(3), Some(0)), "{answer}");
    assert_eq!(contents(&program), expected(3));

    let calls = lockers.replies();
    let stats = program.answer(&["stats"]);
    let usage = &stats["usage"][0];
    assert_eq!(usage["purpose"].as_str(), Some("extract"), "{stats}");
    assert_eq!(usage["model"].as_str(), Some("test-model"), "{stats}");
    assert_eq!(usage["usage"]["calls"].as_u64(), Some(calls), "{stats}");
    assert_eq!(usage["usage"]["input_tokens"].as_u64(), Some(500 * calls), "{stats}");
    assert!(program.text(&["stats"]).stdout.contains("extract by test-model"));

    let again = program.answer(&["ingest", &file]);
    assert_eq!((again["added"].as_u64(), lockers.replies()), (Some(0), calls), "what is known costs nothing: {again}");
    assert!(!program.holds(KEY));
    let asked = server.received_requests().await.unwrap();
    assert!(asked.iter().all(|asked| asked.headers["authorization"] == format!("Bearer {KEY}").as_str()));
}

#[tokio::test]
async fn commands_that_read_no_conversation_need_no_model() {
    let program = crate::program::Program::new().with_variable("MEMCORE_EXTRACTOR", "llm");
    program.remember(&["The gate opens at six."]);
    assert_eq!(program.answer(&["recall", "When does the gate open?"])["hits"].as_array().unwrap().len(), 1);
    let ran = program.run(&["ingest", &program.file("talk.jsonl", transcript(1))]);
    assert_eq!((ran.exit, ran.kind()), (4, "configuration"), "{}", ran.json);
    assert!(ran.json["error"]["hint"].as_str().unwrap().contains("MEMCORE_CHAT_MODEL"), "{}", ran.json);
}

#[tokio::test]
async fn a_review_is_asked_of_the_model_and_booked() {
    let server = Lockers::saying(r#"{"proposals": []}"#).start().await;
    let program = program(&server.uri());
    program.remember(&["The gate opens at six."]);
    let file = program.file("talk.jsonl", transcript(1));
    program.answer(&["ingest", "--extractor", "rules", &file]);
    let answer = program.answer(&["review"]);
    assert_eq!(answer["pending"].as_u64(), Some(0), "{answer}");
    let stats = program.answer(&["stats"]);
    assert_eq!(stats["usage"][0]["purpose"].as_str(), Some("review"), "{stats}");
}
