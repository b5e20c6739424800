//! Everything that may answer, with the signals that found it and the turns around it.

use std::collections::{BTreeMap, HashMap, HashSet};

use memcore_core::{
    EmbedRole, Embedding, ErrorKind, Hit, Kind, Language, ListRequest, MemoryId, MemoryRecord, Neighbours,
    RecordFilter, Result, Scope, ScoreParts, Status, TextMatches, TextQuery, Timestamp, Trust, VectorQuery,
    text::{self, QueryTerm},
};

use super::{Purpose, RecallRequest, why};
use crate::{
    engine::{Engine, VectorArm},
    policy::{
        gate::{Gate, SHORT_INPUT_IMPORTANCE},
        query, ranking,
        slots::{self, SlotMatch},
        surroundings::{self, CandidateTurn},
        text_score::{self, TextScorer},
    },
};

/// Records of one slot that are looked at.
const SLOT_CANDIDATES: usize = 20;
/// The best episodes, whose surroundings are looked at.
const EPISODES_WITH_SURROUNDINGS: usize = 24;
/// What the text part counts at least where an identifier, a number or a name of the query stands in the text.
const DECISIVE_TEXT: f32 = 0.45;
/// What a record keeps of its relevance where it shares words with the query, but not the ones that the query is about.
const LACKS_DECISIVE: f32 = 0.85;

/// A record that may answer.
#[derive(Debug)]
struct Candidate {
    record: MemoryRecord,
    parts: ScoreParts,
    /// The greatest relevance, without surroundings, of the record and the turns next to it.
    support: f32,
}

/// A hit, and what its relevance rests on.
#[derive(Debug)]
pub(super) struct Scored {
    pub(super) hit: Hit,
    support: f32,
}

impl Scored {
    /// Whether it is relevant enough. What surrounds a turn lifts it over a floor only where something there reaches the
    /// floor by itself: many faint echoes are no answer.
    pub(super) fn passes(&self, floor: f32) -> bool {
        self.hit.parts.similarity.min(self.support) >= floor
    }
}

/// A question, prepared for searching and for judging what was found.
pub(super) struct Question<'a> {
    engine: &'a Engine,
    scope: &'a Scope,
    request: &'a RecallRequest,
    gate: Gate,
    filter: RecordFilter,
    terms: Vec<QueryTerm>,
    language: Language,
    slots: Vec<SlotMatch>,
    scorer: TextScorer,
    vector: Option<(&'a VectorArm, Embedding)>,
    text_ranks: HashMap<MemoryId, usize>,
    vector_ranks: HashMap<MemoryId, usize>,
}

/// Searches for everything that may answer, and scores it; best first.
pub(super) async fn ranked(
    engine: &Engine,
    scope: &Scope,
    request: &RecallRequest,
    (query, gate): (&str, Gate),
    limit: usize,
    degraded: &mut Option<String>,
) -> Result<Vec<Scored>> {
    let filter = filter(scope, request);
    let wanted = engine.settings.recall.candidates.max(limit.saturating_mul(4));
    let terms = text::query_terms(query);

    let found = engine.store.search_text(&TextQuery::new(terms.clone(), filter.clone(), wanted)).await?;
    let mut question = Question {
        engine,
        scope,
        request,
        gate,
        filter,
        language: text::language(query),
        slots: slots::slots_asked(query),
        scorer: TextScorer::new(&terms, &found.frequencies, found.documents),
        vector: None,
        text_ranks: found.hits.iter().zip(1..).map(|(hit, rank)| (hit.id, rank)).collect(),
        vector_ranks: HashMap::new(),
        terms,
    };
    let mut ids: Vec<MemoryId> = found.hits.iter().map(|hit| hit.id).collect();
    ids.extend(question.in_asked_slots().await?);

    let mut cosines = HashMap::new();
    let common = common_terms(&question.terms, &found);
    question.vector = query_vector(engine, gate, &query::without(query, &common), degraded).await;
    if let Some((arm, vector)) = &question.vector {
        let query = VectorQuery::new(vector.clone(), arm.identity.clone(), question.filter.clone(), wanted);
        for (hit, rank) in arm.store.search(&query).await?.into_iter().zip(1..) {
            cosines.insert(hit.id, hit.similarity);
            question.vector_ranks.insert(hit.id, rank);
            ids.push(hit.id);
        }
    }
    ids.sort_unstable();
    ids.dedup();
    let mut candidates = question.judged(ids, cosines).await?;
    if gate == Gate::Open {
        question.add_surroundings(&mut candidates).await?;
    }
    Ok(question.scored(candidates))
}

