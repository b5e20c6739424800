//! Several processes on one file, and processes that are killed.
//!
//! The test program starts itself again as a writer: the test `writer_process` does nothing unless it is told to by
//! environment variables.
#![allow(clippy::unwrap_used, reason = "a failed expectation of a test is a panic")]

use std::{
    collections::HashSet,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use memcore_core::{
    Change, ChangeReason, Embedding, Fingerprint, ListRequest, MemoryId, MemoryRecord, MemoryStore, RecordFilter,
    Status, TextEmbedding, VectorStore,
};
use memcore_sqlite::SqliteStore;
use memcore_testkit::{Lcg, Writer, sample};

const DATABASE: &str = "MEMCORE_SQLITE_TEST_DATABASE";
const FIRST: &str = "MEMCORE_SQLITE_TEST_FIRST";
const WRITES: &str = "MEMCORE_SQLITE_TEST_WRITES";

/// What the other process is: stores memories and prints the number of each when it is acknowledged.
#[tokio::test]
async fn writer_process() {
    let Ok(database) = std::env::var(DATABASE) else { return };
    let number = |name: &str| std::env::var(name).unwrap().parse::<u64>().unwrap();
    let store = Arc::new(SqliteStore::open(database).await.unwrap());
    let writer = Writer::new(store.clone());
    let scope = sample::user_scope(&format!("user {}", number(FIRST) % 3));
    for n in number(FIRST)..number(FIRST) + number(WRITES) {
        let (record, change) = insertion(n, &scope);
        writer.change(scope.user_id().as_str(), change).await.unwrap();
        // An update and a forgotten record now and then, so that a kill meets those as well. What is acknowledged
        // here is an active record; every fifth one is archived before.
        if n % 5 == 0 {
            let mut archived = record.clone();
            archived.status = Status::Archived;
            writer.update(&archived, ChangeReason::Archived).await;
        }
        if n % 7 == 0 {
            store.forget(&scope, &memcore_core::Forget::records(vec![record.id], vec![])).await.unwrap();
        } else {
            let mut out = std::io::stdout().lock();
            writeln!(out, "stored {n}").unwrap();
            out.flush().unwrap();
        }
    }
}

fn identity() -> Fingerprint {
    sample::fingerprint("processes")
}

fn insertion(n: u64, scope: &memcore_core::Scope) -> (MemoryRecord, Change) {
    let record = sample::record(n, scope, &format!("memory number{n} of 第{n}个进程"));
    let mut lcg = Lcg::new(n);
    let values: Vec<f32> = (0..64).map(|_| lcg.unit() + 2.0).collect();
    let vectors = Some((identity(), TextEmbedding::single(Embedding::new(values).unwrap())));
    let change = Change::Insert { record: Box::new(record.clone()), vectors, reason: ChangeReason::Added };
    (record, change)
}

fn start_writer(database: &Path, first: u64, writes: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["writer_process", "--exact", "--nocapture"])
        .env(DATABASE, database)
        .env(FIRST, first.to_string())
        .env(WRITES, writes.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The numbers that a writer has acknowledged, up to `enough` of them.
fn acknowledged(child: &mut Child, enough: usize) -> Vec<u64> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let numbers = lines.map_while(Result::ok).filter_map(|line| line.split("stored ").nth(1)?.trim().parse().ok());
    numbers.take(enough).collect()
}

async fn stored(store: &SqliteStore) -> HashSet<MemoryId> {
    let mut all = HashSet::new();
    for user in store.users(None, usize::MAX).await.unwrap() {
        let filter = RecordFilter::new(memcore_core::Scope::of_user(user)).with_all_statuses();
        let page = store.list(&ListRequest::new(filter).with_limit(usize::MAX - 1)).await.unwrap();
        all.extend(page.records.into_iter().map(|record| record.id));
    }
    all
}

async fn assert_sound(store: &SqliteStore) {
    let report = store.verify().await.unwrap();
    assert!(report.is_sound(), "{:?}", report.faults);
    let with_vectors = store.ids(&identity(), None, usize::MAX).await.unwrap();
    assert_eq!(with_vectors.len() as u64, report.records, "each memory has its vector");
}

#[tokio::test]
async fn eight_processes_write_a_hundred_memories_each_without_one_refusal() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("memory.db");
    let writers: Vec<Child> = (0..8).map(|n| start_writer(&database, 1 + n * 1_000, 100)).collect();
    let mut expected = HashSet::new();
    for mut writer in writers {
        let numbers = acknowledged(&mut writer, usize::MAX);
        let output = writer.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        expected.extend(numbers.into_iter().map(sample::memory_id));
    }
    assert!(expected.len() > 8 * 80);
    let store = SqliteStore::open(&database).await.unwrap();
    assert_eq!(stored(&store).await, expected);
    assert_sound(&store).await;
}

#[tokio::test]
async fn a_hundred_kills_lose_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("memory.db");
    let mut lcg = Lcg::new(41);
    let mut expected = HashSet::new();
    for round in 0..100 {
        // After a number of acknowledgements that is drawn, the process is killed wherever it then is; the next one
        // finds what it left behind.
        let mut writer = start_writer(&database, 1 + round * 1_000, 900);
        let numbers = acknowledged(&mut writer, usize::try_from(1 + lcg.below(12)).unwrap());
        writer.kill().unwrap();
        writer.wait().unwrap();
        assert!(!numbers.is_empty(), "round {round}");
        expected.extend(numbers.into_iter().map(sample::memory_id));
        if round % 10 == 9 {
            let store = SqliteStore::open(&database).await.unwrap();
            let found = stored(&store).await;
            let lost: Vec<_> = expected.difference(&found).collect();
            assert!(lost.is_empty(), "round {round}: {lost:?}");
            assert_sound(&store).await;
            assert_eq!(store.stats(None).await.unwrap().pending_purges, 0);
        }
    }
}
