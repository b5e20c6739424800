//! The transcript: messages in their order, and the sessions that they make.

use memcore_core::{
    Change, ContentBlock, ErrorKind, MemoryStore, MessageQuery, Role, SessionAmendment, SessionInfo, StoredMessage,
    chrono::Duration,
};
use serde_json::json;

use super::{Fixture, assert_refused};
use crate::{
    Writer,
    sample::{at, message, message_id, project_scope, session_scope, user_scope},
};

/// The ids of the messages that a query answers with, in its order.
async fn ids_of(store: &dyn MemoryStore, query: MessageQuery) -> Vec<String> {
    store.messages(&query).await.unwrap().into_iter().map(|message| message.id.to_string()).collect()
}

fn said_at(minute: i64, message: StoredMessage) -> StoredMessage {
    StoredMessage { at: at(minute), ..message }
}

pub(super) async fn messages_come_in_the_order_in_which_they_were_appended(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (one, two) = (session_scope("ada", "s1"), session_scope("ada", "s2"));
    // Neither their ids nor their times are in this order.
    let mut first = said_at(9, message(&one, "z", "first"));
    first.role = Role::Assistant;
    writer.append(vec![first.clone(), said_at(1, message(&one, "b", "second"))]).await;
    writer.append(vec![said_at(5, message(&two, "y", "third"))]).await;
    writer.append(vec![said_at(3, message(&one, "a", "fourth"))]).await;
    assert_eq!(ids_of(&*store, MessageQuery::new(user_scope("ada"))).await, ["z", "b", "y", "a"]);
    assert_eq!(ids_of(&*store, MessageQuery::new(one.clone())).await, ["z", "b", "a"]);
    assert_eq!(store.messages(&MessageQuery::new(one)).await.unwrap()[0], first);
}

pub(super) async fn a_message_that_the_session_has_is_skipped(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    assert_eq!(writer.append(vec![message(&session, "m1", "hello")]).await, [message_id("m1")]);
    let again =
        vec![message(&session, "m1", "other words"), message(&session, "m2", "new"), message(&session, "m2", "")];
    assert_eq!(writer.append(again).await, [message_id("m2")], "the receipt names what was new");
    let kept = store.messages(&MessageQuery::new(session.clone())).await.unwrap();
    assert_eq!(kept.iter().map(StoredMessage::text).collect::<Vec<_>>(), ["hello", "new"]);
    assert_eq!(store.sessions(&session).await.unwrap()[0].messages, 2);
}

pub(super) async fn equal_ids_in_two_sessions_are_two_messages(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    for session in ["s1", "s2"] {
        let appended = writer.append(vec![message(&session_scope("ada", session), "m1", session)]).await;
        assert_eq!(appended, [message_id("m1")]);
    }
    writer.append(vec![message(&session_scope("bob", "s1"), "m1", "Bob's")]).await;
    let query = MessageQuery::new(session_scope("ada", "s2")).with_ids(vec![message_id("m1")]);
    assert_eq!(store.messages(&query).await.unwrap()[0].text(), "s2");
}

pub(super) async fn messages_can_be_limited_to_a_session_to_ids_and_to_the_newest(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    writer.append(["a", "b", "c", "d"].map(|id| message(&session, id, "text")).into()).await;
    writer.append(vec![message(&session_scope("ada", "s2"), "e", "text")]).await;
    let query = MessageQuery::new(session.clone());
    assert_eq!(ids_of(&*store, query.clone()).await, ["a", "b", "c", "d"]);
    let some = query.clone().with_ids(["d", "nowhere", "a", "e"].map(message_id).into());
    assert_eq!(ids_of(&*store, some).await, ["a", "d"]);
    assert_eq!(ids_of(&*store, query.clone().with_ids(vec![])).await, [""; 0]);
    for (last, expected) in
        [(0, vec![]), (1, vec!["d"]), (3, vec!["b", "c", "d"]), (usize::MAX, vec!["a", "b", "c", "d"])]
    {
        assert_eq!(ids_of(&*store, query.clone().with_last(last)).await, expected, "the last {last}");
    }
    assert_eq!(ids_of(&*store, MessageQuery::new(user_scope("ada")).with_last(2)).await, ["d", "e"]);
    let elsewhere = MessageQuery::new(project_scope("ada", "billing").session("s1").unwrap());
    assert_eq!(ids_of(&*store, elsewhere).await, ["a", "b", "c", "d"], "the project is not compared");
    assert_eq!(ids_of(&*store, MessageQuery::new(session_scope("ada", "s9"))).await, [""; 0]);
}

pub(super) async fn messages_before_another_are_those_appended_earlier(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    writer.append(vec![said_at(9, message(&session, "c", "text")), said_at(5, message(&session, "b", "text"))]).await;
    writer.append(vec![message(&session_scope("ada", "s2"), "x", "text")]).await;
    writer.append(vec![said_at(1, message(&session, "a", "text"))]).await;
    let query = MessageQuery::new(session);
    assert_eq!(ids_of(&*store, query.clone().with_before(message_id("a"))).await, ["c", "b"]);
    assert_eq!(ids_of(&*store, query.clone().with_before(message_id("a")).with_last(1)).await, ["b"]);
    assert_eq!(ids_of(&*store, query.with_before(message_id("c"))).await, [""; 0]);
}

