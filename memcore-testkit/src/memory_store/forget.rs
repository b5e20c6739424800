//! Forgetting: gone from everywhere, and nothing else with it.

use memcore_core::{
    Change, ChangeReason, ContentBlock, ErrorKind, Forget, ListRequest, MemoryStore, MessageQuery, PurgeState,
    RecordFilter, Scope, SessionId, SessionInfo, StoredMessage, TextQuery, text::query_terms,
};
use serde_json::json;

use super::{Fixture, assert_refused, ids};
use crate::{
    Writer,
    sample::{
        at, fingerprint, job, memory_id, message, project_scope, record, rejection, session_scope, user_id, user_scope,
    },
    writer::insertion,
};

fn phrases(phrases: &[&str]) -> Forget {
    Forget::records(Vec::new(), phrases.iter().map(|phrase| (*phrase).to_owned()).collect())
}

async fn texts(store: &dyn MemoryStore, scope: &Scope) -> Vec<String> {
    store.messages(&MessageQuery::new(scope.clone())).await.unwrap().iter().map(StoredMessage::text).collect()
}

pub(super) async fn a_forgotten_record_is_nowhere(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let inserted = writer.insert_all(&[record(1, &ada, "Ada owns a kite"), record(2, &ada, "Ada owns a boat")]).await;
    let updated = writer.update(&record(1, &ada, "Ada owns two kites"), ChangeReason::Edited).await;
    store.forget(&ada, &Forget::records(vec![memory_id(1)], vec![])).await.unwrap();

    assert_eq!(store.get(&ada, &[memory_id(1)]).await.unwrap(), []);
    let filter = RecordFilter::new(ada.clone()).with_all_statuses();
    assert_eq!(ids(&store.list(&ListRequest::new(filter.clone())).await.unwrap().records), [memory_id(2)]);
    let found = store.search_text(&TextQuery::new(query_terms("kite"), filter, 10)).await.unwrap();
    assert_eq!((found.hits, found.frequencies, found.documents), (vec![], vec![0], 1));
    assert_refused(store.history(&ada, memory_id(1)).await, ErrorKind::NotFound);
    assert_eq!(store.versions_of(&user_id("ada"), inserted).await.unwrap().len(), 1);
    assert_eq!(store.versions_of(&user_id("ada"), updated).await.unwrap(), []);
    assert_eq!(store.pending_vectors(&fingerprint("a model"), 10).await.unwrap(), [(ada, memory_id(2))]);
    assert_eq!(store.stats(None).await.unwrap().total, 1);
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn the_receipt_names_what_was_there(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (ada, billing) = (user_scope("ada"), project_scope("ada", "billing"));
    writer.insert_all(&[record(1, &ada, "one"), record(2, &billing, "two")]).await;
    let asked = vec![memory_id(1), memory_id(99), memory_id(2), memory_id(1)];
    let receipt = store.forget(&billing, &Forget::records(asked.clone(), vec![])).await.unwrap();
    let mut forgotten = receipt.forgotten;
    forgotten.sort();
    assert_eq!(forgotten, [memory_id(1), memory_id(2)], "each once, and only those that were there");
    assert!(receipt.rows >= 2 && receipt.terms >= 2);
    let again = store.forget(&billing, &Forget::records(asked, vec![])).await.unwrap();
    assert_eq!((again.forgotten, again.rows), (vec![], 0));
}

pub(super) async fn what_the_scope_does_not_see_is_not_forgotten(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let hidden = record(1, &project_scope("ada", "billing"), "hidden");
    writer.insert(&hidden).await;
    writer.insert(&record(2, &user_scope("bob"), "Bob's")).await;
    let generation = store.generation(&user_id("ada")).await.unwrap();
    for scope in [user_scope("bob"), project_scope("bob", "billing"), project_scope("ada", "garden"), user_scope("ada")]
    {
        let receipt = store.forget(&scope, &Forget::records(vec![hidden.id], vec![])).await.unwrap();
        assert_eq!(receipt.forgotten, [], "{scope:?}");
    }
    assert_eq!(store.get(&hidden.scope, &[hidden.id]).await.unwrap(), [hidden]);
    assert_eq!(store.generation(&user_id("ada")).await.unwrap(), generation);
}

pub(super) async fn references_to_a_forgotten_record_are_dropped(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    writer.insert(&record(1, &ada, "to be forgotten")).await;
    let mut follower = record(2, &project_scope("ada", "billing"), "an older statement");
    follower.superseded_by = Some(memory_id(1));
    follower.conflicts_with = vec![memory_id(3), memory_id(1)];
    writer.insert(&follower).await;
    let mut former = record(4, &ada, "was in conflict once");
    former.conflicts_with = vec![memory_id(1)];
    writer.insert(&former).await;
    writer.update(&record(4, &ada, "is no more"), ChangeReason::Edited).await;

    store.forget(&ada, &Forget::records(vec![memory_id(1)], vec![])).await.unwrap();
    let left = &store.get(&follower.scope, &[follower.id]).await.unwrap()[0];
    assert_eq!((left.superseded_by, left.conflicts_with.as_slice()), (None, [memory_id(3)].as_slice()));
    assert_eq!(left.content, follower.content);
    let history = store.history(&ada, former.id).await.unwrap();
    assert_eq!(history.len(), 2, "no version more");
    assert!(history.iter().all(|version| version.record.conflicts_with.is_empty()), "earlier versions as well");
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn phrases_are_erased_from_the_transcript(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (s1, s2) = (session_scope("ada", "s1"), project_scope("ada", "billing").session("s2").unwrap());
    let mut tool = message(&s2, "m2", "花生过敏, 花生过敏!");
    tool.content
        .push(ContentBlock::Other(json!({"type": "tool_result", "content": ["她花生过敏", {"q": "花生过敏"}]})));
    writer.append(vec![message(&s1, "m1", "I am allergic to peanuts, to peanuts!")]).await;
    writer.append(vec![tool, message(&s2, "m3", "what about cashews?")]).await;
    let mut info = SessionInfo::new(s1.clone(), at(0));
    info.summary = Some("allergic to peanuts".into());
    writer.change("ada", Change::UpdateSession(info)).await.unwrap();

    let receipt = store.forget(&user_scope("ada"), &phrases(&["to peanuts", "花生过敏"])).await.unwrap();
    assert!(receipt.derived >= 2, "two messages were rewritten");
    assert_eq!(texts(&*store, &s1).await, ["I am allergic [forgotten], [forgotten]!"]);
    assert_eq!(texts(&*store, &s2).await, ["[forgotten], [forgotten]!", "what about cashews?"]);
    let kept = store.messages(&MessageQuery::new(s2)).await.unwrap();
    let expected = json!({"type": "tool_result", "content": ["她[forgotten]", {"q": "[forgotten]"}]});
    assert_eq!(kept[0].content.last(), Some(&ContentBlock::Other(expected)));
    let summary = store.sessions(&s1).await.unwrap()[0].summary.clone();
    assert!(!summary.unwrap_or_default().contains("peanuts"));
}

pub(super) async fn phrases_are_erased_from_rejections_and_the_queue(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    writer.change("ada", Change::Reject { entry: rejection("perhaps a 牙医 appointment", 1) }).await.unwrap();
    writer.change("ada", Change::Enqueue(job(1, &session))).await.unwrap();
    let failure = Change::FailJob {
        id: job(1, &session).id,
        error: "cannot read: 牙医".into(),
        raw_reply: Some("[{\"content\": \"看牙医".into()),
        retry_at: Some(at(5)),
    };
    writer.change("ada", failure).await.unwrap();
    store.forget(&user_scope("ada"), &phrases(&["牙医"])).await.unwrap();
    let rejected = store.rejected(&user_scope("ada"), 10).await.unwrap();
    assert_eq!(rejected[0].rejection.text, "perhaps a [forgotten] appointment");
    let jobs = store.jobs(Some(&session)).await.unwrap();
    assert!(!jobs[0].last_error.as_deref().unwrap_or_default().contains("牙医"), "{jobs:?}");
    assert!(!jobs[0].raw_reply.as_deref().unwrap_or_default().contains("牙医"), "{jobs:?}");
}

pub(super) async fn phrases_are_erased_longest_first_and_are_no_pattern(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    let said = [
        "born in Turin",
        "Turin, born in Turin, Italy",
        "100% sure",
        "1000 times",
        "a_b axb",
        "it's 'x' \"y\" \\z",
        "",
    ];
    let messages = (1..).zip(said).map(|(n, text)| message(&session, &format!("m{n}"), text)).collect();
    writer.append(messages).await;
    let request = phrases(&["Turin", "born in Turin", "100%", "a_b", "'x' \"y\" \\z", ""]);
    store.forget(&user_scope("ada"), &request).await.unwrap();
    let expected = [
        "[forgotten]",
        "[forgotten], [forgotten], Italy",
        "[forgotten] sure",
        "1000 times",
        "[forgotten] axb",
        "it's [forgotten]",
        "",
    ];
    assert_eq!(texts(&*store, &session).await, expected);
}

pub(super) async fn phrases_of_another_user_stay(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let his = session_scope("bob", "s1");
    writer.append(vec![message(&his, "m1", "I have a dentist")]).await;
    writer.change("bob", Change::Reject { entry: rejection("a dentist", 1) }).await.unwrap();
    writer.append(vec![message(&session_scope("ada", "s1"), "m1", "a dentist")]).await;
    let request = phrases(&["dentist"]).with_sessions(vec![SessionId::new("s1").unwrap()]);
    store.forget(&user_scope("ada"), &request).await.unwrap();
    assert_eq!(texts(&*store, &his).await, ["I have a dentist"]);
    assert_eq!(store.rejected(&his, 10).await.unwrap().len(), 0, "it was in no session");
    assert_eq!(store.rejected(&user_scope("bob"), 10).await.unwrap()[0].rejection.text, "a dentist");
}

pub(super) async fn forgotten_sessions_take_their_messages_and_jobs_along(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (s1, s2) = (session_scope("ada", "s1"), session_scope("ada", "s2"));
    for (n, session) in [(1, &s1), (2, &s2)] {
        writer.append(vec![message(session, "m1", "hello"), message(session, "m2", "again")]).await;
        writer.change("ada", Change::Enqueue(job(n, session))).await.unwrap();
    }
    writer.insert(&record(1, &user_scope("ada"), "came from the first session")).await;
    let request = Forget::default().with_sessions(vec![SessionId::new("s1").unwrap(), SessionId::new("s9").unwrap()]);
    let receipt = store.forget(&user_scope("ada"), &request).await.unwrap();
    assert!(receipt.rows >= 3 && receipt.forgotten.is_empty());
    assert_eq!(texts(&*store, &s1).await, [""; 0]);
    assert_eq!(store.sessions(&s1).await.unwrap(), []);
    assert_eq!(store.jobs(None).await.unwrap(), [job(2, &s2)]);
    assert_eq!(texts(&*store, &s2).await.len(), 2);
    assert_eq!(store.get(&s1, &[memory_id(1)]).await.unwrap().len(), 1, "records are given by their ids");
}

/// Something of everything for a user; ids from `n` on.
async fn furnish(writer: &Writer, user: &str, n: u64) {
    let session = project_scope(user, "billing").session("s1").unwrap();
    let places = [user_scope(user), project_scope(user, "billing"), project_scope(user, "garden"), session.clone()];
    let records: Vec<_> = (n..).zip(&places).map(|(n, scope)| record(n, scope, "a kite")).collect();
    writer.insert_all(&records).await;
    writer.update(&record(n, &places[0], "a boat"), ChangeReason::Edited).await;
    writer.append(vec![message(&session, "m1", "a kite")]).await;
    writer.change(user, Change::Enqueue(job(n, &session))).await.unwrap();
    writer.change(user, Change::Reject { entry: rejection("a kite", 1) }).await.unwrap();
}

pub(super) async fn forgetting_everything_leaves_nothing_of_the_user(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    furnish(&writer, "ada", 1).await;
    let generation = store.generation(&user_id("ada")).await.unwrap();
    // From any place: the scope's project does not matter.
    let receipt = store.forget(&project_scope("ada", "garden"), &Forget::everything()).await.unwrap();
    assert_eq!(receipt.forgotten.len(), 4);
    let filter = |scope| RecordFilter::new(scope).with_all_statuses();
    for scope in [project_scope("ada", "billing").session("s1").unwrap(), project_scope("ada", "garden")] {
        assert_eq!(store.list(&ListRequest::new(filter(scope.clone()))).await.unwrap().records, []);
        let found = store.search_text(&TextQuery::new(query_terms("kite"), filter(scope), 10)).await.unwrap();
        assert_eq!((found.hits, found.frequencies, found.documents), (vec![], vec![0], 0));
    }
    assert_eq!(texts(&*store, &user_scope("ada")).await, [""; 0]);
    assert_eq!(store.sessions(&user_scope("ada")).await.unwrap(), []);
    assert_eq!(store.jobs(None).await.unwrap(), []);
    assert_eq!(store.rejected(&user_scope("ada"), 10).await.unwrap(), []);
    assert_eq!(store.last_batch(&user_id("ada")).await.unwrap(), None);
    assert_eq!(store.users(None, 10).await.unwrap(), []);
    assert_ne!(store.generation(&user_id("ada")).await.unwrap(), generation, "older plans are out of date");
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn forgetting_everything_leaves_other_users_alone(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    furnish(&writer, "ada", 1).await;
    furnish(&writer, "bob", 100).await;
    let before = store.stats(Some(&user_id("bob"))).await.unwrap();
    store.forget(&user_scope("ada"), &Forget::everything()).await.unwrap();
    let after = store.stats(Some(&user_id("bob"))).await.unwrap();
    assert_eq!((after.total, after.messages, after.pending_jobs, after.rejected), (4, 1, 1, 1));
    assert_eq!((after.by_kind, after.avg_importance), (before.by_kind, before.avg_importance));
    assert_eq!(texts(&*store, &user_scope("bob")).await, ["a kite"]);
    assert_eq!(store.users(None, 10).await.unwrap(), [user_id("bob")]);
    assert_eq!(store.generation(&user_id("bob")).await.unwrap(), 2);
}

pub(super) async fn users_who_come_behind_an_erased_one_begin_with_its_generation(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    furnish(&writer, "ada", 1).await;
    writer.insert(&record(50, &user_scope("bob"), "a kite")).await;
    store.forget(&user_scope("ada"), &Forget::everything()).await.unwrap();
    let last = store.generation(&user_id("ada")).await.unwrap();
    assert_eq!(store.generation(&user_id("阿达")).await.unwrap(), last, "nobody can tell who of them was here before");
    assert_eq!(store.generation(&user_id("bob")).await.unwrap(), 1);
    store.forget(&user_scope("bob"), &Forget::everything()).await.unwrap();
    let user = user_scope("bob");
    let stale = writer.batch("bob").with_expected_generation(1).with(insertion(&record(51, &user, "a kite")));
    assert_refused(store.commit(stale).await, ErrorKind::Conflict);
    let batch = writer.batch("bob").with_expected_generation(last).with(insertion(&record(51, &user, "a kite")));
    assert_eq!(store.commit(batch).await.unwrap().generation, last + 1);
}

pub(super) async fn an_empty_request_erases_nothing(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    furnish(&writer, "ada", 1).await;
    let generation = store.generation(&user_id("ada")).await.unwrap();
    for request in [Forget::default(), phrases(&[]), phrases(&[""])] {
        let receipt = store.forget(&user_scope("ada"), &request).await.unwrap();
        assert_eq!((receipt.forgotten, receipt.rows, receipt.derived), (vec![], 0, 0));
    }
    assert_eq!(store.stats(None).await.unwrap().total, 4);
    assert_eq!(texts(&*store, &user_scope("ada")).await, ["a kite"]);
    assert_eq!(store.generation(&user_id("ada")).await.unwrap(), generation);
}

pub(super) async fn forgetting_raises_the_generation(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    writer.insert_all(&[record(1, &ada, "one"), record(2, &ada, "two"), record(3, &ada, "three")]).await;
    store.forget(&ada, &Forget::records(vec![memory_id(1), memory_id(2)], vec![])).await.unwrap();
    assert_eq!(store.generation(&user_id("ada")).await.unwrap(), 2);
    let batch = writer.batch("ada").with_expected_generation(1);
    assert_refused(store.commit(batch).await, ErrorKind::Conflict);
}

pub(super) async fn a_forgotten_id_can_be_stored_again(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    writer.insert(&record(1, &ada, "one")).await;
    writer.update(&record(1, &ada, "eins"), ChangeReason::Edited).await;
    store.forget(&ada, &Forget::records(vec![memory_id(1)], vec![])).await.unwrap();
    let again = record(1, &ada, "one again");
    writer.insert(&again).await;
    assert_eq!(store.get(&ada, &[again.id]).await.unwrap(), std::slice::from_ref(&again));
    let history = store.history(&ada, again.id).await.unwrap();
    assert_eq!((history.len(), history[0].number), (1, 1), "nothing of its former life comes back");
}

pub(super) async fn purged_means_that_no_byte_was_found(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    Writer::new(store.clone()).insert(&record(1, &ada, "xylophone quartet")).await;
    let request = Forget::records(vec![memory_id(1)], vec!["xylophone quartet".into()]);
    let receipt = store.forget(&ada, &request).await.unwrap();
    match receipt.purge {
        PurgeState::Purged => assert_eq!(receipt.residual_bytes, 0),
        PurgeState::Pending(why) => assert!(!why.is_empty() && !why.contains("xylophone"), "it says what it waits for"),
    }
}
