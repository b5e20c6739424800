//! Retrieve: gate, candidates, fusion, ranking, floor, de-duplication.

use std::collections::{BTreeMap, HashSet};

use memcore_core::{
    Batch, Change, EmbedRole, Embedding, Hit, Kind, ListRequest, MemoryId, MemoryRecord, RecordFilter, Result, Scope,
    ScoreParts, Status, TextMatches, TextQuery, Timestamp, VectorQuery,
    text::{self, QueryTerm},
};
use serde::{Deserialize, Serialize};

use super::observe::redact_text;
use crate::{
    engine::{Engine, VectorArm},
    policy::{
        duplicate::Wording,
        gate::{self, Gate, SHORT_INPUT_IMPORTANCE},
        query, ranking, slots,
        text_score::{self, TextScorer},
    },
};

/// The longest query that is searched, in bytes; the rest says nothing more.
const MAX_QUERY_BYTES: usize = 8 * 1024;
/// Records of one slot that are looked at.
const SLOT_CANDIDATES: usize = 20;

/// A question to the memory.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RecallRequest {
    /// The question, in the user's words.
    pub query: String,
    /// Results at the most; none takes the default of the purpose, adapted to the query.
    pub limit: Option<usize>,
    /// Only these kinds; empty means all.
    pub kinds: Vec<Kind>,
    /// Statuses beside `Active`, for explicit search.
    pub include: Vec<Status>,
    /// What was true at that moment, instead of now.
    pub as_of: Option<Timestamp>,
    /// What the answer is for.
    pub purpose: Purpose,
    /// Whether the hits count as used.
    pub touch: bool,
}

/// What an answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A person or a host asked: the floor is low.
    Search,
    /// A prompt, unasked: the floor is high, and what is not trusted or overdue stays out.
    Prompt,
    /// Whoever reads the answer judges it, as a model does that looks for what a conversation overturns: no floor.
    Reader,
}

impl RecallRequest {
    /// A search.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            limit: None,
            kinds: Vec::new(),
            include: Vec::new(),
            as_of: None,
            purpose: Purpose::Search,
            touch: true,
        }
    }

    /// For a prompt.
    #[must_use]
    pub fn for_prompt(mut self) -> Self {
        self.purpose = Purpose::Prompt;
        self
    }

    /// For a reader who judges the answer.
    #[must_use]
    pub fn for_reader(mut self) -> Self {
        self.purpose = Purpose::Reader;
        self
    }

    /// At most so many results.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Only these kinds.
    #[must_use]
    pub fn with_kinds(mut self, kinds: Vec<Kind>) -> Self {
        self.kinds = kinds;
        self
    }

    /// Other statuses as well.
    #[must_use]
    pub fn with_include(mut self, include: Vec<Status>) -> Self {
        self.include = include;
        self
    }

    /// What was true then.
    #[must_use]
    pub fn with_as_of(mut self, as_of: Timestamp) -> Self {
        self.as_of = Some(as_of);
        self
    }

    /// The hits do not count as used.
    #[must_use]
    pub fn without_touch(mut self) -> Self {
        self.touch = false;
        self
    }
}

