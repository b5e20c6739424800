//! Sentences of the user's own prose, and their clauses.

use memcore_core::text::{Span, clauses, sentences};

use super::grammar::{Grammar, is_end_mark};

/// A sentence of a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sentence {
    /// Where it stands in the message.
    pub(super) span: Span,
    /// Whether it ends with a question mark.
    pub(super) is_question: bool,
}

/// The sentences of a region of `text`. Parts joined by semicolons, and those within one quotation, are one sentence;
/// a bare `No.` belongs to what follows.
pub(super) fn sentences_of(text: &str, region: Span, inline: &[Span]) -> Vec<Sentence> {
    let mut found: Vec<Sentence> = Vec::new();
    for span in sentences(region.of(text)) {
        let span = Span::new(region.start + span.start, region.start + span.end);
        let is_question = span.of(text).trim_end_matches(is_closing).ends_with(['?', '？']);
        let joins = found.last().is_some_and(|before| {
            let words = before.span.of(text);
            let is_near = !text.get(before.span.end..span.start).unwrap_or_default().contains('\n');
            is_near && (words.ends_with([';', '；']) || is_denial(words)) || quoted_across(inline, before.span.end)
        });
        match found.last_mut().filter(|_| joins) {
            Some(before) => *before = Sentence { span: Span::new(before.span.start, span.end), is_question },
            None => found.push(Sentence { span, is_question }),
        }
    }
    found
}

/// The clauses of the part of `text` in `span`: of [`clauses`], but with the items of a list in one, and cut where the
/// language begins a statement without a comma.
pub(super) fn clauses_of(text: &str, span: Span, grammar: &Grammar) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for clause in clauses(span.of(text)) {
        let clause = Span::new(span.start + clause.start, span.start + clause.end);
        let between = found.last().and_then(|before| text.get(before.end..clause.start)).unwrap_or_default();
        match found.last_mut().filter(|_| between.contains('、')) {
            Some(before) => before.end = clause.end,
            None => found.push(clause),
        }
    }
    found.into_iter().flat_map(|clause| cut(text, clause, grammar)).collect()
}

/// A clause, cut in two where another statement begins within it.
fn cut(text: &str, clause: Span, grammar: &Grammar) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = clause.start;
    let words = clause.of(text);
    for joint in grammar.split.captures_iter(words) {
        let cut = ["cut", "cut2", "cut3", "cut4"].iter().find_map(|name| joint.name(name));
        let Some(cut) = cut else { continue };
        let (end, next) = (clause.start + cut.start(), clause.start + cut.end());
        // `I live and work in …` is one statement.
        let is_statement = end > start && Span::new(start, end).of(text).split_whitespace().count() >= 3;
        if is_statement || (end > start && !text.is_ascii()) {
            parts.push(Span::new(start, end));
            start = next;
        }
    }
    parts.push(Span::new(start, clause.end));
    parts
}

/// Whether the words only deny what was said.
fn is_denial(words: &str) -> bool {
    let words = words.trim_end_matches(is_end_mark).to_lowercase();
    [
        "no",
        "nope",
        "wrong",
        "that's wrong",
        "not quite",
        "不对",
        "不是",
        "错了",
        "不是的",
        "说错了",
        "我说错了",
        "correction",
    ]
    .contains(&words.as_str())
}

fn quoted_across(inline: &[Span], at: usize) -> bool {
    inline.iter().any(|quote| quote.start < at && at < quote.end)
}

fn is_closing(ch: char) -> bool {
    ch.is_whitespace() || matches!(ch, '"' | '\'' | '”' | '’' | '」' | ')' | '）' | '~' | '～' | '!' | '！')
}
