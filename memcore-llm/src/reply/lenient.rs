//! A reader of JSON that forgives, and says where it had to give up.

use serde_json::{Map, Number, Value};

use super::literal;

/// Deeper nesting is not read; as deep as the strict reader goes.
const MOST_DEPTH: usize = 120;
/// Bytes within which a key ends, or it is none: where every brace could begin a key, each is looked at but briefly.
const LONGEST_KEY: usize = 128;
/// How often an opening mark that led nowhere is passed over.
const MOST_FALSE_STARTS: usize = 8;

/// A value, as far as it could be read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) value: Value,
    /// Whether it was read to its end. Else it holds what was whole before the cut.
    pub(super) is_complete: bool,
}

/// The objects and arrays of a text, outermost ones, in order.
pub(super) fn values(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut reader = Reader { text, at: 0 };
    let mut false_starts = 0;
    while let Some(offset) = reader.rest().find(['{', '[']) {
        let start = reader.at + offset;
        reader.at = start;
        if let Some((value, length)) = strict(reader.rest()) {
            reader.at += length;
            found.push(Found { value, is_complete: true });
            continue;
        }
        let read = reader.value(0);
        let is_empty = |value: &Value| match value {
            Value::Object(object) => object.is_empty(),
            Value::Array(array) => array.is_empty(),
            _ => true,
        };
        // A bracket of the prose, whose supposed first string has swallowed the rest.
        let leads_nowhere = read.as_ref().is_none_or(|read| !read.is_complete && is_empty(&read.value));
        if leads_nowhere && reader.rest().is_empty() && false_starts < MOST_FALSE_STARTS {
            false_starts += 1;
            reader.at = start + 1;
        }
        reader.at = reader.at.max(start + 1);
        found.extend(read);
    }
    found
}

/// The value at the beginning of a text by the letter of the standard, and its length in bytes.
fn strict(text: &str) -> Option<(Value, usize)> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = stream.next()?.ok()?;
    Some((value, stream.byte_offset()))
}

/// Reads from a position on. Where it gives up, the position is where it did.
#[derive(Debug)]
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn value(&mut self, depth: usize) -> Option<Found> {
        match self.peek()? {
            '{' | '[' if depth >= MOST_DEPTH => None,
            '{' => Some(self.object(depth)),
            '[' => Some(self.array(depth)),
            mark if literal::closing_of(mark).is_some() => {
                let read = literal::string(self.rest(), literal::Place::Value)?;
                self.at += read.length;
                Some(Found { value: Value::String(read.text), is_complete: read.is_closed })
            }
            _ => self.scalar(),
        }
    }

    fn object(&mut self, depth: usize) -> Found {
        self.at += 1;
        let mut object = Map::new();
        let is_complete = loop {
            self.skip_filler();
            match self.peek() {
                None => break false,
                Some('}') => {
                    self.at += 1;
                    break true;
                }
                // The brace was forgotten.
                Some(']') => break depth > 0,
                Some(_) => {}
            }
            let Some(key) = self.key() else { break false };
            self.skip_filler();
            match self.value(depth + 1) {
                Some(read) if read.is_complete => {
                    object.insert(key, read.value);
                }
                Some(read) => {
                    // What a container holds is whole; a string that was cut off is not.
                    if read.value.is_array() || read.value.is_object() {
                        object.insert(key, read.value);
                    }
                    break false;
                }
                None => break false,
            }
        };
        Found { value: Value::Object(object), is_complete }
    }

    fn array(&mut self, depth: usize) -> Found {
        self.at += 1;
        let mut array = Vec::new();
        let is_complete = loop {
            self.skip_filler();
            match self.peek() {
                None => break false,
                Some(']') => {
                    self.at += 1;
                    break true;
                }
                // The bracket was forgotten.
                Some('}') => break depth > 0,
                Some(_) => {}
            }
            match self.value(depth + 1) {
                Some(read) if read.is_complete => array.push(read.value),
                _ => break false,
            }
        };
        Found { value: Value::Array(array), is_complete }
    }

    /// A key and the colon behind it.
    fn key(&mut self) -> Option<String> {
        let mark = self.peek()?;
        let key = if literal::closing_of(mark).is_some() {
            let near = self.rest().get(..self.rest().floor_char_boundary(LONGEST_KEY))?;
            let read = literal::string(near, literal::Place::Key).filter(|read| read.is_closed)?;
            self.at += read.length;
            read.text
        } else {
            let length = literal::word_length(self.rest());
            let word = self.rest().get(..length).filter(|word| !word.is_empty())?.to_owned();
            self.at += length;
            word
        };
        self.skip_filler();
        let colon = self.peek().filter(|ch| matches!(ch, ':' | '：'))?;
        self.at += colon.len_utf8();
        Some(key)
    }

    /// A number, or a literal of JSON, Python or JavaScript.
    fn scalar(&mut self) -> Option<Found> {
        let is_inside = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '+' | '-' | '.' | '_');
        let rest = self.rest();
        let word = rest.get(..rest.find(|ch| !is_inside(ch)).unwrap_or(rest.len()))?;
        let value = match word.to_ascii_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" | "none" | "nan" | "undefined" => Value::Null,
            number => Value::Number(number_of(number)?),
        };
        self.at += word.len();
        Some(Found { value, is_complete: true })
    }

    /// White space, comments and commas.
    fn skip_filler(&mut self) {
        loop {
            let rest = self.rest();
            let bare = rest.trim_start_matches(|ch: char| {
                ch.is_whitespace() || matches!(ch, ',' | '，' | '\u{feff}' | '\u{200b}' | '\u{2060}')
            });
            let behind = if bare.starts_with("//") || bare.starts_with('#') {
                bare.find('\n').map_or("", |end| bare.get(end..).unwrap_or_default())
            } else if bare.starts_with("/*") {
                bare.split_once("*/").map_or("", |(_, behind)| behind)
            } else {
                bare
            };
            self.at += rest.len() - behind.len();
            if behind.len() == bare.len() {
                return;
            }
        }
    }
}

fn number_of(word: &str) -> Option<Number> {
    if let Ok(whole) = word.trim_start_matches('+').parse::<i64>() {
        return Some(whole.into());
    }
    Number::from_f64(word.parse::<f64>().ok()?)
}
