//! Candidates into the store: checked, grounded, reconciled, embedded, committed.

use std::collections::BTreeSet;

use memcore_core::{
    Batch, BatchId, Candidate, Change, ContentBlock, ErrorKind, MessageId, MessageQuery, Operation, Provenance, Quote,
    Rejection, RejectionReason, Result, Role, Scope, SourceKind, StoredMessage,
};

use super::{
    embed, forget, observe,
    plan::{Plan, Statement},
};
use crate::{
    engine::Engine,
    outcome::{CaptureReport, UnclearForget, WriteOutcome},
    policy::grounding,
};

/// How often a plan is made anew because somebody else was faster.
const MAX_REPLANS: usize = 32;

/// Where candidates come from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin<'a> {
    /// The extractor's name.
    pub(crate) extractor: &'a str,
    /// The language model behind it.
    pub(crate) model: Option<&'a str>,
    /// The messages that were read; their quotes are checked. Empty for direct calls.
    pub(crate) messages: &'a [StoredMessage],
    /// Whether the host vouches for the candidates, as in a direct call: no quote is asked for.
    pub(crate) is_direct: bool,
}

/// Writes candidates, in order, and `closing` changes (a finished job, rejections) in the same transaction.
///
/// Requests to forget come last, and only then the closing changes: a kill between them repeats the window, which finds
/// the first part done.
pub(crate) async fn write(
    engine: &Engine,
    scope: &Scope,
    candidates: Vec<Candidate>,
    origin: Origin<'_>,
    mut closing: Vec<Change>,
) -> Result<(BatchId, CaptureReport)> {
    let mut report = CaptureReport::default();
    let (mut statements, mut requests) = (Vec::new(), Vec::new());
    for candidate in candidates {
        match checked(engine, scope, candidate, origin) {
            Ok(statement) if statement.candidate.operation == Operation::Forget => requests.push(statement),
            Ok(statement) => statements.push(statement),
            Err(rejection) => report.rejected.push(rejection),
        }
    }
    let batch = engine.batch_id();
    if !requests.is_empty() {
        report.outcomes = commit_planned(engine, scope, batch, &statements, &[]).await?;
        statements.clear();
        for request in requests {
            match forget::at_word(engine, scope, &request.candidate.content).await? {
                forget::AtWord::Forgotten(ids) => report.forgotten.extend(ids),
                forget::AtWord::Unclear(candidates) => {
                    let (query, message) = (request.candidate.content, request.provenance.messages.first().cloned());
                    report.unclear.push(UnclearForget { query: query.clone(), candidates });
                    report.rejected.push(Rejection::new(query, RejectionReason::AmbiguousForget, message));
                }
            }
        }
    }
    let (session, now) = (scope.session_id(), engine.now());
    let rejections = report.rejected.iter().map(|of| Change::reject(of.clone(), session.cloned(), now));
    closing.splice(0..0, rejections);
    let last_batch = if report.outcomes.is_empty() { batch } else { engine.batch_id() };
    report.outcomes.extend(commit_planned(engine, scope, last_batch, &statements, &closing).await?);
    Ok((batch, report))
}

