//! Erasure: which records a request means, and everything that has to go with them.

use memcore_core::{
    Forget, ForgetReceipt, ListRequest, MemoryId, MemoryRecord, RecordFilter, Result, Scope, SessionId, SortOrder,
    Status, text,
};

use super::recall::{RecallRequest, recall};
use crate::engine::Engine;

/// Relevance from which a memory is clearly what a request to forget means.
const CLEAR: f32 = 0.5;
/// How far the second best must stay behind, as a share of the best.
const APART: f32 = 0.75;
/// Records read per page.
const PAGE: usize = 200;

/// What a request to forget in a conversation came to.
#[derive(Debug)]
pub(crate) enum AtWord {
    /// Exactly one memory was meant; it is gone.
    Forgotten(Vec<MemoryId>),
    /// Several may be meant (these, most likely first), or none: nothing was erased.
    Unclear(Vec<MemoryId>),
}

/// Erases what a user's words clearly mean.
pub(crate) async fn at_word(engine: &Engine, scope: &Scope, query: &str) -> Result<AtWord> {
    let hits = recall(engine, scope, &RecallRequest::new(query).without_touch()).await?.hits;
    let wanted = text::normalize(query);
    let exact = hits.iter().find(|hit| text::normalize(&hit.record.content) == wanted);
    let clear = exact.or_else(|| match hits.as_slice() {
        [only] => Some(only).filter(|hit| hit.parts.similarity >= CLEAR),
        [first, second, ..] => Some(first).filter(|first| {
            first.parts.similarity >= CLEAR && second.parts.similarity <= APART * first.parts.similarity
        }),
        [] => None,
    });
    match clear.map(|hit| hit.record.id) {
        Some(id) => Ok(AtWord::Forgotten(records(engine, scope, &[id]).await?.forgotten)),
        None => Ok(AtWord::Unclear(hits.iter().map(|hit| hit.record.id).collect())),
    }
}

/// Erases records with all that they replaced: a fact is not forgotten while an older wording of it is kept.
pub(crate) async fn records(engine: &Engine, scope: &Scope, ids: &[MemoryId]) -> Result<ForgetReceipt> {
    let doomed = with_predecessors(engine, scope, ids).await?;
    erase(engine, scope, doomed, Vec::new()).await
}

/// Erases sessions: their messages, and the records that come from them.
pub(crate) async fn session(engine: &Engine, scope: &Scope, session: &SessionId) -> Result<ForgetReceipt> {
    let within = Scope::of_user(scope.user_id().clone()).with_session(Some(session.clone()));
    let mut doomed = Vec::new();
    for info in engine.store.sessions(&within).await? {
        let from_it = |record: &MemoryRecord| record.provenance.session.as_ref() == Some(session);
        doomed.extend(all_records(engine, &info.scope).await?.into_iter().filter(from_it));
    }
    // Records of one session may be visible from several scopes, and each is erased from where it lives.
    let mut receipt = ForgetReceipt::nothing();
    let mut by_place: Vec<(Scope, Vec<MemoryRecord>)> = Vec::new();
    for record in doomed {
        match by_place.iter_mut().find(|(place, _)| *place == record.scope) {
            Some((_, records)) => records.push(record),
            None => by_place.push((record.scope.clone(), vec![record])),
        }
    }
    for (place, records) in by_place {
        merge(&mut receipt, erase(engine, &place, records, Vec::new()).await?);
    }
    merge(&mut receipt, erase(engine, &within, Vec::new(), vec![session.clone()]).await?);
    Ok(receipt)
}

/// Erases all that there is of the user.
pub(crate) async fn everything(engine: &Engine, scope: &Scope) -> Result<ForgetReceipt> {
    let user = Scope::of_user(scope.user_id().clone());
    let receipt = engine.store.forget(&user, &Forget::everything()).await?;
    drop_vectors(engine, &receipt.forgotten).await?;
    Ok(receipt)
}

/// The records that a source brought in, for erasure or preview.
pub(crate) async fn of_source(engine: &Engine, scope: &Scope, source: &str) -> Result<Vec<MemoryRecord>> {
    let mut records = all_records(engine, scope).await?;
    records.retain(|record| {
        let kind = serde_json::to_value(record.provenance.source).ok();
        record.provenance.extractor == source || kind.as_ref().and_then(|kind| kind.as_str()) == Some(source)
    });
    Ok(records)
}

async fn erase(
    engine: &Engine,
    scope: &Scope,
    records: Vec<MemoryRecord>,
    sessions: Vec<SessionId>,
) -> Result<ForgetReceipt> {
    let mut phrases = Vec::new();
    for record in &records {
        phrases.push(record.content.clone());
        phrases.extend(record.provenance.quotes.iter().map(|quote| quote.text.clone()));
        for version in engine.store.history(scope, record.id).await? {
            phrases.push(version.record.content);
            phrases.extend(version.record.provenance.quotes.into_iter().map(|quote| quote.text));
        }
    }
    // Longer ones first: a phrase within another must not break the other's occurrence.
    phrases.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    phrases.dedup();
    let ids: Vec<MemoryId> = records.iter().map(|record| record.id).collect();
    let receipt = engine.store.forget(scope, &Forget::records(ids.clone(), phrases).with_sessions(sessions)).await?;
    drop_vectors(engine, &receipt.forgotten).await?;
    Ok(receipt)
}

/// Removes the vectors of erased records from a store of its own.
async fn drop_vectors(engine: &Engine, ids: &[MemoryId]) -> Result<()> {
    match engine.vectors.as_ref().filter(|arm| !arm.shares_record_store && !ids.is_empty()) {
        Some(arm) => arm.store.delete(ids).await.map(|_| ()),
        None => Ok(()),
    }
}

async fn with_predecessors(engine: &Engine, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<MemoryRecord>> {
    let mut doomed = engine.store.get(scope, ids).await?;
    let mut closed = all_of(engine, scope, vec![Status::Superseded, Status::Merged]).await?;
    loop {
        let before = doomed.len();
        let (replaced, rest): (Vec<_>, Vec<_>) = closed
            .into_iter()
            .partition(|record| record.superseded_by.is_some_and(|by| doomed.iter().any(|doomed| doomed.id == by)));
        doomed.extend(replaced.into_iter().filter(|record| !ids.contains(&record.id)));
        closed = rest;
        if doomed.len() == before {
            return Ok(doomed);
        }
    }
}

async fn all_records(engine: &Engine, scope: &Scope) -> Result<Vec<MemoryRecord>> {
    all_of(engine, scope, Status::ALL.to_vec()).await
}

/// Every record of these statuses that the scope sees, oldest first.
pub(crate) async fn all_of(engine: &Engine, scope: &Scope, statuses: Vec<Status>) -> Result<Vec<MemoryRecord>> {
    let filter = RecordFilter::new(scope.clone()).with_statuses(statuses);
    let (mut records, mut cursor) = (Vec::new(), None);
    loop {
        let request =
            ListRequest::new(filter.clone()).with_sort(SortOrder::Oldest).with_limit(PAGE).with_cursor(cursor);
        let page = engine.store.list(&request).await?;
        records.extend(page.records);
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(records),
        }
    }
}

fn merge(receipt: &mut ForgetReceipt, other: ForgetReceipt) {
    receipt.forgotten.extend(other.forgotten);
    receipt.rows += other.rows;
    receipt.vectors += other.vectors;
    receipt.terms += other.terms;
    receipt.derived += other.derived;
    receipt.residual_bytes += other.residual_bytes;
    if other.purge != memcore_core::PurgeState::Purged {
        receipt.purge = other.purge;
    }
}
