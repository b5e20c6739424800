//! Asks a model for a list of entries: one call, and at most one more where the answer cannot be used as it is.

use memcore_core::{ChatModel, ChatReply, ChatRequest, Error, ErrorKind, Language, Message, ModelUsage, Role};
use serde_json::{Value, json};

use crate::reply::{Entry, Listing, listing};

/// Bytes of a useless reply that the model is shown again.
const SHOWN_AGAIN: usize = 4_000;
/// Bytes of a useless reply that an error keeps.
const KEPT: usize = 16_384;

/// What is asked.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) request: ChatRequest,
    pub(crate) language: Language,
    /// The name of the list in the reply.
    pub(crate) key: &'static str,
    /// What an entry must have, as text.
    pub(crate) required: &'a [&'static str],
    /// As many entries as were asked for at the most: nothing is missing from a reply that has them, wherever it ends.
    pub(crate) most: usize,
}

/// What came of it. A failure and entries together: the reply was cut off, and these arrived.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) entries: Vec<Entry>,
    /// Entries that cannot be used, even after the second call.
    pub(crate) spoilt: Vec<Entry>,
    pub(crate) failure: Option<Error>,
    pub(crate) usage: ModelUsage,
}

/// Asks, and asks once more: for the rest where the reply was cut off, else for a reply that can be used.
pub(crate) async fn ask(model: &dyn ChatModel, question: &Question<'_>) -> Answer {
    let mut answer = Answer::default();
    let first = match model.complete(&question.request).await {
        Ok(reply) => reply,
        Err(error) => return Answer { failure: Some(error), ..answer },
    };
    let reading = Reading::of(&first, question);
    answer.usage.absorb(first.usage);
    let Some(follow_up) = reading.follow_up(question) else {
        return Answer { entries: reading.usable, ..answer };
    };
    let again = again(&question.request, &first.text, follow_up);
    let second = match model.complete(&again).await {
        Ok(reply) => reply,
        Err(error) => {
            return Answer { entries: reading.usable, spoilt: reading.spoilt, failure: Some(error), ..answer };
        }
    };
    answer.usage.absorb(second.usage);
    let rest = Reading::of(&second, question);
    answer.failure = match rest.state {
        State::NoAnswer => Some(unusable(&second, "the model's reply is not the JSON that was asked for")),
        State::CutOff => Some(unusable(&second, "the model's reply was cut off twice")),
        State::Whole => None,
    };
    let is_new = |entry: &Entry| !reading.usable.contains(entry);
    answer.entries = reading.usable.iter().cloned().chain(rest.usable.into_iter().filter(is_new)).collect();
    // What was spoilt was asked for again.
    answer.spoilt = rest.spoilt;
    answer
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Whole,
    CutOff,
    NoAnswer,
}

/// A reply as it was understood.
#[derive(Debug)]
struct Reading {
    usable: Vec<Entry>,
    spoilt: Vec<Entry>,
    state: State,
}

impl Reading {
    fn of(reply: &ChatReply, question: &Question<'_>) -> Self {
        let Some(Listing { entries, is_complete }) = listing(&reply.text, question.key, question.required) else {
            return Self { usable: Vec::new(), spoilt: Vec::new(), state: State::NoAnswer };
        };
        let (usable, spoilt): (Vec<Entry>, Vec<Entry>) =
            entries.into_iter().partition(|entry| problem_of(entry, question.required).is_none());
        let is_full = usable.len() >= question.most;
        Self { usable, spoilt, state: if is_complete || is_full { State::Whole } else { State::CutOff } }
    }

    /// What the model is told; none where nothing is amiss.
    fn follow_up(&self, question: &Question<'_>) -> Option<String> {
        let problem = self.spoilt.iter().find_map(|entry| problem_of(entry, question.required));
        let (zh, en, name, value) = match (self.state, problem) {
            (State::Whole, None) => return None,
            (State::CutOff, _) => {
                let quotes: Vec<&Value> = self.usable.iter().filter_map(|entry| entry.get("quote")).collect();
                let (zh, en) = (include_str!("../prompts/continue.zh.md"), include_str!("../prompts/continue.en.md"));
                (zh, en, "{{done}}", json!(quotes).to_string())
            }
            (state, problem) => {
                let (zh, en) = (include_str!("../prompts/invalid.zh.md"), include_str!("../prompts/invalid.en.md"));
                let (no_answer_zh, no_answer_en) =
                    ("其中没有所要求的列表", "it does not hold the list that was asked for");
                let no_answer = if question.language == Language::Zh { no_answer_zh } else { no_answer_en };
                let problem = problem.filter(|_| state == State::Whole);
                (zh, en, "{{problem}}", problem.unwrap_or_else(|| format!("{no_answer} (\"{}\")", question.key)))
            }
        };
        let template = if question.language == Language::Zh { zh } else { en };
        Some(template.trim().replace(name, &value))
    }
}

/// What is wrong with an entry, in the words of a validator; it quotes nothing of it.
fn problem_of(entry: &Entry, required: &[&str]) -> Option<String> {
    required.iter().find_map(|name| match entry.get(*name) {
        Some(Value::String(text)) if text.trim().is_empty() => Some(format!("\"{name}\": empty string")),
        // The reader lost its way between two strings.
        Some(Value::String(text)) if text.contains("\": ") || text.contains("\":\"") => {
            Some(format!("\"{name}\": unescaped quotation mark"))
        }
        Some(Value::String(_)) => None,
        Some(_) => Some(format!("\"{name}\": not a string")),
        None => Some(format!("\"{name}\": missing")),
    })
}

/// The request with the useless reply and what is wrong with it.
fn again(request: &ChatRequest, reply: &str, follow_up: String) -> ChatRequest {
    let mut again = request.clone();
    let shown = head(reply.trim(), SHOWN_AGAIN);
    if shown.is_empty() {
        // No model takes an empty message of its own, and some take no two of the user's in a row.
        if let Some(last) = again.messages.last_mut() {
            last.content.push(memcore_core::ContentBlock::text(follow_up));
        }
        return again;
    }
    again.messages.extend([Message::new(Role::Assistant, shown), Message::new(Role::User, follow_up)]);
    again
}

/// A reply that is of no use, as the error that keeps it.
pub(crate) fn unusable(reply: &ChatReply, message: &str) -> Error {
    let hint = "try a larger model, a longer reply (with_max_tokens), or an endpoint that enforces JSON schemas";
    Error::new(ErrorKind::ExtractFailed, message).with_hint(hint).with_raw_reply(head(&reply.text, KEPT))
}

/// The first bytes of a text, whole characters only.
pub(crate) fn head(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// Windows in a row that an endpoint leaves unanswered before the rest is not tried.
const MOST_UNANSWERED: usize = 2;

/// How long a conversation's windows are tried at an endpoint that fails.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    unanswered: usize,
}

impl Patience {
    /// Whether no further window is tried after this one; those are then part of its failure.
    pub(crate) fn is_over(&mut self, failure: Option<&Error>) -> bool {
        let is = |kinds: &[ErrorKind]| failure.is_some_and(|error| kinds.contains(&error.kind()));
        self.unanswered = if is(&[ErrorKind::Unavailable, ErrorKind::Busy]) { self.unanswered + 1 } else { 0 };
        is(&[ErrorKind::Unauthorized, ErrorKind::OverBudget]) || self.unanswered == MOST_UNANSWERED
    }
}
