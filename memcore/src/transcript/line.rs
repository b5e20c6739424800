//! One line: a message and the conversation that it belongs to.

use memcore_core::{ContentBlock, Message, MessageId, ProjectId, Role, SessionId, Timestamp, chrono::DateTime};
use serde_json::{Map, Value};

use super::surrogates;

/// A message of a transcript.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TranscriptLine {
    /// The conversation.
    pub session: SessionId,
    /// The project, where the line names one.
    pub project: Option<ProjectId>,
    /// The message; its id is none where the line names none (see [`MessageIds`](super::MessageIds)).
    pub message: Message,
}

impl TranscriptLine {
    /// Reads a line. Halves of surrogate pairs (`"\ud83d"` alone, as programs write them that cut a text in the middle
    /// of an emoji) are read as U+FFFD; unknown fields are ignored.
    ///
    /// # Errors
    /// Why the line is no message, in words that hold nothing of its content.
    pub fn parse(line: &str) -> Result<Self, String> {
        let fields = object(line)?;
        let session = match fields.get("session") {
            Some(Value::String(id)) => SessionId::new(id.as_str()).map_err(|error| error.to_string())?,
            Some(_) => return Err("`session` is no string".into()),
            None => return Err("`session` is missing".into()),
        };
        let project = match fields.get("project") {
            None | Some(Value::Null) => None,
            Some(Value::String(id)) => Some(ProjectId::new(id.as_str()).map_err(|error| error.to_string())?),
            Some(_) => return Err("`project` is no string".into()),
        };
        Ok(Self { session, project, message: message_from_json(&fields)? })
    }
}

fn object(line: &str) -> Result<Map<String, Value>, String> {
    let parsed = serde_json::from_str::<Value>(line).or_else(|error| match surrogates::repaired(line) {
        Some(repaired) => serde_json::from_str(&repaired),
        None => Err(error),
    });
    match parsed {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err("not a JSON object".into()),
        Err(error) => Err(format!("not valid JSON (column {})", error.column())),
    }
}

/// Reads `role`, `content`, `at` and `id` of a JSON object; other fields are ignored.
///
/// # Errors
/// Why it is no message, in words that hold nothing of its content.
pub fn message_from_json(fields: &Map<String, Value>) -> Result<Message, String> {
    let role = match fields.get("role").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("tool") => Role::Tool,
        Some("system" | "developer") => Role::System,
        Some(_) => return Err("`role` is none of user, assistant, tool, system".into()),
        None => return Err("`role` is missing or no string".into()),
    };
    let mut message = Message::new(role, "");
    message.content = match fields.get("content") {
        Some(Value::String(text)) => vec![ContentBlock::text(text.as_str())],
        Some(Value::Array(blocks)) => blocks.iter().map(block).collect(),
        Some(_) => return Err("`content` is neither a string nor a list of blocks".into()),
        None => return Err("`content` is missing".into()),
    };
    message.at = match fields.get("at") {
        None | Some(Value::Null) => None,
        Some(Value::String(at)) => Some(moment(at)?),
        Some(_) => return Err(BAD_TIME.into()),
    };
    message.id = match fields.get("id") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) => Some(MessageId::new(id.as_str()).map_err(|error| error.to_string())?),
        Some(Value::Number(id)) => Some(MessageId::new(id.to_string()).map_err(|error| error.to_string())?),
        Some(_) => return Err("`id` is no string".into()),
    };
    Ok(message)
}

const BAD_TIME: &str = "`at` is no RFC 3339 time such as 2026-05-03T08:00:00Z";

fn moment(at: &str) -> Result<Timestamp, String> {
    DateTime::parse_from_rfc3339(at).map(|at| at.to_utc()).map_err(|_| BAD_TIME.into())
}

fn block(value: &Value) -> ContentBlock {
    match value {
        Value::String(text) => ContentBlock::text(text.as_str()),
        other => serde_json::from_value(other.clone()).unwrap_or_else(|_| ContentBlock::Other(other.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Result<&str, &str>) {
        match (TranscriptLine::parse(line), expected) {
            (Ok(line), Ok(text)) => assert_eq!(line.message.text(), text),
            (Err(reason), Err(part)) => assert!(reason.contains(part), "{reason}"),
            (got, expected) => panic!("{line}: {got:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn content_is_a_text_or_blocks() {
        check(r#"{"session":"a","role":"user","content":"喝茶"}"#, Ok("喝茶"));
        check(
            r#"{"session":"a","role":"tool","content":[{"type":"text","text":"one"},{"type":"image","data":"…"},"two"]}"#,
            Ok("one\ntwo"),
        );
        check(r#"{"session":"a","role":"assistant","content":""}"#, Ok(""));
    }

    #[test]
    fn what_is_no_message_says_why_without_quoting_it() {
        check("{", Err("not valid JSON"));
        check("[]", Err("not a JSON object"));
        check(r#"{"role":"user","content":"x"}"#, Err("`session` is missing"));
        check(r#"{"session":"","role":"user","content":"x"}"#, Err("empty"));
        check(r#"{"session":"a","role":"pirate","content":"x"}"#, Err("`role`"));
        check(r#"{"session":"a","role":"user","content":7}"#, Err("`content`"));
        check(r#"{"session":"a","role":"user","content":"x","at":"yesterday"}"#, Err("`at`"));
        check(r#"{"session":"a","role":"user","content":"x","project":"\u0000"}"#, Err("control"));
        let reason = TranscriptLine::parse(r#"{"session":"a","role":"hush","content":"x"}"#).unwrap_err();
        assert!(!reason.contains("hush"));
    }

    #[test]
    fn half_an_emoji_costs_a_character_and_no_message() {
        check(r#"{"session":"a","role":"user","content":"tea \ud83c please"}"#, Ok("tea \u{fffd} please"));
        check(r#"{"session":"a","role":"user","content":"\udf75 茶 \ud83c\udf75"}"#, Ok("\u{fffd} 茶 🍵"));
    }

    #[test]
    fn times_are_read_with_their_offset() {
        let line = TranscriptLine::parse(
            r#"{"session":"a","role":"user","content":"x","at":"2026-05-03T10:00:00+02:00","id":7}"#,
        );
        let message = line.unwrap().message;
        assert_eq!(message.at.unwrap().to_rfc3339(), "2026-05-03T08:00:00+00:00");
        assert_eq!(message.id.unwrap().as_str(), "7");
    }
}
