//! Get and list: what a scope sees, in which order, and page by page.

use memcore_core::{
    Change, ChangeReason, ErrorKind, Forget, Importance, Kind, ListRequest, MemoryId, MemoryRecord, MemoryStore,
    RecordFilter, Scope, Slot, SortOrder, Status,
};

use super::{Fixture, assert_refused, ids};
use crate::{
    Writer,
    sample::{at, memory_id, project_scope, record, session_scope, user_scope},
};

/// Every order of a list.
const ORDERS: [SortOrder; 3] = [SortOrder::Newest, SortOrder::Oldest, SortOrder::Importance];

async fn listed(store: &dyn MemoryStore, request: ListRequest) -> Vec<MemoryId> {
    ids(&store.list(&request.with_sort(SortOrder::Oldest)).await.unwrap().records)
}

/// All pages of a list, one after the other.
async fn paged(store: &dyn MemoryStore, mut request: ListRequest) -> Vec<MemoryId> {
    let mut all = Vec::new();
    loop {
        let page = store.list(&request).await.unwrap();
        assert!(page.records.len() <= request.limit);
        assert!(!page.records.is_empty() || all.is_empty(), "the last page with records says that it is the last");
        all.extend(ids(&page.records));
        match page.next {
            Some(next) => request.cursor = Some(next),
            None => return all,
        }
    }
}

fn important(n: u64, scope: &Scope, importance: u8) -> MemoryRecord {
    let mut record = record(n, scope, "something");
    record.importance = Importance::new(importance).unwrap();
    record
}

fn of_status(n: u64, scope: &Scope, status: Status) -> MemoryRecord {
    let mut record = record(n, scope, "something");
    record.status = status;
    record
}

pub(super) async fn get_answers_in_the_order_asked_for_and_leaves_out_the_rest(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    writer.insert_all(&[record(1, &ada, "one"), record(2, &ada, "two"), record(3, &ada, "three")]).await;
    let hidden = record(4, &user_scope("bob"), "four");
    writer.insert(&hidden).await;
    let asked = [memory_id(3), memory_id(99), memory_id(1), hidden.id, memory_id(2)];
    let found = store.get(&ada, &asked).await.unwrap();
    assert_eq!(ids(&found), [memory_id(3), memory_id(1), memory_id(2)]);
    assert_eq!(store.get(&ada, &[]).await.unwrap(), []);
}

pub(super) async fn get_answers_with_records_of_every_status(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    let records: Vec<_> = (1..).zip(Status::ALL).map(|(n, status)| of_status(n, &ada, status)).collect();
    Writer::new(store.clone()).insert_all(&records).await;
    assert_eq!(store.get(&ada, &ids(&records)).await.unwrap(), records);
}

pub(super) async fn a_scope_sees_its_own_levels_and_nothing_else(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let places = [
        user_scope("ada"),
        project_scope("ada", "billing"),
        project_scope("ada", "billing").session("s1").unwrap(),
        project_scope("ada", "billing").session("s2").unwrap(),
        project_scope("ada", "garden"),
        project_scope("ada", "garden").session("s1").unwrap(),
        session_scope("ada", "s1"),
        user_scope("bob"),
        project_scope("bob", "billing").session("s1").unwrap(),
    ];
    let records: Vec<_> = (1..).zip(&places).map(|(n, scope)| record(n, scope, "a thing worth knowing")).collect();
    for record in &records {
        writer.insert(record).await;
    }
    let all = ids(&records);
    for from in &places {
        let expected: Vec<_> = records.iter().filter(|record| from.sees(&record.scope)).map(|r| r.id).collect();
        assert_eq!(ids(&store.get(from, &all).await.unwrap()), expected, "got from {from:?}");
        let request = ListRequest::new(RecordFilter::new(from.clone()));
        assert_eq!(listed(&*store, request).await, expected, "listed from {from:?}");
    }
}

pub(super) async fn user_ids_are_compared_byte_for_byte(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let names = ["ada", "Ada", "ada ", "ad_", "ad%", "%", "ada/billing", "ａｄａ", "阿达", "a'da", "a\"da"];
    for (n, name) in (1..).zip(names) {
        writer.insert(&record(n, &user_scope(name), "something")).await;
    }
    for (n, name) in (1..).zip(names) {
        let request = ListRequest::new(RecordFilter::new(user_scope(name)));
        assert_eq!(listed(&*store, request).await, [memory_id(n)], "{name}");
    }
}

