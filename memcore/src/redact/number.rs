//! Personal numbers made of digits: resident ids, cards, mobile phones, social security numbers.

use super::card::{self, Introduced};
use super::class;
use super::digit_run::{Group, for_each_run};
use super::introduction;
use super::pattern::{after, before};
use super::span::Span;
use super::{phone, resident_id, social_security};

/// Most digits of a number that is looked for, country code included.
const MAX_DIGITS: usize = 19;

/// Fewest digits of one.
const MIN_DIGITS: usize = 9;
/// Most groups of a number that is only a part of its run: country code and five more.
const MAX_GROUPS: usize = 6;

/// Consecutive groups of a run, read as one number.
struct Window<'a> {
    text: &'a str,
    groups: &'a [Group],
    /// Whether the window is its whole run, so that any grouping of its digits is believed.
    whole: bool,
    digits: Vec<u8>,
}

/// Finds personal numbers in the digit runs of `text`.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    for_each_run(text, |groups| {
        let mut first = 0;
        while first < groups.len() {
            first = match longest_at(text, groups, first) {
                Some((span, next)) => {
                    spans.push(span);
                    next
                }
                None => first + 1,
            };
        }
    });
}

/// The longest personal number that starts with group `first`, and the group after it.
fn longest_at(text: &str, groups: &[Group], first: usize) -> Option<(Span, usize)> {
    let opening = groups.get(first)?;
    if matches!(opening.separator, Some(b'-' | b'.')) {
        return None;
    }
    let mut len = 0;
    let mut candidates = Vec::new();
    for (last, group) in groups.iter().enumerate().skip(first) {
        len += group.len();
        if group.in_word || len > MAX_DIGITS {
            break;
        }
        let closed = !matches!(groups.get(last + 1).and_then(|next| next.separator), Some(b'-' | b'.'));
        let whole = first == 0 && last + 1 == groups.len();
        if closed && len >= MIN_DIGITS && (whole || last - first < MAX_GROUPS) {
            candidates.push(last);
        }
        if group.check_x {
            break;
        }
    }
    candidates.into_iter().rev().find_map(|last| {
        let window = Window {
            text,
            groups: groups.get(first..=last)?,
            whole: first == 0 && last + 1 == groups.len(),
            digits: groups
                .get(first..=last)?
                .iter()
                .flat_map(|group| text.as_bytes().get(group.start..group.end).unwrap_or_default())
                .map(|byte| byte - b'0')
                .collect(),
        };
        Some((window.personal_number()?, last + 1))
    })
}

