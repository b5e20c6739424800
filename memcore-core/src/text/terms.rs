//! Terms of texts and of queries.

/// One term of a text, as the text index stores it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// The term: lower case, without white space, 1 to 64 characters.
    pub text: String,
    /// What sort of term it is.
    pub kind: TermKind,
    /// Byte offset of the first byte of its source in the original text.
    pub start: usize,
    /// Byte offset after the last byte of its source in the original text.
    pub end: usize,
}

/// What sort of term a [`Term`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TermKind {
    /// A word of a script that separates words, or an emoji.
    Word,
    /// One character of a script without spaces.
    Unigram,
    /// Two adjacent characters of a script without spaces.
    Bigram,
    /// A compound kept whole.
    Identifier,
    /// A number.
    Number,
}

/// One term of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    /// The term, in the form of [`Term::text`].
    pub text: String,
    /// What sort of term it is.
    pub kind: TermKind,
    /// How much a match of this term says, over 0 and at most 1.
    pub weight: f32,
    /// Whether a match of this term decides.
    pub decisive: bool,
}

/// The terms of `text` for the index.
pub fn index_terms(text: &str) -> Vec<Term> {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace)
        .filter_map(|word| {
            let (start, end) = (at, at + word.trim_end().len());
            at += word.len();
            (start < end).then(|| Term { text: word.trim_end().to_lowercase(), kind: TermKind::Word, start, end })
        })
        .collect()
}

/// The terms of `text` as a query.
pub fn query_terms(text: &str) -> Vec<QueryTerm> {
    index_terms(text)
        .into_iter()
        .map(|term| QueryTerm { text: term.text, kind: term.kind, weight: 1.0, decisive: false })
        .collect()
}

/// The index terms of `text`, joined by one space.
pub fn joined_index_text(text: &str) -> String {
    index_terms(text).into_iter().map(|term| term.text).collect::<Vec<_>>().join(" ")
}
