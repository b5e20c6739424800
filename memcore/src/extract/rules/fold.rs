//! The form of a clause that patterns are matched with: one spelling for what says the same.

use std::sync::LazyLock;

use memcore_core::text::{self, Language, TermKind};
use regex::Regex;

use super::grammar::compiled;

/// Simplified characters for traditional ones, ASCII for full-width forms, straight apostrophes, single spaces.
/// Case stays, since names need it.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for ch in simplified(text).chars() {
        let ch = match ch {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(ch as u32 - 0xfee0).unwrap_or(ch),
            '’' | '‘' | 'ʼ' => '\'',
            ch if ch.is_whitespace() || ch.is_control() => ' ',
            ch => ch,
        };
        if ch != ' ' || !plain.ends_with(' ') {
            plain.push(ch);
        }
    }
    plain.trim().to_owned()
}

/// Simplified characters for traditional ones; everything else stays.
fn simplified(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut done = 0;
    if !text.is_ascii() {
        for term in text::index_terms(text).iter().filter(|term| term.kind == TermKind::Unigram) {
            if let Some(before) = text.get(done..term.start) {
                folded.push_str(before);
                folded.push_str(&term.text);
                done = term.end;
            }
        }
    }
    folded.push_str(text.get(done..).unwrap_or_default());
    folded
}

/// English with its contractions written out and without the adverbs around its first verb: `I'm really into tea`
/// becomes `I am into tea`.
pub(super) fn english(clause: &str) -> String {
    let mut form = plain(clause);
    for (contraction, full) in CONTRACTIONS.iter() {
        if contraction.is_match(&form) {
            form = contraction.replace_all(&form, *full).into_owned();
        }
    }
    if let Some(leading) =
        ENGLISH_LEADING.captures(&form).and_then(|words| words.name("rest").or_else(|| words.name("then")))
    {
        form = leading.as_str().to_owned();
    }
    while let Some(adverb) = ENGLISH_ADVERB.captures(&form) {
        let (Some(head), Some(whole)) = (adverb.get(1), adverb.get(0)) else { break };
        form = format!("{} {}", head.as_str(), form.get(whole.end()..).unwrap_or_default()).trim_end().to_owned();
    }
    form
}

/// Chinese without the adverbs and times behind its subject: `我上个月搬到上海了` becomes `我搬到上海了`.
pub(super) fn chinese(clause: &str) -> String {
    let mut form = without_inner_spaces(&plain(clause));
    if let Some(leading) = CHINESE_LEADING.captures(&form).and_then(|words| words.name("rest")) {
        form = leading.as_str().to_owned();
    }
    while let Some(adverb) = CHINESE_ADVERB.captures(&form) {
        let (Some(head), Some(whole)) = (adverb.get(1), adverb.get(0)) else { break };
        let rest = form.get(whole.end()..).unwrap_or_default();
        if rest.is_empty() || head.end() == whole.end() {
            break;
        }
        form = format!("{}{}", head.as_str(), rest);
    }
    form
}

/// Without the spaces that some set between Chinese and Latin letters.
fn without_inner_spaces(plain: &str) -> String {
    let is_latin = |ch: Option<char>| ch.is_some_and(|ch| ch.is_ascii() && ch != ' ');
    let mut form = String::with_capacity(plain.len());
    let mut chars = plain.chars().peekable();
    while let Some(ch) = chars.next() {
        if ch != ' ' || (is_latin(form.chars().next_back()) && is_latin(chars.peek().copied())) {
            form.push(ch);
        }
    }
    form
}

/// A clause about what was so, as if it were so now: the patterns are in the present.
pub(super) fn present(said: &str, language: Language) -> String {
    if language == Language::Zh {
        CHINESE_PAST.replace_all(said, "").into_owned()
    } else {
        let present = ENGLISH_PAST.replace(said, "").into_owned();
        let present = present.replacen("I lived ", "I live ", 1).replacen("I worked ", "I work ", 1);
        present.replacen("i lived ", "I live ", 1).replacen("i worked ", "I work ", 1)
    }
}

static CHINESE_PAST: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"以前|曾经|曾|之前|过去|原来|小时候|当年|早年|前几年|年轻的时候|那时候?"));
static ENGLISH_PAST: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i)\b(?:used to|formerly|previously) "));

