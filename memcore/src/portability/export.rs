//! Export: all that there is of one user, written as it is read.

use memcore_core::{
    Error, ErrorKind, MemoryRecord, MessageQuery, Result, Scope, SessionInfo, Status, Timestamp, UserId, Version,
};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::{
    lines::{Counts, FORMAT, Header, Line, LineWriter, PastVersion, VERSION, cannot_write},
    markdown::Sections,
    mem0,
    places::{Place, places},
};
use crate::{engine::Engine, scoped::ScopedMemory};

/// Records read at a time.
const CHUNK: usize = 200;

/// The form of an export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ExportFormat {
    /// `memcore-export/1`: lossless.
    #[default]
    Jsonl,
    /// `memcore-md/1`: what is in force, for people and other assistants.
    #[serde(rename = "md")]
    Markdown,
    /// A JSON array as mem0's `get_all` gives it: what is in force.
    Mem0,
}

/// What to export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportRequest {
    /// The form.
    pub format: ExportFormat,
    /// Whether sessions and their messages are in it ([`ExportFormat::Jsonl`] only).
    pub with_sessions: bool,
}

impl ExportRequest {
    /// An export of memories, without transcripts.
    #[must_use]
    pub fn new(format: ExportFormat) -> Self {
        Self { format, with_sessions: false }
    }

    /// With sessions and their messages.
    #[must_use]
    pub fn with_sessions(mut self) -> Self {
        self.with_sessions = true;
        self
    }
}

/// What was exported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExportReport {
    /// Memories.
    pub memories: u64,
    /// Earlier versions of them.
    pub versions: u64,
    /// Sessions.
    pub sessions: u64,
    /// Their messages.
    pub messages: u64,
    /// Memories of the user that the export could not reach: they live in a project that neither a session nor another
    /// memory mentions. An export from within that project has them.
    pub unreached: u64,
}

/// Writes what there is of the handle's user, in every project.
///
/// The whole export is of one state: where memories change while it is written, it ends with an error and without a
/// footer.
///
/// # Errors
/// `Conflict` where memories changed meanwhile; `Io` or `StorageFull` where `out` fails; what the store answers.
pub async fn export<W>(memory: &ScopedMemory, request: &ExportRequest, out: &mut W) -> Result<ExportReport>
where
    W: AsyncWrite + Unpin + Send + ?Sized,
{
    let source = Source { engine: memory.engine(), user: memory.scope().user_id().clone() };
    let generation = source.engine.store.generation(&source.user).await?;
    let (places, unreached) = places(source.engine, memory.scope()).await?;
    let mut report = match request.format {
        ExportFormat::Jsonl => source.write_lines(&places, request.with_sessions, out).await,
        ExportFormat::Markdown => source.write_markdown(&places, out).await,
        ExportFormat::Mem0 => source.write_mem0(&places, out).await,
    }?;
    if source.engine.store.generation(&source.user).await? != generation {
        return Err(changed_meanwhile());
    }
    out.flush().await.map_err(cannot_write)?;
    report.unreached = unreached;
    Ok(report)
}

fn changed_meanwhile() -> Error {
    Error::new(ErrorKind::Conflict, "memories changed while they were exported").with_hint("export again")
}

struct Source<'a> {
    engine: &'a Engine,
    user: UserId,
}

