//! Runs of digits with single separators between groups: `6222 0212 …`, `138-0013-8000`, `110105 19491231 002X`.

use super::pattern::starts_word;

/// Digits without a separator inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The separator before the group; `None` for the first one of a run.
    pub(super) separator: Option<u8>,
    /// Whether letters touch the group, which makes it part of a word and no number.
    pub(super) in_word: bool,
    /// Whether an `X` (the check character of a resident id) follows the digits and ends the word.
    pub(super) check_x: bool,
}

impl Group {
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }
}

/// Calls `visit` with the groups of each run of `text`, in order.
pub(super) fn for_each_run(text: &str, mut visit: impl FnMut(&[Group])) {
    let bytes = text.as_bytes();
    let mut groups: Vec<Group> = Vec::new();
    let mut at = 0;
    while let Some(offset) = bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)) {
        let start = at + offset;
        let end = start + bytes.iter().skip(start).take_while(|byte| byte.is_ascii_digit()).count();
        let group = group_at(text, bytes, start, end, groups.last());
        if group.separator.is_none() && !groups.is_empty() {
            visit(&groups);
            groups.clear();
        }
        groups.push(group);
        at = end;
    }
    if !groups.is_empty() {
        visit(&groups);
    }
}

fn group_at(text: &str, bytes: &[u8], start: usize, end: usize, previous: Option<&Group>) -> Group {
    let word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let check_x = matches!(bytes.get(end), Some(b'X' | b'x')) && !word(bytes.get(end + 1));
    let separator = previous
        .filter(|previous| previous.end + 1 == start)
        .and_then(|previous| bytes.get(previous.end).copied())
        .filter(|byte| matches!(byte, b' ' | b'-' | b'.'));
    let in_word = !starts_word(text, start) || (word(bytes.get(end)) && !check_x);
    Group { start, end, separator, in_word, check_x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&[&str]]) {
        let mut runs: Vec<Vec<&str>> = Vec::new();
        for_each_run(text, |groups| {
            runs.push(groups.iter().map(|group| &text[group.start..group.end]).collect());
        });
        assert_eq!(runs, expected);
    }

    #[test]
    fn single_separators_join_groups_and_anything_else_splits_them() {
        check("a 12 34-56.78, 9  10", &[&["12", "34", "56", "78"], &["9"], &["10"]]);
        check("no digits", &[]);
    }

    #[test]
    fn letters_make_a_group_part_of_a_word_but_a_last_x_does_not() {
        for_each_run("ab12", |groups| assert!(groups[0].in_word));
        for_each_run("12ab", |groups| assert!(groups[0].in_word));
        for_each_run("12X,", |groups| assert!(!groups[0].in_word && groups[0].check_x));
        for_each_run("是12号", |groups| assert!(!groups[0].in_word));
    }
}
