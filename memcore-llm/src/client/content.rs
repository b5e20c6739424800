//! A request's messages as every wire format can say them: instructions, and two speakers in turn.

use memcore_core::{
    ChatRequest, ContentBlock, Message, Role,
    text::{Language, language},
};
use serde_json::Value;

use crate::error::LlmError;

/// The conversation of a request.
#[derive(Debug)]
pub(crate) struct Conversation {
    /// All instructions: several system messages are refused by many servers.
    pub(crate) system: String,
    /// Alternately the two speakers: some servers' templates refuse anything else.
    pub(crate) statements: Vec<Statement>,
}

/// What one speaker says before the other does.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) is_models: bool,
    pub(crate) parts: Vec<Part>,
}

/// Text or an image.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    Image(Image),
}

/// An image, in the message or elsewhere.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Image {
    /// Base64.
    Inline {
        media_type: String,
        data: String,
    },
    Url(String),
}

impl Conversation {
    /// # Errors
    /// Where nobody says anything: no endpoint answers that.
    pub(crate) fn of(request: &ChatRequest, sees_images: bool) -> Result<Self, LlmError> {
        let mut system = vec![request.system.as_str()];
        let texts: Vec<String> =
            request.messages.iter().filter(|message| message.role == Role::System).map(Message::text).collect();
        system.extend(texts.iter().map(String::as_str));
        system.retain(|text| !text.trim().is_empty());

        let mut statements: Vec<Statement> = Vec::new();
        for message in request.messages.iter().filter(|message| message.role != Role::System) {
            let parts = parts(message, sees_images);
            let is_models = message.role == Role::Assistant;
            match statements.last_mut() {
                _ if parts.is_empty() => {}
                Some(last) if last.is_models == is_models => last.parts.extend(parts),
                _ => statements.push(Statement { is_models, parts }),
            }
        }
        if statements.is_empty() {
            return Err(LlmError::setting("the request has no message with content", "add a user message"));
        }
        Ok(Self { system: system.join("\n\n"), statements })
    }
}

/// The parts of a message that a model is shown. Thinking is left out; what is neither text nor an image it may see is
/// named in brackets.
fn parts(message: &Message, sees_images: bool) -> Vec<Part> {
    let is_chinese = language(&message.text()) == Language::Zh;
    let named = |zh: &str, en: &str| Part::Text(format!("[{}]", if is_chinese { zh } else { en }));
    let mut parts = Vec::new();
    if message.role == Role::Tool && !message.content.is_empty() {
        parts.push(named("工具结果", "tool result"));
    }
    for block in &message.content {
        match block {
            ContentBlock::Text(block) if block.text.trim().is_empty() => {}
            ContentBlock::Text(block) => parts.push(Part::Text(block.text.clone())),
            ContentBlock::Other(value) => match value["type"].as_str().unwrap_or_default() {
                "image" | "image_url" | "input_image" => parts.push(match image(value).filter(|_| sees_images) {
                    Some(image) => Part::Image(image),
                    None => named("图片", "image"),
                }),
                "thinking" | "redacted_thinking" | "reasoning" => {}
                "tool_use" | "tool_call" | "function_call" => parts.push(named("工具调用", "tool call")),
                "tool_result" => parts.push(named("工具结果", "tool result")),
                _ => parts.push(named("附件", "attachment")),
            },
        }
    }
    parts
}

/// The image of a block of Anthropic (`image`) or OpenAI (`image_url`, `input_image`).
fn image(block: &Value) -> Option<Image> {
    let source = &block["source"];
    if let (Some(media_type), Some(data)) = (source["media_type"].as_str(), source["data"].as_str()) {
        return Some(Image::Inline { media_type: media_type.into(), data: data.into() });
    }
    let url = [&source["url"], &block["image_url"]["url"], &block["image_url"]].into_iter().find_map(Value::as_str)?;
    let inline = url.strip_prefix("data:").map(|rest| rest.split_once(";base64,"));
    match inline {
        Some(inline) => {
            let (media_type, data) = inline?;
            Some(Image::Inline { media_type: media_type.into(), data: data.into() })
        }
        None => Some(Image::Url(url.into())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(role: Role, content: Value) -> Message {
        serde_json::from_value(json!({"role": role, "content": content})).unwrap()
    }

    fn texts(parts: &[Part]) -> Vec<String> {
        parts.iter().map(|part| if let Part::Text(text) = part { text.clone() } else { format!("{part:?}") }).collect()
    }

    #[test]
    fn one_system_text_and_two_speakers_in_turn_remain() {
        let messages = vec![
            message(Role::User, json!("a")),
            message(Role::System, json!("more rules")),
            message(Role::Tool, json!("found 3 files")),
            message(Role::Assistant, json!([{"type": "thinking", "thinking": "…"}])),
            message(Role::Assistant, json!("b")),
            message(Role::User, json!(" ")),
            message(Role::Assistant, json!([{"type": "tool_use", "name": "ls"}])),
            message(Role::User, json!("c")),
        ];
        let conversation = Conversation::of(&ChatRequest::new("rules", messages), false).unwrap();
        assert_eq!(conversation.system, "rules\n\nmore rules");
        let said: Vec<_> =
            conversation.statements.iter().map(|said| (said.is_models, texts(&said.parts).join("|"))).collect();
        let expected = [(false, "a|[tool result]|found 3 files"), (true, "b|[tool call]"), (false, "c")];
        assert_eq!(said, expected.map(|(is_models, text)| (is_models, text.to_owned())));
    }

    #[test]
    fn a_request_in_which_nobody_speaks_is_refused() {
        for messages in [vec![], vec![Message::user(" ")], vec![Message::new(Role::System, "rules")]] {
            assert!(Conversation::of(&ChatRequest::new("rules", messages), true).is_err());
        }
    }

    #[test]
    fn an_image_is_recognised_in_every_form_and_named_for_those_who_cannot_see() {
        let inline = || Image::Inline { media_type: "image/png".into(), data: "AAAA".into() };
        let url = || Image::Url("https://example.org/a.png".into());
        for (block, expected) in [
            (
                json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}),
                Some(inline()),
            ),
            (json!({"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}), Some(url())),
            (json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}), Some(inline())),
            (json!({"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}), Some(url())),
            (json!({"type": "input_image", "image_url": "https://example.org/a.png"}), Some(url())),
            (json!({"type": "image", "source": {"type": "file", "file_id": "f"}}), None),
            (json!({"type": "image_url", "image_url": {"url": "data:broken"}}), None),
        ] {
            let with_text = |text: &str| message(Role::User, json!([{"type": "text", "text": text}, block.clone()]));
            let seen = parts(&with_text("Look at this."), true).remove(1);
            assert_eq!(seen, expected.map_or(Part::Text("[image]".into()), Part::Image));
            assert_eq!(texts(&parts(&with_text("Look at this."), false)), ["Look at this.", "[image]"]);
            assert_eq!(texts(&parts(&with_text("看看这个"), false)), ["看看这个", "[图片]"]);
        }
    }
}
