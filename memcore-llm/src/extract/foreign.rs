//! What in a user's message the user only passes on: quotations, code, pasted conversations, texts to be worked on.

use memcore_core::text::{Span, quoted_spans};

use super::{folded::Folded, pasted};

/// Requests to work on the text behind the next colon.
const WORK_ON: [&str; 34] = [
    "translate",
    "summarize",
    "summarise",
    "rewrite",
    "rephrase",
    "paraphrase",
    "proofread",
    "polish",
    "shorten",
    "fix the grammar",
    "grammar",
    "reply to",
    "respond to",
    "explain",
    "analyze",
    "analyse",
    "classify",
    "the following",
    "here is the",
    "here's the",
    "翻译",
    "总结",
    "概括",
    "润色",
    "改写",
    "校对",
    "修改",
    "续写",
    "扩写",
    "缩写",
    "分析",
    "解释",
    "如下",
    "回复",
];
/// What comes before words that somebody else said.
const REPORTS: [&str; 39] = [
    "said",
    "says",
    "say",
    "told",
    "tells",
    "wrote",
    "writes",
    "asked",
    "asks",
    "replied",
    "replies",
    "answered",
    "reads",
    "mentioned",
    "claims",
    "claimed",
    "quote",
    "quoted",
    "说",
    "说道",
    "写道",
    "写着",
    "问",
    "问道",
    "回复",
    "回答",
    "告诉我",
    "提到",
    "引用",
    "喊",
    "the line",
    "the phrase",
    "the words",
    "the lyrics",
    "这句",
    "那句",
    "一句",
    "台词",
    "歌词",
];

/// Whether the words at `span` of a user's message are somebody else's.
pub(super) fn is_foreign(text: &str, span: Span) -> bool {
    is_in_memory_block(text, span) || is_quoted(text, span) || is_pasted(text, span) || is_handed_over(text, span)
}

/// Whether the words stand in, or are, a block of memories that was injected before.
pub(super) fn is_in_memory_block(text: &str, span: Span) -> bool {
    let before = text.get(..span.start).unwrap_or_default().to_ascii_lowercase();
    let opened = ["<memory", "<memories"].iter().filter_map(|tag| before.rfind(tag)).max();
    let closed = ["</memory", "</memories"].iter().filter_map(|tag| before.rfind(tag)).max();
    opened.is_some_and(|opened| closed.is_none_or(|closed| closed < opened)) || has_memory_tag(span.of(text))
}

/// Whether words are written like a block of memories.
pub(crate) fn has_memory_tag(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    ["<memory", "<memories", "</memory", "</memories"].iter().any(|tag| words.contains(tag))
}

fn is_quoted(text: &str, span: Span) -> bool {
    let quotations = quoted_spans(text);
    quotations.into_iter().filter(|quote| quote.start < span.end && span.start < quote.end).any(|quote| {
        let before = text.get(..quote.start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_block = line.trim_start().starts_with('>')
            || line.trim().is_empty()
            || quote.of(text).contains('\n')
            || before.trim_end().ends_with("```");
        // A name or a title in quotation marks is part of a statement; what somebody said in them is not.
        let lead = line.trim_end_matches(|ch: char| !ch.is_alphanumeric()).to_lowercase();
        let is_reported = REPORTS.iter().any(|word| ends_with_word(&lead, word));
        let is_inside = quote.start <= span.start && span.end <= quote.end;
        (is_block || is_reported || is_asked_about(&lead)) && is_inside
    })
}

/// Whether a line leads up to words that it asks about: `What does this mean: "…"`.
fn is_asked_about(lead: &str) -> bool {
    ["mean", "lyric", "poem", "sentence", "phrase", "slogan", "意思", "歌词", "诗", "这句", "这段", "句子"]
        .iter()
        .any(|word| lead.contains(word))
}

/// Whether the words stand in a pasted conversation or mail.
fn is_pasted(text: &str, span: Span) -> bool {
    pasted::is_in_conversation(text, span) || pasted::is_in_mail(text, span)
}

/// Whether the words belong to a text that the user hands over: `Translate this: I live in Rome.`
fn is_handed_over(text: &str, span: Span) -> bool {
    let before = text.get(..span.start).unwrap_or_default();
    let Some(colon) = before.rfind([':', '：']) else { return false };
    let between = before.get(colon..).unwrap_or_default().trim_start_matches([':', '：']);
    // An empty line ends such a text, unless it stands directly behind the request.
    if between.trim_start().contains("\n\n") {
        return false;
    }
    let head = before.get(..colon).and_then(|head| head.rsplit(['\n', '。', '.', '!', '！', '?', '？']).next());
    let head = head.unwrap_or_default().to_lowercase();
    WORK_ON.iter().any(|word| head.contains(word))
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|before| {
        !word.is_ascii() || before.chars().next_back().is_none_or(|ch| !ch.is_ascii_alphanumeric())
    })
}

/// A place of the quote in the text that the user means, else any place; none where the words are not there.
pub(super) fn place(text: &str, folded: &Folded, quote: &Folded) -> Option<(Span, bool)> {
    const MOST_PLACES: usize = 8;
    let mut first = None;
    let mut from = 0;
    for _ in 0..MOST_PLACES {
        let Some(span) = folded.find(quote, from) else { break };
        if !is_foreign(text, span) {
            return Some((span, false));
        }
        first.get_or_insert((span, true));
        from = span.end;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_others_are_told_from_the_users_own() {
        for (text, quote, expected) in [
            ("I live in Rome.", "I live in Rome", false),
            ("> I live in Rome.\nIs that right?", "I live in Rome", true),
            ("```\nI live in Rome.\n```\nfix it", "I live in Rome", true),
            ("He said \"I live in Rome\" and left.", "I live in Rome", true),
            ("他说：“我住在罗马”，然后走了。", "我住在罗马", true),
            ("我妈告诉我「我住在罗马」", "我住在罗马", true),
            ("What does this line mean: \"I live in Rome\"?", "I live in Rome", true),
            ("这句歌词什么意思：“我住在罗马”", "我住在罗马", true),
            ("My favourite poem is \"I live in Rome\".", "My favourite poem is \"I live in Rome\"", false),
            ("My band is called \"Rome Burning\".", "Rome Burning", false),
            ("我的花名是“阿罗”。", "我的花名是“阿罗”", false),
            ("Translate this: I live in Rome.", "I live in Rome", true),
            ("翻译成英文：我住在罗马。", "我住在罗马", true),
            ("Please proofread:\n\nI live in Rome.", "I live in Rome", true),
            ("Translate: bonjour\n\nBy the way, I live in Rome.", "I live in Rome", false),
            ("assistant: I live in Rome.", "I live in Rome", true),
            ("用户：我住在罗马。\n助手：好的。", "我住在罗马", true),
            ("Note: I live in Rome.", "I live in Rome", false),
            ("Who sang the line \"I live in Rome\"?", "I live in Rome", true),
            ("那句“我住在罗马”是谁说的？", "我住在罗马", true),
            ("<memory note=\"x\">- I live in Rome.</memory> thanks", "I live in Rome", true),
            ("<memory>x</memory> I live in Rome.", "I live in Rome", false),
            ("He said \"I live in Rome\". I live in Rome too.", "I live in Rome", false),
        ] {
            let found = place(text, &Folded::of(text), &Folded::of(quote));
            assert_eq!(found.map(|(_, is_foreign)| is_foreign), Some(expected), "{quote} in {text}");
        }
    }
}