impl Source<'_> {
    async fn write_lines<W>(&self, places: &[Place], with_sessions: bool, out: &mut W) -> Result<ExportReport>
    where
        W: AsyncWrite + Unpin + Send + ?Sized,
    {
        let sessions = if with_sessions { self.sessions().await? } else { Vec::new() };
        let counts = Counts {
            memory: places.iter().map(|place| place.ids.len() as u64).sum(),
            version: self.count_past_versions(places).await?,
            session: sessions.len() as u64,
            message: sessions.iter().map(|info| info.messages).sum(),
        };
        let mut lines = LineWriter::new(out);
        lines.write(&Line::Header(self.header(counts))).await?;
        for info in sessions {
            let messages = self.engine.store.messages(&MessageQuery::new(info.scope.clone())).await?;
            let expected = usize::try_from(info.messages).unwrap_or(usize::MAX);
            lines.write(&Line::Session(info)).await?;
            // Messages that came after the header was written stay out.
            for message in messages.into_iter().take(expected) {
                lines.write(&Line::Message(message)).await?;
            }
        }
        for place in places {
            for ids in place.ids.chunks(CHUNK) {
                for record in self.engine.store.get(&place.scope, ids).await? {
                    let past = self.past_versions(&place.scope, &record).await?;
                    lines.write(&Line::Memory(Box::new(portable(record)))).await?;
                    for version in past {
                        lines.write(&Line::Version(Box::new(version))).await?;
                    }
                }
            }
        }
        lines.finish().await?;
        Ok(ExportReport {
            memories: counts.memory,
            versions: counts.version,
            sessions: counts.session,
            messages: counts.message,
            unreached: 0,
        })
    }

    async fn write_markdown<W>(&self, places: &[Place], out: &mut W) -> Result<ExportReport>
    where
        W: AsyncWrite + Unpin + Send + ?Sized,
    {
        let mut sections = Sections::default();
        let mut memories = 0;
        for place in places {
            for ids in place.ids.chunks(CHUNK) {
                for record in self.in_force(&place.scope, ids).await? {
                    memories += 1;
                    sections.add(&record);
                }
            }
        }
        let text = sections.into_document(&self.user, self.engine.now());
        out.write_all(text.as_bytes()).await.map_err(cannot_write)?;
        Ok(ExportReport { memories, ..ExportReport::default() })
    }

    async fn write_mem0<W>(&self, places: &[Place], out: &mut W) -> Result<ExportReport>
    where
        W: AsyncWrite + Unpin + Send + ?Sized,
    {
        let mut memories = 0;
        for place in places {
            for ids in place.ids.chunks(CHUNK) {
                for record in self.in_force(&place.scope, ids).await? {
                    let before = if memories == 0 { "[\n" } else { ",\n" };
                    out.write_all(before.as_bytes()).await.map_err(cannot_write)?;
                    out.write_all(mem0::entry(&record).to_string().as_bytes()).await.map_err(cannot_write)?;
                    memories += 1;
                }
            }
        }
        let end = if memories == 0 { "[]\n" } else { "\n]\n" };
        out.write_all(end.as_bytes()).await.map_err(cannot_write)?;
        Ok(ExportReport { memories, ..ExportReport::default() })
    }

    fn header(&self, counts: Counts) -> Header {
        Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            exported_at: self.engine.now(),
            generator: concat!("memcore ", env!("CARGO_PKG_VERSION")).to_owned(),
            user: self.user.to_string(),
            counts,
        }
    }

    async fn sessions(&self) -> Result<Vec<SessionInfo>> {
        let mut sessions = self.engine.store.sessions(&Scope::of_user(self.user.clone())).await?;
        sessions.sort_by(|a, b| order(a).cmp(&order(b)));
        Ok(sessions)
    }

    async fn in_force(&self, scope: &Scope, ids: &[memcore_core::MemoryId]) -> Result<Vec<MemoryRecord>> {
        let mut records = self.engine.store.get(scope, ids).await?;
        records.retain(|record| record.status == Status::Active);
        Ok(records)
    }

    async fn count_past_versions(&self, places: &[Place]) -> Result<u64> {
        let mut count = 0;
        for place in places {
            for id in &place.ids {
                count += self.history(&place.scope, *id).await?.len().saturating_sub(1) as u64;
            }
        }
        Ok(count)
    }

    async fn past_versions(&self, scope: &Scope, record: &MemoryRecord) -> Result<Vec<PastVersion>> {
        let mut versions = self.history(scope, record.id).await?;
        // The last one is the record itself.
        versions.pop();
        Ok(versions.into_iter().map(past_version).collect())
    }

    async fn history(&self, scope: &Scope, id: memcore_core::MemoryId) -> Result<Vec<Version>> {
        self.engine.store.history(scope, id).await.map_err(|error| match error.kind() {
            ErrorKind::NotFound => changed_meanwhile(),
            _ => error,
        })
    }
}

fn order(info: &SessionInfo) -> (Timestamp, &Scope) {
    (info.started_at, &info.scope)
}

/// The record without what belongs to this store alone.
fn portable(mut record: MemoryRecord) -> MemoryRecord {
    record.embedding = None;
    record
}

/// A former version without the access figures, which count for the record as a whole.
fn past_version(version: Version) -> PastVersion {
    let mut record = portable(version.record);
    record.access_count = 0;
    record.last_accessed_at = None;
    PastVersion { memory: record.id, n: version.number, reason: version.reason, record }
}
