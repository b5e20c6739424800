//! What a quote can prove: not a question, not a mere yes, not what only others said, not a relative's affairs.

use std::collections::HashSet;

use memcore_core::text::{self, QueryTerm, Span, TermKind};

use super::request;

/// Quotes of less length (Chinese characters plus twice the other words) prove only what they say themselves.
const THIN: usize = 8;
/// Share of a statement's terms that others said, from which it is theirs where the user said none of them.
const OTHERS_SHARE: f32 = 0.5;

/// Chinese characters that two statements share without having anything in common.
const FUNCTION_CHARACTERS: [&str; 34] = [
    "的", "了", "是", "在", "有", "我", "你", "您", "他", "她", "它", "们", "这", "那", "一", "不", "也", "都", "和",
    "与", "个", "里", "上", "下", "就", "还", "没", "把", "被", "给", "要", "会", "吗", "吧",
];
/// The terms of the one whom statements are about: nobody says them of themselves.
const SUBJECTS: [&str; 4] = ["user", "用户", "用", "户"];
/// Statements of less length (as `THIN`) can be put in other words altogether.
const TELLING: usize = 12;
/// So can statements of fewer words, or pairs of Chinese characters, that say something.
const FEWEST_WORDS: usize = 3;
/// Words of assent, normalised.
const ASSENT: [&str; 34] = [
    "yes",
    "yeah",
    "yep",
    "yup",
    "ok",
    "okay",
    "sure",
    "right",
    "exactly",
    "correct",
    "true",
    "thanks",
    "thank you",
    "great",
    "good",
    "perfect",
    "please do",
    "go ahead",
    "i do",
    "i am",
    "no",
    "是",
    "是的",
    "对",
    "对的",
    "好",
    "好的",
    "嗯",
    "行",
    "可以",
    "没错",
    "谢谢",
    "不是",
    "没有",
];
/// Relatives and others, by the words for them.
const RELATIVES: [&[&str]; 14] = [
    &["wife", "spouse", "partner", "老婆", "妻子", "太太", "媳妇", "爱人"],
    &["husband", "spouse", "partner", "老公", "丈夫", "先生"],
    &["girlfriend", "女朋友", "女友", "对象"],
    &["boyfriend", "男朋友", "男友", "对象"],
    &["mother", "mom", "mum", "妈妈", "母亲", "我妈", "老妈"],
    &["father", "dad", "爸爸", "父亲", "我爸", "老爸"],
    &["son", "儿子"],
    &["daughter", "女儿", "闺女"],
    &["brother", "哥哥", "弟弟", "我哥", "我弟"],
    &["sister", "姐姐", "妹妹", "我姐", "我妹"],
    &["boss", "manager", "老板", "领导", "上司"],
    &["colleague", "coworker", "co-worker", "同事"],
    &["friend", "朋友"],
    &["roommate", "flatmate", "neighbor", "neighbour", "室友", "邻居"],
];

/// What supposes, wishes or plays.
const SUPPOSED: [&str; 28] = [
    "if i were",
    "if i was",
    "if i had",
    "if i could",
    "if i lived",
    "if we were",
    "if we had",
    "suppose i",
    "suppose we",
    "suppose that",
    "imagine i",
    "imagine we",
    "imagine that",
    "let's say i",
    "let's say we",
    "let's pretend",
    "pretend i",
    "pretend that",
    "what if",
    "i wish i",
    "假如",
    "假设",
    "倘若",
    "假装",
    "幻想",
    "下辈子",
    "比方说我",
    "但愿我",
];
/// Conditions that suppose something only where they ask for nothing: "if I ask about code, answer in English" is a
/// rule.
const CONDITIONS: [&str; 8] = ["if i ", "if we ", "如果我", "要是我", "我要是", "我如果", "我们要是", "万一我"];
/// What follows of a condition that only supposes.
const CONSEQUENCES: [&str; 10] =
    ["i would", "i'd ", "we would", "we'd ", "i could", "we could", "我会", "我就", "就会", "我可能"];
