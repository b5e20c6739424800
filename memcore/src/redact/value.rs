//! The value that a cue introduces: where it ends, and whether it is a secret or the next word of a sentence.

use std::sync::LazyLock;

use regex::Regex;

use super::marker::starts_with_marker;
use super::pattern::{after, compiled};

/// A candidate for a secret.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quoted: bool,
}

/// Longest value that is read, in bytes. A longer one is masked up to here, and its rest on its own merits.
const MAX_VALUE: usize = 512;
const QUOTES: &[(char, char)] =
    &[('"', '"'), ('\'', '\''), ('`', '`'), ('「', '」'), ('『', '』'), ('【', '】'), ('《', '》')];

// A separator that another pair of name and value follows, as in `Password=…;Server=…` or `…, user: …`.
static NEXT_PAIR: LazyLock<Regex> =
    LazyLock::new(|| compiled(r#"^[;,&|][ \t]*["']?[A-Za-z_][A-Za-z0-9_ -]{0,40}["']?[ \t]*[=:]"#));

/// The value that starts at `start`, without quotes and without the punctuation of the sentence.
pub(super) fn value_at(text: &str, start: usize) -> Option<Value<'_>> {
    // Escaped quotes, as in JSON inside a string.
    let escape = usize::from(text.get(start..)?.starts_with("\\\""));
    let tail = after(text, start + escape, MAX_VALUE);
    if starts_with_marker(tail) {
        return None;
    }
    let start = start + escape;
    quoted(tail, start).or_else(|| bare(tail, start))
}

fn quoted(tail: &str, start: usize) -> Option<Value<'_>> {
    let opening = tail.chars().next()?;
    let (_, closing) = QUOTES.iter().find(|(known, _)| *known == opening)?;
    let inner = tail.get(opening.len_utf8()..)?;
    let line = inner.get(..inner.find('\n').unwrap_or(inner.len()))?;
    let text = line.get(..line.find(*closing)?)?;
    let text = text.strip_suffix('\\').unwrap_or(text);
    let start = start + opening.len_utf8();
    (!text.is_empty()).then_some(Value { text, start, end: start + text.len(), quoted: true })
}

fn bare(tail: &str, start: usize) -> Option<Value<'_>> {
    let skipped = usize::from(tail.starts_with(['"', '\'', '`']));
    let tail = tail.get(skipped..)?;
    let ends = |c: char| !c.is_ascii_graphic() || matches!(c, '"' | '`' | '<' | '>');
    let run = tail.get(..tail.find(ends).unwrap_or(tail.len()))?;
    let next_pair = run
        .char_indices()
        .filter(|(_, c)| matches!(c, ';' | ',' | '&' | '|'))
        .find(|(at, _)| tail.get(*at..).is_some_and(|rest| NEXT_PAIR.is_match(rest)))
        .map_or(run.len(), |(at, _)| at);
    let run = run.get(..next_pair)?;
    let run = run.get(..run.find("\\n").or_else(|| run.find("\\r")).unwrap_or(run.len()))?;
    let text = run.trim_end_matches(['.', ',', ';', ':', '?', '!', '\'', ')', ']', '}', '\\']);
    let start = start + skipped;
    (!text.is_empty() && !starts_with_marker(text)).then_some(Value {
        text,
        start,
        end: start + text.len(),
        quoted: false,
    })
}

/// Names of algorithms, formats and protocols: they follow "password" without being one.
#[rustfmt::skip]
const TERMS: &[&str] = &[
    "md5", "sha1", "sha256", "sha-256", "sha512", "sha-512", "bcrypt", "scrypt", "argon2", "argon2id", "pbkdf2", "base64",
    "oauth2", "oauth", "oauth2.0", "utf8", "utf-8", "wpa2", "wpa3", "aes256", "aes-256", "rsa2048", "ed25519", "hs256", "rs256",
    "jwt", "totp", "2fa", "mfa", "http2", "k8s", "x509", "ipv4", "ipv6", "win10", "win11", "1password", "keepass2", "sm4", "sm3", "sm2",
];

