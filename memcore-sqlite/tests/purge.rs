//! What was forgotten is found nowhere: not in the file, not in its log, whatever the layout of the pages.
#![allow(clippy::unwrap_used, reason = "a failed expectation of a test is a panic")]

use std::{collections::HashSet, path::Path, sync::Arc};

use memcore_core::{
    Change, ChangeReason, ContentBlock, Embedding, EmbeddingIdentity, Forget, MemoryRecord, MemoryStore, PurgeState,
    Quote, RejectedEntry, Rejection, RejectionReason, Scope, SessionInfo, TextEmbedding,
};
use memcore_sqlite::SqliteStore;
use memcore_testkit::{Lcg, Writer, sample};
use rusqlite::Connection;

const DIMENSIONS: usize = 96;

/// A text that no other text shares eight bytes with: made of rare characters drawn at random.
fn unique_text(lcg: &mut Lcg, length: u64) -> String {
    (0..length).map(|_| char::from_u32(0x4e00 + u32::try_from(lcg.below(20_000)).unwrap()).unwrap()).collect()
}

fn unique_vector(lcg: &mut Lcg) -> TextEmbedding {
    let values: Vec<f32> = (0..DIMENSIONS).map(|_| lcg.unit() + lcg.unit() * 1e-4).collect();
    TextEmbedding::single(Embedding::new(values).unwrap())
}

fn vector_bytes(vectors: &TextEmbedding) -> Vec<u8> {
    vectors.chunks().iter().flat_map(|chunk| chunk.as_slice()).flat_map(|value| value.to_le_bytes()).collect()
}

/// Every form in which a text could have been written.
fn forms(text: &str) -> Vec<Vec<u8>> {
    vec![
        text.as_bytes().to_vec(),
        text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    ]
}

/// Every eight bytes in a row of needles; the table tells most other bytes apart by their first two.
struct Shingles {
    all: HashSet<[u8; 8]>,
    beginnings: Vec<bool>,
}

fn shingles(needles: &[Vec<u8>]) -> Shingles {
    let all: HashSet<[u8; 8]> =
        needles.iter().flat_map(|needle| needle.windows(8)).map(|window| window.try_into().unwrap()).collect();
    let mut beginnings = vec![false; 1 << 16];
    for piece in &all {
        beginnings[usize::from(u16::from_le_bytes([piece[0], piece[1]]))] = true;
    }
    Shingles { all, beginnings }
}

/// How many places in the store's files hold one of the shingles.
fn occurrences(database: &Path, shingles: &Shingles) -> usize {
    let mut found = 0;
    for ending in ["", "-wal", "-shm", ".lock", "-journal"] {
        let mut path = database.as_os_str().to_owned();
        path.push(ending);
        let Ok(bytes) = std::fs::read(&path) else { continue };
        for at in 0..bytes.len().saturating_sub(7) {
            let begins = shingles.beginnings[usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))];
            found += usize::from(begins && shingles.all.contains(&bytes[at..at + 8]));
        }
    }
    found
}

struct Bench {
    folder: tempfile::TempDir,
    store: Arc<SqliteStore>,
    identity: EmbeddingIdentity,
    lcg: Lcg,
}

impl Bench {
    async fn new(seed: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(SqliteStore::open(folder.path().join("memory.db")).await.unwrap());
        let identity = EmbeddingIdentity::new("unique", "1", DIMENSIONS);
        Self { folder, store, identity, lcg: Lcg::new(seed) }
    }

    fn insertion(&mut self, record: MemoryRecord) -> (Change, Vec<Vec<u8>>) {
        let vectors = unique_vector(&mut self.lcg);
        let mut needles = forms(&record.content);
        needles.push(vector_bytes(&vectors));
        let vectors = Some((self.identity.fingerprint(), vectors));
        (Change::Insert { record: Box::new(record), vectors, reason: ChangeReason::Added }, needles)
    }

    fn database(&self) -> std::path::PathBuf {
        self.folder.path().join("memory.db")
    }
}

