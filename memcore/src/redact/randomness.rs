//! Tells the text of a generated key from names, words, dates and fillers.

/// Fewer different characters than this are a filler such as `xxxxxxxx` or `12341234`.
const MIN_DISTINCT: usize = 5;
/// From this length on, letters in mixed case alone are believed to be random.
const MIN_LETTERS_ONLY: usize = 16;

/// Whether `text` looks generated: at least eight characters that mix letters and digits (or cases), and no name.
pub(super) fn looks_random(text: &str) -> bool {
    let count = |test: fn(&u8) -> bool| text.bytes().filter(test).count();
    let digits = count(u8::is_ascii_digit);
    let upper = count(u8::is_ascii_uppercase);
    let lower = count(u8::is_ascii_lowercase);
    let letters = upper + lower;
    let mixed_cases = text.len() >= MIN_LETTERS_ONLY && upper * 4 >= letters && lower * 4 >= letters;
    text.len() >= 8 && letters > 0 && (digits > 0 || mixed_cases) && has_distinct_characters(text) && !is_name(text)
}

fn has_distinct_characters(text: &str) -> bool {
    let mut seen = [false; 128];
    for byte in text.bytes() {
        if let Some(slot) = seen.get_mut(usize::from(byte)) {
            *slot = true;
        }
    }
    seen.iter().filter(|seen| **seen).count() >= MIN_DISTINCT
}

/// Whether `text` is a name made of words and small numbers: `db-secret-v2`, `user_token_2024`, `2024-05-01`.
pub(super) fn is_name(text: &str) -> bool {
    text.split(['-', '_', '.', '/', ':']).all(is_name_part)
}

/// A word with at most two digits after it, or a number of at most four digits with a short unit.
fn is_name_part(part: &str) -> bool {
    const MAX_WORD: usize = 16;
    let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
    let number_len = part.len() - word.len();
    let one_case = word.bytes().all(|byte| byte.is_ascii_lowercase())
        || word.bytes().all(|byte| byte.is_ascii_uppercase())
        || word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase());
    let is_word = word.len() <= MAX_WORD && word.bytes().all(|byte| byte.is_ascii_alphabetic()) && one_case;
    if is_word && number_len <= if word.is_empty() { 4 } else { 2 } {
        return true;
    }
    let unit = part.trim_start_matches(|c: char| c.is_ascii_digit());
    let unit_letters = unit.trim_end_matches(|c: char| c.is_ascii_digit());
    part.len() - unit.len() <= 4
        && unit_letters.len() <= 3
        && unit.len() - unit_letters.len() <= 2
        && unit_letters.bytes().all(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_text_looks_random() {
        for text in [
            "9fK2mQ7xLp",
            "a1b2c3d4e5f6",
            "Zx-Qm2Lk9_Vt4Rb7",
            "QwErTyUiOpAsDfGhJk",
            "550e8400-e29b-41d4-a716-446655440000",
        ] {
            assert!(looks_random(text), "{text}");
        }
    }

    #[test]
    fn names_dates_and_fillers_do_not() {
        for text in [
            "fading-circle-container",
            "db-secret-v2",
            "user_token_2024",
            "2024-05-01T10",
            "xxxxxxxxxxxxxxxx",
            "12345678",
            "abcdefgh",
            "short1",
            "authentication",
            "",
        ] {
            assert!(!looks_random(text), "{text}");
        }
    }
}
