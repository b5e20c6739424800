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
    let own = span.of(text).to_lowercase();
    own.starts_with("since")
        || own.ends_with('起')
        || before.ends_with("since")
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the last day of each time in `text`, seen from a Sunday.
    fn days(text: &str) -> Vec<(String, String)> {
        let now = "2026-05-03T08:00:00Z".parse().unwrap();
        let times = time_expressions(text, now);
        times.iter().map(|time| (time.from.date_naive().to_string(), time.last_day().to_string())).collect()
    }

    #[test]
    fn times_are_resolved_in_both_languages() {
        for (text, first, last) in [
            ("due 2026-11-09", "2026-11-09", "2026-11-09"),
            ("2026年11月9日交", "2026-11-09", "2026-11-09"),
            ("by May 12", "2026-05-12", "2026-05-12"),
            ("the 3rd of March 2027", "2027-03-03", "2027-03-03"),
            ("5月12号之前", "2026-05-12", "2026-05-12"),
            ("六月一号", "2026-06-01", "2026-06-01"),
            ("January 2", "2026-01-02", "2026-01-02"),
            ("tomorrow", "2026-05-04", "2026-05-04"),
            ("后天", "2026-05-05", "2026-05-05"),
            ("yesterday", "2026-05-02", "2026-05-02"),
            ("by Friday", "2026-05-08", "2026-05-08"),
            ("周五", "2026-05-08", "2026-05-08"),
            ("next Wednesday", "2026-05-06", "2026-05-06"),
            ("下周三", "2026-05-06", "2026-05-06"),
            ("last Monday", "2026-04-27", "2026-04-27"),
            ("上周一", "2026-04-20", "2026-04-20"),
            ("last month", "2026-04-01", "2026-04-30"),
            ("上个月", "2026-04-01", "2026-04-30"),
            ("next year", "2027-01-01", "2027-12-31"),
            ("去年", "2025-01-01", "2025-12-31"),
            ("in three weeks", "2026-05-24", "2026-05-24"),
            ("三天后", "2026-05-06", "2026-05-06"),
            ("two months ago", "2026-03-03", "2026-03-03"),
            ("两个月前", "2026-03-03", "2026-03-03"),
            ("by the end of the month", "2026-05-31", "2026-05-31"),
            ("月底前", "2026-05-31", "2026-05-31"),
            ("年底", "2026-12-31", "2026-12-31"),
            ("since 2019", "2019-01-01", "2019-12-31"),
            ("六月底", "2026-06-30", "2026-06-30"),
        ] {
            assert_eq!(days(text), [(first.to_owned(), last.to_owned())], "{text}");
        }
    }

    #[test]
    fn numbers_and_words_that_are_no_times_give_none() {
        for text in ["version 3.11", "端口 8080", "I may come", "2026-13-45", "第三章", "march on", "", "in a moment"]
        {
            assert_eq!(days(text), [], "{text}");
        }
    }

    #[test]
    fn since_and_from_on_leave_the_end_open() {
        let now = "2026-05-03T08:00:00Z".parse().unwrap();
        for text in ["since 2019", "从去年", "三月起", "starting 2026-06-01"] {
            assert!(time_expressions(text, now).iter().all(|time| time.is_open), "{text}");
        }
        assert!(!time_expressions("in 2019", now).iter().any(|time| time.is_open));
    }
}
