//! Numbers with letters in them: bank accounts (IBAN), credit codes, and passports that are introduced as such.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::pattern::{compiled, ends_word, starts_word};
use super::span::Span;
use super::{credit_code, iban, introduction};

static IBAN_START: LazyLock<Regex> = LazyLock::new(|| compiled(r"[A-Za-z]{2}[0-9]{2}"));
// Registering office and kind, then the code of the region: the first two characters and six digits.
static CREDIT_CODE_START: LazyLock<Regex> = LazyLock::new(|| compiled(r"[1-9A-GNYa-gny][ -]?[0-9](?:[ -]?[0-9]){6}"));
static PASSPORT: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?:(?i-u:\bpassport(?:[ _-]?(?:no|num|number|id)\b\.?)?)|护照|護照|通行证|通行證|回乡证|台胞证)",
        r#"[^0-9A-Za-z\n。；;]{0,8}(?:(?i-u:(?:number|no|is|was|are)\b)[^0-9A-Za-z\n]{0,4}){0,3}"#,
        r"((?i-u:[A-Z]{0,2}[ -]?[0-9]{6,10}))",
    ))
});

/// Finds all of them.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for start in IBAN_START.find_iter(text).map(|found| found.start()) {
        let (characters, end) = compact(text, start, 4).map_or((Vec::new(), start), |head| {
            iban::expected_len(&head.0).and_then(|len| compact(text, start, len)).unwrap_or_default()
        });
        if starts_word(text, start) && ends_word(text, end) && iban::is_valid(&characters) {
            spans.push(Span::new(class::BANK_ACCOUNT, start, end));
        }
    }
    for start in CREDIT_CODE_START.find_iter(text).map(|found| found.start()) {
        let Some((characters, end)) = compact(text, start, 18) else { continue };
        let written = text.get(start..end).unwrap_or_default();
        // Digits in groups are those of a table as well: only a code with a letter may be grouped.
        let believed = written.len() == 18 || written.bytes().any(|byte| byte.is_ascii_alphabetic());
        let stands_alone = starts_word(text, start) && ends_word(text, end);
        if stands_alone && believed && credit_code::is_valid(&characters) && !introduction::is_reference(text, start) {
            spans.push(Span::new(class::COMPANY_CODE, start, end));
        }
    }
    for captures in PASSPORT.captures_iter(text) {
        let Some(number) = captures.get(1) else { continue };
        if ends_word(text, number.end()) {
            spans.push(Span::new(class::PASSPORT, number.start(), number.end()));
        }
    }
}

/// The next `len` letters and digits from `start` on in upper case, single spaces and hyphens left out, and their end.
fn compact(text: &str, start: usize, len: usize) -> Option<(Vec<u8>, usize)> {
    let bytes = text.as_bytes();
    let mut characters = Vec::with_capacity(len);
    let mut at = start;
    while characters.len() < len {
        match bytes.get(at)? {
            byte if byte.is_ascii_alphanumeric() => characters.push(byte.to_ascii_uppercase()),
            b' ' | b'-' if bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) => {}
            _ => return None,
        }
        at += 1;
    }
    Some((characters, at))
}
