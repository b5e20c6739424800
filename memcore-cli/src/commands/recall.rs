//! `recall`: what would be found.

use memcore::{Kind, Recall, RecallRequest, Status, Timestamp};
use serde_json::{Value, json};

use super::{Run, moment};
use crate::{exit::Failure, output::Answer, view};

/// What is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The question; behind -- where it begins with a hyphen
    query: String,
    /// Results at the most
    #[arg(short = 'k', value_name = "N")]
    limit: Option<usize>,
    /// Shows every signal behind each result
    #[arg(long)]
    explain: bool,
    /// Statuses beside active, as in archived,superseded
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    include: Vec<Status>,
    /// What was true at this moment
    #[arg(long, value_name = "TIME", value_parser = moment)]
    as_of: Option<Timestamp>,
    /// Only this kind; may be repeated
    #[arg(long = "kind", value_name = "K")]
    kinds: Vec<Kind>,
    /// The results do not count as used
    #[arg(long)]
    no_touch: bool,
}

pub(crate) async fn perform(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    let mut request = RecallRequest::new(arguments.query).with_kinds(arguments.kinds).with_include(arguments.include);
    request.limit = arguments.limit;
    request.as_of = arguments.as_of;
    request.touch = !arguments.no_touch;
    let opened = run.with_vectors().await?;
    let recall = opened.mine.recall(&request).await?;
    Ok(Answer::new(document(&recall, arguments.explain), text(&recall, arguments.explain, run)))
}

fn document(recall: &Recall, explain: bool) -> Value {
    let hits: Vec<Value> = recall.hits.iter().map(|hit| view::hit(hit, explain)).collect();
    let mut document = json!({ "query": recall.query, "abstained": recall.abstained, "hits": hits });
    if let Some(nearest) = &recall.nearest {
        document["nearest"] = view::hit(nearest, explain);
    }
    if let Some(degraded) = &recall.degraded {
        document["degraded"] = json!(degraded);
    }
    document
}

fn text(recall: &Recall, explain: bool, run: &Run) -> String {
    let mut text = String::new();
    for hit in &recall.hits {
        text.push_str(&format!("{:.2}  {}", hit.score, view::line(&run.output, &hit.record)));
        if explain {
            text.push_str(&format!(
                "      similarity {:.2}, text {:.2}, importance {:.2}, recency {:.2}: {}\n",
                hit.parts.similarity, hit.parts.text, hit.parts.importance, hit.parts.recency, hit.why
            ));
        }
    }
    if recall.abstained {
        text.push_str("nothing found\n");
        if let Some(nearest) = &recall.nearest {
            text.push_str(&format!("nearest: {}", view::line(&run.output, &nearest.record)));
        }
    }
    text
}
