//! Recall through the library, as a ratio to a plain scan of the same vectors in the same run.
//!
//! `cargo run --release -p memcore-benches --bin recall -- [MEMORIES]` (10,000 by default) prints: writing, recall p50 and
//! p99, the plain scan (a dense matrix in RAM, one thread), their ratio, and opening with the first recall.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::Instant;

use memcore::{
    Memory, RecallRequest, Scope,
    builtin::StaticEmbedder,
    core::{
        Batch, BatchId, Change, ChangeReason, Clock, EmbedRole, Embedder, IdGenerator, Kind, MemoryId, MemoryRecord,
        MemoryStore, Provenance, SourceKind, SystemClock, TimeOrderedIds, UserId,
    },
    sqlite::SqliteStore,
};
use memcore_benches::{Failure, milliseconds, quantile, statement};
use ndarray::{Array1, Array2};

/// Questions asked.
const QUESTIONS: usize = 200;
/// Records per transaction of the preparation.
const BATCH: usize = 500;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let count: usize = std::env::args().nth(1).map_or(Ok(10_000), |count| count.parse())?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("memory.db");
    let embedder = StaticEmbedder::load()?;
    let dimensions = embedder.identity().dimensions;
    let matrix = fill(&path, &embedder, count).await?;

    let memory = Memory::open(&path).await?;
    let user = memory.scope(Scope::user("ada")?);
    let questions: Vec<String> = (0..QUESTIONS).map(|n| question(n * count / QUESTIONS)).collect();
    let (mut recalls, mut scans, mut embeds) = (Vec::new(), Vec::new(), Vec::new());
    for question in &questions {
        let start = Instant::now();
        let answer = user.recall(&RecallRequest::new(question).without_touch()).await?;
        recalls.push(milliseconds(start.elapsed()));
        std::hint::black_box(answer);

        let start = Instant::now();
        let vector = embedder.embed(std::slice::from_ref(question), EmbedRole::Query).await.swap_remove(0)?;
        embeds.push(milliseconds(start.elapsed()));
        let vector = Array1::from(vector.chunks()[0].as_slice().to_vec());
        let start = Instant::now();
        let scores = matrix.dot(&vector);
        let mut best: Vec<usize> = (0..scores.len()).collect();
        best.select_nth_unstable_by(10.min(count - 1), |a, b| scores[*b].total_cmp(&scores[*a]));
        scans.push(milliseconds(start.elapsed()));
        std::hint::black_box(best);
    }
    let (recall, scan) = (quantile(&mut recalls, 0.5), quantile(&mut scans, 0.5));
    println!("{count} memories of one user, {dimensions} dimensions, {QUESTIONS} questions");
    println!("recall through the library   p50 {recall:.2} ms   p99 {:.2} ms", quantile(&mut recalls, 0.99));
    println!("plain scan of the vectors    p50 {scan:.2} ms");
    println!("embedding the question       p50 {:.3} ms", quantile(&mut embeds, 0.5));
    println!("ratio                        {:.1}", recall / scan);

    drop((user, memory));
    let mut opens = Vec::new();
    for question in questions.iter().take(10) {
        let start = Instant::now();
        let memory = Memory::open(&path).await?;
        memory.scope(Scope::user("ada")?).recall(&RecallRequest::new(question).without_touch()).await?;
        opens.push(milliseconds(start.elapsed()));
    }
    println!(
        "open and first recall        p50 {:.1} ms   worst {:.1} ms",
        quantile(&mut opens, 0.5),
        quantile(&mut opens, 1.0)
    );
    Ok(())
}

/// Stores `count` statements of one user; answers their vectors, a row each.
async fn fill(path: &std::path::Path, embedder: &StaticEmbedder, count: usize) -> Result<Array2<f32>, Failure> {
    let store = SqliteStore::open(path).await?;
    store.set_embedding_identity(embedder.identity()).await?;
    let (ids, now) = (TimeOrderedIds, SystemClock.now());
    let user = UserId::new("ada")?;
    let scope = Scope::of_user(user.clone());
    let fingerprint = embedder.identity().fingerprint();
    let mut matrix = Array2::zeros((count, embedder.identity().dimensions));
    let start = Instant::now();
    for first in (0..count).step_by(BATCH) {
        let texts: Vec<String> = (first..count.min(first + BATCH)).map(statement).collect();
        let embedded = embedder.embed(&texts, EmbedRole::Passage).await;
        let mut batch = Batch::new(BatchId::from_uuid(ids.next_id()), user.clone(), now);
        for (at, (text, embedding)) in texts.into_iter().zip(embedded).enumerate() {
            let embedding = embedding?;
            matrix.row_mut(first + at).assign(&Array1::from(embedding.chunks()[0].as_slice().to_vec()));
            let provenance = Provenance::new(SourceKind::Api, "bench", now);
            let id = MemoryId::from_uuid(ids.next_id());
            let record = Box::new(MemoryRecord::new(id, scope.clone(), Kind::Fact, text, provenance, now)?);
            let vectors = Some((fingerprint.clone(), embedding));
            batch = batch.with(Change::Insert { record, vectors, reason: ChangeReason::Added });
        }
        store.commit(batch).await?;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("stored {count} in {seconds:.1} s ({:.0} a second, in batches of {BATCH})", count as f64 / seconds);
    Ok(matrix)
}

fn question(n: usize) -> String {
    if n.is_multiple_of(2) {
        format!("where is item number {n} kept?")
    } else {
        format!("第{n}号东西放在哪里？")
    }
}
