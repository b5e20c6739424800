//! Measures the store by hand: `cargo run --release -p memcore-sqlite --example size -- users|search|writes [FOLDER]`.
//!
//! - `users`: the file of 10,000 users with 20 memories each, at 384 dimensions, written in turn by all users.
//! - `search`: how long a search takes for a user with 100,000 memories at 384 dimensions, and 10,000 at 256.
//! - `writes`: how many memories are stored per second, one by one and in batches.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::{error::Error, path::Path, time::Instant};

use memcore_core::{
    Batch, BatchId, Change, ChangeReason, Embedding, EmbeddingIdentity, IdGenerator, Kind, MemoryId, MemoryRecord,
    MemoryStore, Provenance, Quote, RecordFilter, Scope, SourceKind, TextEmbedding, TextQuery, TimeOrderedIds,
    Timestamp, VectorQuery, VectorStore, chrono::DateTime, text::query_terms,
};
use memcore_sqlite::{SqliteStore, Synchronous};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let folder = match arguments.next() {
        Some(folder) => folder.into(),
        None => std::env::temp_dir(),
    };
    let folder = tempfile::tempdir_in(folder)?;
    futures::executor::block_on(async {
        match what.as_str() {
            "users" => users(folder.path()).await,
            "search" => search(folder.path()).await,
            "writes" => writes(folder.path()).await,
            _ => Err("say users, search or writes".into()),
        }
    })
}

async fn users(folder: &Path) -> Outcome {
    let builder = SqliteStore::builder(folder.join("users.db")).synchronous(Synchronous::Normal);
    let store = builder.build().await?;
    let mut maker = Maker::new(384);
    let begun = Instant::now();
    for _ in 0..20 {
        for user in 0..10_000 {
            let scope = Scope::user(format!("user-{user}@example.com"))?;
            store.commit(maker.batch(&scope, 1)?).await?;
        }
    }
    println!("200,000 commits in {:.0} s", begun.elapsed().as_secs_f64());
    report(&store).await
}

async fn search(folder: &Path) -> Outcome {
    for (dimensions, memories) in [(384, 100_000), (256, 10_000)] {
        let store = SqliteStore::open(folder.join(format!("{dimensions}.db"))).await?;
        let mut maker = Maker::new(dimensions);
        let scope = Scope::user("ada")?;
        for _ in 0..memories / 1_000 {
            store.commit(maker.batch(&scope, 1_000)?).await?;
        }
        let filter = RecordFilter::new(scope);
        let mut took = Vec::new();
        for _ in 0..21 {
            let query = VectorQuery::new(maker.vector()?, maker.identity.fingerprint(), filter.clone(), 20);
            let begun = Instant::now();
            store.search(&query).await?;
            took.push(begun.elapsed());
        }
        took.sort();
        println!("{memories} x {dimensions}: vector search p50 {:?}, max {:?}", took[10], took[20]);
        let mut took = Vec::new();
        for n in 0..21 {
            let query = TextQuery::new(query_terms(&format!("the parrot of cousin word{n}")), filter.clone(), 20);
            let begun = Instant::now();
            store.search_text(&query).await?;
            took.push(begun.elapsed());
        }
        took.sort();
        println!("{memories}: text search p50 {:?}, max {:?}", took[10], took[20]);
        report(&store).await?;
    }
    Ok(())
}

async fn writes(folder: &Path) -> Outcome {
    let store = SqliteStore::open(folder.join("writes.db")).await?;
    let mut maker = Maker::new(384);
    let scope = Scope::user("ada")?;
    for (batches, size) in [(500, 1), (50, 100)] {
        let prepared = (0..batches).map(|_| maker.batch(&scope, size)).collect::<Outcome<Vec<_>>>()?;
        let begun = Instant::now();
        for batch in prepared {
            store.commit(batch).await?;
        }
        let rate = (batches * size) as f64 / begun.elapsed().as_secs_f64();
        println!("batches of {size}: {rate:.0} memories per second");
    }
    report(&store).await
}

async fn report(store: &SqliteStore) -> Outcome {
    let bytes = store.stats(None).await?.db_bytes;
    println!("{}: {:.1} MB", store.path().display(), bytes as f64 / 1e6);
    Ok(())
}

/// Makes memories with random vectors.
struct Maker {
    identity: EmbeddingIdentity,
    now: Timestamp,
    random: u64,
}

impl Maker {
    fn new(dimensions: usize) -> Self {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap_or_default();
        Self { identity: EmbeddingIdentity::new("random", "1", dimensions), now, random: 1 }
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % limit
    }

    fn vector(&mut self) -> Outcome<Embedding> {
        let values: Vec<f32> =
            (0..self.identity.dimensions).map(|_| self.below(20_001) as f32 / 10_000.0 - 1.0).collect();
        Ok(Embedding::new(values)?)
    }

    fn content(&mut self) -> String {
        const WHO: [&str; 4] = ["My cousin", "The neighbour", "我的同事", "她妹妹"];
        const WHAT: [&str; 4] = ["keeps a parrot named", "moved to the house of", "最近在学", "每个周末都去"];
        let (who, what) = (self.below(4) as usize, self.below(4) as usize);
        let (n, m) = (self.below(5_000), self.below(1_000));
        format!("{} {} word{n} and 第{m}号公园 near the station of thing{m}", WHO[who], WHAT[what])
    }

    fn batch(&mut self, scope: &Scope, size: usize) -> Outcome<Batch> {
        let ids = TimeOrderedIds;
        let mut batch = Batch::new(BatchId::from_uuid(ids.next_id()), scope.user_id().clone(), self.now);
        for _ in 0..size {
            let mut provenance = Provenance::new(SourceKind::User, "rules", self.now);
            let content = self.content();
            let end = content.len();
            provenance.quotes.push(Quote { message: None, text: content.clone(), start: 0, end });
            let id = MemoryId::from_uuid(ids.next_id());
            let record = MemoryRecord::new(id, scope.clone(), Kind::Fact, content, provenance, self.now)?;
            let vectors = Some((self.identity.fingerprint(), TextEmbedding::single(self.vector()?)));
            batch = batch.with(Change::Insert { record: Box::new(record), vectors, reason: ChangeReason::Added });
        }
        Ok(batch)
    }
}