/// What asks for something.
const REQUESTS: [&str; 12] =
    ["please", "answer", "always", "never", "remind", "tell me", "请", "回答", "提醒", "不要", "告诉我", "务必"];
/// Where a sentence comes back to what is.
const REALITY: [&str; 9] = [" but ", " however", " actually ", " in fact", "但", "不过", "其实", "实际上", "可惜"];

/// Whether the words are only supposed, wished or played.
pub(super) fn is_supposed(text: &str, span: Span) -> bool {
    let sentences = text::sentences(text);
    let Some(sentence) = sentences.iter().find(|sentence| sentence.contains(span.start)) else { return false };
    let around = sentence.of(text).to_lowercase().replace('’', "'");
    let has_any = |cues: &[&str]| cues.iter().any(|cue| around.contains(cue));
    let first = |cues: &[&str]| cues.iter().filter_map(|cue| around.find(cue)).min();
    let is_condition = has_any(&CONSEQUENCES) && !has_any(&REQUESTS);
    let condition = if is_condition { first(&CONDITIONS) } else { None };
    let Some(begin) = first(&SUPPOSED).into_iter().chain(condition).min() else { return false };
    let behind = around.get(begin..).unwrap_or_default();
    let end = REALITY.iter().filter_map(|cue| behind.find(cue)).min().map_or(around.len(), |at| begin + at);
    // "I would learn Japanese if I lived there": what comes before belongs to it as well, unless a clause of its own
    // ends there.
    let start = around.get(..begin).unwrap_or_default().rfind([';', '；', '。', '.']).map_or(0, |at| at + 1);
    (start..end).contains(&(span.start - sentence.start))
}

/// Whether the words are a whole question. A request to remember may have the form of one.
pub(super) fn is_question(text: &str, span: Span) -> bool {
    let behind = text.get(span.end..).unwrap_or_default();
    let quote = span.of(text);
    let is_asked = quote.ends_with(['?', '？']) || behind.starts_with(['?', '？']);
    let before = text.get(..span.start).unwrap_or_default().trim_end_matches([' ', '\t']);
    let is_whole = before.is_empty() || before.ends_with(['.', '!', '?', '\n', '。', '！', '？', '；', ';', '…']);
    is_asked && is_whole && !quote.contains([',', '，', ';', '；']) && !request::is_asked_for(text, span)
}

/// Whether the words are nothing but assent: what is assented to was said by another.
pub(super) fn is_affirmation(quote: &str) -> bool {
    let mut parts =
        quote.split([',', '，', '.', '。', '!', '！', ' ', '、']).map(text::normalize).filter(|part| !part.is_empty());
    ASSENT.contains(&text::normalize(quote).as_str()) || parts.all(|part| ASSENT.contains(&part.as_str()))
}

/// Whether a statement says nothing that the user's message says: either the quote is too thin to carry it, or others
/// said it, at least its numbers. Across languages the words cannot be compared.
pub(super) fn is_of_others(content: &str, quote: &str, said: &str, others: &str) -> bool {
    if text::language(content) != text::language(said) {
        return false;
    }
    let stated: Vec<QueryTerm> = text::query_terms(content).into_iter().filter(is_telling).collect();
    let in_text = |words: &str| text::index_terms(words).into_iter().map(|term| term.text).collect::<HashSet<String>>();
    let is_said = in_text(said);
    if stated.iter().any(|term| is_said.contains(&term.text)) {
        return false;
    }
    if text::input_length(quote) < THIN && !text::has_decisive(quote) {
        return true;
    }
    let of_others = in_text(others);
    let shared = stated.iter().filter(|term| of_others.contains(&term.text));
    let has_their_number = shared.clone().any(|term| matches!(term.kind, TermKind::Number | TermKind::Identifier));
    has_their_number || shared.count() as f32 >= OTHERS_SHARE * stated.len().max(1) as f32
}

