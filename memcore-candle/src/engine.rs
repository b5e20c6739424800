//! One request, start to end, on the embedding thread: split, sort by length, run in batches, put together again.

use memcore_core::{EmbedRole, Embedding, Error, Result, TextEmbedding};

use crate::chunker::Chunker;
use crate::error::CandleError;
use crate::sentence_model::SentenceModel;

/// Rows per batch: larger ones bring nothing on a processor.
const MAX_BATCH_ROWS: usize = 32;

/// Tokens per batch, padding included. Attention takes RAM by the square of the length: 8 rows of 512 tokens and 12
/// heads are 100 MB, 32 would be 400 MB.
const MAX_BATCH_TOKENS: usize = 4096;

/// The model and its tokenizer.
pub(crate) struct Engine {
    pub(crate) chunker: Chunker,
    pub(crate) model: SentenceModel,
}

struct Piece {
    text: usize,
    ids: Vec<u32>,
}

impl Engine {
    /// One result per text; stops early, with fewer, once `is_cancelled` (asked before each batch) says so.
    pub(crate) fn embed(
        &self,
        texts: &[String],
        role: EmbedRole,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Vec<Result<TextEmbedding>> {
        let mut pieces = Vec::new();
        let mut results: Vec<Result<Vec<Embedding>>> = Vec::with_capacity(texts.len());
        for (text, content) in texts.iter().enumerate() {
            if is_cancelled() {
                return Vec::new();
            }
            results.push(self.chunker.pieces(content, role).map(|rows| {
                let vectors = Vec::with_capacity(rows.len());
                pieces.extend(rows.into_iter().map(|ids| Piece { text, ids }));
                vectors
            }));
        }

        let Some(vectors) = self.run(&pieces, is_cancelled) else { return Vec::new() };
        for (piece, vector) in pieces.iter().zip(vectors) {
            let Some(result) = results.get_mut(piece.text) else { continue };
            match (result.as_mut(), vector) {
                (Ok(done), Ok(vector)) => done.push(vector),
                (Ok(_), Err(error)) => *result = Err(error),
                (Err(_), _) => {}
            }
        }
        results.into_iter().map(|result| result.and_then(TextEmbedding::chunked)).collect()
    }

    /// One vector per piece, in the order of the pieces; `None` when cancelled.
    fn run(&self, pieces: &[Piece], is_cancelled: &dyn Fn() -> bool) -> Option<Vec<Result<Embedding>>> {
        // Pieces of like length share a batch, so that little of it is padding.
        let mut by_length: Vec<(usize, &Piece)> = pieces.iter().enumerate().collect();
        by_length.sort_by_key(|(_, piece)| piece.ids.len());
        let mut done: Vec<(usize, Result<Embedding>)> = Vec::with_capacity(pieces.len());
        for batch in batches(&by_length) {
            if is_cancelled() {
                return None;
            }
            let rows: Vec<&[u32]> = batch.iter().map(|(_, piece)| piece.ids.as_slice()).collect();
            let places = batch.iter().map(|(place, _)| *place);
            match self.model.encode(&rows) {
                Ok(vectors) => done.extend(places.zip(vectors.into_iter().map(Embedding::new))),
                Err(error) => {
                    // One cause for the whole batch, but errors cannot be cloned: only its text is.
                    let cause = error.to_string();
                    let failed = || Error::from(CandleError::Inference(candle_core::Error::Msg(cause.clone())));
                    done.extend(places.map(|place| (place, Err(failed()))));
                }
            }
        }
        done.sort_by_key(|(place, _)| *place);
        Some(done.into_iter().map(|(_, vector)| vector).collect())
    }
}

/// Cuts pieces, sorted by length, into batches within both limits; never an empty one.
fn batches<'a>(sorted: &'a [(usize, &'a Piece)]) -> Vec<&'a [(usize, &'a Piece)]> {
    let mut batches = Vec::new();
    let mut rest = sorted;
    while !rest.is_empty() {
        let fits = |(at, (_, piece)): &(usize, &(usize, &Piece))| (at + 1) * piece.ids.len() <= MAX_BATCH_TOKENS;
        let rows = rest.iter().take(MAX_BATCH_ROWS).enumerate().take_while(fits).count().max(1);
        let (batch, others) = rest.split_at(rows);
        batches.push(batch);
        rest = others;
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lengths: &[usize], expected: &[usize]) {
        let pieces: Vec<Piece> = lengths.iter().map(|length| Piece { text: 0, ids: vec![0; *length] }).collect();
        let sorted: Vec<(usize, &Piece)> = pieces.iter().enumerate().collect();
        let sizes: Vec<usize> = batches(&sorted).iter().map(|batch| batch.len()).collect();
        assert_eq!(sizes, expected);
    }

    #[test]
    fn batches_keep_within_rows_and_tokens() {
        check(&[], &[]);
        check(&[10; 70], &[32, 32, 6]);
        check(&[512; 20], &[8, 8, 4]);
        check(&[MAX_BATCH_TOKENS * 2; 2], &[1, 1]);
    }
}
