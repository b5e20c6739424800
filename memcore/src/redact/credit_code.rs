//! Unified social credit codes (统一社会信用代码, GB 32100): 18 characters, the last one a check character modulo 31.

use super::resident_id::has_known_province;

/// The alphabet without the letters that look like digits; a character's value is its place.
const ALPHABET: &[u8; 31] = b"0123456789ABCDEFGHJKLMNPQRTUWXY";
const WEIGHTS: [usize; 17] = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/// Whether `characters` (upper-case ASCII) are a code: registering office, region and check character all fit.
pub(super) fn is_valid(characters: &[u8]) -> bool {
    let ([office, kind, region @ ..], [body @ .., check]) = (characters, characters) else { return false };
    let office_known = matches!(office, b'1'..=b'9' | b'A'..=b'G' | b'N' | b'Y') && kind.is_ascii_digit();
    if body.len() != 17 || !office_known || !has_known_province(region) {
        return false;
    }
    let sum = body.iter().zip(WEIGHTS).try_fold(0, |sum, (byte, weight)| Some(sum + value(*byte)? * weight));
    sum.is_some_and(|sum| value(*check) == Some((31 - sum % 31) % 31))
}

fn value(byte: u8) -> Option<usize> {
    ALPHABET.iter().position(|known| *known == byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_check_character_is_accepted() {
        let body = b"91110108MA01ABCD2";
        let accepted: Vec<u8> = ALPHABET
            .iter()
            .copied()
            .filter(|check| {
                let mut characters = body.to_vec();
                characters.push(*check);
                is_valid(&characters)
            })
            .collect();
        assert_eq!(accepted.len(), 1);
    }

    #[test]
    fn a_published_code_is_valid_and_its_neighbours_are_not() {
        assert!(is_valid(b"91350100M000100Y43"));
        assert!(!is_valid(b"91350100M000100Y44"));
        assert!(!is_valid(b"91990100M000100Y43"), "no such province");
        assert!(!is_valid(b"9135"));
        assert!(!is_valid(b""));
    }
}
