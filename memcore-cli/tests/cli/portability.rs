//! `export` and `import`.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::{Value, json};

use crate::program::Program;

/// A store with two projects, a superseded memory, an edited one, an archived one, and a session.
fn filled() -> Program {
    let program = Program::new();
    program.remember(&["我住在杭州", "--slot", "user.location", "--kind", "profile"]);
    program.remember(&["我住在苏州", "--slot", "user.location", "--kind", "profile"]);
    let edited = program.remember(&["The server room is on floor 2", "--tag", "office"]);
    program.answer(&["edit", &edited, "--content", "The server room is on floor 3"]);
    program.answer(&["pin", &edited]);
    let archived = program.remember(&["The old intranet had a wiki"]);
    program.answer(&["archive", &archived]);
    let lines = ["ledger", "atlas"].map(|project| {
        let content = format!("We decided to use NATS for the {project} service.");
        json!({ "session": format!("talk-{project}"), "project": project, "role": "user", "content": content,
                "at": "2026-05-03T08:00:00.25Z" })
        .to_string()
    });
    assert_eq!(program.run_with_stdin(&["ingest", "-"], &lines.join("\n")).exit, 0);
    program.answer(&["recall", "which floor is the server room on"]);
    program
}

fn export(program: &Program, name: &str, more: &[&str]) -> Vec<String> {
    let out = program.argument(name);
    let words: Vec<&str> = ["export", "--out", out.as_str()].into_iter().chain(more.iter().copied()).collect();
    program.answer(&words);
    fs::read_to_string(&out).unwrap().lines().map(str::to_owned).collect()
}

/// The lines without what differs by nature: when it was exported, and the hash over it.
fn comparable(lines: &[String]) -> Vec<String> {
    let mut lines: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.first_mut().unwrap()["exported_at"] = json!(null);
    lines.last_mut().unwrap()["sha256"] = json!(null);
    lines.iter().map(Value::to_string).collect()
}

#[test]
fn an_export_comes_back_as_it_was() {
    let from = filled();
    let lines = export(&from, "export.jsonl", &["--with-sessions"]);
    for kind in ["header", "session", "message", "memory", "version", "footer"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("{{\"t\":\"{kind}\""))), "{kind}");
    }
    for project in ["ledger", "atlas"] {
        assert!(lines.iter().any(|line| line.contains("NATS") && line.contains(&format!("\"project\":\"{project}\""))));
    }

    let to = Program::new();
    let answer = to.answer(&["import", &from.argument("export.jsonl"), "--from", "memcore"]);
    assert_eq!(answer["added"], answer["memories"], "{answer}");
    assert!(answer["batch"].is_string());
    let again = export(&to, "again.jsonl", &["--with-sessions"]);
    let (before, after) = (comparable(&lines), comparable(&again));
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
    assert_eq!(before.len(), after.len());
    assert_eq!(to.answer(&["verify"])["sound"], true);
    let found = to.answer(&["recall", "which floor is the server room on"]);
    assert!(found["hits"][0]["content"].as_str().unwrap().contains("floor 3"), "{found}");
}

#[test]
fn importing_twice_adds_nothing_and_undo_takes_it_back() {
    let from = filled();
    export(&from, "export.jsonl", &[]);
    let to = Program::new();
    let file = from.argument("export.jsonl");
    let dry = to.answer(&["import", &file, "--dry-run"]);
    assert!(dry["added"].as_u64().unwrap() > 0 && dry["batch"].is_null(), "{dry}");
    assert_eq!(to.answer(&["stats"])["total"], 0);
    let first = to.answer(&["import", &file]);
    let second = to.answer(&["import", &file]);
    assert_eq!(
        (second["added"].as_u64(), second["unchanged"].as_u64()),
        (Some(0), first["added"].as_u64()),
        "{second}"
    );
    to.answer(&["undo", first["batch"].as_str().unwrap()]);
    assert_eq!(to.answer(&["list"])["memories"].as_array().unwrap().len(), 0);
}

#[test]
fn a_known_statement_and_a_newer_answer_are_reconciled() {
    let from = Program::new();
    from.remember(&["The parking spot is number 12"]);
    from.remember(&["I live in Turin", "--slot", "user.location"]);
    let to = Program::new();
    to.remember(&["I live in Genoa", "--slot", "user.location"]);
    export(&from, "export.jsonl", &[]);
    to.remember(&["the parking spot is number 12"]);
    let answer = to.answer(&["import", &from.argument("export.jsonl")]);
    assert_eq!(answer["duplicates"], 1, "{answer}");
    let list = to.answer(&["list"]);
    let current = |text: &str| {
        list["memories"].as_array().unwrap().iter().filter(|of| of["content"].as_str().unwrap().contains(text)).count()
    };
    assert_eq!(current("I live in"), 1, "{list}");
    assert_eq!(current("parking spot"), 1, "{list}");
}