#[tokio::test]
async fn a_purged_memory_leaves_no_eight_bytes_in_any_layout_of_the_pages() {
    let mut bench = Bench::new(7).await;
    let writer = Writer::new(bench.store.clone());
    let mut kept: Vec<(Scope, MemoryRecord, Vec<Vec<u8>>)> = Vec::new();
    let mut gone: Vec<Vec<u8>> = Vec::new();
    let mut number = 0;
    for round in 0..6 {
        // Users in turn, so that rows are put between others and pages are split; texts of all lengths, so that some
        // run over into pages of their own.
        for _ in 0..40 {
            number += 1;
            let scope = sample::user_scope(&format!("user {}", bench.lcg.below(9)));
            let length = if number % 20 == 0 { 4_000 } else { 10 + bench.lcg.below(60) };
            let text = unique_text(&mut bench.lcg, length);
            let record = sample::record(number, &scope, &text);
            let (change, needles) = bench.insertion(record.clone());
            writer.change(scope.user_id().as_str(), change).await.unwrap();
            kept.push((scope, record, needles));
        }
        for _ in 0..8 {
            let at = usize::try_from(bench.lcg.below(kept.len() as u64)).unwrap();
            let (scope, record, needles) = kept.swap_remove(at);
            let receipt = bench.store.forget(&scope, &Forget::records(vec![record.id], vec![])).await.unwrap();
            assert_eq!((receipt.purge, receipt.residual_bytes), (PurgeState::Purged, 0));
            gone.extend(needles);
        }
        assert_eq!(occurrences(&bench.database(), &shingles(&gone)), 0, "round {round}");
    }
    // The rest is untouched, and was searched for in the right files.
    assert!(bench.store.verify().await.unwrap().is_sound());
    let (_, _, needles) = kept.last().unwrap();
    assert!(occurrences(&bench.database(), &shingles(needles)) > 0);
}

#[tokio::test]
async fn a_purged_memory_is_gone_from_history_transcript_queue_and_rejections() {
    let mut bench = Bench::new(8).await;
    let writer = Writer::new(bench.store.clone());
    let (ada, session) = (sample::user_scope("ada"), sample::session_scope("ada", "s1"));
    let (old, new, said) =
        (unique_text(&mut bench.lcg, 30), unique_text(&mut bench.lcg, 30), unique_text(&mut bench.lcg, 30));
    let mut record = sample::record(1, &ada, &old);
    record.provenance.quotes = vec![Quote { message: None, text: said.clone(), start: 0, end: said.len() }];
    let (change, mut needles) = bench.insertion(record.clone());
    writer.change("ada", change).await.unwrap();
    record.content = new.clone();
    writer.update(&record, ChangeReason::Edited).await;
    let mut message = sample::message(&session, "m1", &format!("well, {said}, you know"));
    message.content.push(ContentBlock::Other(serde_json::json!({ "type": "tool_use", "input": { "q": said } })));
    writer.append(vec![message]).await;
    let summary = Some(format!("talked about {said}"));
    let mut info = SessionInfo::new(session.clone(), sample::at(0));
    info.summary = summary;
    writer.change("ada", Change::UpdateSession(info)).await.unwrap();
    let job = sample::job(1, &session);
    writer.change("ada", Change::Enqueue(job.clone())).await.unwrap();
    let failure = Change::FailJob {
        id: job.id,
        error: format!("cannot read {said}"),
        raw_reply: Some(format!("[{said}")),
        retry_at: None,
    };
    writer.change("ada", failure).await.unwrap();
    let rejection = Rejection::new(said.clone(), RejectionReason::Question, None);
    let entry = RejectedEntry { rejection, session: None, at: sample::at(3) };
    writer.change("ada", Change::Reject { entry }).await.unwrap();
    needles.extend([forms(&new), forms(&said)].concat());
    assert!(occurrences(&bench.database(), &shingles(&needles)) > 0);

    let request = Forget::records(vec![record.id], vec![new, said]);
    let receipt = bench.store.forget(&ada, &request).await.unwrap();
    assert_eq!(receipt.purge, PurgeState::Purged);
    assert_eq!(occurrences(&bench.database(), &shingles(&needles)), 0);
    assert!(bench.store.verify().await.unwrap().is_sound());
}

