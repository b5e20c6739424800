//! An entry of the reply as a model means it: every field read with patience, none trusted.

use memcore_core::{
    Confidence, Importance, Kind, Slot, Timestamp,
    chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime},
    text,
};

use super::schema::KINDS;
use crate::reply::{self, Entry};

/// What a model wants done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    Add,
    Update,
    Confirm,
    Retract,
}

/// What a model proposes to keep. Whatever else the entry holds (ids, users, scopes) is not read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proposal {
    pub(super) content: String,
    pub(super) quote: String,
    pub(super) kind: Kind,
    pub(super) importance: Importance,
    pub(super) confidence: Confidence,
    pub(super) subject: String,
    pub(super) slot: Option<Slot>,
    pub(super) event_time: Option<EventTime>,
    pub(super) wish: Wish,
    /// The place of a memory that was shown, from 0.
    pub(super) known: Option<usize>,
}

/// When something happens: a moment, or a whole day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventTime {
    pub(super) start: Timestamp,
    /// Behind its last moment.
    pub(super) end: Timestamp,
}

impl Proposal {
    pub(super) fn of(entry: &Entry) -> Self {
        let words = |name| reply::words(entry, name);
        let number = |name| reply::number(entry, name);
        let subject = subject_of(words("subject"));
        Self {
            content: words("content").to_owned(),
            quote: words("quote").to_owned(),
            kind: kind_of(words("kind")),
            importance: number("importance").map_or(Importance::DEFAULT, importance_of),
            confidence: Confidence::clamped(number("confidence").unwrap_or(DEFAULT_CONFIDENCE) as f32),
            slot: slot_of(words("slot"), &subject),
            subject,
            event_time: event_time_of(words("event_time")),
            wish: match words("operation").to_lowercase().as_str() {
                "update" => Wish::Update,
                "confirm" => Wish::Confirm,
                "retract" => Wish::Retract,
                _ => Wish::Add,
            },
            known: reply::place(entry, "handle"),
        }
    }

    /// Whether it is about the user, or the user's team or project.
    pub(super) fn is_of_the_user(&self) -> bool {
        matches!(self.subject.as_str(), USER | TEAM)
    }
}

/// A model that does not say how sure it is, is not very sure.
const DEFAULT_CONFIDENCE: f64 = 0.7;
const USER: &str = "user";
const TEAM: &str = "team";

/// Attributes of which one value is current at a time. Another name is no slot: it would let statements that have
/// nothing to do with each other overturn one another.
const ATTRIBUTES: [&str; 24] = [
    "name",
    "preferred name",
    "location",
    "hometown",
    "job",
    "employer",
    "birthday",
    "age",
    "timezone",
    "email",
    "phone",
    "native language",
    "reply language",
    "programming language",
    "nationality",
    "school",
    "major",
    "manager",
    "version",
    "frontend",
    "backend",
    "database",
    "cache",
    "message queue",
];
/// Attributes that carry their topic.
const TOPICS: [&str; 2] = ["taste", "tolerance"];
/// Attributes that belong to the team's work, whoever is given as the subject.
const OF_TEAM: [&str; 5] = ["frontend", "backend", "database", "cache", "message queue"];

fn importance_of(number: f64) -> Importance {
    Importance::clamped(number.round().clamp(0.0, 255.0) as u8)
}

/// Models give kinds of their own, in any spelling; what is none of ours is a fact.
fn kind_of(name: &str) -> Kind {
    let name = name.to_lowercase().replace(['-', ' '], "_");
    KINDS.iter().find(|kind| **kind == name).and_then(|kind| kind.parse().ok()).unwrap_or(Kind::Fact)
}

fn subject_of(name: &str) -> String {
    let name = text::normalize(name);
    match name.as_str() {
        "" | "user" | "the user" | "用户" | "用户本人" | "本人" | "我" | "i" | "me" | "self" | "speaker" => {
            USER.to_owned()
        }
        "team" | "the team" | "company" | "project" | "the project" | "团队" | "公司" | "项目" | "我们" | "we" => {
            TEAM.to_owned()
        }
        _ => name,
    }
}

fn slot_of(written: &str, subject: &str) -> Option<Slot> {
    let written = text::normalize(written).replace('_', " ");
    let attribute = written.rsplit_once('.').map_or(written.as_str(), |(_, attribute)| attribute.trim());
    let topic = attribute.split_once(':').map(|(name, topic)| (name.trim(), topic.trim()));
    if let Some((name, topic)) = topic.filter(|(name, topic)| TOPICS.contains(name) && !topic.is_empty()) {
        return (subject == USER).then(|| Slot::new(USER, format!("{name}:{topic}")).ok())?;
    }
    if !ATTRIBUTES.contains(&attribute) || (attribute == "version" && matches!(subject, USER | TEAM)) {
        return None;
    }
    let subject = if OF_TEAM.contains(&attribute) && subject == USER { TEAM } else { subject };
    Slot::new(subject, attribute).ok()
}

