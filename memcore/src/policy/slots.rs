//! Slots by name: which attribute a noun phrase means in either language, and which slots a question asks for.
//!
//! Writing and recall both name slots here, so that an answer and its question meet.

mod lexicon;
mod questions;

use std::{collections::HashMap, sync::LazyLock};

use memcore_core::{
    Slot,
    text::{self, TermKind},
};

pub use questions::{SlotMatch, slots_asked};

/// The subject of what is said about the user.
pub const USER: &str = "user";
/// The subject of what is said about the user's team, company or project.
pub const TEAM: &str = "team";

/// The attribute that the noun phrase `noun` means, the same for its synonyms in both languages and for another order
/// of its words; none where nothing is left of it.
///
/// `住址`, `home address` and `city` are all `location`; `the port of my server` and `服务器端口` are `port server`.
#[must_use]
pub fn attribute(noun: &str) -> Option<String> {
    let phrase = bare(&simplified(noun));
    if let Some(&name) = ATTRIBUTE_OF.get(&phrase) {
        return Some(name.to_owned());
    }
    let words = words_of(&phrase);
    let name = words.join(" ");
    if let Some(&known) = ATTRIBUTE_OF.get(&name) {
        return Some(known.to_owned());
    }
    (!name.is_empty()).then_some(name)
}

/// The slot for an attribute of `subject` given by a noun phrase; the version of a tool is the tool's own.
#[must_use]
pub fn named(subject: &str, noun: &str) -> Option<Slot> {
    match tool_of_version(noun) {
        Some(tool) => version(&tool),
        None => Slot::new(subject, attribute(noun)?).ok(),
    }
}

/// The slot that holds whether the user likes `object`.
#[must_use]
pub fn taste(object: &str) -> Option<Slot> {
    let object = words_of(&bare(&simplified(object))).join(" ");
    if object.is_empty() { None } else { Slot::new(USER, format!("taste:{object}")).ok() }
}

/// The slot for what `subject` uses in a role such as frontend, database or editor; none where `noun` is no role: a
/// module can have many tools.
#[must_use]
pub fn role(subject: &str, noun: &str) -> Option<Slot> {
    let role = attribute(noun)?;
    lexicon::ROLES.contains(&role.as_str()).then(|| Slot::new(subject, role).ok())?
}

/// The slot that holds whether the user can stand `object`: apart from taste, since nobody outgrows an allergy by
/// liking the food.
#[must_use]
pub fn tolerance(object: &str) -> Option<Slot> {
    let object = words_of(&bare(&simplified(object))).join(" ");
    if object.is_empty() { None } else { Slot::new(USER, format!("tolerance:{object}")).ok() }
}

/// The slot for the version of a tool.
#[must_use]
pub fn version(tool: &str) -> Option<Slot> {
    Slot::new(simplified(tool).trim(), "version").ok()
}

/// The tool in `the Zig version`, `version of Zig` and `Zig 的版本号`.
fn tool_of_version(noun: &str) -> Option<String> {
    const OTHERS: [&str; 7] = ["app", "api", "document", "file", "project", "production", "server"];
    let phrase = bare(&simplified(noun));
    let before = ["version", "版本号", "版本"].iter().find_map(|word| phrase.strip_suffix(word));
    let tool = before.or_else(|| phrase.strip_prefix("version of "))?.trim_end_matches('的').trim();
    let is_tool = !tool.is_empty() && tool.is_ascii() && !tool.contains(' ') && !OTHERS.contains(&tool);
    is_tool.then(|| tool.to_owned())
}

/// The slot for the name of a relative or animal of the user's; none where `noun` is neither.
#[must_use]
pub fn name_of(noun: &str) -> Option<Slot> {
    let relation = attribute(noun)?;
    lexicon::RELATIONS.contains(&relation.as_str()).then(|| Slot::new(USER, format!("{relation} name")).ok())?
}

