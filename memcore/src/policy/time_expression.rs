//! When a text speaks of: dates, weekdays and relative times in Chinese and English, resolved to days in UTC.

mod calendar;
mod chinese;
mod english;

use memcore_core::{
    Timestamp,
    chrono::{NaiveDate, NaiveTime},
    text::Span,
};
use regex::{Captures, Regex};

/// A time that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeExpression {
    /// Where the text names it.
    pub span: Span,
    /// The first moment that is meant.
    pub from: Timestamp,
    /// The first moment behind what is meant: a day lasts until the next midnight.
    pub until: Timestamp,
    /// Whether the words mean something else when they are read on another day (`tomorrow`, 下周三).
    pub is_relative: bool,
    /// Whether it begins there and goes on (`since 2019`, 三月起).
    pub is_open: bool,
}

impl TimeExpression {
    /// The last day that is meant.
    #[must_use]
    pub fn last_day(&self) -> NaiveDate {
        self.until.date_naive().pred_opt().unwrap_or_else(|| self.until.date_naive())
    }
}

/// The times that `text` names, in its order, without overlap, seen from `now`.
///
/// A weekday without `last` or `next` is the coming one, today included; a day of the year without a year is the one
/// nearest to `now`; a year, month or week is all of its days. Weeks begin on Monday.
#[must_use]
pub fn time_expressions(text: &str, now: Timestamp) -> Vec<TimeExpression> {
    let today = now.date_naive();
    let mut found = Vec::new();
    for form in chinese::FORMS.iter().chain(english::FORMS.iter()) {
        for words in form.words.captures_iter(text) {
            let Some(whole) = words.get(0) else { continue };
            let Some(days) = (form.days)(&words, today) else { continue };
            let (Some(from), Some(until)) = (midnight(days.first), midnight(days.behind)) else { continue };
            if from < until {
                let span = Span::new(whole.start(), whole.end());
                let is_open = is_open(text, span);
                found.push(TimeExpression { span, from, until, is_relative: form.is_relative, is_open });
            }
        }
    }
    // Of two readings of the same words the longer and more exact one is meant.
    found.sort_by_key(|time| (time.until - time.from, std::cmp::Reverse(time.span.len())));
    let mut chosen: Vec<TimeExpression> = Vec::new();
    for time in found {
        let overlaps = |other: &TimeExpression| other.span.start < time.span.end && time.span.start < other.span.end;
        if !chosen.iter().any(overlaps) {
            chosen.push(time);
        }
    }
    chosen.sort_by_key(|time| time.span.start);
    chosen
}

/// Whether the words around a time say that it is a beginning.
fn is_open(text: &str, span: Span) -> bool {
    let before = text.get(..span.start).unwrap_or_default().trim_end().to_lowercase();
    let after = text.get(span.end..).unwrap_or_default();
    before.ends_with("since")
        || before.ends_with("starting")
        || before.ends_with("as of")
        || before.ends_with('从')
        || before.ends_with("自从")
        || ["起", "开始", "以来", "后开始"].iter().any(|mark| after.starts_with(mark))
}

/// Some days in a row.
#[derive(Debug, Clone, Copy)]
struct Days {
    first: NaiveDate,
    behind: NaiveDate,
}

/// A way to name a time.
#[derive(Debug)]
struct Form {
    words: Regex,
    is_relative: bool,
    days: fn(&Captures<'_>, NaiveDate) -> Option<Days>,
}

fn midnight(day: NaiveDate) -> Option<Timestamp> {
    Some(day.and_time(NaiveTime::MIN).and_utc())
}
