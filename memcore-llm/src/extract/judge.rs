//! Whether a proposal may be kept: code looks for its words in the user's messages, whatever the model says.

use memcore_core::{
    Candidate, Confidence, Kind, Level, MemoryRecord, MessageId, Operation, Quote, Rejection, RejectionReason, Role,
    SourceKind, StoredMessage,
    text::{self, Span},
};

use super::{
    Ungrounded, choice, evidence,
    folded::Folded,
    foreign, misread,
    proposal::{Proposal, Wish},
    request,
    window::Window,
};

/// The longest content, in bytes: a statement, not a document.
const MOST_CONTENT: usize = 2_000;
/// Characters of a rejected text that are kept.
const MOST_REJECTED: usize = 200;
/// How sure a statement without a quote is at the most.
const UNGROUNDED_CONFIDENCE: f32 = 0.3;

/// What the proposals of one window are held against.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    sources: Vec<Source<'a>>,
    /// What others say in the window.
    others: String,
    /// What the user said before the window, as far as it is shown.
    before: String,
    known: &'a [MemoryRecord],
    ungrounded: Ungrounded,
    /// The messages of the images that the model saw, in the order of their numbers.
    images: Vec<&'a StoredMessage>,
}

/// A piece of a user's message.
#[derive(Debug)]
struct Source<'a> {
    message: &'a StoredMessage,
    text: &'a str,
    offset: usize,
    folded: Folded,
    /// What the assistant said directly before.
    offer: Option<&'a str>,
}

/// Where a quote was found.
#[derive(Debug, Clone, Copy)]
struct Place<'j, 'a> {
    source: &'j Source<'a>,
    span: Span,
    is_foreign: bool,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(window: &'a Window<'a>, known: &'a [MemoryRecord], ungrounded: Ungrounded) -> Self {
        let said = window.context.iter().chain(&window.pieces);
        let before = std::iter::once(window.context.last()).chain(window.pieces.iter().map(Some));
        let users = window.pieces.iter().zip(before).filter(|(piece, _)| piece.is_users());
        let sources = users.map(|(piece, before)| Source {
            message: piece.message,
            text: &piece.text,
            offset: piece.offset,
            folded: Folded::of(&piece.text),
            offer: before.filter(|before| before.message.role == Role::Assistant).map(|before| before.text.as_str()),
        });
        let others: Vec<&str> = said.filter(|piece| !piece.is_users()).map(|piece| piece.text.as_str()).collect();
        let before = window.context.iter().filter(|piece| piece.is_users());
        let before: Vec<&str> = before.map(|piece| piece.text.as_str()).collect();
        Self {
            sources: sources.collect(),
            others: others.join("\n"),
            before: before.join("\n"),
            known,
            ungrounded,
            images: Vec::new(),
        }
    }

    /// Takes what the user's images show as well.
    pub(super) fn with_images(mut self, window: &Window<'a>) -> Self {
        self.images = window.users_images().map(|(message, _)| message).collect();
        self
    }

    /// The proposal as a candidate, or why not.
    pub(super) fn judge(&self, proposal: Proposal) -> Result<Candidate, Rejection> {
        let content = proposal.content.as_str();
        if content.len() > MOST_CONTENT {
            return Err(rejection(content, RejectionReason::Invalid, None));
        }
        if foreign::has_memory_tag(content) {
            return Err(rejection(content, RejectionReason::Echo, None));
        }
        let Some(place) = self.place(&proposal.quote) else {
            return match self.image(&proposal.quote) {
                Some(message) => Ok(shown(proposal, message)),
                None => self.without_quote(proposal),
            };
        };
        let id = Some(&place.source.message.id);
        match self.objection(&proposal, place) {
            Some(reason) => Err(rejection(content, reason, id)),
            None => Ok(self.candidate(proposal, place)),
        }
    }

