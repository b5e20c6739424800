//! The default injector: memories as a fenced, escaped, budgeted block of text.

mod escape;
mod fenced;
mod summary;
mod template;

pub use fenced::FencedInjector;
pub(crate) use summary::summary_block;
