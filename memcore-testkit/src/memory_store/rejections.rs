//! What was not captured: newest first, and not without end.

use memcore_core::{Change, RejectedEntry, Rejection, RejectionReason, SessionId};

use super::Fixture;
use crate::{
    Writer,
    sample::{at, message_id, rejection, session_scope, user_scope},
};

fn in_session(session: &str, entry: RejectedEntry) -> RejectedEntry {
    RejectedEntry { session: Some(SessionId::new(session).unwrap()), ..entry }
}

fn texts(entries: &[RejectedEntry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.rejection.text.as_str()).collect()
}

pub(super) async fn rejections_are_listed_newest_first(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let first = Rejection::new("谢谢", RejectionReason::Smalltalk, Some(message_id("m1")));
    let first = RejectedEntry { rejection: first, session: Some(SessionId::new("s1").unwrap()), at: at(1) };
    let batch = writer.batch("ada").with(Change::Reject { entry: first.clone() });
    store.commit(batch.with(Change::Reject { entry: rejection("ok", 2) })).await.unwrap();
    writer.change("ada", Change::Reject { entry: rejection("sure?", 3) }).await.unwrap();
    let all = store.rejected(&ada, 10).await.unwrap();
    assert_eq!(texts(&all), ["sure?", "ok", "谢谢"]);
    assert_eq!(all[2], first);
    assert_eq!(texts(&store.rejected(&ada, 2).await.unwrap()), ["sure?", "ok"]);
    assert_eq!(store.rejected(&ada, 0).await.unwrap(), []);
    assert_eq!(store.rejected(&ada, usize::MAX).await.unwrap().len(), 3);
}

pub(super) async fn rejections_can_be_limited_to_a_session(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    for entry in [in_session("s1", rejection("one", 1)), in_session("s2", rejection("two", 2)), rejection("none", 3)] {
        writer.change("ada", Change::Reject { entry }).await.unwrap();
    }
    assert_eq!(texts(&store.rejected(&session_scope("ada", "s1"), 10).await.unwrap()), ["one"]);
    assert_eq!(store.rejected(&session_scope("ada", "s3"), 10).await.unwrap(), []);
}

pub(super) async fn rejections_of_another_user_are_not_there(fixture: Fixture) {
    let store = fixture.store();
    let entry = in_session("s1", rejection("hers", 1));
    Writer::new(store.clone()).change("ada", Change::Reject { entry }).await.unwrap();
    for scope in [user_scope("bob"), session_scope("bob", "s1")] {
        assert_eq!(store.rejected(&scope, 10).await.unwrap(), []);
    }
}

pub(super) async fn the_newest_thousand_rejections_of_a_user_are_kept(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    writer.change("bob", Change::Reject { entry: rejection("Bob's", 0) }).await.unwrap();
    let reject = |n: i64| Change::Reject { entry: rejection(&format!("text {n}"), n) };
    let batch = (1..=1_001).fold(writer.batch("ada"), |batch, n| batch.with(reject(n)));
    store.commit(batch).await.unwrap();
    writer.change("ada", reject(1_002)).await.unwrap();
    let kept = store.rejected(&user_scope("ada"), usize::MAX).await.unwrap();
    assert_eq!(kept.len(), 1_000);
    let (newest, oldest) = (&kept[0].rejection.text, &kept[999].rejection.text);
    assert_eq!((newest.as_str(), oldest.as_str()), ("text 1002", "text 3"));
    assert_eq!(store.rejected(&user_scope("bob"), 10).await.unwrap().len(), 1, "each user has a thousand");
}
