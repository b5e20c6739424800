//! Vocabulary, traits and reference backends of memcore, the long-term memory for AI agents.

pub mod text;
