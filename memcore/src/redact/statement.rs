//! Secrets that are introduced by a name: `DB_PASSWORD=…`, "my password is …", 密码是….

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::connector::{self, Tie};
use super::cue::{self, Cue, Kind};
use super::pattern::{after, before, compiled};
use super::placeholder::is_placeholder;
use super::randomness::{is_name, looks_random};
use super::span::Span;
use super::value::{Value, value_at};

/// Finds the values of cues, before and after them.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut done = 0;
    for cue in cue::find(text) {
        // A cue inside a value ("password is secret-key-7") introduces nothing.
        if cue.start < done {
            continue;
        }
        let found = connector::ties(text, &cue).find_map(|(tie, at)| secret_at(text, &cue, tie, at));
        if let Some((start, end)) = found {
            spans.push(Span::new(cue.class, start, end));
            done = end;
        }
    }
    find_reversed(text, spans);
}

/// The range of the secret that starts at `at`, if there is one.
fn secret_at(text: &str, cue: &Cue<'_>, tie: Tie, at: usize) -> Option<(usize, usize)> {
    let Some(value) = value_at(text, at) else {
        return chinese_words_end(text, cue, tie, at).map(|end| (at, end));
    };
    if is_placeholder(value.text) || value.is_location() || value.is_term() {
        return None;
    }
    let accepted = match cue.kind {
        Kind::Password | Kind::Passphrase if tie != Tie::Adjacent && !value.quoted => {
            if let Some(end) = words_end(text, cue, &value) {
                return Some((value.start, end));
            }
            is_password(text, cue, tie, &value)
        }
        Kind::Password | Kind::Passphrase => is_password(text, cue, tie, &value),
        Kind::Pin => is_pin(text, cue, tie, &value),
        Kind::Secret => is_secret(cue, tie, &value),
    };
    accepted.then_some((value.start, value.end))
}

fn is_password(text: &str, cue: &Cue<'_>, tie: Tie, value: &Value<'_>) -> bool {
    let chinese = !cue.name.is_ascii();
    let bare_pass = cue.name.to_ascii_lowercase().ends_with("pass") && !cue.is_environment_variable();
    match tie {
        Tie::Adjacent => {
            let introduced = chinese || cue.is_option() || names_account(text, cue);
            let glued = value.start == cue.end;
            let another_option = after(text, value.end, 2) == " -";
            let separated = chinese || !glued;
            introduced && separated && value.text.len() >= 6 && value.is_mixed() && !is_name_with_words(value)
                || (cue.is_option()
                    && !glued
                    && !value.text.starts_with('-')
                    && (value.quoted || (value.is_word() && another_option)))
        }
        // "pass: 12, fail: 3" counts tests.
        Tie::Assigned | Tie::Stated if bare_pass => value.text.len() >= 6 && value.is_mixed() && !is_name(value.text),
        Tie::Assigned | Tie::Stated if value.quoted => value.text.chars().count() >= 3 && !reads_as_prose(value.text),
        Tie::Assigned | Tie::Stated if value.is_digits() => value.text.len() >= 3 && !is_counted(text, value.end),
        Tie::Assigned if cue.is_environment_variable() && cue.name.contains('_') => value.text.len() >= 3,
        Tie::Assigned | Tie::Stated if value.is_mixed() || value.is_digit_groups() => {
            value.text.len() >= 4 && !is_described(text, value.end)
        }
        Tie::Assigned | Tie::Stated => {
            let closed = if chinese { !is_described(text, value.end) } else { ends_clause(text, value.end) };
            value.is_word() && closed
        }
    }
}

fn is_pin(text: &str, cue: &Cue<'_>, tie: Tie, value: &Value<'_>) -> bool {
    let digits = value.text.bytes().filter(u8::is_ascii_digit).count();
    let shape = value.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"#*-".contains(&byte));
    // The names of card and one-time codes mean nothing else, so that no "is" has to follow.
    let unmistakable = !cue.name.is_ascii() || cue.name.to_ascii_lowercase().starts_with("cv");
    let tied = tie != Tie::Adjacent || (unmistakable && value.is_digits() && value.text.len() <= 8);
    tied && shape && digits >= 3 && value.text.len() <= 12 && !is_counted(text, value.end)
}

