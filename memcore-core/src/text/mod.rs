//! Text processing that every backend and policy shares: normal form, index and query terms, language,
//! sentences, clauses, quotations, lengths, cuts and similarity.
//!
//! Everything here is a pure function of its arguments: no input panics, and time grows linearly with the text.
//! Nothing here knows a memory, a store or a prompt.

mod clauses;
mod language;
mod length;
mod normalize;
mod quotes;
mod sentences;
mod similarity;
mod span;
mod terms;
mod tokens;
mod truncate;

pub use clauses::clauses;
pub use language::{Language, language};
pub use length::{has_decisive, input_length};
pub use normalize::normalize;
pub use quotes::quoted_spans;
pub use sentences::sentences;
pub use similarity::{differs_only_in_numbers, ngram_overlap, term_overlap};
pub use span::Span;
pub use terms::{QueryTerm, Term, TermKind, index_terms, joined_index_text, query_terms};
pub use tokens::estimate_tokens;
pub use truncate::truncate_at_sentence;