/// Plans and commits until nobody else was faster.
async fn commit_planned(
    engine: &Engine,
    scope: &Scope,
    id: BatchId,
    statements: &[Statement],
    closing: &[Change],
) -> Result<Vec<WriteOutcome>> {
    if statements.is_empty() && closing.is_empty() {
        return Ok(Vec::new());
    }
    let user = scope.user_id();
    let mut replans = 0;
    loop {
        let generation = engine.store.generation(user).await?;
        let mut plan = Plan::new(engine, scope);
        plan.add_all(&still_said(engine, scope, statements).await?).await?;
        let mut batch = Batch::new(id, user.clone(), engine.now());
        batch.changes = std::mem::take(&mut plan.changes);
        if !batch.changes.is_empty() {
            batch = batch.with_expected_generation(generation);
        }
        batch.changes.extend(closing.iter().cloned());
        if batch.changes.is_empty() {
            return Ok(plan.outcomes);
        }
        match engine.store.commit(batch).await {
            Ok(_) => {
                embed::follow_up(engine, user, &plan.changed()).await?;
                return Ok(plan.outcomes);
            }
            Err(error) if error.kind() == ErrorKind::Conflict && replans < MAX_REPLANS => {
                if engine.store.generation(user).await? == generation {
                    // Not the generation: a job that another worker finished. Repeating would not help.
                    return Err(error);
                }
                replans += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// The statements whose quotes still stand in the transcript: what was erased while an extractor read is not kept.
async fn still_said(engine: &Engine, scope: &Scope, statements: &[Statement]) -> Result<Vec<Statement>> {
    let quotes = |statement: &Statement| statement.provenance.quotes.clone();
    let ids: BTreeSet<MessageId> = statements.iter().flat_map(quotes).filter_map(|quote| quote.message).collect();
    if ids.is_empty() {
        return Ok(statements.to_vec());
    }
    let query = MessageQuery::new(scope.clone()).with_ids(ids.into_iter().collect());
    let messages = engine.store.messages(&query).await?;
    let stands = |quote: &Quote| {
        let Some(id) = &quote.message else { return true };
        messages.iter().any(|message| message.id == *id && message.text().contains(&quote.text))
    };
    Ok(statements.iter().filter(|statement| statement.provenance.quotes.iter().all(stands)).cloned().collect())
}

/// The rules that hold whatever an extractor proposes.
fn checked(
    engine: &Engine,
    scope: &Scope,
    mut candidate: Candidate,
    origin: Origin<'_>,
) -> Result<Statement, Rejection> {
    let settings = &engine.settings.capture;
    let message = candidate.quote.as_ref().and_then(|quote| quote.message.clone());
    let reject = |candidate: &Candidate, reason| Rejection::new(candidate.content.clone(), reason, message.clone());
    // An extractor may have been shown more than the transcript holds: its words are redacted once more.
    let (content, is_blocked) = observe::redact_text(&*engine.redactor, &candidate.content);
    candidate.content = content;
    if is_blocked {
        return Err(reject(&candidate, RejectionReason::Blocked));
    }
    let quote = if origin.is_direct { None } else { Some(ground(&candidate, origin.messages)) };
    let quote = match quote {
        None => None,
        Some(Ok(quote)) => Some(quote),
        Some(Err(reason)) => return Err(reject(&candidate, reason)),
    };
    let is_weak =
        candidate.confidence.value() < settings.min_confidence || candidate.importance < settings.min_importance;
    if is_weak && !candidate.explicit && !origin.is_direct {
        return Err(reject(&candidate, RejectionReason::BelowThreshold));
    }
    if candidate.content.trim().is_empty() || candidate.content.len() > memcore_core::MAX_CONTENT_BYTES {
        return Err(reject(&candidate, RejectionReason::Invalid));
    }
    Ok(Statement { provenance: provenance(engine, scope, &candidate, quote, origin), candidate })
}

/// The quote of a candidate, as code found it in a message of the speaker's role.
fn ground(candidate: &Candidate, messages: &[StoredMessage]) -> Result<Quote, RejectionReason> {
    let quote = candidate.quote.as_ref().ok_or(RejectionReason::Ungrounded)?;
    match candidate.source {
        SourceKind::User => grounding::ground(quote, messages).ok_or(RejectionReason::Ungrounded),
        // Word-for-word episodes of others carry their role; anything else is no statement of theirs about the user.
        _ if candidate.kind == memcore_core::Kind::Episode => {
            let said = messages.iter().find(|message| quote.message.as_ref() == Some(&message.id));
            said.filter(|message| message.text().contains(&quote.text))
                .map(|_| quote.clone())
                .ok_or(RejectionReason::Ungrounded)
        }
        // Nobody says what an attachment shows: it takes the attachment, and is a document's.
        SourceKind::Document if quote.text.is_empty() => {
            let is_it = |message: &&StoredMessage| quote.message.as_ref() == Some(&message.id);
            let has_attachment = |block: &ContentBlock| matches!(block, ContentBlock::Other(_));
            let message = messages.iter().filter(|message| message.role == Role::User).find(is_it);
            let is_shown = message.is_some_and(|message| message.content.iter().any(has_attachment));
            is_shown.then(|| quote.clone()).ok_or(RejectionReason::Ungrounded)
        }
        _ => Err(RejectionReason::NotUserStated),
    }
}

fn provenance(
    engine: &Engine,
    scope: &Scope,
    candidate: &Candidate,
    quote: Option<Quote>,
    origin: Origin<'_>,
) -> Provenance {
    let message = quote.as_ref().and_then(|quote| quote.message.clone());
    let said = origin.messages.iter().find(|said| message.as_ref() == Some(&said.id));
    let at = said.map_or_else(|| engine.now(), |said| said.at);
    let mut provenance = Provenance::new(candidate.source, origin.extractor, at);
    provenance.project = scope.project_id().cloned();
    provenance.session = scope.session_id().cloned();
    provenance.messages = message.into_iter().collect();
    provenance.quotes = quote.into_iter().collect();
    provenance.model = origin.model.map(str::to_owned);
    provenance
}
