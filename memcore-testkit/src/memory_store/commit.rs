//! Commit: whole or not at all, in order, and only what belongs to the batch's user.

use std::{future::poll_fn, task::Poll};

use memcore_core::{
    Change, ChangeReason, Confidence, ErrorKind, Importance, Kind, ListRequest, MessageQuery, Quote, RecordFilter,
    SessionInfo, Slot, SourceKind, Status, TextQuery, Trust, chrono::Duration, text::query_terms,
};

use super::{Fixture, assert_refused, ids};
use crate::{
    Writer,
    sample::{
        at, fingerprint, job, job_id, memory_id, message, message_id, project_scope, record, rejection, session_scope,
        user_id, user_scope,
    },
    writer::{insertion, update},
};

pub(super) async fn a_committed_record_is_found_by_id_list_and_text(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    let known = record(1, &ada, "Ada keeps bees behind the barn");
    Writer::new(store.clone()).insert(&known).await;

    assert_eq!(store.get(&ada, &[known.id]).await.unwrap(), std::slice::from_ref(&known));
    let filter = RecordFilter::new(ada);
    assert_eq!(store.list(&ListRequest::new(filter.clone())).await.unwrap().records, std::slice::from_ref(&known));
    let found = store.search_text(&TextQuery::new(query_terms("bees"), filter, 10)).await.unwrap();
    assert_eq!(found.hits.first().map(|hit| hit.id), Some(known.id));
}

pub(super) async fn every_field_of_a_record_is_kept(fixture: Fixture) {
    let store = fixture.store();
    let scope = project_scope("ada", "billing").session("s1").unwrap();
    let mut full = record(1, &scope, "发票要用 GBK 编码");
    full.kind = Kind::Custom("house-rule".into());
    full.slot = Some(Slot::new("billing", "invoice encoding").unwrap());
    full.importance = Importance::new(9).unwrap();
    full.confidence = Confidence::new(0.625).unwrap();
    full.trust = Trust::Inferred;
    full.tags = vec!["编码".into(), "a, b \"c\"".into()];
    full.pinned = true;
    full.created_at = at(1);
    full.updated_at = at(2);
    full.valid_from = at(-100_000);
    full.valid_until = Some(at(100_000));
    full.last_accessed_at = Some(at(3));
    full.access_count = 7;
    full.evidence_count = 3;
    full.status = Status::Superseded;
    full.superseded_by = Some(memory_id(2));
    full.conflicts_with = vec![memory_id(3), memory_id(4)];
    full.provenance.source = SourceKind::Document;
    full.provenance.project = scope.project_id().cloned();
    full.provenance.session = scope.session_id().cloned();
    full.provenance.messages = vec![message_id("m1"), message_id("m2")];
    full.provenance.quotes = vec![Quote { message: Some(message_id("m1")), text: "用 GBK".into(), start: 9, end: 16 }];
    full.provenance.model = Some("a model".into());
    full.provenance.at = at(-5);
    Writer::new(store.clone()).insert(&full).await;
    assert_eq!(store.get(&scope, &[full.id]).await.unwrap(), [full]);
}

