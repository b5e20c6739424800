//! `stats`, `verify` and `reindex`: the store as a whole.

use std::collections::BTreeMap;

use memcore::core::{Clock, Fault, ModelUsage, StoreStats, SystemClock, UsageEntry, chrono::Duration};
use serde_json::{Value, json};

use super::Run;
use crate::{
    exit::{Exit, Failure},
    output::Answer,
};

/// Days over which the use of language models is summed up.
const USAGE_DAYS: i64 = 30;

/// Whose figures.
#[derive(Debug, clap::Args)]
pub(crate) struct StatsArguments {
    /// Only the user's, not those of the whole store
    #[arg(long)]
    mine: bool,
}

pub(crate) async fn stats(arguments: StatsArguments, run: &Run) -> Result<Answer, Failure> {
    let opened = run.with_vectors().await?;
    let user = arguments.mine.then(|| run.config.scope.user_id());
    let stats = opened.memory.admin().stats(user).await?;
    let mut document = figures(&stats);
    if let Some(degraded) = opened.memory.degraded() {
        document["degraded"] = json!(degraded);
    }
    let since = SystemClock.now() - Duration::days(USAGE_DAYS);
    let used =
        if arguments.mine { opened.mine.usage(since).await? } else { opened.memory.admin().usage(since).await? };
    let used = summed(&used);
    let mut text = String::new();
    if let Value::Object(fields) = &document {
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_object()) {
            text.push_str(&format!("{}: {value}\n", name.replace('_', " ")));
        }
    }
    if let Some(model) = &stats.embedder {
        text.push_str(&format!("embedder: {} ({} dimensions)\n", model.model, model.dimensions));
    }
    for (purpose, model, usage) in &used {
        let ModelUsage { calls, input_tokens, output_tokens, .. } = usage;
        text.push_str(&format!(
            "{purpose} by {model} in {USAGE_DAYS} days: {calls} calls, {input_tokens} tokens in, {output_tokens} out\n"
        ));
    }
    let rows = used.iter().map(|(purpose, model, usage)| json!({"purpose": purpose, "model": model, "usage": usage}));
    document["usage"] = rows.collect();
    Ok(Answer::new(document, text))
}

/// What models were used for, over all days.
fn summed(entries: &[UsageEntry]) -> Vec<(&str, &str, ModelUsage)> {
    let mut sums: BTreeMap<(&str, &str), ModelUsage> = BTreeMap::new();
    for entry in entries {
        sums.entry((&entry.purpose, &entry.model)).or_default().absorb(entry.usage);
    }
    sums.into_iter().map(|((purpose, model), usage)| (purpose, model, usage)).collect()
}

/// The figures as JSON.
pub(crate) fn figures(stats: &StoreStats) -> Value {
    json!(stats)
}

pub(crate) async fn verify(run: &Run) -> Result<Answer, Failure> {
    let report = run.records().await?.memory.admin().verify().await?;
    let document = json!({ "records": report.records, "faults": report.faults, "sound": report.is_sound() });
    let mut text = format!("{} records, {} faults\n", report.records, report.faults.len());
    for fault in &report.faults {
        text.push_str(&format!("{}\n", describe(fault)));
    }
    let exit = if report.is_sound() { Exit::Done } else { Exit::Failed };
    Ok(Answer::new(document, text).with_exit(exit))
}

fn describe(fault: &Fault) -> String {
    match fault {
        Fault::HashMismatch { id } => format!("{id}: its bytes do not match its hash"),
        Fault::MissingTerms { id } => format!("{id}: it is missing in the text index"),
        Fault::MissingVectors { id } => format!("{id}: its vectors are missing"),
        Fault::Orphan { what } => format!("without a record: {what}"),
        Fault::Engine { message } => format!("the database says: {message}"),
        other => format!("{other:?}"),
    }
}

pub(crate) async fn reindex(run: &Run) -> Result<Answer, Failure> {
    let admin = run.with_vectors().await?.memory.admin();
    let embedded = admin.reindex().await?;
    let stats = admin.stats(None).await?;
    let document = json!({
        "embedded": embedded,
        "pending_vectors": stats.pending_vectors,
        "embedder": stats.embedder,
    });
    Ok(Answer::new(document, format!("{embedded} memories have new vectors")))
}
