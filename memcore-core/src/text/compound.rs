//! One word of a script with spaces: its whole form, and the parts under which it can be found as well.

use std::collections::HashSet;

use super::folding::{bounded, lowercase, stem};
use super::glyphs::Glyph;
use super::{Span, TermKind};

/// A word, number or compound as it stands in the text.
#[derive(Debug)]
pub(super) struct Compound {
    /// Lower case, not stemmed, without a possessive `'s` and without the `s` of several acronyms.
    pub(super) surface: String,
    /// The form and kind under which the whole is indexed.
    pub(super) whole: (String, TermKind),
    /// Further terms, each once, none equal to the whole.
    pub(super) parts: Vec<(String, TermKind)>,
    pub(super) span: Span,
    pub(super) capitals: Capitals,
    /// Whether it names one thing exactly: a number, a code, a version, a path, a name in `camelCase`. Plain words
    /// that a hyphen, a slash or an apostrophe joins do not.
    pub(super) is_exact: bool,
}

/// How a word is capitalised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Capitals {
    None,
    First,
    All,
}

/// Ends of English contractions, which are no words of their own.
const CONTRACTED: &[&str] = &["s", "t", "d", "m", "ll", "re", "ve"];

impl Compound {
    /// Reads the glyphs of one chunk; `None` where they hold nothing but underscores.
    pub(super) fn new(glyphs: &[Glyph]) -> Option<Self> {
        let first = glyphs.iter().position(|glyph| glyph.ch != '_')?;
        let last = glyphs.iter().rposition(|glyph| glyph.ch != '_')?;
        let glyphs = &glyphs[first..=last];
        let mut written: Vec<char> = glyphs.iter().map(|glyph| straight(glyph.ch)).collect();
        if let [.., '\'', 's' | 'S'] = written[..] {
            written.truncate(written.len() - 2);
        }
        written.truncate(singular(&written).len());
        let span = Span::new(glyphs.first()?.start, glyphs.last()?.end);
        let surface = lowercase(&written);
        let capitals = capitals(&written);
        let shape = Shape::of(&written);
        let (whole, mut parts) = shape.terms(&written, &surface);
        let whole = (bounded(whole.0), whole.1);
        if !parts.is_empty() {
            let mut seen = HashSet::from([whole.0.clone()]);
            parts.retain_mut(|part| {
                part.0 = bounded(std::mem::take(&mut part.0));
                !part.0.is_empty() && seen.insert(part.0.clone())
            });
        }
        Some(Self { surface, whole, parts, span, capitals, is_exact: shape.is_exact() })
    }
}

fn straight(ch: char) -> char {
    match ch {
        '\u{2010}' | '\u{2011}' => '-',
        _ => ch,
    }
}

/// `APIs` and `ORMs` without their `s`, which is no letter of the acronym; any other word as it is.
fn singular(word: &[char]) -> &[char] {
    match word {
        [acronym @ .., 's'] if acronym.len() > 1 && acronym.iter().all(|ch| ch.is_uppercase()) => acronym,
        _ => word,
    }
}

fn capitals(written: &[char]) -> Capitals {
    let letters = || written.iter().filter(|ch| ch.is_alphabetic());
    if letters().count() > 1 && letters().all(|ch| ch.is_uppercase()) {
        Capitals::All
    } else if written.first().is_some_and(|ch| ch.is_uppercase()) {
        Capitals::First
    } else {
        Capitals::None
    }
}

/// What a chunk is made of; decides its terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Letters only.
    Word,
    /// A whole number or a decimal fraction, perhaps with thousands separators.
    Number,
    /// Three or more numbers joined by dots, perhaps after a `v`.
    Version,
    /// Letters that apostrophes join: `don't`, `o'brien`.
    Contraction,
    /// Plain words joined by hyphens or slashes: `multi-agent`, `and/or`; or single letters with dots: `e.g`.
    Joined,
    /// Everything else: codes, paths, addresses, names of the program text.
    Code,
}

