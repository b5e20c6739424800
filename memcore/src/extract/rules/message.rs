//! One message of the user: each sentence goes to the first of the cues that it begins with, or else its statements are
//! looked for.

use memcore_core::{
    Candidate, Kind, Level, Operation, RejectionReason, StoredMessage,
    text::{self, Language, Span},
};

use super::{
    correction, draft,
    draft::{Origin, candidate_of},
    fold,
    grammar::{Grammar, is_end_mark},
    mood::{Mood, mood},
    prose::{Prose, own_words},
    reading::{Reading, Said},
    sentence::{Sentence, sentences_of},
    statement::{Source, Statements, statements},
};

/// Longer sentences, in bytes, are no statements of a person: pasted data.
const LONGEST_SENTENCE: usize = 4000;
/// How many sentences of one message are read.
const MOST_SENTENCES: usize = 2000;
/// How many words may stand before a statement (`hi, by the way, …`).
const MOST_FILLERS: usize = 4;

/// Reads one message into a [`Reading`].
pub(super) struct MessageReader<'m, 'r> {
    origin: Origin<'m>,
    prose: Prose,
    reading: &'r mut Reading,
    /// Whether the sentence before asked to keep what follows.
    keeps_next: bool,
    /// How many candidates there were before the last sentence.
    before_last: usize,
}

impl<'m, 'r> MessageReader<'m, 'r> {
    pub(super) fn new(message: &'m StoredMessage, text: &'m str, reading: &'r mut Reading) -> Self {
        let before_last = reading.candidates.len();
        Self { origin: Origin { message, text }, prose: own_words(text), reading, keeps_next: false, before_last }
    }

    /// Reads all sentences.
    pub(super) fn read(mut self) {
        for span in std::mem::take(&mut self.prose.foreign) {
            if names_the_user(span.of(self.origin.text)) {
                self.reject(span, RejectionReason::Quoted);
            }
        }
        let mut seen = std::collections::HashSet::new();
        let mut count = 0;
        for region in std::mem::take(&mut self.prose.own) {
            for sentence in sentences_of(self.origin.text, region, &self.prose.inline) {
                count += 1;
                if count > MOST_SENTENCES {
                    return;
                }
                if sentence.span.len() <= LONGEST_SENTENCE && seen.insert(sentence.span.of(self.origin.text)) {
                    let before = self.reading.candidates.len();
                    self.read_sentence(sentence);
                    self.before_last = before;
                }
            }
        }
    }

    fn read_sentence(&mut self, sentence: Sentence) {
        let text = self.origin.text;
        let grammar = Grammar::of(sentence.span.of(text));
        if let Some(said) = self.said_at(sentence.span, grammar)
            && self.reads_about_keeping(&said, sentence, grammar)
        {
            return;
        }
        if self.read_correction(sentence, grammar) {
            return;
        }
        let span = self.without_fillers(sentence.span, grammar);
        let Some(said) = self.said_at(span, grammar) else { return };
        if self.reads_about_keeping(&said, Sentence { span, ..sentence }, grammar) {
            return;
        }
        let whole = fold::plain(sentence.span.of(text));
        if grammar.joke.is_match(&whole) {
            if said.chars().count() < 24 {
                self.take_back_last_sentence();
            }
            self.reject(span, RejectionReason::Hypothetical);
            return;
        }
        if self.read_forget(span, sentence.is_question, grammar)
            || self.read_remember(span, sentence.is_question, grammar)
            || self.read_remember_at_end(span, sentence.is_question, grammar)
        {
            return;
        }
        if self.keeps_next && !sentence.is_question {
            self.keep(span, span, grammar);
            return;
        }
        let is_question = sentence.is_question || mood(grammar, &said, false) == Mood::Question;
        if !is_question && grammar.session_only.is_match(&said) {
            self.read_session_only(span);
        } else if !is_question
            && (self.is_standing(&said, grammar) || grammar.instead.is_match(&said) && self.follows_taste())
        {
            let span = self.origin.trimmed(span);
            self.propose(draft::instruction(&content(span.of(text), grammar), span, self.origin, grammar));
        } else if !is_question && self.is_todo(&said, span, grammar) {
            let span = self.origin.trimmed(span);
            self.propose(draft::todo(&content(span.of(text), grammar), span, self.origin, grammar));
        } else {
            self.read_statements(span, sentence.is_question, grammar);
        }
    }