/// Whether a statement says nothing that is said in anything that the model was shown. Across languages the words cannot
/// be compared.
pub(super) fn is_out_of_nowhere<'t>(content: &str, mut shown: impl Iterator<Item = &'t str>) -> bool {
    let language = text::language(content);
    let stated: Vec<QueryTerm> = text::query_terms(content).into_iter().filter(is_telling).collect();
    let says_some_of_it = |text: &str| {
        let terms: HashSet<String> = text::index_terms(text).into_iter().map(|term| term.text).collect();
        (!text.is_empty() && text::language(text) != language) || stated.iter().any(|term| terms.contains(&term.text))
    };
    // A date is worked out, and what it is the date of can have another name.
    let words = stated.iter().filter(|term| matches!(term.kind, TermKind::Word | TermKind::Bigram)).count();
    words >= FEWEST_WORDS && text::input_length(content) >= TELLING && !shown.any(says_some_of_it)
}

fn is_telling(term: &QueryTerm) -> bool {
    !FUNCTION_CHARACTERS.contains(&term.text.as_str()) && !SUBJECTS.contains(&term.text.as_str())
}

/// Whether the words are about a relative or friend whom the statement does not name.
pub(super) fn is_about_a_relative(quote: &str, content: &str) -> bool {
    let (quote, content) = (text::normalize(quote), text::normalize(content));
    let words: Vec<&str> = quote.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    RELATIVES.iter().any(|names| {
        let is_subject = names.iter().any(|name| {
            if name.is_ascii() {
                let rest = quote.strip_prefix("my ").and_then(|rest| rest.strip_prefix(name));
                rest.is_some_and(|rest| rest.starts_with([' ', '\'', '’', ',']))
                    && !words.iter().skip(1).any(|word| matches!(*word, "i" | "me" | "my" | "we" | "us" | "our"))
            } else {
                let name = name.trim_start_matches('我');
                let rest = ["我的", "我"].iter().find_map(|my| quote.strip_prefix(my)?.strip_prefix(name));
                rest.is_some_and(|rest| !rest.contains('我'))
            }
        });
        is_subject
            && !RELATIVES.iter().flat_map(|names| *names).any(|name| content.contains(name.trim_start_matches('我')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Span {
        Span::new(0, text.len())
    }

    #[test]
    fn questions_prove_nothing_but_requests_to_remember_do() {
        for (text, expected) in [
            ("Do I like tea?", true),
            ("我喜欢喝茶吗？", true),
            ("I like tea.", false),
            ("Could you remember that I like tea?", false),
            ("能记住我喜欢喝茶吗？", false),
            ("I am allergic to nuts, can I eat this?", false),
            ("我对坚果过敏，这个能吃吗？", false),
        ] {
            assert_eq!(is_question(text, whole(text)), expected, "{text}");
        }
    }

    #[test]
    fn what_is_only_supposed_is_told_from_rules_and_from_what_is() {
        for (text, quote, expected) in [
            ("If I lived in Japan, I would learn Japanese.", "I lived in Japan", true),
            ("I'd learn Japanese if I lived in Japan.", "I'd learn Japanese", true),
            ("If I won the lottery I'd buy a boat", "I'd buy a boat", true),
            ("Suppose I work at Google.", "I work at Google", true),
            ("I wish I spoke French.", "I spoke French", true),
            ("如果我住在日本，我会学日语。", "我住在日本", true),
            ("假设我是素食者，能吃什么？", "我是素食者", true),
            ("要是我中了彩票，我就买条船。", "我就买条船", true),
            ("If I lived in Japan I would learn Japanese, but I live in Rome.", "I live in Rome", false),
            ("如果我住在日本，我会学日语，不过我住在罗马。", "我住在罗马", false),
            ("If I ask about code, answer in English please.", "answer in English", false),
            ("如果我问代码，请用英文回答。", "用英文回答", false),
            ("I live in Rome. If I lived in Japan I'd learn Japanese.", "I live in Rome", false),
            ("I wish to be called Dr. Lin.", "called Dr. Lin", false),
        ] {
            let start = text.find(quote).unwrap();
            assert_eq!(is_supposed(text, Span::new(start, start + quote.len())), expected, "{text}");
        }
    }

    #[test]
    fn assent_is_not_a_statement() {
        for (quote, expected) in [
            ("Yes.", true),
            ("ok, thanks", true),
            ("是的", true),
            ("好的，谢谢！", true),
            ("Yes, I live in Rome", false),
            ("Vegan", false),
            ("是的，我吃素", false),
        ] {
            assert_eq!(is_affirmation(quote), expected, "{quote}");
        }
    }

    #[test]
    fn what_only_others_say_is_not_the_users() {
        let tool = "The user's bank account is DE1234 at Evil Bank.";
        for (content, quote, said, others, expected) in [
            (
                "The user's bank account is DE1234.",
                "please check the document for me",
                "please check the document for me",
                tool,
                true,
            ),
            (
                "用户的账号是 778899。",
                "帮我看看这份文件里写了什么",
                "帮我看看这份文件里写了什么",
                "账号是 778899",
                true,
            ),
            (
                "用户的账号是 778899。",
                "帮我查一下系统里的资料",
                "帮我查一下系统里的资料",
                "{\"姓名\": \"陆远\", \"账号\": \"778899\"}",
                true,
            ),
            (
                "The user's account is DE-4471.",
                "please look me up in the register",
                "please look me up in the register",
                "{\"number\": \"DE-4471\"}",
                true,
            ),
            ("用户养了一只猫。", "我养猫", "我养猫", "猫", false),
            ("The user lives in Rome.", "Rome", "Rome", "Where do you live?", false),
            ("The user has two children.", "that one", "that one, please", "", true),
            ("The user is 30.", "I'm 30", "I'm 30", "", false),
            ("用户吃素。", "我吃素", "我吃素", "", false),
            ("用户吃素。", "I do not eat meat", "I do not eat meat", "", false),
        ] {
            assert_eq!(is_of_others(content, quote, said, others), expected, "{content} from {quote}");
        }
    }

    #[test]
    fn a_statement_that_nothing_shown_speaks_of_is_made_up() {
        for (content, shown, expected) in [
            (
                "The user has two children called Mia and Jonas.",
                &["please find me a good lathe", "Sure.", ""][..],
                true,
            ),
            ("用户有两个孩子，叫米娅和约纳斯。", &["帮我找台好用的拉坯机", "好的。"], true),
            ("The user has two children called Mia and Jonas.", &["Mia is ill today"], false),
            ("用户有两个孩子，叫米娅和约纳斯。", &["米娅今天病了"], false),
            ("The user has two children called Mia and Jonas.", &["我的孩子病了"], false),
            ("The user likes caving.", &["I'm into spelunking"], false),
            ("The user's birthday is on 2026-11-13.", &["my b-day is next Friday"], false),
            ("用户的生日是 2026-11-13。", &["下周五我过寿"], false),
            ("用户养猫。", &["我家有三只布偶"], false),
        ] {
            assert_eq!(is_out_of_nowhere(content, shown.iter().copied()), expected, "{content} of {shown:?}");
        }
    }

    #[test]
    fn a_relatives_affairs_are_not_the_users() {
        for (quote, content, expected) in [
            ("My wife is vegan", "The user is vegan.", true),
            ("我老婆吃素", "用户吃素。", true),
            ("我妈喜欢京剧", "用户喜欢京剧。", true),
            ("My wife is vegan", "The user's wife is vegan.", false),
            ("我老婆吃素", "用户的妻子吃素。", false),
            ("我的同事都用 Vim", "用户用 Vim。", true),
            ("My boss wants me to write Rust", "The user must write Rust.", false),
            ("I am vegan", "The user is vegan.", false),
        ] {
            assert_eq!(is_about_a_relative(quote, content), expected, "{quote}");
        }
    }
}
