//! What goes wrong, and how it is said.

use std::{fs, io::Read, os::unix::fs::PermissionsExt, process::Stdio};

use crate::program::{Program, ran};

#[test]
fn mistakes_on_the_command_line_are_json_where_json_was_asked_for() {
    let program = Program::new();
    for words in [
        &["nonsense"][..],
        &["recall"],
        &["recall", "two", "questions"],
        &["remember", "x", "--importance", "0"],
        &["remember", "x", "--slot", "no-attribute"],
        &["remember", ""],
        &["list", "--status", "forgotten"],
        &["recall", "x", "--as-of", "yesterday"],
        &["forget", "--yes"],
    ] {
        let ran = program.run(words);
        assert_eq!(ran.exit, 2, "{words:?} {}", ran.json);
        for field in ["kind", "message", "hint"] {
            assert!(ran.json["error"][field].is_string(), "{words:?} {field}");
        }
    }
    let ran = program.text(&["nonsense"]);
    assert_eq!((ran.exit, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("nonsense"));
}

#[test]
fn a_file_of_another_program_is_left_as_it_was() {
    let program = Program::new();
    let jpeg = [b"\xff\xd8\xff\xe0\x00\x10JFIF\x00".as_slice(), &[7; 4096]].concat();
    let path = program.file("holiday.jpg", &jpeg);
    for command in [&["list"][..], &["remember", "x y z"], &["doctor"]] {
        let words: Vec<&str> = ["--db", path.as_str()].into_iter().chain(command.iter().copied()).collect();
        let ran = program.run(&words);
        assert_eq!(ran.exit, 1, "{}", ran.json);
        if command != ["doctor"] {
            assert_eq!(ran.kind(), "not_a_database");
        }
    }
    assert_eq!(fs::read(program.path("holiday.jpg")).unwrap(), jpeg);
}

#[test]
fn a_database_of_a_newer_version_is_left_alone() {
    let program = Program::new();
    program.remember(&["The kayak is in the shed"]);
    // The schema's version is four bytes at offset 60 of the header (SQLite file format, section 1.3).
    let path = program.path("memory.db");
    let mut bytes = fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&9999_u32.to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    let ran = program.run(&["list"]);
    assert_eq!((ran.exit, ran.kind()), (1, "schema_too_new"), "{}", ran.json);
}

#[test]
fn a_folder_that_cannot_be_made_fails_with_a_hint() {
    let program = Program::new();
    let file = program.file("plain", "a file, no folder");
    let ran = program.run(&["--db", &format!("{file}/memory.db"), "list"]);
    assert_eq!(ran.exit, 1, "{}", ran.json);
    assert!(!ran.json["error"]["hint"].as_str().unwrap().is_empty());
}

#[test]
fn a_database_that_cannot_be_written_is_still_read() {
    let program = Program::new();
    fs::create_dir(program.path("shut")).unwrap();
    let db = program.argument("shut/memory.db");
    program.run(&["--db", &db, "remember", "The tide is highest at noon"]);
    for side in ["", "-wal", "-shm", ".lock"] {
        let path = program.path(&format!("shut/memory.db{side}"));
        if path.exists() {
            fs::set_permissions(path, fs::Permissions::from_mode(0o400)).unwrap();
        }
    }
    fs::set_permissions(program.path("shut"), fs::Permissions::from_mode(0o500)).unwrap();
    let is_root = fs::write(program.path("shut/probe"), "").is_ok();
    let found = program.run(&["--db", &db, "recall", "when is the tide highest"]);
    let refused = program.run(&["--db", &db, "remember", "The tide is lowest at six"]);
    fs::set_permissions(program.path("shut"), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(found.json["hits"].as_array().map(Vec::len), Some(1), "{}", found.json);
    // Permissions do not bind the superuser.
    if !is_root {
        assert_eq!((refused.exit, refused.kind()), (1, "read_only"), "{}", refused.json);
    }
}

#[test]
fn a_reader_who_leaves_early_is_no_panic() {
    let program = Program::new();
    let lines: Vec<String> = (0..400)
        .map(|n| format!(r#"{{"session":"s","role":"user","content":"Please remember that box {n} holds item {n}."}}"#))
        .collect();
    program.run_with_stdin(&["ingest", "-", "--extractor", "verbatim"], &lines.join("\n"));
    let db = program.argument("memory.db");
    for words in [&["--db", &db, "export"][..], &["--db", &db, "list", "--limit", "400"]] {
        let mut child = program.bare(words).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 10]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code().is_some() && !stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn help_and_version_are_answers() {
    let program = Program::new();
    for words in [&["--help"][..], &["--version"], &["recall", "--help"]] {
        let ran = ran(program.bare(words), "");
        assert_eq!(ran.exit, 0);
        assert!(!ran.stdout.is_empty());
    }
}
