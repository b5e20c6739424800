//! From what was found to a candidate: its content, quote, times, importance.

use memcore_core::{
    Candidate, Confidence, Importance, Kind, Level, Operation, Quote, Slot, StoredMessage, Timestamp,
    chrono::Duration,
    text::{Language, Span},
};

use super::{
    grammar::{Grammar, is_end_mark},
    pattern::{Check, Effect},
    statement::{Draft, capitalised},
};
use crate::policy::{
    slots,
    time_expression::{TimeExpression, time_expressions},
};

/// How sure a pattern is.
const PATTERN_CONFIDENCE: f32 = 0.85;
/// How sure an explicit request is.
const EXPLICIT_CONFIDENCE: f32 = 1.0;
/// What a user asked to keep matters at least so much.
const EXPLICIT_IMPORTANCE: u8 = 8;
/// A plan is worth keeping where it lies so many days ahead; nearer ones are the day's business.
const PLAN_DAYS_AHEAD: i64 = 2;

/// A message that candidates are taken from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin<'m> {
    pub(super) message: &'m StoredMessage,
    pub(super) text: &'m str,
}

impl Origin<'_> {
    /// The quote of `span`.
    pub(super) fn quote(&self, span: Span) -> Quote {
        Quote {
            message: Some(self.message.id.clone()),
            text: span.of(self.text).to_owned(),
            start: span.start,
            end: span.end,
        }
    }

    /// When it was said.
    pub(super) fn at(&self) -> Timestamp {
        self.message.at
    }

    /// `span` without the marks that end a statement, and without a conjunction before it.
    pub(super) fn trimmed(&self, span: Span) -> Span {
        let words = span.of(self.text);
        let end = span.start + words.trim_end_matches(is_end_mark).len();
        let start = end - Span::new(span.start, end).of(self.text).trim_start_matches(is_end_mark).len();
        Span::new(start, end)
    }
}

/// The candidate for a statement that a pattern found; none for a plan of the day.
pub(super) fn candidate_of(draft: &Draft, origin: Origin<'_>, grammar: &Grammar) -> Option<Candidate> {
    let pattern = draft.found.pattern;
    let body = origin.trimmed(draft.body);
    let mut content = match &draft.subject {
        Some(subject) => format!("{subject}{}", body.of(origin.text)),
        None => body.of(origin.text).to_owned(),
    };
    let mut quoted = body;
    if let Some(topic) = draft.topic {
        let joint = if grammar.language == Language::Zh { "，" } else { ", " };
        content = format!("{}{joint}{content}", topic.of(origin.text).trim_end_matches(is_end_mark));
        quoted.start = topic.start;
    }
    content = grammar.old_value.replace(&content, "$keep$keep2").into_owned();
    if grammar.language == Language::En {
        content = tidied(&content);
    }
    let mut candidate = Candidate::new(content, pattern.kind.clone());
    candidate.importance = Importance::clamped(pattern.importance);
    candidate.confidence = Confidence::clamped(PATTERN_CONFIDENCE);
    candidate.slot = draft.found.slot.clone();
    candidate.level = pattern.level;
    candidate.quote = Some(origin.quote(quoted));
    if grammar.this_project.is_match(&candidate.content) {
        candidate.level = Some(Level::Project);
    }
    if pattern.effect == Effect::Retract {
        candidate.operation = Operation::Retract;
    }
    let times = time_expressions(&candidate.content, origin.at());
    if pattern.check == Check::Planned {
        let plan = plan(&candidate.content, origin.at())?;
        candidate.valid_until = Some(plan.until);
        candidate.content = dated(&candidate.content, &plan, grammar);
    } else if draft.is_former {
        candidate.slot = None;
        candidate.kind = Kind::Event;
        candidate.importance = Importance::clamped(4);
    } else if candidate.slot.as_ref().is_some_and(is_state) {
        candidate.valid_from = began(&times, origin.at());
    }
    Some(candidate)
}

