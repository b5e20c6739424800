//! Text processing that every backend and policy shares: normal form, index and query terms, language,
//! sentences, clauses, quotations, lengths, cuts and similarity.
//!
//! Everything here is a pure function of its arguments: no input panics, and time grows linearly with the text.
//! Nothing here knows a memory, a store or a prompt.

mod clauses;
mod compound;
mod folding;
mod glyphs;
mod language;
mod length;
mod normalize;
mod numerals;
mod query;
mod quotes;
mod scan;
mod script;
mod sentences;
mod similarity;
mod span;
mod stop_words;
mod terms;
mod tokens;
mod truncate;

#[cfg(test)]
mod tests;

pub use clauses::clauses;
pub use language::{Language, language};
pub use length::{has_decisive, input_length};
pub use normalize::normalize;
pub use query::{QueryTerm, query_terms};
pub use quotes::quoted_spans;
pub use sentences::sentences;
pub use similarity::{differs_only_in_numbers, ngram_overlap, term_overlap};
pub use span::Span;
pub use terms::{Term, TermKind, index_terms, joined_index_text};
pub use tokens::estimate_tokens;
pub use truncate::truncate_at_sentence;
