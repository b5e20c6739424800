//! `show` and `history`: one memory, and all that it was.

use serde_json::{Value, json};

use super::{Run, memory_id};
use crate::{exit::Failure, output::Answer, view};

/// Which memory.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id
    id: String,
}

pub(crate) async fn perform(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    let id = memory_id(&arguments.id)?;
    let record = run.records().await?.mine.show(id).await?;
    let document = view::record(&record);
    let mut text = format!("{}\n", record.content);
    if let Value::Object(fields) = &document {
        for (name, value) in fields.iter().filter(|(name, _)| *name != "content") {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            text.push_str(&format!("  {}: {value}\n", run.output.dim(name)));
        }
    }
    Ok(Answer::new(document, text))
}

pub(crate) async fn history(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    let id = memory_id(&arguments.id)?;
    let (mut versions, mut text) = (Vec::new(), String::new());
    for version in run.records().await?.mine.history(id).await? {
        text.push_str(&format!(
            "{}. {} {} ({})\n",
            version.number,
            json!(version.reason).as_str().unwrap_or_default(),
            version.at.format("%Y-%m-%d %H:%M"),
            version.batch,
        ));
        text.push_str(&format!("   {}", view::line(&run.output, &version.record)));
        let mut document = view::record(&version.record);
        document["number"] = json!(version.number);
        document["reason"] = json!(version.reason);
        document["batch"] = json!(version.batch);
        document["at"] = view::time(version.at);
        versions.push(document);
    }
    Ok(Answer::new(json!({ "versions": versions }), text))
}
