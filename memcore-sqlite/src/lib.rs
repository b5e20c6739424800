//! Memories, vectors, text index, transcripts and queued work of memcore in one SQLite file.
//!
//! [`SqliteStore`] implements [`MemoryStore`](memcore_core::MemoryStore) and
//! [`VectorStore`](memcore_core::VectorStore): whatever changes, changes in one transaction. Several processes may use
//! one file at the same time.
//!
//! ```
//! use memcore_core::{MemoryStore, UserId};
//! use memcore_sqlite::SqliteStore;
//!
//! # futures::executor::block_on(async {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("agent.db");
//! let store = SqliteStore::open(&path).await?;
//! assert_eq!(store.generation(&UserId::new("ada")?).await?, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! | What | Where |
//! | --- | --- |
//! | the file: who may open it, its schema, its lock | `file`, `schema`, `segmentation`, `connection`, `lock` |
//! | threads that own the connections | `store`, `worker`, `writer` |
//! | writing | `commit`, `records`, `vectors`, `transcript`, `jobs`, `rejections` |
//! | reading | `filter`, `list`, `history`, `text_search`, `vector_search`, `best`, `stats`, `verify` |
//! | erasing | `forget`, `phrases`, `purge`, `slack`, `raw_file` |

mod best;
mod builder;
mod codec;
mod commit;
mod connection;
mod error;
mod file;
mod filter;
mod forget;
mod history;
mod identities;
mod jobs;
mod list;
mod lock;
mod memory_store;
mod names;
mod neighbours;
mod phrases;
mod purge;
mod raw_file;
mod records;
mod rejections;
mod schema;
mod segmentation;
mod slack;
mod stats;
mod store;
mod text_search;
mod transcript;
mod usage;
mod vector_search;
mod vector_store;
mod vectors;
mod verify;
mod worker;
mod writer;

pub use builder::{SqliteStoreBuilder, Synchronous};
pub use store::SqliteStore;
