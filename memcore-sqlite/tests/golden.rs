//! Files of every released schema version open, and nothing of them is lost. `golden/vN.sqlite` is never changed again.
#![allow(clippy::unwrap_used, reason = "a failed expectation of a test is a panic")]

use std::{fs, sync::Arc};

use memcore_core::{
    Change, ChangeReason, ListRequest, MemoryStore, MessageQuery, RecordFilter, SessionInfo, TextEmbedding, TextQuery,
    VectorQuery, VectorStore, text::query_terms,
};
use memcore_sqlite::SqliteStore;
use memcore_testkit::{Writer, sample};

/// Where a new version's file is written, when this is set: a step of releasing a schema version.
const MAKE: &str = "MEMCORE_SQLITE_MAKE_GOLDEN";

#[tokio::test]
async fn the_file_of_version_1_opens_with_all_that_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/v1.sqlite"), &path).unwrap();
    let store = SqliteStore::open(&path).await.unwrap();
    let ada = sample::user_scope("ada");
    let record = &store.get(&ada, &[sample::memory_id(1)]).await.unwrap()[0];
    assert_eq!(record.content, "Ada's boat is called Marigold, 船名是金盏花");
    let history = store.history(&ada, record.id).await.unwrap();
    assert_eq!(
        history.iter().map(|version| version.record.content.as_str()).collect::<Vec<_>>(),
        ["Ada's boat is called Tulip", "Ada's boat is called Marigold, 船名是金盏花"]
    );
    for words in ["marigold", "金盏花"] {
        let found = store.search_text(&TextQuery::new(query_terms(words), RecordFilter::new(ada.clone()), 5)).await;
        assert_eq!(found.unwrap().hits.len(), 1, "{words}");
    }
    let near = VectorQuery::new(
        sample::embedding(&[1.0, 2.0, 3.0]),
        sample::fingerprint("golden"),
        RecordFilter::new(ada.clone()),
        5,
    );
    assert!(store.search(&near).await.unwrap()[0].similarity > 0.999);
    let billing = RecordFilter::new(sample::project_scope("ada", "billing"));
    assert_eq!(store.list(&ListRequest::new(billing)).await.unwrap().records.len(), 2);
    let said = store.messages(&MessageQuery::new(ada.clone())).await.unwrap();
    assert_eq!(said.iter().map(|message| message.text()).collect::<Vec<_>>(), ["hello", "你好"]);
    assert_eq!(store.sessions(&ada).await.unwrap()[0].summary.as_deref(), Some("greetings"));
    assert_eq!(store.jobs(None).await.unwrap(), [sample::job(1, &sample::session_scope("ada", "s1"))]);
    assert_eq!(store.rejected(&ada, 5).await.unwrap(), [sample::rejection("thanks", 1)]);
    assert_eq!(store.generation(ada.user_id()).await.unwrap(), 3);
    let report = store.verify().await.unwrap();
    assert!(report.is_sound(), "{:?}", report.faults);
}

#[tokio::test]
async fn a_new_golden_file_is_made_on_request() {
    let Ok(path) = std::env::var(MAKE) else { return };
    let store = Arc::new(SqliteStore::open(path).await.unwrap());
    let writer = Writer::new(store);
    let (ada, session) = (sample::user_scope("ada"), sample::session_scope("ada", "s1"));
    let mut boat = sample::record(1, &ada, "Ada's boat is called Tulip");
    let vectors = || Some((sample::fingerprint("golden"), TextEmbedding::single(sample::embedding(&[1.0, 2.0, 3.0]))));
    let insert = Change::Insert { record: Box::new(boat.clone()), vectors: vectors(), reason: ChangeReason::Added };
    writer.change("ada", insert).await.unwrap();
    boat.content = "Ada's boat is called Marigold, 船名是金盏花".into();
    let update = Change::Update { record: Box::new(boat), vectors: vectors(), reason: ChangeReason::Edited };
    writer.change("ada", update).await.unwrap();
    writer.insert(&sample::record(2, &sample::project_scope("ada", "billing"), "Invoices are sent on the first")).await;
    writer.append(vec![sample::message(&session, "m1", "hello"), sample::message(&session, "m2", "你好")]).await;
    let summary = Some("greetings".to_owned());
    let mut info = SessionInfo::new(session.clone(), sample::at(0));
    info.summary = summary;
    writer.change("ada", Change::UpdateSession(info)).await.unwrap();
    writer.change("ada", Change::Enqueue(sample::job(1, &session))).await.unwrap();
    writer.change("ada", Change::Reject { entry: sample::rejection("thanks", 1) }).await.unwrap();
}
