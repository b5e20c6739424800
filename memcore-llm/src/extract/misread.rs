//! Quotes cut so that they say something else: without the word that denies them, or without the one who they are about.

use memcore_core::{
    Kind,
    text::{self, Span},
};

use super::evidence;

/// What denies the words directly behind it.
const DENIALS: [&str; 12] = [
    "not",
    "never",
    "no longer",
    "no more",
    "cannot",
    "don't",
    "doesn't",
    "didn't",
    "can't",
    "won't",
    "isn't",
    "aren't",
];
const ZH_DENIALS: [&str; 13] =
    ["不", "没", "没有", "从不", "不再", "不会", "不能", "不想", "不是", "并非", "从来不", "不太", "不怎么"];
/// What only looks like a denial.
const ZH_AFFIRMED: [&str; 7] = ["不得不", "不能不", "不会不", "无不", "要不", "不仅不", "岂不"];
/// What denies in a statement, however it is put.
const DENIED: [&str; 26] = [
    "not",
    "n't",
    "never",
    "no ",
    "none",
    "without",
    "avoid",
    "hate",
    "dislike",
    "stop",
    "against",
    "refuse",
    "cannot",
    "instead of",
    "rather than",
    "gave up",
    "given up",
    "quit",
    "declin",
    "reject",
    "forbid",
    "forbidden",
    "free",
    "except",
    "lack",
    "former",
];
const ZH_DENIED: [&str; 21] = [
    "不", "没", "无", "非", "未", "别", "勿", "讨厌", "避免", "禁", "拒绝", "戒", "忌", "停止", "放弃", "反对", "反感",
    "以前", "曾", "除了", "而是",
];

/// Whether the words are denied directly before they begin, and the statement denies nothing: "not | eat pork".
pub(super) fn loses_denial(text: &str, span: Span, content: &str) -> bool {
    let before = text.get(..span.start).unwrap_or_default().to_lowercase().replace('’', "'");
    let before = before.trim_end();
    let is_latin_end = |cue: &&str| {
        let rest = before.strip_suffix(*cue);
        rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric) && !rest.ends_with('\''))
    };
    let is_denied = DENIALS.iter().any(is_latin_end)
        || (ZH_DENIALS.iter().any(|cue| before.ends_with(cue)) && !ZH_AFFIRMED.iter().any(|cue| before.ends_with(cue)));
    let content = content.to_lowercase().replace('’', "'");
    is_denied && !DENIED.iter().chain(&ZH_DENIED).any(|cue| content.contains(cue))
}

/// Whether the words are about a relative, a friend, somebody met before ("she"), or the assistant ("you"), and the
/// statement is about the user.
pub(super) fn is_about_another(text: &str, span: Span, content: &str, kind: &Kind) -> bool {
    let said = from_its_clause(text, span);
    if evidence::is_about_a_relative(said, content) {
        return true;
    }
    let is_personal = matches!(kind, Kind::Profile | Kind::Preference | Kind::Constraint | Kind::Emotion);
    if !is_personal || !is_the_user(content) || names_the_speaker(said) {
        return false;
    }
    let said = said.to_lowercase().replace('’', "'");
    let begins = |words: &[&str]| {
        words.iter().any(|word| {
            let rest = said.strip_prefix(word);
            rest.is_some_and(|rest| !word.is_ascii() || rest.starts_with([' ', '\'']))
        })
    };
    // "You should answer in English" is a wish; "you are good at chess" is no profile of the user.
    begins(&["he", "she", "they", "他", "她"]) || (*kind == Kind::Profile && begins(&["you", "你", "您"]))
}

/// The words with all that stands before them in their clause.
fn from_its_clause(text: &str, span: Span) -> &str {
    let sentences = text::sentences(text);
    let start = sentences.iter().find(|sentence| sentence.contains(span.start)).and_then(|sentence| {
        let clauses = text::clauses(sentence.of(text));
        clauses.iter().map(|clause| sentence.start + clause.start).rfind(|start| *start <= span.start)
    });
    Span::new(start.unwrap_or(span.start), span.end).of(text)
}

