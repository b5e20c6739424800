//! `remember`: one memory as it is.

use memcore::{Importance, Kind, RememberRequest, Slot};
use serde_json::json;

use super::Run;
use crate::{exit::Failure, output::Answer};

/// What to store.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The statement
    text: String,
    /// What it is about: profile, preference, project_state, fact, decision, constraint, todo, …
    #[arg(long, value_name = "K")]
    kind: Option<Kind>,
    /// How much it matters, 1 to 10
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    importance: Option<u8>,
    /// The question that it answers, as in user.location
    #[arg(long, value_name = "S.A")]
    slot: Option<Slot>,
    /// A label; may be repeated
    #[arg(long = "tag", value_name = "T")]
    tags: Vec<String>,
}

pub(crate) async fn perform(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    let mut request = RememberRequest::new(arguments.text);
    request.kind = arguments.kind;
    request.importance = arguments.importance.map(Importance::clamped);
    request.slot = arguments.slot;
    request.tags = arguments.tags;
    let opened = run.with_vectors().await?;
    let written = opened.mine.remember(request).await?;

    let mut document = json!({
        "id": written.id,
        "outcome": written.outcome,
        "superseded": written.superseded,
    });
    if let Some(reason) = written.reason {
        document["reason"] = json!(reason);
    }
    if !written.conflicts.is_empty() {
        document["conflicts"] = json!(written.conflicts);
    }
    let outcome = json!(written.outcome);
    let outcome = outcome.as_str().unwrap_or_default().replace('_', " ");
    let text = match (written.id, written.reason) {
        (_, Some(reason)) => format!("{outcome}: {}", reason.as_str()),
        (Some(id), None) => format!("{outcome} {id}"),
        (None, None) => outcome,
    };
    Ok(Answer::new(document, text))
}
