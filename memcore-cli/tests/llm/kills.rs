//! A program that is killed between the model's reply and the commit.

use std::{
    process::Child,
    time::{Duration, Instant},
};

use crate::{
    program::Program,
    server::{Lockers, contents, expected, program, transcript},
};

/// `MEMCORE_KILLS=200` is the long form.
fn kills_wanted() -> u64 {
    std::env::var("MEMCORE_KILLS").ok().map_or(6, |kills| kills.parse().unwrap())
}

/// Starts to read what waits, and kills it soon after a reply was sent; answers whether it was still alive.
fn killed_after_a_reply(program: &Program, lockers: &Lockers, delay: Duration) -> bool {
    let db = program.argument("memory.db");
    let config = program.argument("config.toml");
    let before = lockers.replies();
    let mut child: Child = program.bare(&["--db", &db, "--config", &config, "queue", "--work"]).spawn().unwrap();
    let started = Instant::now();
    while lockers.replies() == before {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "it does not ask");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(delay);
    let is_alive = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    is_alive
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_between_reply_and_commit_neither_loses_nor_doubles_a_memory() {
    let (lockers, wanted) = (Lockers::default(), kills_wanted());
    let server = lockers.start().await;
    let program = program(&server.uri());
    // What a killed process was reading is free a second later.
    let config = program.file("config.toml", "[capture]\nlease_seconds = 1\n");
    let conversations = 4 * wanted + 8;
    let file = program.file("talk.jsonl", transcript(conversations));
    // Everything is acknowledged before anything is read.
    lockers.fail_with(503);
    assert_eq!(program.run(&["--config", &config, "ingest", &file]).json["pending"].as_u64(), Some(conversations));
    lockers.fail_with(0);

    let mut kills = 0;
    for round in 0..100 * wanted {
        if kills == wanted || program.answer(&["stats"])["pending_jobs"].as_u64() == Some(0) {
            break;
        }
        // From at once to when everything is surely committed.
        let delay = Duration::from_micros(round * 7_919 % 30_000);
        if killed_after_a_reply(&program, &lockers, delay) {
            kills += 1;
        } else {
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    assert_eq!(kills, wanted, "killed while it was reading");
    let deadline = Instant::now() + Duration::from_secs(120);
    while program.run(&["--config", &config, "queue", "--work"]).json["pending"].as_u64() != Some(0) {
        assert!(Instant::now() < deadline, "{}", program.answer(&["queue"]));
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(contents(&program), expected(conversations));
    assert_eq!(program.answer(&["stats"])["dead_letters"].as_u64(), Some(0));
    program.answer(&["verify"]);
    println!("{kills} kills, {} replies for {conversations} conversations", lockers.replies());
}
