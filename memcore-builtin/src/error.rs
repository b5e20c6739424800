//! What can go wrong here, and how it looks from outside.

use memcore_core::{Error, ErrorKind};

/// A failure of this crate, before it becomes a core error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BuiltinError {
    /// The embedded file was cut or written by another version of the distillation script.
    #[error("the built-in embedding table is damaged: {0}")]
    BadTable(&'static str),
    /// The piece list inside the embedded file does not parse.
    #[error("the built-in embedding table is damaged: its piece list does not parse")]
    BadLexicon(#[source] fst::Error),
    /// Nothing in the text that a vector could be made of: it is blank, or only marks and control characters.
    #[error("the text holds nothing that a vector can be made of")]
    NothingToEmbed,
}

impl From<BuiltinError> for Error {
    fn from(error: BuiltinError) -> Self {
        let kind = match error {
            BuiltinError::BadTable(_) | BuiltinError::BadLexicon(_) => ErrorKind::Corrupt,
            BuiltinError::NothingToEmbed => ErrorKind::NotEmbeddable,
        };
        Self::new(kind, error.to_string()).with_source(error)
    }
}
