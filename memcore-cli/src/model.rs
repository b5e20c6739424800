//! The language model that the environment describes.

use std::sync::Arc;

use memcore::{
    ErrorKind, Message,
    core::{ChatModel, ChatRequest},
    llm::{ModelPurpose, model_from_environment},
};

use crate::exit::{Exit, Failure};

/// Tokens of the reply to a question that only asks whether somebody is there.
const SIGN_OF_LIFE: u32 = 16;

/// The model that reads conversations.
pub(crate) fn from_environment() -> Result<Arc<dyn ChatModel>, Failure> {
    model_from_environment(ModelPurpose::Extract).map_err(configuration)
}

/// An error of the environment's variables as one of the configuration.
pub(crate) fn configuration(error: memcore::Error) -> Failure {
    let is_setting = error.kind() == ErrorKind::InvalidInput;
    let failure = Failure::from(error);
    if is_setting { Failure { exit: Exit::Configuration, kind: "configuration", ..failure } } else { failure }
}

/// Whether it answers; one short call.
pub(crate) async fn check(model: &dyn ChatModel) -> memcore::Result<()> {
    let request = ChatRequest::new("", vec![Message::user("Say: ready")]).with_max_tokens(SIGN_OF_LIFE);
    model.complete(&request).await.map(|_| ())
}