fn is_secret(cue: &Cue<'_>, tie: Tie, value: &Value<'_>) -> bool {
    let text = value.text;
    // Prose in quotes, and expressions of code: `keys[0]`, `vec![42]`.
    if text.contains([' ', '\t', '[', '!']) {
        return false;
    }
    match tie {
        Tie::Assigned if cue.is_environment_variable() && cue.name.contains('_') => {
            text.len() >= 8 && !value.is_digits() && (looks_random(text) || (names_secret(cue) && !text.contains('/')))
        }
        Tie::Assigned | Tie::Stated => looks_random(text) && !text.contains("..."),
        Tie::Adjacent => {
            let separated = value.start > cue.end;
            separated && looks_random(text) && text.len() >= if cue.is_option() { 8 } else { 20 } && !text.contains('/')
        }
    }
}

/// Whether the variable's name says that its value is secret, however it looks: `JWT_SECRET`, not `SORT_KEY`.
fn names_secret(cue: &Cue<'_>) -> bool {
    let name = cue.name.to_ascii_lowercase();
    ["secret", "secret_key", "api_key", "access_key", "access_token", "auth_token", "encryption_key", "private_key"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// Whether "user", "login" and the like stand shortly before the cue: "login as root password …".
fn names_account(text: &str, cue: &Cue<'_>) -> bool {
    static ACCOUNT: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r"(?i-u:\b(?:user(?:name)?|login|log in|account|email|id)\b)[^\n]{1,48}$|(?:账号|帐号|账户|用户名|用户)[^\n]{1,24}$",
        )
    });
    ACCOUNT.is_match(before(text, cue.start, 72))
}

/// Whether a value is one of the identifiers that follow 密码 in code and manuals: `password-input`, `login_v2`.
fn is_name_with_words(value: &Value<'_>) -> bool {
    value.text.contains(['-', '_', '.', '/', '(']) && is_name(value.text)
}

/// Whether quoted text is a label or a message rather than a password: several words, the first a common one.
fn reads_as_prose(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let cjk_sentence = text.chars().filter(|c| !c.is_ascii()).count() > 8;
    let starts_upper = first.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase());
    cjk_sentence || words.count() >= 2 && (starts_upper || first.len() <= 4)
}

/// Whether a number counts something: "12 characters", 8 位.
fn is_counted(text: &str, end: usize) -> bool {
    static UNIT: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r"^[ \t-]*(?:(?i-u:(?:char|digit|letter|byte|bit|day|time|minute|second|hour|year|month|word|attempt|retr|user|item|ms|%)[a-z]*)|位|个|個|年|月|天|日|字|次|分钟|小时|秒|号|條|条|种|款|元|人)",
        )
    });
    UNIT.is_match(after(text, end, 24))
}

/// Whether Chinese text goes on to describe the value as a technique: 密码是 X 加密的.
fn is_described(text: &str, end: usize) -> bool {
    static DESCRIPTION: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r"^[ \t]*(?:加密|编码|編碼|哈希|散列|存储|格式|算法|协议|类型|登录|認證|认证|验证|字段|方式|保存|页面|输入框|位|个|年|月|天|设的|改的|换的|更新|重置|创建|生效|过期|到期|之前|以后)",
        )
    });
    DESCRIPTION.is_match(after(text, end, 24))
}

/// Whether a plain word at `end` closes its clause, so that it is the value and not the start of a description.
fn ends_clause(text: &str, end: usize) -> bool {
    static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r#"^(?:["'`)\]}]*[ \t]*(?:$|[\r\n,;。，；！？、]|[.!?](?:$|[ \t\r\n]))|[ \t]+(?i-u:(?:and|please|thanks)\b)|[ \t]*[(（])"#,
        )
    });
    CLOSING.is_match(after(text, end, 24))
}

