//! Retrieve: gate, candidates, fusion, ranking, floor, de-duplication.

mod candidates;
mod request;

use memcore_core::{Batch, Change, Hit, MemoryId, Result, Scope, ScoreParts};

use self::candidates::Scored;
pub use self::request::{Purpose, Recall, RecallRequest};
use super::observe::redact_text;
use crate::{
    engine::Engine,
    policy::{
        duplicate::Wording,
        gate::{self, Gate},
    },
};

/// The longest query that is searched, in bytes; the rest says nothing more.
const MAX_QUERY_BYTES: usize = 8 * 1024;

/// Answers a question from what the scope sees.
pub(crate) async fn recall(engine: &Engine, scope: &Scope, request: &RecallRequest) -> Result<Recall> {
    let mut end = request.query.len().min(MAX_QUERY_BYTES);
    while !request.query.is_char_boundary(end) {
        end -= 1;
    }
    let (query, _) = redact_text(&*engine.redactor, &request.query[..end]);
    let mut answer = Recall {
        query: query.clone(),
        abstained: true,
        nearest: None,
        degraded: engine.degraded.clone(),
        hits: Vec::new(),
    };
    let gate = gate::gate(&query);
    let settings = &engine.settings.recall;
    let (usual, floor) = match request.purpose {
        Purpose::Search => (settings.search_results, settings.search_floor),
        Purpose::Prompt => (gate::result_count(&query, settings.results), settings.injection_floor),
        Purpose::Reader => (settings.search_results, 0.0),
    };
    let limit = request.limit.unwrap_or(usual);
    if gate == Gate::Closed || limit == 0 {
        return Ok(answer);
    }

    let scored = candidates::ranked(engine, scope, request, (&query, gate), limit, &mut answer.degraded).await?;
    let (passing, failing): (Vec<Scored>, Vec<Scored>) = scored.into_iter().partition(|scored| scored.passes(floor));
    let mut passing: Vec<Hit> = passing.into_iter().map(|scored| scored.hit).collect();
    drop_alike(&mut passing, limit);
    answer.abstained = passing.is_empty();
    if answer.abstained {
        let nearest = failing.into_iter().map(|scored| scored.hit);
        answer.nearest = nearest.max_by(|a, b| a.parts.similarity.total_cmp(&b.parts.similarity));
    }
    answer.hits = passing;
    if request.touch {
        touch(engine, scope, answer.hits.iter().map(|hit| hit.record.id).collect(), &mut answer.degraded).await?;
    }
    Ok(answer)
}

/// Counts an access. A store that cannot be written still answers; that the access went uncounted is said.
pub(crate) async fn touch(
    engine: &Engine,
    scope: &Scope,
    ids: Vec<MemoryId>,
    degraded: &mut Option<String>,
) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let now = engine.now();
    let batch = Batch::new(engine.batch_id(), scope.user_id().clone(), now).with(Change::Touch { ids, at: now });
    if let Err(error) = engine.store.commit(batch).await {
        degraded.get_or_insert_with(|| format!("the access was not counted: {error}"));
    }
    Ok(())
}

fn why(parts: &ScoreParts) -> String {
    let mut reasons = Vec::new();
    if parts.slot > 0.0 {
        reasons.push("answers the slot that was asked for".to_owned());
    }
    if !parts.matched.is_empty() {
        reasons.push(format!("shares the words {}", parts.matched.join(", ")));
    }
    if let Some(vector) = parts.vector.filter(|vector| *vector > 0.0) {
        reasons.push(format!("is near in meaning ({vector:.2})"));
    }
    if parts.surroundings > 0.0 {
        reasons.push(format!("stands in a conversation about it (+{:.2})", parts.surroundings));
    }
    reasons.join("; ")
}

/// Leaves the best `limit` results, and of those that would tell the reader the same only the best.
fn drop_alike(hits: &mut Vec<Hit>, limit: usize) {
    let mut kept: Vec<(Wording, Hit)> = Vec::with_capacity(limit.min(hits.len()));
    for hit in hits.drain(..) {
        if kept.len() == limit {
            break;
        }
        let wording = Wording::of(&hit.record.content);
        if !kept.iter().any(|(other, _)| other.is_like(&wording)) {
            kept.push((wording, hit));
        }
    }
    hits.extend(kept.into_iter().map(|(_, hit)| hit));
}
