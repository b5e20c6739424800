//! `list` and `rejected`: what is remembered, and what was not captured.

use memcore::{
    Kind, Scope, Status,
    core::{ListRequest, SortOrder},
};
use serde_json::{Value, json};

use super::Run;
use crate::{exit::Failure, output::Answer, view};

/// Which memories.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Every status, not only active ones
    #[arg(long, conflicts_with = "status")]
    all: bool,
    /// Only these statuses, as in archived,superseded
    #[arg(long, value_name = "S", value_delimiter = ',')]
    status: Vec<Status>,
    /// Only this kind; may be repeated
    #[arg(long = "kind", value_name = "K")]
    kinds: Vec<Kind>,
    /// In which order
    #[arg(long, value_enum, default_value = "newest")]
    sort: Sort,
    /// How many at the most
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Where the last page ended: its "next"
    #[arg(long, value_name = "C")]
    cursor: Option<String>,
}

/// The orders of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Sort {
    /// Newest first.
    Newest,
    /// Oldest first.
    Oldest,
    /// Most important first.
    Importance,
}

pub(crate) async fn perform(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    let opened = run.records().await?;
    let mut filter = opened.mine.filter().with_kinds(arguments.kinds);
    if arguments.all {
        filter = filter.with_all_statuses();
    } else if !arguments.status.is_empty() {
        filter = filter.with_statuses(arguments.status);
    }
    let request = ListRequest::new(filter)
        .with_limit(arguments.limit as usize)
        .with_cursor(arguments.cursor)
        .with_sort(match arguments.sort {
            Sort::Newest => SortOrder::Newest,
            Sort::Oldest => SortOrder::Oldest,
            Sort::Importance => SortOrder::Importance,
        });
    let page = opened.mine.list(&request).await?;
    let memories: Vec<Value> = page.records.iter().map(view::record).collect();
    let text: String = page.records.iter().map(|record| view::line(&run.output, record)).collect();
    let mut document = json!({ "memories": memories });
    if let Some(next) = page.next {
        run.output.status(&format!("more: --cursor {next}"));
        document["next"] = json!(next);
    }
    if page.records.is_empty() {
        run.output.status("no memories");
    }
    Ok(Answer::new(document, text))
}

/// How many rejections.
#[derive(Debug, clap::Args)]
pub(crate) struct RejectedArguments {
    /// How many at the most, newest first
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

pub(crate) async fn rejected(arguments: RejectedArguments, run: &Run) -> Result<Answer, Failure> {
    let opened = run.records().await?;
    // What was not captured belongs to no project: the user's, or one conversation's.
    let user = Scope::of_user(run.config.scope.user_id().clone());
    let place = user.with_session(run.config.scope.session_id().cloned());
    let entries = opened.memory.scope(place).rejected(arguments.limit as usize).await?;
    let (mut rejected, mut text) = (Vec::new(), String::new());
    for entry in entries {
        let reason = entry.rejection.reason.as_str();
        text.push_str(&format!("{}  {}\n", entry.rejection.text, run.output.dim(&format!("[{reason}]"))));
        rejected.push(json!({
            "text": entry.rejection.text,
            "reason": reason,
            "session": entry.session,
            "at": view::time(entry.at),
        }));
    }
    if rejected.is_empty() {
        run.output.status("nothing was rejected");
    }
    Ok(Answer::new(json!({ "rejected": rejected }), text))
}