pub(super) async fn a_list_is_sorted_as_asked(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    let writer = Writer::new(store.clone());
    // The order of insertion is neither of the orders of a list.
    for (n, importance) in [(2, 9), (1, 10), (4, 3), (3, 9)] {
        writer.insert(&important(n, &ada, importance)).await;
    }
    for (sort, expected) in
        [(SortOrder::Newest, [4, 3, 2, 1]), (SortOrder::Oldest, [1, 2, 3, 4]), (SortOrder::Importance, [1, 3, 2, 4])]
    {
        let request = ListRequest::new(RecordFilter::new(ada.clone())).with_sort(sort);
        let listed = store.list(&request).await.unwrap();
        assert_eq!(ids(&listed.records), expected.map(memory_id), "{sort:?}");
        assert_eq!(listed.next, None);
    }
}

pub(super) async fn pages_together_are_the_list(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    let records: Vec<_> = (1..=24).map(|n| important(n, &ada, u8::try_from(n % 4 + 1).unwrap())).collect();
    Writer::new(store.clone()).insert_all(&records).await;
    for sort in ORDERS {
        let request = ListRequest::new(RecordFilter::new(ada.clone())).with_sort(sort);
        let whole = ids(&store.list(&request).await.unwrap().records);
        assert_eq!(whole.len(), 24);
        // 8 and 24 divide the number of records: the last full page must say that it is the last.
        for limit in [1, 7, 8, 24, usize::MAX] {
            assert_eq!(paged(&*store, request.clone().with_limit(limit)).await, whole, "{sort:?} by {limit}");
        }
    }
}

pub(super) async fn pages_are_stable_while_records_come_and_go(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    let writer = Writer::new(store.clone());
    let stable: Vec<_> = (0..20).map(|n| important(1_000 + n * 10, &ada, u8::try_from(n % 3 + 4).unwrap())).collect();
    writer.insert_all(&stable).await;
    let mut next = 1;
    for sort in ORDERS {
        let mut request = ListRequest::new(RecordFilter::new(ada.clone())).with_sort(sort).with_limit(3);
        let mut seen = Vec::new();
        loop {
            let page = store.list(&request).await.unwrap();
            seen.extend(ids(&page.records));
            let Some(cursor) = page.next else { break };
            request.cursor = Some(cursor);
            // Between two pages, records come and go in front of, behind, and between those that stay.
            let passing = [next, 1_001 + next * 10, 5_000 + next].map(|n| important(n, &ada, 5));
            writer.insert_all(&passing).await;
            if next % 2 == 0 {
                store.forget(&ada, &Forget::records(ids(&passing), Vec::new())).await.unwrap();
            }
            next += 1;
        }
        for record in &stable {
            assert_eq!(seen.iter().filter(|id| **id == record.id).count(), 1, "{sort:?}: {}", record.id);
        }
    }
}

pub(super) async fn a_page_has_no_more_than_its_limit(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    Writer::new(store.clone()).insert_all(&[record(1, &ada, "one"), record(2, &ada, "two")]).await;
    for (limit, expected) in [(0, 0), (1, 1), (2, 2), (3, 2), (usize::MAX, 2)] {
        let request = ListRequest::new(RecordFilter::new(ada.clone())).with_limit(limit);
        assert_eq!(store.list(&request).await.unwrap().records.len(), expected, "limit {limit}");
    }
}

pub(super) async fn a_broken_cursor_is_invalid(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    Writer::new(store.clone()).insert(&record(1, &ada, "one")).await;
    for sort in ORDERS {
        for cursor in ["", "no cursor", "' OR 1=1 --", "游标"] {
            let request = ListRequest::new(RecordFilter::new(ada.clone())).with_sort(sort);
            let request = request.with_cursor(Some(cursor.to_owned()));
            assert_refused(store.list(&request).await, ErrorKind::InvalidInput);
        }
    }
}

pub(super) async fn a_list_can_be_limited_to_a_slot(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let slots = [("user", "location"), ("user", "locatio"), ("user", "work location"), ("project", "location")];
    for (n, (subject, attribute)) in (1..).zip(slots) {
        let mut record = record(n, &ada, "something");
        record.slot = Some(Slot::new(subject, attribute).unwrap());
        writer.insert(&record).await;
    }
    writer.insert(&record(9, &ada, "without a slot")).await;
    let mut his = record(10, &user_scope("bob"), "Bob's");
    his.slot = Some(Slot::new("user", "location").unwrap());
    writer.insert(&his).await;
    let request = |subject, attribute| {
        ListRequest::new(RecordFilter::new(ada.clone())).with_slot(Slot::new(subject, attribute).unwrap())
    };
    assert_eq!(listed(&*store, request("user", "location")).await, [memory_id(1)]);
    assert_eq!(listed(&*store, request("project", "location")).await, [memory_id(4)]);
    assert_eq!(listed(&*store, request("user", "%")).await, []);

    // A slot can be taken away by an update.
    writer.update(&record(1, &ada, "something"), ChangeReason::Edited).await;
    assert_eq!(listed(&*store, request("user", "location")).await, []);
}

