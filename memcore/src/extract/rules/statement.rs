//! The statements of one sentence: each clause with its subject, what it takes in of its neighbours, and the pattern
//! that it matches.

use memcore_core::{
    Kind, RejectionReason, Timestamp,
    text::{Language, Span},
};

use super::{
    draft, fold,
    grammar::Grammar,
    mood::{Mood, mood},
    pattern::{Absorbs, Check, Found},
    sentence::clauses_of,
};

/// A statement that a pattern found.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// The pattern, and the slot that it filled.
    pub(super) found: Found,
    /// What the sentence is about, where it says so first (`in the mobile app, …`).
    pub(super) topic: Option<Span>,
    /// The subject that the clause shares with one before.
    pub(super) subject: Option<String>,
    /// The words of the statement.
    pub(super) body: Span,
    /// Whether it was so once.
    pub(super) is_former: bool,
}

/// What a sentence states, and what it only seems to.
#[derive(Debug, Default)]
pub(super) struct Statements {
    pub(super) drafts: Vec<Draft>,
    pub(super) rejected: Vec<(Span, RejectionReason)>,
    /// Whether some clause is part of no draft.
    pub(super) has_rest: bool,
}

/// A sentence to be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'t> {
    /// The text of the message.
    pub(super) text: &'t str,
    /// The part of it that is read.
    pub(super) span: Span,
    /// Whether a question mark ends it.
    pub(super) is_question: bool,
    /// The quotations within lines.
    pub(super) inline: &'t [Span],
    pub(super) grammar: &'static Grammar,
    /// When it was said.
    pub(super) at: Timestamp,
}

/// Reads the statements of a sentence.
pub(super) fn statements(source: Source<'_>) -> Statements {
    let clauses = clauses_of(source.text, source.span, source.grammar);
    let mut reader = Reader { source, result: Statements::default(), subject: None, topic: None, is_open: false };
    let last = clauses.len().saturating_sub(1);
    for (at, clause) in clauses.iter().enumerate() {
        let asks = source.is_question && (at == last || asks_on(source, &clauses, at));
        if !reader.read(*clause, at, asks, at == last) {
            let rest = Span::new(clause.start, source.span.end);
            reader.result.rejected.push((rest, RejectionReason::Hypothetical));
            reader.result.has_rest = true;
            break;
        }
    }
    reader.result
}

/// Whether a clause before the last one belongs to the question at the end (`should I learn this, or that?`).
fn asks_on(source: Source<'_>, clauses: &[Span], at: usize) -> bool {
    let rest = clauses.get(at + 1).map(|next| next.of(source.text)).unwrap_or_default();
    let first = clauses.first().map(|first| fold::plain(first.of(source.text))).unwrap_or_default();
    rest.starts_with("还是") || rest.starts_with("or ") || (at > 0 && source.grammar.question.is_match(&first))
}

struct Reader<'t> {
    source: Source<'t>,
    result: Statements,
    /// Whom the sentence speaks of, where that is the user or theirs.
    subject: Option<String>,
    topic: Option<Span>,
    /// Whether the last statement may still take in the next clause.
    is_open: bool,
}

