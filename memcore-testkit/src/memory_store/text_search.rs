//! Text search: what is found, in both languages, within the filter, and the figures beside the hits.

use memcore_core::{
    ChangeReason, Forget, Kind, MemoryId, MemoryStore, RecordFilter, Scope, Status, TextMatches, TextQuery,
    text::{QueryTerm, query_terms},
};

use super::{Fixture, ids};
use crate::{
    Writer,
    sample::{at, memory_id, project_scope, record, term, user_scope},
};

async fn search(store: &dyn MemoryStore, scope: &Scope, text: &str) -> TextMatches {
    let query = TextQuery::new(query_terms(text), RecordFilter::new(scope.clone()), 100);
    store.search_text(&query).await.unwrap()
}

/// The ids of the hits, in id order.
fn found(matches: &TextMatches) -> Vec<MemoryId> {
    let mut ids: Vec<_> = matches.hits.iter().map(|hit| hit.id).collect();
    ids.sort();
    ids
}

async fn with_contents(fixture: &Fixture, scope: &Scope, contents: &[&str]) {
    let records: Vec<_> = (1..).zip(contents).map(|(n, content)| record(n, scope, content)).collect();
    Writer::new(fixture.store()).insert_all(&records).await;
}

pub(super) async fn words_are_found_in_english_and_chinese(fixture: Fixture) {
    let ada = user_scope("ada");
    let contents = ["Ada plays the violin on Sundays", "她对花生过敏", "The server room is in Lyon", "周五要去看牙医"];
    with_contents(&fixture, &ada, &contents).await;
    for (text, expected) in [
        ("violin", 1),
        ("VIOLINS", 1),
        ("sunday", 1),
        ("花生", 2),
        ("過敏", 2),
        ("Lyon", 3),
        ("牙医", 4),
        ("what is there to know about the server room?", 3),
        ("什么时候去看牙医?", 4),
    ] {
        let matches = search(&*fixture.store(), &ada, text).await;
        assert_eq!(matches.hits.first().map(|hit| hit.id), Some(memory_id(expected)), "{text}");
    }
    for text in ["oboe", "芝麻"] {
        assert_eq!(found(&search(&*fixture.store(), &ada, text).await), [], "{text}");
    }
}

pub(super) async fn identifiers_are_found_whole(fixture: Fixture) {
    let ada = user_scope("ada");
    let contents = [
        "The order is QX-B20418",
        "升级到 v3.7.2 以后报错",
        "rustc says E0499",
        "see src/ledger/mod.rs",
        "plain words",
    ];
    with_contents(&fixture, &ada, &contents).await;
    for (text, expected) in [("QX-B20418", 1), ("qx-b20418", 1), ("v3.7.2", 2), ("E0499", 3), ("src/ledger/mod.rs", 4)]
    {
        let matches = search(&*fixture.store(), &ada, text).await;
        assert_eq!(matches.hits.first().map(|hit| hit.id), Some(memory_id(expected)), "{text}");
    }
}

pub(super) async fn query_syntax_is_data(fixture: Fixture) {
    let ada = user_scope("ada");
    with_contents(&fixture, &ada, &["Ada plays chess and draughts", "Ada swims"]).await;
    for text in [
        "\"",
        "'",
        "*",
        "chess\"",
        "(chess",
        "chess*",
        "content:chess",
        "^chess",
        "-chess",
        "NEAR(chess, 2)",
        "chess:",
        "chess OR",
        "AND",
        "NOT chess",
        "chess'; DROP TABLE x; --",
        "\0chess",
        "{chess}",
        "chess%",
        "+",
        "\\",
    ] {
        let matches = search(&*fixture.store(), &ada, text).await;
        assert!(found(&matches).iter().all(|id| *id == memory_id(1) || text == "AND"), "{text}");
        // Terms from elsewhere are taken as they are, and are no syntax either.
        let raw = TextQuery::new(vec![term(text)], RecordFilter::new(ada.clone()), 10);
        assert!(fixture.store().search_text(&raw).await.unwrap().hits.len() <= 1, "{text}");
    }
    let quoted = search(&*fixture.store(), &ada, "\"chess\" (draughts) *").await;
    assert_eq!(found(&quoted), [memory_id(1)]);
}

