//! Messages into the transcript, redacted, with the job to read them: one transaction, acknowledged here.

use memcore_core::{
    Batch, Change, ContentBlock, Error, Job, JobKind, Message, MessageId, MessageQuery, RedactionAction, Redactor,
    Result, Scope, StoredMessage, chrono::SubsecRound,
};
use serde_json::Value;

use crate::{engine::Engine, outcome::Observation, policy::echo};

/// The largest message that is taken, in bytes of its text.
const MAX_MESSAGE_BYTES: usize = 16 * 1024 * 1024;
/// Messages that one job reads at the most: a long transcript becomes several jobs, done in order.
const MESSAGES_PER_JOB: usize = 20;

/// Takes messages of one session. What the session has already is skipped, so that the same call twice adds nothing.
pub(crate) async fn observe(engine: &Engine, scope: &Scope, messages: Vec<Message>) -> Result<Observation> {
    if scope.session_id().is_none() {
        return Err(Error::invalid("messages belong to a session").with_hint("use a handle with a session"));
    }
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
    let mut batch = Batch::new(engine.batch_id(), scope.user_id().clone(), now).with(Change::AppendMessages(stored));
    for messages in new.chunks(MESSAGES_PER_JOB) {
        let kind = JobKind::Extract { messages: messages.to_vec() };
        batch = batch.with(Change::Enqueue(Job::new(engine.job_id(), scope.clone(), kind, now)));
    }
    let receipt = engine.store.commit(batch).await?;
    observation.appended = receipt.appended.len() as u64;
    observation.known = given - observation.appended;
    Ok(observation)
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

/// Redacts every string of a block that is no text: a tool's input may hold a key as well.
pub(crate) fn redact_json(engine: &Engine, value: &mut Value, observation: &mut Observation) {
    match value {
        Value::String(text) => *text = redacted(engine, std::mem::take(text), observation),
        Value::Array(items) => items.iter_mut().for_each(|item| redact_json(engine, item, observation)),
        Value::Object(fields) => fields.values_mut().for_each(|field| redact_json(engine, field, observation)),
        _ => {}
    }
}

/// Redacts a text that a caller gives directly.
pub(crate) fn redact_text(redactor: &dyn Redactor, text: &str) -> (String, bool) {
    let redaction = redactor.redact(text);
    let blocked = redaction.findings.iter().any(|finding| finding.action == RedactionAction::Block);
    (redaction.text, blocked)
}
