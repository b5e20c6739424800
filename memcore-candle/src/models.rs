//! The models known by name: their repository, pinned revision, prefixes and pooling.

use memcore_core::{Pooling, Result};

use crate::{BertBuilder, BertEmbedder, ModelSource};

/// all-MiniLM-L6-v2: English, 384 values, 256 tokens, no prefixes. The named default.
#[derive(Debug, Clone, Copy)]
pub struct MiniLm;

/// multilingual-e5-small: Chinese, English and about a hundred more, 384 values, 512 tokens, a prefix per role.
#[derive(Debug, Clone, Copy)]
pub struct E5Small;

/// bge-small-en-v1.5: English, 384 values, 512 tokens, first-token pooling, a prefix before queries.
#[derive(Debug, Clone, Copy)]
pub struct BgeSmallEn;

/// bge-small-zh-v1.5: Chinese, 512 values, 512 tokens, first-token pooling, a prefix before queries.
#[derive(Debug, Clone, Copy)]
pub struct BgeSmallZh;

impl MiniLm {
    /// Loads the model; blocks until it is ready.
    ///
    /// # Errors
    /// `ModelUnavailable`, with a hint, where a file is missing, unreadable or of another model.
    pub fn load(source: ModelSource) -> Result<BertEmbedder> {
        MINI_LM.builder(source).build()
    }
}

impl E5Small {
    /// Loads the model; blocks until it is ready.
    ///
    /// # Errors
    /// As [`MiniLm::load`].
    pub fn load(source: ModelSource) -> Result<BertEmbedder> {
        E5_SMALL.builder(source).build()
    }
}

impl BgeSmallEn {
    /// Loads the model; blocks until it is ready.
    ///
    /// # Errors
    /// As [`MiniLm::load`].
    pub fn load(source: ModelSource) -> Result<BertEmbedder> {
        BGE_SMALL_EN.builder(source).build()
    }
}

impl BgeSmallZh {
    /// Loads the model; blocks until it is ready.
    ///
    /// # Errors
    /// As [`MiniLm::load`].
    pub fn load(source: ModelSource) -> Result<BertEmbedder> {
        BGE_SMALL_ZH.builder(source).build()
    }
}

/// What is known of a named model, by its model card.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "hub"), expect(dead_code, reason = "repository and hash serve downloads only"))]
pub(crate) struct NamedModel {
    pub(crate) model: &'static str,
    /// The directory's name under [`ModelSource::ModelDir`].
    pub(crate) folder: &'static str,
    pub(crate) repo: &'static str,
    /// A commit: a branch may move, and vectors of two revisions must not be compared.
    pub(crate) revision: &'static str,
    /// SHA-256 of `model.safetensors` at that commit; checked after a download.
    pub(crate) weights_sha256: Option<&'static str>,
    pub(crate) pooling: Pooling,
    pub(crate) query_prefix: &'static str,
    pub(crate) passage_prefix: &'static str,
    pub(crate) max_tokens: usize,
}

impl NamedModel {
    fn builder(self, source: ModelSource) -> BertBuilder {
        BertBuilder::named(self, source)
    }
}

const MINI_LM: NamedModel = NamedModel {
    model: "all-MiniLM-L6-v2",
    folder: "minilm",
    repo: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    weights_sha256: Some("53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
    pooling: Pooling::Mean,
    query_prefix: "",
    passage_prefix: "",
    // The model has 512 positions, but was trained on, and is published with, 256.
    max_tokens: 256,
};

const E5_SMALL: NamedModel = NamedModel {
    model: "multilingual-e5-small",
    folder: "e5-small",
    repo: "intfloat/multilingual-e5-small",
    revision: "614241f622f53c4eeff9890bdc4f31cfecc418b3",
    weights_sha256: Some("1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477"),
    pooling: Pooling::Mean,
    query_prefix: "query: ",
    passage_prefix: "passage: ",
    max_tokens: 512,
};

const BGE_SMALL_EN: NamedModel = NamedModel {
    model: "bge-small-en-v1.5",
    folder: "bge-small-en",
    repo: "BAAI/bge-small-en-v1.5",
    revision: "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
    weights_sha256: Some("3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad"),
    pooling: Pooling::Cls,
    query_prefix: "Represent this sentence for searching relevant passages: ",
    passage_prefix: "",
    max_tokens: 512,
};

const BGE_SMALL_ZH: NamedModel = NamedModel {
    model: "bge-small-zh-v1.5",
    folder: "bge-small-zh",
    repo: "BAAI/bge-small-zh-v1.5",
    revision: "7999e1d3359715c523056ef9478215996d62a620",
    weights_sha256: None,
    pooling: Pooling::Cls,
    query_prefix: "为这个句子生成表示以用于检索相关文章：",
    passage_prefix: "",
    max_tokens: 512,
};
