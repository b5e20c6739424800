//! The default injector: memories as a fenced, escaped, budgeted block of text.

mod escape;
mod fenced;
mod template;

pub use fenced::FencedInjector;