    /// The plain words of a span; none where they are no words.
    fn said_at(&self, span: Span, grammar: &Grammar) -> Option<String> {
        let said = fold::plain(self.origin.trimmed(span).of(self.origin.text));
        let is_word = |ch: char| ch.is_alphanumeric();
        (said.chars().any(is_word)
            && (grammar.language == Language::Zh || said.is_ascii() || said.chars().any(is_word)))
        .then_some(said)
    }

    /// `remember that` and `don't remember that`: about what was just said.
    fn reads_about_keeping(&mut self, said: &str, sentence: Sentence, grammar: &Grammar) -> bool {
        if sentence.is_question {
            return false;
        }
        if grammar.forget_that.is_match(said) {
            let before = self.reading.said.pop();
            match before {
                Some(Said { candidate, at }) => {
                    if let Some(at) = at.filter(|at| at + 1 == self.reading.candidates.len()) {
                        self.reading.candidates.truncate(at);
                    }
                    let mut forget = candidate;
                    forget.operation = Operation::Forget;
                    forget.explicit = true;
                    forget.quote = Some(self.origin.quote(self.origin.trimmed(sentence.span)));
                    self.propose(forget);
                }
                None => self.reject(sentence.span, RejectionReason::NotSelfContained),
            }
            return true;
        }
        if grammar.remember_that.is_match(said) {
            match self.reading.said.last().and_then(|said| said.at) {
                Some(at) => {
                    let asked = self.reading.candidates.get_mut(at..).unwrap_or_default();
                    asked.iter_mut().for_each(draft::make_explicit);
                }
                None => self.keep_last_words(sentence.span),
            }
            self.keeps_next =
                self.origin.text.get(..sentence.span.end).is_some_and(|text| text.trim_end().ends_with([':', '：']));
            return true;
        }
        false
    }

    /// Keeps the words of the statement before, in which no pattern found anything.
    fn keep_last_words(&mut self, asking: Span) {
        match self.reading.said.last().cloned() {
            Some(Said { mut candidate, .. }) if candidate.quote.is_some() => {
                draft::make_explicit(&mut candidate);
                self.propose(candidate);
            }
            _ => self.reject(asking, RejectionReason::NotSelfContained),
        }
    }

    /// `no, it's 9090`: the statement that it corrects, put right.
    fn read_correction(&mut self, sentence: Sentence, grammar: &'static Grammar) -> bool {
        let words = sentence.span.of(self.origin.text);
        let Some(cue) = grammar.correction.find(words).filter(|cue| cue.end() > 0 && !sentence.is_question) else {
            return false;
        };
        let right = Span::new(sentence.span.start + cue.end(), sentence.span.end);
        let values = correction::values(right.of(self.origin.text));
        let plain = fold::plain(right.of(self.origin.text));
        if plain.is_empty() {
            return false;
        }
        // A whole statement speaks for itself.
        let stated = self.statements(right, false, grammar);
        let candidates = self.candidates(&stated, grammar);
        let has_subject = grammar.subject.is_match(&plain);
        if has_subject && candidates.is_empty() {
            return false;
        }
        if !candidates.is_empty() {
            for mut candidate in candidates {
                let rival = self.rival(&candidate);
                if let Some(rival) = rival {
                    candidate.operation = Operation::Correct { replaces: rival.candidate.content.clone() };
                }
                self.propose(candidate);
            }
            return true;
        }
        let has_copula = grammar.copula.is_match(&fold::plain(cue.as_str()));
        let is_value = has_copula || values.wrong.is_some() || values.right.chars().any(|ch| ch.is_ascii_digit());
        if !is_value {
            return false;
        }
        match correction::corrected(&values, &self.reading.said) {
            Some((wrong, content)) => {
                let mut candidate = wrong.clone();
                candidate.operation = Operation::Correct { replaces: wrong.content.clone() };
                // A slot that names its object names the right one now.
                if let Some(found) = grammar.find(&content, |_| true) {
                    candidate.slot = found.slot.or(candidate.slot);
                }
                candidate.content = content;
                candidate.importance = candidate.importance.max(memcore_core::Importance::DEFAULT);
                candidate.quote = Some(self.origin.quote(self.origin.trimmed(sentence.span)));
                candidate.valid_from = None;
                self.propose(candidate);
            }
            None => self.reject(sentence.span, RejectionReason::NotSelfContained),
        }
        true
    }

