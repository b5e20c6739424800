//! Corrections: the last statement again, with the right value in place of the wrong one.

use std::sync::LazyLock;

use memcore_core::{Candidate, text::normalize};
use regex::Regex;

use super::{
    grammar::{compiled, is_end_mark},
    reading::Said,
};

/// The value that a correction gives, and the one that it names as wrong.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Values<'t> {
    pub(super) right: &'t str,
    pub(super) wrong: Option<&'t str>,
}

/// Splits `Tuesday, not Monday` and `周二，不是周一`.
pub(super) fn values(words: &str) -> Values<'_> {
    static NOT: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r"(?i)^(?P<right>.+?)\s*[,，]?\s*(?:\b(?:and |rather than|instead of|not)\s+|而?不是|而非)(?P<wrong>[^,，]+)$",
        )
    });
    static BUT: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r"(?i)^(?:not|不是)\s*(?P<wrong>[^,，]+?)\s*[,，]\s*(?:but |it'?s |it is |而?是|应该是)\s*(?P<right>.+)$",
        )
    });
    let words = words.trim_end_matches(is_end_mark).trim();
    let group = |found: &regex::Captures<'_>, name: &str| {
        let found = found.name(name)?;
        words.get(found.range()).map(str::trim)
    };
    match BUT.captures(words).or_else(|| NOT.captures(words)) {
        Some(found) => Values { right: group(&found, "right").unwrap_or(words), wrong: group(&found, "wrong") },
        None => Values { right: words, wrong: None },
    }
}

/// The statement that `values` corrects, and its content with the right value; the latest one where several fit.
pub(super) fn corrected<'s>(values: &Values<'_>, said: &'s [Said]) -> Option<(&'s Candidate, String)> {
    if values.right.is_empty() || values.right.chars().count() > LONGEST_VALUE {
        return None;
    }
    let first = |replaced: &dyn Fn(&str) -> Option<String>| {
        said.iter().rev().find_map(|said| {
            let content = replaced(&said.candidate.content)?;
            (normalize(&content) != normalize(&said.candidate.content)).then_some((&said.candidate, content))
        })
    };
    if let Some(wrong) = values.wrong {
        return first(&|statement| Some(spliced(statement, find_ignoring_case(statement, wrong)?, values.right)));
    }
    let sorts = SORTS.iter().filter(|sort| sort.is_match(values.right));
    let of_a_sort = sorts.into_iter().find_map(|sort| first(&|statement| of_sort(sort, statement, values.right)));
    of_a_sort.or_else(|| first(&|statement| any_value(statement, values.right)))
}

/// The longest value of a correction in characters.
const LONGEST_VALUE: usize = 60;

/// `statement` with its last value of a sort replaced.
fn of_sort(sort: &Regex, statement: &str, right: &str) -> Option<String> {
    // How much longer than its value a correction may be, in characters, to be taken as it stands.
    const UNIT: usize = 12;
    let found = sort.find_iter(statement).last()?;
    // A bare number takes the place of the number alone, `9 am` that of `8 am`.
    let own = sort.find(right).map_or(right, |own| own.as_str());
    let right = if right.chars().count() <= own.chars().count() + UNIT { right } else { own };
    Some(spliced(statement, found.range(), &PREPOSITION.replace(right, "")))
}

/// `statement` with the value behind its verb replaced, where that looks like the right one: a name takes the place of
/// a name.
fn any_value(statement: &str, right: &str) -> Option<String> {
    let found = VALUES.iter().find_map(|form| form.captures(statement))?;
    let value = found.name("v")?;
    let right = PREPOSITION.replace(right, "");
    let is_name = |words: &str| words.starts_with(|ch: char| ch.is_uppercase());
    if right.is_ascii() && value.as_str().is_ascii() && is_name(&right) != is_name(value.as_str()) {
        return None;
    }
    let end = value.start() + value.as_str().trim_end_matches(is_end_mark).len();
    Some(spliced(statement, value.start()..end, &right))
}

/// Stands before a value in the correction as it does in the statement.
static PREPOSITION: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i)^(?:on|at|in|by|to|for|from)\s+"));

/// Sorts of values, the most special first.
static SORTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"(?i)[a-z0-9_.+-]+@[a-z0-9.-]+\.[a-z]+",
        r"(?i)\bhttps?://\S+",
        r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b",
        r"(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b",
        r"(?:周|星期|礼拜)[一二三四五六日天]",
        r"(?i)\b(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{1,2}(?:st|nd|rd|th)?)?\b",
        r"\d{1,2}月(?:\d{1,2}[日号])?",
        r"(?i)\b\d{1,2}(?::\d\d)? ?(?:am|pm)\b",
        r"(?:上午|下午|晚上|早上)?[\d一二三四五六七八九十]{1,3}[点时](?:半|\d{1,2}分?)?",
        r"[A-Za-z]+-?\d[A-Za-z0-9-]*",
        r"\d+(?:[.,:]\d+)*",
        r"[一二三四五六七八九十两]+(?:个|岁|年|天|位|人|层|楼|点)",
    ]
    .into_iter()
    .map(compiled)
    .collect()
});

/// Where the value of a statement stands that none of [`SORTS`] tells.
static VALUES: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    [
        compiled(
            r"(?:住在|搬到|定居在|来自|就职于|入职了?|加入了?|名字是|叫做?|用的是|使用的是|改用|采用|放在|位于|负责|毕业于|喜欢(?:吃|喝|看|听|玩)?|讨厌(?:吃|喝)?|是|在|对|用|写)(?P<v>[^，。]+?)(?:工作|上班|过敏|了)?$",
        ),
        compiled(
            r"(?i)\b(?:is called|is named|works? (?:at|for)|lives? (?:in|at)|moved to|based in|allergic to|joined|call me|(?:am|is|are|'m)(?: an?)?|was|named|called|from|uses?|prefer|like|love|hate|in|at|on|to|for) (?P<v>[^,.;]+)$",
        ),
    ]
});

fn find_ignoring_case(text: &str, words: &str) -> Option<std::ops::Range<usize>> {
    let expression = Regex::new(&format!("(?i){}", regex::escape(words))).ok()?;
    expression.find_iter(text).last().map(|found| found.range())
}

fn spliced(text: &str, range: std::ops::Range<usize>, words: &str) -> String {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    // A unit that the new value brings along is not said twice.
    let unit = words.trim_start_matches(|ch: char| !ch.is_alphabetic());
    let after = if unit.is_empty() || unit == words { after } else { after.strip_prefix(unit).unwrap_or(after) };
    format!("{before}{words}{after}")
}
