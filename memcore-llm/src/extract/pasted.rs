//! Conversations and mails that a user pastes into a message.

use memcore_core::text::Span;

/// Labels of speakers in a pasted conversation, in lower case.
const SPEAKERS: [&str; 18] = [
    "user",
    "assistant",
    "human",
    "ai",
    "bot",
    "system",
    "tool",
    "agent",
    "customer",
    "client",
    "interviewer",
    "developer",
    "用户",
    "助手",
    "系统",
    "客服",
    "客户",
    "机器人",
];
/// Labels of a mail's head, in lower case.
const HEADERS: [&str; 17] = [
    "from",
    "to",
    "cc",
    "subject",
    "date",
    "sent",
    "reply-to",
    "发件人",
    "收件人",
    "抄送",
    "主题",
    "日期",
    "时间",
    "发送时间",
    "寄件人",
    "收件者",
    "主旨",
];
/// Of these one line is enough.
const FIRST_HEADERS: [&str; 6] = ["from", "subject", "发件人", "主题", "寄件人", "主旨"];
/// What a mail program writes above a mail.
const FORWARDED: [&str; 5] = ["original message", "forwarded message", "原始邮件", "转发邮件", "转发的邮件"];
/// The longest name before a colon, in characters.
const LONGEST_NAME: usize = 24;

/// A line with its label, if it has one.
#[derive(Debug, Clone)]
struct Line {
    start: usize,
    is_blank: bool,
    label: Option<String>,
}

/// Whether words stand in what a speaker says: in the line behind the label, or in the lines below it, up to an empty
/// one.
///
/// Names are speakers where one of them speaks twice and another answers: a list of particulars (`City: Oslo`) names
/// each of them once.
pub(super) fn is_in_conversation(text: &str, span: Span) -> bool {
    let lines = lines(text);
    let labels: Vec<&str> = lines.iter().filter_map(|line| line.label.as_deref()).collect();
    let count = |label: &str| labels.iter().filter(|other| **other == label).count();
    let is_dialogue = labels.iter().any(|label| count(label) > 1) && labels.iter().any(|label| *label != labels[0]);
    let before: Vec<&Line> = lines.iter().take_while(|line| line.start < span.end).collect();
    let said = before.iter().rev().take_while(|line| !line.is_blank).find_map(|line| {
        let label = line.label.as_deref()?;
        (line.start + label.len() < span.end).then_some(label)
    });
    said.is_some_and(|label| SPEAKERS.contains(&label) || (is_dialogue && !HEADERS.contains(&label)))
}

/// Whether words stand in a mail: in its head or anywhere below.
pub(super) fn is_in_mail(text: &str, span: Span) -> bool {
    let lines = lines(text);
    let is = |line: &Line, labels: &[&str]| line.label.as_deref().is_some_and(|label| labels.contains(&label));
    let is_forwarded = |line: &Line| {
        let rest = text.get(line.start..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default().to_lowercase();
        FORWARDED.iter().any(|cue| line.contains(cue)) && line.contains(['-', ':', '：'])
    };
    let begins = |at: usize| {
        let line = &lines[at];
        let is_head = lines.get(at + 1).is_some_and(|next| is(next, &HEADERS)) && is(line, &HEADERS);
        is_head || is(line, &FIRST_HEADERS) || is_forwarded(line)
    };
    (0..lines.len()).any(|at| begins(at) && lines[at].start < span.end)
}

fn lines(text: &str) -> Vec<Line> {
    let mut start = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let found = Line { start, is_blank: line.trim().is_empty(), label: label(line) };
            start += line.len();
            found
        })
        .collect()
}

/// What stands before the first colon of a line, in lower case, where it can be a name; `TODO` and the like are none.
fn label(line: &str) -> Option<String> {
    let (label, said) = line.split_once([':', '：'])?;
    let label = label.trim().trim_matches('*');
    let is_name = (1..=LONGEST_NAME).contains(&label.chars().count())
        && label.split_whitespace().count() <= 3
        && label.starts_with(char::is_alphabetic)
        && label.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, ' ' | '.' | '-' | '_' | '\'' | '·'))
        && !said.starts_with("//")
        && (label.len() < 2 || label.chars().any(|ch| !ch.is_ascii_uppercase()) || label == "AI");
    is_name.then(|| label.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str, words: &str) -> Span {
        let start = text.find(words).unwrap();
        Span::new(start, start + words.len())
    }

    #[test]
    fn what_speakers_say_is_told_from_a_list_of_particulars() {
        for (text, words, expected) in [
            ("Tomasz: I'm off.\nLena: I stay.\nTomasz: Fine.", "I stay", true),
            ("Tomasz: I'm off.\nLena: I stay.\nTomasz: Fine.\nI live in Rome", "I live in Rome", true),
            ("Tomasz: I'm off.\nLena: I stay.\nTomasz: Fine.\n\nI live in Rome", "I live in Rome", false),
            ("老周：我五月走。\n小林：我不走。\n老周：好。", "我不走", true),
            ("总结一下\n老周：我五月走。\n小林：我不走。\n老周：好。", "我五月走", true),
            ("Assistant: You live in Oslo.\nYou sell maps.", "You sell maps", true),
            ("Name: Ada\nCity: Oslo\nTrade: welder", "City: Oslo", false),
            ("姓名：陆远\n城市：苏州", "城市：苏州", false),
            ("TODO: call Ada\nTODO: I need nails\nDONE: paint", "I need nails", false),
            ("Note: I live in Rome.", "I live in Rome", false),
            ("My rule is simple: I never fly. My other rule: I never rush.", "I never rush", false),
            ("https://a.example\nhttps://b.example\nftp://c.example\nI like maps", "I like maps", false),
        ] {
            assert_eq!(is_in_conversation(text, span(text, words)), expected, "{words} in {text}");
        }
    }

    #[test]
    fn a_mail_reaches_from_its_head_to_the_end() {
        for (text, words, expected) in [
            ("From: Petra\nSubject: Friday\n\nHi, I'm allergic to nuts.", "I'm allergic to nuts", true),
            ("发件人：宋佳\n主题：改期\n\n您好，我对坚果过敏。", "我对坚果过敏", true),
            ("I moved. Read this:\nFrom: Petra\nTo: me\n\nHi", "I moved", false),
            ("----- Original Message -----\nI'm allergic to nuts.", "I'm allergic to nuts", true),
            ("------原始邮件------\n我对坚果过敏。", "我对坚果过敏", true),
            ("Date: 4 May\nI'm allergic to nuts.", "I'm allergic to nuts", false),
            ("I lost the original message. I'm allergic to nuts.", "I'm allergic to nuts", false),
            ("时间：周五\n我对坚果过敏。", "我对坚果过敏", false),
        ] {
            assert_eq!(is_in_mail(text, span(text, words)), expected, "{words} in {text}");
        }
    }
}