pub(super) async fn any_term_suffices(fixture: Fixture) {
    let ada = user_scope("ada");
    with_contents(&fixture, &ada, &["a red kite", "a blue kite", "a blue boat", "nothing of it"]).await;
    let matches = search(&*fixture.store(), &ada, "red boat").await;
    assert_eq!(found(&matches), [memory_id(1), memory_id(3)]);
    let unknown_too = search(&*fixture.store(), &ada, "zeppelin kite").await;
    assert_eq!(found(&unknown_too), [memory_id(1), memory_id(2)]);
}

pub(super) async fn terms_of_weight_zero_find_nothing(fixture: Fixture) {
    let ada = user_scope("ada");
    with_contents(&fixture, &ada, &["a red kite", "a blue boat"]).await;
    let weightless = QueryTerm { weight: 0.0, ..term("kite") };
    let query = TextQuery::new(vec![weightless, term("boat")], RecordFilter::new(ada), 10);
    let matches = fixture.store().search_text(&query).await.unwrap();
    assert_eq!(found(&matches), [memory_id(2)]);
    assert_eq!(matches.frequencies.len(), 2);
}

pub(super) async fn a_search_without_terms_finds_nothing(fixture: Fixture) {
    let ada = user_scope("ada");
    with_contents(&fixture, &ada, &["a red kite", "a blue boat"]).await;
    let matches = search(&*fixture.store(), &ada, "").await;
    assert_eq!((matches.hits, matches.frequencies, matches.documents), (vec![], vec![], 2));
}

pub(super) async fn the_filter_works_inside_the_search(fixture: Fixture) {
    let store = fixture.store();
    let ada = user_scope("ada");
    // Two hundred better matches that the filter excludes, and one that it admits.
    let mut records: Vec<_> = (1..=200).map(|n| record(n, &ada, "kite")).collect();
    for (n, record) in records.iter_mut().enumerate() {
        match n % 3 {
            0 => record.status = Status::Archived,
            1 => record.kind = Kind::Todo,
            _ => record.valid_until = Some(record.valid_from),
        }
    }
    let wanted = record(500, &ada, "somewhere in a long text about other things there is a kite as well");
    records.push(wanted.clone());
    Writer::new(store.clone()).insert_all(&records).await;
    let filter = RecordFilter::new(ada).with_kinds([Kind::Fact]).with_valid_at(at(100_000));
    let found_with =
        async |filter| found(&store.search_text(&TextQuery::new(vec![term("kite")], filter, 1)).await.unwrap());
    assert_eq!(found_with(filter).await, [wanted.id]);
    let by_id = RecordFilter::new(wanted.scope.clone()).with_ids([wanted.id]);
    assert_eq!(found_with(by_id.clone()).await, [wanted.id]);
    assert_eq!(found_with(by_id.with_statuses([])).await, []);
}

pub(super) async fn a_search_sees_what_the_scope_sees(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let places = [
        user_scope("ada"),
        project_scope("ada", "billing"),
        project_scope("ada", "billing").session("s1").unwrap(),
        project_scope("ada", "garden"),
        user_scope("bob"),
    ];
    let records: Vec<_> = (1..).zip(&places).map(|(n, scope)| record(n, scope, "风筝 and a kite")).collect();
    for record in &records {
        writer.insert(record).await;
    }
    for from in &places {
        let expected: Vec<_> = records.iter().filter(|record| from.sees(&record.scope)).cloned().collect();
        for text in ["kite", "风筝"] {
            assert_eq!(found(&search(&*store, from, text).await), ids(&expected), "{text} from {from:?}");
        }
    }
    let nobody = search(&*store, &user_scope("eve"), "kite").await;
    assert_eq!((nobody.hits, nobody.frequencies, nobody.documents), (vec![], vec![0], 0));
}

pub(super) async fn k_limits_the_hits(fixture: Fixture) {
    let ada = user_scope("ada");
    with_contents(&fixture, &ada, &["a red kite", "a blue kite", "a green kite"]).await;
    let mut best = Vec::new();
    for (k, expected) in [(0, 0), (1, 1), (2, 2), (3, 3), (4_097, 3), (usize::MAX, 3)] {
        let query = TextQuery::new(query_terms("kite green"), RecordFilter::new(ada.clone()), k);
        let hits = fixture.store().search_text(&query).await.unwrap().hits;
        assert_eq!(hits.len(), expected, "k {k}");
        best.extend(hits.first().map(|hit| hit.id));
    }
    assert!(best.iter().all(|id| *id == memory_id(3)), "a smaller k keeps the best");
}

