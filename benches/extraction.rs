//! The conversations of `tests/cases/extraction.jsonl` with a live model: precision and recall per kind.
//!
//! ```sh
//! export MEMCORE_EXTRACT_BASE_URL=http://127.0.0.1:11434/v1 MEMCORE_EXTRACT_MODEL=qwen3:8b
//! cargo run --release -p memcore-benches --features llm --bin extraction
//! ```
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use memcore::{
    RememberRequest, Status, Turn,
    core::{ChatModel, ListRequest, MemoryRecord, ModelUsage, Timestamp},
    llm::{LlmExtractor, ModelPurpose, model_from_environment},
};
use memcore_benches::Failure;
use memcore_tests::{World, case::Case};

/// What was to be found, was found, and was stored besides.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    wanted: usize,
    found: usize,
    spare: usize,
}

#[derive(Debug, Default)]
struct Score {
    by_group: BTreeMap<String, Count>,
    overturned: Count,
    failed: Vec<String>,
    usage: ModelUsage,
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let model = match model_from_environment(ModelPurpose::Extract) {
        Ok(model) => model,
        Err(error) => {
            println!("no model to measure: {error}");
            return Ok(());
        }
    };
    let cases = Case::all()?;
    let mut score = Score::default();
    for case in &cases {
        measure(case, model.clone(), &mut score).await.map_err(|error| format!("{}: {error}", case.name))?;
    }
    println!("{} conversations with {}", cases.len(), model.name());
    println!("{:24} {:>6} {:>6} {:>6} {:>10} {:>7}", "", "wanted", "found", "spare", "precision", "recall");
    for (group, count) in &score.by_group {
        println!("{group:24} {}", line(*count));
    }
    println!("{:24} {}", "overturned memories", line(score.overturned));
    println!("not read: {} {:?}", score.failed.len(), score.failed);
    let ModelUsage { calls, input_tokens, output_tokens, .. } = score.usage;
    println!("{calls} calls, {input_tokens} tokens in, {output_tokens} out");
    Ok(())
}

async fn measure(case: &Case, model: Arc<dyn ChatModel>, score: &mut Score) -> Result<(), Box<dyn std::error::Error>> {
    let world = World::with(|builder| builder.extractor(LlmExtractor::new(model))).await?;
    let user = world.user("ada")?;
    for known in &case.known {
        user.remember(RememberRequest::new(known)).await?;
    }
    let mut session = user.session("one")?;
    session.observe(Turn::of(case.messages())).await?;
    let report = session.finish().await?;
    if !report.errors.is_empty() {
        score.failed.push(case.name.clone());
    }
    for entry in user.usage(Timestamp::UNIX_EPOCH).await? {
        score.usage.absorb(entry.usage);
    }
    let request = ListRequest::new(user.filter().with_all_statuses()).with_limit(100);
    let records = user.list(&request).await?.records;
    count(case, &records, score);
    Ok(())
}

fn count(case: &Case, records: &[MemoryRecord], score: &mut Score) {
    let active = |record: &&MemoryRecord| record.status == Status::Active && record.provenance.extractor == "llm";
    let mut spare: BTreeSet<usize> = (0..records.len()).filter(|at| active(&&records[*at])).collect();
    for gold in &case.gold {
        let at = records.iter().position(|record| record.status == Status::Active && holds(record, &gold.has));
        for group in groups(case, &gold.kind) {
            let count = score.by_group.entry(group).or_default();
            count.wanted += 1;
            count.found += usize::from(at.is_some());
        }
        spare.retain(|spare| Some(*spare) != at);
    }
    for at in spare {
        for group in groups(case, records[at].kind.as_str()) {
            score.by_group.entry(group).or_default().spare += 1;
        }
    }
    for words in &case.gone {
        score.overturned.wanted += 1;
        let is_closed = records.iter().any(|record| record.status != Status::Active && holds(record, words));
        score.overturned.found += usize::from(is_closed);
    }
}

fn groups(case: &Case, kind: &str) -> [String; 3] {
    [format!("kind {kind}"), format!("language {}", case.language), "all".to_owned()]
}

fn holds(record: &MemoryRecord, words: &[String]) -> bool {
    let content = record.content.to_lowercase();
    words.iter().all(|word| content.contains(&word.to_lowercase()))
}

fn line(count: Count) -> String {
    let share =
        |part: usize, of: usize| if of == 0 { "-".to_owned() } else { format!("{:.2}", part as f64 / of as f64) };
    let Count { wanted, found, spare } = count;
    format!("{wanted:6} {found:6} {spare:6} {:>10} {:>7}", share(found, found + spare), share(found, wanted))
}