/// Whether a statement is about the user, not about something of theirs.
fn is_the_user(content: &str) -> bool {
    let content = content.to_lowercase();
    content.strip_prefix("the user").is_some_and(|rest| rest.starts_with(' '))
        || content.strip_prefix("用户").is_some_and(|rest| !rest.starts_with('的') && !rest.contains("的用户"))
}

fn names_the_speaker(words: &str) -> bool {
    let is_speaker = |word: &str| matches!(word, "i" | "me" | "my" | "mine" | "we" | "us" | "our" | "ours");
    words.contains(['我', '咱']) || words.to_lowercase().split(|ch: char| !ch.is_alphanumeric()).any(is_speaker)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str, words: &str) -> Span {
        let start = text.find(words).unwrap();
        Span::new(start, start + words.len())
    }

    #[test]
    fn a_quote_without_its_denial_proves_the_opposite_of_nothing() {
        for (text, quote, content, expected) in [
            ("I do not eat pork.", "eat pork", "The user eats pork.", true),
            ("I don’t drink", "drink", "The user drinks.", true),
            ("I'm no longer at Contoso", "at Contoso", "The user works at Contoso.", true),
            ("我不吃辣。", "吃辣", "用户吃辣。", true),
            ("我从来没去过巴黎", "去过巴黎", "用户去过巴黎。", true),
            ("I do not eat pork.", "eat pork", "The user does not eat pork.", false),
            ("I do not eat pork.", "I do not eat pork", "The user avoids pork.", false),
            ("I can't wait to move to Rome", "move to Rome", "The user moves to Rome.", false),
            ("I know nothing, I eat pork", "I eat pork", "The user eats pork.", false),
            ("我不吃辣。", "吃辣", "用户不吃辣。", false),
            ("我不得不用 Windows。", "用 Windows", "用户必须用 Windows。", false),
            ("不要忘了我吃辣。", "我吃辣", "用户吃辣。", false),
        ] {
            assert_eq!(loses_denial(text, span(text, quote), content), expected, "{content} from {quote} in {text}");
        }
    }

    #[test]
    fn what_another_is_like_is_not_what_the_user_is_like() {
        for (text, quote, content, expected) in [
            ("We hired Lena. She's vegan.", "She's vegan", "The user is vegan.", true),
            ("小林来了。她吃素。", "她吃素", "用户吃素。", true),
            ("My wife is vegan", "is vegan", "The user is vegan.", true),
            ("我老婆吃素", "吃素", "用户吃素。", true),
            ("You are so good at chess!", "You are so good at chess", "The user is good at chess.", true),
            ("你真是个数学天才", "你真是个数学天才", "用户是数学天才。", true),
            ("She told me I need glasses", "She told me I need glasses", "The user needs glasses.", false),
            ("She's vegan.", "She's vegan", "The user's colleague Lena is vegan.", false),
            ("她吃素。", "她吃素", "用户的同事小林吃素。", false),
            ("You can call me Bo", "You can call me Bo", "The user wants to be called Bo.", false),
            ("你叫我阿波就行", "你叫我阿波就行", "用户希望被叫作阿波。", false),
            ("My wife is vegan, I eat everything", "I eat everything", "The user eats everything.", false),
            ("我老婆吃素，我什么都吃", "我什么都吃", "用户什么都吃。", false),
            ("Theo is my name", "Theo is my name", "The user is called Theo.", false),
        ] {
            let found = is_about_another(text, span(text, quote), content, &Kind::Profile);
            assert_eq!(found, expected, "{content} from {quote} in {text}");
        }
        let wish = "You should answer in English";
        assert!(!is_about_another(wish, span(wish, wish), "The user wants English answers.", &Kind::Preference));
    }
}
