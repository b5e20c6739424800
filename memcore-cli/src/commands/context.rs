//! `context`: the blocks that would go into a prompt.

use memcore::{ContextRequest, Placement};
use serde_json::json;

use super::Run;
use crate::{exit::Failure, output::Answer};

/// For which message.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The user's message; behind -- where it begins with a hyphen
    query: String,
    /// Tokens at the most
    #[arg(long, value_name = "TOKENS")]
    budget: Option<usize>,
    /// The model's context window
    #[arg(long, value_name = "TOKENS")]
    window: Option<usize>,
    /// Where recalled memories stand
    #[arg(long, value_enum, default_value = "user")]
    placement: Place,
    /// What is injected does not count as used
    #[arg(long)]
    no_touch: bool,
}

/// The places of recalled memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Place {
    /// Behind the newest user message.
    User,
    /// In the system prompt.
    System,
}

pub(crate) async fn perform(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    let mut request = ContextRequest::new(arguments.query).with_placement(match arguments.placement {
        Place::User => Placement::User,
        Place::System => Placement::System,
    });
    request.budget = arguments.budget;
    request.window = arguments.window;
    request.touch = !arguments.no_touch;
    let opened = run.with_vectors().await?;
    let context = match run.config.scope.session_id() {
        // In a conversation, what it holds already is left out.
        Some(session) => opened.mine.session(session.as_str())?.context_with(&request).await?,
        None => opened.mine.context(&request).await?,
    };
    let injection = &context.injection;
    let mut document = json!({
        "core": injection.core,
        "recalled": injection.recalled,
        "tokens": injection.tokens,
        "injected": injection.injected,
        "omitted": injection.omitted,
    });
    if let Some(degraded) = &context.recall.degraded {
        document["degraded"] = json!(degraded);
    }
    let blocks = [injection.core.as_str(), injection.recalled.as_str()];
    let blocks: Vec<&str> = blocks.into_iter().filter(|block| !block.is_empty()).collect();
    if blocks.is_empty() {
        run.output.status("nothing is worth injecting");
    }
    Ok(Answer::new(document, blocks.join("\n\n")))
}
