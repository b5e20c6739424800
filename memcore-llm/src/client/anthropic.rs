//! Anthropic's Messages API.

use async_trait::async_trait;
use memcore_core::{ChatModel, ChatReply, ChatRequest, ChatStream, Result};
use serde_json::{Map, Value, json};

use super::{
    Endpoint, KeyHeader, SchemaMode, Transport,
    caller::{Asked, Caller, Format, checked_name},
    content::{Image, Part},
    dialect::{Dialect, Negotiation},
    draft::{Draft, Step},
    refusal,
};
use crate::error::LlmError;

/// A model behind Anthropic's Messages API.
///
/// Failed calls are not repeated: memcore's queue does that. Dropping a call or a stream closes its connection.
///
/// ```no_run
/// use memcore_llm::{AnthropicModel, ApiKey, Endpoint};
///
/// # fn example(model: &str) -> memcore_core::Result<()> {
/// let model = AnthropicModel::new(Endpoint::anthropic(ApiKey::from_environment("ANTHROPIC_API_KEY")?), model)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct AnthropicModel(Caller);

impl AnthropicModel {
    /// The model `name` at `endpoint`, whose base URL may end with `/v1` or not. Nothing is sent yet.
    ///
    /// # Errors
    /// `InvalidInput` where the name is blank, or the endpoint's settings make no sense.
    pub fn new(endpoint: Endpoint, name: impl Into<String>) -> Result<Self> {
        let name = checked_name(name)?;
        let has_version = endpoint.base_url.trim().trim_end_matches('/').ends_with("/v1");
        let path = if has_version { "messages" } else { "v1/messages" };
        let transport = Transport::new(&endpoint, path, KeyHeader::XApiKey)?;
        let negotiation = Negotiation::new(Dialect::new(SchemaMode::default()), next_mode);
        let format = Format { body, read_reply, read_event };
        Ok(Self(Caller { name, transport, negotiation, format, sees_images: true }))
    }

    /// Sets the schema mode to begin with; by default [`SchemaMode::JsonSchema`].
    #[must_use]
    pub fn with_schema_mode(self, mode: SchemaMode) -> Self {
        self.0.set_schema_mode(mode);
        self
    }

    /// Says that the model does not understand images, as some behind compatible servers; it gets `[image]` in their
    /// place.
    #[must_use]
    pub fn without_images(mut self) -> Self {
        self.0.sees_images = false;
        self
    }
}

#[async_trait]
impl ChatModel for AnthropicModel {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn sees_images(&self) -> bool {
        self.0.sees_images
    }

    async fn complete(&self, request: &ChatRequest) -> Result<ChatReply> {
        Ok(self.0.complete(request).await?)
    }

    async fn stream(&self, request: &ChatRequest) -> Result<ChatStream> {
        Ok(self.0.stream(request).await?)
    }
}

fn body(asked: &Asked<'_>, dialect: Dialect) -> Value {
    let said = asked.conversation.statements.iter().map(|said| {
        let role = if said.is_models { "assistant" } else { "user" };
        json!({"role": role, "content": said.parts.iter().map(block).collect::<Vec<_>>()})
    });
    let mut body = Map::new();
    body.insert("model".into(), json!(asked.model));
    body.insert("max_tokens".into(), json!(asked.request.max_tokens));
    body.insert("messages".into(), said.collect());
    let system = asked.instructions(dialect);
    if !system.is_empty() {
        body.insert("system".into(), json!(system));
    }
    if let Some(temperature) = asked.request.temperature.filter(|_| dialect.has_temperature) {
        body.insert("temperature".into(), json!(temperature.min(1.0)));
    }
    if asked.streams {
        body.insert("stream".into(), json!(true));
    }
    if let Some(schema) = &asked.request.schema {
        bind(&mut body, dialect.schema, schema);
    }
    Value::Object(body)
}

