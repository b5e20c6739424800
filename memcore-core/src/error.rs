//! The one error type of memcore: opaque, with a kind that says what the caller can do.

use std::{fmt, time::Duration};

/// Shorthand for a result with memcore's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, by what the caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input breaks a documented rule; correct it and call again.
    InvalidInput,
    /// No such id in this scope (or it belongs to somebody else: the two look the same).
    NotFound,
    /// Another writer was faster; read again and retry.
    Conflict,
    /// The backend does not do this; its capabilities say so.
    Unsupported,
    /// A part that should answer does not (endpoint, worker, model); retry later.
    Unavailable,
    /// An endpoint refuses the key; give it a valid one.
    Unauthorized,
    /// The day's budget for language models is used up; raise it, or wait for tomorrow.
    OverBudget,
    /// The file is locked by others for longer than the limit, or a queue is full; retry.
    Busy,
    /// The disk or the configured limit is full; what was stored before is intact.
    StorageFull,
    /// The file or its folder cannot be written.
    ReadOnly,
    /// The file is not a database of memcore's.
    NotADatabase,
    /// The file was written by a newer version; upgrade memcore.
    SchemaTooNew,
    /// The stored data contradicts itself; `verify` and `recover` are the next steps.
    Corrupt,
    /// The file's vectors were made by another embedding model; `reindex`.
    EmbedderMismatch,
    /// The model's files are missing or unreadable.
    ModelUnavailable,
    /// The extractor could not answer; the turn stays queued. Never the same as "nothing to remember".
    ExtractFailed,
    /// No vector can be made of this text.
    NotEmbeddable,
    /// The operating system refused (permissions, I/O error).
    Io,
    /// A defect of memcore.
    Internal,
}

impl ErrorKind {
    /// Whether the same call may succeed later without any change.
    #[must_use]
    pub fn is_retryable(self) -> bool {
        matches!(self, Self::Conflict | Self::Unavailable | Self::Busy)
    }

    /// The kind's name in snake case, as surfaces print it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid_input",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::Unsupported => "unsupported",
            Self::Unavailable => "unavailable",
            Self::Unauthorized => "unauthorized",
            Self::OverBudget => "over_budget",
            Self::Busy => "busy",
            Self::StorageFull => "storage_full",
            Self::ReadOnly => "read_only",
            Self::NotADatabase => "not_a_database",
            Self::SchemaTooNew => "schema_too_new",
            Self::Corrupt => "corrupt",
            Self::EmbedderMismatch => "embedder_mismatch",
            Self::ModelUnavailable => "model_unavailable",
            Self::ExtractFailed => "extract_failed",
            Self::NotEmbeddable => "not_embeddable",
            Self::Io => "io",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error: its [`kind`](Error::kind), what failed, what to do (`hint`), and the cause as `source()`.
///
/// The message never holds a memory's content, a key, or text of another scope.
pub struct Error {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    raw_reply: Option<String>,
    retry_after: Option<Duration>,
    source: Option<Box<dyn std::error::Error + Send + Sync + 'static>>,
}

impl Error {
    /// An error of `kind`; `message` says what failed, in lower case, without a full stop.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, raw_reply: None, retry_after: None, source: None }
    }

    /// Shorthand for [`ErrorKind::InvalidInput`].
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidInput, message)
    }

    /// Adds what the caller can do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Keeps what a model answered, word for word. It may hold content: neither `Display` nor `Debug` shows it.
    #[must_use]
    pub fn with_raw_reply(mut self, reply: impl Into<String>) -> Self {
        self.raw_reply = Some(reply.into());
        self
    }

    /// Says how long the endpoint asks to be left alone.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// What the caller can do.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What went wrong, without kind and hint.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// What the model answered, where its answer is what failed. May hold a conversation's content.
    #[must_use]
    pub fn raw_reply(&self) -> Option<&str> {
        self.raw_reply.as_deref()
    }

    /// How long the endpoint asks to be left alone, where it says so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.kind)?;
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        if let Some(source) = &self.source {
            write!(f, ": {source}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
