//! Which parts of a message are the user's own prose: not quotations, code, pasted transcripts, texts handed over to be
//! worked on, or memory that was injected before.

use std::sync::LazyLock;

use memcore_core::text::{Span, quoted_spans};
use regex::Regex;

use super::grammar::compiled;

/// What of a message may be read, and what of it is quoted.
#[derive(Debug)]
pub(super) struct Prose {
    /// Regions in the user's own words, in order.
    pub(super) own: Vec<Span>,
    /// Quotations within a line of those regions: parts of a statement, never the beginning of one.
    pub(super) inline: Vec<Span>,
    /// Everything else that is not blank.
    pub(super) foreign: Vec<Span>,
}

/// Separates the user's words from those of others.
pub(super) fn own_words(text: &str) -> Prose {
    let mut foreign: Vec<Span> =
        MEMORY_BLOCK.find_iter(text).map(|found| Span::new(found.start(), found.end())).collect();
    let mut inline = Vec::new();
    for quote in quoted_spans(text) {
        if is_block(text, quote) { foreign.push(lines_around(text, quote)) } else { inline.push(quote) }
    }
    foreign.extend(foreign_lines(text, &foreign));
    foreign.sort();
    let mut own = Vec::new();
    let mut merged: Vec<Span> = Vec::new();
    let mut at = 0;
    for span in foreign {
        if at < span.start {
            own.push(Span::new(at, span.start));
        }
        at = at.max(span.end);
        merged.push(span);
    }
    own.push(Span::new(at, text.len()));
    own.retain(|span| !span.of(text).trim().is_empty());
    Prose { own, inline, foreign: merged }
}

/// A block that injection wrote into an earlier prompt.
static MEMORY_BLOCK: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?is)<memor(?:y|ies)\b[^<>]*>.*?(?:</memor(?:y|ies)\s*>)"));

/// A request to work on a text that follows behind a colon: the text is not what the user says.
static HANDED_OVER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?i)(?:\b(?:translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|polish|shorten|edit|correct|fix the grammar|grammar[- ]check|improve|reply to|respond to|explain|analy[sz]e|classify|extract|read)\b[^:\n]{0,60}",
        r"|(?:翻译|总结|概括|润色|改写|校对|修改|续写|扩写|缩写|分析|解释|检查|回复|读一下|看一下|看看)[^：:\n。！？]{0,30}",
        r"|\b(?:here(?: is|'s|’s) (?:the|an?|my|what)|the following|the (?:mail|email|text|message|article|log|error|output) (?:says|reads|is))[^:\n]{0,60}",
        r"|(?:原文|内容|邮件|文章|日志|报错|输出|台词|歌词)(?:如下|是这样的?|是|说|写道?)[^：:\n。]{0,10})[:：]\s*$",
    ))
});

/// A line that begins with a speaker, as in a pasted conversation.
static SPEAKER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)^\s*(?:user|assistant|human|ai|bot|system|tool|agent|customer|client|interviewer|q|a|用户|助手|系统|客服|客户|机器人|面试官|问|答)\s*[:：]",
    )
});

/// A line of a log, a shell or a stack trace.
static MACHINE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)^\s*(?:\$ |>>> |\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:info|warn|warning|error|debug|trace)\]?[: ]\s|at [\w.$<>]+\(|traceback \(|(?:from|subject|to|cc|发件人|收件人|主题)\s*[:：]\s*\S+.*@|\s*(?:fn|def|class|import|const|let|var|public|private|return)\b.*[{;(]\s*$)",
    )
});

/// The lines of others that no mark shows: what follows a request such as `Translate this:`, up to an empty line,
/// transcripts and logs.
fn foreign_lines(text: &str, known: &[Span]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut handed_over = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let span = Span::new(start, start + line.len());
        start = span.end;
        if known.iter().any(|known| known.start < span.end && span.start < known.end) {
            // The text that was handed over is marked as a quotation.
            handed_over = false;
            continue;
        }
        if line.trim().is_empty() {
            continue_after_blank(&mut handed_over, text, span.end);
            continue;
        }
        if handed_over || SPEAKER.is_match(line) || MACHINE.is_match(line) {
            found.push(span);
            continue;
        }
        let head_end = line.find([':', '：']).map(|at| at + line[at..].chars().next().map_or(1, char::len_utf8));
        let Some(head) = head_end.and_then(|end| line.get(..end)).filter(|head| HANDED_OVER.is_match(head)) else {
            continue;
        };
        let rest = Span::new(span.start + head.len(), span.end);
        if rest.of(text).trim().is_empty() {
            handed_over = true;
        } else {
            found.push(rest);
        }
    }
    found
}

/// An empty line ends what was handed over, unless it stands directly behind the request.
fn continue_after_blank(handed_over: &mut bool, text: &str, at: usize) {
    let before = text.get(..at).unwrap_or_default().trim_end();
    *handed_over = *handed_over && before.ends_with([':', '：']);
}

/// Whether a quotation stands on lines of its own: a code fence, a block quote, or one over several lines.
fn is_block(text: &str, quote: Span) -> bool {
    let line_start = text.get(..quote.start).unwrap_or_default().rfind('\n').map_or(0, |at| at + 1);
    let head = text.get(line_start..quote.start).unwrap_or_default().trim_start();
    head.starts_with('>') || head.is_empty() || quote.of(text).contains('\n')
}

/// A quotation with its marks: the whole lines where it fills them.
fn lines_around(text: &str, quote: Span) -> Span {
    let before = text.get(..quote.start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let head = before.get(line_start..).unwrap_or_default();
    let start = if head.chars().all(|ch| ch.is_whitespace() || ch == '>') { line_start } else { quote.start };
    Span::new(start, quote.end)
}
