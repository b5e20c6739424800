//! What a clause does besides stating: asking, supposing, wishing, reporting.

use super::grammar::Grammar;

/// What a clause does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    /// It says that something is so.
    Statement,
    /// It asks.
    Question,
    /// It asks whether what precedes is so.
    Tag,
    /// It supposes, and so does the rest of the sentence.
    Hypothetical,
    /// It wishes or doubts.
    Wish,
    /// It says what others say.
    Reported,
}

/// The mood of a clause (plain, see `fold`). `asks` says that a question mark follows it.
pub(super) fn mood(grammar: &Grammar, said: &str, asks: bool) -> Mood {
    let said = said.trim_end_matches(['?', '？', '!', '！', '。', '.', ' ', '~', '～']);
    let folded = grammar.fold(said);
    if grammar.tag.is_match(said) {
        Mood::Tag
    } else if asks || grammar.question.is_match(said) || grammar.question_word.is_match(said) {
        Mood::Question
    } else if grammar.hypothetical.is_match(said) {
        Mood::Hypothetical
    } else if grammar.reported.is_match(said) {
        Mood::Reported
    } else if grammar.wish.is_match(&folded) || grammar.wish.is_match(said) {
        Mood::Wish
    } else {
        Mood::Statement
    }
}
