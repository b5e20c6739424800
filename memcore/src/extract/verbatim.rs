//! The extractor that keeps every turn word for word.

use async_trait::async_trait;
use memcore_core::{
    Candidate, Extraction, ExtractionRequest, Extractor, Importance, Kind, Quote, Result, Role, SourceKind,
    StoredMessage,
};

/// Keeps each message of user and assistant as an episode, in its own words, tagged with its speaker.
///
/// It costs no judgement and loses nothing, but it fills the store as fast as people talk: for evaluation, and for
/// hosts that look things up in old conversations.
#[derive(Debug, Clone, Copy, Default)]
pub struct VerbatimExtractor;

#[async_trait]
impl Extractor for VerbatimExtractor {
    fn name(&self) -> &str {
        "verbatim"
    }

    fn reads_all_roles(&self) -> bool {
        true
    }

    async fn extract(&self, request: &ExtractionRequest) -> Result<Extraction> {
        let candidates = request.messages.iter().filter_map(episode).collect();
        Ok(Extraction { candidates, ..Extraction::default() })
    }
}

/// The message as an episode; none for tools, the host, and messages without text.
fn episode(message: &StoredMessage) -> Option<Candidate> {
    let source = match message.role {
        Role::User => SourceKind::User,
        Role::Assistant => SourceKind::Assistant,
        Role::Tool | Role::System => return None,
    };
    let text = message.text();
    if text.trim().is_empty() {
        return None;
    }
    let mut candidate = Candidate::new(text.clone(), Kind::Episode);
    candidate.importance = Importance::clamped(3);
    candidate.source = source;
    candidate.tags = vec![message.role.as_str().to_owned()];
    candidate.quote = Some(Quote { message: Some(message.id.clone()), end: text.len(), text, start: 0 });
    Some(candidate)
}
