//! Long-term memory for AI agents: capture, store, recall and inject; offline, in Chinese and English.
//!
//! A host opens a [`Memory`], takes a handle for one user ([`Memory::scope`]) and, per conversation, a [`Session`]:
//! `context` before the model is called, `observe` after it has answered.
//!
//! ```
//! # #[cfg(all(feature = "sqlite", feature = "builtin"))]
//! # tokio::runtime::Builder::new_multi_thread().build()?.block_on(async {
//! use memcore::{Memory, Scope, Turn};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("agent.db");
//!
//! let memory = Memory::open(&path).await?;
//! let ada = memory.scope(Scope::user("ada")?);
//!
//! let mut first = ada.session("monday")?;
//! first.observe(Turn::new("I live in Porto, and I'm allergic to peanuts.", "Noted!")).await?;
//! first.finish().await?;
//!
//! let mut second = ada.session("tuesday")?;
//! let context = second.context("Which snacks should I avoid?").await?;
//! assert!(context.system_prompt("You are a helpful assistant.").contains("peanuts"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | adds | costs |
//! | --- | --- | --- |
//! | `sqlite` (default) | [`SqliteStore`](sqlite::SqliteStore): records, vectors and text index in one file | SQLite, compiled from C |
//! | `builtin` (default) | [`StaticEmbedder`](builtin::StaticEmbedder): bilingual embeddings, nothing to download | 10 MB in the binary |
//! | `candle` | BERT-family models from a directory | Candle, and the weights |
//! | `hub` | `candle`, and weights from the Hugging Face Hub | an HTTP client |
//! | `llm` | capture with a language model, chat clients, a remote embedder | an HTTP client with rustls |

mod admin;
mod builder;
mod context;
mod engine;
pub mod extract;
mod inject;
mod memory;
mod outcome;
mod pipeline;
pub mod policy;
pub mod portability;
pub mod redact;
mod scoped;
mod session;
mod settings;
pub mod summarize;
pub mod transcript;
mod worker;

#[cfg(feature = "builtin")]
pub use memcore_builtin as builtin;
#[cfg(feature = "candle")]
pub use memcore_candle as candle;
pub use memcore_core as core;
#[cfg(feature = "llm")]
pub use memcore_llm as llm;
#[cfg(feature = "sqlite")]
pub use memcore_sqlite as sqlite;

pub use admin::Admin;
pub use builder::MemoryBuilder;
pub use context::{Context, ContextRequest, Placement};
pub use inject::FencedInjector;
pub use memcore_core::{
    Embedder, Error, ErrorKind, Extractor, ForgetReceipt, Hit, Importance, Injection, Injector, Kind, Level, MemoryId,
    MemoryRecord, MemoryStore, Message, RamStore, RamVectors, Result, Role, Scope, Slot, Status, Timestamp, Trust,
    Turn, VectorStore,
};
pub use memory::Memory;
pub use outcome::{CaptureReport, Observation, Outcome, UnclearForget, WriteOutcome};
pub use pipeline::{
    recall::{Purpose, Recall, RecallRequest},
    revise::Edit,
};
pub use scoped::{RememberRequest, ScopedMemory};
pub use session::Session;
pub use settings::{
    CaptureSettings, ConversationSettings, InjectionSettings, RecallSettings, ReviewSettings, Settings,
};
pub use worker::Worker;
