//! Private keys in armour: PEM, OpenSSH and PGP blocks, also on one line with `\n` escapes as in JSON.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::pattern::compiled;
use super::span::Span;

static OPENING: LazyLock<Regex> = LazyLock::new(|| compiled(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"));
static CLOSING: LazyLock<Regex> = LazyLock::new(|| compiled(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"));

/// Spans from the opening line to the closing one. A block that was cut off reaches as far as its body does.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    if !text.contains("PRIVATE KEY") {
        return;
    }
    let mut closings = CLOSING.find_iter(text).peekable();
    let mut done = 0;
    for opening in OPENING.find_iter(text) {
        if opening.start() < done {
            continue;
        }
        while closings.peek().is_some_and(|closing| closing.start() < opening.end()) {
            closings.next();
        }
        done = closings.peek().map_or_else(|| body_end(text, opening.end()), regex::Match::end);
        spans.push(Span::new(class::PRIVATE_KEY, opening.start(), done));
    }
}

/// End of the base64 lines and headers that start at `from`, for a block without a closing line.
fn body_end(text: &str, from: usize) -> usize {
    let Some(tail) = text.get(from..) else { return from };
    let is_body = |line: &str| {
        let line = line.trim();
        !line.contains(' ') || line.starts_with("Proc-Type:") || line.starts_with("DEK-Info:")
    };
    let len: usize = tail.split_inclusive('\n').take_while(|line| is_body(line)).map(str::len).sum();
    from + tail.get(..len).map_or(0, |body| body.trim_end().len())
}
