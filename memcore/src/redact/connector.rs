//! What stands between a cue and its value: `=`, a colon, "is", "to", 是, 改成, or nothing.

use std::sync::LazyLock;

use regex::Regex;

use super::cue::Cue;
use super::pattern::{after, before, compiled};

/// How a cue is tied to what follows, from the strictest to the loosest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// `=`, `:`, `=>`: names and values, in code and in notes.
    Assigned,
    /// "is", "to", 是, 改成: a sentence.
    Stated,
    /// Only a space, or nothing: a list, a command line.
    Adjacent,
}

/// Longest connector that is read, in bytes.
const MAX_CONNECTOR: usize = 128;

// After the cue: closing quotes or brackets of a key, a digit or stage of a variable's name, a remark in brackets,
// and "for the …" in the middle.
static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r#"^(?i-u:_?[0-9]{1,3}\b|[_-](?:base|prod|dev|test|live|staging|value|str|hash)\b)?["'`\])]{0,3}"#,
        r"(?:[ \t]*[(（][^()（）\n]{1,40}[)）])?(?i-u:[ \t]+(?:for|of|to|on|at)(?:[ \t]+[\w'@./-]+){1,5}?)?",
        r"[ \t]*(?::=|=>|={1,3}|:{1,2})[ \t]*",
    ))
});

// The type of a declaration stands between the name and a quoted value: `password: &str = "…"`.
static TYPE: LazyLock<Regex> = LazyLock::new(|| compiled(r#"^[&'A-Za-z0-9_<>\[\]]{1,24}[ \t]*=[ \t]*["']"#));

static STATED: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r#"^["'`]?(?:[ \t]*[(（][^()（）\n]{1,40}[)）])?(?i-u:(?:[ \t]+(?:for|of|to|on|at|in|into)(?:[ \t]+[\w'@./-]+){1,5}?)?"#,
        r"(?:'s|[ \t]+(?:is|was|will[ \t]+be|should[ \t]+be|became|remains|reads|equals))",
        r"(?:[ \t]+(?:now|still|currently|just|simply|actually|always|literally|set[ \t]+to|changed[ \t]+to|called))*[ \t]*[:=]?[ \t]+)",
        r"|^[ \t]*(?:(?:我|我们|咱|他|她|它|现在|目前|已经|已|又|就|暂时|统一|都|一直|后来|最近|刚刚|刚|默认|初始|临时|也|还|",
        r"被|给|的话|应该|可能|好像|仍然|仍|这边|大概|不变|現在|已經|一律|通通|全部)[ \t]?){0,5}",
        r"(?:是|为|為|叫|改成|改为|改為|换成|換成|设成|设为|設為|設成|设置为|设置成|设置的是|设的是|用的是|用的|更新为|更新成|",
        r"重置为|重置成|重设为|定为|定成|变成|变为|變成|写的是|填的是|填|用|写成|调成|输入|输)(?:了|的是)?",
        r"(?:(?:原来|以前|之前|老|旧)?(?:的那个|那个|那串|的))?[ \t]*[:=]?[ \t]*",
    ))
});

// "changed my password to …": the verb stands before the cue.
static CHANGED_TO: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"^(?i-u:(?:[ \t]+(?:for|of|on|at)(?:[ \t]+[\w'@./-]+){1,5}?)?[ \t]+(?:back[ \t]+)?(?:to|as|with|into)[ \t]+(?:be[ \t]+)?)",
    )
});
static CHANGE_VERB: LazyLock<Regex> = LazyLock::new(|| {
    compiled(r"(?i-u:\b(?:chang|set|updat|reset|switch|mak|rotat|renam)[a-z]*[ \t]+(?:[\w'-]+[ \t]+){0,5})$")
});

/// The ways in which `cue` may be tied to a value, each with the offset at which the value would start.
pub(super) fn ties(text: &str, cue: &Cue<'_>) -> impl Iterator<Item = (Tie, usize)> {
    let tail = after(text, cue.end, MAX_CONNECTOR);
    let (start, end) = (cue.end - cue.name.len(), cue.end);
    let at = move |pattern: &Regex| pattern.find(tail).map(|found| end + found.end());
    // One at a time, as most cues are done with the first or have none.
    (0..4).filter_map(move |attempt| match attempt {
        0 => at(&ASSIGNED).map(|value| (Tie::Assigned, value + type_len(text, value))),
        1 => at(&STATED).map(|value| (Tie::Stated, value)),
        2 => {
            at(&CHANGED_TO).filter(|_| CHANGE_VERB.is_match(before(text, start, 64))).map(|value| (Tie::Stated, value))
        }
        _ => Some((Tie::Adjacent, end + tail.len() - tail.trim_start_matches([' ', '\t']).len())),
    })
}

/// Length of a declaration's type and equals sign before the quoted value; 0 when there is none.
fn type_len(text: &str, at: usize) -> usize {
    // The quote belongs to the value.
    TYPE.find(after(text, at, 64)).map_or(0, |found| found.len() - 1)
}
