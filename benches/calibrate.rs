//! What a model's cosines mean: those of a question to its answer, to the nearest wrong memory, and of duplicates.
//!
//! `cargo run --release -p memcore-benches --bin calibrate -- PAIRS [--distractors FILE] [--embedder NAME] [--field query]`
//! reads `{"memory","query"}` lines. The quantiles are what `memcore::policy::calibration` is set by.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;

use memcore::core::{EmbedRole, Embedding};
use memcore_benches::{Failure, embedder, quantile};
use serde_json::Value;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1)).map(String::as_str)
    };
    let pairs = lines(arguments.first().ok_or("the first argument is a file of pairs")?)?;
    let field = option("--field").unwrap_or("query");
    let embedder = embedder(option("--embedder").unwrap_or("builtin"))?;
    let mut memories: Vec<String> = pairs.iter().filter_map(|pair| text(pair, "memory")).collect();
    if let Some(file) = option("--distractors") {
        memories.extend(lines(file)?.iter().filter_map(|pair| text(pair, "memory")));
    }
    let queries: Vec<String> = pairs.iter().filter_map(|pair| text(pair, field)).collect();
    let passages = vectors(&*embedder, &memories, EmbedRole::Passage).await?;
    let questions = vectors(&*embedder, &queries, EmbedRole::Query).await?;

    let (mut right, mut wrong, mut any, mut ranks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (at, question) in questions.iter().enumerate() {
        let cosines: Result<Vec<f32>, _> = passages.iter().map(|passage| passage.cosine(question)).collect();
        let cosines: Vec<f64> = cosines?.into_iter().map(f64::from).collect();
        right.push(cosines[at]);
        let others = cosines.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, cosine)| *cosine);
        wrong.push(others.clone().fold(-1.0, f64::max));
        any.extend(others);
        ranks.push(cosines.iter().filter(|cosine| **cosine > cosines[at]).count());
    }
    let (mut twins, mut neighbours) = (Vec::new(), Vec::new());
    for (at, passage) in passages.iter().enumerate() {
        for other in &passages[at + 1..] {
            neighbours.push(f64::from(passage.cosine(other)?));
        }
        let again = vectors(&*embedder, &[format!("{}!", memories[at])], EmbedRole::Passage).await?;
        twins.push(f64::from(passage.cosine(&again[0])?));
    }
    println!("{} questions, {} memories, {}", queries.len(), memories.len(), embedder.identity().model);
    for (name, values) in [
        ("question and answer", &mut right),
        ("question and nearest wrong", &mut wrong),
        ("question and any wrong", &mut any),
        ("memory and any other", &mut neighbours),
        ("memory and its twin", &mut twins),
    ] {
        let quantiles: Vec<String> = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99]
            .iter()
            .map(|share| format!("{:.3}", quantile(values, *share)))
            .collect();
        println!("{name:<28} 1 % to 99 %: {}", quantiles.join("  "));
    }
    for k in [1, 5, 10] {
        let found = ranks.iter().filter(|rank| **rank < k).count();
        println!("recall@{k} {:.3}", found as f64 / ranks.len() as f64);
    }
    Ok(())
}

async fn vectors(
    embedder: &dyn memcore::Embedder,
    texts: &[String],
    role: EmbedRole,
) -> Result<Vec<Embedding>, Failure> {
    let mut vectors = Vec::new();
    for result in embedder.embed(texts, role).await {
        vectors.push(result?.into_chunks().swap_remove(0));
    }
    Ok(vectors)
}

fn lines(file: &str) -> Result<Vec<Value>, Failure> {
    let text = fs::read_to_string(file)?;
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn text(value: &Value, field: &str) -> Option<String> {
    value[field].as_str().map(str::to_owned)
}
