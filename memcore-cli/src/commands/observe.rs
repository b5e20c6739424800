//! `observe`: one turn into a conversation.

use std::io::Read;

use memcore::{Turn, core::JobState, transcript};
use serde_json::Value;

use super::{Run, capture::Tally};
use crate::{exit::Failure, output::Answer};

/// The largest turn that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

pub(crate) async fn perform(run: &Run) -> Result<Answer, Failure> {
    let Some(session) = run.config.scope.session_id().cloned() else {
        return Err(
            Failure::usage("a turn belongs to a conversation").with_hint("give --session, or set MEMCORE_SESSION")
        );
    };
    let turn = tokio::task::spawn_blocking(read_turn).await.map_err(|_| invalid("reading stdin ended early"))??;
    let mut tally = Tally::default();
    (tally.messages, tally.sessions) = (turn.messages.len() as u64, 1);
    let opened = run.to_capture().await?;
    let mut conversation = opened.mine.session(session.as_str())?;
    tally.observed(&conversation.observe(turn).await?);
    tally.captured(conversation.settle().await?);
    let waits = opened.memory.scope(conversation.scope().clone()).jobs().await?;
    tally.pending = waits.iter().filter(|job| job.state == JobState::Pending).count() as u64;
    Ok(tally.into_answer())
}

fn read_turn() -> Result<Turn, Failure> {
    let mut text = Vec::new();
    let read = std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut text);
    read.map_err(|error| Failure::io("stdin cannot be read", error))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(invalid(&format!("a turn has at most {MAX_BYTES} bytes")));
    }
    let document: Value = serde_json::from_slice(&text).map_err(|_| invalid("stdin is not valid JSON"))?;
    let messages = document.get("messages").and_then(Value::as_array);
    let messages = messages.ok_or_else(|| invalid("stdin has no list `messages`"))?;
    let mut turn = Turn::of(Vec::with_capacity(messages.len()));
    for (at, message) in messages.iter().enumerate() {
        let message = match message {
            Value::Object(fields) => transcript::message_from_json(fields),
            _ => Err("not a JSON object".into()),
        };
        turn.messages.push(message.map_err(|why| invalid(&format!("message {}: {why}", at + 1)))?);
    }
    Ok(turn)
}

fn invalid(message: &str) -> Failure {
    Failure { kind: "invalid_input", ..Failure::usage(message) }
        .with_hint(r#"a turn is written {"messages":[{"role":"user","content":"…"}]}"#)
}
