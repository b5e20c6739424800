//! What the end-to-end tests share: a memory in a folder of its own, and conversations as tables.

pub mod case;
mod reader;

pub use reader::Reader;

use memcore::{CaptureReport, Memory, Message, Scope, ScopedMemory, core::chrono::DateTime};
use tempfile::TempDir;

/// A memory on a file that vanishes with it.
#[derive(Debug)]
pub struct World {
    /// Where the file lives.
    pub folder: TempDir,
    /// The memory.
    pub memory: Memory,
}

impl World {
    /// A new file with the default parts.
    ///
    /// # Errors
    /// What opening answers.
    pub async fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let memory = Memory::open(folder.path().join("memory.db")).await?;
        Ok(Self { folder, memory })
    }

    /// A new file with other parts than the default ones.
    ///
    /// # Errors
    /// What opening answers.
    pub async fn with(
        configure: impl FnOnce(memcore::MemoryBuilder) -> memcore::MemoryBuilder,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let store = memcore::sqlite::SqliteStore::open(folder.path().join("memory.db")).await?;
        let builder = Memory::builder(store, memcore::builtin::StaticEmbedder::load()?);
        Ok(Self { memory: configure(builder).build().await?, folder })
    }

    /// The memories of a user.
    ///
    /// # Errors
    /// `InvalidInput` for a bad id.
    pub fn user(&self, id: &str) -> memcore::Result<ScopedMemory> {
        Ok(self.memory.scope(Scope::user(id)?))
    }

    /// Every byte of every file of the store.
    ///
    /// # Errors
    /// What the file system answers.
    pub fn bytes(&self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for entry in std::fs::read_dir(self.folder.path())? {
            bytes.extend(std::fs::read(entry?.path())?);
        }
        Ok(bytes)
    }
}

/// Says one message after the other in a session, each answered by "ok", and reads them.
///
/// # Errors
/// What the memory answers.
pub async fn say(
    user: &ScopedMemory,
    session: &str,
    at: &str,
    lines: &[&str],
) -> Result<CaptureReport, Box<dyn std::error::Error>> {
    let at = DateTime::parse_from_rfc3339(at)?.to_utc();
    let mut session = user.session(session)?;
    for line in lines {
        let turn = vec![Message::user(*line).with_at(at), Message::assistant("ok").with_at(at)];
        session.observe(memcore::Turn::of(turn)).await?;
    }
    Ok(session.finish().await?)
}
