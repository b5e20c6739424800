//! Times in English, and dates in digits.

use std::sync::LazyLock;

use memcore_core::chrono::{Datelike, NaiveDate};
use regex::{Captures, Regex};

use super::{
    Days, Form,
    calendar::{
        Unit, coming_weekday, counted, day, day_from, digits, last_day, month, month_of, nearest_date, nearest_month,
        number, past_weekday, week, weekday_of_week, year,
    },
};

type Reckoning = fn(&Captures<'_>, NaiveDate) -> Option<Days>;

const MONTHS: &str = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?";
const WEEKDAYS: &str = r"(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)";

/// Expression (`MONTH` and `WEEKDAY` stand for their names), whether it is relative, and what it means.
const TABLE: &[(&str, bool, Reckoning)] = &[
    (
        r"\b(?P<y>\d{4})[-/.\u{2010}-\u{2015}](?P<m>\d{1,2})[-/.\u{2010}-\u{2015}](?P<d>\d{1,2})(?:\b|$)",
        false,
        |words, _| day(NaiveDate::from_ymd_opt(digits(words, "y")?, digits(words, "m")?, digits(words, "d")?)?),
    ),
    (r"\bMONTH (?P<d>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<y>\d{4}))?\b", false, date),
    (r"\b(?P<d>\d{1,2})(?:st|nd|rd|th)? (?:of )?MONTH(?:,? (?P<y>\d{4}))?\b", false, date),
    (r"\bMONTH (?P<y>\d{4})\b", false, |words, _| month_of(digits(words, "y")?, month_number(words)?)),
    (r"\b(?:in|since|by|until|from|early|late|end of|before) MONTH\b", true, |words, today| {
        let days = nearest_month(today, month_number(words)?)?;
        if words.get(0)?.as_str().to_lowercase().starts_with("end") { last_day(days) } else { Some(days) }
    }),
    (r"\b(?:in|since|from|until|by|back in) (?P<y>(?:19|20)\d\d)\b", false, |words, _| year(digits(words, "y")?)),
    (r"\b(?:the )?day after tomorrow\b", true, |_, today| day_from(today, 2)),
    (r"\b(?:the )?day before yesterday\b", true, |_, today| day_from(today, -2)),
    (r"\b(?:today|tonight|this (?:morning|afternoon|evening)|eod|end of (?:the )?day)\b", true, |_, today| day(today)),
    (r"\btomorrow\b", true, |_, today| day_from(today, 1)),
    (r"\b(?:yesterday|last night)\b", true, |_, today| day_from(today, -1)),
    (r"\b(?:the )?end of (?:the|this) (?P<unit>week|month|year)\b|\beow\b", true, |words, today| {
        last_day(unit_days(words.name("unit").map_or("week", |unit| unit.as_str()), today, 0)?)
    }),
    (r"\b(?:the )?end of next (?P<unit>week|month|year)\b", true, |words, today| {
        last_day(unit_days(words.name("unit")?.as_str(), today, 1)?)
    }),
    (r"\b(?P<which>last|this|next|coming) (?P<unit>week|month|year)\b", true, |words, today| {
        let offset = match words.name("which")?.as_str().to_lowercase().as_str() {
            "last" => -1,
            "this" => 0,
            _ => 1,
        };
        unit_days(words.name("unit")?.as_str(), today, offset)
    }),
    (r"\blast WEEKDAY\b", true, |words, today| past_weekday(today, weekday_number(words)?)),
    (r"\bnext WEEKDAY\b", true, |words, today| weekday_of_week(today, weekday_number(words)?, 1)),
    (r"\b(?:this|by|on|before|until|coming|due|this coming|for) WEEKDAY\b", true, |words, today| {
        coming_weekday(today, weekday_number(words)?)
    }),
    (
        r"\bin (?P<n>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of) (?P<unit>day|week|month|year)s?\b",
        true,
        |words, today| counted(today, number(words.name("n")?.as_str())?, unit_of(words)?),
    ),
    (
        r"\b(?P<n>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of) (?P<unit>day|week|month|year)s? (?:ago|back)\b",
        true,
        |words, today| counted(today, -number(words.name("n")?.as_str())?, unit_of(words)?),
    ),
];

pub(super) static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let compile =
        |words: &str| Regex::new(&format!("(?i){}", words.replace("MONTH", MONTHS).replace("WEEKDAY", WEEKDAYS)));
    TABLE
        .iter()
        .filter_map(|(words, is_relative, days)| {
            Some(Form { words: compile(words).ok()?, is_relative: *is_relative, days: *days })
        })
        .collect()
});

/// A month and a day, of the year that is named, else of the nearest one.
fn date(words: &Captures<'_>, today: NaiveDate) -> Option<Days> {
    let (month, day_of_month) = (month_number(words)?, digits(words, "d")?);
    match digits(words, "y") {
        Some(year) => day(NaiveDate::from_ymd_opt(year, month, day_of_month)?),
        None => nearest_date(today, month, day_of_month),
    }
}

fn month_number(words: &Captures<'_>) -> Option<u32> {
    const NAMES: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    place_of(words.name("month")?.as_str(), &NAMES).map(|at| at + 1)
}

fn weekday_number(words: &Captures<'_>) -> Option<u32> {
    place_of(words.name("weekday")?.as_str(), &["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
}

fn place_of(name: &str, names: &[&str]) -> Option<u32> {
    let name = name.to_lowercase();
    names.iter().position(|known| name.starts_with(known)).and_then(|at| u32::try_from(at).ok())
}

fn unit_of(words: &Captures<'_>) -> Option<Unit> {
    Some(match words.name("unit")?.as_str().to_lowercase().as_str() {
        "day" => Unit::Day,
        "week" => Unit::Week,
        "month" => Unit::Month,
        _ => Unit::Year,
    })
}

/// All days of the week, month or year that lies `offset` units from that of `today`.
fn unit_days(unit: &str, today: NaiveDate, offset: i32) -> Option<Days> {
    match unit.to_lowercase().as_str() {
        "week" => week(today, offset.into()),
        "month" => month(today, offset),
        _ => year(today.year() + offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_compiles() {
        assert_eq!(FORMS.len(), TABLE.len());
    }
}