impl Shape {
    fn of(written: &[char]) -> Self {
        let only = |allowed: &dyn Fn(char) -> bool| written.iter().all(|&ch| allowed(ch));
        let is_letter = |ch: char| !ch.is_ascii_punctuation() && !ch.is_numeric();
        if only(&is_letter) {
            return if has_inner_capital(written) { Self::Code } else { Self::Word };
        }
        if only(&|ch| ch.is_numeric() || ch == ',' || ch == '.') {
            let dots = written.iter().filter(|&&ch| ch == '.').count();
            return match (dots, has_thousands_or_no_comma(written)) {
                (0 | 1, true) => Self::Number,
                (_, true) => Self::Version,
                (_, false) => Self::Code,
            };
        }
        let unprefixed = written.strip_prefix(&['v']).or(written.strip_prefix(&['V']));
        if unprefixed.is_some_and(|rest| rest.iter().all(|&ch| ch.is_ascii_digit() || ch == '.')) {
            return Self::Version;
        }
        if only(&|ch| is_letter(ch) || ch == '\'') {
            return Self::Contraction;
        }
        let is_plain = written.split(|ch| matches!(ch, '-' | '/' | '\'')).all(|part| {
            // `multi-agent`, `And/or`; but `GB/s`, `TCP/IP`, `UTF-8` are names.
            part.iter().all(|&ch| is_letter(ch)) && !part.iter().skip(1).any(|ch| ch.is_uppercase())
        });
        let is_dotted_letters = written.split(|&ch| ch == '.').all(|part| part.len() == 1 && is_letter(part[0]));
        if is_plain || is_dotted_letters { Self::Joined } else { Self::Code }
    }

    fn is_exact(self) -> bool {
        matches!(self, Self::Number | Self::Version | Self::Code)
    }

    /// The term of the whole and those of its parts.
    fn terms(self, written: &[char], surface: &str) -> ((String, TermKind), Vec<(String, TermKind)>) {
        match self {
            Self::Word => ((stem(surface), TermKind::Word), Vec::new()),
            Self::Number => ((without_thousands(surface), TermKind::Number), Vec::new()),
            Self::Version => ((surface.to_owned(), TermKind::Identifier), version_parts(surface)),
            Self::Contraction => {
                let parts = surface.split('\'').filter(|part| !CONTRACTED.contains(part));
                let parts = parts.map(|part| (stem(part), TermKind::Word)).collect();
                ((surface.to_owned(), TermKind::Word), parts)
            }
            Self::Joined | Self::Code => ((surface.to_owned(), TermKind::Identifier), code_parts(written)),
        }
    }
}

/// Whether letters change from small to capital inside (`camelCase`, `iPhone`, `HTTPServer`).
fn has_inner_capital(written: &[char]) -> bool {
    written.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
        || (written.len() > 3
            && written
                .windows(3)
                .any(|three| three[0].is_uppercase() && three[1].is_uppercase() && three[2].is_lowercase()))
}

/// Whether each comma of a number separates thousands.
fn has_thousands_or_no_comma(number: &[char]) -> bool {
    let whole = number.split(|&ch| ch == '.').next().unwrap_or_default();
    let commas_after_dot = number.iter().skip(whole.len()).any(|&ch| ch == ',');
    !commas_after_dot && whole.split(|&ch| ch == ',').skip(1).all(|group| group.len() == 3)
}

/// `1,000,000.5` as `1000000.5`.
fn without_thousands(number: &str) -> String {
    number.chars().filter(|&ch| ch != ',').collect()
}

/// `v2.5.1` is found as `2.5.1` and `2.5` too, but not as 5 or 1.
fn version_parts(version: &str) -> Vec<(String, TermKind)> {
    const MOST_COMPONENTS: usize = 4;
    let plain = version.trim_start_matches('v');
    let mut parts = vec![(plain.to_owned(), kind_of_version(plain))];
    let dots = plain.match_indices('.').map(|(at, _)| at).skip(1).take(MOST_COMPONENTS);
    parts.extend(dots.map(|at| (plain[..at].to_owned(), kind_of_version(&plain[..at]))));
    parts
}

