//! Ids for messages that have none: the same transcript gets the same ids, so that reading it twice adds nothing.

use std::collections::HashMap;

use memcore_core::{MessageId, Result};
use sha2::{Digest, Sha256};

use super::TranscriptLine;

/// Names messages by what they are: session, speaker, time, content, and a count where all of these are equal.
///
/// One value for one reading of a transcript. It keeps 20 bytes per message that it has named.
#[derive(Debug, Default)]
pub struct MessageIds {
    seen: HashMap<[u8; 16], u32>,
}

impl MessageIds {
    /// Names the line's message, where it has no id.
    ///
    /// # Errors
    /// Never in practice: the ids that are made here are valid ones.
    pub fn assign(&mut self, line: &mut TranscriptLine) -> Result<()> {
        if line.message.id.is_none() {
            line.message.id = Some(self.next(line)?);
        }
        Ok(())
    }

    fn next(&mut self, line: &TranscriptLine) -> Result<MessageId> {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        part(line.session.as_str().as_bytes());
        part(line.message.role.as_str().as_bytes());
        part(line.message.at.map(|at| at.to_rfc3339()).unwrap_or_default().as_bytes());
        part(&serde_json::to_vec(&line.message.content).unwrap_or_default());
        let digest = hash.finalize();
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        let ordinal = self.seen.entry(key).or_default();
        *ordinal += 1;
        let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        MessageId::new(format!("line-{hex}-{ordinal}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(lines: &[&str]) -> Vec<String> {
        let mut ids = MessageIds::default();
        let name = |line: &&str| {
            let mut line = TranscriptLine::parse(line).unwrap();
            ids.assign(&mut line).unwrap();
            line.message.id.unwrap().to_string()
        };
        lines.iter().map(name).collect()
    }

    #[test]
    fn equal_transcripts_get_equal_ids_and_equal_messages_different_ones() {
        let lines = [
            r#"{"session":"a","role":"user","content":"ok"}"#,
            r#"{"session":"a","role":"user","content":"ok"}"#,
            r#"{"session":"b","role":"user","content":"ok"}"#,
            r#"{"session":"a","role":"assistant","content":"ok"}"#,
            r#"{"session":"a","role":"user","content":"ok","at":"2026-05-03T08:00:00Z"}"#,
        ];
        let ids = named(&lines);
        assert_eq!(ids, named(&lines));
        let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), lines.len());
    }

    #[test]
    fn a_longer_transcript_names_its_beginning_as_before() {
        let lines =
            [r#"{"session":"a","role":"user","content":"嗯"}"#, r#"{"session":"a","role":"user","content":"嗯"}"#];
        assert_eq!(named(&lines)[..1], named(&lines[..1]));
    }

    #[test]
    fn an_id_that_is_there_stays() {
        assert_eq!(named(&[r#"{"session":"a","role":"user","content":"x","id":"m1"}"#]), ["m1"]);
    }
}
