//! Extractors that need no language model: by rules (the default), word for word, and none at all.
//!
//! What they propose is checked, reconciled and stored by the write pipeline; nothing here touches a store.

mod none;
mod rules;
mod verbatim;

pub use none::NoExtractor;
pub use rules::RuleExtractor;
pub use verbatim::VerbatimExtractor;
