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
    if let Some(&name) = ATTRIBUTE_OF.get(phrase.as_str()) {
        return Some(name.to_owned());
    }
    let words = words_of(&phrase);
    let name = words.join(" ");
    if let Some(&known) = ATTRIBUTE_OF.get(name.as_str()) {
        return Some(known.to_owned());
    }
    (!name.is_empty()).then_some(name)
}

/// The slot for an attribute of `subject` given by a noun phrase.
#[must_use]
pub fn named(subject: &str, noun: &str) -> Option<Slot> {
    Slot::new(subject, attribute(noun)?).ok()
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

/// The slot for the version of a tool.
#[must_use]
pub fn version(tool: &str) -> Option<Slot> {
    Slot::new(simplified(tool).trim(), "version").ok()
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

static ATTRIBUTE_OF: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let names = lexicon::ATTRIBUTES.iter();
    names.flat_map(|(name, synonyms)| synonyms.iter().map(|synonym| (*synonym, *name))).collect()
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