#[tokio::test]
async fn erasing_a_user_leaves_no_row_in_any_table_and_no_name() {
    let mut bench = Bench::new(9).await;
    let writer = Writer::new(bench.store.clone());
    let mut needles = Vec::new();
    let mine = sample::project_scope("zebedee@example.com", "quokka").session("narwhal").unwrap();
    for n in 1..=30 {
        let text = unique_text(&mut bench.lcg, 20);
        let (change, traces) = bench.insertion(sample::record(n, &mine, &text));
        writer.change("zebedee@example.com", change).await.unwrap();
        needles.extend(traces);
    }
    writer.append(vec![sample::message(&mine, "m1", "what zebedee said")]).await;
    writer.change("zebedee@example.com", Change::Enqueue(sample::job(1, &mine))).await.unwrap();
    writer
        .change(
            "zebedee@example.com",
            Change::reject(Rejection::new("thanks", RejectionReason::Smalltalk, None), None, sample::at(1)),
        )
        .await
        .unwrap();
    let his = sample::user_scope("bob");
    writer.insert(&sample::record(100, &his, "Bob's own")).await;

    let receipt = bench.store.forget(&mine, &Forget::everything()).await.unwrap();
    assert_eq!(receipt.purge, PurgeState::Purged);
    assert_eq!(receipt.forgotten.len(), 30);
    needles
        .extend(["zebedee@example.com", "quokka", "narwhal", "what zebedee said"].map(|name| name.as_bytes().to_vec()));
    for name in ["quokka", "narwhal"] {
        let bytes = std::fs::read(bench.database()).unwrap();
        assert!(!bytes.windows(name.len()).any(|window| window == name.as_bytes()), "{name}");
    }
    assert_eq!(occurrences(&bench.database(), &shingles(&needles)), 0);
    assert_eq!(bench.store.users(None, 10).await.unwrap(), [his.user_id().clone()]);
    assert!(bench.store.generation(mine.user_id()).await.unwrap() > 30);

    // A table that nobody thought of would show here: what is left is one of Bob's rows, or of nobody's.
    let connection = Connection::open(bench.database()).unwrap();
    let mut tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'words%'").unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for table in tables {
        let rows: i64 = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        let expected = match table.as_str() {
            "users" | "records" | "batches" | "word_lists" | "identities" => 1,
            // The segmentation, and the generation that erased users had reached.
            "settings" => 2,
            _ => 0,
        };
        assert_eq!(rows, expected, "{table}");
    }
}

#[tokio::test]
async fn a_forgotten_session_takes_its_summary_and_unused_names_along() {
    let bench = Bench::new(14).await;
    let writer = Writer::new(bench.store.clone());
    let session = sample::project_scope("ada", "chrysalis").session("dragonfly").unwrap();
    let summary = Some("she will marry in Kotor".to_owned());
    let mut info = SessionInfo::new(session.clone(), sample::at(0));
    info.summary = summary;
    writer.change("ada", Change::UpdateSession(info)).await.unwrap();
    let request = Forget::default().with_sessions(vec![session.session_id().unwrap().clone()]);
    let receipt = bench.store.forget(&sample::user_scope("ada"), &request).await.unwrap();
    assert_eq!((receipt.rows, receipt.purge), (1, PurgeState::Purged));
    assert_eq!(bench.store.sessions(&sample::user_scope("ada")).await.unwrap(), []);
    let needles = ["marry in Kotor", "chrysalis", "dragonfly"].map(|text| text.as_bytes().to_vec());
    assert_eq!(occurrences(&bench.database(), &shingles(&needles)), 0);
}

#[tokio::test]
async fn what_another_user_said_in_the_same_words_stays_and_is_no_residue() {
    let bench = Bench::new(10).await;
    let writer = Writer::new(bench.store.clone());
    let (hers, his) = (sample::user_scope("ada"), sample::user_scope("bob"));
    writer.insert(&sample::record(1, &hers, "plays the theremin on Sundays")).await;
    writer.insert(&sample::record(2, &his, "plays the theremin on Sundays")).await;
    let request = Forget::records(vec![sample::memory_id(1)], vec!["plays the theremin on Sundays".into()]);
    let receipt = bench.store.forget(&hers, &request).await.unwrap();
    assert_eq!((receipt.purge, receipt.residual_bytes), (PurgeState::Purged, 0));
    assert_eq!(bench.store.get(&his, &[sample::memory_id(2)]).await.unwrap().len(), 1);
    assert!(bench.store.verify().await.unwrap().is_sound());
}