/// Words that go on with a sentence about a password.
#[rustfmt::skip]
const PROSE: &[&str] = &[
    "a", "about", "above", "absent", "accepted", "again", "all", "already", "also", "always", "an", "and", "another",
    "any", "as", "asked", "at", "available", "back", "bad", "based", "because", "being", "below", "blank", "both", "but",
    "by", "can", "case-sensitive", "clear", "common", "complex", "compromised", "correct", "critical", "dead", "default",
    "different", "down", "easy", "empty", "enough", "even", "fine", "fixed", "for", "fresh", "from", "generic", "global",
    "gone", "good", "hard", "he", "her", "here", "his", "how", "i", "if", "important", "in", "incorrect", "insecure",
    "invalid", "it", "just", "known", "like", "local", "long", "lost", "mandatory", "missing", "more", "my", "never", "new",
    "no", "non-empty", "not", "nothing", "now", "obvious", "of", "ok", "okay", "old", "on", "one", "only", "optional", "or",
    "our", "out", "plain", "plaintext", "plain-text", "please", "poor", "private", "public", "random", "ready", "real",
    "right", "safe", "same", "secret", "secure", "sensitive", "she", "short", "simple", "so", "something", "somewhere",
    "stale", "static", "still", "strong", "temporary", "that", "the", "their", "there", "these", "they", "this", "those",
    "to", "too", "true", "unclear", "under", "unique", "unknown", "up", "valid", "very", "via", "we", "weak", "well", "what",
    "when", "where", "whatever", "which", "who", "why", "with", "without", "wrong", "yes", "yet", "you", "your", "sorry", "failed",
    "denied", "forgot", "forgotten", "ask", "see", "use", "none", "min", "minimum", "max", "maximum", "length", "field",
    "given", "set", "sent", "kept", "shown", "hidden", "broken", "stolen", "written", "put", "found", "made", "held", "read",
    "reset", "manager", "policy", "page", "hash", "prompt", "login", "user", "admin-only", "bold", "generated",
];

impl Value<'_> {
    fn lower(&self) -> String {
        self.text.to_ascii_lowercase()
    }

    /// Whether the value is a technical term such as `sha256`.
    pub(super) fn is_term(&self) -> bool {
        TERMS.contains(&self.lower().as_str())
    }

    pub(super) fn is_digits(&self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Whether the value is numbers with hyphens between, as the combination of a lock.
    pub(super) fn is_digit_groups(&self) -> bool {
        self.text.split('-').all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Whether the value mixes letters with digits, symbols or upper case, as prose does not.
    pub(super) fn is_mixed(&self) -> bool {
        let any = |test: fn(&u8) -> bool| self.text.bytes().any(|byte| test(&byte));
        let symbol = any(|byte| b"!@#$%^&*+=~?|".contains(byte));
        let inner_upper =
            self.text.bytes().skip(1).any(|byte| byte.is_ascii_uppercase()) && any(u8::is_ascii_lowercase);
        let letter = any(u8::is_ascii_alphabetic);
        (letter && (any(u8::is_ascii_digit) || symbol || inner_upper)) || (any(u8::is_ascii_digit) && symbol)
    }

    /// Whether the value is a plain word that could be a password: not one of those that sentences go on with.
    pub(super) fn is_word(&self) -> bool {
        let lower = self.lower();
        let inflected = ["ed", "ing", "ly", "able", "ible"].iter().any(|ending| lower.ends_with(ending));
        self.text.len() >= 4
            && self.text.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'.'))
            && !PROSE.contains(&lower.as_str())
            && !inflected
    }

    /// Whether the value is an address or a path rather than a secret.
    pub(super) fn is_location(&self) -> bool {
        let path = self.text.starts_with(['/', '~']) || self.text.starts_with("./") || self.text.starts_with("../");
        let mail = self.text.split_once('@').is_some_and(|(_, host)| {
            host.contains('.') && host.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'.' | b'-'))
        });
        self.text.contains("://") || (path && self.text.matches('/').count() >= 2) || mail
    }
}
