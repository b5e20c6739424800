//! What a quote can prove: not a question, not a mere yes, not what only others said, not a relative's affairs.

use std::collections::HashSet;

use memcore_core::text::{self, QueryTerm, Span, TermKind};

/// Quotes of less length (Chinese characters plus twice the other words) prove only what they say themselves.
const THIN: usize = 8;
/// Share of a statement's terms that others said, from which it is theirs where the user said none of them.
const OTHERS_SHARE: f32 = 0.5;

/// Chinese characters that two statements share without having anything in common.
const FUNCTION_CHARACTERS: [&str; 34] = [
    "的", "了", "是", "在", "有", "我", "你", "您", "他", "她", "它", "们", "这", "那", "一", "不", "也", "都", "和",
    "与", "个", "里", "上", "下", "就", "还", "没", "把", "被", "给", "要", "会", "吗", "吧",
];
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
/// How one of several offers is chosen.
const CHOICES: [&str; 38] = [
    "the first",
    "the second",
    "the third",
    "the fourth",
    "the fifth",
    "the last",
    "the former",
    "the latter",
    "the other one",
    "option",
    "number one",
    "number two",
    "number three",
    "number 1",
    "number 2",
    "number 3",
    "first one",
    "second one",
    "third one",
    "last one",
    "former",
    "latter",
    "第一",
    "第二",
    "第三",
    "第四",
    "第五",
    "第1",
    "第2",
    "第3",
    "前者",
    "后者",
    "最后一",
    "方案",
    "选a",
    "选b",
    "选c",
    "另一个",
];
/// The longest choice, as Chinese characters plus twice the other words: more words speak for themselves.
const LONGEST_CHOICE: usize = 16;
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
    is_asked && is_whole && !quote.contains([',', '，', ';', '；']) && !is_asked_for(text, span)
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
    let telling = |term: &QueryTerm| !FUNCTION_CHARACTERS.contains(&term.text.as_str());
    let stated: Vec<QueryTerm> = text::query_terms(content).into_iter().filter(telling).collect();
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

/// Whether the words do no more than choose among what was offered: "the second one, please".
pub(super) fn is_choice(quote: &str) -> bool {
    let chosen = quote.to_lowercase();
    text::input_length(quote) <= LONGEST_CHOICE && CHOICES.iter().any(|cue| has_word(&chosen, cue))
}

/// Whether a statement takes something up from an offer.
pub(super) fn takes_up(content: &str, offer: &str) -> bool {
    let offered: HashSet<String> = text::index_terms(offer).into_iter().map(|term| term.text).collect();
    text::query_terms(content).iter().any(|term| offered.contains(&term.text))
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

/// Whether the sentence around the words asks to remember them.
pub(super) fn is_asked_for(text: &str, span: Span) -> bool {
    let (around, _) = around(text, span);
    ASKED.iter().any(|cue| around.contains(cue)) && !ASKED_NOT.iter().any(|cue| around.contains(cue))
}

/// Whether the user asks to keep the words out of memory, in their sentence or in the one behind it.
pub(super) fn is_refused(text: &str, span: Span) -> bool {
    let (around, behind) = around(text, span);
    let is_refusal = |sentence: &str| REFUSALS.iter().any(|cue| has_word(sentence, cue));
    // "I don't remember that" recalls nothing; it forbids nothing either.
    let is_lapse =
        |sentence: &str| ["i don't", "i do not", "we don't", "we do not"].iter().any(|of| sentence.contains(of));
    let refuses = |sentence: &str| is_refusal(sentence) && !is_lapse(sentence);
    let is_about_before = refuses(&behind) || REFUSALS_AFTER.iter().any(|cue| behind.starts_with(cue));
    let is_whole = text::input_length(&behind) <= LONGEST_CHOICE;
    refuses(&around) || (is_about_before && is_whole && !behind.contains("记错"))
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
fn has_word(text: &str, words: &str) -> bool {
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

    #[test]
    fn a_choice_names_nothing_but_its_place() {
        for (quote, expected) in [
            ("The second one, please.", true),
            ("Let's go with option B", true),
            ("the latter", true),
            ("第二个吧", true),
            ("那就后者", true),
            ("选B", true),
            ("Adoption papers are ready", false),
            ("that one, please", false),
            ("好的，就这样", false),
            ("In the second half of the year I will be away on parental leave", false),
            ("第二季度我要去休产假，请把所有评审都转给小林", false),
        ] {
            assert_eq!(is_choice(quote), expected, "{quote}");
        }
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
            ("我打算离职。别记挂我。我住在苏州。", "我住在苏州", false),
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