#[tokio::test]
async fn a_reader_in_the_way_makes_a_purge_pending_and_a_later_write_finishes_it() {
    let mut bench = Bench::new(11).await;
    let writer = Writer::new(bench.store.clone());
    let ada = sample::user_scope("ada");
    let text = unique_text(&mut bench.lcg, 40);
    let (change, needles) = bench.insertion(sample::record(1, &ada, &text));
    writer.change("ada", change).await.unwrap();

    let reader = Connection::open(bench.database()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM records").unwrap();
    let receipt = bench.store.forget(&ada, &Forget::records(vec![sample::memory_id(1)], vec![])).await.unwrap();
    assert!(matches!(receipt.purge, PurgeState::Pending(_)), "{receipt:?}");
    assert_eq!(receipt.forgotten, [sample::memory_id(1)], "gone for everybody who reads from now on");
    assert_eq!(bench.store.stats(None).await.unwrap().pending_purges, 1);
    reader.execute_batch("COMMIT").unwrap();

    writer.insert(&sample::record(2, &ada, "something else")).await;
    assert_eq!(bench.store.stats(None).await.unwrap().pending_purges, 0);
    assert_eq!(occurrences(&bench.database(), &shingles(&needles)), 0);
}

#[tokio::test]
async fn remnants_in_unused_parts_of_the_file_are_found_and_go_with_a_rewriting() {
    let mut bench = Bench::new(13).await;
    let writer = Writer::new(bench.store.clone());
    let ada = sample::user_scope("ada");
    let text = unique_text(&mut bench.lcg, 40);
    let (change, needles) = bench.insertion(sample::record(1, &ada, &text));
    writer.change("ada", change).await.unwrap();
    // SQLite itself may leave a copy of a row that it moves; here another connection does, on purpose.
    let careless = Connection::open(bench.database()).unwrap();
    careless
        .execute_batch(
            "PRAGMA secure_delete = OFF; CREATE TABLE copies AS SELECT content FROM records; DELETE FROM copies;
             DROP TABLE copies; PRAGMA wal_checkpoint(TRUNCATE)",
        )
        .unwrap();
    drop(careless);
    let receipt = bench.store.forget(&ada, &Forget::records(vec![sample::memory_id(1)], vec![])).await.unwrap();
    assert_eq!((receipt.purge, receipt.residual_bytes), (PurgeState::Purged, 0));
    assert_eq!(occurrences(&bench.database(), &shingles(&needles)), 0);
}

#[tokio::test]
async fn a_purge_that_was_cut_short_is_finished_at_the_next_open() {
    let mut bench = Bench::new(12).await;
    let writer = Writer::new(bench.store.clone());
    let ada = sample::user_scope("ada");
    let mut needles = Vec::new();
    for n in 1..=50 {
        let text = unique_text(&mut bench.lcg, 40);
        let (change, traces) = bench.insertion(sample::record(n, &ada, &text));
        writer.change("ada", change).await.unwrap();
        needles.extend(traces);
    }
    // What a process leaves behind that is killed between the two halves: rows gone without secure deletion, and the
    // note that there is work left.
    let Bench { folder, store, .. } = bench;
    drop((writer, store));
    let database = folder.path().join("memory.db");
    let connection = Connection::open(&database).unwrap();
    connection
        .execute_batch(
            "PRAGMA secure_delete = OFF; PRAGMA foreign_keys = OFF; BEGIN; INSERT INTO purges DEFAULT VALUES;
             INSERT INTO words (words) VALUES ('delete-all'); DELETE FROM word_lists; DELETE FROM vectors;
             DELETE FROM records; COMMIT",
        )
        .unwrap();
    drop(connection);
    assert!(occurrences(&database, &shingles(&needles)) > 0);
    let store = SqliteStore::open(&database).await.unwrap();
    assert_eq!(store.stats(None).await.unwrap().pending_purges, 0);
    assert_eq!(occurrences(&database, &shingles(&needles)), 0);
    assert!(store.verify().await.unwrap().is_sound());
}
