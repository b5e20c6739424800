//! How the program ends: its exit codes, and what a failure says.

use std::{error::Error as _, io};

use memcore::{Error, ErrorKind};
use serde_json::{Map, Value, json};

/// The exit codes, as scripts know them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done. Finding nothing, abstaining and rejecting a memory are answers.
    Done = 0,
    /// Failed.
    Failed = 1,
    /// Called in the wrong way, or with input that no rule admits.
    Usage = 2,
    /// Some of it was done.
    Partly = 3,
    /// The configuration, or credentials.
    Configuration = 4,
    /// A service, or a model, is out of reach.
    Unreachable = 5,
    /// No such id.
    NoSuchId = 6,
    /// Interrupted from the keyboard.
    Interrupted = 130,
}

/// Why a command did not do what it was asked to.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// A word for programs, in snake case.
    pub(crate) kind: &'static str,
    /// What failed. May repeat an argument, so only what memcore says of itself reaches the log.
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// Fields of the JSON document beside `error`.
    pub(crate) details: Map<String, Value>,
    /// Nobody reads the output any more: not worth a word.
    pub(crate) is_broken_pipe: bool,
    /// Whether the message may be written to the log.
    pub(crate) is_loggable: bool,
}

impl Failure {
    pub(crate) fn new(exit: Exit, kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            exit,
            kind,
            message: message.into(),
            hint: None,
            details: Map::new(),
            is_broken_pipe: false,
            is_loggable: false,
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", message)
    }

    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        Self::new(Exit::Configuration, "configuration", message)
    }

    /// Asked for by a setting, and not in this build or version.
    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Exit::Configuration, ErrorKind::Unsupported.as_str(), message)
    }

    pub(crate) fn io(message: impl Into<String>, error: io::Error) -> Self {
        let mut failure = Self::new(Exit::Failed, ErrorKind::Io.as_str(), format!("{}: {error}", message.into()));
        failure.is_broken_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        failure
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn with_detail(mut self, name: &str, value: Value) -> Self {
        self.details.insert(name.to_owned(), value);
        self
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut document = self.details.clone();
        document.insert(
            "error".into(),
            json!({ "kind": self.kind, "message": self.message, "hint": self.hint.as_deref().unwrap_or_default() }),
        );
        Value::Object(document)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let exit = match error.kind() {
            ErrorKind::InvalidInput => Exit::Usage,
            ErrorKind::NotFound => Exit::NoSuchId,
            ErrorKind::Unsupported
            | ErrorKind::EmbedderMismatch
            | ErrorKind::ModelUnavailable
            | ErrorKind::Unauthorized => Exit::Configuration,
            ErrorKind::Unavailable => Exit::Unreachable,
            _ => Exit::Failed,
        };
        let mut failure = Self::new(exit, error.kind().as_str(), error.to_string());
        failure.hint = error.hint().map(str::to_owned);
        failure.is_loggable = true;
        let mut cause = error.source();
        while let Some(source) = cause {
            if source.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe) {
                failure.is_broken_pipe = true;
            }
            cause = source.source();
        }
        failure
    }
}
