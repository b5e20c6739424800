//! The clauses of a sentence: about one statement each.

use super::Span;
use super::quotes::quoted_spans;

/// Subjects that make the words behind `and`, `but` or `so` a statement of their own, small letters.
const SUBJECTS: &[&str] = &[
    "i", "i'm", "i've", "i'd", "i'll", "we", "we're", "we've", "we'll", "he", "he's", "he'll", "she", "she's",
    "she'll", "they", "they're", "they've", "they'll", "it", "it's",
];

/// Words that make those before `and` a whole statement.
const FINITE: &[&str] = &[
    "am", "is", "are", "was", "were", "be", "have", "has", "had", "do", "does", "did", "will", "would", "can", "could",
    "should", "must", "may", "might", "don't", "doesn't", "didn't", "isn't", "wasn't", "can't", "won't", "not", "i'm",
    "we're", "he's", "she's", "it's", "they're", "i've", "we've", "please", "let's",
];

/// Coordinators that a clause may begin with after a comma; they join statements and say nothing themselves.
const LEADING_ENGLISH: &[&str] = &["and", "but", "or", "yet"];
const LEADING_CHINESE: &[&str] =
    &["而且", "并且", "但是", "可是", "不过", "然后", "另外", "此外", "同时", "还有", "以及", "然而", "只是"];

/// How many words before `and I` are taken for a whole statement even without a word of [`FINITE`] or [`SUBJECTS`].
const WORDS_OF_A_STATEMENT: usize = 5;

/// The clauses of `sentence` in order, each trimmed, without the separators and without a leading `and`, `but`, 而且,
/// 但是 …; none is empty.
///
/// Separators are ，,、;； and, where a statement precedes them and a pronoun follows, the words `and`, `but` and `so`
/// (`I like tea and I hate coffee`, but not `my wife and I`). Nothing is cut inside quotation marks, brackets or
/// numbers.
///
/// ```
/// use memcore_core::text::clauses;
///
/// let text = "我住在上海，但是在北京工作";
/// let found: Vec<_> = clauses(text).iter().map(|span| span.of(text)).collect();
/// assert_eq!(found, ["我住在上海", "在北京工作"]);
/// ```
pub fn clauses(sentence: &str) -> Vec<Span> {
    let mut protected = quoted_spans(sentence);
    protected.extend(bracketed_spans(sentence));
    protected.sort();
    let mut protected = protected.into_iter().peekable();
    let mut found = Vec::new();
    let mut start = 0;
    let mut safe_until = 0;
    let mut words = WordsSoFar::default();
    let mut chars = sentence.char_indices().peekable();
    let mut before = None;
    while let Some((at, ch)) = chars.next() {
        while let Some(span) = protected.next_if(|span| span.start <= at) {
            safe_until = safe_until.max(span.end);
        }
        let next = chars.peek().map(|&(_, next)| next);
        let is_word_start = ch.is_ascii_alphabetic() && !before.is_some_and(is_in_word);
        let previous = before.replace(ch);
        if at < safe_until {
            continue;
        }
        let is_digit = |ch: Option<char>| ch.is_some_and(|ch| ch.is_numeric());
        let separates = match ch {
            '，' | '、' | '；' => true,
            ',' | ';' => !(is_digit(previous) && is_digit(next)),
            _ => false,
        };
        if separates {
            push_clause(sentence, start, at, &mut found);
            start = at + ch.len_utf8();
            words = WordsSoFar::default();
        } else if is_word_start {
            let word = word_at(sentence, at);
            if words.is_statement() && previous == Some(' ') && joins_statements(sentence, at, word) {
                push_clause(sentence, start, at, &mut found);
                start = at + word.len();
                words = WordsSoFar::default();
            } else {
                words.add(word);
            }
        }
    }
    push_clause(sentence, start, sentence.len(), &mut found);
    found
}

/// What is known of the clause so far.
#[derive(Debug, Default)]
struct WordsSoFar {
    count: usize,
    has_subject: bool,
    has_finite: bool,
}

impl WordsSoFar {
    fn add(&mut self, word: &str) {
        let word = word.to_lowercase().replace('’', "'");
        self.count += 1;
        self.has_subject |= SUBJECTS.contains(&word.as_str());
        self.has_finite |= FINITE.contains(&word.as_str());
    }

    fn is_statement(&self) -> bool {
        self.count >= WORDS_OF_A_STATEMENT || (self.count > 1 && (self.has_finite || self.has_subject))
    }
}

/// Whether `word` at `at` is a coordinator before a subject.
fn joins_statements(sentence: &str, at: usize, word: &str) -> bool {
    if !["and", "but", "so"].contains(&word) {
        return false;
    }
    let rest = &sentence[at + word.len()..];
    let subject = rest.strip_prefix(' ').map(|rest| word_at(rest, 0)).unwrap_or_default();
    SUBJECTS.contains(&subject.to_lowercase().replace('’', "'").as_str())
}

/// The word of Latin letters and apostrophes at byte `at`; bounded, since only short words are looked up.
fn word_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest
        .char_indices()
        .take(LONGEST_WORD)
        .find(|(_, ch)| !is_in_word(*ch))
        .map_or_else(|| rest.char_indices().nth(LONGEST_WORD).map_or(rest.len(), |(at, _)| at), |(at, _)| at);
    &rest[..end]
}

/// Longer words, in characters, are cut before they are looked up.
const LONGEST_WORD: usize = 16;

fn is_in_word(ch: char) -> bool {
    ch.is_ascii_alphanumeric() || matches!(ch, '\'' | '’' | '_')
}

fn push_clause(sentence: &str, start: usize, end: usize, found: &mut Vec<Span>) {
    let Some(mut span) = Span::new(start, end).trimmed(sentence) else { return };
    if start > 0 {
        let piece = span.of(sentence);
        let english = word_at(piece, 0);
        if LEADING_ENGLISH.contains(&english.to_lowercase().as_str()) {
            span.start += english.len();
        } else if let Some(leading) = LEADING_CHINESE.iter().find(|leading| piece.starts_with(**leading)) {
            span.start += leading.len();
        } else if piece.starts_with('但') && !piece.starts_with("但愿") && !piece.starts_with("但凡") {
            span.start += '但'.len_utf8();
        }
    }
    found.extend(span.trimmed(sentence).filter(|span| span.of(sentence).chars().any(char::is_alphanumeric)));
}

/// The spans inside brackets that are closed, the marks included.
fn bracketed_spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut open: Vec<(usize, char)> = Vec::new();
    for (at, ch) in text.char_indices() {
        let closing = match ch {
            '(' => ')',
            '（' => '）',
            '[' => ']',
            '【' => '】',
            '{' => '}',
            '《' => '》',
            '〈' => '〉',
            ')' | '）' | ']' | '】' | '}' | '》' | '〉' => {
                if let Some((start, _)) = open.pop_if(|(_, closing)| *closing == ch) {
                    spans.push(Span::new(start, at + ch.len_utf8()));
                }
                continue;
            }
            _ => continue,
        };
        open.push((at, closing));
    }
    spans
}
