//! Small, fixed things for tests: scopes, ids, times, records and messages. Equal arguments give equal values.

use memcore_core::{
    BatchId, ContentBlock, Embedding, Fingerprint, Job, JobId, JobKind, Kind, MemoryId, MemoryRecord, MessageId,
    Provenance, RejectedEntry, Rejection, RejectionReason, Role, Scope, SourceKind, StoredMessage, TextEmbedding,
    Timestamp, UserId,
    chrono::{DateTime, Duration},
    text::{QueryTerm, TermKind},
};

/// The place from which everything of a user is seen that belongs to no project.
#[must_use]
pub fn user_scope(user: &str) -> Scope {
    Scope::user(user).unwrap()
}

/// A project of a user.
#[must_use]
pub fn project_scope(user: &str, project: &str) -> Scope {
    user_scope(user).project(project).unwrap()
}

/// A session of a user outside of any project.
#[must_use]
pub fn session_scope(user: &str, session: &str) -> Scope {
    user_scope(user).session(session).unwrap()
}

/// A user's id.
#[must_use]
pub fn user_id(user: &str) -> UserId {
    UserId::new(user).unwrap()
}

/// A message's id.
#[must_use]
pub fn message_id(id: &str) -> MessageId {
    MessageId::new(id).unwrap()
}

/// The n-th memory id: later numbers sort behind earlier ones.
#[must_use]
pub fn memory_id(n: u64) -> MemoryId {
    uuid(0xa, n).parse().unwrap()
}

/// The n-th batch id.
#[must_use]
pub fn batch_id(n: u64) -> BatchId {
    uuid(0xb, n).parse().unwrap()
}

/// The n-th job id: later numbers sort behind earlier ones.
#[must_use]
pub fn job_id(n: u64) -> JobId {
    uuid(0xc, n).parse().unwrap()
}

/// In the form of a UUID of version 7, whose first 48 bits are the time: here, the number.
fn uuid(sort: u8, n: u64) -> String {
    format!("{:08x}-{:04x}-7000-8000-{sort:012x}", (n >> 16) & 0xffff_ffff, n & 0xffff)
}

/// The n-th minute of a day long ago.
#[must_use]
pub fn at(minute: i64) -> Timestamp {
    DateTime::UNIX_EPOCH + Duration::days(20_000) + Duration::minutes(minute)
}

/// A fact with the n-th id, said and stored in the n-th minute.
#[must_use]
pub fn record(n: u64, scope: &Scope, content: &str) -> MemoryRecord {
    let now = at(i64::try_from(n).unwrap());
    let provenance = Provenance::new(SourceKind::User, "sample", now);
    MemoryRecord::new(memory_id(n), scope.clone(), Kind::Fact, content, provenance, now).unwrap()
}

/// A user's message, said in the first minute.
#[must_use]
pub fn message(scope: &Scope, id: &str, text: &str) -> StoredMessage {
    let content = vec![ContentBlock::text(text)];
    StoredMessage { id: message_id(id), scope: scope.clone(), role: Role::User, content, at: at(0) }
}

/// The n-th job, due in the first minute.
#[must_use]
pub fn job(n: u64, scope: &Scope) -> Job {
    Job::new(job_id(n), scope.clone(), JobKind::extract(vec![message_id("m1")]), at(0))
}

/// A rejected text.
#[must_use]
pub fn rejection(text: &str, minute: i64) -> RejectedEntry {
    RejectedEntry { rejection: Rejection::new(text, RejectionReason::Smalltalk, None), session: None, at: at(minute) }
}

/// A query term of full weight.
#[must_use]
pub fn term(text: &str) -> QueryTerm {
    QueryTerm { text: text.to_owned(), kind: TermKind::Word, weight: 1.0, decisive: false }
}

/// The short form of a made-up model's identity.
#[must_use]
pub fn fingerprint(model: &str) -> Fingerprint {
    Fingerprint::from_stored(model)
}

/// One vector.
#[must_use]
pub fn embedding(values: &[f32]) -> Embedding {
    Embedding::new(values).unwrap()
}

/// The embedding of a short text.
#[must_use]
pub fn vector(values: &[f32]) -> TextEmbedding {
    TextEmbedding::single(embedding(values))
}