    /// The earlier statement that a corrected one takes the place of: of the same slot, or where it has none, the last
    /// one in much the same words.
    fn rival(&self, candidate: &Candidate) -> Option<&Said> {
        const MUCH: f32 = 0.3;
        self.reading.said.iter().rev().find(|said| {
            let known = &said.candidate;
            let is_like = match (&known.slot, &candidate.slot) {
                (None, None) => text::term_overlap(&known.content, &candidate.content) >= MUCH,
                (known, new) => known == new,
            };
            is_like && known.content != candidate.content
        })
    }

    /// `forget what I said about …`.
    fn read_forget(&mut self, span: Span, is_question: bool, grammar: &Grammar) -> bool {
        let words = span.of(self.origin.text);
        let Some(found) = grammar.forget.captures(words) else { return false };
        let Some(query) = ["q", "q2", "q3", "q4", "q5", "q6"].iter().find_map(|name| found.name(name)) else {
            return false;
        };
        if is_question && !grammar.request.is_match(words) {
            return false;
        }
        let query = grammar.around_query.replace_all(query.as_str(), "");
        let query = query.trim().trim_end_matches(is_end_mark);
        if query.chars().count() < 2 {
            self.reject(span, RejectionReason::NotSelfContained);
            return true;
        }
        let span = self.origin.trimmed(span);
        let mut forget = draft::explicit(query, span, self.origin, grammar);
        forget.operation = Operation::Forget;
        self.propose(forget);
        true
    }

    /// `remember: …`.
    fn read_remember(&mut self, span: Span, is_question: bool, grammar: &'static Grammar) -> bool {
        let words = span.of(self.origin.text);
        let Some(cue) = grammar.remember.find(words).filter(|cue| cue.end() > 0) else { return false };
        let rest = Span::new(span.start + cue.end(), span.end);
        let said = fold::plain(rest.of(self.origin.text));
        let is_request = is_question && grammar.request.is_match(words) && !grammar.question.is_match(&said);
        if (is_question && !is_request) || mood(grammar, &said, false) == Mood::Question && !said.contains(['，', ','])
        {
            self.reject(span, RejectionReason::Question);
            return true;
        }
        if said.trim_end_matches(is_end_mark).is_empty() || grammar.announces.is_match(&said) {
            self.keeps_next = true;
            return true;
        }
        self.keeps_next = grammar.announces.is_match(&fold::plain(cue.as_str()));
        if grammar.errand.is_match(&fold::plain(cue.as_str())) && grammar.errand_body.is_match(&said) {
            let whole = self.origin.trimmed(span);
            let mut todo = draft::todo(&content(whole.of(self.origin.text), grammar), whole, self.origin, grammar);
            todo.explicit = true;
            self.propose(todo);
            return true;
        }
        self.keep(rest, span, grammar);
        true
    }

    /// `…, please remember that`.
    fn read_remember_at_end(&mut self, span: Span, is_question: bool, grammar: &'static Grammar) -> bool {
        let words = span.of(self.origin.text);
        let Some(cue) = grammar.remember_before.find(words).filter(|cue| cue.start() > 3 && !is_question) else {
            return false;
        };
        let before = Span::new(span.start, span.start + cue.start());
        let said = fold::plain(before.of(self.origin.text));
        if mood(grammar, &said, false) != Mood::Statement || said.chars().count() < 4 || is_promise(&said) {
            return false;
        }
        self.keep(before, span, grammar);
        true
    }

