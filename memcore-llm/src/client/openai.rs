//! Chat Completions: OpenAI, and all that speak its format.

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

/// A model behind OpenAI's Chat Completions API or a server that speaks it: Ollama, vLLM, llama.cpp, DeepSeek, Qwen,
/// OpenRouter, LiteLLM.
///
/// Failed calls are not repeated: memcore's queue does that. Dropping a call or a stream closes its connection.
///
/// ```no_run
/// use memcore_core::{ChatModel, ChatRequest, Message};
/// use memcore_llm::{Endpoint, OpenAiModel};
///
/// # async fn example() -> memcore_core::Result<()> {
/// let model = OpenAiModel::new(Endpoint::new("http://127.0.0.1:11434/v1"), "qwen3:8b")?;
/// let reply = model.complete(&ChatRequest::new("Be brief.", vec![Message::user("你好")])).await?;
/// println!("{} ({} tokens)", reply.text, reply.usage.tokens());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct OpenAiModel(Caller);

impl OpenAiModel {
    /// The model `name` at `endpoint`, whose base URL usually ends with `/v1`. Nothing is sent yet.
    ///
    /// # Errors
    /// `InvalidInput` where the name is blank, or the endpoint's settings make no sense.
    pub fn new(endpoint: Endpoint, name: impl Into<String>) -> Result<Self> {
        let name = checked_name(name)?;
        let transport = Transport::new(&endpoint, "chat/completions", KeyHeader::Bearer)?;
        let mut dialect = Dialect::new(SchemaMode::default());
        dialect.has_max_completion_tokens = transport.is_of("openai.com") || transport.is_of("openai.azure.com");
        let negotiation = Negotiation::new(dialect, next_mode);
        let format = Format { body, read_reply, read_event };
        Ok(Self(Caller { name, transport, negotiation, format, sees_images: false }))
    }

    /// Sets the schema mode to begin with; by default [`SchemaMode::JsonSchema`].
    #[must_use]
    pub fn with_schema_mode(self, mode: SchemaMode) -> Self {
        self.0.set_schema_mode(mode);
        self
    }

    /// Says that the model understands images; by default it does not, and gets `[image]` in their place.
    #[must_use]
    pub fn with_images(mut self) -> Self {
        self.0.sees_images = true;
        self
    }
}

#[async_trait]
impl ChatModel for OpenAiModel {
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
    let mut messages = Vec::new();
    let system = asked.instructions(dialect);
    if !system.is_empty() {
        messages.push(json!({"role": "system", "content": system}));
    }
    for said in &asked.conversation.statements {
        let role = if said.is_models { "assistant" } else { "user" };
        messages.push(json!({"role": role, "content": content(&said.parts)}));
    }
    let mut body = Map::new();
    let limit = if dialect.has_max_completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    body.insert("model".into(), json!(asked.model));
    body.insert("messages".into(), json!(messages));
    body.insert(limit.into(), json!(asked.request.max_tokens));
    if let Some(temperature) = asked.request.temperature.filter(|_| dialect.has_temperature) {
        body.insert("temperature".into(), json!(temperature));
    }
    if asked.streams {
        body.insert("stream".into(), json!(true));
        if dialect.has_stream_options {
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
    }
    if let Some(schema) = &asked.request.schema {
        bind(&mut body, dialect.schema, schema);
    }
    Value::Object(body)
}

fn next_mode(refused: SchemaMode) -> Option<SchemaMode> {
    match refused {
        SchemaMode::JsonSchema | SchemaMode::Tool => Some(SchemaMode::JsonObject),
        SchemaMode::JsonObject => Some(SchemaMode::Prompt),
        SchemaMode::Prompt => None,
    }
}

fn content(parts: &[Part]) -> Value {
    let texts: Option<Vec<&str>> =
        parts.iter().map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None }).collect();
    // Plain text is what every server understands.
    match texts {
        Some(texts) => json!(texts.join("\n")),
        None => parts.iter().map(part).collect(),
    }
}