    /// The user's words that a quote stands for, where they can show that `content` (if any) holds; else why not.
    pub(crate) fn ground(&self, quote: &str, content: Option<&str>) -> Result<Quote, RejectionReason> {
        let place = self.place(quote).ok_or(RejectionReason::Ungrounded)?;
        let text = place.source.text;
        let is_of_others = |content: &str| evidence::is_of_others(content, place.span.of(text), text, &self.others);
        match doubt(place) {
            Some(reason) => Err(reason),
            None if content.is_some_and(is_of_others) => Err(RejectionReason::NotUserStated),
            None => Ok(place.quote()),
        }
    }

    /// The first place of a quote in the user's own words, else any place.
    fn place(&self, quote: &str) -> Option<Place<'_, 'a>> {
        let quote = Folded::of(quote);
        let places = self.sources.iter().filter_map(|source| {
            let (span, is_foreign) = foreign::place(source.text, &source.folded, &quote)?;
            Some(Place { source, span, is_foreign })
        });
        let mut first = None;
        for place in places {
            if !place.is_foreign {
                return Some(place);
            }
            first.get_or_insert(place);
        }
        first
    }

    fn objection(&self, proposal: &Proposal, place: Place<'_, 'a>) -> Option<RejectionReason> {
        if let Some(reason) = doubt(place) {
            return Some(reason);
        }
        let text = place.source.text;
        let quote = place.span.of(text);
        if request::is_refused(text, place.span) {
            return Some(RejectionReason::Declined);
        }
        let known = self.known.iter().map(|record| record.content.as_str());
        let shown = known.chain([self.others.as_str(), self.before.as_str()]);
        let shown = shown.chain(self.sources.iter().map(|source| source.text));
        if evidence::is_out_of_nowhere(&proposal.content, shown) {
            return Some(RejectionReason::NotUserStated);
        }
        let is_of_others = evidence::is_of_others(&proposal.content, quote, text, &self.others);
        if is_of_others && !is_choice(proposal, place) {
            return Some(RejectionReason::NotUserStated);
        }
        if misread::loses_denial(text, place.span, &proposal.content) {
            return Some(RejectionReason::NotUserStated);
        }
        let is_about_another = misread::is_about_another(text, place.span, &proposal.content, &proposal.kind);
        if proposal.is_of_the_user() && is_about_another {
            return Some(RejectionReason::ThirdParty);
        }
        None
    }

    fn candidate(&self, proposal: Proposal, place: Place<'_, 'a>) -> Candidate {
        let Place { source, span, .. } = place;
        let is_explicit = request::is_asked_for(source.text, span);
        let mut candidate = statement(proposal.clone());
        candidate.explicit = is_explicit;
        candidate.level = request::is_session_only(source.text, span).then_some(Level::Session);
        candidate.quote = Some(place.quote());
        if let Some(time) = proposal.event_time {
            if candidate.kind == Kind::Todo {
                candidate.valid_until = Some(time.end).filter(|end| *end > source.message.at);
            } else {
                // What lies ahead is known from now on; its date stands in the sentence.
                candidate.valid_from = Some(time.start).filter(|start| *start <= source.message.at);
            }
        }
        // A number that was never shown is no memory: the statement stands for itself. So does what holds for this
        // conversation alone: afterwards the memory is in force as before.
        let known = proposal.known.and_then(|at| self.known.get(at)).filter(|_| candidate.level.is_none());
        let Some(known) = known else {
            return candidate;
        };
        match proposal.wish {
            Wish::Add => return candidate,
            Wish::Update => {
                candidate.operation = Operation::Correct { replaces: known.content.clone() };
                candidate.slot = candidate.slot.or_else(|| known.slot.clone());
            }
            Wish::Confirm | Wish::Retract => {
                if proposal.wish == Wish::Retract {
                    candidate.operation = Operation::Retract;
                }
                candidate.content.clone_from(&known.content);
                candidate.kind.clone_from(&known.kind);
                candidate.slot.clone_from(&known.slot);
            }
        }
        candidate.level = Some(known.level());
        candidate
    }

