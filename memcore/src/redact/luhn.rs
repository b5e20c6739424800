//! The Luhn check digit of payment cards (ISO/IEC 7812-1).

/// Whether the last of `digits` (each 0..=9) is the check digit of those before it.
pub(super) fn is_valid(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(position, &digit)| match (position % 2, u32::from(digit)) {
            (0, digit) => digit,
            (_, digit) if digit > 4 => digit * 2 - 9,
            (_, digit) => digit * 2,
        })
        .sum();
    !digits.is_empty() && sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> Vec<u8> {
        text.bytes().map(|byte| byte - b'0').collect()
    }

    #[test]
    fn published_test_numbers_pass_and_their_neighbours_fail() {
        for number in ["4111111111111111", "5555555555554444", "378282246310005", "6222021234567890128"] {
            assert!(is_valid(&digits(number)), "{number}");
            let mut wrong = digits(number);
            let last = wrong.last_mut().unwrap();
            *last = (*last + 1) % 10;
            assert!(!is_valid(&wrong), "{number} with another check digit");
        }
        assert!(!is_valid(&[]));
    }
}
