//! Telephone numbers of people: mainland mobiles, and international numbers with a plus sign.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::digit_run::Group;
use super::introduction;
use super::pattern::{before, compiled, ends_word};
use super::span::Span;

/// Whether `digits` (each 0..=9) are a mainland mobile number: eleven digits, 13 to 19 first.
pub(super) fn is_mobile(digits: &[u8]) -> bool {
    matches!(digits, [1, 3..=9, ..])
        && digits.len() == 11
        && digits.iter().skip(3).any(|digit| Some(digit) != digits.get(2))
}

/// Whether `group` is the country code 86 in one of its forms: `86`, `+86`, `0086`.
pub(super) fn is_country_code(text: &str, group: &Group) -> bool {
    matches!(text.get(group.start..group.end), Some("86" | "0086"))
}

/// How many of the first `digits` are a country code written without a separator.
pub(super) fn glued_country_code(digits: &[u8]) -> usize {
    match digits {
        [8, 6, ..] if digits.len() == 13 => 2,
        [0, 0, 8, 6, ..] if digits.len() == 15 => 4,
        _ => 0,
    }
}

// Country code (bracketed or not), then groups of digits.
static INTERNATIONAL: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"\+[ ]?\(?[1-9][0-9]{0,2}\)?(?:[ .-]?\(?[0-9]{1,11}\)?){1,6}"));

/// Finds international numbers. Without separators the words before it have to speak of a telephone, as `+1699999999`
/// is also a line of a diff.
pub(super) fn find_international(text: &str, spans: &mut Vec<Span>) {
    for found in INTERNATIONAL.find_iter(text) {
        let digits = found.as_str().bytes().filter(u8::is_ascii_digit).count();
        let grouped = found.as_str().contains([' ', '-', '.', '(']);
        let believed = grouped && found.as_str().bytes().skip(1).take(4).any(|byte| !byte.is_ascii_digit())
            || introduction::is_phone(text, found.start());
        let glued = before(text, found.start(), 1).bytes().any(|byte| byte.is_ascii_alphanumeric() || byte == b')');
        if (10..=15).contains(&digits) && believed && !glued && ends_word(text, found.end()) {
            spans.push(Span::new(class::PHONE, found.start(), found.end()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mobiles_have_eleven_digits_and_a_known_beginning() {
        assert!(is_mobile(&[1, 3, 8, 0, 0, 1, 3, 8, 0, 0, 0]));
        assert!(!is_mobile(&[1, 2, 8, 0, 0, 1, 3, 8, 0, 0, 0]));
        assert!(!is_mobile(&[1, 3, 8, 0, 0, 1, 3, 8, 0, 0]));
        assert!(!is_mobile(&[2, 3, 8, 0, 0, 1, 3, 8, 0, 0, 0]));
    }
}