/// What is remembered about a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Recall {
    /// The question.
    pub query: String,
    /// Whether nothing passed: "nothing" is an answer.
    pub abstained: bool,
    /// The best that did not pass, where nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Hit>,
    /// Which part is missing, where one is; the answer is made without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// What passed, best first.
    pub hits: Vec<Hit>,
}

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

    let candidates = Candidates::gather(engine, scope, request, &query, gate, limit, &mut answer.degraded).await?;
    let (mut passing, failing): (Vec<Hit>, Vec<Hit>) =
        candidates.ranked(engine, request).into_iter().partition(|hit| hit.parts.similarity >= floor);
    drop_alike(&mut passing, limit);
    answer.abstained = passing.is_empty();
    if answer.abstained {
        answer.nearest = failing.into_iter().max_by(|a, b| a.parts.similarity.total_cmp(&b.parts.similarity));
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

/// Everything that may answer, with the signals that found it.
struct Candidates {
    query: String,
    records: Vec<MemoryRecord>,
    cosines: BTreeMap<MemoryId, f32>,
    vector_ranks: BTreeMap<MemoryId, usize>,
    text_ranks: BTreeMap<MemoryId, usize>,
    scorer: TextScorer,
    gate: Gate,
}

impl Candidates {
    async fn gather(
        engine: &Engine,
        scope: &Scope,
        request: &RecallRequest,
        query: &str,
        gate: Gate,
        limit: usize,
        degraded: &mut Option<String>,
    ) -> Result<Self> {
        let filter = filter(scope, request);
        let wanted = engine.settings.recall.candidates.max(limit.saturating_mul(4));
        let terms = text::query_terms(query);

        let found = engine.store.search_text(&TextQuery::new(terms.clone(), filter.clone(), wanted)).await?;
        let scorer = TextScorer::new(&terms, &found.frequencies, found.documents);
        let text_ranks: BTreeMap<MemoryId, usize> =
            found.hits.iter().enumerate().map(|(at, hit)| (hit.id, at + 1)).collect();
        let mut ids: Vec<MemoryId> = found.hits.iter().map(|hit| hit.id).collect();

        for asked in slots::slots_asked(query) {
            let request = ListRequest::new(filter.clone()).with_slot(asked.slot).with_limit(SLOT_CANDIDATES);
            ids.extend(engine.store.list(&request).await?.records.iter().map(|record| record.id));
        }

        let (mut cosines, mut vector_ranks) = (BTreeMap::new(), BTreeMap::new());
        let arm = engine.vectors.as_ref().filter(|_| gate == Gate::Open && engine.degraded.is_none());
        if let Some(arm) = arm {
            let common = common_terms(&terms, &found);
            match query_vector(arm, &query::without(query, &common)).await {
                Ok(Some(vector)) => {
                    let query = VectorQuery::new(vector.clone(), arm.identity.clone(), filter.clone(), wanted);
                    for (at, hit) in arm.store.search(&query).await?.into_iter().enumerate() {
                        cosines.insert(hit.id, hit.similarity);
                        vector_ranks.insert(hit.id, at + 1);
                        ids.push(hit.id);
                    }
                    // What only the text found is compared by vector as well, so that both arms judge every candidate.
                    let rest: Vec<MemoryId> = ids.iter().filter(|id| !cosines.contains_key(id)).copied().collect();
                    if !rest.is_empty() {
                        let k = rest.len();
                        let query = VectorQuery::new(vector, arm.identity.clone(), filter.with_ids(rest), k);
                        cosines.extend(arm.store.search(&query).await?.into_iter().map(|hit| (hit.id, hit.similarity)));
                    }
                }
                Ok(None) => {}
                Err(error) => {
                    degraded.get_or_insert_with(|| format!("searched by words alone, the embedder failed: {error}"));
                }
            }
        }
        ids.sort_unstable();
        ids.dedup();
        // A vector without a record (in a separate store, between two steps) finds nothing here.
        let records = engine.store.get(scope, &ids).await?;
        Ok(Self { query: query.to_owned(), records, cosines, vector_ranks, text_ranks, scorer, gate })
    }

    /// Scores every candidate; best first.
    fn ranked(self, engine: &Engine, request: &RecallRequest) -> Vec<Hit> {
        let now = request.as_of.unwrap_or_else(|| engine.now());
        let asked = slots::slots_asked(&self.query);
        let calibration = engine.vectors.as_ref().map(|arm| arm.calibration);
        let language = text::language(&self.query);
        let preset = engine.settings.recall.preset;
        let mut hits = Vec::with_capacity(self.records.len());
        for record in self.records {
            let score = self.scorer.score(&record.content);
            let is_direct = score.value > 0.0;
            if self.gate == Gate::DirectOnly && !(is_direct && record.importance.value() >= SHORT_INPUT_IMPORTANCE) {
                continue;
            }
            if request.purpose == Purpose::Prompt && !may_be_shown_unasked(&record, now) {
                continue;
            }
            let mut parts = ScoreParts::default();
            let cosine = self.cosines.get(&record.id).zip(calibration);
            parts.vector = cosine.map(|(cosine, of)| of.relevance(*cosine, language, record.language));
            parts.vector_rank = self.vector_ranks.get(&record.id).copied();
            parts.text_rank = self.text_ranks.get(&record.id).copied();
            parts.text = score.value;
            if self.scorer.decisive_match(&score) {
                // A number, a name or an identifier that was asked for decides where it stands.
                parts.text = parts.text.max(DECISIVE_TEXT);
            }
            parts.slot = asked
                .iter()
                .filter(|asked| record.slot.as_ref() == Some(&asked.slot))
                .map(|asked| asked.confidence)
                .fold(0.0, f32::max);
            parts.similarity = ranking::fused_relevance(parts.vector, parts.text, parts.slot);
            if self.scorer.has_decisive() && is_direct && !self.scorer.decisive_match(&score) {
                parts.similarity *= LACKS_DECISIVE;
            }
            parts.importance = f32::from(record.importance.value()) / 10.0;
            parts.recency = ranking::recency(record.valid_from, now);
            parts.matched = score.matched;
            let why = why(&parts);
            hits.push(Hit::new(record, preset.score(&parts), parts, why));
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.record.id.cmp(&a.record.id)));
        hits
    }
}

/// What the text part counts at least where an identifier, a number or a name of the query stands in the text.
const DECISIVE_TEXT: f32 = 0.45;
/// What a record keeps of its relevance where it shares words with the query, but not the ones that the query is about.
const LACKS_DECISIVE: f32 = 0.85;

fn filter(scope: &Scope, request: &RecallRequest) -> RecordFilter {
    let mut statuses = vec![Status::Active];
    statuses.extend(request.include.iter().copied().filter(|status| *status != Status::Active));
    let mut filter = RecordFilter::new(scope.clone()).with_kinds(request.kinds.clone());
    if let Some(at) = request.as_of {
        // What was true then may have been overturned since.
        statuses.extend([Status::Superseded, Status::Archived]);
        filter = filter.with_valid_at(at);
    }
    statuses.sort_unstable();
    statuses.dedup();
    filter.with_statuses(statuses)
}

/// Trusted, and not overdue.
fn may_be_shown_unasked(record: &MemoryRecord, now: Timestamp) -> bool {
    record.trust >= memcore_core::Trust::Inferred && record.valid_until.is_none_or(|until| now < until)
}

/// The terms of a query that so many memories have that they set none apart.
fn common_terms<'a>(terms: &'a [QueryTerm], found: &TextMatches) -> HashSet<&'a str> {
    let frequencies = terms.iter().zip(&found.frequencies);
    let common = frequencies.filter(|(_, frequency)| text_score::is_common(**frequency, found.documents));
    common.map(|(term, _)| term.text.as_str()).collect()
}

/// The vector of a query; none where the model can make nothing of it.
async fn query_vector(arm: &VectorArm, query: &str) -> Result<Option<Embedding>> {
    match arm.embedder.embed(&[query.to_owned()], EmbedRole::Query).await.pop() {
        Some(Ok(embedding)) => Ok(embedding.into_chunks().into_iter().next()),
        Some(Err(error)) if error.kind() == memcore_core::ErrorKind::NotEmbeddable => Ok(None),
        Some(Err(error)) => Err(error),
        None => Ok(None),
    }
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
