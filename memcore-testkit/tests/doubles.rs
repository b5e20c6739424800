//! The doubles for tests keep the contracts themselves, and fail only where they are told to.

use std::sync::Arc;

use memcore_core::{
    Batch, EmbedRole, Embedder, ErrorKind, ExtractionRequest, Extractor, MemoryStore, RamStore, RamVectors,
};
use memcore_testkit::{
    Call, Failure, FaultyEmbedder, FaultyStore, Generator, HashEmbedder, ScriptedExtractor, Shared, Standalone,
    StandaloneVectors, Writer, block_on, random_operations,
    sample::{at, memory_id, record, session_scope, user_id, user_scope},
};

mod a_faulty_store_without_failures {
    use super::*;
    memcore_testkit::memory_store_suite!(|| async {
        Standalone::new(Arc::new(FaultyStore::new(Arc::new(RamStore::new()))))
    });
}

mod a_shared_fixture_of_a_store_without_vectors {
    use super::*;
    memcore_testkit::memory_store_suite!(|| async { Shared::new(Arc::new(RamStore::new()), ()) });
}

mod ram_vectors {
    use super::*;
    memcore_testkit::vector_store_suite!(|| async { StandaloneVectors::new(Arc::new(RamVectors::new())) });
}

mod a_hash_embedder {
    use super::*;
    memcore_testkit::embedder_suite!(|| async { HashEmbedder::new(128) });
}

mod a_faulty_embedder_without_failures {
    use super::*;
    memcore_testkit::embedder_suite!(|| async { FaultyEmbedder::new(HashEmbedder::new(128)) });
}

mod a_scripted_extractor_without_a_script {
    use super::*;
    memcore_testkit::extractor_suite!(|| async { ScriptedExtractor::new() });
}

fn kinds<T>(results: Vec<memcore_core::Result<T>>) -> Vec<Option<ErrorKind>> {
    results.into_iter().map(|result| result.err().map(|error| error.kind())).collect()
}

#[test]
fn a_failure_before_the_call_leaves_nothing_and_one_behind_it_leaves_all() {
    block_on(async {
        let store = Arc::new(FaultyStore::new(Arc::new(RamStore::new())));
        let writer = Writer::new(store.clone());
        let ada = user_scope("ada");
        for (n, failure, is_there) in
            [(1, Failure::new(ErrorKind::Busy), false), (2, Failure::new(ErrorKind::Io).after(), true)]
        {
            store.inject(failure.of(Call::Commit));
            let change = memcore_core::Change::Insert {
                record: Box::new(record(n, &ada, "something")),
                vectors: None,
                reason: memcore_core::ChangeReason::Added,
            };
            assert!(writer.change("ada", change).await.is_err());
            assert_eq!(!store.get(&ada, &[memory_id(n)]).await.unwrap().is_empty(), is_there);
            store.heal();
        }
        assert_eq!(store.calls(), [Call::Commit, Call::Get, Call::Commit, Call::Get]);
    });
}

#[test]
fn the_nth_call_of_a_sort_fails_once() {
    block_on(async {
        let store = FaultyStore::new(Arc::new(RamStore::new()));
        store.inject(Failure::new(ErrorKind::StorageFull).of(Call::Generation).nth(2));
        let mut answers = Vec::new();
        for _ in 0..4 {
            answers.push(store.generation(&user_id("ada")).await);
            store.users(None, 1).await.unwrap();
        }
        assert_eq!(kinds(answers), [None, Some(ErrorKind::StorageFull), None, None]);
    });
}

#[test]
fn a_failing_batch_can_be_repeated_on_every_call() {
    block_on(async {
        let store = FaultyStore::new(Arc::new(RamStore::new()));
        store.inject(Failure::new(ErrorKind::Unavailable));
        let batch = Batch::new(memcore_testkit::sample::batch_id(1), user_id("ada"), at(1));
        for _ in 0..3 {
            assert_eq!(store.commit(batch.clone()).await.unwrap_err().kind(), ErrorKind::Unavailable);
        }
        store.heal();
        store.commit(batch).await.unwrap();
    });
}

#[test]
fn a_faulty_embedder_refuses_single_texts_and_goes_down_as_a_whole() {
    block_on(async {
        let embedder = FaultyEmbedder::new(HashEmbedder::new(64)).refusing("poison", ErrorKind::NotEmbeddable);
        let texts = ["tea", "a poisoned apple", "coffee"].map(str::to_owned);
        let results = embedder.embed(&texts, EmbedRole::Passage).await;
        assert_eq!(kinds(results), [None, Some(ErrorKind::NotEmbeddable), None]);
        embedder.go_down();
        let results = embedder.embed(&texts, EmbedRole::Passage).await;
        assert_eq!(kinds(results), [Some(ErrorKind::Unavailable); 3]);
        embedder.come_back();
        assert!(embedder.embed(&texts[..1], EmbedRole::Query).await[0].is_ok());
        assert_eq!((embedder.batches(), embedder.texts()), (3, 7));
    });
}

#[test]
fn a_scripted_extractor_follows_its_script_and_keeps_the_requests() {
    block_on(async {
        let candidate = memcore_core::Candidate::new("Ada likes tea", memcore_core::Kind::Preference);
        let extractor = ScriptedExtractor::new().then_find(vec![candidate.clone()]).then_fail(ErrorKind::ExtractFailed);
        let request = ExtractionRequest::new(session_scope("ada", "s1"), vec![], at(1));
        assert_eq!(extractor.extract(&request).await.unwrap().candidates, [candidate]);
        assert_eq!(extractor.extract(&request).await.unwrap_err().kind(), ErrorKind::ExtractFailed);
        assert!(extractor.extract(&request).await.unwrap().candidates.is_empty());
        assert_eq!(extractor.requests().len(), 3);
    });
}

#[test]
fn equal_seeds_generate_equal_things_in_both_languages() {
    let make = |seed| {
        let mut generator = Generator::new(seed);
        (0..50).map(|_| generator.record(&user_scope("ada"))).collect::<Vec<_>>()
    };
    assert_eq!(make(1), make(1));
    assert_ne!(make(1), make(2));
    let languages: std::collections::BTreeSet<_> = make(1).iter().map(|record| record.language).collect();
    assert!(languages.contains(&memcore_core::Language::En) && languages.contains(&memcore_core::Language::Zh));
}

#[test]
fn random_operations_reach_every_sort_of_answer() {
    block_on(async {
        let store = Arc::new(FaultyStore::new(Arc::new(RamStore::new())));
        random_operations(store.clone(), 3, 500).await;
        let stats = store.stats(None).await.unwrap();
        assert!(stats.total > 20 && stats.messages > 5 && stats.rejected > 5, "{stats:?}");
        assert!(stats.pending_jobs + stats.dead_letters > 0, "{stats:?}");
        let calls = store.calls();
        assert!(calls.contains(&Call::Forget) && calls.contains(&Call::LeaseJobs));
    });
}
