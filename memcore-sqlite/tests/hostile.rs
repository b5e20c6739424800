//! Files that are not what they should be, places that cannot be written, disks that are full: each a typed error,
//! and nothing lost.
#![allow(clippy::unwrap_used, reason = "a failed expectation of a test is a panic")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use memcore_core::{
    Change, ChangeReason, ErrorKind, Forget, MemoryRecord, MemoryStore, PurgeState, RecordFilter, Scope, TextQuery,
    text::query_terms,
};
use memcore_sqlite::SqliteStore;
use memcore_testkit::{Lcg, Writer, sample};
use rusqlite::Connection;
use tempfile::TempDir;

const JPEG: &[u8] = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x48\x00\x48\x00\x00\xff\xdb\x00\x43\x00";

fn ada() -> Scope {
    sample::user_scope("ada")
}

/// A store with `count` memories, closed again.
async fn with_memories(folder: &TempDir, count: u64) -> (PathBuf, Vec<MemoryRecord>) {
    let path = folder.path().join("memory.db");
    let store = Arc::new(SqliteStore::open(&path).await.unwrap());
    let records: Vec<_> = (1..=count)
        .map(|n| sample::record(n, &ada(), &format!("note {n}: the harbour lamp is green, 港口的灯是绿色的")))
        .collect();
    Writer::new(store).insert_all(&records).await;
    (path, records)
}

async fn assert_refused(path: &Path, expected: ErrorKind) {
    let error = SqliteStore::open(path).await.unwrap_err();
    assert_eq!(error.kind(), expected, "{error:?}");
    assert!(error.hint().is_some(), "says what to do: {error:?}");
}

/// Opening answers `NotADatabase`, and neither the file nor its folder is another one afterwards.
async fn assert_untouched(path: &Path) {
    let listing = |folder: &Path| {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let (before, names) = (fs::read(path).unwrap(), listing(path.parent().unwrap()));
    assert_refused(path, ErrorKind::NotADatabase).await;
    assert!(fs::read(path).unwrap() == before, "{}", path.display());
    assert_eq!(listing(path.parent().unwrap()), names);
}

#[tokio::test]
async fn a_file_of_another_kind_is_refused_and_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcg = Lcg::new(5);
    let mut noise = |length: usize| (0..length).map(|_| u8::try_from(lcg.below(256)).unwrap()).collect::<Vec<u8>>();
    let mut files = vec![JPEG.to_vec(), [JPEG, &noise(20_000)].concat(), b"hello".to_vec(), b"{}\n".repeat(5_000)];
    files.extend([noise(1), noise(100), noise(8_192), vec![0; 4_096], b"SQLite format 3\0".to_vec()]);
    for (n, bytes) in files.iter().enumerate() {
        let path = folder.path().join(format!("{n}.db"));
        fs::write(&path, bytes).unwrap();
        assert_untouched(&path).await;
    }
}

#[tokio::test]
async fn a_database_of_another_program_is_refused_and_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    for (name, script) in [
        ("plain", "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')"),
        ("wal", "PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)"),
        ("marked", "PRAGMA application_id = 252006674; CREATE TABLE notes (text TEXT)"),
        ("versioned", "PRAGMA user_version = 3; VACUUM"),
    ] {
        let path = folder.path().join(name);
        Connection::open(&path).unwrap().execute_batch(script).unwrap();
        assert_untouched(&path).await;
    }
}

#[tokio::test]
async fn what_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert_refused(folder.path(), ErrorKind::NotADatabase).await;
    for path in ["", ":memory:"] {
        assert_refused(Path::new(path), ErrorKind::InvalidInput).await;
    }
    fs::write(folder.path().join("file"), "x").unwrap();
    let below_a_file = SqliteStore::open(folder.path().join("file/memory.db")).await.unwrap_err();
    assert_eq!(below_a_file.kind(), ErrorKind::Io, "{below_a_file:?}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero")).unwrap();
        assert_refused(&folder.path().join("zero"), ErrorKind::NotADatabase).await;
    }
}

#[tokio::test]
async fn a_name_that_looks_like_a_uri_is_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file:x%20y?mode=memory&q#z 数据.db");
    SqliteStore::open(&path).await.unwrap();
    SqliteStore::builder(&path).read_only().build().await.unwrap();
    assert!(path.is_file());
}

#[tokio::test]
async fn a_newer_schema_is_refused_and_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = with_memories(&folder, 3).await;
    let newer = Connection::open(&path).unwrap();
    newer.execute_batch("PRAGMA user_version = 4711; CREATE TABLE from_the_future (x)").unwrap();
    // Once while the change is only in the log, once when it is in the file.
    for _ in 0..2 {
        let files = || ["", "-wal"].map(|end| fs::read(format!("{}{end}", path.display())).unwrap_or_default());
        let before = files();
        let error = SqliteStore::open(&path).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SchemaTooNew);
        assert!(error.to_string().contains("4711") && error.hint().is_some(), "{error:?}");
        assert!(files() == before, "not a byte was changed");
        newer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    }
}

#[tokio::test]
async fn a_schema_with_foreign_triggers_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = with_memories(&folder, 3).await;
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TRIGGER spy AFTER INSERT ON records BEGIN DELETE FROM messages; END").unwrap();
    drop(connection);
    assert_refused(&path, ErrorKind::Corrupt).await;
}

#[tokio::test]
async fn an_empty_file_becomes_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    fs::write(&path, "").unwrap();
    let store = SqliteStore::open(&path).await.unwrap();
    assert_eq!(store.stats(None).await.unwrap().total, 0);
}

