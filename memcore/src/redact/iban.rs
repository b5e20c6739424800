//! International bank account numbers (ISO 13616): country, its length, and check digits modulo 97.

/// Characters of an account number for each country, from the SWIFT registry.
#[rustfmt::skip]
const LENGTHS: &[(&str, usize)] = &[
    ("AD", 24), ("AE", 23), ("AL", 28), ("AT", 20), ("AZ", 28), ("BA", 20), ("BE", 16), ("BG", 22), ("BH", 22),
    ("BI", 27), ("BR", 29), ("BY", 28), ("CH", 21), ("CR", 22), ("CY", 28), ("CZ", 24), ("DE", 22), ("DJ", 27),
    ("DK", 18), ("DO", 28), ("EE", 20), ("EG", 29), ("ES", 24), ("FI", 18), ("FK", 18), ("FO", 18), ("FR", 27),
    ("GB", 22), ("GE", 22), ("GI", 23), ("GL", 18), ("GR", 27), ("GT", 28), ("HN", 28), ("HR", 21), ("HU", 28),
    ("IE", 22), ("IL", 23), ("IQ", 23), ("IS", 26), ("IT", 27), ("JO", 30), ("KW", 30), ("KZ", 20), ("LB", 28),
    ("LC", 32), ("LI", 21), ("LT", 20), ("LU", 20), ("LV", 21), ("LY", 25), ("MC", 27), ("MD", 24), ("ME", 22),
    ("MK", 19), ("MN", 20), ("MR", 27), ("MT", 31), ("MU", 30), ("NI", 28), ("NL", 18), ("NO", 15), ("OM", 23),
    ("PK", 24), ("PL", 28), ("PS", 29), ("PT", 25), ("QA", 29), ("RO", 24), ("RS", 22), ("RU", 33), ("SA", 24),
    ("SC", 31), ("SD", 18), ("SE", 24), ("SI", 19), ("SK", 24), ("SM", 27), ("SO", 23), ("ST", 25), ("SV", 28),
    ("TL", 23), ("TN", 24), ("TR", 26), ("UA", 29), ("VA", 22), ("VG", 24), ("XK", 20), ("YE", 30),
];

/// How many characters an account number of the country has that `characters` (upper-case ASCII) start with.
pub(super) fn expected_len(characters: &[u8]) -> Option<usize> {
    let country = std::str::from_utf8(characters.get(..2)?).ok()?;
    LENGTHS.iter().find(|(code, _)| *code == country).map(|(_, length)| *length)
}

/// Whether `characters` (upper-case ASCII letters and digits, no separators) are an account number.
pub(super) fn is_valid(characters: &[u8]) -> bool {
    if expected_len(characters) != Some(characters.len()) {
        return false;
    }
    let (head, tail) = characters.split_at(4);
    let remainder = tail.iter().chain(head).try_fold(0, |remainder: u32, &byte| match byte {
        b'0'..=b'9' => Some((remainder * 10 + u32::from(byte - b'0')) % 97),
        b'A'..=b'Z' => Some((remainder * 100 + u32::from(byte - b'A') + 10) % 97),
        _ => None,
    });
    head.iter().skip(2).all(u8::is_ascii_digit) && remainder == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_examples_are_valid_and_their_neighbours_are_not() {
        for number in ["DE89370400440532013000", "GB29NWBK60161331926819", "FR1420041010050500013M02606"] {
            assert!(is_valid(number.as_bytes()), "{number}");
        }
        assert!(!is_valid(b"DE88370400440532013000"));
        assert!(!is_valid(b"DE8937040044053201300"), "one digit short");
        assert!(!is_valid(b"ZZ89370400440532013000"), "no such country");
        assert!(!is_valid(b""));
    }
}
