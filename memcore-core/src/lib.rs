//! Vocabulary, traits and reference backends of memcore, the long-term memory for AI agents.
//!
//! Hosts use the facade crate `memcore`; this crate is for those who write a backend. It does no I/O, reads no clock
//! and no environment: time and ids are handed in through [`Clock`] and [`IdGenerator`].
//!
//! What a backend implements: [`Embedder`], [`Extractor`], [`MemoryStore`], [`VectorStore`], [`Injector`], or one of
//! the small ones ([`ChatModel`], [`Summarizer`], [`Reviewer`], [`TokenCounter`], [`Redactor`]). [`RamStore`] and [`RamVectors`] are
//! the reference implementations; the suites in `memcore-testkit` check every clause of the contracts.
//!
//! ```
//! use memcore_core::{Level, Scope};
//!
//! let scope = Scope::user("ada")?.project("billing")?;
//! assert_eq!(scope.level(), Level::Project);
//! assert!(Scope::user("")
//!     .unwrap_err()
//!     .to_string()
//!     .contains("must not be empty"));
//! # Ok::<(), memcore_core::Error>(())
//! ```

mod batch;
mod candidate;
mod chat_model;
mod clock;
mod embedder;
mod embedding;
mod error;
mod extractor;
mod filter;
mod forget;
mod hit;
mod id;
mod id_generator;
mod injector;
mod job;
mod kind;
mod memory_store;
mod message;
mod provenance;
pub mod ram;
mod record;
mod redactor;
mod report;
mod reviewer;
mod scope;
mod slot;
mod summarizer;
pub mod text;
mod token_counter;
mod usage;
mod vector_store;

pub use batch::{Batch, BatchReceipt, Change, ChangeReason, Version};
pub use candidate::{Candidate, Operation, Rejection, RejectionReason};
pub use chat_model::{ChatEvent, ChatModel, ChatReply, ChatRequest, ChatStream, ModelUsage};
pub use chrono;
pub use clock::{Clock, ManualClock, SystemClock, Timestamp};
pub use embedder::{EmbedRole, Embedder, TextEmbedding};
pub use embedding::{Embedding, EmbeddingIdentity, Fingerprint, Pooling};
pub use error::{Error, ErrorKind, Result};
pub use extractor::{Extraction, ExtractionRequest, Extractor, ReadingPosition};
pub use filter::RecordFilter;
pub use forget::{Forget, ForgetReceipt, PurgeState};
pub use hit::{Hit, ScoreParts};
pub use id::{BatchId, JobId, MAX_ID_BYTES, MemoryId, MessageId, ProjectId, SessionId, UserId};
pub use id_generator::{IdGenerator, SequentialIds, TimeOrderedIds};
pub use injector::{Injection, InjectionRequest, Injector, Omission, OmissionReason};
pub use job::{Job, JobKind, JobState, LeaseRequest, QueueState};
pub use kind::Kind;
pub use memory_store::{
    ListRequest, MemoryStore, MessageQuery, Neighbours, Page, RejectedEntry, SortOrder, StoreCapabilities, TextHit,
    TextMatches, TextQuery,
};
pub use message::{ContentBlock, Message, Role, SessionAmendment, SessionInfo, StoredMessage, Turn};
pub use provenance::{Provenance, Quote, SourceKind, Trust};
pub use ram::{RamStore, RamVectors};
pub use record::{Confidence, Importance, MAX_CONTENT_BYTES, MemoryRecord, Status};
pub use redactor::{Finding, NoRedaction, Redaction, RedactionAction, Redactor};
pub use report::{Fault, StoreStats, VerifyReport};
pub use reviewer::{Review, ReviewProposal, ReviewRequest, Reviewer, Verdict};
pub use scope::{Level, Scope};
pub use slot::Slot;
pub use summarizer::{Summarizer, Summary};
pub use text::Language;
pub use token_counter::{EstimatedTokens, TokenCounter};
pub use usage::{UsageEntry, day_of};
pub use vector_store::{VectorCapabilities, VectorEntry, VectorHit, VectorMeta, VectorQuery, VectorStore};
