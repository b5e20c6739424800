//! Text to token ids: prefixes, and long texts split into overlapping pieces. Nothing is ever cut off.

use memcore_core::{EmbedRole, Error, ErrorKind, Result};
use tokenizers::Tokenizer;

use crate::error::CandleError;

/// How many tokens two neighbouring pieces of a long text share: about two sentences, so that what is said across a
/// border is whole in one of the two.
const OVERLAP_TOKENS: usize = 32;

/// The least room for text beside prefix and special tokens; less is a misconfiguration.
const MIN_TEXT_TOKENS: usize = 8;

/// Splits texts into pieces that the model can take.
pub(crate) struct Chunker {
    tokenizer: Tokenizer,
    query_prefix: String,
    passage_prefix: String,
    /// Per piece, prefix and special tokens included.
    max_tokens: usize,
}

impl Chunker {
    /// A chunker; `tokenizer` neither pads nor truncates.
    pub(crate) fn new(
        tokenizer: Tokenizer,
        query_prefix: String,
        passage_prefix: String,
        max_tokens: usize,
    ) -> std::result::Result<Self, CandleError> {
        let chunker = Self { tokenizer, query_prefix, passage_prefix, max_tokens };
        for role in [EmbedRole::Query, EmbedRole::Passage] {
            let overhead = chunker
                .tokenizer
                .encode(chunker.prefix(role), true)
                .map_err(|_| CandleError::Setting("the tokenizer cannot read the prefix".into()))?
                .len();
            if overhead + MIN_TEXT_TOKENS > max_tokens {
                return Err(CandleError::Setting(format!(
                    "max_tokens is {max_tokens}, but prefix and special tokens take {overhead} and a text needs at \
                     least {MIN_TEXT_TOKENS}"
                )));
            }
        }
        Ok(chunker)
    }

    /// The pieces of a text in order, each with special tokens and prefix, at most `max_tokens` long, at least one.
    ///
    /// # Errors
    /// `NotEmbeddable` where the text is blank: no token is left of it.
    pub(crate) fn pieces(&self, text: &str, role: EmbedRole) -> Result<Vec<Vec<u32>>> {
        let prefix = self.prefix(role);
        // The prefix is read together with the text: apart, some tokenizers give other tokens.
        let encoding = self
            .tokenizer
            .encode(format!("{prefix}{text}"), true)
            .map_err(|_| Error::new(ErrorKind::NotEmbeddable, "the tokenizer cannot read this text"))?;
        let ids = encoding.get_ids();
        let special = |mask: &&u32| **mask == 1;
        let lead = encoding.get_special_tokens_mask().iter().take_while(special).count();
        let trail = encoding.get_special_tokens_mask().iter().rev().take_while(special).count();
        let end = ids.len().saturating_sub(trail).max(lead);
        let in_prefix = |(_, to): &&(usize, usize)| *to <= prefix.len();
        let offsets = encoding.get_offsets().get(lead..end).unwrap_or_default();
        let start = if prefix.is_empty() { lead } else { lead + offsets.iter().take_while(in_prefix).count() };

        let body = ids.get(start..end).unwrap_or_default();
        let words = encoding.get_tokens().get(start..end).unwrap_or_default();
        // SentencePiece writes a blank as "▁": alone it says nothing. A word that the vocabulary lacks says little, but
        // the model was trained with a token for it.
        if text.trim().is_empty() || words.iter().all(|word| word.trim_matches('▁').is_empty()) {
            return Err(Error::new(ErrorKind::NotEmbeddable, "the text is blank"));
        }

        let before = ids.get(..start).unwrap_or_default();
        let after = ids.get(end..).unwrap_or_default();
        let room = self.max_tokens.saturating_sub(before.len() + after.len()).max(2);
        Ok(windows(body.len(), room, OVERLAP_TOKENS)
            .into_iter()
            .map(|window| [before, body.get(window).unwrap_or_default(), after].concat())
            .collect())
    }

    fn prefix(&self, role: EmbedRole) -> &str {
        match role {
            EmbedRole::Query => &self.query_prefix,
            EmbedRole::Passage => &self.passage_prefix,
        }
    }
}

/// Windows of at most `room` that together cover `0..length`; neighbours share at least `overlap` (at most a quarter
/// of `room`). The last one is full, too: a piece of three words would say little.
fn windows(length: usize, room: usize, overlap: usize) -> Vec<std::ops::Range<usize>> {
    let step = (room - overlap.min(room / 4)).max(1);
    let mut windows = Vec::new();
    let mut start = 0;
    while start + room < length {
        windows.push(start..start + room);
        start += step;
    }
    windows.push(length.saturating_sub(room)..length);
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_everything_and_overlap() {
        for room in 2..40 {
            for length in 1..200 {
                let windows = windows(length, room, 8);
                assert_eq!((windows[0].start, windows[windows.len() - 1].end), (0, length));
                assert!(windows.iter().all(|window| window.len() == room.min(length)), "{length} {room}: {windows:?}");
                assert!(windows.windows(2).all(|two| two[0].start < two[1].start));
                assert!(windows.windows(2).all(|two| two[1].start + 8.min(room / 4) <= two[0].end));
            }
        }
    }

    #[test]
    fn a_text_that_just_fits_is_one_window() {
        let starts = |length| windows(length, 10, 2).iter().map(|window| window.start).collect::<Vec<_>>();
        assert_eq!(starts(10), [0]);
        assert_eq!(starts(11), [0, 1]);
        assert_eq!(starts(20), [0, 8, 10]);
    }
}
