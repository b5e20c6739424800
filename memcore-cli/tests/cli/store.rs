//! `stats`, `verify`, `doctor` and `reindex`.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::Value;

use crate::program::Program;

fn finding<'a>(doctor: &'a Value, check: &str) -> &'a Value {
    doctor["checks"].as_array().unwrap().iter().find(|finding| finding["check"] == check).unwrap()
}

#[test]
fn figures_have_the_fields_that_scripts_read() {
    let program = Program::new();
    let old = program.remember(&["I drive a red van", "--slot", "user.car"]);
    program.remember(&["I drive a blue van", "--slot", "user.car"]);
    program.remember(&["我养了一只鹦鹉", "--user", "other"]);
    let stats = program.answer(&["stats"]);
    for field in [
        "total",
        "active",
        "archived",
        "superseded",
        "quarantined",
        "vectors",
        "pending_jobs",
        "dead_letters",
        "db_bytes",
        "schema",
    ] {
        assert!(stats[field].is_u64(), "{field}: {stats}");
    }
    assert!(
        stats["avg_importance"].is_f64() && stats["avg_access"].is_f64() && stats["embedder"].is_object(),
        "{stats}"
    );
    assert_eq!((stats["total"].as_u64(), stats["superseded"].as_u64()), (Some(3), Some(1)), "{old} {stats}");
    assert_eq!(program.answer(&["stats", "--mine"])["total"], 2);
}

#[test]
fn a_sound_store_passes_and_a_damaged_one_does_not() {
    let program = Program::new();
    program.remember(&["The ferry leaves at quarter past nine"]);
    let sound = program.answer(&["verify"]);
    assert_eq!((sound["sound"].as_bool(), sound["records"].as_u64()), (Some(true), Some(1)));
    let path = program.path("memory.db");
    let mut bytes = fs::read(&path).unwrap();
    let wanted = b"The ferry leaves";
    let mut damaged = false;
    for at in 0..bytes.len() - wanted.len() {
        if &bytes[at..at + wanted.len()] == wanted {
            bytes[at + 4] = b'F';
            damaged = true;
        }
    }
    assert!(damaged, "the words are in the file in plain");
    fs::write(&path, bytes).unwrap();
    let ran = program.run(&["verify"]);
    assert_eq!((ran.exit, ran.json["sound"].as_bool()), (1, Some(false)), "{}", ran.json);
}

#[test]
fn the_doctor_says_what_to_do() {
    let program = Program::new();
    assert_eq!(program.answer(&["doctor"])["sound"], true);
    assert!(!program.path("memory.db").exists(), "looking makes no database");
    program.remember(&["The compost is turned in March"]);
    let well = program.answer(&["doctor"]);
    for check in ["file", "permissions", "schema", "model", "extractor", "queue", "vectors", "erasures"] {
        assert_eq!(finding(&well, check)["status"], "ok", "{check}: {well}");
    }
    fs::set_permissions(program.path("memory.db"), fs::Permissions::from_mode(0o644)).unwrap();
    let open = program.answer(&["doctor"]);
    assert_eq!(finding(&open, "permissions")["status"], "warning");
    assert!(finding(&open, "permissions")["hint"].as_str().unwrap().contains("chmod 600"));
}

#[test]
fn new_files_are_only_the_owners() {
    let program = Program::new();
    let db = program.argument("data/memcore/memory.db");
    program.run(&["--db", &db, "remember", "The hinge squeaks"]);
    let mode = |name: &str| fs::metadata(program.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("data/memcore/memory.db"), mode("data/memcore")), (0o600, 0o700));
    assert_eq!((mode("state/memcore/memcore.log"), mode("state/memcore")), (0o600, 0o700));
}

#[test]
fn memories_stored_without_vectors_get_them_on_request() {
    let program = Program::new();
    program.remember(&["The orchard has eleven plum trees", "--embedder", "none"]);
    let without = program.answer(&["recall", "how many plum trees are there", "--embedder", "none"]);
    assert_eq!(without["hits"].as_array().unwrap().len(), 1, "{without}");
    assert_eq!(program.answer(&["stats"])["pending_vectors"], 1);
    assert_eq!(finding(&program.answer(&["doctor"]), "vectors")["status"], "warning");
    let done = program.answer(&["reindex"]);
    assert_eq!((done["embedded"].as_u64(), done["pending_vectors"].as_u64()), (Some(1), Some(0)), "{done}");
    assert_eq!(program.run(&["reindex", "--embedder", "none"]).exit, 4);
}