fn part(part: &Part) -> Value {
    let url = match part {
        Part::Text(text) => return json!({"type": "text", "text": text}),
        Part::Image(Image::Url(url)) => url.clone(),
        Part::Image(Image::Inline { media_type, data }) => format!("data:{media_type};base64,{data}"),
    };
    json!({"type": "image_url", "image_url": {"url": url}})
}

/// Binds the reply to a schema.
fn bind(body: &mut Map<String, Value>, mode: SchemaMode, schema: &Value) {
    match mode {
        SchemaMode::JsonSchema => {
            let format = json!({"name": "reply", "strict": true, "schema": schema});
            body.insert("response_format".into(), json!({"type": "json_schema", "json_schema": format}));
        }
        SchemaMode::Tool => {
            let function = json!({"name": "reply", "strict": true, "parameters": schema});
            body.insert("tools".into(), json!([{"type": "function", "function": function}]));
            body.insert("tool_choice".into(), json!({"type": "function", "function": {"name": "reply"}}));
        }
        SchemaMode::JsonObject => {
            body.insert("response_format".into(), json!({"type": "json_object"}));
        }
        SchemaMode::Prompt => {}
    }
}

fn read_reply(mut draft: Draft, reply: &Value) -> Result<ChatReply, LlmError> {
    let choice = &reply["choices"][0];
    let message = &choice["message"];
    if !message.is_object() {
        return Err(LlmError::Unexpected { what: "no reply of a model", raw: reply.to_string() });
    }
    add_content(&mut draft, message);
    read_end(&mut draft, choice)?;
    read_usage(&mut draft, reply);
    draft.into_reply(|| reply.to_string())
}

fn read_event(draft: &mut Draft, data: &str) -> Result<Step, LlmError> {
    if data.trim() == "[DONE]" {
        return Ok(Step::End);
    }
    let chunk: Value = serde_json::from_str(data)
        .map_err(|_| LlmError::Unexpected { what: "an event that is not JSON", raw: data.to_owned() })?;
    if let Some(refusal) = refusal::inside(&chunk) {
        return Err(LlmError::Refused(refusal));
    }
    let choice = &chunk["choices"][0];
    let text = add_content(draft, &choice["delta"]);
    read_end(draft, choice)?;
    read_usage(draft, &chunk);
    Ok(Step::Text(text))
}

/// Adds the text of a message or a part of one; what the model thinks stands in other fields.
fn add_content(draft: &mut Draft, message: &Value) -> String {
    draft.is_declined |= message["refusal"].as_str().is_some_and(|refusal| !refusal.is_empty());
    let content = &message["content"];
    let mut shown = String::new();
    let in_parts = content.as_array().into_iter().flatten().map(|part| &part["text"]);
    // The arguments of the tool that carries a schema.
    let calls = message["tool_calls"].as_array().into_iter().flatten().take(1);
    let arguments = calls.map(|call| &call["function"]["arguments"]);
    for text in [content].into_iter().chain(in_parts).chain(arguments).filter_map(Value::as_str) {
        shown.push_str(&draft.add(text));
    }
    shown
}

fn read_end(draft: &mut Draft, choice: &Value) -> Result<(), LlmError> {
    match choice["finish_reason"].as_str() {
        None | Some("") => return Ok(()),
        Some("length") => draft.is_truncated = true,
        Some("content_filter") => draft.is_declined = true,
        // DeepSeek and OpenRouter: the server gave up in the middle.
        Some("insufficient_system_resource" | "error") => return Err(LlmError::CutShort),
        Some(_) => {}
    }
    draft.is_finished = true;
    Ok(())
}

fn read_usage(draft: &mut Draft, reply: &Value) {
    let usage = &reply["usage"];
    draft.input_tokens = usage["prompt_tokens"].as_u64().or(draft.input_tokens);
    draft.output_tokens = usage["completion_tokens"].as_u64().or(draft.output_tokens);
}