static CONTRACTIONS: LazyLock<Vec<(Regex, &'static str)>> = LazyLock::new(|| {
    [
        (r"(?i)^im\b", "I am"),
        (r"(?i)^ive\b", "I have"),
        (r"(?i)\b(do|does|did|is|was|are|has|have|must|should|would|could)n'?t\b", "$1 not"),
        (r"(?i)\bcan'?t\b|\bcan not\b", "cannot"),
        (r"(?i)\bwon't\b", "will not"),
        (r"(?i)\b(i)'m\b", "$1 am"),
        (r"(?i)\b(\w+)'re\b", "$1 are"),
        (r"(?i)\b(\w+)'ve\b", "$1 have"),
        (r"(?i)\b(\w+)'ll\b", "$1 will"),
        (r"(?i)\b(i|we|you|they|he|she|it)'d\b", "$1 would"),
        (r"(?i)\blet's\b", "let us"),
        (r"(?i)^(i|we) do (like|love|hate|prefer|use|have|live|work|enjoy|own|need)\b", "$1 $2"),
        (r"(?i)\b(it|that|there|what|where|who|how|name|he|she|here|birthday|job|timezone)'s\b", "$1 is"),
    ]
    .into_iter()
    .map(|(contraction, full)| (compiled(contraction), full))
    .collect()
});

/// Times and adverbs before the subject.
static ENGLISH_LEADING: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)^(?:now|currently|nowadays|recently|lately|at present|these days|right now|at the moment|since then|normally|usually|generally|(?:last|this|next) (?:week|month|year|spring|summer|autumn|fall|winter)|in \d{4}|since \d{4}|as of (?:now|today|\w+)|a (?:week|month|year) ago|(?:\w+) (?:weeks|months|years) ago),? (?P<rest>(?:i|we|my|our|the|this)\b.*)$|^(?:in|for|on|at|with) (?:this|the|our|my) [\w-]+(?: [\w-]+)?,? (?P<then>(?:i|we|our)\b.*)$",
    )
});

static CHINESE_LEADING: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"^(?:现在|目前|如今|最近|近期|平时|平常|通常|一般|其实|去年|前年|今年|上个?月|这个?月|上周|这周|昨天|前天|年初|年底|\d{4}年(?:\d{1,2}月)?|从\d{4}年(?:开始|起)?|\d{1,2}月份?|后来|本来|反正|总的来说|作为[^，]{1,10}[，,]|在[^，]{1,14}(?:里|中|上|方面))[，,]?(?P<rest>(?:我|咱|这个项目|公司|团队|项目).*)$",
    )
});

static ENGLISH_ADVERB: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?i)^((?:i|we|my [\w'-]+|our [\w'-]+|our [\w'-]+ [\w'-]+|the team|the project|this project)(?: am| are| is| have| has| had| do| does| will| would| cannot| can)?(?: not)?) ",
        r"(?:really|actually|currently|now|also|still|just|recently|mostly|usually|absolutely|definitely|truly|personally|honestly|generally|typically|normally|mainly|primarily|already|finally|totally|kind of|sort of|kinda|both|quite|very|so|always|often|sometimes|especially|particularly|strongly|simply|basically|officially|long|since|happily|at the moment|right now|these days|nowadays|myself|even|much)(?: |$)",
    ))
});

static CHINESE_ADVERB: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"^((?:我自己|我们公司|我们团队|我们项目|我们组|我们这边|我们|咱们|我家|我|咱|本人|俺|这个项目|本项目|项目组|公司|团队)(?:这边)?)",
        r"(?:其实|现在|目前|如今|一直|平时|平常|最近|近期|真的|确实|特别|非常|比较|超级|超|还是|也|都|已经|刚刚|刚|主要|自己|本来|本身|从来|一向|基本上|基本|还|又|更|最|很|挺|蛮|好|终于|通常|一般|经常|常常|常|总是|有时候|尤其|真|可|正式|最终|后来|个人|本人|实在|的确|倒是|反正|而且|真心|由衷|打心底|在?(?:去年|前年|今年|上个?月|这个?月|上周|这周|本周|昨天|前天|今天|年初|年底|月初|月底|不久前|前不久|前阵子|前段时间)|在?\d{4}年(?:\d{1,2}月)?(?:\d{1,2}[日号])?(?:就|起|开始)?|从\d{4}年(?:\d{1,2}月)?(?:起|开始|就)?|\d{1,2}月份?(?:\d{1,2}[日号])?)\s?",
    ))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adverbs_and_contractions_do_not_change_the_form() {
        assert_eq!(english("I'm really into tea"), "I am into tea");
        assert_eq!(english("I don’t actually like ORMs"), "I do not like ORMs");
        assert_eq!(chinese("我其實也很喜歡喝茶"), "我喜欢喝茶");
        assert_eq!(chinese("我上个月搬到上海了"), "我搬到上海了");
    }
}