/// `text` normalised, with simplified characters for traditional ones.
#[must_use]
pub fn simplified(text: &str) -> String {
    let text = text::normalize(text);
    if text.is_ascii() {
        return text;
    }
    let mut folded = String::with_capacity(text.len());
    let mut done = 0;
    for term in text::index_terms(&text).iter().filter(|term| term.kind == TermKind::Unigram) {
        if let Some(before) = text.get(done..term.start) {
            folded.push_str(before);
            folded.push_str(&term.text);
            done = term.end;
        }
    }
    folded.push_str(text.get(done..).unwrap_or_default());
    folded
}

/// Every synonym, as it stands and by its words, to its attribute.
static ATTRIBUTE_OF: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    let all = || {
        lexicon::ATTRIBUTES.iter().flat_map(|(name, synonyms)| synonyms.iter().map(move |synonym| (*synonym, *name)))
    };
    names.extend(all().map(|(synonym, name)| (synonym.to_owned(), name)));
    for (synonym, name) in all() {
        names.entry(words_of(synonym).join(" ")).or_insert(name);
    }
    names
});

/// [`lexicon::WORDS`], the longest first.
static WORDS: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let mut words = lexicon::WORDS.to_vec();
    words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    words
});

/// A noun phrase without the articles and possessives before it.
fn bare(phrase: &str) -> String {
    let mut rest = phrase.trim();
    loop {
        let before = rest;
        for article in [
            "my ",
            "our ",
            "the ",
            "a ",
            "an ",
            "your ",
            "current ",
            "我们的",
            "我的",
            "咱们的",
            "我们",
            "的",
            "当前",
            "目前",
        ] {
            if let Some(without) = rest.strip_prefix(article).filter(|without| !without.trim().is_empty()) {
                rest = without.trim_start();
            }
        }
        if rest == before {
            return rest.to_owned();
        }
    }
}

/// The words that make a phrase what it is: known ones in English, others stemmed, in alphabetical order, each once.
fn words_of(phrase: &str) -> Vec<String> {
    let mut phrase = format!(" {} ", phrase.replace('\'', " "));
    for (word, english) in WORDS.iter() {
        if word.is_ascii() {
            phrase = phrase.replace(&format!(" {word} "), &format!(" {english} "));
        } else {
            phrase = phrase.replace(word, &format!(" {english} "));
        }
    }
    for word in lexicon::EMPTY.iter().filter(|word| !word.is_ascii()) {
        phrase = phrase.replace(word, " ");
    }
    let words = phrase.split(|ch: char| ch.is_whitespace() || matches!(ch, ',' | '，' | '、' | '/' | '"' | '“' | '”'));
    let words = words.filter(|word| !word.is_empty() && !lexicon::EMPTY.contains(word));
    let mut words: Vec<String> = words.map(singular).collect();
    words.sort();
    words.dedup();
    words
}

/// An English noun in the singular; anything else as it is.
fn singular(word: &str) -> String {
    let is_plain = word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    match word {
        _ if !is_plain || ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) => word.to_owned(),
        _ if ["ches", "shes", "xes", "oes"].iter().any(|end| word.ends_with(end)) => {
            word.trim_end_matches("es").to_owned()
        }
        _ => word.strip_suffix('s').unwrap_or(word).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_of_both_languages_are_one_attribute() {
        for (names, expected) in [
            (&["住址", "my home address", "所在城市", "city"][..], "location"),
            (&["职业", "job title", "岗位", "my profession"], "job"),
            (&["公司", "employer", "工作单位"], "employer"),
            (&["服务器端口", "the port of my server", "server port", "服务端口"], "port server"),
            (&["数据库", "db", "our database"], "database"),
            (&["最喜欢的颜色", "favorite color", "favourite colour"], "favourite colour"),
        ] {
            for name in names {
                assert_eq!(attribute(name).as_deref(), Some(expected), "{name}");
            }
        }
        assert_eq!(attribute("的"), None);
    }

    #[test]
    fn one_taste_has_one_slot_however_it_is_worded() {
        assert_eq!(taste("Sichuan food"), taste("the food, sichuan"));
        assert_ne!(taste("green tea"), taste("black tea"));
    }

    #[test]
    fn only_roles_that_one_tool_fills_have_a_slot() {
        assert_eq!(role(TEAM, "前端"), role(TEAM, "the frontend"));
        assert!(role(TEAM, "the billing service").is_none());
    }
}
