//! A piece of a text, as byte offsets into it.

/// A half-open range of byte offsets into one text; both ends lie on character boundaries of that text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Byte offset of the first byte.
    pub start: usize,
    /// Byte offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Creates the span `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The piece of `text` that this span names; empty where `text` is not the text that the span was made for.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// The length in bytes.
    pub fn len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span holds no byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the byte at `offset` belongs to this span.
    pub fn contains(&self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The span without white space at its ends; `None` where nothing else is in it.
    pub(crate) fn trimmed(&self, text: &str) -> Option<Self> {
        let piece = self.of(text);
        let start = self.start + (piece.len() - piece.trim_start().len());
        let end = start + piece.trim().len();
        (start < end).then_some(Self { start, end })
    }
}