impl Question<'_> {
    async fn in_asked_slots(&self) -> Result<Vec<MemoryId>> {
        let mut ids = Vec::new();
        for asked in &self.slots {
            let request =
                ListRequest::new(self.filter.clone()).with_slot(asked.slot.clone()).with_limit(SLOT_CANDIDATES);
            ids.extend(self.engine.store.list(&request).await?.records.iter().map(|record| record.id));
        }
        Ok(ids)
    }

    /// Judges records by every signal. What the vector search did not find is compared by vector as well, so that each
    /// arm judges every candidate.
    async fn judged(&self, ids: Vec<MemoryId>, mut cosines: HashMap<MemoryId, f32>) -> Result<Vec<Candidate>> {
        if let Some((arm, vector)) = &self.vector {
            let rest: Vec<MemoryId> = ids.iter().filter(|id| !cosines.contains_key(id)).copied().collect();
            if !rest.is_empty() {
                let k = rest.len();
                let filter = self.filter.clone().with_ids(rest);
                let query = VectorQuery::new(vector.clone(), arm.identity.clone(), filter, k);
                cosines.extend(arm.store.search(&query).await?.into_iter().map(|hit| (hit.id, hit.similarity)));
            }
        }
        // A vector without a record (in a separate store, between two steps) finds nothing here.
        let records = self.engine.store.get(self.scope, &ids).await?;
        Ok(records.into_iter().map(|record| self.judge(cosines.get(&record.id).copied(), record)).collect())
    }

    /// How relevant a record is by itself.
    fn judge(&self, cosine: Option<f32>, record: MemoryRecord) -> Candidate {
        let score = self.scorer.score(&record.content);
        let is_decisive = self.scorer.decisive_match(&score);
        let mut parts = ScoreParts::default();
        parts.vector = cosine.zip(self.vector.as_ref()).map(|(cosine, (arm, _))| {
            let calibration = arm.calibration;
            calibration.relevance(cosine, self.language, record.language)
        });
        parts.vector_rank = self.vector_ranks.get(&record.id).copied();
        parts.text_rank = self.text_ranks.get(&record.id).copied();
        // A number, a name or an identifier that was asked for decides where it stands.
        parts.text = if is_decisive { score.value.max(DECISIVE_TEXT) } else { score.value };
        let answering = self.slots.iter().filter(|asked| record.slot.as_ref() == Some(&asked.slot));
        parts.slot = answering.map(|asked| asked.confidence).fold(0.0, f32::max);
        parts.similarity = ranking::fused_relevance(parts.vector, parts.text, parts.slot);
        if self.scorer.has_decisive() && score.value > 0.0 && !is_decisive {
            parts.similarity *= LACKS_DECISIVE;
        }
        parts.matched = score.matched;
        Candidate { support: parts.similarity, record, parts }
    }

    /// Lets the turns of a conversation speak for each other; the neighbours of the best become candidates.
    async fn add_surroundings(&self, candidates: &mut Vec<Candidate>) -> Result<()> {
        let mut best: Vec<(f32, MemoryId)> = candidates
            .iter()
            .filter(|candidate| candidate.record.kind == Kind::Episode && candidate.parts.similarity > 0.0)
            .map(|candidate| (candidate.parts.similarity, candidate.record.id))
            .collect();
        if best.is_empty() {
            return Ok(());
        }
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1.cmp(&a.1)));
        best.truncate(EPISODES_WITH_SURROUNDINGS);
        let best: Vec<MemoryId> = best.into_iter().map(|(_, id)| id).collect();
        let around = self.engine.store.neighbours(&best, &self.filter, surroundings::REACH).await?;

        let known: HashSet<MemoryId> = candidates.iter().map(|candidate| candidate.record.id).collect();
        let near = around.iter().flat_map(|near| near.before.iter().chain(&near.after)).copied();
        let mut new: Vec<MemoryId> = near.filter(|id| !known.contains(id)).collect();
        new.sort_unstable();
        new.dedup();
        candidates.extend(self.judged(new, HashMap::new()).await?);
        self.apply_surroundings(candidates, &around);
        Ok(())
    }

    fn apply_surroundings(&self, candidates: &mut [Candidate], around: &[Neighbours]) {
        let (mut turns, mut places, mut at) = (Vec::new(), Vec::new(), HashMap::new());
        for (place, Candidate { record, parts, .. }) in candidates.iter().enumerate() {
            if record.kind == Kind::Episode {
                at.insert(record.id, turns.len());
                places.push(place);
                turns.push(CandidateTurn {
                    relevance: parts.similarity,
                    session: record.provenance.session.clone(),
                    by_person_asked_about: surroundings::names_speaker(&self.terms, &record.content),
                    asks: surroundings::asks(&record.content),
                });
            }
        }
        let mut distances = BTreeMap::new();
        for near in around {
            let Some(of) = at.get(&near.of) else { continue };
            for (id, distance) in near.before.iter().zip(1..) {
                at.get(id).map(|before| distances.insert((*before, *of), distance));
            }
            for (id, distance) in near.after.iter().zip(1..) {
                at.get(id).map(|after| distances.insert((*of, *after), distance));
            }
        }
        for (place, whole) in places.iter().zip(surroundings::with_surroundings(&turns, &distances)) {
            let parts = &mut candidates[*place].parts;
            parts.surroundings = whole - parts.similarity;
            parts.similarity = whole;
        }
        for (earlier, later) in distances.into_keys() {
            for (one, other) in [(earlier, later), (later, earlier)] {
                let support = &mut candidates[places[one]].support;
                *support = support.max(turns[other].relevance);
            }
        }
    }

    /// The candidates that may be shown, best first.
    fn scored(&self, candidates: Vec<Candidate>) -> Vec<Scored> {
        let now = self.request.as_of.unwrap_or_else(|| self.engine.now());
        let preset = self.engine.settings.recall.preset;
        let shown =
            candidates.into_iter().filter(|candidate| self.may_be_shown(&candidate.record, &candidate.parts, now));
        let mut scored: Vec<Scored> = shown
            .map(|Candidate { record, mut parts, support }| {
                parts.importance = f32::from(record.importance.value()) / 10.0;
                parts.recency = ranking::recency(record.valid_from, now);
                let (score, why) = (preset.score(&parts), why(&parts));
                Scored { hit: Hit::new(record, score, parts, why), support }
            })
            .collect();
        scored.sort_by(|a, b| b.hit.score.total_cmp(&a.hit.score).then_with(|| b.hit.record.id.cmp(&a.hit.record.id)));
        scored
    }

    fn may_be_shown(&self, record: &MemoryRecord, parts: &ScoreParts, now: Timestamp) -> bool {
        let is_direct = || !parts.matched.is_empty() && record.importance.value() >= SHORT_INPUT_IMPORTANCE;
        (self.gate != Gate::DirectOnly || is_direct())
            && (self.request.purpose != Purpose::Prompt || may_be_shown_unasked(record, now))
    }
}

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
    record.trust >= Trust::Inferred && record.valid_until.is_none_or(|until| now < until)
}