fn kind_of_version(version: &str) -> TermKind {
    if version.matches('.').count() > 1 { TermKind::Identifier } else { TermKind::Number }
}

/// The parts of a compound: first what `/ \ @ : ? & = #` separate (file names, hosts), then the words in those.
fn code_parts(written: &[char]) -> Vec<(String, TermKind)> {
    let is_coarse =
        |ch: &char| matches!(ch, '/' | '\\' | '@' | ':' | '?' | '&' | '=' | '#' | '%' | '+' | ';' | ',' | '~');
    let is_fine = |ch: &char| !ch.is_alphanumeric() && ch.is_ascii_punctuation();
    let is_url = written.windows(3).any(|three| three == [':', '/', '/']);
    let is_scheme = |part: &[char]| lowercase(part).starts_with("http") && part.len() <= "https".len();
    let mut parts = Vec::new();
    for coarse in written.split(is_coarse) {
        let coarse = trimmed(coarse);
        if coarse.is_empty() || (is_url && is_scheme(coarse)) {
            continue;
        }
        let is_single = !coarse.iter().any(is_fine);
        if !is_single {
            let kind = if is_decimal(coarse) { TermKind::Number } else { TermKind::Identifier };
            parts.push((lowercase(coarse), kind));
            if kind == TermKind::Number {
                continue;
            }
        }
        for fine in coarse.split(is_fine) {
            word_parts(fine, is_single && written.len() == coarse.len(), &mut parts);
        }
    }
    parts
}

/// A coarse part without punctuation at its ends.
fn trimmed(part: &[char]) -> &[char] {
    let Some(first) = part.iter().position(|ch| !ch.is_ascii_punctuation()) else { return &[] };
    let last = part.iter().rposition(|ch| !ch.is_ascii_punctuation()).unwrap_or(first);
    &part[first..=last]
}

fn is_decimal(part: &[char]) -> bool {
    part.iter().all(|ch| ch.is_ascii_digit() || *ch == '.') && part.iter().filter(|&&ch| ch == '.').count() == 1
}

/// The terms of one word of a compound: itself (unless it is the whole compound), the words in its `camelCase`, and
/// the number in a code (`E0382` has 0382, `5kg` has 5 and kg).
fn word_parts(word: &[char], is_whole: bool, parts: &mut Vec<(String, TermKind)>) {
    const SHORTEST_NUMBER_IN_CODE: usize = 3;
    let word = singular(word);
    if word.is_empty() {
        return;
    }
    let has_digit = word.iter().any(|ch| ch.is_numeric());
    let surface = lowercase(word);
    if !is_whole {
        parts.push(match (has_digit, word.iter().all(|ch| ch.is_numeric())) {
            (true, true) => (surface, TermKind::Number),
            (true, false) => (surface, TermKind::Identifier),
            (false, _) => (stem(&surface), TermKind::Word),
        });
    }
    let pieces = case_pieces(word);
    if pieces.len() < 2 {
        return;
    }
    let begins_with_digit = word.first().is_some_and(|ch| ch.is_numeric());
    for piece in pieces {
        let is_number = piece.iter().all(|ch| ch.is_numeric());
        if has_digit && !begins_with_digit && (!is_number || piece.len() < SHORTEST_NUMBER_IN_CODE) {
            continue;
        }
        let surface = lowercase(piece);
        parts.push(if is_number { (surface, TermKind::Number) } else { (stem(&surface), TermKind::Word) });
    }
}

/// Cuts a word where small letters meet capitals, an acronym meets a word, and letters meet digits.
fn case_pieces(word: &[char]) -> Vec<&[char]> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for at in 1..word.len() {
        let (before, ch) = (word[at - 1], word[at]);
        let next_is_small = word.get(at + 1).is_some_and(|next| next.is_lowercase());
        let is_cut = (before.is_lowercase() && ch.is_uppercase())
            || (before.is_uppercase() && ch.is_uppercase() && next_is_small)
            || (before.is_numeric() != ch.is_numeric());
        if is_cut {
            pieces.push(&word[start..at]);
            start = at;
        }
    }
    pieces.push(&word[start..]);
    pieces
}