pub(super) async fn blocks_that_are_no_text_are_kept(fixture: Fixture) {
    let store = fixture.store();
    let session = session_scope("ada", "s1");
    let mut mixed = message(&session, "m1", "看看这个");
    mixed.role = Role::Tool;
    mixed.content.push(ContentBlock::Other(json!({"type": "image", "source": {"n": [1, 2.5, null, true]}, "": "空"})));
    mixed.content.push(ContentBlock::text(""));
    let mut empty = message(&session, "m2", "");
    empty.content.clear();
    Writer::new(store.clone()).append(vec![mixed.clone(), empty.clone()]).await;
    assert_eq!(store.messages(&MessageQuery::new(session)).await.unwrap(), [mixed, empty]);
}

pub(super) async fn messages_of_another_user_are_not_there(fixture: Fixture) {
    let store = fixture.store();
    Writer::new(store.clone()).append(vec![message(&session_scope("ada", "s1"), "m1", "hello")]).await;
    let his = MessageQuery::new(session_scope("bob", "s1"));
    for query in [his.clone(), his.with_ids(vec![message_id("m1")]), MessageQuery::new(user_scope("bob"))] {
        assert_eq!(store.messages(&query).await.unwrap(), []);
    }
}

pub(super) async fn sessions_are_listed_oldest_first_with_their_number_of_messages(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let billing = project_scope("ada", "billing").session("z").unwrap();
    let plain = session_scope("ada", "a");
    writer.append(vec![said_at(1, message(&billing, "m1", "x")), said_at(3, message(&billing, "m2", "x"))]).await;
    writer.append(vec![said_at(2, message(&plain, "m1", "x"))]).await;
    writer.append(vec![said_at(4, message(&billing, "m3", "x"))]).await;
    let info = |scope, minute, messages| {
        let mut info = SessionInfo::new(scope, at(minute));
        info.messages = messages;
        info
    };
    assert_eq!(store.sessions(&user_scope("ada")).await.unwrap(), [info(billing, 1, 3), info(plain, 2, 1)]);
}

pub(super) async fn sessions_can_be_limited_to_one(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    for session in ["s1", "s2"] {
        writer.append(vec![message(&session_scope("ada", session), "m1", "x")]).await;
    }
    let only = store.sessions(&session_scope("ada", "s2")).await.unwrap();
    assert_eq!(only.iter().map(|session| session.scope.clone()).collect::<Vec<_>>(), [session_scope("ada", "s2")]);
    assert_eq!(store.sessions(&session_scope("ada", "s3")).await.unwrap(), []);
}

pub(super) async fn a_session_takes_its_end_and_summary(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    writer.append(vec![said_at(2, message(&session, "m1", "x"))]).await;
    // Start and number of messages follow from the messages, whatever is said here.
    let mut given = SessionInfo::new(session.clone(), at(77));
    (given.ended_at, given.messages) = (Some(at(9) + Duration::microseconds(7)), 99);
    (given.summary, given.summarized_until) = (Some("谈了发票".into()), Some(message(&session, "m1", "x").id));
    given.echoes = 2;
    writer.change("ada", Change::UpdateSession(given.clone())).await.unwrap();
    let mut expected = given.clone();
    (expected.started_at, expected.messages) = (at(2), 1);
    assert_eq!(store.sessions(&session).await.unwrap(), [expected]);
    writer.append(vec![message(&session, "m2", "x")]).await;
    assert_eq!(store.sessions(&session).await.unwrap()[0].messages, 2);
    let mut reopened = given;
    (reopened.ended_at, reopened.summary) = (None, None);
    writer.change("ada", Change::UpdateSession(reopened)).await.unwrap();
    let now = &store.sessions(&session).await.unwrap()[0];
    assert_eq!((now.ended_at, now.summary.as_deref()), (None, None));
}

pub(super) async fn amending_a_session_keeps_what_is_not_given(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    let m2 = message(&session, "m2", "y");
    writer.append(vec![said_at(2, message(&session, "m1", "x")), said_at(3, m2.clone())]).await;
    let mut expected = SessionInfo::new(session.clone(), at(2));
    expected.messages = 2;
    let amendment = || SessionAmendment::new(session.clone());
    for (amendment, change) in [
        (amendment().with_echoes(1), (|info| info.echoes = 1) as fn(&mut SessionInfo)),
        (amendment().with_summary("谈了发票", m2.id.clone()), |info| info.summary = Some("谈了发票".into())),
        (amendment().with_echoes(2), |info| info.echoes = 3),
        (amendment().with_end(at(9)), |info| info.ended_at = Some(at(9))),
        (amendment(), |_| ()),
    ] {
        expected.summarized_until = expected.summarized_until.or(amendment.summary.as_ref().map(|(_, id)| id.clone()));
        change(&mut expected);
        writer.change("ada", Change::AmendSession(amendment)).await.unwrap();
        assert_eq!(store.sessions(&session).await.unwrap(), [expected.clone()]);
    }
    let nowhere = SessionAmendment::new(session_scope("ada", "s2")).with_echoes(1);
    writer.change("ada", Change::AmendSession(nowhere)).await.unwrap();
    assert_eq!(store.sessions(&user_scope("ada")).await.unwrap().len(), 1, "a session without messages is none");
    assert_refused(
        writer.change("ada", Change::AmendSession(SessionAmendment::new(user_scope("ada")))).await,
        ErrorKind::InvalidInput,
    );
    let his = SessionAmendment::new(session_scope("bob", "s1")).with_echoes(1);
    assert_refused(writer.change("ada", Change::AmendSession(his)).await, ErrorKind::InvalidInput);
}

pub(super) async fn sessions_of_another_user_are_not_there(fixture: Fixture) {
    let store = fixture.store();
    Writer::new(store.clone()).append(vec![message(&session_scope("ada", "s1"), "m1", "hello")]).await;
    for scope in [user_scope("bob"), session_scope("bob", "s1")] {
        assert_eq!(store.sessions(&scope).await.unwrap(), []);
    }
}
