//! Conformance suites, fault injection and generators for memcore backends.
//!
//! # Suites
//!
//! A suite has one case for each clause of a trait's contract; the case's name is the clause. One macro line makes a
//! `#[test]` of each, so that a failure shows by name. It takes a closure that answers, asynchronously, with a fresh
//! fixture: every case gets its own, on a runtime of its own.
//!
//! ```
//! // tests/conformance.rs of a backend
//! use std::sync::Arc;
//!
//! use memcore_core::{RamStore, RamVectors};
//! use memcore_testkit::{HashEmbedder, Standalone, StandaloneVectors};
//!
//! mod records {
//!     use super::*;
//!     memcore_testkit::memory_store_suite!(|| async { Standalone::new(Arc::new(RamStore::new())) });
//! }
//!
//! mod vectors {
//!     use super::*;
//!     memcore_testkit::vector_store_suite!(|| async { StandaloneVectors::new(Arc::new(RamVectors::new())) });
//! }
//!
//! mod embedder {
//!     use super::*;
//!     memcore_testkit::embedder_suite!(|| async { HashEmbedder::new(64) });
//! }
//! # fn main() {}
//! ```
//!
//! | macro | the closure answers with |
//! | --- | --- |
//! | [`memory_store_suite!`] | a [`StoreFixture`]: [`Standalone`], [`Shared`], or your own that can `reopen` |
//! | [`vector_store_suite!`] | a [`VectorFixture`]: [`StandaloneVectors`], [`Shared`], or your own |
//! | [`embedder_suite!`] | an [`Embedder`](memcore_core::Embedder) |
//! | [`extractor_suite!`] | an [`Extractor`](memcore_core::Extractor) |
//! | [`injector_suite!`] | an [`InjectorFixture`]: the injector and its fences |
//!
//! A durable store writes its own [`StoreFixture`], so that it can be closed and opened again:
//!
//! ```
//! # use std::sync::Arc;
//! # use memcore_core::{MemoryStore, RamStore};
//! use memcore_testkit::StoreFixture;
//!
//! struct OnDisk {
//!     folder: Arc<String>, // such as a tempfile::TempDir
//!     store: Arc<dyn MemoryStore>,
//! }
//!
//! impl OnDisk {
//!     async fn open(folder: Arc<String>) -> Self {
//!         # let store = Arc::new(RamStore::new());
//!         // let store = Arc::new(SqliteStore::open(folder.path().join("memory.db")).await.unwrap());
//!         Self { folder, store }
//!     }
//! }
//!
//! #[async_trait::async_trait]
//! impl StoreFixture for OnDisk {
//!     fn store(&self) -> Arc<dyn MemoryStore> {
//!         Arc::clone(&self.store)
//!     }
//!
//!     async fn reopen(self: Box<Self>) -> Option<Box<dyn StoreFixture>> {
//!         let Self { folder, store } = *self;
//!         drop(store); // closes the file; the cases keep no handle of their own
//!         Some(Box::new(Self::open(folder).await))
//!     }
//! }
//! ```
//!
//! # Everything else
//!
//! - [`random_operations`] and [`random_vector_operations`]: long random runs, compared with the RAM reference.
//! - [`FaultyStore`], [`FaultyEmbedder`]: fail where a test wants it. [`ScriptedExtractor`]: finds what it was told.
//! - [`HashEmbedder`]: a deterministic embedder without a model.
//! - [`sample`]: records, messages, ids and times for tests; [`Generator`]: endless ones in both languages.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "everything here runs in tests, where a failed expectation is a panic"
)]

pub mod embedder;
pub mod extractor;
mod faulty_embedder;
mod faulty_store;
mod fixture;
mod generator;
mod hash_embedder;
pub mod injector;
pub mod memory_store;
mod random_operations;
mod random_vectors;
pub mod sample;
mod scripted_extractor;
mod suite;
pub mod vector_store;
mod writer;

pub use faulty_embedder::FaultyEmbedder;
pub use faulty_store::{Call, Failure, FaultyStore};
pub use fixture::{InjectorFixture, Shared, Standalone, StandaloneVectors, StoreFixture, VectorFixture};
pub use generator::{Generator, Lcg};
pub use hash_embedder::HashEmbedder;
pub use random_operations::{assert_same, random_operations};
pub use random_vectors::random_vector_operations;
pub use scripted_extractor::ScriptedExtractor;
pub use suite::block_on;
pub use writer::Writer;