    /// Keeps words that the user asked to keep: as the statements that they make, where they are nothing else, or as
    /// they stand.
    fn keep(&mut self, rest: Span, quoted: Span, grammar: &'static Grammar) {
        let rest = self.origin.trimmed(rest);
        let asked = rest.of(self.origin.text).trim_end_matches(['?', '？']);
        let rest = self.origin.trimmed(Span::new(rest.start, rest.start + asked.len()));
        let quoted = self.origin.trimmed(quoted);
        let words = rest.of(self.origin.text);
        let said = fold::plain(words);
        if said.chars().count() < 2 || grammar.points_elsewhere.is_match(&said) {
            self.reject(quoted, RejectionReason::NotSelfContained);
            return;
        }
        if self.is_standing(&said, grammar) {
            self.propose(draft::instruction(&content(words, grammar), quoted, self.origin, grammar));
            return;
        }
        let stated = self.statements(rest, false, grammar);
        let is_whole =
            !stated.has_rest && stated.rejected.is_empty() && stated.drafts.iter().all(|draft| !draft.is_former);
        let mut candidates = if is_whole { self.candidates(&stated, grammar) } else { Vec::new() };
        candidates.retain(|candidate| candidate.operation == Operation::Add);
        if candidates.is_empty() {
            let mut whole = draft::explicit(&content(words, grammar), quoted, self.origin, grammar);
            if grammar.must.is_match(&said) {
                whole.kind = Kind::Constraint;
            }
            if let Some(first) = stated.drafts.first() {
                whole.kind = first.found.pattern.kind.clone();
                let is_alone = stated.drafts.len() == 1 && first.body.len() * 10 >= rest.len() * 8;
                whole.slot = first.found.slot.clone().filter(|_| is_alone);
            }
            candidates.push(whole);
        } else if let [only] = candidates.as_mut_slice() {
            only.quote = Some(self.origin.quote(quoted));
        }
        for mut candidate in candidates {
            draft::make_explicit(&mut candidate);
            self.propose(candidate);
        }
    }

    /// What holds for this session stays in it.
    fn read_session_only(&mut self, span: Span) {
        let span = self.origin.trimmed(span);
        if self.origin.message.scope.session_id().is_none() {
            self.reject(span, RejectionReason::Transient);
            return;
        }
        let grammar = Grammar::of(span.of(self.origin.text));
        let mut candidate = draft::explicit(span.of(self.origin.text), span, self.origin, grammar);
        candidate.kind = Kind::Constraint;
        candidate.importance = memcore_core::Importance::DEFAULT;
        candidate.level = Some(Level::Session);
        self.reading.propose(candidate);
    }

    /// Whether the sentence before said what the user does not like or want.
    fn follows_taste(&self) -> bool {
        let last = self.reading.candidates.get(self.before_last..).unwrap_or_default();
        last.iter().any(|candidate| {
            let slot = candidate.slot.as_ref();
            candidate.kind == Kind::Preference && slot.is_some_and(|slot| slot.attribute().starts_with("taste"))
        })
    }

    fn is_standing(&self, said: &str, grammar: &Grammar) -> bool {
        grammar.standing.is_match(said) && !grammar.not_standing.is_match(said)
            || grammar.manner.is_match(said) && !grammar.one_off.is_match(said)
    }

    /// Something to be done, with a date or a request to be reminded.
    fn is_todo(&self, said: &str, span: Span, grammar: &Grammar) -> bool {
        grammar.todo.is_match(said)
            && (grammar.remind.is_match(said) || draft::due(span.of(self.origin.text), self.origin.at()).is_some())
            && !grammar.hypothetical.is_match(said)
    }

    fn read_statements(&mut self, span: Span, is_question: bool, grammar: &'static Grammar) {
        let stated = self.statements(span, is_question, grammar);
        let candidates = self.candidates(&stated, grammar);
        for (span, reason) in &stated.rejected {
            if *reason != RejectionReason::Question || names_the_user(span.of(self.origin.text)) {
                self.reject(*span, *reason);
            }
        }
        if candidates.is_empty() && stated.rejected.is_empty() {
            self.remember_words(span, grammar);
        }
        let keeps =
            candidates.iter().any(|candidate| candidate.operation == Operation::Add && candidate.slot.is_some());
        for candidate in candidates {
            // Who names the new employer need not be told that the old one is past.
            let is_covered = candidate.operation == Operation::Retract && keeps;
            if !is_covered {
                self.propose(candidate);
            }
        }
    }

