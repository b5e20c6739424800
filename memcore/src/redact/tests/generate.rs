//! A deterministic source of made-up secrets and numbers.

use crate::redact::luhn;

pub(super) const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
pub(super) const URL_SAFE: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
pub(super) const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
pub(super) const HEX: &str = "0123456789abcdef";
pub(super) const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
pub(super) const DIGITS: &str = "0123456789";
pub(super) const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";

/// SplitMix64 with a fixed seed: the same secrets in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number in `0..bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    pub(super) fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }

    /// `len` characters of `alphabet`.
    pub(super) fn text(&mut self, alphabet: &str, len: usize) -> String {
        (0..len).map(|_| char::from(alphabet.as_bytes()[self.below(alphabet.len())])).collect()
    }

    /// A date between 1950 and 2009 as `YYYYMMDD`.
    fn date(&mut self) -> String {
        format!("{}{:02}{:02}", 1950 + self.below(60), 1 + self.below(12), 1 + self.below(28))
    }

    fn region(&mut self) -> String {
        let province = self.pick(&["11", "12", "31", "32", "33", "37", "44", "51", "61", "65"]);
        format!("{province}{:02}{:02}", 1 + self.below(20), 1 + self.below(30))
    }

    pub(super) fn resident_id(&mut self) -> String {
        const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
        let body = format!("{}{}{}", self.region(), self.date(), self.text(DIGITS, 3));
        let sum: u32 = body.bytes().zip(WEIGHTS).map(|(byte, weight)| u32::from(byte - b'0') * weight).sum();
        let check = "10X98765432".as_bytes()[sum as usize % 11];
        format!("{body}{}", char::from(if self.below(4) == 0 { check.to_ascii_lowercase() } else { check }))
    }

    pub(super) fn old_resident_id(&mut self) -> String {
        format!("{}{}{}", self.region(), &self.date()[2..], self.text(DIGITS, 3))
    }

    pub(super) fn mobile(&mut self) -> String {
        format!("1{}{}", 3 + self.below(7), self.text(DIGITS, 9))
    }

    pub(super) fn card(&mut self) -> String {
        let (prefix, len) = *self.pick(&[
            &("622202", 19),
            &("621700", 19),
            &("625912", 16),
            &("6228", 19),
            &("4", 16),
            &("52", 16),
            &("2350", 16),
            &("37", 15),
            &("3530", 16),
            &("6011", 16),
        ]);
        let body = format!("{prefix}{}", self.text(DIGITS, len - 1 - prefix.len()));
        (0..10).map(|check| format!("{body}{check}")).find(|number| is_luhn(number)).unwrap()
    }

    pub(super) fn iban(&mut self) -> String {
        let (country, len) = *self.pick(&[&("DE", 22), &("FR", 27), &("GB", 22), &("NL", 18), &("ES", 24)]);
        let bban = match country {
            "GB" | "NL" => format!("{}{}", self.text("ABCDEFGHIJ", 4), self.text(DIGITS, len - 8)),
            _ => self.text(DIGITS, len - 4),
        };
        let numeric: String =
            format!("{bban}{country}00").chars().map(|c| c.to_digit(36).unwrap().to_string()).collect();
        let remainder = numeric.bytes().fold(0, |remainder, byte| (remainder * 10 + u32::from(byte - b'0')) % 97);
        format!("{country}{:02}{bban}", 98 - remainder)
    }

    pub(super) fn credit_code(&mut self) -> String {
        const ALPHABET: &str = "0123456789ABCDEFGHJKLMNPQRTUWXY";
        let body = format!("91{}{}", self.region(), self.text(ALPHABET, 9));
        let mut weight = 1;
        let mut sum = 0;
        for c in body.chars() {
            sum += ALPHABET.find(c).unwrap() * weight;
            weight = weight * 3 % 31;
        }
        format!("{body}{}", char::from(ALPHABET.as_bytes()[(31 - sum % 31) % 31]))
    }

    pub(super) fn social_security(&mut self) -> String {
        format!("{:03}-{:02}-{:04}", 1 + self.below(600), 1 + self.below(99), 1 + self.below(9999))
    }

    pub(super) fn passport(&mut self) -> String {
        format!("{}{}", self.pick(&["E", "G", "EA", "EB"]), self.text(DIGITS, 7)) + "4"
    }

    pub(super) fn uuid(&mut self) -> String {
        let parts = [8, 4, 4, 4, 12].map(|len| self.text(HEX, len));
        parts.join("-")
    }
}

pub(super) fn is_luhn(number: &str) -> bool {
    luhn::is_valid(&number.bytes().map(|byte| byte - b'0').collect::<Vec<u8>>())
}

/// `text` in full-width characters.
pub(super) fn full_width(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_graphic() { char::from_u32(c as u32 + 0xfee0).unwrap() } else { c }).collect()
}

/// `text` in groups of `size` with `separator` between.
pub(super) fn grouped(text: &str, size: usize, separator: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(size).map(String::from_iter).collect::<Vec<_>>().join(separator)
}