#[test]
fn the_mode_settles_who_wins() {
    let from = Program::new();
    let id = from.remember(&["The router is in the hall"]);
    export(&from, "export.jsonl", &[]);
    let to = Program::new();
    let file = from.argument("export.jsonl");
    to.answer(&["import", &file]);
    to.answer(&["edit", &id, "--content", "The router is in the attic"]);
    for (mode, counted, content) in [
        ("skip", "skipped", "The router is in the attic"),
        ("merge", "skipped", "The router is in the attic"),
        ("replace", "updated", "The router is in the hall"),
    ] {
        assert_eq!(to.answer(&["import", &file, "--mode", mode])[counted], 1, "{mode}");
        assert_eq!(to.answer(&["show", &id])["content"], content, "{mode}");
    }
}

#[test]
fn another_users_export_becomes_memories_of_ones_own() {
    let program = Program::new();
    let id = program.remember(&["The sourdough starter is called Bruno", "--user", "ada"]);
    export(&program, "export.jsonl", &["--user", "ada"]);
    let file = program.argument("export.jsonl");
    assert_eq!(program.answer(&["import", &file, "--user", "ben"])["added"], 1);
    assert_eq!(program.answer(&["import", &file, "--user", "ben"])["added"], 0);
    let list = program.answer(&["list", "--user", "ben"]);
    assert_ne!(list["memories"][0]["id"], id.as_str());
    assert_eq!(program.run(&["show", &id, "--user", "ada"]).exit, 0);
}

#[test]
fn a_file_that_is_cut_off_edited_or_no_export_is_refused_whole() {
    let from = filled();
    let lines = export(&from, "export.jsonl", &[]);
    let to = Program::new();
    let cut = lines[..lines.len() - 1].join("\n");
    let edited = format!("{}\n", lines.join("\n")).replace("floor 3", "floor 9");
    let newer = format!("{}\n", lines.join("\n")).replacen("\"version\":1", "\"version\":2", 1);
    for (name, content, kind) in [
        ("cut", cut.as_str(), "invalid_input"),
        ("edited", edited.as_str(), "invalid_input"),
        ("newer", newer.as_str(), "schema_too_new"),
    ] {
        let ran = to.run(&["import", &to.file(name, content)]);
        assert_eq!((ran.exit, ran.kind()), (1, kind), "{name}");
    }
    let ran = to.run(&["import", &to.file("other", "# notes\n")]);
    assert_eq!((ran.exit, ran.kind()), (2, "unsupported"));
    let ran = to.run(&["import", &to.file("other", "# notes\n"), "--from", "memcore"]);
    assert_eq!((ran.exit, ran.kind()), (1, "invalid_input"));
    assert_eq!(to.run(&["import", &to.argument("nowhere")]).exit, 1);
    assert_eq!(to.answer(&["stats"])["total"], 0);
}

#[test]
fn other_formats_hold_what_is_in_force() {
    let program = filled();
    let list = export(&program, "mem0.json", &["--format", "mem0"]).join("\n");
    let list: Value = serde_json::from_str(&list).unwrap();
    let entry = &list.as_array().unwrap()[0];
    assert!(entry["id"].is_string() && entry["memory"].is_string() && entry["user_id"].is_string(), "{entry}");
    let markdown = export(&program, "notes.md", &["--format", "md"]).join("\n");
    assert!(markdown.contains("## Identity") && markdown.contains("我住在苏州"), "{markdown}");
    assert!(!markdown.contains("我住在杭州") && !markdown.contains("intranet"), "{markdown}");
}

#[test]
fn files_are_only_the_owners_and_stdout_is_the_export_alone() {
    let program = filled();
    export(&program, "export.jsonl", &[]);
    assert_eq!(fs::metadata(program.path("export.jsonl")).unwrap().permissions().mode() & 0o777, 0o600);
    let ran = program.text(&["export"]);
    assert_eq!(ran.exit, 0);
    assert!(ran.stdout.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    assert_eq!(program.run(&["export", "--with-vectors"]).kind(), "unsupported");
    assert_eq!(program.run(&["export", "--format", "md"]).exit, 2);
}

#[test]
fn memories_of_a_project_without_a_session_are_missed_aloud() {
    let program = Program::new();
    program.remember(&["The build takes nine minutes", "--project", "atlas", "--kind", "project_state"]);
    let ran = program.run(&["export", "--out", &program.argument("out")]);
    assert_eq!((ran.exit, ran.json["unreached"].as_u64()), (3, Some(1)), "{}", ran.json);
    let ran = program.run(&["export", "--out", &program.argument("out"), "--project", "atlas"]);
    assert_eq!((ran.exit, ran.json["memories"].as_u64()), (0, Some(1)), "{}", ran.json);
}
