//! Numbers in words of any kind: what a text says besides its numbers, and which numbers it says.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::scan::{Chunk, chunks};

/// English words for numbers, small letters.
const ENGLISH: &[(&str, &str)] = &[
    ("zero", "0"),
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("thirteen", "13"),
    ("fourteen", "14"),
    ("fifteen", "15"),
    ("sixteen", "16"),
    ("seventeen", "17"),
    ("eighteen", "18"),
    ("nineteen", "19"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("sixty", "60"),
    ("seventy", "70"),
    ("eighty", "80"),
    ("ninety", "90"),
    ("hundred", "100"),
    ("thousand", "1000"),
    ("million", "1000000"),
    ("billion", "1000000000"),
    ("once", "1x"),
    ("twice", "2x"),
    ("first", "1st"),
    ("second", "2nd"),
    ("third", "3rd"),
    ("fourth", "4th"),
    ("fifth", "5th"),
];

/// Chinese numerals, simplified.
const CHINESE: &[(char, &str)] = &[
    ('零', "0"),
    ('〇', "0"),
    ('一', "1"),
    ('二', "2"),
    ('两', "2"),
    ('三', "3"),
    ('四', "4"),
    ('五', "5"),
    ('六', "6"),
    ('七', "7"),
    ('八', "8"),
    ('九', "9"),
    ('十', "10"),
    ('百', "百"),
    ('千', "千"),
    ('万', "万"),
    ('亿', "亿"),
    ('半', "半"),
];

/// One word or character of a text.
enum Unit {
    Plain(String),
    Number(String),
}

/// A text with its numbers taken out.
#[derive(Debug)]
pub(super) struct Reading {
    /// Its words and characters in order, `None` for each run of numbers.
    pub(super) masked: Vec<Option<String>>,
    /// Its numbers in order.
    pub(super) numbers: Vec<String>,
}

/// Reads `text` apart from its numbers.
pub(super) fn reading(text: &str) -> Reading {
    let mut reading = Reading { masked: Vec::new(), numbers: Vec::new() };
    for unit in units(text) {
        match unit {
            Unit::Plain(plain) => reading.masked.push(Some(plain)),
            Unit::Number(number) => {
                if !matches!(reading.masked.last(), Some(None)) {
                    reading.masked.push(None);
                }
                reading.numbers.push(number);
            }
        }
    }
    reading
}

fn units(text: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    for chunk in chunks(text) {
        match chunk {
            Chunk::Word(word) => match english_number(&word.surface) {
                Some(number) => units.push(Unit::Number(number.to_owned())),
                None => push_word(&word.surface, &mut units),
            },
            Chunk::Run(run) => units.extend(run.iter().map(|glyph| {
                let numeral = CHINESE.iter().find(|(numeral, _)| *numeral == glyph.ch);
                numeral
                    .map_or_else(|| Unit::Plain(String::from(glyph.ch)), |(_, value)| Unit::Number((*value).to_owned()))
            })),
            Chunk::Emoji(emoji, _) => units.push(Unit::Plain(emoji)),
        }
    }
    units
}

fn english_number(word: &str) -> Option<&'static str> {
    static VALUES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| ENGLISH.iter().copied().collect());
    VALUES.get(word).copied()
}

/// The pieces of a word of letters and digits; dots, commas and hyphens between digits belong to the number.
fn push_word(word: &str, units: &mut Vec<Unit>) {
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_numeric();
        let end = rest.find(|ch: char| {
            let belongs_to_number = ch.is_numeric() || (is_number && matches!(ch, '.' | ',' | ':' | '-' | '/'));
            belongs_to_number != is_number
        });
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        units.push(if is_number { Unit::Number(piece.replace(',', "")) } else { Unit::Plain(piece.to_owned()) });
        rest = after;
    }
}
