//! The model that the environment describes, for programs and examples.

use std::sync::Arc;

use memcore_core::{ChatModel, Error, Result};

use super::{AnthropicModel, ApiKey, Endpoint, OpenAiModel};

/// What a model is for: two can be set apart, as extraction runs well on a smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelPurpose {
    /// Talking with the user: variables `MEMCORE_CHAT_…`.
    Chat,
    /// Extracting, summarising and reviewing memories: variables `MEMCORE_EXTRACT_…`, then those of `Chat`.
    Extract,
}

/// The model that environment variables describe; what is empty counts as not set.
///
/// | what | variable, the first that is set |
/// | --- | --- |
/// | model | `MEMCORE_EXTRACT_MODEL` (to extract), `MEMCORE_CHAT_MODEL`, `ANTHROPIC_MODEL` or `OPENAI_MODEL` |
/// | provider, `anthropic` or `openai` | `MEMCORE_EXTRACT_PROVIDER` (to extract), `MEMCORE_CHAT_PROVIDER`; else `openai` where a base URL of ours is set; else the one of which a key or base URL is set; of both, `anthropic` for a model `claude…` |
/// | base URL | `MEMCORE_EXTRACT_BASE_URL` (to extract), `MEMCORE_CHAT_BASE_URL`, `ANTHROPIC_BASE_URL` or `OPENAI_BASE_URL`, the provider's own |
/// | key | `MEMCORE_EXTRACT_API_KEY` (to extract), `MEMCORE_CHAT_API_KEY`, `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` |
///
/// A key goes only where it belongs: with `MEMCORE_EXTRACT_BASE_URL` or `MEMCORE_EXTRACT_PROVIDER`, nothing of
/// `MEMCORE_CHAT_…` but the model is used, and to a base URL of `MEMCORE_…` only a key of `MEMCORE_…` is sent. A server
/// without keys needs none:
///
/// ```sh
/// export MEMCORE_CHAT_MODEL=qwen3:8b MEMCORE_CHAT_BASE_URL=http://127.0.0.1:11434/v1
/// ```
///
/// # Errors
/// `InvalidInput`, with what to set as its hint, where the variables describe no model.
pub fn model_from_environment(purpose: ModelPurpose) -> Result<Arc<dyn ChatModel>> {
    model_from(purpose, |variable| std::env::var(variable).ok())
}

/// The model that variables describe, as [`model_from_environment`], from a host's own settings.
///
/// # Errors
/// `InvalidInput`, with what to set as its hint, where the variables describe no model.
pub fn model_from(purpose: ModelPurpose, variable: impl Fn(&str) -> Option<String>) -> Result<Arc<dyn ChatModel>> {
    let set = |name: String| variable(&name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let of_extract = |what: &str| match purpose {
        ModelPurpose::Extract => set(format!("MEMCORE_EXTRACT_{what}")),
        ModelPurpose::Chat => None,
    };
    let has_own_endpoint = of_extract("BASE_URL").or_else(|| of_extract("PROVIDER")).is_some();
    let of_chat = |what: &str| if has_own_endpoint { None } else { set(format!("MEMCORE_CHAT_{what}")) };
    let ours = |what: &str| of_extract(what).or_else(|| of_chat(what));

    let model = of_extract("MODEL").or_else(|| set("MEMCORE_CHAT_MODEL".into()));
    let base_url = ours("BASE_URL");
    let provider = match ours("PROVIDER") {
        Some(name) => Provider::named(&name)?,
        None if base_url.is_some() => Provider::OpenAi,
        None => {
            let is_set = |provider: Provider| {
                let variable = |what: &str| set(format!("{}_{what}", provider.prefix()));
                variable("API_KEY").or_else(|| variable("BASE_URL")).is_some()
            };
            let is_claude = model.as_ref().is_some_and(|model| model.starts_with("claude"));
            match (is_set(Provider::Anthropic), is_set(Provider::OpenAi)) {
                (true, true) if is_claude => Provider::Anthropic,
                (_, true) => Provider::OpenAi,
                (true, false) => Provider::Anthropic,
                (false, false) => return Err(nothing_set()),
            }
        }
    };
    let of_provider = |what: &str| set(format!("{}_{what}", provider.prefix()));
    let model = model.or_else(|| of_provider("MODEL")).ok_or_else(|| {
        let own = if purpose == ModelPurpose::Extract { "MEMCORE_EXTRACT_MODEL or " } else { "" };
        Error::invalid("no model is named in the environment")
            .with_hint(format!("set {own}MEMCORE_CHAT_MODEL to the name of a model that the endpoint serves"))
    })?;
    let key = ours("API_KEY").or_else(|| if base_url.is_none() { of_provider("API_KEY") } else { None });
    let base_url = base_url.or_else(|| of_provider("BASE_URL"));
    if key.is_none() && base_url.is_none() {
        return Err(Error::invalid(format!("no key for {} is set in the environment", provider.home()))
            .with_hint(format!("set {0}_API_KEY, or {0}_BASE_URL to a server that needs none", provider.prefix())));
    }
    let mut endpoint = Endpoint::new(base_url.as_deref().unwrap_or(provider.home()));
    if let Some(key) = key {
        endpoint = endpoint.with_key(ApiKey::new(key)?);
    }
    Ok(match provider {
        Provider::Anthropic => Arc::new(AnthropicModel::new(endpoint, model)?),
        Provider::OpenAi => Arc::new(OpenAiModel::new(endpoint, model)?),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Provider {
    Anthropic,
    OpenAi,
}

impl Provider {
    fn named(name: &str) -> Result<Self> {
        match name.to_ascii_lowercase().as_str() {
            "anthropic" => Ok(Self::Anthropic),
            "openai" => Ok(Self::OpenAi),
            _ => Err(Error::invalid("the provider in the environment is not known")
                .with_hint("set it to anthropic, or to openai for everything that speaks OpenAI's format")),
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Anthropic => "ANTHROPIC",
            Self::OpenAi => "OPENAI",
        }
    }

    fn home(self) -> &'static str {
        match self {
            Self::Anthropic => Endpoint::ANTHROPIC,
            Self::OpenAi => Endpoint::OPENAI,
        }
    }
}

fn nothing_set() -> Error {
    Error::invalid("the environment describes no language model").with_hint(
        "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or MEMCORE_CHAT_BASE_URL to a local server, and MEMCORE_CHAT_MODEL",
    )
}
