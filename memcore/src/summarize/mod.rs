//! Summarizers that need no model.

mod extractive;

pub use extractive::ExtractiveSummarizer;
