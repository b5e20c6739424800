//! BERT-family sentence embeddings for memcore on [Candle](https://github.com/huggingface/candle): no Python, no
//! ONNX Runtime, no C++.
//!
//! | model | languages | values | tokens | pooling | size |
//! | --- | --- | --- | --- | --- | --- |
//! | [`MiniLm`] (all-MiniLM-L6-v2), the default | English | 384 | 256 | mean | 91 MB |
//! | [`E5Small`] (multilingual-e5-small) | about 100, Chinese among them | 384 | 512 | mean, prefixes | 470 MB |
//! | [`BgeSmallEn`] (bge-small-en-v1.5) | English | 384 | 512 | first token, query prefix | 133 MB |
//! | [`BgeSmallZh`] (bge-small-zh-v1.5) | Chinese | 512 | 512 | first token, query prefix | 96 MB |
//!
//! Any other model of the BERT architecture is loaded with [`BertEmbedder::builder`].
//!
//! ```no_run
//! use memcore_candle::{MiniLm, ModelSource};
//! use memcore_core::{EmbedRole, Embedder};
//!
//! # async fn example() -> memcore_core::Result<()> {
//! // A folder with model.safetensors, tokenizer.json and config.json.
//! let embedder = MiniLm::load(ModelSource::directory("models/minilm"))?;
//! let vectors = embedder.embed(&["I live in Porto.".to_owned()], EmbedRole::Passage).await;
//! assert_eq!(vectors.len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! Loading blocks for a moment (files are mapped, hashed and read): call it before the host serves requests, or
//! through its runtime's `spawn_blocking`. Embedding never blocks the caller's thread: each embedder owns one thread
//! that owns the model.
//!
//! # Features
//! | feature | what it adds | what it costs |
//! | --- | --- | --- |
//! | `hub` | weights from the Hugging Face Hub, through its shared cache: [`HubSource`] | 32 crates (ureq, rustls), a C compiler for ring |
//!
//! `hub` uses hf-hub 0.5, the line with the blocking ureq client: it has the shared cache, resumes broken downloads,
//! and is a sixth of hf-hub 1.0 (see `docs/decisions/0020-hub-client.md`). Without the feature [`ModelSource::Hub`]
//! still exists and answers with what to do.

mod builder;
mod chunker;
mod embedder;
mod engine;
mod error;
mod files;
#[cfg(feature = "hub")]
mod hub;
mod models;
mod sentence_model;
mod source;
mod worker;

pub use builder::BertBuilder;
pub use embedder::BertEmbedder;
pub use models::{BgeSmallEn, BgeSmallZh, E5Small, MiniLm};
pub use source::{HubSource, ModelSource};
