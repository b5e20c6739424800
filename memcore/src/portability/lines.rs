//! The lines of `memcore-export/1`, and how they are written: each one goes into the footer's hash.

use memcore_core::{
    ChangeReason, Error, ErrorKind, MemoryId, MemoryRecord, Result, SessionInfo, StoredMessage, Timestamp,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncWrite, AsyncWriteExt};

/// The format's name, as its header gives it.
pub const FORMAT: &str = "memcore-export";
/// The format's version.
pub(super) const VERSION: u32 = 1;

/// A line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub(super) enum Line {
    Header(Header),
    Session(SessionInfo),
    Message(StoredMessage),
    Memory(Box<MemoryRecord>),
    Version(Box<PastVersion>),
    Footer(Footer),
}

/// The first line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) exported_at: Timestamp,
    pub(super) generator: String,
    pub(super) user: String,
    pub(super) counts: Counts,
}

/// How many lines of each type follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Counts {
    pub(super) memory: u64,
    pub(super) version: u64,
    pub(super) session: u64,
    pub(super) message: u64,
}

/// What a record was before. Its number starts at 1; the record's own line is the version behind the last of these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PastVersion {
    pub(super) memory: MemoryId,
    pub(super) n: u32,
    pub(super) reason: ChangeReason,
    pub(super) record: MemoryRecord,
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Footer {
    /// Of all bytes before this line, lower-case hexadecimal.
    pub(super) sha256: String,
    /// Lines before this one.
    pub(super) lines: u64,
}

/// Writes lines and keeps their hash.
pub(super) struct LineWriter<'a, W: ?Sized> {
    out: &'a mut W,
    hash: Sha256,
    lines: u64,
    buffer: Vec<u8>,
}

impl<'a, W: AsyncWrite + Unpin + Send + ?Sized> LineWriter<'a, W> {
    pub(super) fn new(out: &'a mut W) -> Self {
        Self { out, hash: Sha256::new(), lines: 0, buffer: Vec::new() }
    }

    pub(super) async fn write(&mut self, line: &Line) -> Result<()> {
        self.buffer.clear();
        serde_json::to_writer(&mut self.buffer, line)
            .map_err(|error| Error::new(ErrorKind::Internal, "a line cannot be written as JSON").with_source(error))?;
        self.buffer.push(b'\n');
        self.hash.update(&self.buffer);
        self.lines += 1;
        self.out.write_all(&self.buffer).await.map_err(cannot_write)
    }

    pub(super) async fn finish(mut self) -> Result<()> {
        let footer = Footer { sha256: hex(&self.hash.clone().finalize()), lines: self.lines };
        self.write(&Line::Footer(footer)).await?;
        self.out.flush().await.map_err(cannot_write)
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn cannot_write(error: std::io::Error) -> Error {
    let kind = match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => ErrorKind::StorageFull,
        _ => ErrorKind::Io,
    };
    Error::new(kind, "the export cannot be written").with_source(error)
}
