//! Describes a model (pooling, prefixes, limits) and loads it.

use std::path::PathBuf;

use memcore_core::{EmbeddingIdentity, Pooling, Result};

use crate::chunker::Chunker;
use crate::embedder::BertEmbedder;
use crate::engine::Engine;
use crate::error::CandleError;
use crate::files::{LoadedModel, ModelFiles};
use crate::models::NamedModel;
use crate::sentence_model::SentenceModel;
use crate::source::{HubSource, ModelSource};

/// A model to load; from [`BertEmbedder::builder`].
#[derive(Debug, Clone)]
#[must_use]
pub struct BertBuilder {
    source: ModelSource,
    model: String,
    folder: String,
    revision: String,
    pooling: Pooling,
    query_prefix: String,
    passage_prefix: String,
    max_tokens: Option<usize>,
    weights_sha256: Option<String>,
    #[cfg_attr(not(feature = "hub"), expect(dead_code, reason = "its repository serves downloads only"))]
    named: Option<NamedModel>,
}

impl BertBuilder {
    pub(crate) fn new(model: impl Into<String>, source: ModelSource) -> Self {
        let model = model.into();
        Self {
            source,
            folder: model.clone(),
            model,
            revision: String::new(),
            pooling: Pooling::Mean,
            query_prefix: String::new(),
            passage_prefix: String::new(),
            max_tokens: None,
            weights_sha256: None,
            named: None,
        }
    }

    pub(crate) fn named(named: NamedModel, source: ModelSource) -> Self {
        Self {
            folder: named.folder.into(),
            revision: named.revision.into(),
            pooling: named.pooling,
            query_prefix: named.query_prefix.into(),
            passage_prefix: named.passage_prefix.into(),
            max_tokens: Some(named.max_tokens),
            named: Some(named),
            ..Self::new(named.model, source)
        }
    }

    /// The revision in the identity; from the Hub it is the one asked for there.
    pub fn revision(mut self, revision: impl Into<String>) -> Self {
        self.revision = revision.into();
        self
    }

    /// How token vectors become one; by default the mean.
    pub fn pooling(mut self, pooling: Pooling) -> Self {
        self.pooling = pooling;
        self
    }

    /// What is put before a query, as in `"query: "`; by default nothing.
    pub fn query_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.query_prefix = prefix.into();
        self
    }

    /// What is put before a passage, as in `"passage: "`; by default nothing.
    pub fn passage_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.passage_prefix = prefix.into();
        self
    }

    /// Tokens per vector, prefix and special tokens included; by default all positions that the model has.
    pub fn max_tokens(mut self, tokens: usize) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Refuses weights with another SHA-256 (hexadecimal); by default any are taken, and the identity tells.
    pub fn expect_weights_sha256(mut self, sha256: impl Into<String>) -> Self {
        self.weights_sha256 = Some(sha256.into());
        self
    }

    /// Loads the model and starts its thread; blocks until it is ready.
    ///
    /// # Errors
    /// `ModelUnavailable`, with a hint, where a file is missing, unreadable or does not fit the others;
    /// `InvalidInput` where `max_tokens` is more than the model has, or too little for the prefixes.
    pub fn build(mut self) -> Result<BertEmbedder> {
        Ok(self.load()?)
    }

    fn load(&mut self) -> Result<BertEmbedder, CandleError> {
        let directory = self.locate()?;
        let LoadedModel { bert, config, tokenizer, weights_sha256 } =
            ModelFiles::in_directory(&directory)?.load(self.weights_sha256.as_deref())?;
        let positions = config.max_position_embeddings;
        let max_tokens = self.max_tokens.unwrap_or(positions);
        if max_tokens > positions {
            return Err(CandleError::Setting(format!("max_tokens is {max_tokens}, but the model has {positions}")));
        }

        let mut identity = EmbeddingIdentity::new(&self.model, &self.revision, config.hidden_size);
        identity.pooling = self.pooling;
        identity.query_prefix.clone_from(&self.query_prefix);
        identity.passage_prefix.clone_from(&self.passage_prefix);
        identity.weights_sha256 = weights_sha256;
        identity.max_tokens = max_tokens;

        let chunker = Chunker::new(tokenizer, self.query_prefix.clone(), self.passage_prefix.clone(), max_tokens)?;
        let model = SentenceModel::new(bert, self.pooling, config.pad_token_id as u32);
        BertEmbedder::start(identity, Engine { chunker, model })
    }

    /// The directory with the three files.
    fn locate(&mut self) -> Result<PathBuf, CandleError> {
        match self.source.clone() {
            ModelSource::Directory(directory) => Ok(directory),
            ModelSource::ModelDir(directory) => Ok(directory.join(&self.folder)),
            ModelSource::Hub(hub) => self.fetch(&hub),
        }
    }

    #[cfg(feature = "hub")]
    fn fetch(&mut self, hub: &HubSource) -> Result<PathBuf, CandleError> {
        let named = self.named.filter(|_| hub.repo.is_none());
        let repo = hub.repo.clone().or_else(|| named.map(|named| named.repo.into()));
        let repo = repo.ok_or(CandleError::NoRepository)?;
        match (&hub.revision, named) {
            (Some(revision), _) => self.revision.clone_from(revision),
            (None, Some(_)) => {}
            (None, None) => "main".clone_into(&mut self.revision),
        }
        let directory = crate::hub::snapshot(hub, &repo, &self.revision)?;
        // What a pinned revision holds is known here; of any other, the Hub has said it.
        let pinned = named.filter(|_| hub.revision.is_none()).and_then(|named| named.weights_sha256);
        let stated = || pinned.map(Into::into).or_else(|| crate::hub::stated_weights_sha256(&directory));
        self.weights_sha256 = self.weights_sha256.take().or_else(stated);
        Ok(directory)
    }

    #[cfg(not(feature = "hub"))]
    fn fetch(&mut self, _hub: &HubSource) -> Result<PathBuf, CandleError> {
        Err(CandleError::NoHub)
    }
}
