//! Data in a prompt: one JSON object a line, between two tags that nothing inside can imitate.

use memcore_core::{Language, StoredMessage, Timestamp, text};
use serde_json::Value;

/// The language in which a model is spoken to about these messages: that of most of what the user says.
pub(crate) fn language_of<'a>(messages: impl IntoIterator<Item = &'a StoredMessage>) -> Language {
    const ENOUGH: usize = 4_000;
    let mut said = String::new();
    for message in messages {
        if message.role == memcore_core::Role::User && said.len() < ENOUGH {
            said.extend(message.text().chars().take(ENOUGH));
            said.push('\n');
        }
    }
    text::language(&said)
}

/// Rows between an opening and a closing tag.
///
/// A row is one line: line breaks, angle brackets and invisible control characters inside its strings are escaped, so
/// that no text can end its line, close the tag or speak in another's name. Reading a row as JSON gives the text back.
pub(crate) fn block(tag: &str, rows: impl IntoIterator<Item = Value>) -> String {
    let mut block = format!("<{tag}>\n");
    for row in rows {
        escape_into(&row.to_string(), &mut block);
        block.push('\n');
    }
    block.push_str(&format!("</{tag}>\n"));
    block
}

/// JSON with `\u` escapes for what a reader could take for a line's end, a tag, or nothing. In JSON that `serde_json`
/// wrote, all of these stand inside strings.
fn escape_into(json: &str, escaped: &mut String) {
    for ch in json.chars() {
        let is_invisible =
            matches!(ch, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
        // Tags out of full-width or mathematical brackets look like tags as well.
        let is_bracket = matches!(ch, '<' | '>' | '＜' | '＞' | '﹤' | '﹥' | '⟨' | '⟩' | '〈' | '〉' | '‹' | '›');
        if is_bracket || is_invisible || ch.is_control() {
            let mut units = [0; 2];
            for unit in ch.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(ch);
        }
    }
}

/// A moment with its weekday: `2026-11-30 09:15 Monday`, in UTC.
pub(crate) fn moment(at: Timestamp) -> String {
    at.format("%Y-%m-%d %H:%M %A").to_string()
}
