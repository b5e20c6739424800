//! `queue`: what waits to be read for memories, what was given up and why; and another try.

use memcore::core::{Job, JobKind, JobState};
use serde_json::{Value, json};

use super::{Run, capture::Tally};
use crate::{exit::Failure, output::Answer};

/// Characters of a raw reply that are shown to people.
const SHOWN_OF_REPLY: usize = 400;

/// What to do beside showing it.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Gives what was given up another chance, and reads it
    #[arg(long)]
    replay: bool,
    /// Reads what waits, without waiting for more
    #[arg(long)]
    work: bool,
}

pub(crate) async fn perform(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    if !arguments.replay && !arguments.work {
        let jobs = run.records().await?.mine.jobs().await?;
        return Ok(Answer::new(json!({ "jobs": jobs.iter().map(shown).collect::<Vec<_>>() }), text(&jobs)));
    }
    let opened = run.to_capture().await?;
    let revived = if arguments.replay { opened.mine.replay().await? } else { 0 };
    let mut tally = Tally::default();
    let report = opened.mine.flush().await?;
    tally.pending = report.pending;
    tally.captured(report);
    let mut answer = tally.into_answer();
    answer.json["revived"] = json!(revived);
    Ok(answer)
}

fn shown(job: &Job) -> Value {
    let (kind, messages) = match &job.kind {
        JobKind::Extract { messages, .. } => ("extract", messages.len()),
        JobKind::Summarize => ("summarize", 0),
        JobKind::Review => ("review", 0),
        _ => ("unknown", 0),
    };
    json!({
        "id": job.id,
        "kind": kind,
        "messages": messages,
        "session": job.scope.session_id(),
        "project": job.scope.project_id(),
        "state": job.state,
        "attempts": job.attempts,
        "due_at": job.due_at,
        "last_error": job.last_error,
        "raw_reply": job.raw_reply,
    })
}

/// As much of a raw reply as a terminal has room for.
fn beginning(reply: &str) -> String {
    let rest = reply.chars().count().saturating_sub(SHOWN_OF_REPLY);
    if rest == 0 {
        return reply.to_owned();
    }
    let shown: String = reply.chars().take(SHOWN_OF_REPLY).collect();
    format!("{shown}… ({rest} characters more: --json shows all)")
}

fn text(jobs: &[Job]) -> String {
    if jobs.is_empty() {
        return "nothing waits\n".into();
    }
    let mut text = String::new();
    for job in jobs {
        let session = job.scope.session_id().map_or("-", |session| session.as_str());
        let state = match job.state {
            JobState::Pending => format!("due {}", job.due_at.format("%Y-%m-%d %H:%M:%S")),
            JobState::Dead => format!("given up after {} attempts", job.attempts),
        };
        text.push_str(&format!("{}  session {session}  {state}\n", job.id));
        if let Some(error) = &job.last_error {
            text.push_str(&format!("    {error}\n"));
        }
        if let Some(reply) = &job.raw_reply {
            text.push_str(&format!("    the model answered: {}\n", beginning(reply)));
        }
    }
    text
}
