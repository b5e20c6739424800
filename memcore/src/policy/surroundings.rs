//! What the turns around it say for a turn: an answer stands behind its question, and a talk has a subject.
//!
//! Only for episodes. A statement is whole by itself; a turn of a conversation often is not ("Yes, last spring!").

use std::collections::{BTreeMap, HashSet};

use memcore_core::{
    SessionId,
    text::{self, QueryTerm},
};

/// Turns on either side that count.
pub const REACH: usize = 2;
/// What a turn gets of the evidence for the one before it, and for the one before that.
const FROM_BEFORE: [f32; REACH] = [0.4, 0.2];
/// What a turn gets of the evidence for the one behind it, and for the one behind that.
const FROM_AFTER: [f32; REACH] = [0.25, 0.1];
/// What every turn gets of the strongest evidence in its session.
const FROM_SESSION: f32 = 0.4;
/// What a turn gains by itself where the question names who speaks.
const SPEAKER_OWN: f32 = 0.2;
/// What it gains with its surroundings.
const SPEAKER_WHOLE: f32 = 0.15;
/// What is left of a turn that asks rather than tells.
const ASKS: f32 = 0.8;
/// Longest name in front of a colon, in characters.
const MAX_SPEAKER: usize = 40;

/// A turn among the candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateTurn {
    /// How relevant it is by itself, 0 to 1.
    pub relevance: f32,
    /// The session in which it was said.
    pub session: Option<SessionId>,
    /// Whether the question names who speaks.
    pub by_person_asked_about: bool,
    /// Whether it asks rather than tells.
    pub asks: bool,
}

/// Relevance as evidence, which adds up where chances combine as a noisy or: -ln(1 - relevance), 0 to 4.
fn evidence(relevance: f32) -> f32 {
    -(1.0 - relevance.clamp(0.0, 0.98)).ln()
}

/// The relevance of each turn, 0 to 1, with what its surroundings say for it.
///
/// `distances` has for two turns of one session, the earlier one first, how far they lie apart (1 is next to each
/// other); indexes are those of `turns`.
#[must_use]
pub fn with_surroundings(turns: &[CandidateTurn], distances: &BTreeMap<(usize, usize), usize>) -> Vec<f32> {
    let own: Vec<f32> = turns
        .iter()
        .map(|turn| evidence(turn.relevance) * if turn.by_person_asked_about { 1.0 + SPEAKER_OWN } else { 1.0 })
        .collect();
    let mut strongest: BTreeMap<&SessionId, f32> = BTreeMap::new();
    for (turn, own) in turns.iter().zip(&own) {
        if let Some(session) = &turn.session {
            let strongest = strongest.entry(session).or_default();
            *strongest = strongest.max(*own);
        }
    }
    let mut whole = own.clone();
    for ((earlier, later), distance) in distances {
        let at = distance.saturating_sub(1);
        if let (Some(before), Some(after)) = (FROM_BEFORE.get(at), FROM_AFTER.get(at)) {
            whole[*later] += before * own[*earlier];
            whole[*earlier] += after * own[*later];
        }
    }
    for (turn, whole) in turns.iter().zip(&mut whole) {
        if let Some(strongest) = turn.session.as_ref().and_then(|session| strongest.get(session)) {
            *whole += FROM_SESSION * strongest;
        }
        if turn.by_person_asked_about {
            *whole *= 1.0 + SPEAKER_WHOLE;
        }
        if turn.asks {
            *whole *= ASKS;
        }
    }
    whole.into_iter().map(|evidence| 1.0 - (-evidence).exp()).collect()
}

/// Whether the question names who speaks: "Ada: I went hiking" to "Where did Ada go?".
#[must_use]
pub fn names_speaker(question: &[QueryTerm], turn: &str) -> bool {
    let Some(speaker) = speaker(turn) else { return false };
    let asked: HashSet<&str> = question.iter().map(|term| term.text.as_str()).collect();
    let name = text::index_terms(speaker);
    !name.is_empty() && name.iter().all(|term| asked.contains(term.text.as_str()))
}

/// The name in front of a turn's first colon.
fn speaker(turn: &str) -> Option<&str> {
    let (name, _) = turn.split_once([':', '：'])?;
    let is_name =
        name.chars().count() <= MAX_SPEAKER && name.chars().all(|ch| ch.is_alphabetic() || " .-'".contains(ch));
    is_name.then_some(name)
}

/// Whether a turn asks rather than tells.
#[must_use]
pub fn asks(turn: &str) -> bool {
    turn.trim_end().ends_with(['?', '？'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(relevance: f32) -> CandidateTurn {
        CandidateTurn {
            relevance,
            session: Some(SessionId::new("s1").unwrap()),
            by_person_asked_about: false,
            asks: false,
        }
    }

    #[test]
    fn an_answer_gains_by_its_question() {
        let turns = [turn(0.0), turn(0.6), turn(0.0), turn(0.0)];
        let distances = [((0, 1), 1), ((1, 2), 1), ((1, 3), 2)].into_iter().collect();
        let whole = with_surroundings(&turns, &distances);
        let order = [1, 2, 0, 3].map(|at| whole[at]);
        assert!(order.is_sorted_by(|a, b| a > b), "{whole:?}");
        let elsewhere = CandidateTurn { session: Some(SessionId::new("s2").unwrap()), ..turn(0.0) };
        assert_eq!(with_surroundings(&[turn(0.6), elsewhere], &BTreeMap::new())[1], 0.0);
    }

    #[test]
    fn surroundings_only_add_and_stay_in_range() {
        for own in [0.0, 0.2, 0.7, 1.0] {
            for near in [0.0, 0.5, 1.0] {
                let distances = [((0, 1), 1)].into_iter().collect();
                let whole = with_surroundings(&[turn(near), turn(own)], &distances);
                assert!(whole[1] >= own.min(0.98) && whole[1] <= 1.0, "{own} {near} {whole:?}");
            }
        }
    }

    #[test]
    fn who_is_asked_about_gains_and_who_asks_loses() {
        let named = CandidateTurn { by_person_asked_about: true, ..turn(0.5) };
        let asking = CandidateTurn { asks: true, ..turn(0.5) };
        let alone = |turn: CandidateTurn| with_surroundings(&[turn], &BTreeMap::new())[0];
        assert!(alone(named) > alone(turn(0.5)));
        assert!(alone(asking) < alone(turn(0.5)));
    }

    #[test]
    fn speakers_are_told_by_the_name_in_front() {
        for (question, turn, expected) in [
            ("When did Melanie go hiking?", "Melanie: I went hiking in May", true),
            ("When did Melanie go hiking?", "Caroline: Melanie went hiking", false),
            ("小美什么时候去露营？", "小美：我五月去露营", true),
            ("When did Mary Ann leave?", "Mary Ann: I left at ten", true),
            ("When did Mary leave?", "Mary Ann: I left at ten", false),
            ("At 10 what happened?", "10:30 the alarm went off", false),
            ("What is it?", "no colon here", false),
        ] {
            assert_eq!(names_speaker(&text::query_terms(question), turn), expected, "{question} {turn}");
        }
        assert!(asks("Ada: where is it? ") && asks("在哪里？") && !asks("Where? In Rome."));
    }
}
