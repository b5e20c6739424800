//! Private keys in armour: PEM, OpenSSH and PGP blocks, also on one line with `\n` escapes as in JSON.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::pattern::{after, compiled};
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
    const MAX_HEADER: usize = 128;
    let mut end = from;
    loop {
        let tail = text.get(end..).unwrap_or_default();
        let line_break = tail.len() - tail.trim_start_matches(['\r', '\n']).len();
        let line = tail.get(line_break..).unwrap_or_default();
        let header = after(text, end + line_break, MAX_HEADER);
        let len = if header.starts_with("Proc-Type:") || header.starts_with("DEK-Info:") {
            header.find('\n').unwrap_or(header.len())
        } else {
            // Also the `\n` of a JSON string. A line that goes on with anything else is prose after the key.
            let is_body = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\\');
            let run = line.bytes().take_while(|&byte| is_body(byte)).count();
            if line.as_bytes().get(run) == Some(&b' ') { 0 } else { run }
        };
        if len == 0 {
            return end;
        }
        end += line_break + len;
    }
}
