//! Strings as models write them: any quotation mark, unescaped marks inside, broken escapes, an end that is missing.

/// What the string stands for; decides what may follow its closing mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Key,
    Value,
}

/// A string that was read.
#[derive(Debug)]
pub(super) struct Literal {
    pub(super) text: String,
    /// Bytes that it takes, marks included.
    pub(super) length: usize,
    pub(super) is_closed: bool,
}

/// The mark that closes a string which begins with `opening`; none where no string begins with it.
pub(super) fn closing_of(opening: char) -> Option<char> {
    match opening {
        '"' | '\'' | '`' => Some(opening),
        '“' | '”' => Some('”'),
        '‘' | '’' => Some('’'),
        _ => None,
    }
}

/// The string at the beginning of `text`; none where none begins there.
pub(super) fn string(text: &str, place: Place) -> Option<Literal> {
    let opening = text.chars().next()?;
    let closing = closing_of(opening)?;
    let mut read = String::new();
    let mut at = opening.len_utf8();
    while let Some(ch) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let behind = text.get(at + ch.len_utf8()..).unwrap_or_default();
        if ch == '\\' {
            at += 1 + escape(behind, &mut read);
        } else if ch == closing && ends(behind, place) {
            return Some(Literal { text: read, length: at + ch.len_utf8(), is_closed: true });
        } else {
            read.push(ch);
            at += ch.len_utf8();
        }
    }
    Some(Literal { text: read, length: text.len(), is_closed: false })
}

/// The length of the bare word at the beginning of `text`.
pub(super) fn word_length(text: &str) -> usize {
    const LONGEST: usize = 64;
    let is_inside = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-' | '$');
    text.bytes().take(LONGEST).take_while(|byte| is_inside(char::from(*byte))).count()
}

/// Whether a string ends at a mark that `behind` follows. A mark within the words is followed by more words.
fn ends(behind: &str, place: Place) -> bool {
    let next = behind.trim_start();
    let breaks_line = behind.get(..behind.len() - next.len()).is_some_and(|space| space.contains('\n'));
    match (place, next.chars().next()) {
        (_, None) => true,
        (Place::Key, Some(ch)) => matches!(ch, ':' | '：'),
        (Place::Value, Some('}' | ']')) => true,
        (Place::Value, Some(comma @ (',' | '，'))) => begins_entry(&next[comma.len_utf8()..]),
        (Place::Value, Some('/' | '#')) => next.starts_with("//") || next.starts_with("/*") || next.starts_with('#'),
        // The comma was forgotten at the end of a line.
        (Place::Value, Some(ch)) => breaks_line && closing_of(ch).is_some(),
    }
}

/// Whether a key, a value or the end of the container follows a comma.
fn begins_entry(behind: &str) -> bool {
    let next = behind.trim_start_matches(|ch: char| ch.is_whitespace() || ch == ',');
    match next.chars().next() {
        None => true,
        Some('{' | '[' | '}' | ']' | '/' | '#') => true,
        Some(ch) if closing_of(ch).is_some() => true,
        Some(_) => next.get(word_length(next)..).is_some_and(|rest| rest.trim_start().starts_with([':', '：'])),
    }
}

/// Reads what follows a backslash into `read`; the number of its bytes.
fn escape(behind: &str, read: &mut String) -> usize {
    let Some(ch) = behind.chars().next() else { return 0 };
    match ch {
        'n' => read.push('\n'),
        't' => read.push('\t'),
        'r' => read.push('\r'),
        'b' | 'f' | '0' => read.push(' '),
        '"' | '\'' | '\\' | '/' | '`' | '“' | '”' | '‘' | '’' => read.push(ch),
        '\n' => {}
        'u' => return 1 + unicode_escape(&behind[1..], read),
        'x' if hex(&behind[1..], 2).is_some() => {
            read.extend(hex(&behind[1..], 2).and_then(char::from_u32));
            return 3;
        }
        // A path, a pattern: the backslash is meant.
        _ => {
            read.push('\\');
            read.push(ch);
        }
    }
    ch.len_utf8()
}

/// Reads the digits behind `\u`, and the second half of a pair. Half a pair and missing digits give U+FFFD.
fn unicode_escape(digits: &str, read: &mut String) -> usize {
    let Some(first) = hex(digits, 4) else {
        read.push(char::REPLACEMENT_CHARACTER);
        return digits.bytes().take(4).take_while(u8::is_ascii_hexdigit).count();
    };
    let second = digits.get(4..).and_then(|rest| rest.strip_prefix("\\u")).and_then(|rest| hex(rest, 4));
    if let (0xd800..0xdc00, Some(second @ 0xdc00..0xe000)) = (first, second) {
        let scalar = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        read.push(char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER));
        return 10;
    }
    read.push(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
    4
}

fn hex(digits: &str, count: usize) -> Option<u32> {
    let digits = digits.get(..count).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}
