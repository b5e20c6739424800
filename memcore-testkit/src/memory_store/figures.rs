//! Users, figures and the store's own check.

use memcore_core::{
    Change, ChangeReason, Forget, Importance, JobState, Kind, MemoryStore, ModelUsage, Status, StoreStats, UsageEntry,
    UserId, chrono::Duration, day_of,
};

use super::Fixture;
use crate::{
    Writer, random_operations,
    sample::{at, job, job_id, memory_id, message, record, rejection, session_scope, user_id, user_scope},
};

pub(super) async fn users_are_paged_in_byte_order(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let mut names = ["bob", "Bob", "ada", "阿达", "zoë", "a", "ada2", "%", "ｚ"];
    for (n, name) in (1..).zip(names) {
        writer.insert(&record(n, &user_scope(name), "something")).await;
    }
    names.sort_by_key(|name| name.as_bytes());
    let expected = names.map(user_id);
    for limit in [1, 2, 4, 100, usize::MAX] {
        let mut all = Vec::new();
        loop {
            let page = store.users(all.last(), limit).await.unwrap();
            assert!(page.len() <= limit);
            if page.is_empty() {
                break;
            }
            all.extend(page);
        }
        assert_eq!(all, expected, "by {limit}");
    }
    assert_eq!(store.users(None, 0).await.unwrap(), []);
    assert_eq!(store.users(Some(&user_id("ada1")), 1).await.unwrap(), [user_id("ada2")], "after may name nobody");
}

pub(super) async fn users_are_those_that_have_anything(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    assert_eq!(store.users(None, 10).await.unwrap(), []);
    writer.insert(&record(1, &user_scope("record"), "one")).await;
    writer.append(vec![message(&session_scope("message", "s1"), "m1", "hello")]).await;
    writer.change("job", Change::Enqueue(job(1, &session_scope("job", "s1")))).await.unwrap();
    writer.change("rejection", Change::Reject { entry: rejection("hm", 1) }).await.unwrap();
    writer.change("usage", Change::RecordUsage(calls(0, "llm", "small", 1))).await.unwrap();
    let expected = ["job", "message", "record", "rejection", "usage"].map(user_id);
    assert_eq!(store.users(None, 10).await.unwrap(), expected);
}

pub(super) async fn stats_count_what_is_there(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (ada, session) = (user_scope("ada"), session_scope("ada", "s1"));
    let empty = store.stats(None).await.unwrap();
    assert_eq!((empty.total, empty.users, empty.avg_importance, empty.avg_access), (0, 0, 0.0, 0.0));

    let mut records: Vec<_> = (1..).zip(Status::ALL).map(|(n, _)| record(n, &ada, "something")).collect();
    for (record, status) in records.iter_mut().zip(Status::ALL) {
        record.status = status;
    }
    let mut todo = record(6, &ada, "to be done");
    todo.kind = Kind::Todo;
    todo.importance = Importance::new(8).unwrap();
    records.push(todo);
    writer.insert_all(&records).await;
    writer.change("ada", Change::Touch { ids: vec![memory_id(6)], at: at(9) }).await.unwrap();
    writer.append(vec![message(&session, "m1", "hello"), message(&session, "m2", "again")]).await;
    for n in 1..=3 {
        writer.change("ada", Change::Enqueue(job(n, &session))).await.unwrap();
    }
    let dead = Change::FailJob { id: job_id(1), error: "no answer".into(), raw_reply: None, retry_at: None };
    writer.change("ada", dead).await.unwrap();
    writer.change("ada", Change::Reject { entry: rejection("hm", 1) }).await.unwrap();

    let StoreStats { total, active, archived, superseded, merged, quarantined, .. } = store.stats(None).await.unwrap();
    assert_eq!((total, active, archived, superseded, merged, quarantined), (6, 2, 1, 1, 1, 1));
    let stats = store.stats(None).await.unwrap();
    assert_eq!(stats.by_kind.into_iter().collect::<Vec<_>>(), [("fact".to_owned(), 1), ("todo".to_owned(), 1)]);
    assert_eq!((stats.users, stats.sessions, stats.messages), (1, 1, 2));
    assert_eq!((stats.pending_jobs, stats.dead_letters, stats.rejected), (2, 1, 1));
    assert!((stats.avg_importance - 6.5).abs() < 1e-6 && (stats.avg_access - 0.5).abs() < 1e-6);
    assert_eq!((stats.vectors, stats.pending_vectors), (0, 6));
    assert_eq!(store.jobs(None).await.unwrap().iter().filter(|job| job.state == JobState::Dead).count(), 1);
}

