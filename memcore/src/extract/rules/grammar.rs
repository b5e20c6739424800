//! What the rules of one language consist of, compiled once.

use std::sync::LazyLock;

use memcore_core::text::Language;
use regex::Regex;

use super::{
    en, fold,
    pattern::{self, Compiled, Found, Pattern},
    zh,
};

/// The cues of a language as regular expressions. Those marked *raw* are matched with the text as it stands, since the
/// place where they end matters; the others with the folded clause.
#[derive(Debug)]
pub(super) struct Cues {
    /// Raw: what may stand before a statement and says nothing (`by the way,`).
    pub(super) filler: &'static str,
    /// Raw: asks to remember what follows.
    pub(super) remember: &'static str,
    /// Raw, at the end: asks to remember what precedes.
    pub(super) remember_before: &'static str,
    /// A whole sentence that asks to remember what was just said.
    pub(super) remember_that: &'static str,
    /// Begins a standing instruction.
    pub(super) standing: &'static str,
    /// What begins like a standing instruction and is a plan or a farewell.
    pub(super) not_standing: &'static str,
    /// An instruction about the manner of answers: standing unless it is about one thing at hand.
    pub(super) manner: &'static str,
    /// Asks for something else, right behind what the user does not like.
    pub(super) instead: &'static str,
    /// Names one thing at hand.
    pub(super) one_off: &'static str,
    /// Where a standing instruction sets the language of replies.
    pub(super) reply_language: &'static str,
    /// Says that something holds in the present project.
    pub(super) this_project: &'static str,
    /// A rule rather than a taste.
    pub(super) must: &'static str,
    /// Raw: asks to forget; group `q` is what.
    pub(super) forget: &'static str,
    /// A whole sentence that asks not to keep what was just said.
    pub(super) forget_that: &'static str,
    /// Raw: begins a correction; what follows is the right value.
    pub(super) correction: &'static str,
    /// Something to be done; with a date, or a request to be reminded.
    pub(super) todo: &'static str,
    /// Asks to be reminded.
    pub(super) remind: &'static str,
    /// A question by its beginning.
    pub(super) question: &'static str,
    /// A question by a word within the clause.
    pub(super) question_word: &'static str,
    /// A question that takes back what precedes it (`right?`).
    pub(super) tag: &'static str,
    /// Supposes something, for the rest of the sentence.
    pub(super) hypothetical: &'static str,
    /// Wishes or doubts something.
    pub(super) wish: &'static str,
    /// Takes the sentence back as a joke.
    pub(super) joke: &'static str,
    /// Reports what others say.
    pub(super) reported: &'static str,
    /// Holds for this session only.
    pub(super) session_only: &'static str,
    /// Holds today only.
    pub(super) transient: &'static str,
    /// Was so once.
    pub(super) former: &'static str,
    /// A leading part of a sentence that says what it is about.
    pub(super) topic: &'static str,
    /// Begins a clause that belongs to the one before.
    pub(super) reason: &'static str,
    /// Raw: splits a clause into two.
    pub(super) split: &'static str,
    /// Begins with the user, the team, or a relative: group `s` is the subject.
    pub(super) subject: &'static str,
    /// Begins with somebody else.
    pub(super) other_subject: &'static str,
    /// Begins a clause that shares the subject of the one before.
    pub(super) predicate: &'static str,
    /// Begins what the subject of the clause before is (`I'm Ann, a nurse`).
    pub(super) apposition: &'static str,
    /// A clause without a subject whose subject can only be the user.
    pub(super) mine_without_subject: &'static str,
    /// Part of a list, not a clause.
    pub(super) list_item: &'static str,
    /// Where a correction names the right value as such (`it's`).
    pub(super) copula: &'static str,
    /// A polite request in the form of a question.
    pub(super) request: &'static str,
    /// What a request to forget says besides what it is about.
    pub(super) around_query: &'static str,
    /// Says that what is to be remembered follows.
    pub(super) announces: &'static str,
    /// A cue that also stands before something to be done (`remember to`).
    pub(super) errand: &'static str,
    /// Something to be done, behind such a cue.
    pub(super) errand_body: &'static str,
    /// A pronoun and nothing else.
    pub(super) points_elsewhere: &'static str,
    /// The old value in the report of a change, to be left out.
    pub(super) old_value: &'static str,
}