fn next_mode(refused: SchemaMode) -> Option<SchemaMode> {
    match refused {
        SchemaMode::JsonSchema => Some(SchemaMode::Tool),
        SchemaMode::Tool => Some(SchemaMode::Prompt),
        SchemaMode::JsonObject | SchemaMode::Prompt => None,
    }
}

fn block(part: &Part) -> Value {
    let source = match part {
        Part::Text(text) => return json!({"type": "text", "text": text}),
        Part::Image(Image::Url(url)) => json!({"type": "url", "url": url}),
        Part::Image(Image::Inline { media_type, data }) => {
            json!({"type": "base64", "media_type": media_type, "data": data})
        }
    };
    json!({"type": "image", "source": source})
}

/// Binds the reply to a schema.
fn bind(body: &mut Map<String, Value>, mode: SchemaMode, schema: &Value) {
    match mode {
        SchemaMode::JsonSchema => {
            body.insert("output_config".into(), json!({"format": {"type": "json_schema", "schema": schema}}));
        }
        SchemaMode::Tool => {
            let tool = json!({"name": "reply", "description": "The reply.", "strict": true, "input_schema": schema});
            body.insert("tools".into(), json!([tool]));
            body.insert("tool_choice".into(), json!({"type": "tool", "name": "reply"}));
        }
        SchemaMode::JsonObject | SchemaMode::Prompt => {}
    }
}

fn read_reply(mut draft: Draft, reply: &Value) -> Result<ChatReply, LlmError> {
    let Some(blocks) = reply["content"].as_array() else {
        return Err(LlmError::Unexpected { what: "no reply of a model", raw: reply.to_string() });
    };
    for block in blocks {
        match block["type"].as_str() {
            Some("text") => {
                draft.add(block["text"].as_str().unwrap_or_default());
            }
            // The tool that carries a schema.
            Some("tool_use") => {
                draft.add(&block["input"].to_string());
            }
            // Thinking, and what later versions bring.
            _ => {}
        }
    }
    read_end(&mut draft, &reply["stop_reason"]);
    read_usage(&mut draft, &reply["usage"]);
    draft.into_reply(|| reply.to_string())
}

fn read_event(draft: &mut Draft, data: &str) -> Result<Step, LlmError> {
    let event: Value = serde_json::from_str(data)
        .map_err(|_| LlmError::Unexpected { what: "an event that is not JSON", raw: data.to_owned() })?;
    if let Some(refusal) = refusal::inside(&event) {
        return Err(LlmError::Refused(refusal));
    }
    let mut shown = String::new();
    match event["type"].as_str() {
        Some("message_start") => read_usage(draft, &event["message"]["usage"]),
        Some("content_block_delta") => {
            let delta = &event["delta"];
            let piece = match delta["type"].as_str() {
                Some("text_delta") => &delta["text"],
                Some("input_json_delta") => &delta["partial_json"],
                _ => &Value::Null,
            };
            shown = draft.add(piece.as_str().unwrap_or_default());
        }
        Some("message_delta") => {
            read_end(draft, &event["delta"]["stop_reason"]);
            read_usage(draft, &event["usage"]);
        }
        Some("message_stop") => return Ok(Step::End),
        // Pings, the borders of blocks, and what later versions bring.
        _ => {}
    }
    Ok(Step::Text(shown))
}

fn read_end(draft: &mut Draft, stop_reason: &Value) {
    match stop_reason.as_str() {
        Some("max_tokens" | "model_context_window_exceeded") => draft.is_truncated = true,
        Some("refusal") => draft.is_declined = true,
        _ => {}
    }
}

/// Counts of a stream are cumulative: the last ones stand.
fn read_usage(draft: &mut Draft, usage: &Value) {
    let count = |field: &str| usage[field].as_u64();
    if let Some(uncached) = count("input_tokens") {
        let cached = [count("cache_creation_input_tokens"), count("cache_read_input_tokens")];
        draft.input_tokens = Some(uncached + cached.into_iter().flatten().sum::<u64>());
    }
    draft.output_tokens = count("output_tokens").or(draft.output_tokens);
}
