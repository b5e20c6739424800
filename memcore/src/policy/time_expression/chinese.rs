//! Times in Chinese.

use std::sync::LazyLock;

use memcore_core::chrono::{Datelike, NaiveDate};
use regex::{Captures, Regex};

use super::{
    Days, Form,
    calendar::{
        Unit, coming_weekday, counted, day, day_from, digits, last_day, month, month_of, nearest_date, nearest_month,
        number, week, weekday_of_week, year,
    },
};

type Reckoning = fn(&Captures<'_>, NaiveDate) -> Option<Days>;

/// Expression, whether it is relative, and what it means.
const TABLE: &[(&str, bool, Reckoning)] = &[
    (r"(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号]?", false, |words, _| {
        day(NaiveDate::from_ymd_opt(digits(words, "y")?, digits(words, "m")?, digits(words, "d")?)?)
    }),
    (r"(?P<y>\d{4})年(?P<m>\d{1,2})月份?", false, |words, _| month_of(digits(words, "y")?, digits(words, "m")?)),
    (r"(?P<y>(?:19|20)\d\d)年", false, |words, _| year(digits(words, "y")?)),
    (
        r"(?P<m>\d{1,2}|十[一二]?|[一二三四五六七八九])月(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})[日号]",
        true,
        |words, today| nearest_date(today, part(words, "m")?, part(words, "d")?),
    ),
    (
        r"(?P<m>\d{1,2}|十[一二]?|[一二三四五六七八九])月(?P<part>份|底|初|起|前|之前|以前)",
        true,
        |words, today| {
            let days = nearest_month(today, u32::try_from(number(words.name("m")?.as_str())?).ok()?)?;
            if words.name("part")?.as_str() == "底" { last_day(days) } else { Some(days) }
        },
    ),
    (
        r"大后天|大前天|后天|前天|明天|明早|明晚|明儿|今天|今晚|今早|今儿|昨天|昨晚|昨儿|当天",
        true,
        |words, today| {
            let offset = match words.get(0)?.as_str() {
                "大后天" => 3,
                "大前天" => -3,
                "后天" => 2,
                "前天" => -2,
                "明天" | "明早" | "明晚" | "明儿" => 1,
                "昨天" | "昨晚" | "昨儿" => -1,
                _ => 0,
            };
            day_from(today, offset)
        },
    ),
    (
        r"(?P<which>上上|上|这|本|下下|下)?个?(?:周|星期|礼拜)(?P<day>[一二三四五六日天末])",
        true,
        |words, today| {
            let weekday = match words.name("day")?.as_str() {
                "日" | "天" => 6,
                "末" => 5,
                name => u32::try_from(number(name)?).ok()?.checked_sub(1)?,
            };
            match words.name("which") {
                Some(which) => weekday_of_week(today, weekday, offset_of(which.as_str())?),
                None => coming_weekday(today, weekday),
            }
        },
    ),
    (r"(?P<which>上上|上|这|本|下下|下)个?(?:周|星期|礼拜)", true, |words, today| {
        week(today, offset_of(words.name("which")?.as_str())?)
    }),
    (r"(?P<which>上上|上|这|本|下下|下)个?月(?P<d>\d{1,2})[日号]", true, |words, today| {
        let month = month(today, i32::try_from(offset_of(words.name("which")?.as_str())?).ok()?)?;
        day(month.first.with_day(digits(words, "d")?)?)
    }),
    (r"(?P<which>上上|上|这|本|下下|下)个?月(?P<end>底)?", true, |words, today| {
        let days = month(today, i32::try_from(offset_of(words.name("which")?.as_str())?).ok()?)?;
        if words.name("end").is_some() { last_day(days) } else { Some(days) }
    }),
    (r"月底|月末", true, |_, today| last_day(month(today, 0)?)),
    (r"年底|年末", true, |_, today| last_day(year(today.year())?)),
    (r"(?P<which>去|前|今|明|后)年(?:(?P<m>\d{1,2})月份?)?(?P<end>底)?", true, |words, today| {
        let offset = match words.name("which")?.as_str() {
            "前" => -2,
            "去" => -1,
            "明" => 1,
            "后" => 2,
            _ => 0,
        };
        let days = match digits(words, "m") {
            Some(month) => month_of(today.year() + offset, month)?,
            None => year(today.year() + offset)?,
        };
        if words.name("end").is_some() { last_day(days) } else { Some(days) }
    }),
    (
        r"(?P<n>\d{1,3}|[一二两三四五六七八九十]{1,3})(?P<unit>天|周|个?星期|个?礼拜|个月|年)(?P<way>之?后|以后|内|之?前|以前)",
        true,
        |words, today| {
            let count = number(words.name("n")?.as_str())?;
            let unit = match words.name("unit")?.as_str() {
                "天" => Unit::Day,
                "个月" => Unit::Month,
                "年" => Unit::Year,
                _ => Unit::Week,
            };
            let is_past = words.name("way")?.as_str().ends_with('前');
            counted(today, if is_past { -count } else { count }, unit)
        },
    ),
    (r"(?P<d>\d{1,2})[号日](?P<way>之前|以前|前|截止|下班前)", true, |words, today| {
        let this_month = today.with_day(digits(words, "d")?)?;
        if this_month >= today { day(this_month) } else { day(month(today, 1)?.first.with_day(digits(words, "d")?)?) }
    }),
];

pub(super) static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    TABLE
        .iter()
        .filter_map(|(words, is_relative, days)| {
            Some(Form { words: Regex::new(words).ok()?, is_relative: *is_relative, days: *days })
        })
        .collect()
});

/// The number of a month or a day, in digits or in Chinese.
fn part(words: &Captures<'_>, name: &str) -> Option<u32> {
    u32::try_from(number(words.name(name)?.as_str())?).ok()
}

fn offset_of(which: &str) -> Option<i64> {
    Some(match which {
        "上上" => -2,
        "上" => -1,
        "这" | "本" => 0,
        "下" => 1,
        "下下" => 2,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_compiles() {
        assert_eq!(FORMS.len(), TABLE.len());
    }
}