impl Window<'_> {
    fn start(&self) -> usize {
        self.groups.first().map_or(0, |group| group.start)
    }

    /// End of the digits; `x` for the check character after them as well.
    fn end(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end + usize::from(group.check_x))
    }

    fn personal_number(&self) -> Option<Span> {
        let check_x = self.groups.last().is_some_and(|group| group.check_x);
        let class = if self.is_resident_id(check_x) {
            class::ID_NUMBER
        } else if check_x {
            return None;
        } else if self.is_card() {
            class::BANK_CARD
        } else if self.is_old_resident_id() || self.is_social_security() {
            class::ID_NUMBER
        } else if self.is_phone() {
            class::PHONE
        } else {
            return None;
        };
        // The plus sign of a country code belongs to the telephone number.
        let plus = usize::from(class == class::PHONE && before(self.text, self.start(), 1) == "+");
        let start = self.start() - plus;
        (!introduction::is_reference(self.text, start)).then(|| Span::new(class, start, self.end()))
    }

    /// Whether the groups are as long as `shape` says.
    fn has_shape(&self, shape: &[usize]) -> bool {
        self.uniform()
            && self.groups.len() == shape.len()
            && self.groups.iter().zip(shape).all(|(group, len)| group.len() == *len)
    }

    fn has_one_of(&self, shapes: &[&[usize]]) -> bool {
        shapes.iter().any(|shape| self.has_shape(shape))
    }

    /// Whether one separator is used throughout.
    fn uniform(&self) -> bool {
        let mut separators = self.groups.iter().skip(1).map(|group| group.separator);
        let first = separators.next();
        separators.all(|separator| Some(separator) == first)
    }

    /// Whether the digits stand together, or one by one.
    fn is_plain(&self) -> bool {
        self.groups.len() == 1 || (self.whole && self.uniform() && self.groups.iter().all(|group| group.len() == 1))
    }

    /// Groups of four, the last one possibly shorter: how cards and ids are read out.
    fn is_in_fours(&self) -> bool {
        let last = self.groups.len() - 1;
        self.uniform()
            && self
                .groups
                .iter()
                .enumerate()
                .all(|(at, group)| if at == last { group.len() <= 4 } else { group.len() == 4 })
    }

    fn is_resident_id(&self, check_x: bool) -> bool {
        if self.digits.len() + usize::from(check_x) != 18 || !(self.whole || self.is_plain() || self.uniform()) {
            return false;
        }
        let mut characters: Vec<u8> = self.digits.iter().map(|digit| digit + b'0').collect();
        if check_x {
            characters.push(b'X');
        }
        resident_id::is_current(&characters)
    }

    fn is_old_resident_id(&self) -> bool {
        let grouped = self.has_one_of(&[&[6, 6, 3], &[3, 3, 3, 3, 3], &[6, 2, 2, 2, 3], &[4, 4, 4, 3]]);
        let characters: Vec<u8> = self.digits.iter().map(|digit| digit + b'0').collect();
        resident_id::is_old(&characters)
            && (self.is_plain() || grouped || (self.whole && introduction::is_identity(self.text, self.start())))
            && !self.is_in_path()
    }

    fn is_card(&self) -> bool {
        // The check digit before the words, as it rules out nine of ten at little cost.
        if !card::is_card(&self.digits, Introduced::AsCard) {
            return false;
        }
        const SHAPES: &[&[usize]] = &[&[4, 6, 5], &[6, 13], &[4, 6, 4], &[6, 10], &[8, 8], &[4, 2, 13]];
        let shaped = self.is_plain() || self.is_in_fours() || self.has_one_of(SHAPES);
        let issued = shaped && card::is_card(&self.digits, Introduced::No) && !self.is_in_path();
        issued || ((shaped || self.whole) && introduction::is_card(self.text, self.start()))
    }

    fn is_social_security(&self) -> bool {
        let introduced = || introduction::is_social_security(self.text, self.start());
        let dashed =
            self.has_shape(&[3, 2, 4]) && self.groups.iter().skip(1).all(|group| group.separator == Some(b'-'));
        self.digits.len() == 9 && social_security::is_plausible(&self.digits) && (dashed || introduced())
    }

    fn is_phone(&self) -> bool {
        let (national, country) = match self.groups {
            [code, rest @ ..] if !rest.is_empty() && phone::is_country_code(self.text, code) => (rest, code.len()),
            groups => (groups, phone::glued_country_code(&self.digits)),
        };
        let lengths: Vec<usize> = national.iter().map(Group::len).collect();
        let grouped = match lengths.as_slice() {
            [len] => *len == 11 || *len == 11 + country,
            [a, b] => [(3, 8), (7, 4), (4, 7), (6, 5), (5, 6)].contains(&(*a, *b)),
            [a, b, c] => [(3, 4, 4), (4, 3, 4), (3, 3, 5), (4, 4, 3)].contains(&(*a, *b, *c)),
            _ => lengths.iter().all(|len| *len == 1) && self.whole,
        };
        let number = self.digits.get(country..).unwrap_or_default();
        grouped
            && self.uniform_from(national)
            && phone::is_mobile(number)
            && !self.is_in_path()
            && !self.is_measured()
            && !self.is_assigned_number()
    }

    fn uniform_from(&self, groups: &[Group]) -> bool {
        let mut separators = groups.iter().skip(1).map(|group| group.separator);
        let first = separators.next();
        separators.all(|separator| Some(separator) == first)
    }

    /// Whether the number belongs to a path, a file name or an identifier: `/v/13812345678.jpg`, `ORD-13812345678`.
    fn is_in_path(&self) -> bool {
        let head = before(self.text, self.start(), 4).as_bytes();
        let joined = matches!(head, [.., word, b'/' | b'-' | b'.'] if word.is_ascii_alphanumeric());
        let tail = after(self.text, self.end(), 8).as_bytes();
        let extended = matches!(tail, [b'.', letter, ..] if letter.is_ascii_lowercase())
            || matches!(tail, [b'/' | b'-', letter, ..] if letter.is_ascii_alphanumeric());
        (joined || extended) && !introduction::is_phone(self.text, self.start())
    }

    /// Whether the number is the value of a variable that is no telephone: `flags = 17179869184`.
    fn is_assigned_number(&self) -> bool {
        let head = before(self.text, self.start(), 16);
        self.groups.len() == 1 && head.trim_end().ends_with('=') && !introduction::is_phone(self.text, self.start())
    }

    /// Whether the number is an amount: money, people, bytes.
    fn is_measured(&self) -> bool {
        let tail = after(self.text, self.end(), 12).trim_start();
        ["元", "块", "人", "次", "行", "字节", "条", "个", "万", "亿", "毫秒", "bytes", "ms", "rows", "km", "%"]
            .iter()
            .any(|unit| tail.starts_with(unit))
    }
}
