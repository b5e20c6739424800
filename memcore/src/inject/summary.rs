//! The summary of a conversation as a fenced block.

use memcore_core::Language;

use super::{escape::escape, template::Template};
use crate::policy::echo::{FENCE_CLOSE, FENCE_OPEN};

/// A summary behind the fence that memories stand in, so that it is recognised when it comes back, and closes nothing.
pub(crate) fn summary_block(summary: &str, language: Language) -> String {
    let mut block =
        format!("{FENCE_OPEN} source=\"memcore\" part=\"summary\">\n{}\n", Template::of(language).summary_intro);
    for line in summary.lines().map(escape).filter(|line| !line.is_empty()) {
        block.push_str(&line);
        block.push('\n');
    }
    block.push_str(FENCE_CLOSE);
    block.push('>');
    block
}
