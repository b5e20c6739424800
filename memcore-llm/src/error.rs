//! What goes wrong between memcore and an endpoint, and the one mapping to the core error.
//!
//! No variant's text holds a key, a prompt or a reply: endpoints like to quote all three.

use std::time::Duration;

use memcore_core::{Error, ErrorKind};

use crate::client::ApiKey;

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LlmError {
    #[error("{message}")]
    Setting { message: String, hint: &'static str },
    #[error("the endpoint {origin} cannot be reached")]
    Unreachable { origin: String, source: reqwest::Error },
    #[error("the endpoint gave no connection within {}", seconds(.0))]
    ConnectTimeout(Duration),
    #[error("the endpoint did not finish its answer within {}", seconds(.0))]
    CallTimeout(Duration),
    #[error("the endpoint fell silent for {} in the middle of its answer", seconds(.0))]
    IdleTimeout(Duration),
    #[error("the connection broke off before the answer was complete")]
    BrokenOff(#[source] reqwest::Error),
    #[error("the answer ended before it was complete")]
    CutShort,
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
    #[error("the endpoint redirects elsewhere, which is not followed")]
    Redirect,
    #[error("{}", .0.message())]
    Refused(Refusal),
    #[error("the endpoint answered with {what}")]
    Unexpected { what: &'static str, raw: String },
    #[error("the model declined to answer")]
    Declined,
    #[error("the model answered without text")]
    NoText { raw: String },
}

/// An error that the endpoint itself has stated: by its status, or inside an answer or a stream of status 200.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    pub(crate) status: Option<u16>,
    /// The endpoint's identifier of the error, as in `rate_limit_error`; never its free text.
    pub(crate) code: Option<String>,
    /// Its fields and text in lower case, to look for words in.
    pub(crate) detail: String,
    pub(crate) class: RefusalClass,
    pub(crate) retry_after: Option<Duration>,
    /// What it said, without the key. It may quote the conversation.
    pub(crate) body: String,
}

/// What the caller can do about a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalClass {
    /// Wait: too many requests, overload, a defect over there.
    Later,
    /// Pay, or wait for the next period.
    Quota,
    /// Give another key.
    Key,
    /// Change the base URL or the model's name.
    NotThere,
    /// Send less.
    TooMuch,
    /// Send something else.
    Request,
}

impl Refusal {
    fn message(&self) -> String {
        let code = self.code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
        match self.status {
            Some(status) => format!("the endpoint refused the request with status {status}{code}"),
            None => format!("the endpoint answered with an error{code}"),
        }
    }

    fn kind(&self) -> ErrorKind {
        match self.class {
            RefusalClass::Later | RefusalClass::Quota => ErrorKind::Unavailable,
            RefusalClass::Key => ErrorKind::Unauthorized,
            RefusalClass::NotThere | RefusalClass::TooMuch | RefusalClass::Request => ErrorKind::InvalidInput,
        }
    }

    fn hint(&self) -> &'static str {
        match self.class {
            RefusalClass::Later => "the same request may succeed later",
            RefusalClass::Quota => "the account's credit or quota is used up: top it up, or wait for the next period",
            RefusalClass::Key => "check that the key is valid, belongs to this endpoint and may use this model",
            RefusalClass::NotThere => {
                "check the model's name, and that the base URL ends where the API's paths begin (often with /v1)"
            }
            RefusalClass::TooMuch => "send fewer or shorter messages, or fewer tokens of reply",
            RefusalClass::Request => "the raw reply of this error says what the endpoint does not accept",
        }
    }
}

impl LlmError {
    /// An error of the settings, found before anything was sent.
    pub(crate) fn setting(message: impl Into<String>, hint: &'static str) -> Self {
        Self::Setting { message: message.into(), hint }
    }

    /// Whether the endpoint takes everything but what it was sent.
    pub(crate) fn is_about_the_content(&self) -> bool {
        let is_about = |class| matches!(class, RefusalClass::Request | RefusalClass::TooMuch);
        matches!(self, Self::Refused(refusal) if is_about(refusal.class))
    }

    /// Takes the key out of what the endpoint said: some quote it.
    pub(crate) fn without(mut self, key: Option<&ApiKey>) -> Self {
        if let (
            Some(key),
            Self::Refused(Refusal { body: said, .. }) | Self::Unexpected { raw: said, .. } | Self::NoText { raw: said },
        ) = (key, &mut self)
        {
            *said = said.replace(key.expose(), "(key)");
        }
        self
    }

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Setting { .. } | Self::Redirect | Self::Declined | Self::NoText { .. } => ErrorKind::InvalidInput,
            Self::Refused(refusal) => refusal.kind(),
            Self::Unreachable { .. }
            | Self::ConnectTimeout(_)
            | Self::CallTimeout(_)
            | Self::IdleTimeout(_)
            | Self::BrokenOff(_)
            | Self::CutShort
            | Self::TooLarge(_)
            | Self::Unexpected { .. } => ErrorKind::Unavailable,
        }
    }

    fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Setting { hint, .. } => hint,
            Self::Unreachable { .. } | Self::ConnectTimeout(_) => {
                "check the base URL, that the server runs, and the network; a proxy may be set in the environment"
            }
            Self::CallTimeout(_) | Self::IdleTimeout(_) => "try later, or set longer Timeouts",
            Self::BrokenOff(_) | Self::CutShort => "the same request may succeed later",
            Self::TooLarge(_) => "ask for fewer tokens, or raise the endpoint's max_reply_bytes",
            Self::Redirect => "set the base URL to where it redirects, if you trust it: the key is not sent on",
            Self::Refused(refusal) => refusal.hint(),
            Self::Unexpected { .. } => {
                "check that the base URL ends where the API's paths begin (often with /v1) and that no login page is \
                 between"
            }
            Self::Declined => "the model will not answer this request: leave it out, or ask another model",
            Self::NoText { .. } => "the model may not follow this schema, or needs more tokens to think",
        })
    }
}

impl From<LlmError> for Error {
    fn from(error: LlmError) -> Self {
        let mut mapped = Self::new(error.kind(), error.to_string());
        if let Some(hint) = error.hint() {
            mapped = mapped.with_hint(hint);
        }
        match error {
            LlmError::Unreachable { source, .. } | LlmError::BrokenOff(source) => mapped.with_source(source),
            LlmError::Unexpected { raw, .. } | LlmError::NoText { raw } => mapped.with_raw_reply(raw),
            LlmError::Refused(refusal) => {
                if let Some(wait) = refusal.retry_after {
                    mapped = mapped.with_retry_after(wait);
                }
                // The reply to a wrong key often quotes the key.
                if refusal.class == RefusalClass::Key { mapped } else { mapped.with_raw_reply(refusal.body) }
            }
            _ => mapped,
        }
    }
}

fn seconds(limit: &Duration) -> String {
    format!("{} s", limit.as_secs_f32())
}
