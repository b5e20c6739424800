//! Reckoning with days, weeks, months and years.

use memcore_core::chrono::{Datelike, Days as DayCount, Months, NaiveDate, TimeDelta};
use regex::Captures;

use super::Days;

/// One day.
pub(super) fn day(day: NaiveDate) -> Option<Days> {
    Some(Days { first: day, behind: day.succ_opt()? })
}

/// The day `offset` days from `today`.
pub(super) fn day_from(today: NaiveDate, offset: i64) -> Option<Days> {
    day(today.checked_add_signed(TimeDelta::try_days(offset)?)?)
}

/// The week that lies `offset` weeks from that of `today`.
pub(super) fn week(today: NaiveDate, offset: i64) -> Option<Days> {
    let monday = monday(today, offset)?;
    Some(Days { first: monday, behind: monday.checked_add_days(DayCount::new(7))? })
}

/// A weekday (0 is Monday) of the week that lies `offset` weeks from that of `today`.
pub(super) fn weekday_of_week(today: NaiveDate, weekday: u32, offset: i64) -> Option<Days> {
    day(monday(today, offset)?.checked_add_days(DayCount::new(weekday.into()))?)
}

/// The coming `weekday` (0 is Monday), today included.
pub(super) fn coming_weekday(today: NaiveDate, weekday: u32) -> Option<Days> {
    let ahead = (7 + weekday - today.weekday().num_days_from_monday()) % 7;
    day(today.checked_add_days(DayCount::new(ahead.into()))?)
}

/// The `weekday` before `today`.
pub(super) fn past_weekday(today: NaiveDate, weekday: u32) -> Option<Days> {
    let ago = (6 + today.weekday().num_days_from_monday() - weekday) % 7 + 1;
    day(today.checked_sub_days(DayCount::new(ago.into()))?)
}

/// The month that lies `offset` months from that of `today`.
pub(super) fn month(today: NaiveDate, offset: i32) -> Option<Days> {
    let first = shifted(today.with_day(1)?, offset)?;
    Some(Days { first, behind: first.checked_add_months(Months::new(1))? })
}

/// A month of a year.
pub(super) fn month_of(year: i32, month: u32) -> Option<Days> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    Some(Days { first, behind: first.checked_add_months(Months::new(1))? })
}

/// A whole year.
pub(super) fn year(year: i32) -> Option<Days> {
    (1900..=2200).contains(&year).then_some(())?;
    Some(Days { first: NaiveDate::from_ymd_opt(year, 1, 1)?, behind: NaiveDate::from_ymd_opt(year + 1, 1, 1)? })
}

/// The last day of some days.
pub(super) fn last_day(days: Days) -> Option<Days> {
    day(days.behind.pred_opt()?)
}

/// A day of the month of the year that brings it nearest to `today`.
pub(super) fn nearest_date(today: NaiveDate, month: u32, day_of_month: u32) -> Option<Days> {
    let in_year = |year| NaiveDate::from_ymd_opt(year, month, day_of_month);
    let candidates = [today.year(), today.year() + 1, today.year() - 1].into_iter().filter_map(in_year);
    day(candidates.min_by_key(|date| date.signed_duration_since(today).num_days().abs())?)
}

/// The month of the year that brings it nearest to `today`.
pub(super) fn nearest_month(today: NaiveDate, month: u32) -> Option<Days> {
    let near = nearest_date(today, month, 15)?;
    month_of(near.first.year(), month)
}

/// `count` units from `today`: days or weeks give a day, months and years too.
pub(super) fn counted(today: NaiveDate, count: i64, unit: Unit) -> Option<Days> {
    match unit {
        Unit::Day => day_from(today, count),
        Unit::Week => day_from(today, count.checked_mul(7)?),
        Unit::Month => day(shifted(today, i32::try_from(count).ok()?)?),
        Unit::Year => day(shifted(today, i32::try_from(count.checked_mul(12)?).ok()?)?),
    }
}

/// A unit of the calendar.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Year,
}

/// A number in digits, in Chinese, or an English word up to twelve.
pub(super) fn number(words: &str) -> Option<i64> {
    const ENGLISH: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let words = words.trim().to_lowercase();
    if let Ok(number) = words.parse() {
        return (0..=10_000).contains(&number).then_some(number);
    }
    match words.as_str() {
        "a" | "an" => return Some(1),
        "a couple of" => return Some(2),
        "半" => return None,
        _ => {}
    }
    if let Some(number) = ENGLISH.iter().position(|name| *name == words) {
        return i64::try_from(number).ok();
    }
    chinese_number(&words)
}

/// The number in group `name`, in digits.
pub(super) fn digits<T: std::str::FromStr>(words: &Captures<'_>, name: &str) -> Option<T> {
    words.name(name)?.as_str().parse().ok()
}

fn chinese_number(words: &str) -> Option<i64> {
    let mut total = 0;
    let mut last = None;
    for ch in words.chars() {
        if ch == '十' {
            total += last.take().unwrap_or(1) * 10;
        } else {
            last =
                Some("零一二三四五六七八九".chars().position(|digit| digit == ch || (ch == '两' && digit == '二'))?
                    as i64);
        }
    }
    (!words.is_empty()).then(|| total + last.unwrap_or(0))
}

fn monday(today: NaiveDate, offset: i64) -> Option<NaiveDate> {
    let monday = today.checked_sub_days(DayCount::new(today.weekday().num_days_from_monday().into()))?;
    monday.checked_add_signed(TimeDelta::try_weeks(offset)?)
}

fn shifted(date: NaiveDate, months: i32) -> Option<NaiveDate> {
    if months < 0 {
        date.checked_sub_months(Months::new(months.unsigned_abs()))
    } else {
        date.checked_add_months(Months::new(months.unsigned_abs()))
    }
}
