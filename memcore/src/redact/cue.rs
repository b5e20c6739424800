//! Words that introduce a secret: "password", "API key", `DB_TOKEN`, 密码, 令牌 and their kin.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::pattern::{before, compiled};

/// What kind of value a cue promises, and so how much the value itself has to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A password: anything that is not prose.
    Password,
    /// A passphrase: several plain words will do.
    Passphrase,
    /// A PIN, door code or one-time code: mostly digits.
    Pin,
    /// A key or token: has to look generated.
    Secret,
}

/// A cue in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cue<'t> {
    pub(super) kind: Kind,
    pub(super) class: &'static str,
    /// The identifier that the cue is the end of: `DB_PASSWORD`, `--token`, or just `password`.
    pub(super) name: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
}

// One named group for each kind. `key` needs a qualifier, as a key alone is mostly that of a map, a piano or a door.
static CUES: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?i-u:",
        r"(?P<passphrase>pass[ _-]?phrase)",
        r"|(?P<password>pass[_-]?word|passwd|passwort|passcode|pwd|\bpass\b|_pass\b|\bpsk\b|(?:wifi|wi-fi|wlan)[ _-]?key)",
        r"|(?P<pin>\b(?:pin|cvv2?|cvc2?|otp)\b(?:[ _-]?(?:code|number)\b)?",
        r"|\b(?:door|gate|alarm|entry|unlock|lock|security|verification|garage|safe|one-time|sms) (?:code|combination)\b",
        r"|\bcombination\b)",
        r"|(?P<token>token|bearer)",
        r"|(?P<secret>(?:api|app|access|account|secret|private|encryption|signing|master|service|auth|license|licence",
        r"|storage|subscription|deploy|admin|client|webhook|ssh|recovery|session|root|security)[ _-]?key(?:s\b)?(?:[ _-]?id\b)?|[a-z0-9]_key",
        r"|secret|credentials?)",
        r")",
        r"|(?P<zh_password>密码|密碼|口令|暗号|暗號|通行码)",
        r"|(?P<zh_pin>验证码|驗證碼|动态码|校验码|安全码|解锁码|开机码|支付码|PIN码|pin码)",
        r"|(?P<zh_token>令牌|权杖)",
        r"|(?P<zh_secret>密钥|秘钥|密匙|金鑰|授权码|授權碼|私钥)",
    ))
});

/// Names that end in `_key` but hold no secret.
#[rustfmt::skip]
const PLAIN_KEYS: &[&str] = &[
    "public", "primary", "foreign", "sort", "cache", "partition", "idempotency", "host", "row", "object", "s3", "hash",
    "index", "join", "group", "routing", "lookup", "unique", "composite", "map", "dict", "hot", "natural", "surrogate",
    "translation", "message", "i18n", "redis", "query", "order", "shortcut", "candidate", "range", "bucket", "dedup",
    "registry", "config", "json", "column", "field", "answer", "metadata", "storage_object", "config_key", "image",
];

/// Every cue of `text` in order.
pub(super) fn find(text: &str) -> impl Iterator<Item = Cue<'_>> {
    CUES.captures_iter(text).filter_map(|captures| {
        let found = captures.get(0)?;
        let is = |name: &str| captures.name(name).is_some();
        let (kind, class) = if is("passphrase") {
            (Kind::Passphrase, class::PASSWORD)
        } else if is("password") || is("zh_password") {
            (Kind::Password, class::PASSWORD)
        } else if is("pin") || is("zh_pin") {
            (Kind::Pin, class::PASSWORD)
        } else if is("token") || is("zh_token") {
            (Kind::Secret, class::TOKEN)
        } else {
            (Kind::Secret, class::API_KEY)
        };
        let name = name_before(text, found.start(), found.end());
        let cue = Cue { kind, class, name, start: found.start(), end: found.end() };
        (!is_plain_key(name)).then_some(cue)
    })
}

/// The cue together with the identifier characters glued to its front.
fn name_before(text: &str, start: usize, end: usize) -> &str {
    const MAX_NAME: usize = 64;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let head = before(text, start, MAX_NAME);
    let glued = head.len() - head.trim_end_matches(is_name).len();
    text.get(start - glued..end).unwrap_or_default()
}

fn is_plain_key(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let Some(qualifier) = lower.strip_suffix("_key") else { return false };
    PLAIN_KEYS.iter().any(|plain| qualifier == *plain || qualifier.ends_with(&format!("_{plain}")))
}

impl Cue<'_> {
    /// Whether the name is that of an environment variable: upper case with an underscore, or a word of its own.
    pub(super) fn is_environment_variable(&self) -> bool {
        let letters = self.name.bytes().filter(u8::is_ascii_alphabetic).count();
        letters >= 3 && self.name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    }

    /// Whether the name is a command-line option such as `--password`.
    pub(super) fn is_option(&self) -> bool {
        self.name.starts_with("--")
    }
}
