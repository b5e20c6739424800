//! `forget`.

use serde_json::json;

use crate::program::Program;

#[test]
fn erasing_needs_a_yes_and_shows_what_it_would_erase() {
    let program = Program::new();
    let id = program.remember(&["My locker code is written behind the mirror"]);
    let ran = program.run(&["forget", &id]);
    assert_eq!((ran.exit, ran.kind()), (2, "confirmation_needed"), "{}", ran.json);
    assert_eq!(ran.json["preview"][0]["id"], id.as_str());
    assert!(ran.json["error"]["hint"].as_str().unwrap().contains("--yes"));
    assert_eq!(program.run(&["show", &id]).exit, 0);
}

#[test]
fn forgotten_memories_leave_no_bytes() {
    let program = Program::new();
    let text = "My dentist is Dr Quillfeather in Harrowgate Lane";
    let id = program.remember(&[text]);
    program.answer(&["edit", &id, "--content", "My dentist is Dr Quillfeather, new practice"]);
    assert!(program.holds("Quillfeather"));
    let answer = program.answer(&["forget", &id, "--yes"]);
    assert_eq!(answer["forgotten"], json!([id]));
    assert_eq!(
        (answer["receipt"]["residual_bytes"].as_u64(), answer["receipt"]["state"].as_str()),
        (Some(0), Some("purged"))
    );
    for field in ["rows", "vectors", "terms", "derived"] {
        assert!(answer["receipt"][field].is_u64(), "{field}: {answer}");
    }
    for word in ["Quillfeather", "quillfeather", "Harrowgate"] {
        assert!(!program.holds(word), "{word}");
    }
    assert_eq!(program.run(&["forget", &id, "--yes"]).exit, 6);
}

#[test]
fn one_unknown_id_and_nothing_is_erased() {
    let program = Program::new();
    let id = program.remember(&["备用钥匙在花盆下面"]);
    let ran = program.run(&["forget", &id, "0190b6f0-0000-7000-8000-000000000000", "--yes"]);
    assert_eq!(ran.exit, 6);
    assert_eq!(program.run(&["show", &id]).exit, 0);
}

#[test]
fn what_matches_a_query_is_erased_and_nothing_is_an_answer() {
    let program = Program::new();
    let id = program.remember(&["I collect antique barometers"]);
    let kept = program.remember(&["My bicycle is green"]);
    let answer = program.answer(&["forget", "--query", "antique barometers", "--yes"]);
    assert_eq!(answer["forgotten"], json!([id]));
    assert_eq!(program.run(&["show", &kept]).exit, 0);
    let nothing = program.answer(&["forget", "--query", "antique barometers", "--yes"]);
    assert_eq!(nothing["forgotten"], json!([]));
}

#[test]
fn a_session_goes_with_all_that_comes_from_it() {
    let program = Program::new();
    let line = json!({ "session": "s9", "role": "user", "content": "I live in Trondheim." }).to_string();
    program.run_with_stdin(&["ingest", "-"], &line);
    assert!(program.holds("Trondheim"));
    let answer = program.answer(&["forget", "--session", "s9", "--yes"]);
    assert!(!answer["forgotten"].as_array().unwrap().is_empty(), "{answer}");
    assert!(!program.holds("Trondheim"));
}

#[test]
fn the_session_of_the_environment_is_no_target() {
    let program = Program::new().with_variable("MEMCORE_SESSION", "s9");
    assert_eq!(program.run(&["forget", "--yes"]).exit, 2);
}

#[test]
fn everything_of_one_user_goes_and_nobody_elses() {
    let program = Program::new();
    program.remember(&["The allotment is number 14", "--user", "ines"]);
    program.remember(&["The allotment has a shed", "--user", "ines", "--project", "garden"]);
    let other = program.remember(&["The allotment is number 15", "--user", "joao"]);
    assert_eq!(program.run(&["forget", "--all", "--user", "ines"]).kind(), "confirmation_needed");
    assert_eq!(program.run(&["forget", "--all", "--user", "ines", "--project", "garden", "--yes"]).exit, 2);
    let answer = program.answer(&["forget", "--all", "--user", "ines", "--yes"]);
    assert_eq!(answer["forgotten"].as_array().unwrap().len(), 2, "{answer}");
    assert_eq!(program.run(&["show", &other, "--user", "joao"]).exit, 0);
}

#[test]
fn the_memories_of_a_source_are_erased() {
    let program = Program::new();
    let id = program.remember(&["The spare fuse is in the drawer"]);
    assert_eq!(program.answer(&["forget", "--source", "tool", "--yes"])["forgotten"], json!([]));
    assert_eq!(program.answer(&["forget", "--source", "api", "--yes"])["forgotten"], json!([id]));
}