pub(super) async fn stats_of_a_user_count_only_the_users_own(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    writer.insert_all(&[record(1, &user_scope("ada"), "one"), record(2, &user_scope("ada"), "two")]).await;
    writer.insert(&record(3, &user_scope("bob"), "three")).await;
    writer.append(vec![message(&session_scope("bob", "s1"), "m1", "hello")]).await;
    for (user, total, users, messages) in [("ada", 2, 1, 0), ("bob", 1, 1, 1), ("eve", 0, 0, 0)] {
        let stats = store.stats(Some(&user_id(user))).await.unwrap();
        assert_eq!((stats.total, stats.users, stats.messages), (total, users, messages), "{user}");
    }
    let all = store.stats(None).await.unwrap();
    assert_eq!((all.total, all.users, all.messages), (3, 2, 1));
}

pub(super) async fn a_store_is_sound_after_ordinary_work(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    assert!(store.verify().await.unwrap().is_sound());
    let ada = user_scope("ada");
    writer.insert_all(&[record(1, &ada, "一个"), record(2, &ada, "two")]).await;
    writer.update(&record(1, &ada, "eins"), ChangeReason::Edited).await;
    writer.change("ada", Change::Touch { ids: vec![memory_id(2)], at: at(9) }).await.unwrap();
    let report = store.verify().await.unwrap();
    assert_eq!((report.records, report.faults), (2, vec![]));
}

pub(super) async fn debug_output_holds_no_content(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    writer.insert(&record(1, &user_scope("ada"), "xylophone 木琴")).await;
    writer.append(vec![message(&session_scope("ada", "s1"), "m1", "xylophone 木琴")]).await;
    let shown = format!("{store:?} {store:#?}");
    assert!(!shown.contains("xylophone") && !shown.contains("木琴"), "{shown}");
}

pub(super) async fn random_operations_agree_with_the_reference(fixture: Fixture) {
    random_operations(fixture.store(), 7, 400).await;
}

/// So many calls, with ten tokens in and two out for each, so many days after the first.
fn calls(day: i64, purpose: &str, model: &str, calls: u64) -> UsageEntry {
    let mut usage = ModelUsage::default();
    (usage.calls, usage.input_tokens, usage.output_tokens) = (calls, calls * 10, calls * 2);
    UsageEntry::new(day_of(at(0)) + Duration::days(day), purpose, model, usage)
}

async fn usage(store: &dyn MemoryStore, user: Option<&UserId>, since_day: i64) -> Vec<UsageEntry> {
    store.usage(user, at(0) + Duration::days(since_day)).await.unwrap()
}

pub(super) async fn model_usage_is_summed_by_day_purpose_and_model(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    for entry in [
        calls(1, "llm", "small", 4),
        calls(0, "llm", "small", 1),
        calls(0, "llm", "small", 2),
        calls(0, "review", "large", 1),
        calls(0, "llm", "large", 1),
    ] {
        writer.change("ada", Change::RecordUsage(entry)).await.unwrap();
    }
    let mut evening = calls(1, "llm", "small", 1);
    evening.day = day_of(at(0)) + Duration::days(2) - Duration::microseconds(1);
    writer.change("ada", Change::RecordUsage(evening)).await.unwrap();
    let expected = [
        calls(0, "llm", "large", 1),
        calls(0, "llm", "small", 3),
        calls(0, "review", "large", 1),
        calls(1, "llm", "small", 5),
    ];
    assert_eq!(usage(&*store, None, 0).await, expected);
    assert_eq!(usage(&*store, None, 1).await, expected[3..]);
    assert_eq!(usage(&*store, None, 2).await, []);
}

pub(super) async fn model_usage_is_asked_for_by_user_and_goes_with_the_user(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    writer.change("ada", Change::RecordUsage(calls(0, "llm", "small", 1))).await.unwrap();
    writer.change("bob", Change::RecordUsage(calls(0, "llm", "small", 2))).await.unwrap();
    assert_eq!(usage(&*store, Some(&user_id("ada")), 0).await, [calls(0, "llm", "small", 1)]);
    assert_eq!(usage(&*store, Some(&user_id("eve")), 0).await, []);
    assert_eq!(usage(&*store, None, 0).await, [calls(0, "llm", "small", 3)]);
    store.forget(&user_scope("ada"), &Forget::everything()).await.unwrap();
    assert_eq!(usage(&*store, None, 0).await, [calls(0, "llm", "small", 2)]);
}
