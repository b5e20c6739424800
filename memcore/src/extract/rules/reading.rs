//! A window of messages: what the user said in order, and what is taken from each message.

use memcore_core::{
    Candidate, Extraction, ExtractionRequest, Operation, Rejection, RejectionReason, Role, StoredMessage,
};

use super::message::MessageReader;

/// How many candidates one message may give.
const MOST_CANDIDATES: usize = 32;
/// How many rejections one message may list.
const MOST_REJECTIONS: usize = 16;
/// How many earlier statements a correction may reach back to.
const MOST_SAID: usize = 24;

/// Something that the user stated before: what a correction or `don't remember that` can mean.
#[derive(Debug, Clone)]
pub(super) struct Said {
    /// As a candidate, or bare words where no pattern found anything in it.
    pub(super) candidate: Candidate,
    /// Whether it is a candidate of the messages that are read, so that it can still be taken back.
    pub(super) at: Option<usize>,
}

/// What has been read so far.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) candidates: Vec<Candidate>,
    pub(super) rejected: Vec<Rejection>,
    /// What was said, the latest last.
    pub(super) said: Vec<Said>,
}

/// Reads all messages of a request.
pub(super) fn read(request: &ExtractionRequest) -> Extraction {
    let mut reading = Reading::default();
    for message in request.context.iter().filter(|message| message.role == Role::User) {
        read_message(message, &mut reading);
    }
    // Nothing is taken from what went before.
    reading.candidates.clear();
    reading.rejected.clear();
    reading.said.iter_mut().for_each(|said| said.at = None);
    for message in request.messages.iter().filter(|message| message.role == Role::User) {
        read_message(message, &mut reading);
    }
    Extraction { candidates: reading.candidates, rejected: reading.rejected, ..Extraction::default() }
}

fn read_message(message: &StoredMessage, reading: &mut Reading) {
    let text = message.text();
    let (candidates_before, rejected_before) = (reading.candidates.len(), reading.rejected.len());
    MessageReader::new(message, &text, reading).read();
    while reading.candidates.len() > candidates_before + MOST_CANDIDATES {
        let Some(over) = reading.candidates.pop() else { break };
        if reading.rejected.len() < rejected_before + MOST_REJECTIONS {
            reading.reject(over.content, RejectionReason::OverLimit, message);
        }
    }
    reading.rejected.truncate(rejected_before + MOST_REJECTIONS);
    let kept = reading.candidates.len();
    reading.said.retain(|said| said.at.is_none_or(|at| at < kept));
    let surplus = reading.said.len().saturating_sub(MOST_SAID);
    reading.said.drain(..surplus);
}

impl Reading {
    /// Adds a candidate, unless the same was proposed before.
    pub(super) fn propose(&mut self, candidate: Candidate) {
        let is_known = |known: &Candidate| known.content == candidate.content && known.operation == candidate.operation;
        if candidate.content.trim().is_empty() || self.candidates.iter().any(is_known) {
            return;
        }
        if candidate.operation != Operation::Forget {
            self.said.push(Said { candidate: candidate.clone(), at: Some(self.candidates.len()) });
        }
        self.candidates.push(candidate);
    }

    /// Notes a piece of text that was turned down.
    pub(super) fn reject(&mut self, text: impl Into<String>, reason: RejectionReason, message: &StoredMessage) {
        self.rejected.push(Rejection::new(text, reason, Some(message.id.clone())));
    }
}
