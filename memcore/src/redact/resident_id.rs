//! Resident identity numbers of mainland China (GB 11643): 18 characters with a check character, or the old 15 digits.

use chrono::NaiveDate;

/// Weights of the first 17 digits, and the check character for each remainder of their sum by 11.
const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECK: &[u8; 11] = b"10X98765432";

/// Whether `characters` are 18 with a known province, a real date of birth and the right check character.
///
/// `characters` are ASCII digits, the last one a digit or `X` in either case.
pub(super) fn is_current(characters: &[u8]) -> bool {
    let [body @ .., check] = characters else { return false };
    if body.len() != 17 || !has_known_province(body) {
        return false;
    }
    let (Some(year), Some(month), Some(day)) = (number(body, 6, 4), number(body, 10, 2), number(body, 12, 2)) else {
        return false;
    };
    let sum: u32 = body.iter().zip(WEIGHTS).map(|(&byte, weight)| u32::from(byte.wrapping_sub(b'0')) * weight).sum();
    let expected = CHECK.get((sum % 11) as usize).copied();
    is_date(year, month, day) && expected == Some(check.to_ascii_uppercase())
}

/// Whether `characters` are the 15 digits issued before 1999: known province and a real date in the 20th century.
pub(super) fn is_old(characters: &[u8]) -> bool {
    if characters.len() != 15 || !has_known_province(characters) {
        return false;
    }
    let (Some(year), Some(month), Some(day)) =
        (number(characters, 6, 2), number(characters, 8, 2), number(characters, 10, 2))
    else {
        return false;
    };
    is_date(1900 + year, month, day)
}

/// Whether the first two characters are the code of a province (GB/T 2260), or of residents from elsewhere.
pub(super) fn has_known_province(characters: &[u8]) -> bool {
    matches!(
        number(characters, 0, 2),
        Some(11..=15 | 21..=23 | 31..=37 | 41..=46 | 50..=54 | 61..=65 | 71 | 81..=83 | 91)
    )
}

fn is_date(year: u32, month: u32, day: u32) -> bool {
    // Without a clock the bound is fixed: nobody alive was born before 1880, and no number names a later century.
    (1880..2100).contains(&year)
        && i32::try_from(year).is_ok_and(|year| NaiveDate::from_ymd_opt(year, month, day).is_some())
}

fn number(characters: &[u8], from: usize, width: usize) -> Option<u32> {
    let digits = characters.get(from..from + width)?;
    digits.iter().try_fold(0, |value, &byte| byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighteen_characters_need_province_date_and_check_character() {
        assert!(is_current(b"11010519491231002X"));
        assert!(is_current(b"11010519491231002x"));
        assert!(!is_current(b"110105194912310021"), "wrong check character");
        assert!(!is_current(b"202605031234567890"), "no province, no date");
        assert!(!is_current(b"1101051949123100"), "too short");
        assert!(!is_current(b""));
    }

    #[test]
    fn a_right_check_character_does_not_excuse_an_impossible_date() {
        let body = b"11010519490231002";
        assert!((0..=9).map(|digit| b'0' + digit).chain([b'X']).all(|check| {
            let mut characters = body.to_vec();
            characters.push(check);
            !is_current(&characters)
        }));
    }

    #[test]
    fn fifteen_digits_need_province_and_date() {
        assert!(is_old(b"110105491231002"));
        assert!(!is_old(b"110105491331002"), "month 13");
        assert!(!is_old(b"990105491231002"), "no such province");
        assert!(!is_old(b"11010549123100"), "too short");
    }
}
