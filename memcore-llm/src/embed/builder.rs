//! How a remote embedder is described.

use memcore_core::{EmbeddingIdentity, Error, Result};

use super::{BatchLimits, RemoteEmbedder, wire::Wire};
use crate::{
    Endpoint,
    client::{KeyHeader, Transport, checked_name},
    error::LlmError,
};

/// Tokens of one text: what nearly every model takes.
const MAX_TOKENS: usize = 512;
/// The least limit that can be set: some words beside a prefix.
const LEAST_TOKENS: usize = 16;
/// Texts in one call: few enough for every known endpoint (DashScope takes 10 of some models; see `with_batch`).
const BATCH_INPUTS: usize = 64;
/// Tokens in one call.
const BATCH_TOKENS: usize = 16_000;

/// A remote embedder to be; from [`RemoteEmbedder::builder`].
#[derive(Debug, Clone)]
#[must_use]
pub struct RemoteEmbedderBuilder {
    endpoint: Endpoint,
    model: String,
    dimensions: Option<usize>,
    is_shortened: bool,
    revision: String,
    query_prefix: String,
    passage_prefix: String,
    max_tokens: usize,
    batch: BatchLimits,
}

impl RemoteEmbedderBuilder {
    pub(super) fn new(endpoint: Endpoint, model: String) -> Self {
        Self {
            endpoint,
            model,
            dimensions: None,
            is_shortened: false,
            revision: String::new(),
            query_prefix: String::new(),
            passage_prefix: String::new(),
            max_tokens: MAX_TOKENS,
            batch: BatchLimits { inputs: BATCH_INPUTS, tokens: BATCH_TOKENS },
        }
    }

    /// Values per vector, as the model gives them by itself.
    pub fn with_dimensions(mut self, dimensions: usize) -> Self {
        (self.dimensions, self.is_shortened) = (Some(dimensions), false);
        self
    }

    /// Asks for vectors of this many values, of a model that can shorten them.
    pub fn with_shortened_dimensions(mut self, dimensions: usize) -> Self {
        (self.dimensions, self.is_shortened) = (Some(dimensions), true);
        self
    }

    /// Which revision of the model the endpoint serves, where the host knows: vectors of another one are not comparable.
    pub fn with_revision(mut self, revision: impl Into<String>) -> Self {
        self.revision = revision.into();
        self
    }

    /// What the model wants before a query and before a passage, as in `query: ` and `passage: ` of the e5 family.
    pub fn with_prefixes(mut self, query: impl Into<String>, passage: impl Into<String>) -> Self {
        (self.query_prefix, self.passage_prefix) = (query.into(), passage.into());
        self
    }

    /// Tokens of one text, by the conservative estimate; 512 by default, at least 16. Longer texts give several vectors.
    pub fn with_max_tokens(mut self, tokens: usize) -> Self {
        self.max_tokens = tokens.max(LEAST_TOKENS);
        self
    }

    /// What one call may hold: 64 texts and 16,000 tokens by default. A single text always fits.
    pub fn with_batch(mut self, inputs: usize, tokens: usize) -> Self {
        self.batch = BatchLimits { inputs: inputs.max(1), tokens };
        self
    }

    /// The embedder; nothing is sent yet.
    ///
    /// # Errors
    /// `InvalidInput` where the dimensions are not given or 0, the name is blank, or the endpoint's settings make no
    /// sense.
    pub fn build(self) -> Result<RemoteEmbedder> {
        let dimensions = self.dimensions.filter(|dimensions| *dimensions > 0).ok_or_else(|| {
            Error::invalid("a remote embedder needs to know the dimensions of its vectors")
                .with_hint("give them with with_dimensions, or let connect() ask the endpoint")
        })?;
        Ok(self.assembled(dimensions)?)
    }

    /// The embedder, with the dimensions of a first vector where none were given; one short call.
    ///
    /// # Errors
    /// As [`build`](Self::build), and what the endpoint answers.
    pub async fn connect(self) -> Result<RemoteEmbedder> {
        if self.dimensions.is_some() {
            return self.build();
        }
        let mut embedder = self.assembled(0)?;
        let words = format!("{}dimensions", embedder.identity.passage_prefix);
        let reply = embedder.transport.post(&embedder.wire.body(&[&words])).await?;
        embedder.identity.dimensions = embedder.wire.vectors(reply, 1)?.first().map_or(0, Vec::len);
        Ok(embedder)
    }

    fn assembled(self, dimensions: usize) -> Result<RemoteEmbedder, LlmError> {
        let model = checked_name(self.model)?;
        let transport = Transport::new(&self.endpoint, "embeddings", KeyHeader::Bearer)?;
        let mut identity = EmbeddingIdentity::new(&model, self.revision, dimensions);
        identity.query_prefix = self.query_prefix;
        identity.passage_prefix = self.passage_prefix;
        identity.max_tokens = self.max_tokens;
        let wire = Wire { model, dimensions: self.is_shortened.then_some(dimensions) };
        Ok(RemoteEmbedder { identity, transport, wire, batch: self.batch })
    }
}
