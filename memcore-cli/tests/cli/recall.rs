//! `remember`, `recall`, `context` and `list`.

use crate::program::Program;

#[test]
fn what_is_remembered_is_found_with_the_signals_that_found_it() {
    let program = Program::new();
    let ran = program.run(&["remember", "The wifi password hint is the name of our first boat", "--kind", "fact"]);
    assert_eq!((ran.exit, ran.json["outcome"].as_str()), (0, Some("added")), "{}", ran.json);
    assert!(ran.json["superseded"].is_array());
    let id = ran.id();

    let answer = program.answer(&["recall", "hint for the wifi password"]);
    assert_eq!(answer["abstained"], false);
    let hit = &answer["hits"][0];
    assert_eq!(hit["id"], id.as_str());
    for part in ["similarity", "text", "importance", "recency"] {
        assert!(hit["parts"][part].is_f64(), "{part}: {hit}");
    }
    for field in ["content", "kind", "level", "status", "trust", "created_at"] {
        assert!(hit[field].is_string(), "{field}: {hit}");
    }
    assert!(hit["score"].is_f64() && hit["confidence"].is_number() && hit["importance"].is_u64());
    assert_eq!(hit["provenance"]["source"], "api");
    assert!(hit["provenance"].as_object().unwrap().contains_key("session"));
}

#[test]
fn finding_nothing_is_an_answer() {
    let program = Program::new();
    program.remember(&["我每周三上午练游泳"]);
    for query in ["", "   ", "which tyres does the lorry need"] {
        let answer = program.answer(&["recall", query]);
        assert_eq!(
            (answer["abstained"].as_bool(), answer["hits"].as_array().unwrap().len()),
            (Some(true), 0),
            "{answer}"
        );
    }
}

#[test]
fn a_question_may_begin_with_a_hyphen_behind_two() {
    let program = Program::new();
    program.remember(&["--", "-40 degrees is where both scales meet"]);
    let answer = program.answer(&["recall", "--", "-40 degrees, which scales meet?"]);
    assert_eq!(answer["hits"].as_array().unwrap().len(), 1, "{answer}");
}

#[test]
fn recall_takes_a_limit_statuses_kinds_and_a_moment() {
    let program = Program::new();
    let first = program.remember(&["I drink oolong tea in the morning", "--kind", "preference"]);
    program.remember(&["I drink black tea in the evening", "--kind", "habit"]);
    assert_eq!(program.answer(&["recall", "what tea do I drink", "-k", "1"])["hits"].as_array().unwrap().len(), 1);
    let habits = program.answer(&["recall", "what tea do I drink", "--kind", "habit", "--explain"]);
    assert_eq!(habits["hits"][0]["kind"], "habit");
    assert!(habits["hits"][0]["why"].is_string());
    program.answer(&["archive", &first]);
    let active = program.answer(&["recall", "oolong in the morning"]);
    assert!(active["hits"].as_array().unwrap().iter().all(|hit| hit["id"] != first.as_str()), "{active}");
    let every = program.answer(&["recall", "oolong in the morning", "--include", "archived,superseded"]);
    assert_eq!(every["hits"][0]["status"], "archived", "{every}");
    let past = program.answer(&["recall", "oolong in the morning", "--as-of", "2001-01-01"]);
    assert_eq!(past["abstained"], true);
}

#[test]
fn a_newer_answer_in_a_slot_supersedes_the_older_one() {
    let program = Program::new();
    let old = program.remember(&["我住在大连", "--slot", "user.location", "--kind", "profile"]);
    let ran = program.run(&["remember", "我住在青岛", "--slot", "user.location", "--kind", "profile"]);
    assert_eq!(ran.json["outcome"], "superseded", "{}", ran.json);
    assert_eq!(ran.json["superseded"][0], old.as_str());
    let all = program.answer(&["list", "--all"]);
    let gone = all["memories"].as_array().unwrap().iter().find(|memory| memory["id"] == old.as_str()).unwrap();
    assert_eq!(
        (gone["status"].as_str(), gone["superseded_by"].as_str()),
        (Some("superseded"), Some(ran.id().as_str()))
    );
}

#[test]
fn a_secret_does_not_reach_the_store() {
    let program = Program::new();
    let secret = "sk-proj-Zq8Jt2vLx0Rb5Nf7Hc3Wm9Kd1Yp6Ga4";
    let ran = program.run(&["remember", &format!("my OpenAI key is {secret}")]);
    assert_eq!(ran.exit, 0, "{}", ran.json);
    assert!(!program.holds(secret));
}

#[test]
fn context_is_a_fenced_block_or_nothing() {
    let program = Program::new();
    let empty = program.answer(&["context", "hello there"]);
    assert_eq!(
        (empty["core"].as_str(), empty["recalled"].as_str(), empty["tokens"].as_u64()),
        (Some(""), Some(""), Some(0))
    );
    let id = program.remember(&["Never deploy on Fridays", "--kind", "constraint", "--importance", "8"]);
    let full = program.answer(&["context", "shall we deploy this on Friday?"]);
    let block = format!("{}{}", full["core"].as_str().unwrap(), full["recalled"].as_str().unwrap());
    assert!(block.contains("Fridays") && block.starts_with("<memory"), "{block}");
    assert!(full["injected"].as_array().unwrap().iter().any(|injected| *injected == id.as_str()));
    assert!(full["omitted"].is_array());
    let none =
        program.answer(&["context", "shall we deploy this on Friday?", "--budget", "0", "--placement", "system"]);
    assert_eq!(none["tokens"], 0);
}

#[test]
fn a_list_has_pages_orders_and_every_field_of_a_record() {
    let program = Program::new();
    for (text, importance) in
        [("The lease ends in June", "3"), ("The cat is called Miso", "9"), ("周五交季度报告", "5")]
    {
        program.remember(&[text, "--kind", "fact", "--importance", importance, "--tag", "home"]);
    }
    let page = program.answer(&["list", "--limit", "2", "--sort", "importance"]);
    assert_eq!(page["memories"][0]["importance"], 9);
    let rest =
        program.answer(&["list", "--limit", "2", "--sort", "importance", "--cursor", page["next"].as_str().unwrap()]);
    assert_eq!(rest["memories"].as_array().unwrap().len(), 1);
    assert!(rest.get("next").is_none());
    let memory = &rest["memories"][0];
    for field in [
        "id",
        "content",
        "kind",
        "level",
        "status",
        "importance",
        "confidence",
        "trust",
        "tags",
        "pinned",
        "evidence_count",
        "access_count",
        "created_at",
        "updated_at",
        "valid_from",
        "provenance",
    ] {
        assert!(memory.get(field).is_some(), "{field}: {memory}");
    }
    let oldest = program.answer(&["list", "--sort", "oldest"]);
    assert_eq!(oldest["memories"][0]["content"], "The lease ends in June");
    assert_eq!(program.run(&["list", "--cursor", "nonsense"]).exit, 2);
}

#[test]
fn an_access_is_counted_unless_it_is_only_a_look() {
    let program = Program::new();
    let id = program.remember(&["The boiler was serviced by Halvorsen"]);
    program.answer(&["recall", "who serviced the boiler", "--no-touch"]);
    assert_eq!(program.answer(&["show", &id])["access_count"], 0);
    program.answer(&["recall", "who serviced the boiler"]);
    assert_eq!(program.answer(&["show", &id])["access_count"], 1);
}
