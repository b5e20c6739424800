//! How fast a model loads and embeds here, in a release build:
//! `cargo run --release -p memcore-candle --example candle_throughput MODEL_DIR [minilm|e5-small]`.
//!
//! `MODEL_DIR` holds `minilm/` or `e5-small/`.

#![allow(clippy::print_stdout, reason = "its output is what it is for")]

use std::path::PathBuf;
use std::time::Instant;

use memcore_candle::{BertEmbedder, E5Small, MiniLm, ModelSource};
use memcore_core::{EmbedRole, Embedder, Error, Result};

const SHORT: &str = "I moved to Porto last spring and I work on compilers.";
const LONG: &str = "We decided to write the parser by hand instead of generating it, because the grammar of the \
    configuration language is small, error messages matter more than speed, and nobody on the team wants to learn \
    another tool; the review of last Thursday agreed, with the one condition that every production has a test and that \
    the fuzzer runs for an hour before each release of the command line tool and the library.";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = || Error::invalid("usage: candle_throughput MODEL_DIR [minilm|e5-small]");
    let source = ModelSource::ModelDir(PathBuf::from(arguments.next().ok_or_else(usage)?));
    let start = Instant::now();
    let embedder = match arguments.next().as_deref() {
        None | Some("minilm") => MiniLm::load(source)?,
        Some("e5-small") => E5Small::load(source)?,
        Some(_) => return Err(usage()),
    };
    println!("{}: loaded in {:.0} ms", embedder.identity().model, start.elapsed().as_secs_f64() * 1000.0);

    for (name, text) in [("short", SHORT), ("long", LONG)] {
        let single = best_of(10, &embedder, &[text.to_owned()]).await?;
        let batch: Vec<String> = (0..32).map(|number| format!("{text} {number}")).collect();
        let per_batch = best_of(5, &embedder, &batch).await?;
        println!("{name}: one text {:.1} ms; batches of 32: {:.0} texts per second", single * 1000.0, 32.0 / per_batch);
    }
    Ok(())
}

/// The seconds of the fastest of `runs`.
async fn best_of(runs: usize, embedder: &BertEmbedder, texts: &[String]) -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        for result in embedder.embed(texts, EmbedRole::Passage).await {
            result?;
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}
