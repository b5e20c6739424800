//! Instructions for models: which text in which language, and how data is put beside them.

pub(crate) mod data;
mod template;

#[cfg(test)]
mod tests;

pub use template::Prompts;