    /// A statement in which no pattern found anything may still be corrected, or asked to be kept, in the next breath.
    fn remember_words(&mut self, span: Span, grammar: &Grammar) {
        let span = self.origin.trimmed(span);
        if span.of(self.origin.text).chars().count() >= 6 {
            let words = span.of(self.origin.text);
            let mut candidate = Candidate::new(content(words, grammar), Kind::Fact);
            candidate.quote = Some(self.origin.quote(span));
            self.reading.said.push(Said { candidate, at: None });
        }
    }

    fn statements(&self, span: Span, is_question: bool, grammar: &'static Grammar) -> Statements {
        statements(Source {
            text: self.origin.text,
            span,
            is_question,
            inline: &self.prose.inline,
            grammar,
            at: self.origin.at(),
        })
    }

    fn candidates(&self, stated: &Statements, grammar: &Grammar) -> Vec<Candidate> {
        stated.drafts.iter().filter_map(|draft| candidate_of(draft, self.origin, grammar)).collect()
    }

    /// A span without the words at its beginning that say nothing.
    fn without_fillers(&self, span: Span, grammar: &Grammar) -> Span {
        let mut start = span.start;
        for _ in 0..MOST_FILLERS {
            let words = Span::new(start, span.end).of(self.origin.text);
            match grammar.filler.find(words).map(|filler| filler.end()).filter(|end| *end > 0 && *end < words.len()) {
                Some(end) => start += end,
                None => break,
            }
        }
        Span::new(start, span.end)
    }

    /// Takes back what the sentence before gave: it was a joke.
    fn take_back_last_sentence(&mut self) {
        let before = self.before_last;
        let taken: Vec<Candidate> =
            self.reading.candidates.drain(before.min(self.reading.candidates.len())..).collect();
        self.reading.said.retain(|said| said.at.is_none_or(|at| at < before));
        for candidate in taken {
            self.reading.reject(candidate.content, RejectionReason::Hypothetical, self.origin.message);
        }
    }

    fn propose(&mut self, candidate: Candidate) {
        self.reading.propose(candidate);
    }

    fn reject(&mut self, span: Span, reason: RejectionReason) {
        const LONGEST: usize = 200;
        let words: String = self.origin.trimmed(span).of(self.origin.text).chars().take(LONGEST).collect();
        if !words.is_empty() {
            self.reading.reject(words, reason, self.origin.message);
        }
    }
}

/// Whether words that are not kept at least look like a memory.
fn names_the_user(words: &str) -> bool {
    let words = words.to_lowercase();
    ["我", "记住", "以后", "remember", "always", "never", "from now on"].iter().any(|cue| words.contains(cue))
        || words.split(|ch: char| !ch.is_alphanumeric()).any(|word| matches!(word, "i" | "my" | "we" | "our"))
}

/// Whether what stands before `remember that` belongs to it: `I will remember that` asks for nothing.
fn is_promise(said: &str) -> bool {
    let said = said.to_lowercase();
    let said = said.trim_end();
    [
        "i'll",
        "i will",
        "i",
        "we'll",
        "will",
        "to",
        "don't",
        "not",
        "never",
        "cannot",
        "can't",
        "别",
        "不要",
        "不用",
        "我会",
        "我",
        "会",
        "我要",
        "我一定",
    ]
    .iter()
    .any(|end| {
        said.strip_suffix(end)
            .is_some_and(|before| before.is_empty() || !end.is_ascii() || before.ends_with([' ', ',']))
    })
}

/// The words of a statement as its content.
fn content(words: &str, grammar: &Grammar) -> String {
    if grammar.language == Language::En { draft::tidied(words) } else { words.to_owned() }
}
