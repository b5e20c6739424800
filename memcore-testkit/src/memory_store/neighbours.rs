//! Neighbours: the turns around an episode, in the session in which it was said.

use memcore_core::{Kind, MemoryRecord, MemoryStore, Neighbours, RecordFilter, Scope, SessionId, Status};

use super::Fixture;
use crate::{
    Writer,
    sample::{memory_id, project_scope, record, user_scope},
};

/// The n-th turn, said in a session.
fn turn(n: u64, scope: &Scope, session: &str) -> MemoryRecord {
    let mut turn = record(n, scope, &format!("turn {n}"));
    turn.kind = Kind::Episode;
    turn.provenance.session = Some(SessionId::new(session).unwrap());
    turn
}

/// Six turns of one session, two others between them.
async fn converse(fixture: &Fixture, scope: &Scope) {
    let turns = [
        turn(1, scope, "morning"),
        turn(2, scope, "morning"),
        turn(3, scope, "下午"),
        turn(4, scope, "morning"),
        turn(5, scope, "下午"),
        turn(6, scope, "morning"),
        turn(7, scope, "morning"),
        turn(8, scope, "morning"),
    ];
    // In another order than that of their ids.
    let (later, earlier) = turns.split_at(4);
    let writer = Writer::new(fixture.store());
    writer.insert_all(earlier).await;
    writer.insert_all(later).await;
}

fn around(of: u64, before: &[u64], after: &[u64]) -> Neighbours {
    let ids = |numbers: &[u64]| numbers.iter().map(|n| memory_id(*n)).collect();
    Neighbours { of: memory_id(of), before: ids(before), after: ids(after) }
}

async fn neighbours(store: &dyn MemoryStore, filter: &RecordFilter, of: &[u64], reach: usize) -> Vec<Neighbours> {
    let of: Vec<_> = of.iter().map(|n| memory_id(*n)).collect();
    store.neighbours(&of, filter, reach).await.unwrap()
}

pub(super) async fn neighbours_of_an_episode_are_the_turns_around_it_in_its_session(fixture: Fixture) {
    let ada = user_scope("ada");
    converse(&fixture, &ada).await;
    let (store, filter) = (fixture.store(), RecordFilter::new(ada));
    for (of, reach, before, after) in [
        (4, 2, &[2, 1][..], &[6, 7][..]),
        (1, 2, &[], &[2, 4]),
        (8, 1, &[7], &[]),
        (3, 9, &[], &[5]),
        (4, 9, &[2, 1], &[6, 7, 8]),
        (4, 0, &[], &[]),
    ] {
        assert_eq!(neighbours(&*store, &filter, &[of], reach).await, [around(of, before, after)], "{of}, {reach}");
    }
    let in_order = neighbours(&*store, &filter, &[7, 99, 2], 1).await;
    assert_eq!(in_order, [around(7, &[6], &[8]), around(2, &[1], &[4])]);
}

pub(super) async fn neighbours_are_those_that_the_filter_admits(fixture: Fixture) {
    let (ada, billing) = (user_scope("ada"), project_scope("ada", "billing"));
    let mut archived = turn(2, &ada, "morning");
    archived.status = Status::Archived;
    let turns = [
        turn(1, &ada, "morning"),
        archived,
        turn(3, &ada, "morning"),
        turn(4, &billing, "morning"),
        turn(5, &ada, "morning"),
    ];
    Writer::new(fixture.store()).insert_all(&turns).await;
    let (store, filter) = (fixture.store(), RecordFilter::new(ada));
    assert_eq!(neighbours(&*store, &filter, &[3], 1).await, [around(3, &[1], &[5])]);
    assert_eq!(neighbours(&*store, &filter, &[2, 4], 1).await, []);
    let all = filter.clone().with_all_statuses();
    assert_eq!(neighbours(&*store, &all, &[3], 1).await, [around(3, &[2], &[5])]);
    let from_billing = RecordFilter::new(billing);
    assert_eq!(neighbours(&*store, &from_billing, &[3], 1).await, [around(3, &[1], &[4])]);
    assert_eq!(neighbours(&*store, &filter.with_statuses(Vec::new()), &[3], 1).await, []);
}

pub(super) async fn what_is_no_episode_of_a_session_has_no_neighbours(fixture: Fixture) {
    let ada = user_scope("ada");
    let mut fact = turn(2, &ada, "morning");
    fact.kind = Kind::Fact;
    let mut homeless = turn(4, &ada, "morning");
    homeless.provenance.session = None;
    let turns = [turn(1, &ada, "morning"), fact, turn(3, &ada, "morning"), homeless, turn(5, &ada, "morning")];
    Writer::new(fixture.store()).insert_all(&turns).await;
    let found = neighbours(&*fixture.store(), &RecordFilter::new(ada), &[2, 3, 4], 1).await;
    assert_eq!(found, [around(3, &[1], &[5])]);
}

pub(super) async fn neighbours_of_another_user_are_not_there(fixture: Fixture) {
    let (ada, bob) = (user_scope("ada"), user_scope("bob"));
    let writer = Writer::new(fixture.store());
    writer.insert_all(&[turn(1, &ada, "morning"), turn(3, &ada, "morning")]).await;
    writer.insert_all(&[turn(2, &bob, "morning")]).await;
    let store = fixture.store();
    assert_eq!(
        neighbours(&*store, &RecordFilter::new(ada), &[1, 2, 3], 2).await,
        [around(1, &[], &[3]), around(3, &[1], &[])]
    );
    assert_eq!(neighbours(&*store, &RecordFilter::new(bob), &[1, 2, 3], 2).await, [around(2, &[], &[])]);
    assert_eq!(neighbours(&*store, &RecordFilter::new(user_scope("eve")), &[1, 2, 3], 2).await, []);
}
