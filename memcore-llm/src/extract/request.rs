//! What the user asks of memory around a quote: to keep it, to leave it out, to let it hold for this conversation alone.

use memcore_core::text::{self, Span};

/// Requests to remember.
const ASKED: [&str; 14] = [
    "remember",
    "keep in mind",
    "don't forget",
    "do not forget",
    "make a note",
    "note that",
    "记住",
    "记得",
    "记一下",
    "记下",
    "请记",
    "帮我记",
    "别忘了",
    "不要忘",
];
/// Requests not to.
const ASKED_NOT: [&str; 10] = [
    "don't remember",
    "do not remember",
    "not remember",
    "別记",
    "别记",
    "不要记",
    "不用记",
    "别帮我记",
    "no need to remember",
    "can't remember",
];
/// Requests to keep something out of memory, for themselves or about what was just said.
const REFUSALS: [&str; 17] = [
    "don't remember this",
    "don't remember that",
    "do not remember this",
    "do not remember that",
    "don't store",
    "do not store this",
    "don't save this",
    "don't save that",
    "don't keep this",
    "no need to remember",
    "off the record",
    "别记住",
    "别记下",
    "不要记住",
    "不要记下",
    "不用记",
    "别存",
];
/// What begins a sentence that keeps the one before it out of memory.
const REFUSALS_AFTER: [&str; 7] = ["这个别记", "这句别记", "这个不要记", "这句不要记", "这件事别记", "别记", "不要记"];
/// What only sounds like a refusal.
const LAPSES: [&str; 6] = ["i don't", "i do not", "we don't", "we do not", "记错", "记挂"];
/// The longest sentence that is about nothing but the one before, as Chinese characters plus twice the other words.
const SHORT: usize = 16;
/// What holds for the conversation at hand alone.
const SESSION_ONLY: [&str; 34] = [
    "this time only",
    "just this once",
    "just this time",
    "only this time",
    "only this once",
    "for this session",
    "for this conversation",
    "for this chat",
    "for this once",
    "in this session",
    "in this conversation",
    "in this chat",
    "just for today",
    "only for today",
    "for today only",
    "just for now",
    "仅此一次",
    "就这一次",
    "就这次",
    "只限这次",
    "仅限这次",
    "仅限本次",
    "这次先",
    "这次只",
    "这次就",
    "这次不",
    "这次对话",
    "本次对话",
    "这次会话",
    "本次会话",
    "这个会话",
    "本会话",
    "今天先",
    "下不为例",
];

/// Whether the sentence around the words asks to remember them.
pub(super) fn is_asked_for(text: &str, span: Span) -> bool {
    let (around, _) = around(text, span);
    ASKED.iter().any(|cue| around.contains(cue)) && !ASKED_NOT.iter().any(|cue| around.contains(cue))
}

/// Whether the user asks to keep the words out of memory, in their sentence or in a short one behind it.
pub(super) fn is_refused(text: &str, span: Span) -> bool {
    let (around, behind) = around(text, span);
    // "I don't remember that" recalls nothing; it forbids nothing either.
    let is_lapse = |sentence: &str| LAPSES.iter().any(|cue| sentence.contains(cue));
    let refuses = |sentence: &str| REFUSALS.iter().any(|cue| has_word(sentence, cue)) && !is_lapse(sentence);
    let is_about_before = refuses(&behind) || REFUSALS_AFTER.iter().any(|cue| behind.starts_with(cue));
    refuses(&around) || (is_about_before && !is_lapse(&behind) && text::input_length(&behind) <= SHORT)
}

/// Whether the sentence around the words holds for this conversation alone.
pub(super) fn is_session_only(text: &str, span: Span) -> bool {
    let (around, _) = around(text, span);
    SESSION_ONLY.iter().any(|cue| has_word(&around, cue))
}

/// The sentence around the words and the one behind it, in lower case.
fn around(text: &str, span: Span) -> (String, String) {
    let sentences = text::sentences(text);
    let at = sentences.iter().position(|sentence| sentence.contains(span.start));
    let lower = |at: Option<usize>| {
        let sentence = at.and_then(|at| sentences.get(at)).map_or("", |sentence| sentence.of(text));
        sentence.to_lowercase().replace('’', "'")
    };
    (lower(at), lower(at.map(|at| at + 1)))
}

/// Whether the words stand in the text; English ones as whole words.
pub(super) fn has_word(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + words.len()..).unwrap_or_default());
        let is_letter = |ch: Option<char>| ch.is_some_and(|ch| ch.is_ascii_alphanumeric());
        !words.is_ascii() || !(is_letter(before.chars().next_back()) || is_letter(behind.chars().next()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Span {
        Span::new(0, text.len())
    }

    #[test]
    fn what_holds_for_this_conversation_alone_is_told_from_standing_rules() {
        for (text, quote, expected) in [
            ("Just for today, answer in French.", "answer in French", true),
            ("Keep it under 100 words in this conversation.", "Keep it under 100 words", true),
            ("这次先不写单元测试。", "不写单元测试", true),
            ("本次对话请用法语回答。", "请用法语回答", true),
            ("Answer in French.", "Answer in French", false),
            ("For this session use tabs. I always sign with Noor.", "I always sign with Noor", false),
            ("以后都用法语回答。", "用法语回答", false),
            ("这次先不写测试。我住在苏州。", "我住在苏州", false),
        ] {
            let start = text.find(quote).unwrap();
            assert_eq!(is_session_only(text, Span::new(start, start + quote.len())), expected, "{text}");
        }
    }

    #[test]
    fn what_is_to_stay_out_of_memory_is_refused() {
        for (text, quote, expected) in [
            ("I earn 48,000 a year. Don't remember that.", "I earn 48,000 a year", true),
            ("Off the record: I am leaving Contoso.", "I am leaving Contoso", true),
            ("Don’t store this, I am leaving Contoso.", "I am leaving Contoso", true),
            ("我年薪四十八万，这个不用记。", "我年薪四十八万", true),
            ("我打算离职。这件事别记。", "我打算离职", true),
            ("别记住我的住址是和平路 5 号。", "住址是和平路 5 号", true),
            ("I earn 48,000 a year.", "I earn 48,000 a year", false),
            ("I moved in 2019. I don't remember that month.", "I moved in 2019", false),
            ("我的生日是 3 月 8 号。别记错了。", "我的生日是 3 月 8 号", false),
            ("我打算离职。别记挂我。", "我打算离职", false),
        ] {
            let start = text.find(quote).unwrap();
            assert_eq!(is_refused(text, Span::new(start, start + quote.len())), expected, "{text}");
        }
    }

    #[test]
    fn only_a_request_is_explicit() {
        for (text, expected) in [
            ("Please remember that I like tea.", true),
            ("请记住我喜欢喝茶。", true),
            ("I like tea.", false),
            ("Don’t remember that I like tea.", false),
            ("别记我喜欢喝茶。", false),
        ] {
            assert_eq!(is_asked_for(text, whole(text)), expected, "{text}");
        }
    }
}
