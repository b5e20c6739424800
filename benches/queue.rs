//! The durable queue: what `observe` costs, how fast queued turns are read, and what waiting ones hold of memory.
//!
//! `cargo run --release -p memcore-benches --bin queue -- [TURNS]` (10,000 by default) observes that many turns of 20
//! sessions while the model is out of reach, then lets it answer at once and reads all of them. The machine's limit in the
//! same run: appending the same bytes to a file and waiting for the disk.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::{
    fs::File,
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use memcore::{
    Error, ErrorKind, Extractor, Memory, Message, Result, Role, Scope, Settings, Turn,
    builtin::StaticEmbedder,
    core::{Candidate, Extraction, ExtractionRequest, Kind, ManualClock, ModelUsage, Quote, SystemClock, chrono},
    sqlite::SqliteStore,
};
use memcore_benches::{Failure, milliseconds, quantile, statement};

const SESSIONS: usize = 20;

#[tokio::main]
async fn main() -> std::result::Result<(), Failure> {
    let turns: usize = std::env::args().nth(1).map_or(Ok(10_000), |turns| turns.parse())?;
    let folder = tempfile::tempdir()?;
    let store = SqliteStore::open(folder.path().join("memory.db")).await?;
    let model = Model::default();
    let clock = ManualClock::new(memcore::core::Clock::now(&SystemClock));
    let mut settings = Settings::default();
    settings.capture.in_background = false;
    let builder = Memory::builder(store, StaticEmbedder::load()?).settings(settings);
    let memory = builder.extractor(model.clone()).clock(clock.clone()).build().await?;
    let user = memory.scope(Scope::user("ada")?);
    let mut sessions = Vec::new();
    for n in 0..SESSIONS {
        sessions.push(user.session(format!("s{n}"))?);
    }

    let before = resident_bytes()?;
    let (mut observes, mut appends) = (Vec::with_capacity(turns), Vec::with_capacity(turns));
    let mut file = File::create(folder.path().join("limit"))?;
    for n in 0..turns {
        let words = statement(n);
        let turn = Turn::of(vec![Message::user(&words), Message::assistant("Understood.")]);
        let start = Instant::now();
        sessions[n % SESSIONS].observe(turn).await?;
        observes.push(milliseconds(start.elapsed()));
        let start = Instant::now();
        file.write_all(words.as_bytes())?;
        file.sync_data()?;
        appends.push(milliseconds(start.elapsed()));
    }
    let held = resident_bytes()?.saturating_sub(before);
    let waiting = user.queue().await?.pending;

    model.answers.store(true, Ordering::Relaxed);
    clock.advance(chrono::Duration::hours(1));
    let start = Instant::now();
    let report = memory.flush().await?;
    let seconds = start.elapsed().as_secs_f64();

    let (observe, append) = (quantile(&mut observes, 0.5), quantile(&mut appends, 0.5));
    println!("{turns} turns in {SESSIONS} sessions, {waiting} wait");
    println!("observe                       p50 {observe:.2} ms   p99 {:.2} ms", quantile(&mut observes, 0.99));
    println!("append and wait for the disk  p50 {append:.2} ms   p99 {:.2} ms", quantile(&mut appends, 0.99));
    println!("ratio of the medians          {:.1}", observe / append);
    println!("memory held while they wait   {:.1} MB", held as f64 / 1e6);
    println!(
        "reading them                  {:.0} turns/s, {} memories, {} left",
        turns as f64 / seconds,
        report.outcomes.len(),
        report.pending
    );
    Ok(())
}

fn resident_bytes() -> std::result::Result<u64, Failure> {
    let pages = std::fs::read_to_string("/proc/self/statm")?;
    let resident: u64 = pages.split(' ').nth(1).ok_or("no resident size")?.parse()?;
    Ok(resident * 4096)
}

/// A model that is out of reach, and then answers at once: one memory of each call.
#[derive(Debug, Clone, Default)]
struct Model {
    answers: Arc<AtomicBool>,
}

#[async_trait::async_trait]
impl Extractor for Model {
    fn name(&self) -> &str {
        "model"
    }

    fn model(&self) -> Option<&str> {
        Some("at-once")
    }

    async fn extract(&self, request: &ExtractionRequest) -> Result<Extraction> {
        if !self.answers.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Unavailable, "the endpoint does not answer"));
        }
        let mut extraction = Extraction { usage: ModelUsage::of_call(1, 1), ..Extraction::default() };
        if let Some(said) = request.messages.iter().find(|message| message.role == Role::User) {
            let text = said.text();
            let mut candidate = Candidate::new(text.clone(), Kind::Fact);
            candidate.quote = Some(Quote { message: Some(said.id.clone()), start: 0, end: text.len(), text });
            extraction.candidates.push(candidate);
        }
        Ok(extraction)
    }
}
