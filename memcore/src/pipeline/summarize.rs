//! The rolling summary: what leaves the short-term window is merged into it, and nothing before it is.

use memcore_core::{
    Batch, Change, ErrorKind, Job, JobKind, MessageId, MessageQuery, Result, Role, Scope, SessionAmendment,
    SessionInfo, StoredMessage, Summary,
};

use super::{capture, observe};
use crate::{engine::Engine, outcome::CaptureReport};

/// What the calls of a summarizer are booked under.
const SUMMARIZE: &str = "summarize";
/// Messages that are first looked at for those that no summary covers; four times as many where they do not suffice.
const TAIL: usize = 128;
/// Turns that are merged in one step: each step is kept, so that a failure repeats only its own.
const TURNS_PER_STEP: usize = 20;

/// A user's message and everything up to the next one.
pub(crate) type WholeTurn = Vec<StoredMessage>;

/// What is known of a session.
pub(crate) async fn info(engine: &Engine, scope: &Scope) -> Result<Option<SessionInfo>> {
    Ok(engine.store.sessions(scope).await?.pop())
}

/// The whole turns that no summary covers, oldest first. What comes before the first user's message belongs to it.
pub(crate) async fn recent(engine: &Engine, scope: &Scope, info: Option<&SessionInfo>) -> Result<Vec<WholeTurn>> {
    let covered = info.and_then(|info| info.summarized_until.as_ref());
    let messages = messages_behind(engine, scope, covered).await?;
    let mut turns: Vec<WholeTurn> = Vec::new();
    for message in messages {
        let has_begun = |turn: &WholeTurn| turn.iter().any(|said| said.role == Role::User);
        match turns.last_mut() {
            // Several messages of the user's in a row, or a greeting before the first, are one turn.
            Some(turn)
                if message.role != Role::User
                    || !has_begun(turn)
                    || turn.last().is_some_and(|last| last.role == Role::User) =>
            {
                turn.push(message);
            }
            _ => turns.push(vec![message]),
        }
    }
    Ok(turns)
}

async fn messages_behind(engine: &Engine, scope: &Scope, covered: Option<&MessageId>) -> Result<Vec<StoredMessage>> {
    let mut last = TAIL;
    loop {
        let query = MessageQuery::new(scope.clone()).with_last(last);
        let mut messages = engine.store.messages(&query).await?;
        if let Some(at) = messages.iter().position(|message| Some(&message.id) == covered) {
            return Ok(messages.split_off(at + 1));
        }
        if messages.len() < last {
            return Ok(messages);
        }
        last *= 4;
    }
}

/// The job that renews a session's summary, where so many turns wait for it and none is queued.
pub(crate) async fn due(engine: &Engine, scope: &Scope) -> Result<Option<Change>> {
    let most = 2 * engine.settings.conversation.window_turns;
    let Some(info) = info(engine, scope).await? else { return Ok(None) };
    if info.messages <= most as u64 || engine.folding().contains(scope) {
        return Ok(None);
    }
    if recent(engine, scope, Some(&info)).await?.len() <= most {
        return Ok(None);
    }
    engine.folding().insert(scope.clone());
    Ok(Some(Change::Enqueue(Job::new(engine.job_id(), scope.clone(), JobKind::Summarize, engine.now()))))
}

/// Merges all turns but the window's into the summary.
pub(crate) async fn fold(engine: &Engine, job: &Job) -> Result<CaptureReport> {
    let scope = &job.scope;
    while let Some((info, messages)) = next_step(engine, scope).await? {
        capture::check_budget(engine, scope, engine.summarizer.model()).await?;
        let tokens = engine.settings.conversation.summary_tokens;
        let merged = engine.summarizer.summarize(info.summary.as_deref(), &messages, tokens).await?;
        keep(engine, scope, &info, &messages, merged).await?;
    }
    engine.folding().remove(scope);
    let batch = Batch::new(engine.batch_id(), scope.user_id().clone(), engine.now());
    engine.store.commit(batch.with(Change::CompleteJob(job.id))).await?;
    Ok(CaptureReport::default())
}

/// The oldest turns beyond the window, and the session as they were read; none where nothing is left to merge.
async fn next_step(engine: &Engine, scope: &Scope) -> Result<Option<(SessionInfo, Vec<StoredMessage>)>> {
    let Some(info) = info(engine, scope).await? else { return Ok(None) };
    let turns = recent(engine, scope, Some(&info)).await?;
    let leaving = turns.len().saturating_sub(engine.settings.conversation.window_turns).min(TURNS_PER_STEP);
    Ok((leaving > 0).then(|| (info, turns[..leaving].concat())))
}

/// Stores a step's summary, unless what it was made from was erased or merged meanwhile.
async fn keep(
    engine: &Engine,
    scope: &Scope,
    read: &SessionInfo,
    messages: &[StoredMessage],
    merged: Summary,
) -> Result<()> {
    let Some(last) = messages.last() else { return Ok(()) };
    let (text, _) = observe::redact_text(&*engine.redactor, &merged.text);
    let account = capture::account(engine, SUMMARIZE, engine.summarizer.model(), merged.usage);
    let amendment = SessionAmendment::new(scope.clone()).with_summary(text, last.id.clone());
    loop {
        let generation = engine.store.generation(scope.user_id()).await?;
        let query = MessageQuery::new(scope.clone());
        let ids = messages.iter().map(|message| message.id.clone()).collect();
        let is_same = engine.store.messages(&query.with_ids(ids)).await? == messages
            && info(engine, scope).await?.is_some_and(|now| now.summary == read.summary);
        let changes = is_same.then(|| Change::AmendSession(amendment.clone()));
        let batch = Batch::new(engine.batch_id(), scope.user_id().clone(), engine.now());
        let batch = changes.into_iter().chain(account.clone()).fold(batch, Batch::with);
        match engine.store.commit(batch.with_expected_generation(generation)).await {
            Err(error)
                if error.kind() == ErrorKind::Conflict
                    && engine.store.generation(scope.user_id()).await? != generation => {}
            kept => return kept.map(|_| ()),
        }
    }
}
