//! Tables of examples, English and Chinese, and properties over arbitrary text.

mod measures;
mod pieces;
mod properties;
mod queries;
mod terms;
