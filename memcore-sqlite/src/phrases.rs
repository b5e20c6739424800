//! Phrases to erase from texts: each occurrence is replaced, the longest phrase first.

use aho_corasick::{AhoCorasick, MatchKind};
use memcore_core::ContentBlock;
use serde_json::Value;

use crate::error::{Failure, Result};

/// What stands where erased words stood.
const FORGOTTEN: &str = "[forgotten]";

/// Phrases that must not remain.
#[derive(Debug)]
pub(crate) struct Phrases(Option<AhoCorasick>);

impl Phrases {
    /// Blank phrases are none. Each is also looked for as it is spelt inside a JSON string: tools pass arguments as
    /// JSON within JSON.
    pub(crate) fn new(phrases: &[String]) -> Result<Self> {
        let mut patterns: Vec<String> = Vec::new();
        for phrase in phrases.iter().filter(|phrase| !phrase.trim().is_empty()) {
            patterns.push(phrase.clone());
            patterns.extend(Some(json_spelling(phrase)).filter(|spelt| spelt != phrase));
        }
        if patterns.is_empty() {
            return Ok(Self(None));
        }
        let matcher = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&patterns);
        matcher.map(|matcher| Self(Some(matcher))).map_err(|_| Failure::invalid("there are too many phrases to erase"))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The text without the phrases; none where it has none of them.
    pub(crate) fn erase(&self, text: &str) -> Option<String> {
        let matcher = self.0.as_ref().filter(|matcher| matcher.is_match(text))?;
        let mut clean = String::with_capacity(text.len());
        matcher.replace_all_with(text, &mut clean, |_, _, clean| {
            clean.push_str(FORGOTTEN);
            true
        });
        Some(clean)
    }

    /// Erases in a message's block; answers whether there was something.
    pub(crate) fn erase_block(&self, block: &mut ContentBlock) -> bool {
        match block {
            ContentBlock::Text(block) => self.erase_string(&mut block.text),
            ContentBlock::Other(value) => self.erase_json(value),
        }
    }

    fn erase_string(&self, text: &mut String) -> bool {
        match self.erase(text) {
            Some(clean) => {
                *text = clean;
                true
            }
            None => false,
        }
    }

    /// In every string of a JSON value, the names of its members included.
    fn erase_json(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => self.erase_string(text),
            Value::Array(values) => {
                // All of them, not only up to the first that has one.
                let mut found = false;
                for value in values {
                    found |= self.erase_json(value);
                }
                found
            }
            Value::Object(members) => {
                let mut found = false;
                let cleaned = std::mem::take(members).into_iter().map(|(mut name, mut value)| {
                    found |= self.erase_string(&mut name);
                    found |= self.erase_json(&mut value);
                    (name, value)
                });
                *members = cleaned.collect();
                found
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}

/// A text as it stands between the quotation marks of a JSON string.
pub(crate) fn json_spelling(text: &str) -> String {
    let quoted = Value::String(text.to_owned()).to_string();
    quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(phrases: &[&str], text: &str, expected: Option<&str>) {
        let phrases = Phrases::new(&phrases.iter().map(|phrase| (*phrase).to_owned()).collect::<Vec<_>>()).unwrap();
        assert_eq!(phrases.erase(text).as_deref(), expected);
    }

    #[test]
    fn every_occurrence_goes_and_nothing_else() {
        check(&["blue door"], "a blue door, the blue door", Some("a [forgotten], the [forgotten]"));
        check(&["蓝色的门"], "她喜欢蓝色的门。", Some("她喜欢[forgotten]。"));
        check(&["blue", "blue door"], "blue doors", Some("[forgotten]s"));
        check(&["", "  "], "a  b", None);
        check(&["forgotten"], "forgotten", Some("[forgotten]"));
    }

    #[test]
    fn a_phrase_is_found_in_json_within_json() {
        let arguments = serde_json::json!({ "note": "say \"hi\" to Bo" }).to_string();
        check(&["\"hi\" to Bo"], &arguments, Some(r#"{"note":"say [forgotten]"}"#));
        let phrases = Phrases::new(&["secret".into()]).unwrap();
        let mut block: ContentBlock =
            serde_json::from_str(r#"{"type":"tool_use","input":{"secret":["a secret"]}}"#).unwrap();
        assert!(phrases.erase_block(&mut block));
        assert!(!serde_json::to_string(&block).unwrap().contains("secret"));
    }
}