/// A date, a month, a year, or a moment; none for anything else, and for years that no memory is about.
fn event_time_of(written: &str) -> Option<EventTime> {
    let of_day = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
    let moment = DateTime::parse_from_rfc3339(written)
        .map(|at| at.to_utc())
        .or_else(|_| NaiveDateTime::parse_from_str(written, "%Y-%m-%dT%H:%M:%S").map(|at| at.and_utc()))
        .or_else(|_| NaiveDateTime::parse_from_str(written, "%Y-%m-%d %H:%M").map(|at| at.and_utc()))
        .or_else(|_| NaiveDateTime::parse_from_str(written, "%Y-%m-%dT%H:%M").map(|at| at.and_utc()))
        .ok()
        .map(|at| EventTime { start: at, end: at });
    let day = || NaiveDate::parse_from_str(written, "%Y-%m-%d").ok().map(|day| (day, day.succ_opt()));
    let month = || {
        let day = NaiveDate::parse_from_str(&format!("{written}-01"), "%Y-%m-%d").ok()?;
        Some((day, day.checked_add_months(memcore_core::chrono::Months::new(1))))
    };
    let year = || {
        let day = NaiveDate::from_ymd_opt(written.parse().ok()?, 1, 1)?;
        Some((day, day.checked_add_months(memcore_core::chrono::Months::new(12))))
    };
    let days = || {
        let (first, behind) = day().or_else(month).or_else(year)?;
        Some(EventTime { start: of_day(first), end: of_day(behind?) })
    };
    let known = of_day(NaiveDate::from_ymd_opt(1900, 1, 1)?)..of_day(NaiveDate::from_ymd_opt(2200, 1, 1)?);
    moment.or_else(days).filter(|time| known.contains(&time.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn proposal(entry: Value) -> Proposal {
        Proposal::of(entry.as_object().unwrap())
    }

    #[test]
    fn whatever_a_field_holds_it_is_read_into_its_range() {
        for (importance, expected) in [
            (json!(0), 1),
            (json!(99), 10),
            (json!(-3), 1),
            (json!("7"), 7),
            (json!(6.6), 7),
            (json!("high"), 5),
            (Value::Null, 5),
        ] {
            assert_eq!(proposal(json!({"importance": importance})).importance.value(), expected, "{importance}");
        }
        for (confidence, expected) in [(json!(1.7), 1.0), (json!(-1), 0.0), (json!("0.4"), 0.4), (json!([]), 0.7)] {
            assert_eq!(proposal(json!({"confidence": confidence})).confidence.value(), expected, "{confidence}");
        }
        for (kind, expected) in [
            ("Preference", Kind::Preference),
            ("project-state", Kind::ProjectState),
            ("hobby", Kind::Fact),
            ("episode", Kind::Fact),
            ("summary", Kind::Fact),
            ("", Kind::Fact),
        ] {
            assert_eq!(proposal(json!({"kind": kind})).kind, expected, "{kind}");
        }
        for (handle, expected) in [
            (json!(2), Some(1)),
            (json!("2"), Some(1)),
            (json!(0), None),
            (json!(-1), None),
            (json!("b7e1"), None),
            (json!(1e300), None),
        ] {
            assert_eq!(proposal(json!({"handle": handle})).known, expected, "{handle}");
        }
    }

    #[test]
    fn only_questions_with_one_answer_are_slots() {
        for (slot, subject, expected) in [
            ("location", "user", Some("user.location")),
            ("user.location", "用户", Some("user.location")),
            ("preferred_name", "user", Some("user.preferred name")),
            ("taste:green tea", "user", Some("user.taste:green tea")),
            ("taste:green tea", "Anna", None),
            ("location", "Anna", Some("anna.location")),
            ("database", "user", Some("team.database")),
            ("version", "Zig", Some("zig.version")),
            ("version", "user", None),
            ("hobby", "user", None),
            ("preference", "user", None),
            ("null", "user", None),
            ("", "user", None),
        ] {
            let found = proposal(json!({"slot": slot, "subject": subject})).slot;
            assert_eq!(found.map(|slot| slot.to_string()).as_deref(), expected, "{slot} of {subject}");
        }
    }

    #[test]
    fn times_are_dates_months_years_or_moments() {
        for (written, expected) in [
            ("2026-12-04", Some(("2026-12-04T00:00:00+00:00", "2026-12-05T00:00:00+00:00"))),
            ("2026-12", Some(("2026-12-01T00:00:00+00:00", "2027-01-01T00:00:00+00:00"))),
            ("2019", Some(("2019-01-01T00:00:00+00:00", "2020-01-01T00:00:00+00:00"))),
            ("2026-12-04T09:30:00+08:00", Some(("2026-12-04T01:30:00+00:00", "2026-12-04T01:30:00+00:00"))),
            ("2026-12-04 09:30", Some(("2026-12-04T09:30:00+00:00", "2026-12-04T09:30:00+00:00"))),
            ("next Friday", None),
            ("下周五", None),
            ("0001-01-01", None),
            ("9999-12-31", None),
            ("2026-13-40", None),
            ("", None),
        ] {
            let found = proposal(json!({"event_time": written})).event_time;
            let found = found.map(|time| (time.start.to_rfc3339(), time.end.to_rfc3339()));
            let expected = expected.map(|(start, end)| (start.to_owned(), end.to_owned()));
            assert_eq!(found, expected, "{written}");
        }
    }
}
