//! `observe`, `ingest` and `rejected`.

use serde_json::{Value, json};

use crate::program::Program;

fn line(session: &str, role: &str, content: &str) -> String {
    json!({ "session": session, "role": role, "content": content, "at": "2026-05-03T08:00:00Z" }).to_string()
}

fn transcript() -> String {
    [
        line("monday", "user", "我住在成都，对虾过敏。"),
        line("tuesday", "user", "Please remember that the release branch is called harbour-7."),
        line("monday", "assistant", "好的。"),
        line("tuesday", "assistant", "Done."),
    ]
    .join("\n")
}

fn contents(answer: &Value) -> Vec<&str> {
    answer["memories"].as_array().unwrap().iter().map(|memory| memory["content"].as_str().unwrap()).collect()
}

#[test]
fn a_transcript_becomes_memories_and_reading_it_twice_adds_nothing() {
    let program = Program::new();
    let file = program.file("talk.jsonl", transcript());
    let first = program.answer(&["ingest", &file]);
    assert_eq!((first["messages"].as_u64(), first["sessions"].as_u64()), (Some(4), Some(2)), "{first}");
    assert_eq!((first["failed"].as_u64(), first["pending"].as_u64()), (Some(0), Some(0)), "{first}");
    assert!(first["added"].as_u64().unwrap() >= 2, "{first}");
    for field in ["confirmed", "superseded", "forgotten", "redacted"] {
        assert!(first[field].is_u64(), "{field}: {first}");
    }
    assert!(first["rejected"].is_array());

    let before = program.answer(&["list"]);
    let second = program.answer(&["ingest", &file]);
    assert_eq!((second["messages"].as_u64(), second["added"].as_u64()), (Some(4), Some(0)), "{second}");
    assert_eq!(contents(&before), contents(&program.answer(&["list"])));
}

#[test]
fn lines_without_ids_keep_theirs_when_the_transcript_grows() {
    let program = Program::new();
    let short = line("s", "user", "I work at Quarry Labs.");
    program.answer(&["ingest", &program.file("talk.jsonl", &short)]);
    let longer = format!("{short}\n{}\n", line("s", "user", "I live in Bergen."));
    let answer = program.answer(&["ingest", &program.file("talk.jsonl", longer)]);
    assert_eq!((answer["known"].as_u64(), answer["messages"].as_u64()), (Some(1), Some(2)), "{answer}");
}

#[test]
fn bad_lines_are_reported_with_their_number_and_the_others_taken() {
    let program = Program::new();
    let text = format!(
        "{}\n{{broken\n{}\n{}\n",
        line("s", "user", "I live in Bergen."),
        r#"{"session":"s","role":"user","content":5}"#,
        r#"{"session":"s","role":"user","content":"half an emoji \ud83d here"}"#,
    );
    let ran = program.run_with_stdin(&["ingest", "-"], &text);
    assert_eq!(ran.exit, 3, "{}", ran.json);
    assert_eq!((ran.json["messages"].as_u64(), ran.json["failed"].as_u64()), (Some(2), Some(2)), "{}", ran.json);
    let lines: Vec<u64> =
        ran.json["failed_lines"].as_array().unwrap().iter().map(|bad| bad["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 3]);
    assert!(contents(&program.answer(&["list"])).iter().any(|content| content.contains("Bergen")));
}

#[test]
fn the_project_flag_is_the_default_of_lines_without_one() {
    let program = Program::new();
    let text = "We decided to use Postgres for the ledger service.";
    let answer = program.run_with_stdin(&["ingest", "-", "--project", "ledger"], &line("s", "user", text));
    assert_eq!(answer.exit, 0);
    let inside = program.answer(&["list", "--project", "ledger"]);
    assert!(contents(&inside).iter().any(|content| content.contains("Postgres")), "{inside}");
    assert_eq!(inside["memories"][0]["project"], "ledger");
    let outside = program.answer(&["list", "--project", "other"]);
    assert!(contents(&outside).is_empty(), "{outside}");
}

#[test]
fn a_turn_is_observed_into_the_session_of_the_flag() {
    let program = Program::new();
    let turn = json!({ "messages": [
        { "role": "user", "content": "My name is Odile and I live in Ghent." },
        { "role": "assistant", "content": "Hello!" },
    ]});
    let ran = program.run_with_stdin(&["observe", "--session", "s1"], &turn.to_string());
    assert_eq!(ran.exit, 0, "{}", ran.json);
    assert_eq!((ran.json["messages"].as_u64(), ran.json["pending"].as_u64()), (Some(2), Some(0)));
    let list = program.answer(&["list"]);
    assert!(contents(&list).iter().any(|content| content.contains("Ghent")), "{list}");
    assert_eq!(list["memories"][0]["provenance"]["session"], "s1");
}

#[test]
fn observe_without_a_session_or_with_nonsense_is_a_usage_error() {
    let program = Program::new();
    let ran = program.run_with_stdin(&["observe"], r#"{"messages":[]}"#);
    assert_eq!((ran.exit, ran.kind()), (2, "usage"));
    for stdin in ["", "nonsense", "[]", r#"{"messages":[{"role":"user"}]}"#] {
        let ran = program.run_with_stdin(&["observe", "--session", "s1"], stdin);
        assert_eq!((ran.exit, ran.kind()), (2, "invalid_input"), "{stdin}");
    }
}

#[test]
fn what_was_not_captured_is_listed_with_its_reason() {
    let program = Program::new();
    let text =
        [line("s", "user", "Could you maybe check whether I live in Oslo?"), line("t", "user", "你好！")].join("\n");
    program.run_with_stdin(&["ingest", "-"], &text);
    let all = program.answer(&["rejected"]);
    for entry in all["rejected"].as_array().unwrap() {
        assert!(entry["text"].is_string() && entry["reason"].is_string() && entry["at"].is_string(), "{entry}");
    }
    let of_s = program.answer(&["rejected", "--session", "s"]);
    assert!(of_s["rejected"].as_array().unwrap().iter().all(|entry| entry["session"] == "s"), "{of_s}");
}

#[test]
fn a_transcript_that_is_not_there_fails() {
    let program = Program::new();
    let ran = program.run(&["ingest", &program.argument("nowhere.jsonl")]);
    assert_eq!((ran.exit, ran.kind()), (1, "io"));
    let ran = program.run(&["ingest", &program.argument(".")]);
    assert_eq!((ran.exit, ran.kind()), (1, "io"));
}
