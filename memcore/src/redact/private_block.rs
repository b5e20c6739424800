//! `<private>…</private>`: what the user wants neither stored nor sent.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::pattern::compiled;
use super::span::Span;

static TAG: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i-u:<[ \t]*(/?)[ \t]*private[ \t]*>)"));

/// Spans from an opening tag to its closing one, tags included; nested pairs belong to the outer span.
///
/// An opening tag that is never closed hides everything after it: a lost tag must not lay the secret open.
/// A tag in backticks is text about the tag, not a tag.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut opened: Option<usize> = None;
    let mut depth = 0_usize;
    for captures in TAG.captures_iter(text) {
        let (Some(tag), Some(slash)) = (captures.get(0), captures.get(1)) else { continue };
        if is_quoted(text, tag.start(), tag.end()) {
            continue;
        }
        if slash.is_empty() {
            opened.get_or_insert(tag.start());
            depth += 1;
        } else if let Some(start) = opened {
            depth -= 1;
            if depth == 0 {
                spans.push(Span::new(class::PRIVATE, start, tag.end()));
                opened = None;
            }
        }
    }
    if let Some(start) = opened {
        spans.push(Span::new(class::PRIVATE, start, text.len()));
    }
}

fn is_quoted(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let before = start.checked_sub(1).and_then(|at| bytes.get(at));
    before == Some(&b'`') && bytes.get(end) == Some(&b'`')
}
