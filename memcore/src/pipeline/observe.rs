//! Messages into the transcript, redacted, with the job to read them: one transaction, acknowledged here.

use std::sync::atomic::Ordering;

use memcore_core::{
    Batch, Candidate, Change, ContentBlock, Error, ErrorKind, ExtractionRequest, Extractor, Job, JobKind, Message,
    MessageId, MessageQuery, Operation, RedactionAction, Redactor, Result, Scope, StoredMessage,
    chrono::{Duration, SubsecRound},
};
use serde_json::{Value, json};

use crate::{engine::Engine, extract::RuleExtractor, outcome::Observation, policy::echo};

/// The largest message that is taken, in bytes of its text.
const MAX_MESSAGE_BYTES: usize = 16 * 1024 * 1024;
/// Messages that one job reads at the most: a long transcript becomes several jobs, done in order.
const MESSAGES_PER_JOB: usize = 20;
/// The largest attachment that is kept, in bytes of its JSON.
const MAX_BLOCK_BYTES: usize = 8 * 1024 * 1024;
/// Observations between two looks at how much waits.
const OBSERVATIONS_PER_LOOK: u64 = 64;

/// Takes messages of one session. What the session has already is skipped, so that the same call twice adds nothing.
/// `note` goes along in the same transaction.
pub(crate) async fn observe(
    engine: &Engine,
    scope: &Scope,
    messages: Vec<Message>,
    note: Option<Change>,
) -> Result<Observation> {
    let Some(session) = scope.session_id() else {
        return Err(Error::invalid("messages belong to a session").with_hint("use a handle with a session"));
    };
    check_room(engine).await?;
    let mut observation = Observation::default();
    let mut stored = Vec::with_capacity(messages.len());
    for message in messages {
        stored.push(stored_message(engine, scope, message, &mut observation)?);
    }
    let ids: Vec<MessageId> = stored.iter().map(|message| message.id.clone()).collect();
    let known = engine.store.messages(&MessageQuery::new(scope.clone()).with_ids(ids)).await?;
    let given = stored.len() as u64;
    stored.retain(|message| known.iter().all(|known| known.id != message.id));
    if stored.is_empty() {
        observation.known = given;
        return Ok(observation);
    }

    let now = engine.now();
    let new: Vec<MessageId> = stored.iter().map(|message| message.id.clone()).collect();
    let reading = reading(engine, scope, &stored, new.len().div_ceil(MESSAGES_PER_JOB)).await?;
    let mut batch = Batch::new(engine.batch_id(), scope.user_id().clone(), now).with(Change::AppendMessages(stored));
    for messages in new.chunks(MESSAGES_PER_JOB) {
        let mut job = Job::new(engine.job_id(), scope.clone(), JobKind::extract(messages.to_vec()), now);
        if reading != Reading::AtOnce {
            job.due_at = now + Duration::seconds(engine.settings.capture.idle_seconds.into());
        }
        batch = batch.with(Change::Enqueue(job));
    }
    if reading == Reading::WithAllThatWait {
        batch = batch.with(Change::HastenJobs { session: session.clone(), at: now });
    }
    let batch = note.into_iter().fold(batch, Batch::with);
    let receipt = engine.store.commit(batch).await?;
    observation.appended = receipt.appended.len() as u64;
    observation.known = given - observation.appended;
    Ok(observation)
}

/// When new messages are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Now, as every turn.
    AtOnce,
    /// Now, and with them all that waited.
    WithAllThatWait,
    /// With later ones, or when none come for a while.
    Later,
}

/// Rules read every turn. A language model reads several turns in one call, unless the user asks for it in so many
/// words, corrects something, or answers one of the standing questions (name, home, …).
async fn reading(engine: &Engine, scope: &Scope, new: &[StoredMessage], jobs: usize) -> Result<Reading> {
    if engine.extractor.model().is_none() {
        return Ok(Reading::AtOnce);
    }
    let waiting = engine.store.queue(Some(scope)).await?.pending;
    if waiting + jobs as u64 >= engine.settings.capture.turns_per_call as u64 {
        return Ok(Reading::WithAllThatWait);
    }
    let request = ExtractionRequest::new(scope.clone(), new.to_vec(), engine.now());
    let found = RuleExtractor::new().extract(&request).await?.candidates;
    let is_urgent =
        |candidate: &Candidate| candidate.explicit || candidate.slot.is_some() || candidate.operation != Operation::Add;
    Ok(if found.iter().any(is_urgent) { Reading::WithAllThatWait } else { Reading::Later })
}

