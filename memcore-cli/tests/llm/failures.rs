//! Endpoints that fail: what was said is kept, and the failure is seen.

use serde_json::Value;

use crate::server::{KEY, Lockers, contents, expected, program, transcript};

fn check_of<'a>(doctor: &'a Value, name: &str) -> &'a Value {
    doctor["checks"].as_array().unwrap().iter().find(|check| check["check"] == name).unwrap()
}

#[tokio::test]
async fn what_cannot_be_read_now_waits_and_is_read_later() {
    for status in [500, 503, 529, 429, 401, 404] {
        let lockers = Lockers::default();
        let server = lockers.start().await;
        let program = program(&server.uri());
        lockers.fail_with(status);
        let file = program.file("talk.jsonl", transcript(2));
        let ran = program.run(&["ingest", &file]);
        assert!([3, 5].contains(&ran.exit), "{status}: {}", ran.json);
        assert_eq!(ran.json["pending"].as_u64().unwrap() + dead(&program), 2, "{status}: {}", ran.json);
        assert!(!ran.json["errors"].as_array().unwrap().is_empty(), "{status}");
        let shown = program.answer(&["queue"]);
        assert!(shown["jobs"].as_array().unwrap().iter().any(|job| job["last_error"].is_string()), "{shown}");
        assert_eq!(contents(&program), [""; 0]);
        assert!(!format!("{} {}", ran.stdout, ran.stderr).contains(KEY));

        lockers.fail_with(0);
        let answer = read_until_done(&program);
        assert_eq!(contents(&program), expected(2), "{status}: {answer}");
    }
}

fn dead(program: &crate::program::Program) -> u64 {
    program.answer(&["stats"])["dead_letters"].as_u64().unwrap()
}

/// Reads what waits; the pause after a failure is a few seconds.
fn read_until_done(program: &crate::program::Program) -> Value {
    for _ in 0..200 {
        let answer = program.run(&["queue", "--work", "--replay"]).json;
        if answer["pending"].as_u64() == Some(0) {
            return answer;
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    panic!("it is not read after 40 seconds: {}", program.answer(&["queue"]))
}

#[tokio::test]
async fn a_notice_instead_of_an_answer_is_a_failure_with_the_words_kept() {
    const NOTICE: &str = "You have exceeded your current quota, please check your plan.";
    let server = Lockers::saying(NOTICE).start().await;
    let program = program(&server.uri());
    let ran = program.run(&["ingest", &program.file("talk.jsonl", transcript(1))]);
    assert_eq!(ran.exit, 3, "{}", ran.json);
    let job = &program.answer(&["queue"])["jobs"][0];
    assert_eq!(job["attempts"].as_u64(), Some(1), "{job}");
    assert!(job["raw_reply"].as_str().unwrap().contains("exceeded your current quota"), "{job}");
    assert_eq!(program.answer(&["stats"])["usage"][0]["usage"]["calls"].as_u64(), Some(2), "asked once more");
}

#[tokio::test]
async fn doctor_says_whether_the_model_answers() {
    let lockers = Lockers::default();
    let server = lockers.start().await;
    let program = program(&server.uri());
    // Before there is a file as well.
    for _ in 0..2 {
        let doctor = program.answer(&["doctor"]);
        assert_eq!(check_of(&doctor, "extractor")["message"].as_str(), Some("llm: test-model answers"));
        program.remember(&["The gate opens at six."]);
    }
    let doctor = program.answer(&["doctor"]);
    assert_eq!(check_of(&doctor, "extractor")["message"].as_str(), Some("llm: test-model answers"));

    for (status, hint) in [(401, "key"), (503, ""), (404, "")] {
        lockers.fail_with(status);
        let ran = program.run(&["doctor"]);
        let check = check_of(&ran.json, "extractor");
        assert_eq!((ran.exit, check["status"].as_str()), (1, Some("fault")), "{status}: {check}");
        assert!(check["hint"].as_str().unwrap().contains(hint), "{status}: {check}");
    }
    let unset = program.with_variable("MEMCORE_EXTRACT_BASE_URL", "").with_variable("MEMCORE_EXTRACT_API_KEY", "");
    let ran = unset.run(&["doctor"]);
    assert!(check_of(&ran.json, "extractor")["hint"].as_str().unwrap().contains("API_KEY"), "{}", ran.json);
}
