//! Chat clients: one per wire format, on one HTTP transport.

mod anthropic;
mod api_key;
mod caller;
mod content;
mod dialect;
mod draft;
mod endpoint;
mod environment;
mod event_stream;
mod fn_model;
mod openai;
mod refusal;
mod schema_mode;
mod thinking;
mod transport;

pub use anthropic::AnthropicModel;
pub use api_key::ApiKey;
pub(crate) use caller::checked_name;
pub use endpoint::{Endpoint, Timeouts};
pub use environment::{ModelPurpose, model_from, model_from_environment};
pub use fn_model::FnChatModel;
pub use openai::OpenAiModel;
pub use schema_mode::SchemaMode;
pub(crate) use transport::{KeyHeader, Transport};
