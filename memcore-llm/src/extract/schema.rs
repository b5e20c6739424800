//! The JSON schema of an extraction, in the subset that every provider's strict mode takes.

use serde_json::{Value, json};

/// The name of the list.
pub(super) const KEY: &str = "memories";
/// What an entry must have, as text.
pub(super) const REQUIRED: [&str; 2] = ["content", "quote"];

/// Kinds that a model may choose. Summaries and episodes are made elsewhere.
pub(super) const KINDS: [&str; 9] =
    ["profile", "preference", "project_state", "fact", "decision", "constraint", "emotion", "todo", "event"];

/// All properties required, no others allowed, what may be missing is nullable.
pub(super) fn schema() -> Value {
    let properties = json!({
        "content": {"type": "string"},
        "kind": {"type": "string", "enum": KINDS},
        "importance": {"type": "integer", "description": "1 to 10"},
        "confidence": {"type": "number", "description": "0 to 1"},
        "subject": {"type": "string"},
        "slot": {"type": ["string", "null"]},
        "quote": {"type": "string"},
        "event_time": {"type": ["string", "null"]},
        "operation": {"type": "string", "enum": ["add", "update", "confirm", "retract"]},
        "handle": {"type": ["integer", "null"]},
    });
    let names: Vec<&String> = properties.as_object().into_iter().flat_map(|names| names.keys()).collect();
    json!({
        "type": "object",
        "properties": {
            KEY: {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": names,
                    "properties": properties,
                    "additionalProperties": false,
                },
            },
        },
        "required": [KEY],
        "additionalProperties": false,
    })
}
