//! Keys that are told by their shape rather than by a prefix: parts of fixed lengths with separators between.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::pattern::{compiled, ends_word, starts_word};
use super::randomness::looks_random;
use super::span::Span;

struct Shape {
    class: &'static str,
    pattern: LazyLock<Regex>,
}

macro_rules! shape {
    ($class:expr, $pattern:literal) => {
        Shape { class: $class, pattern: LazyLock::new(|| compiled($pattern)) }
    };
}

/// Where a pattern has a group, the group is the secret; else the whole match is.
static SHAPES: [Shape; 12] = [
    // JSON web token: header, payload and signature (absent in an unsigned one).
    shape!(class::TOKEN, r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
    // Telegram bot, also inside the URL of its API.
    shape!(class::API_KEY, r"(?:bot)?([0-9]{8,10}:[A-Za-z0-9_-]{35})"),
    // Discord bot or user: id, time and signature.
    shape!(class::API_KEY, r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"),
    // New Relic licence.
    shape!(class::API_KEY, r"[0-9a-f]{36}(?:NRAL|FFFFNRAL)"),
    // Mailchimp: key and data centre.
    shape!(class::API_KEY, r"[0-9a-f]{32}-us[0-9]{1,2}"),
    // Azure application secret.
    shape!(class::API_KEY, r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,36}"),
    // Azure shared access signature inside a URL.
    shape!(class::API_KEY, r"[?&]sig=([A-Za-z0-9%+/=_-]{30,})"),
    // Terraform Cloud.
    shape!(class::API_KEY, r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}"),
    // Airtable personal access token.
    shape!(class::API_KEY, r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    // Zhipu: key id and secret.
    shape!(class::API_KEY, r"[0-9a-f]{32}\.[A-Za-z0-9]{16}"),
    // X (Twitter) application bearer.
    shape!(class::TOKEN, r"AAAAAAAAAAAAAAAAAAAA[A-Za-z0-9]{2,}(?:%[0-9A-F]{2}[A-Za-z0-9]+){1,}[A-Za-z0-9%]*"),
    // The credential of an HTTP authorization header.
    shape!(
        class::TOKEN,
        r"(?i-u:authorization[\x22']?[ \t]*[:=][ \t]*[\x22']?(?:basic|token|apikey|digest)[ \t]+)([A-Za-z0-9+/=._~-]{8,})"
    ),
];

static BEARER: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i-u:bearer)[ \t]+([A-Za-z0-9._~+/=-]{16,})"));

/// Finds keys by their shape.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for shape in &SHAPES {
        for captures in shape.pattern.captures_iter(text) {
            let (Some(whole), secret) = (captures.get(0), captures.get(1)) else { continue };
            let secret = secret.unwrap_or(whole);
            let stands_alone = starts_word(text, whole.start()) && ends_word(text, whole.end());
            if stands_alone && (shape.class == class::TOKEN || looks_random(secret.as_str())) {
                spans.push(Span::new(shape.class, secret.start(), secret.end()));
            }
        }
    }
    for captures in BEARER.captures_iter(text) {
        let Some(secret) = captures.get(1) else { continue };
        let credential = secret.as_str().trim_end_matches(['.', '-']);
        if credential.bytes().any(|byte| byte.is_ascii_digit()) {
            spans.push(Span::new(class::TOKEN, secret.start(), secret.start() + credential.len()));
        }
    }
}