pub(super) async fn scores_are_finite_and_descending(fixture: Fixture) {
    let ada = user_scope("ada");
    let contents = ["kite", "kite boat", "kite boat tree", "tree", "kite kite kite", "boat house"];
    with_contents(&fixture, &ada, &contents).await;
    let hits = search(&*fixture.store(), &ada, "kite boat tree").await.hits;
    assert_eq!(hits.len(), contents.len());
    assert!(hits.iter().all(|hit| hit.score.is_finite()));
    assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
}

pub(super) async fn rarer_terms_weigh_more(fixture: Fixture) {
    let ada = user_scope("ada");
    let contents = ["a common boat", "a common kite", "a common tree", "a common house", "a rare house"];
    with_contents(&fixture, &ada, &contents).await;
    let query = TextQuery::new(vec![term("common"), term("rare")], RecordFilter::new(ada), 10);
    let hits = fixture.store().search_text(&query).await.unwrap().hits;
    assert_eq!(hits[0].id, memory_id(5));
}

pub(super) async fn heavier_terms_weigh_more(fixture: Fixture) {
    let ada = user_scope("ada");
    with_contents(&fixture, &ada, &["one kite", "one boat", "one tree"]).await;
    for (light, heavy, best) in [("kite", "boat", 2), ("boat", "kite", 1)] {
        let terms = vec![QueryTerm { weight: 0.2, ..term(light) }, term(heavy)];
        let query = TextQuery::new(terms, RecordFilter::new(ada.clone()), 10);
        let hits = fixture.store().search_text(&query).await.unwrap().hits;
        assert_eq!((hits.len(), hits[0].id), (2, memory_id(best)));
    }
}

pub(super) async fn frequencies_count_all_of_the_users_records(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let mut archived = record(1, &user_scope("ada"), "an old kite");
    archived.status = Status::Archived;
    writer.insert(&archived).await;
    writer.insert(&record(2, &project_scope("ada", "garden"), "a kite, and again the kite")).await;
    writer.insert(&record(3, &project_scope("ada", "billing"), "a boat")).await;
    let terms = vec![term("boat"), term("kite"), term("zeppelin")];
    let query = TextQuery::new(terms, RecordFilter::new(project_scope("ada", "billing")), 10);
    let matches = store.search_text(&query).await.unwrap();
    assert_eq!((matches.frequencies.as_slice(), matches.documents), ([1, 2, 0].as_slice(), 3));
    assert_eq!(found(&matches), [memory_id(3)]);

    store.forget(&user_scope("ada"), &Forget::records(vec![archived.id], vec![])).await.unwrap();
    let matches = store.search_text(&query).await.unwrap();
    assert_eq!((matches.frequencies.as_slice(), matches.documents), ([1, 1, 0].as_slice(), 2));
}

pub(super) async fn frequencies_do_not_count_other_users(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    writer.insert(&record(1, &user_scope("ada"), "one kite")).await;
    writer.insert_all(&(2..50).map(|n| record(n, &user_scope("bob"), "kite and boat")).collect::<Vec<_>>()).await;
    let query = TextQuery::new(vec![term("kite"), term("boat")], RecordFilter::new(user_scope("ada")), 10);
    let matches = store.search_text(&query).await.unwrap();
    assert_eq!((matches.frequencies.as_slice(), matches.documents), ([1, 0].as_slice(), 1));
}

pub(super) async fn a_search_finds_the_current_content_only(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    writer.insert(&record(1, &ada, "Ada owns a kite")).await;
    writer.update(&record(1, &ada, "Ada owns a boat"), ChangeReason::Edited).await;
    assert_eq!(found(&search(&*store, &ada, "kite").await), []);
    assert_eq!(search(&*store, &ada, "kite").await.frequencies, [0]);
    assert_eq!(found(&search(&*store, &ada, "boat").await), [memory_id(1)]);
    // What the filter sees follows an update as well.
    let mut archived = record(1, &ada, "Ada owns a boat");
    archived.status = Status::Archived;
    writer.update(&archived, ChangeReason::Archived).await;
    assert_eq!(found(&search(&*store, &ada, "boat").await), []);
}