/// The candidate for words that the user asked to keep, whatever they say.
pub(super) fn explicit(content: &str, quoted: Span, origin: Origin<'_>, grammar: &Grammar) -> Candidate {
    let mut candidate = Candidate::new(content, Kind::Fact);
    candidate.quote = Some(origin.quote(quoted));
    if grammar.this_project.is_match(content) {
        candidate.level = Some(Level::Project);
    }
    make_explicit(&mut candidate);
    candidate
}

/// Marks a candidate as asked for.
pub(super) fn make_explicit(candidate: &mut Candidate) {
    candidate.explicit = true;
    candidate.confidence = Confidence::clamped(EXPLICIT_CONFIDENCE);
    candidate.importance = Importance::clamped(candidate.importance.value().max(EXPLICIT_IMPORTANCE));
}

/// The candidate for a standing instruction.
pub(super) fn instruction(content: &str, quoted: Span, origin: Origin<'_>, grammar: &Grammar) -> Candidate {
    let mut candidate = explicit(content, quoted, origin, grammar);
    candidate.kind = if grammar.must.is_match(content) { Kind::Constraint } else { Kind::Preference };
    if grammar.reply_language.is_match(content) {
        candidate.slot = Slot::new(slots::USER, "reply language").ok();
    }
    candidate
}

/// The candidate for something to be done, with its due day where one is named.
pub(super) fn todo(content: &str, quoted: Span, origin: Origin<'_>, grammar: &Grammar) -> Candidate {
    let mut candidate = Candidate::new(content, Kind::Todo);
    candidate.quote = Some(origin.quote(quoted));
    candidate.importance = Importance::clamped(6);
    candidate.confidence = Confidence::clamped(PATTERN_CONFIDENCE);
    if let Some(due) = due(content, origin.at()) {
        candidate.valid_until = Some(due.until);
        candidate.content = dated(content, &due, grammar);
    }
    candidate
}

/// The time by which something is to be done: the last one named that is not past.
pub(super) fn due(content: &str, at: Timestamp) -> Option<TimeExpression> {
    time_expressions(content, at).into_iter().rev().find(|time| time.until > at)
}

/// The time ahead that makes a plan worth keeping.
pub(super) fn plan(content: &str, at: Timestamp) -> Option<TimeExpression> {
    let start = at + Duration::days(PLAN_DAYS_AHEAD);
    time_expressions(content, at).into_iter().find(|time| time.until > start)
}

/// A statement with the day that a relative time in it means, so that it can be understood later.
fn dated(content: &str, time: &TimeExpression, grammar: &Grammar) -> String {
    if !time.is_relative {
        return content.to_owned();
    }
    let day = time.last_day();
    if grammar.language == Language::Zh { format!("{content}（{day}）") } else { format!("{content} ({day})") }
}

/// Since when a change holds, where the words say so: a past time, taken as late as it can be, since only the order of
/// statements matters; or a beginning ahead.
fn began(times: &[TimeExpression], at: Timestamp) -> Option<Timestamp> {
    let time = times.first()?;
    if time.from > at {
        return time.is_open.then_some(time.from);
    }
    let last = time.until - Duration::days(1);
    (!time.is_open && last < at).then_some(last)
}

/// Whether the slot holds a state that begins and ends, rather than a date or a taste.
fn is_state(slot: &Slot) -> bool {
    matches!(slot.attribute(), "location" | "employer" | "job" | "version" | "workplace" | "school")
        || slot.subject() == slots::TEAM
}

/// An English statement with a capital where it begins with a plain word.
pub(super) fn tidied(content: &str) -> String {
    let first = content.split(' ').next().unwrap_or_default();
    if first.len() > 1 && !first.bytes().all(|byte| byte.is_ascii_lowercase()) || first.len() == 1 && first != "i" {
        return content.to_owned();
    }
    capitalised(content)
}