impl Reader<'_> {
    /// Reads one clause; false where it supposes something and the rest of the sentence with it.
    fn read(&mut self, clause: Span, at: usize, asks: bool, is_last: bool) -> bool {
        let Source { text, grammar, inline, .. } = self.source;
        let raw = clause.of(text);
        let said = fold::plain(raw);
        if is_quotation(inline, clause) {
            return self.reject(clause, RejectionReason::Quoted);
        }
        let mood = mood(grammar, &said, asks);
        match mood {
            Mood::Tag => {
                if let Some(asked) = self.result.drafts.pop() {
                    self.result.rejected.push((asked.body, RejectionReason::Question));
                }
                self.is_open = false;
                return true;
            }
            Mood::Question => return self.reject(clause, RejectionReason::Question),
            Mood::Hypothetical => return false,
            Mood::Reported => {
                self.subject = None;
                return self.reject(clause, RejectionReason::ThirdParty);
            }
            Mood::Statement | Mood::Wish => {}
        }
        let is_other = grammar.other_subject.is_match(&said);
        let own = grammar.subject.captures(&said).filter(|_| !is_other);
        let own = own.and_then(|words| words.name("s")).map(|own| own.as_str().to_owned());
        // Others matter only where they say how to call the user.
        let names_user = |(found, ..): &(Found, _, _)| {
            !is_other || found.slot.as_ref().is_some_and(|slot| slot.attribute() == "preferred name")
        };
        let found = self.find(&said, own.is_some() || is_other, at).filter(names_user);
        match found.filter(|(found, ..)| !self.belongs_to_decision(found)) {
            Some((found, _, _)) if mood == Mood::Wish && !found.pattern.is_wish => {
                self.reject(clause, RejectionReason::Hypothetical);
            }
            Some((found, subject, is_former)) => {
                let topic = self.topic.take();
                self.result.drafts.push(Draft { found, topic, subject, body: clause, is_former });
                self.is_open = true;
            }
            None if self.absorbs(&said, own.is_some() || is_other, mood) => {
                if let Some(draft) = self.result.drafts.last_mut() {
                    draft.body.end = clause.end;
                }
            }
            None if !is_last && own.is_none() && !is_other && grammar.topic.is_match(&said) => {
                let start = self.topic.map_or(clause.start, |topic| topic.start);
                self.topic = Some(Span::new(start, clause.end));
            }
            None => {
                if grammar.transient.is_match(&said) && own.is_some() {
                    self.result.rejected.push((clause, RejectionReason::Transient));
                }
                self.result.has_rest = true;
                self.is_open = false;
                self.topic = None;
                if own.is_none() {
                    self.subject = None;
                }
            }
        }
        if own.is_some() {
            self.subject = own;
        } else if is_other {
            self.subject = None;
        }
        true
    }

    /// The pattern that a clause matches, with the subject that it shares or leaves out, and whether it was so once.
    fn find(&self, said: &str, has_subject: bool, at: usize) -> Option<(Found, Option<String>, bool)> {
        let grammar = self.source.grammar;
        let is_former = grammar.former.is_match(said);
        let present = if is_former { fold::present(said, grammar.language) } else { said.to_owned() };
        let is_near = draft::plan(said, self.source.at).is_none();
        let find = |words: &str| grammar.find(words, |found| found.pattern.check != Check::Planned || !is_near);
        if let Some(found) = find(&present) {
            return Some((found, None, is_former));
        }
        if has_subject {
            return None;
        }
        let joint = if grammar.language == Language::Zh { "" } else { " " };
        if let Some(subject) = self.subject.as_ref().filter(|_| grammar.predicate.is_match(said)) {
            let subject = format!("{}{joint}", capitalised(subject));
            if let Some(found) = find(&format!("{subject}{present}")) {
                return Some((found, Some(subject), is_former));
            }
        }
        if self.subject.is_some() && grammar.apposition.is_match(said) {
            let subject = if grammar.language == Language::Zh { "我是" } else { "I am " };
            return Some((find(&format!("{subject}{present}"))?, Some(subject.to_owned()), is_former));
        }
        if at == 0 && grammar.mine_without_subject.is_match(said) {
            let subjects =
                if grammar.language == Language::Zh { ["我", "我是", "我在"] } else { ["I ", "I am ", "My "] };
            return subjects.into_iter().find_map(|subject| {
                Some((find(&format!("{subject}{present}"))?, Some(subject.to_owned()), is_former))
            });
        }
        None
    }

    /// Whether the last statement takes in a clause that states nothing of its own.
    fn absorbs(&self, said: &str, has_subject: bool, mood: Mood) -> bool {
        let Some(draft) = self.result.drafts.last().filter(|_| self.is_open) else { return false };
        let grammar = self.source.grammar;
        if is_courtesy(said) || grammar.session_only.is_match(said) {
            return false;
        }
        match draft.found.pattern.absorbs {
            Absorbs::All => mood == Mood::Statement,
            Absorbs::Reasons => grammar.reason.is_match(said) || (!has_subject && is_list_item(said, grammar)),
        }
    }

    /// Whether a statement only says more of a decision before it, and would say too little alone
    /// (`…; Kafka is out, we use NATS`).
    fn belongs_to_decision(&self, found: &Found) -> bool {
        let last = self.result.drafts.last().filter(|_| self.is_open);
        last.is_some_and(|last| last.found.pattern.kind == Kind::Decision)
            && found.slot.is_none()
            && matches!(found.pattern.kind, Kind::Decision | Kind::ProjectState)
    }

    fn reject(&mut self, clause: Span, reason: RejectionReason) -> bool {
        self.result.rejected.push((clause, reason));
        self.result.has_rest = true;
        self.is_open = false;
        self.topic = None;
        true
    }
}

/// Whether a clause is one more item of a list (`… , and rock climbing`): no verb is in it.
fn is_list_item(said: &str, grammar: &Grammar) -> bool {
    const VERBS: [&str; 18] = [
        "i", "you", "we", "he", "she", "they", "is", "are", "was", "were", "am", "have", "has", "can", "will", "do",
        "does", "did",
    ];
    grammar.list_item.is_match(said)
        && !said.split(' ').any(|word| VERBS.contains(&word.to_lowercase().trim_end_matches(['.', '!'])))
}

/// Whether a clause is a quotation and little else.
fn is_quotation(inline: &[Span], clause: Span) -> bool {
    inline.iter().any(|quote| {
        let begins = quote.start <= clause.start + 4 && quote.end > clause.start;
        begins && 2 * quote.end.min(clause.end).saturating_sub(clause.start) > clause.len()
    })
}

/// Thanks, laughter and such, which belong to no statement.
fn is_courtesy(said: &str) -> bool {
    let said = said.to_lowercase();
    let said = said.trim_end_matches(['!', '.', '~', '！', '。']);
    [
        "thanks",
        "thank you",
        "please",
        "lol",
        "haha",
        "ok",
        "okay",
        "right",
        "by the way",
        "btw",
        "cheers",
        "remind me",
        "you know",
        "sorry",
        "too",
        "谢谢",
        "谢谢你",
        "哈哈",
        "哈哈哈",
        "好吗",
        "再见",
        "拜托",
        "嗯",
        "好的",
        "对吧",
        "麻烦了",
    ]
    .contains(&said)
}

/// A subject as it stands at the beginning of a sentence.
pub(super) fn capitalised(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
