//! The embedder: the model compiled into the crate, chunks of long texts, and batches.

use std::future::poll_fn;
use std::task::Poll;

use async_trait::async_trait;
use memcore_core::{EmbedRole, Embedder, EmbeddingIdentity, Result, TextEmbedding};

use crate::error::BuiltinError;
use crate::pool::pool;
use crate::runs::runs;
use crate::segment::{Token, segment};
use crate::table::Table;

static MODEL: &[u8] = include_bytes!("../data/model.bin");
static MODEL_SHA256: &str = include_str!("../data/model.sha256");

/// Counted up whenever a text's vector changes, by the table or by how texts are cut.
const REVISION: &str = "1";

/// Tokens per vector. The mean of more says little about any of them.
const MAX_TOKENS: usize = 256;

/// Tokens that two chunks of a long text share.
const OVERLAP: usize = 32;

/// Texts between two points where a batch gives way to other tasks, or ends because its future was dropped: about a
/// millisecond of work.
const TEXTS_PER_TURN: usize = 32;

/// Sentence embeddings from a static table of word vectors, for Chinese and English.
///
/// A text is cut into words and pieces; its vector is the normalised mean of their rows. Query and passage are embedded
/// alike. Words of other scripts get a vector by hashing: they match themselves and nothing else.
#[derive(Debug)]
pub struct StaticEmbedder {
    table: Table,
    identity: EmbeddingIdentity,
}

impl StaticEmbedder {
    /// Opens the model that is compiled into the crate, in about a millisecond.
    ///
    /// # Errors
    /// `Corrupt` where the embedded file does not parse, which no released version does.
    pub fn load() -> Result<Self> {
        let table = Table::parse(MODEL)?;
        let mut identity = EmbeddingIdentity::new("memcore-builtin-e5s-static", REVISION, table.dimensions());
        identity.weights_sha256 = MODEL_SHA256.trim().to_owned();
        identity.max_tokens = MAX_TOKENS;
        Ok(Self { table, identity })
    }

    /// The vector of one text; several where it is longer than 256 tokens, each sharing 32 with the one before.
    ///
    /// The same text gives the same bits on every platform.
    ///
    /// # Errors
    /// `NotEmbeddable` where the text has no letter, digit or symbol.
    pub fn encode(&self, text: &str) -> Result<TextEmbedding> {
        let mut tokens = Vec::new();
        for run in runs(text, &self.table.folds) {
            segment(&run, &self.table.lexicon, &mut tokens);
        }
        if tokens.is_empty() {
            return Err(BuiltinError::NothingToEmbed.into());
        }
        let chunks: Result<Vec<_>> = chunks(&tokens).map(|chunk| pool(chunk, &self.table)).collect();
        TextEmbedding::chunked(chunks?)
    }
}

#[async_trait]
impl Embedder for StaticEmbedder {
    fn identity(&self) -> &EmbeddingIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[String], _role: EmbedRole) -> Vec<Result<TextEmbedding>> {
        let mut results = Vec::with_capacity(texts.len());
        for (turn, texts) in texts.chunks(TEXTS_PER_TURN).enumerate() {
            if turn > 0 {
                give_way().await;
            }
            results.extend(texts.iter().map(|text| self.encode(text)));
        }
        results
    }
}

/// The overlapping chunks of a text's tokens, at least one.
fn chunks(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let last_start = tokens.len().saturating_sub(OVERLAP + 1);
    (0..=last_start).step_by(MAX_TOKENS - OVERLAP).map(|start| &tokens[start..tokens.len().min(start + MAX_TOKENS)])
}

/// Lets the runtime poll other tasks once, whichever runtime it is.
async fn give_way() {
    let mut given = false;
    poll_fn(|context| {
        if given {
            return Poll::Ready(());
        }
        given = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