pub(super) async fn a_list_can_be_limited_to_statuses(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    let records: Vec<_> = (1..).zip(Status::ALL).map(|(n, status)| of_status(n, &ada, status)).collect();
    Writer::new(store.clone()).insert_all(&records).await;
    let filter = RecordFilter::new(ada);
    assert_eq!(listed(&*store, ListRequest::new(filter.clone())).await, [memory_id(1)], "the active ones by default");
    for record in &records {
        let filter = filter.clone().with_statuses([record.status]);
        assert_eq!(listed(&*store, ListRequest::new(filter)).await, [record.id]);
    }
    let two = filter.clone().with_statuses([Status::Merged, Status::Archived]);
    assert_eq!(listed(&*store, ListRequest::new(two)).await, [memory_id(2), memory_id(4)]);
    let all = ListRequest::new(filter.clone().with_all_statuses());
    assert_eq!(listed(&*store, all).await, ids(&records));
    let none = ListRequest::new(filter.with_statuses([]));
    assert_eq!(listed(&*store, none).await, [], "no status admits nothing");
}

pub(super) async fn a_list_can_be_limited_to_kinds(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    let kinds = [Kind::Profile, Kind::Todo, Kind::Custom("recipe".into())];
    let records: Vec<_> = (1..)
        .zip(&kinds)
        .map(|(n, kind)| {
            let mut record = record(n, &ada, "something");
            record.kind = kind.clone();
            record
        })
        .collect();
    Writer::new(store.clone()).insert_all(&records).await;
    let of = |kinds: &[Kind]| ListRequest::new(RecordFilter::new(ada.clone()).with_kinds(kinds));
    assert_eq!(listed(&*store, of(&[])).await, ids(&records), "no kind admits all");
    assert_eq!(listed(&*store, of(&[Kind::Custom("recipe".into())])).await, [memory_id(3)]);
    assert_eq!(listed(&*store, of(&[Kind::Todo, Kind::Profile])).await, [memory_id(1), memory_id(2)]);
    assert_eq!(listed(&*store, of(&[Kind::Emotion])).await, []);
}

pub(super) async fn a_list_can_be_limited_to_what_is_true_at_a_moment(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    let mut ended = record(1, &ada, "from 10 until 20");
    (ended.valid_from, ended.valid_until) = (at(10), Some(at(20)));
    let mut open = record(2, &ada, "from 15 on");
    open.valid_from = at(15);
    Writer::new(store.clone()).insert_all(&[ended.clone(), open.clone()]).await;
    for (minute, expected) in [
        (9, vec![]),
        (10, vec![ended.id]),
        (15, vec![ended.id, open.id]),
        (19, vec![ended.id, open.id]),
        (20, vec![open.id]),
        (99_999, vec![open.id]),
    ] {
        let filter = RecordFilter::new(ada.clone()).with_valid_at(at(minute));
        assert_eq!(listed(&*store, ListRequest::new(filter)).await, expected, "minute {minute}");
    }
}

pub(super) async fn a_list_can_be_limited_to_ids(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    writer.insert_all(&[record(1, &ada, "one"), record(2, &ada, "two"), record(3, &ada, "three")]).await;
    writer.insert(&record(4, &user_scope("bob"), "four")).await;
    writer.insert(&record(5, &project_scope("ada", "billing"), "five")).await;
    let of = |ids: &[u64]| {
        let ids: Vec<_> = ids.iter().copied().map(memory_id).collect();
        ListRequest::new(RecordFilter::new(ada.clone()).with_ids(ids))
    };
    assert_eq!(listed(&*store, of(&[3, 1, 4, 5, 99])).await, [memory_id(1), memory_id(3)]);
    assert_eq!(listed(&*store, of(&[])).await, [], "an empty list of ids admits nothing");
    let many: Vec<u64> = (1..5_000).collect();
    assert_eq!(listed(&*store, of(&many)).await, [memory_id(1), memory_id(2), memory_id(3)]);
    writer.change("ada", Change::Touch { ids: vec![memory_id(1)], at: at(9) }).await.unwrap();
    assert_eq!(listed(&*store, of(&[1])).await, [memory_id(1)]);
}