/// End of a passphrase of several plain words: "correct horse battery staple"; of a password only the four groups of
/// four letters that Google makes for an app.
fn words_end(text: &str, cue: &Cue<'_>, first: &Value<'_>) -> Option<usize> {
    static GROUPS: LazyLock<Regex> = LazyLock::new(|| compiled(r"^[a-z]{4}(?: [a-z]{4}){3}"));
    static WORDS: LazyLock<Regex> = LazyLock::new(|| compiled(r"^[a-z0-9]{2,20}(?:[ -][a-z0-9]{2,20}){2,11}"));
    /// Words that hold a sentence together; a passphrase has none.
    const FUNCTION_WORDS: &[&str] = &[
        "the", "in", "of", "to", "by", "is", "on", "for", "at", "and", "or", "with", "that", "it", "not", "be", "as",
        "from", "we", "you", "my", "our", "your", "are", "was", "has", "have", "must", "should", "can", "will", "an",
        "than", "but",
    ];
    let pattern = if cue.kind == Kind::Passphrase { &WORDS } else { &GROUPS };
    let found = pattern.find(after(text, first.start, 256))?;
    let end = first.start + found.end();
    let is_sentence = found.as_str().split([' ', '-']).any(|word| FUNCTION_WORDS.contains(&word));
    (!is_sentence && ends_clause(text, end)).then_some(end)
}

/// End of a password in Chinese: 口令：芝麻开门. Only a short run that fills its clause and holds no word of a sentence.
fn chinese_words_end(text: &str, cue: &Cue<'_>, tie: Tie, at: usize) -> Option<usize> {
    const MAX_CHARACTERS: usize = 8;
    const SENTENCE: &str =
        "忘无未没不在请需已见同的了是为和与可须必要或自动错改设什么谁怎吗呢啥哪问找存放很太多少每随会被把给跟用旧新";
    let spoken = ["口令", "暗号", "暗號"].iter().any(|word| cue.name.ends_with(word));
    if cue.name.is_ascii() || cue.class != class::PASSWORD || !(tie == Tie::Assigned || (spoken && tie == Tie::Stated))
    {
        return None;
    }
    let tail = after(text, at, 64);
    let run = tail.get(..tail.find(|c| !('\u{4e00}'..='\u{9fff}').contains(&c)).unwrap_or(tail.len()))?;
    let count = run.chars().count();
    let closes = tail.get(run.len()..)?.chars().next().is_none_or(|c| "\r\n。，；！、)）」".contains(c));
    let fits = (2..=MAX_CHARACTERS).contains(&count) && !run.chars().any(|c| SENTENCE.contains(c));
    (fits && closes && cue.kind != Kind::Pin).then(|| at + run.len())
}

/// Finds values that stand before their cue: "hunter22 is my password", 用 hunter22 当密码.
fn find_reversed(text: &str, spans: &mut Vec<Span>) {
    static REVERSED: LazyLock<Regex> = LazyLock::new(|| {
        compiled(concat!(
            r"(?i-u:[ \t](?:is|as|was)[ \t]+(?:my|our|the|a|his|her|their)[ \t]+(?:[\w-]+[ \t]+){0,3}?(?:password|passcode|passphrase|pwd)\b)",
            r"|[ \t]*(?:就是|作为|当作|当成|当|是|做)(?:我|我们|他|她|咱|你)?(?:家|们)?的?[^ \t\r\n，。！？；]{0,8}?(?:密码|口令|密碼)",
        ))
    });
    for found in REVERSED.find_iter(text) {
        let head = before(text, found.start(), 64);
        let quote_free = head.trim_end_matches(['"', '\'', '`', '」', '』']);
        let run = quote_free.len()
            - quote_free.trim_end_matches(|c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\'' | '`')).len();
        let end = found.start() - (head.len() - quote_free.len());
        let start = end - run;
        let text = text.get(start..end).unwrap_or_default();
        let value = Value { text, start, end, quoted: false };
        let names_nothing =
            !is_placeholder(text) && !value.is_location() && !value.is_term() && !is_name_with_words(&value);
        if run >= 6 && value.is_mixed() && names_nothing && text.bytes().any(|byte| byte.is_ascii_digit()) {
            spans.push(Span::new(class::PASSWORD, start, end));
        }
    }
}
