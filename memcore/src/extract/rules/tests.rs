//! Conversations and what is kept of them, and what holds for any text.

mod chinese_kept;
mod chinese_other;
mod english_kept;
mod english_other;
mod properties;
mod rejections;

use memcore_core::{
    Candidate, ContentBlock, Extraction, ExtractionRequest, Extractor, Level, MessageId, Operation, Role, Scope,
    StoredMessage, Timestamp,
};

use super::RuleExtractor;

/// What the user says, messages separated by ` || `; and what is kept: kind (with the operation before and the session
/// level behind it), slot, content.
type Case = (&'static str, &'static [(&'static str, &'static str, &'static str)]);

fn check(cases: &[Case]) {
    for (said, expected) in cases {
        let found = extract(&said.split(" || ").map(|text| (Role::User, text)).collect::<Vec<_>>());
        let found: Vec<_> = found.candidates.iter().map(row).collect();
        let found: Vec<_> = found.iter().map(|(kind, slot, content)| (&**kind, &**slot, &**content)).collect();
        assert_eq!(found, *expected, "{said}");
    }
}

fn row(candidate: &Candidate) -> (String, String, String) {
    let operation = match candidate.operation {
        Operation::Correct { .. } => "correct ",
        Operation::Retract => "retract ",
        Operation::Forget => "forget ",
        _ => "",
    };
    let level = if candidate.level == Some(Level::Session) { " session" } else { "" };
    let slot = candidate.slot.as_ref().map(ToString::to_string).unwrap_or_default();
    (format!("{operation}{}{level}", candidate.kind), slot, candidate.content.clone())
}

fn extract(messages: &[(Role, &str)]) -> Extraction {
    extract_with_context(&[], messages)
}

fn extract_with_context(context: &[(Role, &str)], messages: &[(Role, &str)]) -> Extraction {
    let scope = scope();
    let request = ExtractionRequest::new(scope, stored(messages, 100), now()).with_context(stored(context, 0));
    block_on(RuleExtractor::new().extract(&request)).unwrap()
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn stored(messages: &[(Role, &str)], first: usize) -> Vec<StoredMessage> {
    let message = |(number, (role, text)): (usize, &(Role, &str))| StoredMessage {
        id: MessageId::new(format!("m{}", first + number)).unwrap(),
        scope: scope(),
        role: *role,
        content: vec![ContentBlock::text(*text)],
        at: now(),
    };
    messages.iter().enumerate().map(message).collect()
}

fn scope() -> Scope {
    Scope::user("ada").unwrap().session("s1").unwrap()
}

/// A Sunday.
fn now() -> Timestamp {
    "2026-05-03T08:00:00Z".parse().unwrap()
}
