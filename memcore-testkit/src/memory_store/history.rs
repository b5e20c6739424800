//! History: versions, and the batches that made them.

use memcore_core::{Change, ChangeReason, ErrorKind, Forget, Status};

use super::{Fixture, assert_refused};
use crate::{
    Writer,
    sample::{at, batch_id, job, memory_id, message, project_scope, record, session_scope, user_id, user_scope},
    writer::{insertion, update},
};

pub(super) async fn history_lists_every_version_oldest_first(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let mut batches = vec![writer.insert(&record(1, &ada, "Ada drinks tea")).await];
    batches.push(writer.update(&record(1, &ada, "Ada drinks coffee"), ChangeReason::Edited).await);
    let mut archived = record(1, &ada, "Ada drinks coffee");
    archived.status = Status::Archived;
    batches.push(writer.update(&archived, ChangeReason::Archived).await);

    let history = store.history(&ada, memory_id(1)).await.unwrap();
    let parts: Vec<_> = history.iter().map(|version| (version.number, version.reason, version.batch)).collect();
    let reasons = [ChangeReason::Added, ChangeReason::Edited, ChangeReason::Archived];
    let expected: Vec<_> = (1..).zip(reasons).zip(&batches).map(|((n, reason), batch)| (n, reason, *batch)).collect();
    assert_eq!(parts, expected);
    assert!(history.is_sorted_by_key(|version| version.at));
    assert_eq!(history.last().map(|version| &version.record), store.get(&ada, &[memory_id(1)]).await.unwrap().first());
}

pub(super) async fn versions_stay_as_they_were(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let first = record(1, &ada, "Ada drinks tea");
    writer.insert(&first).await;
    let mut second = record(1, &ada, "Ada drinks coffee");
    second.updated_at = at(50);
    writer.update(&second, ChangeReason::Edited).await;
    let history = store.history(&ada, first.id).await.unwrap();
    assert_eq!((&history[0].record, &history[1].record), (&first, &second));
}

pub(super) async fn an_access_makes_no_version(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    writer.insert(&record(1, &ada, "Ada drinks tea")).await;
    for minute in [5, 6] {
        writer.change("ada", Change::Touch { ids: vec![memory_id(1)], at: at(minute) }).await.unwrap();
    }
    let kept = &store.get(&ada, &[memory_id(1)]).await.unwrap()[0];
    assert_eq!((kept.access_count, kept.last_accessed_at), (2, Some(at(6))));
    assert_eq!(kept.updated_at, at(1), "an access is no change");
    assert_eq!(store.history(&ada, memory_id(1)).await.unwrap().len(), 1);
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn the_history_of_what_the_scope_does_not_see_is_not_found(fixture: Fixture) {
    let store = fixture.store();
    let hidden = record(1, &project_scope("ada", "billing"), "hidden");
    Writer::new(store.clone()).insert(&hidden).await;
    for scope in [user_scope("bob"), project_scope("bob", "billing"), project_scope("ada", "garden"), user_scope("ada")]
    {
        assert_refused(store.history(&scope, hidden.id).await, ErrorKind::NotFound);
    }
    assert_refused(store.history(&hidden.scope, memory_id(9)).await, ErrorKind::NotFound);
    assert_eq!(store.history(&hidden.scope, hidden.id).await.unwrap().len(), 1);
}

pub(super) async fn versions_of_a_batch_are_in_the_order_of_its_changes(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (user, ada) = (user_id("ada"), user_scope("ada"));
    writer.insert_all(&[record(1, &ada, "one"), record(2, &ada, "two")]).await;
    let batch = writer
        .batch("ada")
        .with(insertion(&record(4, &project_scope("ada", "billing"), "four")))
        .with(update(&record(2, &ada, "zwei"), ChangeReason::Edited))
        .with(Change::Touch { ids: vec![memory_id(1)], at: at(5) })
        .with(insertion(&record(3, &ada, "three")))
        .with(update(&record(1, &ada, "eins"), ChangeReason::Superseded));
    let id = batch.id;
    store.commit(batch).await.unwrap();
    writer.update(&record(2, &ada, "deux"), ChangeReason::Edited).await;

    let made = store.versions_of(&user, id).await.unwrap();
    let parts: Vec<_> = made.iter().map(|version| (version.record.content.as_str(), version.number)).collect();
    assert_eq!(parts, [("four", 1), ("zwei", 2), ("three", 1), ("eins", 2)]);
    assert!(made.iter().all(|version| version.batch == id));

    store.forget(&ada, &Forget::records(vec![memory_id(3)], vec![])).await.unwrap();
    let left = store.versions_of(&user, id).await.unwrap();
    assert_eq!(left.iter().map(|version| version.record.id).collect::<Vec<_>>(), [4, 2, 1].map(memory_id));
    assert_eq!(store.versions_of(&user, batch_id(9_999)).await.unwrap(), []);
}

pub(super) async fn versions_of_another_users_batch_are_none(fixture: Fixture) {
    let store = fixture.store();
    let batch = Writer::new(store.clone()).insert(&record(1, &user_scope("ada"), "one")).await;
    assert_eq!(store.versions_of(&user_id("bob"), batch).await.unwrap(), []);
    assert_eq!(store.last_batch(&user_id("bob")).await.unwrap(), None);
}

pub(super) async fn the_last_batch_is_the_newest_that_made_versions(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (user, ada) = (user_id("ada"), user_scope("ada"));
    let session = session_scope("ada", "s1");
    assert_eq!(store.last_batch(&user).await.unwrap(), None);
    let inserted = writer.insert(&record(1, &ada, "one")).await;
    assert_eq!(store.last_batch(&user).await.unwrap(), Some(inserted));
    let updated = writer.update(&record(1, &ada, "eins"), ChangeReason::Edited).await;
    writer.append(vec![message(&session, "m1", "hello")]).await;
    writer.change("ada", Change::Enqueue(job(1, &session))).await.unwrap();
    writer.change("ada", Change::Touch { ids: vec![memory_id(1)], at: at(5) }).await.unwrap();
    writer.insert(&record(2, &user_scope("bob"), "two")).await;
    assert_eq!(store.last_batch(&user).await.unwrap(), Some(updated));
}

pub(super) async fn the_last_batch_skips_those_that_undo(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (user, ada) = (user_id("ada"), user_scope("ada"));
    writer.insert(&record(1, &ada, "one")).await;
    let edited = writer.update(&record(1, &ada, "eins"), ChangeReason::Edited).await;
    let undone = writer.update(&record(1, &ada, "one"), ChangeReason::Undone).await;
    assert_eq!(store.last_batch(&user).await.unwrap(), Some(edited));
    assert_eq!(store.versions_of(&user, undone).await.unwrap().len(), 1);
    let newer = writer.insert(&record(2, &ada, "two")).await;
    assert_eq!(store.last_batch(&user).await.unwrap(), Some(newer));
}

pub(super) async fn the_last_batch_skips_forgotten_records(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (user, ada) = (user_id("ada"), user_scope("ada"));
    let first = writer.insert(&record(1, &ada, "one")).await;
    writer.insert(&record(2, &ada, "two")).await;
    store.forget(&ada, &Forget::records(vec![memory_id(2)], vec![])).await.unwrap();
    assert_eq!(store.last_batch(&user).await.unwrap(), Some(first));
    store.forget(&ada, &Forget::records(vec![memory_id(1)], vec![])).await.unwrap();
    assert_eq!(store.last_batch(&user).await.unwrap(), None);
}
