//! How a model is bound to a JSON schema.

use memcore_core::{
    ChatRequest,
    text::{Language, language},
};
use serde_json::Value;

/// How a model is bound to the JSON schema of a request.
///
/// An endpoint that refuses a mode with 400, 422 or 501 is asked again in the next one: Anthropic `JsonSchema`, `Tool`,
/// `Prompt`; OpenAI `JsonSchema` (or `Tool`), `JsonObject`, `Prompt`. What worked is remembered by the model. Whatever
/// the mode, the caller checks the reply: only the first two are enforced over there, and not by everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum SchemaMode {
    /// The API's own mode: `output_config.format` at Anthropic, `response_format` of type `json_schema` at OpenAI,
    /// vLLM, Ollama and llama.cpp (which makes a grammar of it).
    #[default]
    JsonSchema,
    /// A single tool with this schema that the model must call: for models before the API's own mode.
    Tool,
    /// `response_format` of type `json_object`, with the schema in the instructions. As `Prompt` at Anthropic.
    JsonObject,
    /// The schema in the instructions, nothing else.
    Prompt,
}

impl SchemaMode {
    /// Whether the model learns of the schema from the instructions alone.
    fn is_in_words(self) -> bool {
        matches!(self, Self::JsonObject | Self::Prompt)
    }

    /// The instructions that the model gets: those of the request, and the schema where the mode puts it there.
    pub(crate) fn instructions(self, system: &str, request: &ChatRequest) -> String {
        match &request.schema {
            Some(schema) if self.is_in_words() => {
                let separator = if system.trim().is_empty() { "" } else { "\n\n" };
                format!("{system}{separator}{}", schema_in_words(schema, language(system)))
            }
            _ => system.to_owned(),
        }
    }
}

fn schema_in_words(schema: &Value, language: Language) -> String {
    match language {
        Language::Zh => format!("只回答一个 JSON 对象，不要有任何其他内容。该对象须符合以下 JSON Schema：\n{schema}"),
        _ => format!("Answer with one JSON object and nothing else. It follows this JSON schema:\n{schema}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_put_into_words_in_the_instructions_language() {
        let request = ChatRequest::new("", vec![]).with_schema(serde_json::json!({"type": "object"}));
        let words = |mode: SchemaMode, system: &str| mode.instructions(system, &request);
        assert_eq!(words(SchemaMode::JsonSchema, "Extract."), "Extract.");
        assert_eq!(words(SchemaMode::Tool, "提取要点。"), "提取要点。");
        assert!(words(SchemaMode::Prompt, "Extract the facts.").contains("nothing else. It follows"));
        assert!(words(SchemaMode::JsonObject, "请提取值得记住的事实。").contains("只回答一个 JSON 对象"));
        assert!(words(SchemaMode::Prompt, "").starts_with("Answer with"));
        let free = ChatRequest::new("", vec![]);
        assert_eq!(SchemaMode::Prompt.instructions("Hello.", &free), "Hello.");
    }
}
