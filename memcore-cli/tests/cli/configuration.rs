//! Flags over environment over configuration file over defaults.

use std::fs;

use serde_json::Value;

use crate::program::{Program, ran};

fn user_of(program: &Program, words: &[&str]) -> String {
    let all: Vec<&str> = ["--json", "export"].into_iter().chain(words.iter().copied()).collect();
    let ran = ran(program.bare(&all), "");
    assert_eq!(ran.exit, 0, "{} {}", ran.stdout, ran.stderr);
    let header: Value = serde_json::from_str(ran.stdout.lines().next().unwrap()).unwrap();
    header["user"].as_str().unwrap().to_owned()
}

#[test]
fn a_flag_beats_the_environment_which_beats_the_file_which_beats_the_default() {
    let program = Program::new();
    // The login name differs from machine to machine.
    let login = user_of(&program, &[]);
    assert!(!login.is_empty() && login != "of-file", "{login}");
    let file = program.file("config.toml", "user = \"of-file\"\n");
    assert_eq!(user_of(&program, &["--config", &file]), "of-file");
    let program = program.with_variable("MEMCORE_USER", "of-environment").with_variable("MEMCORE_CONFIG", &file);
    assert_eq!(user_of(&program, &[]), "of-environment");
    assert_eq!(user_of(&program, &["-u", "of-flag"]), "of-flag");
    let program = program.with_variable("MEMCORE_USER", "");
    assert_eq!(user_of(&program, &[]), "of-file");
}

#[test]
fn the_usual_places_are_those_of_the_desktop() {
    let program = Program::new();
    fs::create_dir_all(program.path("config/memcore")).unwrap();
    program.file("config/memcore/config.toml", "user = \"from-home\"\n[recall]\nsearch_results = 1\n");
    assert_eq!(user_of(&program, &[]), "from-home");
    assert!(program.path("data/memcore/memory.db").exists());
    let log = fs::read_to_string(program.path("state/memcore/memcore.log")).unwrap();
    assert!(log.contains(" export exit=0"), "{log}");
}

#[test]
fn mistakes_in_the_file_are_named_with_file_and_line() {
    let program = Program::new();
    for (text, line) in [("user = \"a\"\nembeder = \"none\"\n", 2), ("user = \n", 1), ("\n\nuser = 7\n", 3)] {
        let file = program.file("config.toml", text);
        let ran = program.run(&["--config", &file, "list"]);
        assert_eq!((ran.exit, ran.kind()), (4, "configuration"), "{text}");
        let message = ran.json["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("config.toml:{line}:")), "{message}");
    }
    assert_eq!(program.run(&["--config", &program.argument("nowhere.toml"), "list"]).exit, 4);
}

#[test]
fn what_this_build_or_version_lacks_is_said() {
    let program = Program::new();
    let mut refused = vec![
        (vec!["--db", "postgres://localhost/memory", "list"], 4),
        (vec!["import", "x.json", "--from", "chatgpt"], 2),
        (vec!["maintain"], 2),
        (vec!["chat", "--dry"], 2),
        (vec!["backup", "file"], 2),
    ];
    if !cfg!(feature = "candle") {
        refused.push((vec!["--embedder", "minilm", "list"], 4));
        refused.push((vec!["--embedder", "./model", "list"], 4));
    }
    if !cfg!(feature = "llm") {
        refused.push((vec!["--extractor", "llm", "ingest", "-"], 4));
    }
    for (words, exit) in refused {
        let ran = program.run(&words);
        assert_eq!((ran.exit, ran.kind()), (exit, "unsupported"), "{words:?} {}", ran.json);
    }
    let ran = program.run(&["--embedder", "nonsense", "list"]);
    assert_eq!((ran.exit, ran.kind()), (4, "configuration"));
    let help = program.text(&["--help"]).stdout;
    assert!(help.contains("remember") && !help.contains("maintain") && !help.contains("panel"), "{help}");
}

#[test]
fn bad_ids_are_usage_by_flag_and_configuration_elsewhere() {
    let program = Program::new();
    assert_eq!(program.run(&["--user", "", "list"]).exit, 2);
    assert_eq!(program.run(&["--project", "a\nb", "list"]).exit, 2);
    let program = program.with_variable("MEMCORE_PROJECT", "a\nb");
    assert_eq!(program.run(&["list"]).exit, 4);
}

#[test]
fn colours_are_for_terminals_or_on_request() {
    let program = Program::new();
    program.remember(&["The lighthouse is white"]);
    assert!(!program.text(&["list"]).stdout.contains('\u{1b}'));
    assert!(program.text(&["list", "--color", "always"]).stdout.contains('\u{1b}'));
}

#[test]
fn the_log_holds_no_memory() {
    let program = Program::new();
    program.remember(&["The password of the vault is a poem by Rilke"]);
    program.run(&["recall", "vault poem by Rilke"]);
    program.run(&["recall", "vault", "poem by Rilke"]);
    let log = fs::read_to_string(program.path("state/memcore/memcore.log")).unwrap();
    assert!(!log.contains("Rilke") && !log.contains("vault"), "{log}");
}
