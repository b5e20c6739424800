//! Language models for memcore: chat clients, the extractor, the summarizer and the reviewer that use them, and an
//! embedder behind an endpoint.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use memcore_core::Extractor;
//! use memcore_llm::{Endpoint, LlmExtractor, OpenAiModel};
//!
//! # fn example() -> memcore_core::Result<()> {
//! let model = Arc::new(OpenAiModel::new(Endpoint::new("http://127.0.0.1:11434/v1"), "qwen3:8b")?);
//! let extractor = LlmExtractor::new(model);
//! assert_eq!(extractor.model(), Some("qwen3:8b"));
//! # Ok(())
//! # }
//! ```
//!
//! | what | which |
//! | --- | --- |
//! | chat models | [`AnthropicModel`], [`OpenAiModel`] and everything compatible, [`FnChatModel`] for a client of yours |
//! | finding memories | [`LlmExtractor`] |
//! | the rolling summary of a conversation | [`LlmSummarizer`] |
//! | memories against recent conversations | [`LlmReviewer`] |
//! | vectors from an endpoint | [`RemoteEmbedder`] |

mod ask;
mod client;
mod embed;
mod error;
mod extract;
mod parts;
mod prompt;
mod reply;
mod review;
mod summarize;
#[cfg(test)]
mod testing;

pub use client::{
    AnthropicModel, ApiKey, Endpoint, FnChatModel, ModelPurpose, OpenAiModel, SchemaMode, Timeouts, model_from,
    model_from_environment,
};
pub use embed::{RemoteEmbedder, RemoteEmbedderBuilder, embedder_from, embedder_from_environment};
pub use extract::{LlmExtractor, Ungrounded};
pub use prompt::Prompts;
pub use review::LlmReviewer;
pub use summarize::LlmSummarizer;
