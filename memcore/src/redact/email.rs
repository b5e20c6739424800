//! E-mail addresses.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::pattern::compiled;
use super::span::Span;

static ADDRESS: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9](?:[A-Za-z0-9-]*\.)+[A-Za-z]{2,24}"));

/// Finds addresses.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    if text.contains('@') {
        spans.extend(ADDRESS.find_iter(text).map(|found| Span::new(class::EMAIL, found.start(), found.end())));
    }
}