/// Refuses messages while more waits than may: the caller is to see it, and memory and disk are bounded.
async fn check_room(engine: &Engine) -> Result<()> {
    let seen = engine.observed.fetch_add(1, Ordering::Relaxed);
    let limit = engine.settings.capture.max_pending;
    // Counting takes longer than observing: between two looks the limit may be exceeded by a little.
    if !seen.is_multiple_of(OBSERVATIONS_PER_LOOK) && !engine.is_full.load(Ordering::Relaxed) {
        return Ok(());
    }
    let pending = engine.store.queue(None).await?.pending;
    engine.is_full.store(pending >= limit, Ordering::Relaxed);
    if pending < limit {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Busy, format!("{pending} jobs wait to be read, the limit is {limit}"))
        .with_hint("observe again later; `doctor` says why nothing is read"))
}

fn stored_message(
    engine: &Engine,
    scope: &Scope,
    message: Message,
    observation: &mut Observation,
) -> Result<StoredMessage> {
    let size: usize = message
        .content
        .iter()
        .map(|block| match block {
            ContentBlock::Text(block) => block.text.len(),
            ContentBlock::Other(value) if is_too_large(value) => 0,
            ContentBlock::Other(value) => value.to_string().len(),
        })
        .sum();
    if size > MAX_MESSAGE_BYTES {
        return Err(Error::invalid(format!("a message has at most {MAX_MESSAGE_BYTES} bytes, this one has {size}"))
            .with_hint("split it, or leave attachments out"));
    }
    let mut content = message.content;
    for block in &mut content {
        match block {
            ContentBlock::Other(value) if is_too_large(value) => *value = left_out(value),
            ContentBlock::Text(block) => {
                let (own_words, _) = echo::strip_injected(&block.text);
                block.text = redacted(engine, own_words, observation);
            }
            ContentBlock::Other(value) => redact_json(engine, value, observation),
        }
    }
    let id = match message.id {
        Some(id) => id,
        None => MessageId::new(engine.ids.next_id().to_string())?,
    };
    let at = message.at.unwrap_or_else(|| engine.now()).trunc_subsecs(6);
    Ok(StoredMessage { id, scope: scope.clone(), role: message.role, content, at })
}

fn redacted(engine: &Engine, text: String, observation: &mut Observation) -> String {
    let redaction = engine.redactor.redact(&text);
    observation.redacted +=
        redaction.findings.iter().filter(|finding| finding.action != RedactionAction::Allow).count() as u64;
    redaction.text
}

fn is_too_large(block: &Value) -> bool {
    block.to_string().len() > MAX_BLOCK_BYTES
}

/// What is kept of an attachment that is too large to keep.
fn left_out(block: &Value) -> Value {
    let kind = block["type"].as_str().unwrap_or("unknown");
    json!({"type": "left_out", "of": kind, "bytes": block.to_string().len()})
}

/// Redacts every string of a block that is no text: a tool's input may hold a key as well. The bytes of images and
/// files are no text.
pub(crate) fn redact_json(engine: &Engine, value: &mut Value, observation: &mut Observation) {
    match value {
        Value::String(text) => *text = redacted(engine, std::mem::take(text), observation),
        Value::Array(items) => items.iter_mut().for_each(|item| redact_json(engine, item, observation)),
        Value::Object(fields) => {
            let has_bytes = fields.contains_key("media_type") || fields.get("type").is_some_and(|of| of == "base64");
            for (name, field) in fields {
                if !is_payload(name, field, has_bytes) {
                    redact_json(engine, field, observation);
                }
            }
        }
        _ => {}
    }
}

/// Whether a field holds the bytes of an image or a file: base64 beside its media type, or a data URL.
fn is_payload(name: &str, field: &Value, has_bytes: bool) -> bool {
    let is_data_url = |text: &str| text.starts_with("data:") && text.get(..200).unwrap_or(text).contains(";base64,");
    field.as_str().is_some_and(|text| (has_bytes && name == "data" && is_base64(text)) || is_data_url(text))
}

fn is_base64(text: &str) -> bool {
    text.len() >= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=-_\r\n".contains(&byte))
}

/// Redacts a text that a caller gives directly.
pub(crate) fn redact_text(redactor: &dyn Redactor, text: &str) -> (String, bool) {
    let redaction = redactor.redact(text);
    let blocked = redaction.findings.iter().any(|finding| finding.action == RedactionAction::Block);
    (redaction.text, blocked)
}
