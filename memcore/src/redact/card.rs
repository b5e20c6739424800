//! Payment cards: a length and prefix that an issuer uses, and a valid Luhn digit.

use super::luhn;

/// First digits (inclusive range, all of one width) and the lengths in use with them.
struct Issuer {
    first: u32,
    last: u32,
    width: usize,
    lengths: &'static [usize],
}

const fn issuer(first: u32, last: u32, width: usize, lengths: &'static [usize]) -> Issuer {
    Issuer { first, last, width, lengths }
}

const LONG: &[usize] = &[16, 17, 18, 19];

/// Prefix ranges of the networks, and those of mainland bank cards older than UnionPay's 62.
const ISSUERS: &[Issuer] = &[
    issuer(62, 62, 2, LONG),                      // UnionPay
    issuer(81, 82, 2, LONG),                      // UnionPay, RuPay
    issuer(60, 60, 2, &[16, 19]),                 // mainland banks, Discover, RuPay
    issuer(955, 955, 3, &[16, 18, 19]),           // mainland banks
    issuer(98, 98, 2, &[16, 19]),                 // mainland local cards
    issuer(4, 4, 1, &[16, 19]),                   // Visa
    issuer(51, 55, 2, &[16]),                     // Mastercard
    issuer(2221, 2720, 4, &[16]),                 // Mastercard
    issuer(34, 34, 2, &[15]),                     // American Express
    issuer(37, 37, 2, &[15]),                     // American Express
    issuer(644, 659, 3, LONG),                    // Discover
    issuer(3528, 3589, 4, LONG),                  // JCB
    issuer(300, 305, 3, &[14, 16]),               // Diners Club
    issuer(36, 36, 2, &[14, 16, 19]),             // Diners Club
    issuer(38, 39, 2, &[14, 16, 19]),             // Diners Club
    issuer(50, 50, 2, &[13, 15, 16, 17, 18, 19]), // Maestro, RuPay
    issuer(56, 58, 2, &[16, 17, 18, 19]),         // Maestro
    issuer(63, 63, 2, LONG),                      // Maestro
    issuer(67, 67, 2, LONG),                      // Maestro
    issuer(2200, 2204, 4, LONG),                  // Mir
];

/// How sure the surrounding words are that a number is a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Introduced {
    /// Words such as "card" or "卡号" stand before it: any prefix and length is believed.
    AsCard,
    /// Nothing says so: prefix and length have to be those of an issuer.
    No,
}

/// Whether `digits` (each 0..=9) are the number of a payment card.
pub(super) fn is_card(digits: &[u8], introduced: Introduced) -> bool {
    let plausible = match introduced {
        Introduced::AsCard => (13..=19).contains(&digits.len()) && digits.first() != Some(&0),
        Introduced::No => ISSUERS.iter().any(|issuer| {
            issuer.lengths.contains(&digits.len())
                && (issuer.first..=issuer.last).contains(&leading(digits, issuer.width))
        }),
    };
    // A run of one digit passes the check but is filler, not a card.
    plausible && digits.iter().any(|digit| Some(digit) != digits.first()) && luhn::is_valid(digits)
}

fn leading(digits: &[u8], width: usize) -> u32 {
    digits.iter().take(width).fold(0, |value, &digit| value * 10 + u32::from(digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(number: &str, introduced: Introduced, expected: bool) {
        let digits: Vec<u8> = number.bytes().map(|byte| byte - b'0').collect();
        assert_eq!(is_card(&digits, introduced), expected, "{number}");
    }

    #[test]
    fn issuer_prefix_length_and_check_digit_must_all_fit() {
        check("6222021234567890128", Introduced::No, true);
        check("4111111111111111", Introduced::No, true);
        check("378282246310005", Introduced::No, true);
        check("4111111111111112", Introduced::No, false);
        check("1111111111111117", Introduced::No, false);
        check("4222222222222", Introduced::No, false);
        check("0000000000000000", Introduced::AsCard, false);
    }

    #[test]
    fn a_number_introduced_as_a_card_needs_no_known_issuer() {
        check("4222222222222", Introduced::AsCard, true);
        check(
            "7992739871300008",
            Introduced::AsCard,
            luhn::is_valid(&[7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 3, 0, 0, 0, 0, 8]),
        );
    }
}
