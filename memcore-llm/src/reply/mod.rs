//! From a model's reply to the entries that it lists: layered repair, as a pure function of the text.
//!
//! Strict JSON is read as such. Else `lenient` reads what models write instead: prose and code fences around it, single
//! or typographic quotes, Python literals, comments, missing or spare commas, broken escapes, an end that was cut off.

mod lenient;
mod literal;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use lenient::values;

/// An entry as it was written.
pub(crate) type Entry = Map<String, Value>;

/// A field of an entry as words; nothing where it holds anything else.
pub(crate) fn words<'e>(entry: &'e Entry, name: &str) -> &'e str {
    entry.get(name).and_then(Value::as_str).map(str::trim).unwrap_or_default()
}

/// A field of an entry as a number, also where it was written as a string.
pub(crate) fn number(entry: &Entry, name: &str) -> Option<f64> {
    let value = entry.get(name)?;
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).filter(|number: &f64| number.is_finite())
}

/// A field of an entry as the place of one of the things that were shown, from 0; they are numbered from 1.
pub(crate) fn place(entry: &Entry, name: &str) -> Option<usize> {
    number(entry, name).filter(|handle| (1.0..1e6).contains(handle)).map(|handle| handle as usize - 1)
}

/// The entries of a reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listing {
    /// The entries that are whole, each once, in their order.
    pub(crate) entries: Vec<Entry>,
    /// Whether nothing is missing: no cut, no part that could not be read.
    pub(crate) is_complete: bool,
}

/// The entries of the lists named `key`; none where the reply has no such list, and so is no answer at all.
///
/// Entries that stand alone or in a list without a name count where they have all of `required`. An empty list is an
/// answer ("nothing") only where it has the name, or is the whole reply. Time is linear in the reply.
pub(crate) fn listing(reply: &str, key: &str, required: &[&str]) -> Option<Listing> {
    let answer = without_thoughts(reply).trim();
    if let Ok(inner) = serde_json::from_str::<String>(answer) {
        return in_values(inner.trim(), key, required);
    }
    in_values(answer, key, required)
}

fn in_values(answer: &str, key: &str, required: &[&str]) -> Option<Listing> {
    let is_entry = |value: &Value| {
        let entry = value.as_object();
        entry.is_some_and(|entry| required.iter().all(|name| entry.get(*name).is_some_and(Value::is_string)))
    };
    let mut listing = Listing { entries: Vec::new(), is_complete: true };
    let mut is_answer = without_fence(answer) == "[]";
    let mut repetitions = 0;
    for found in values(answer) {
        let listed = match found.value {
            value if is_entry(&value) => {
                // Half an entry is none.
                if found.is_complete { vec![value] } else { Vec::new() }
            }
            Value::Object(object) => match list_in(object, key) {
                Some(listed) => listed,
                None => continue,
            },
            Value::Array(listed) if listed.iter().any(is_entry) => listed,
            _ => continue,
        };
        is_answer = true;
        listing.is_complete &= found.is_complete;
        for entry in listed {
            match entry {
                Value::Object(entry) if listing.entries.contains(&entry) => repetitions += 1,
                Value::Object(entry) if listing.entries.len() < MOST_ENTRIES => listing.entries.push(entry),
                Value::Object(_) => {}
                _ => listing.is_complete = false,
            }
        }
    }
    listing.is_complete |= repetitions >= ENOUGH_REPETITIONS;
    is_answer.then_some(listing)
}

/// Entries that come again, word for word, before a reply counts as whole wherever it ends: small models repeat
/// themselves until they are cut off.
const ENOUGH_REPETITIONS: usize = 2;

/// Entries of one reply that are looked at. Nobody is asked for as many.
const MOST_ENTRIES: usize = 64;

/// The list named `key` in an object, or in one of the objects directly inside it.
fn list_in(mut object: Entry, key: &str) -> Option<Vec<Value>> {
    match object.remove(key) {
        Some(Value::Array(list)) => return Some(list),
        Some(single @ Value::Object(_)) => return Some(vec![single]),
        _ => {}
    }
    object.into_iter().find_map(|(_, inner)| match inner {
        Value::Object(mut inner) => inner.remove(key).and_then(|list| match list {
            Value::Array(list) => Some(list),
            _ => None,
        }),
        _ => None,
    })
}

/// What follows a model's thoughts, where it shows them.
pub(crate) fn without_thoughts(reply: &str) -> &str {
    reply.rsplit_once("</think>").map_or(reply, |(_, answer)| answer)
}

fn without_fence(answer: &str) -> &str {
    let inner = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inner.map_or(answer, |inner| inner.trim_start_matches("json").trim())
}