    /// The message of an image that is named by its number, as in `[image 1]`.
    fn image(&self, quote: &str) -> Option<&'a StoredMessage> {
        let label = text::normalize(quote.trim_matches(['[', ']', '【', '】', ' ']));
        let number = ["image", "图片"].into_iter().find_map(|word| label.strip_prefix(word))?;
        self.images.get(number.trim().parse::<usize>().ok()?.checked_sub(1)?).copied()
    }

    fn without_quote(&self, proposal: Proposal) -> Result<Candidate, Rejection> {
        match self.ungrounded {
            Ungrounded::Reject => Err(rejection(&proposal.content, RejectionReason::Ungrounded, None)),
            Ungrounded::Quarantine => {
                let mut candidate = statement(proposal);
                candidate.source = SourceKind::Assistant;
                candidate.confidence = Confidence::clamped(candidate.confidence.value().min(UNGROUNDED_CONFIDENCE));
                candidate.tags.push("ungrounded".to_owned());
                Ok(candidate)
            }
        }
    }
}

impl Place<'_, '_> {
    fn quote(&self) -> Quote {
        Quote {
            message: Some(self.source.message.id.clone()),
            text: self.span.of(self.source.text).to_owned(),
            start: self.source.offset + self.span.start,
            end: self.source.offset + self.span.end,
        }
    }
}

/// Whether the user decides for something that the assistant has just offered. It shows the decision, and no other fact
/// that the offer mentions.
fn is_choice(proposal: &Proposal, place: Place<'_, '_>) -> bool {
    matches!(proposal.kind, Kind::Decision | Kind::Preference)
        && choice::is_choice(place.span.of(place.source.text))
        && place.source.offer.is_some_and(|offer| choice::takes_up(&proposal.content, offer))
}

/// Why words prove nothing, whatever they are to prove.
fn doubt(place: Place<'_, '_>) -> Option<RejectionReason> {
    let text = place.source.text;
    if foreign::is_in_memory_block(text, place.span) {
        return Some(RejectionReason::Echo);
    }
    if place.is_foreign {
        return Some(RejectionReason::Quoted);
    }
    if evidence::is_question(text, place.span) {
        return Some(RejectionReason::Question);
    }
    if evidence::is_supposed(text, place.span) {
        return Some(RejectionReason::Hypothetical);
    }
    evidence::is_affirmation(place.span.of(text)).then_some(RejectionReason::NotUserStated)
}

/// The statement by itself. What somebody else likes is a fact, not the user's preference.
fn statement(proposal: Proposal) -> Candidate {
    let is_personal = matches!(proposal.kind, Kind::Profile | Kind::Preference | Kind::Emotion | Kind::Constraint);
    let kind = if is_personal && !proposal.is_of_the_user() { Kind::Fact } else { proposal.kind };
    let mut candidate = Candidate::new(proposal.content, kind);
    candidate.importance = proposal.importance;
    candidate.confidence = proposal.confidence;
    candidate.slot = proposal.slot;
    candidate
}

/// What an image shows: a fact of a document, which answers no question about the user and overturns nothing.
fn shown(proposal: Proposal, message: &StoredMessage) -> Candidate {
    let mut candidate = statement(proposal);
    candidate.kind = Kind::Fact;
    candidate.slot = None;
    candidate.source = SourceKind::Document;
    candidate.quote = Some(Quote { message: Some(message.id.clone()), text: String::new(), start: 0, end: 0 });
    candidate
}

pub(crate) fn rejection(text: &str, reason: RejectionReason, message: Option<&MessageId>) -> Rejection {
    let text: String = text.chars().take(MOST_REJECTED).collect();
    Rejection::new(text, reason, message.cloned())
}

/// Whether two candidates say the same: windows overlap, and models repeat themselves.
pub(crate) fn is_same(a: &Candidate, b: &Candidate) -> bool {
    a.operation == b.operation && text::normalize(&a.content) == text::normalize(&b.content)
}