/// The rules of one language.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) language: Language,
    pub(super) filler: Regex,
    pub(super) remember: Regex,
    pub(super) remember_before: Regex,
    pub(super) remember_that: Regex,
    pub(super) standing: Regex,
    pub(super) not_standing: Regex,
    pub(super) manner: Regex,
    pub(super) instead: Regex,
    pub(super) one_off: Regex,
    pub(super) this_project: Regex,
    pub(super) reply_language: Regex,
    pub(super) must: Regex,
    pub(super) forget: Regex,
    pub(super) forget_that: Regex,
    pub(super) correction: Regex,
    pub(super) todo: Regex,
    pub(super) remind: Regex,
    pub(super) question: Regex,
    pub(super) question_word: Regex,
    pub(super) tag: Regex,
    pub(super) hypothetical: Regex,
    pub(super) wish: Regex,
    pub(super) joke: Regex,
    pub(super) reported: Regex,
    pub(super) session_only: Regex,
    pub(super) transient: Regex,
    pub(super) former: Regex,
    pub(super) topic: Regex,
    pub(super) reason: Regex,
    pub(super) split: Regex,
    pub(super) subject: Regex,
    pub(super) other_subject: Regex,
    pub(super) predicate: Regex,
    pub(super) apposition: Regex,
    pub(super) mine_without_subject: Regex,
    pub(super) list_item: Regex,
    pub(super) copula: Regex,
    pub(super) request: Regex,
    pub(super) around_query: Regex,
    pub(super) announces: Regex,
    pub(super) errand: Regex,
    pub(super) errand_body: Regex,
    pub(super) points_elsewhere: Regex,
    pub(super) old_value: Regex,
    patterns: Vec<Compiled>,
}

impl Grammar {
    /// The rules for a sentence: Chinese where it holds a Chinese character.
    pub(super) fn of(sentence: &str) -> &'static Self {
        static CHINESE: LazyLock<Grammar> =
            LazyLock::new(|| Grammar::new(Language::Zh, &zh::CUES, &zh::PATTERNS, zh::FRAGMENTS));
        static ENGLISH: LazyLock<Grammar> =
            LazyLock::new(|| Grammar::new(Language::En, &en::CUES, &en::PATTERNS, en::FRAGMENTS));
        let is_chinese = sentence.chars().any(|ch| matches!(ch, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}'));
        if is_chinese { &CHINESE } else { &ENGLISH }
    }

    fn new(language: Language, cues: &Cues, tables: &[&'static [Pattern]], fragments: &[(&str, &str)]) -> Self {
        let cue = |cue: &str| compiled(&format!("(?i){cue}"));
        Self {
            language,
            filler: cue(cues.filler),
            remember: cue(cues.remember),
            remember_before: cue(cues.remember_before),
            remember_that: cue(cues.remember_that),
            standing: cue(cues.standing),
            not_standing: cue(cues.not_standing),
            manner: cue(cues.manner),
            instead: cue(cues.instead),
            one_off: cue(cues.one_off),
            this_project: cue(cues.this_project),
            reply_language: cue(cues.reply_language),
            must: cue(cues.must),
            forget: cue(cues.forget),
            forget_that: cue(cues.forget_that),
            correction: cue(cues.correction),
            todo: cue(cues.todo),
            remind: cue(cues.remind),
            question: cue(cues.question),
            question_word: cue(cues.question_word),
            tag: cue(cues.tag),
            hypothetical: cue(cues.hypothetical),
            wish: cue(cues.wish),
            joke: cue(cues.joke),
            reported: cue(cues.reported),
            session_only: cue(cues.session_only),
            transient: cue(cues.transient),
            former: cue(cues.former),
            topic: cue(cues.topic),
            reason: cue(cues.reason),
            split: cue(cues.split),
            subject: cue(cues.subject),
            other_subject: cue(cues.other_subject),
            predicate: cue(cues.predicate),
            apposition: cue(cues.apposition),
            mine_without_subject: cue(cues.mine_without_subject),
            list_item: cue(cues.list_item),
            copula: cue(cues.copula),
            request: cue(cues.request),
            around_query: cue(cues.around_query),
            announces: cue(cues.announces),
            errand: cue(cues.errand),
            errand_body: cue(cues.errand_body),
            points_elsewhere: cue(cues.points_elsewhere),
            old_value: cue(cues.old_value),
            patterns: tables.iter().flat_map(|table| pattern::compile(table, fragments)).collect(),
        }
    }

    /// The folded form of a clause that patterns are matched with.
    pub(super) fn fold(&self, clause: &str) -> String {
        if self.language == Language::Zh { fold::chinese(clause) } else { fold::english(clause) }
    }

    /// What the first matching pattern finds in a clause; `accepts` may turn a pattern down.
    pub(super) fn find(&self, clause: &str, accepts: impl Fn(&Found) -> bool) -> Option<Found> {
        let said = clause.trim_end_matches(is_end_mark);
        let folded = self.fold(said);
        self.patterns.iter().find_map(|pattern| pattern.find(&folded, said, self.language).filter(&accepts))
    }
}

/// Whether a mark may end a statement without belonging to it.
pub(super) fn is_end_mark(ch: char) -> bool {
    ch.is_whitespace()
        || matches!(ch, '。' | '.' | '!' | '！' | '~' | '～' | ',' | '，' | ';' | '；' | '、' | '…' | ':' | '：')
}

/// A regular expression of the rules.
#[expect(clippy::expect_used, reason = "the expressions are constants, and a test compiles every one")]
pub(super) fn compiled(expression: &str) -> Regex {
    Regex::new(expression).expect("invariant: the expressions of the rules are valid")
}
