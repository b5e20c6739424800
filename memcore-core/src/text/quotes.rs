//! The quotations of a text: what it repeats rather than says.

use super::Span;

/// The spans of `text` that are quoted, without the marks themselves, in order and without overlap.
///
/// Quoted is what stands inside “…” "…" 「…」 『…』 ‘…’ or `…`, inside a code fence, and each line that begins with `>`.
/// A mark without its counterpart quotes nothing, but for a fence, which then lasts to the end, and a nested quotation
/// belongs to the one around it.
pub fn quoted_spans(text: &str) -> Vec<Span> {
    quotations(text).into_iter().map(|quotation| quotation.span).collect()
}

/// The quotations within a line of prose: neither code fences nor block quotes.
pub(super) fn inline_quotations(text: &str) -> Vec<Span> {
    quotations(text).into_iter().filter(|quotation| quotation.is_inline).map(|quotation| quotation.span).collect()
}

#[derive(Debug)]
struct Quotation {
    span: Span,
    is_inline: bool,
}

fn quotations(text: &str) -> Vec<Quotation> {
    let mut found = Vec::new();
    let mut fence: Option<(&str, usize)> = None;
    let mut open = OpenMarks::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start();
        let marker = ["```", "~~~"].into_iter().find(|marker| content.starts_with(marker));
        match (fence, marker) {
            (Some((opened_by, from)), Some(marker)) if opened_by == marker => {
                push_block(text, from, start, &mut found);
                fence = None;
            }
            (Some(_), _) => {}
            (None, Some(marker)) if !content[marker.len()..].contains(marker) => {
                open = OpenMarks::default();
                fence = Some((marker, start + line.len()));
            }
            (None, _) if content.starts_with('>') => {
                open = OpenMarks::default();
                let markers = content.len() - content.trim_start_matches(['>', ' ', '\t']).len();
                push_block(text, start + (line.len() - content.len()) + markers, start + line.len(), &mut found);
            }
            (None, _) if content.is_empty() => open = OpenMarks::default(),
            (None, _) => open.read_line(text, start, line, &mut found),
        }
        start += line.len();
    }
    if let Some((_, from)) = fence {
        push_block(text, from, text.len(), &mut found);
    }
    found.sort_by_key(|quotation| (quotation.span.start, std::cmp::Reverse(quotation.span.end)));
    let mut last_end = 0;
    found.retain(|quotation| {
        let is_outermost = quotation.span.start >= last_end;
        if is_outermost {
            last_end = quotation.span.end;
        }
        is_outermost
    });
    found
}

fn push_block(text: &str, start: usize, end: usize, found: &mut Vec<Quotation>) {
    found.extend(Span::new(start, end).trimmed(text).map(|span| Quotation { span, is_inline: false }));
}

/// Where a quotation of each kind has begun; the first opening mark counts.
#[derive(Debug, Default)]
struct OpenMarks {
    curly: Option<usize>,
    single: Option<usize>,
    corner: Option<usize>,
    white_corner: Option<usize>,
    straight: Option<usize>,
    backtick: Option<usize>,
}

impl OpenMarks {
    /// Reads one line that starts at byte `offset`. Typographic marks may close in a later line of the paragraph,
    /// straight ones and backticks only in the same line.
    fn read_line(&mut self, text: &str, offset: usize, line: &str, found: &mut Vec<Quotation>) {
        self.straight = None;
        self.backtick = None;
        let mut before = None;
        let mut chars = line.char_indices().peekable();
        while let Some((at, ch)) = chars.next() {
            let next = chars.peek().map(|&(_, next)| next);
            let (from, to) = (offset + at, offset + at + ch.len_utf8());
            let is_letter = |ch: Option<char>| ch.is_some_and(|ch| ch.is_ascii_alphanumeric());
            match ch {
                '“' => open(&mut self.curly, to),
                '”' => close(&mut self.curly, text, from, found),
                '「' => open(&mut self.corner, to),
                '」' => close(&mut self.corner, text, from, found),
                '『' => open(&mut self.white_corner, to),
                '』' => close(&mut self.white_corner, text, from, found),
                '‘' => open(&mut self.single, to),
                // An apostrophe looks the same.
                '’' if !(is_letter(before) && is_letter(next)) => close(&mut self.single, text, from, found),
                '`' if self.backtick.is_some() => close(&mut self.backtick, text, from, found),
                '`' => open(&mut self.backtick, to),
                '"' if self.straight.is_some() => close(&mut self.straight, text, from, found),
                // After a letter or digit it is an inch mark, or closes what never began.
                '"' if !is_letter(before) => open(&mut self.straight, to),
                _ => {}
            }
            before = Some(ch);
        }
    }
}

fn open(mark: &mut Option<usize>, at: usize) {
    mark.get_or_insert(at);
}

fn close(mark: &mut Option<usize>, text: &str, end: usize, found: &mut Vec<Quotation>) {
    if let Some(span) = mark.take().and_then(|start| Span::new(start, end).trimmed(text)) {
        found.push(Quotation { span, is_inline: true });
    }
}