/// The terms of a query that so many memories have that they set none apart.
fn common_terms<'a>(terms: &'a [QueryTerm], found: &TextMatches) -> HashSet<&'a str> {
    let frequencies = terms.iter().zip(&found.frequencies);
    let common = frequencies.filter(|(_, frequency)| text_score::is_common(**frequency, found.documents));
    common.map(|(term, _)| term.text.as_str()).collect()
}

/// The vector of a query; none where the query is too short for one, where there is no embedder, where the embedder can
/// make nothing of it, or where it fails: then the answer is made without it, and that is said.
async fn query_vector<'a>(
    engine: &'a Engine,
    gate: Gate,
    query: &str,
    degraded: &mut Option<String>,
) -> Option<(&'a VectorArm, Embedding)> {
    let arm = engine.vectors.as_ref().filter(|_| gate == Gate::Open && engine.degraded.is_none())?;
    match arm.embedder.embed(&[query.to_owned()], EmbedRole::Query).await.pop()? {
        Ok(embedding) => embedding.into_chunks().into_iter().next().map(|vector| (arm, vector)),
        Err(error) if error.kind() == ErrorKind::NotEmbeddable => None,
        Err(error) => {
            degraded.get_or_insert_with(|| format!("searched by words alone, the embedder failed: {error}"));
            None
        }
    }
}