pub(super) async fn odd_contents_are_kept_byte_for_byte(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    let long = "很长的一段话 and more. ".repeat(4_000);
    let contents = ["a\0b", "👩‍👩‍👧 喜欢 🍜", "\u{202e}مرحبا", "'; DROP TABLE records; --", "\r\n\t \u{feff}x", &long];
    let records: Vec<_> = (1..).zip(contents).map(|(n, content)| record(n, &ada, content)).collect();
    Writer::new(store.clone()).insert_all(&records).await;
    assert_eq!(store.get(&ada, &ids(&records)).await.unwrap(), records);
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn times_are_kept_to_the_microsecond(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    let odd = Duration::microseconds(123_456);
    let mut exact = record(1, &ada, "said at an odd moment");
    (exact.created_at, exact.valid_from, exact.valid_until) = (at(1) + odd, at(0) + odd, Some(at(9) + odd));
    let mut finer = record(2, &ada, "said at an even odder one");
    (finer.updated_at, finer.provenance.at) = (at(1) + Duration::nanoseconds(1_999), at(1) + Duration::nanoseconds(1));
    Writer::new(store.clone()).insert_all(&[exact.clone(), finer.clone()]).await;

    let kept = store.get(&ada, &[exact.id, finer.id]).await.unwrap();
    assert_eq!(kept[0], exact);
    assert!((kept[1].updated_at - finer.updated_at).abs() < Duration::microseconds(1));
    assert!((kept[1].provenance.at - finer.provenance.at).abs() < Duration::microseconds(1));
    assert!(store.verify().await.unwrap().is_sound(), "what was kept is what was hashed");
}

pub(super) async fn a_batch_that_fails_at_its_end_applies_nothing(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    let ada = user_scope("ada");
    let old = record(1, &ada, "Ada lives in Turin");
    writer.insert(&old).await;
    writer.append(vec![message(&session, "m1", "hello")]).await;
    writer.change("ada", Change::Enqueue(job(1, &session))).await.unwrap();
    let generation = store.generation(&user_id("ada")).await.unwrap();

    let mut changed = old.clone();
    changed.content = "Ada lives in Milan".into();
    let mut info = SessionInfo::new(session.clone(), at(0));
    (info.ended_at, info.summary) = (Some(at(9)), Some("a talk".into()));
    let batch = writer
        .batch("ada")
        .with(insertion(&record(2, &ada, "Ada plays the cello")))
        .with(update(&changed, ChangeReason::Edited))
        .with(Change::Touch { ids: vec![old.id], at: at(5) })
        .with(Change::AppendMessages(vec![message(&session, "m2", "again")]))
        .with(Change::UpdateSession(info))
        .with(Change::Enqueue(job(2, &session)))
        .with(Change::Reject { entry: rejection("hm", 5) })
        .with(Change::CompleteJob(job_id(1)))
        .with(Change::CompleteJob(job_id(99)));
    let made = batch.id;
    assert_refused(store.commit(batch).await, ErrorKind::Conflict);

    assert_eq!(store.get(&ada, &[memory_id(1), memory_id(2)]).await.unwrap(), std::slice::from_ref(&old));
    assert_eq!(store.history(&ada, old.id).await.unwrap().len(), 1);
    assert_eq!(store.versions_of(&user_id("ada"), made).await.unwrap(), []);
    let query = TextQuery::new(query_terms("cello Milan"), RecordFilter::new(ada.clone()), 10);
    assert_eq!(store.search_text(&query).await.unwrap().hits, []);
    assert_eq!(store.messages(&MessageQuery::new(session.clone())).await.unwrap().len(), 1);
    assert_eq!(store.sessions(&session).await.unwrap()[0].ended_at, None);
    assert_eq!(store.jobs(Some(&session)).await.unwrap(), [job(1, &session)]);
    assert_eq!(store.rejected(&ada, 10).await.unwrap(), []);
    assert_eq!(store.generation(&user_id("ada")).await.unwrap(), generation);
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn later_changes_of_a_batch_see_earlier_ones(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    let first = record(1, &user_scope("ada"), "Ada drinks tea");
    let mut second = first.clone();
    second.content = "Ada drinks coffee".into();
    let batch = writer
        .batch("ada")
        .with(insertion(&first))
        .with(update(&second, ChangeReason::Edited))
        .with(Change::Touch { ids: vec![first.id], at: at(7) })
        .with(Change::Enqueue(job(1, &session)))
        .with(Change::CompleteJob(job_id(1)));
    store.commit(batch).await.unwrap();

    let kept = store.get(&session, &[first.id]).await.unwrap();
    assert_eq!(kept[0].content, "Ada drinks coffee");
    assert_eq!((kept[0].access_count, kept[0].last_accessed_at), (1, Some(at(7))));
    assert_eq!(store.history(&session, first.id).await.unwrap().len(), 2);
    assert_eq!(store.jobs(None).await.unwrap(), []);
}

pub(super) async fn an_empty_batch_changes_nothing(fixture: Fixture) {
    let store = fixture.store();
    let receipt = store.commit(Writer::new(store.clone()).batch("ada")).await.unwrap();
    assert_eq!((receipt.generation, receipt.appended), (0, Vec::new()));
    assert_eq!(store.stats(None).await.unwrap().total, 0);
}

pub(super) async fn inserting_an_id_that_exists_is_a_conflict(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let first = record(1, &ada, "the first of its name");
    writer.insert(&first).await;
    assert_refused(writer.change("ada", insertion(&record(1, &ada, "another"))).await, ErrorKind::Conflict);
    let twice = writer.batch("ada").with(insertion(&record(2, &ada, "a"))).with(insertion(&record(2, &ada, "b")));
    assert_refused(store.commit(twice).await, ErrorKind::Conflict);
    assert_eq!(store.list(&ListRequest::new(RecordFilter::new(ada))).await.unwrap().records, [first]);
}

pub(super) async fn inserting_an_id_that_another_user_has_is_a_conflict(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let hers = record(1, &user_scope("ada"), "Ada's own");
    writer.insert(&hers).await;
    let his = record(1, &user_scope("bob"), "Bob's own");
    assert_refused(writer.change("bob", insertion(&his)).await, ErrorKind::Conflict);
    assert_eq!(store.get(&user_scope("ada"), &[hers.id]).await.unwrap(), [hers]);
    assert_eq!(store.get(&user_scope("bob"), &[his.id]).await.unwrap(), []);
}

pub(super) async fn updating_an_absent_record_is_not_found(fixture: Fixture) {
    let writer = Writer::new(fixture.store());
    let absent = record(1, &user_scope("ada"), "never stored");
    assert_refused(writer.change("ada", update(&absent, ChangeReason::Edited)).await, ErrorKind::NotFound);
}

pub(super) async fn updating_a_record_of_another_user_is_not_found(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let hers = record(1, &user_scope("ada"), "Ada's own");
    writer.insert(&hers).await;
    let his = record(1, &user_scope("bob"), "stolen");
    assert_refused(writer.change("bob", update(&his, ChangeReason::Edited)).await, ErrorKind::NotFound);
    assert_eq!(store.get(&user_scope("ada"), &[hers.id]).await.unwrap(), [hers]);
}

pub(super) async fn what_belongs_to_another_user_than_the_batch_is_invalid(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    let hers = record(1, &user_scope("ada"), "Ada's own");
    writer.insert(&hers).await;
    let changes = [
        insertion(&record(2, &user_scope("ada"), "slipped in")),
        update(&record(1, &user_scope("ada"), "changed"), ChangeReason::Edited),
        Change::AppendMessages(vec![message(&session, "m1", "never said")]),
        Change::Enqueue(job(1, &session)),
    ];
    for change in changes {
        assert_refused(writer.change("bob", change).await, ErrorKind::InvalidInput);
    }
    assert_eq!(store.get(&session, &[memory_id(1), memory_id(2)]).await.unwrap(), [hers]);
    assert_eq!(store.messages(&MessageQuery::new(session)).await.unwrap(), []);
    assert_eq!(store.jobs(None).await.unwrap(), []);
}

pub(super) async fn touching_and_embedding_skip_absent_and_foreign_records(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let hers = record(1, &user_scope("ada"), "Ada's own");
    writer.insert(&hers).await;
    writer.change("bob", Change::Touch { ids: vec![hers.id, memory_id(9)], at: at(5) }).await.unwrap();
    let identity = fingerprint("a model");
    for id in [hers.id, memory_id(9)] {
        let change = Change::SetVectors { id, identity: identity.clone(), embedding: None };
        writer.change("bob", change).await.unwrap();
    }
    assert_eq!(store.get(&user_scope("ada"), &[hers.id]).await.unwrap(), std::slice::from_ref(&hers));
    assert_eq!(store.pending_vectors(&identity, 10).await.unwrap(), [(hers.scope, hers.id)]);
}

pub(super) async fn an_update_keeps_the_access_figures(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let first = record(1, &ada, "Ada drinks tea");
    writer.insert(&first).await;
    writer.change("ada", Change::Touch { ids: vec![first.id], at: at(5) }).await.unwrap();
    writer.change("ada", Change::Touch { ids: vec![first.id], at: at(6) }).await.unwrap();
    // The new version was planned before the accesses: its figures are out of date.
    let mut second = first.clone();
    second.content = "Ada drinks coffee".into();
    writer.update(&second, ChangeReason::Edited).await;
    let kept = store.get(&ada, &[first.id]).await.unwrap();
    assert_eq!((kept[0].access_count, kept[0].last_accessed_at), (2, Some(at(6))));
    assert_eq!(kept[0].content, "Ada drinks coffee");
}

pub(super) async fn the_generation_counts_batches_that_change_records(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    let ada = user_id("ada");
    assert_eq!(store.generation(&ada).await.unwrap(), 0);
    let records = [record(1, &user_scope("ada"), "one"), record(2, &user_scope("ada"), "two")];
    writer.insert_all(&records).await;
    assert_eq!(store.generation(&ada).await.unwrap(), 1, "once for a batch, not for each change");
    let receipt = writer.change("ada", update(&records[0], ChangeReason::Confirmed)).await.unwrap();
    assert_eq!(receipt.generation, 2);
    for change in [
        Change::Touch { ids: vec![records[0].id], at: at(5) },
        Change::AppendMessages(vec![message(&session, "m1", "hello")]),
        Change::Enqueue(job(1, &session)),
        Change::CompleteJob(job_id(1)),
        Change::Reject { entry: rejection("hm", 5) },
    ] {
        assert_eq!(writer.change("ada", change).await.unwrap().generation, 2);
    }
    assert_eq!(store.generation(&ada).await.unwrap(), 2);
}

pub(super) async fn a_batch_planned_on_another_generation_is_a_conflict(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let planned = writer.batch("ada").with_expected_generation(0).with(insertion(&record(1, &ada, "planned first")));
    writer.insert(&record(2, &ada, "stored meanwhile")).await;
    assert_refused(store.commit(planned).await, ErrorKind::Conflict);
    assert_eq!(store.get(&ada, &[memory_id(1)]).await.unwrap(), []);
    let again = writer.batch("ada").with_expected_generation(1).with(insertion(&record(1, &ada, "planned again")));
    assert_eq!(store.commit(again).await.unwrap().generation, 2);
    let messages = Change::AppendMessages(vec![message(&session_scope("ada", "s1"), "m1", "hello")]);
    let stale = writer.batch("ada").with_expected_generation(1).with(messages);
    assert_refused(store.commit(stale).await, ErrorKind::Conflict);
}

pub(super) async fn generations_of_users_are_their_own(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    writer.insert(&record(1, &user_scope("ada"), "one")).await;
    assert_eq!(store.generation(&user_id("bob")).await.unwrap(), 0);
    let batch = writer.batch("bob").with_expected_generation(0).with(insertion(&record(2, &user_scope("bob"), "two")));
    assert_eq!(store.commit(batch).await.unwrap().generation, 1);
}

pub(super) async fn of_batches_planned_on_the_same_generation_one_wins(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let mut running = tokio::task::JoinSet::new();
    for n in 1..=8 {
        let batch = writer.batch("ada").with_expected_generation(0).with(insertion(&record(n, &ada, "the only one")));
        let store = store.clone();
        running.spawn(async move { store.commit(batch).await.map(|_| n).map_err(|error| error.kind()) });
    }
    let answers = running.join_all().await;
    let winners: Vec<_> = answers.iter().filter_map(|answer| answer.ok()).map(memory_id).collect();
    assert_eq!(winners.len(), 1, "{answers:?}");
    assert!(answers.iter().all(|answer| answer.is_ok() || *answer == Err(ErrorKind::Conflict)), "{answers:?}");
    assert_eq!(ids(&store.list(&ListRequest::new(RecordFilter::new(ada))).await.unwrap().records), winners);
    assert_eq!(store.generation(&user_id("ada")).await.unwrap(), 1);
}

pub(super) async fn a_commit_that_is_dropped_applies_all_or_nothing(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (ada, session) = (user_scope("ada"), session_scope("ada", "s1"));
    for n in 1..=10 {
        let batch = writer
            .batch("ada")
            .with(insertion(&record(n, &ada, "one part")))
            .with(insertion(&record(100 + n, &ada, "another part")))
            .with(Change::AppendMessages(vec![message(&session, &format!("m{n}"), "hello")]));
        let mut commit = store.commit(batch);
        // It is begun, and nobody waits for its end.
        poll_fn(|context| {
            let _ = commit.as_mut().poll(context);
            Poll::Ready(())
        })
        .await;
        drop(commit);
        // What comes behind it in the queue finds it done, or never done.
        writer.change("ada", Change::Reject { entry: rejection("hm", 1) }).await.unwrap();
        let records = store.get(&ada, &[memory_id(n), memory_id(100 + n)]).await.unwrap().len();
        let query = MessageQuery::new(session.clone()).with_ids(vec![message_id(&format!("m{n}"))]);
        let messages = store.messages(&query).await.unwrap().len();
        assert!(matches!((records, messages), (0, 0) | (2, 1)), "{records} records, {messages} messages");
    }
    assert!(store.verify().await.unwrap().is_sound());
}