#[tokio::test]
async fn a_full_disk_refuses_writes_and_keeps_the_rest_usable() {
    let folder = tempfile::tempdir().unwrap();
    let (path, records) = with_memories(&folder, 50).await;
    let store = Arc::new(SqliteStore::builder(&path).max_pages(64).build().await.unwrap());
    let writer = Writer::new(store.clone());
    let mut stored = 50;
    let error = loop {
        let long = "a long tale about the sea ".repeat(400);
        let record = sample::record(stored + 1, &ada(), &long);
        let change = Change::Insert { record: Box::new(record), vectors: None, reason: ChangeReason::Added };
        match writer.change("ada", change).await {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), ErrorKind::StorageFull);
    assert!(error.hint().is_some());
    assert_eq!(store.stats(None).await.unwrap().total, stored);
    assert_eq!(store.get(&ada(), &[records[0].id]).await.unwrap(), [records[0].clone()]);
    assert!(store.verify().await.unwrap().is_sound());
    let receipt = store.forget(&ada(), &Forget::records(vec![sample::memory_id(51)], vec![])).await.unwrap();
    assert_eq!(receipt.purge, PurgeState::Purged);
    writer.insert(&sample::record(5_000, &ada(), "there is room again")).await;
}

#[tokio::test]
async fn read_only_reads_and_refuses_writes() {
    let folder = tempfile::tempdir().unwrap();
    let (path, records) = with_memories(&folder, 3).await;
    let before = fs::read(&path).unwrap();
    let store = Arc::new(SqliteStore::builder(&path).read_only().build().await.unwrap());
    assert!(store.is_read_only());
    assert_eq!(store.get(&ada(), &[records[0].id]).await.unwrap(), [records[0].clone()]);
    let query = TextQuery::new(query_terms("港口"), RecordFilter::new(ada()), 10);
    assert_eq!(store.search_text(&query).await.unwrap().hits.len(), 3);
    let change = Change::Touch { ids: vec![records[0].id], at: sample::at(1) };
    let error = Writer::new(store.clone()).change("ada", change).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ReadOnly);
    assert!(error.hint().is_some());
    assert_eq!(store.forget(&ada(), &Forget::everything()).await.unwrap_err().kind(), ErrorKind::ReadOnly);
    assert!(fs::read(&path).unwrap() == before);
    let missing = SqliteStore::builder(folder.path().join("none.db")).read_only().build().await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Io);
    assert!(!folder.path().join("none.db").exists());
}

#[tokio::test]
async fn a_lock_that_is_held_too_long_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = with_memories(&folder, 1).await;
    let store = Arc::new(SqliteStore::builder(&path).busy_limit(Duration::ZERO).build().await.unwrap());
    let writer = Writer::new(store.clone());
    let touch = || Change::Touch { ids: vec![sample::memory_id(1)], at: sample::at(1) };
    // By one of us, who stands in the queue of the side file; and by another program, which does not know it.
    let side_file = fs::File::open(format!("{}.lock", path.display())).unwrap();
    side_file.lock().unwrap();
    let error = writer.change("ada", touch()).await.unwrap_err();
    assert_eq!((error.kind(), error.kind().is_retryable()), (ErrorKind::Busy, true));
    drop(side_file);
    let foreign = Connection::open(&path).unwrap();
    foreign.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(writer.change("ada", touch()).await.unwrap_err().kind(), ErrorKind::Busy);
    foreign.execute_batch("COMMIT").unwrap();
    let patient = Arc::new(SqliteStore::open(&path).await.unwrap());
    Writer::new(patient).change("ada", touch()).await.unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_was_replaced_while_open_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = with_memories(&folder, 1).await;
    let store = Arc::new(SqliteStore::open(&path).await.unwrap());
    fs::rename(&path, folder.path().join("moved.db")).unwrap();
    let change = Change::Touch { ids: vec![sample::memory_id(1)], at: sample::at(1) };
    let error = Writer::new(store).change("ada", change).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io, "{error:?}");
}

#[tokio::test]
async fn flipped_bytes_are_an_error_or_a_fault_never_a_panic_or_another_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (path, records) = with_memories(&folder, 60).await;
    let whole = fs::read(&path).unwrap();
    let mut lcg = Lcg::new(77);
    let (mut refused, mut reported) = (0, 0);
    for round in 0..60 {
        let mut bytes = whole.clone();
        if round % 6 == 5 {
            bytes.truncate(usize::try_from(lcg.below(whole.len() as u64)).unwrap());
        } else {
            for _ in 0..8 {
                let at = usize::try_from(lcg.below(whole.len() as u64)).unwrap();
                bytes[at] ^= u8::try_from(1 + lcg.below(255)).unwrap();
            }
        }
        let copy = folder.path().join(format!("{round}.db"));
        fs::write(&copy, bytes).unwrap();
        let Ok(store) = SqliteStore::open(&copy).await else {
            refused += 1;
            continue;
        };
        let is_sound = store.verify().await.is_ok_and(|report| report.is_sound());
        reported += u32::from(!is_sound);
        let ids: Vec<_> = records.iter().map(|record| record.id).collect();
        let read = store.get(&ada(), &ids).await;
        if is_sound {
            assert_eq!(read.unwrap(), records, "round {round}");
        }
        let query = TextQuery::new(query_terms("harbour 港口"), RecordFilter::new(ada()), 10);
        let _ = store.search_text(&query).await;
        let _ = store.forget(&ada(), &Forget::records(ids, vec![])).await;
    }
    assert!(refused > 0 && reported > 0, "{refused} refused, {reported} reported");
}
