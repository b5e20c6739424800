//! The trait that takes secrets out of text before anything is stored.

use std::fmt::Debug;

/// What happens to text of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RedactionAction {
    /// The secret is replaced by a mark; the sentence stays.
    Mask,
    /// The whole statement must not be kept.
    Block,
    /// It stays as it is.
    Allow,
}

/// Where something was found; never the thing itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its class, as in `api-key` or `bank-card`.
    pub class: String,
    /// Byte offset in the original text.
    pub start: usize,
    /// Byte offset behind it.
    pub end: usize,
    /// What the policy says.
    pub action: RedactionAction,
}

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redaction {
    /// The text that may be stored.
    pub text: String,
    /// What was found, in order.
    pub findings: Vec<Finding>,
}

/// Takes secrets out of text.
///
/// Contract: pure and total (any Unicode, any length, in linear time); idempotent; what is masked does not occur in the
/// result.
pub trait Redactor: Send + Sync + Debug + 'static {
    /// Redacts one text.
    fn redact(&self, text: &str) -> Redaction;
}

/// Takes nothing out: for hosts that redact themselves, and for evaluation.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoRedaction;

impl Redactor for NoRedaction {
    fn redact(&self, text: &str) -> Redaction {
        Redaction { text: text.to_owned(), findings: Vec::new() }
    }
}
