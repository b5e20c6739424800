//! The store's handle: it hands work to the threads that own the connections.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use memcore_core::{Error, Result};
use rusqlite::{Connection, Transaction};
use tokio::sync::oneshot;

use crate::{
    builder::{Options, SqliteStoreBuilder},
    connection::{self, Purpose},
    error::{Failure, Result as Inner},
    file::{self, Found},
    schema,
    worker::Workers,
    writer::Writer,
};

/// Memories, vectors, text index, transcripts and queued work in one SQLite file.
///
/// One thread writes and a few read, each with a connection of its own, so a long search never holds up a write.
/// Several processes, and several stores in one process, may use one file: writers queue for a lock on a file beside
/// it (`NAME.lock`). When a call returns `Ok`, its changes are flushed to the disk (see
/// [`Synchronous`](crate::Synchronous)). A future that is dropped leaves its change done or not done, never half.
pub struct SqliteStore {
    path: PathBuf,
    // Dropped in this order: the writer's connection is the last one, and tidies up the log.
    readers: Workers<Connection>,
    writer: Option<Workers<Writer>>,
}

impl SqliteStore {
    /// Opens a database, or makes it, with its folder; only its owner may read new files. A file that cannot be
    /// written (or whose folder cannot) is opened for reading: writes answer `ReadOnly` then.
    ///
    /// # Errors
    /// - `NotADatabase`: it is a folder, a device, or a file of another program. It is left as it was.
    /// - `SchemaTooNew`: a newer version of memcore wrote it. It is left as it was.
    /// - `Corrupt`: it is ours, and damaged.
    /// - `ReadOnly`: there is none, and none can be made.
    /// - `Busy`: others hold its lock for longer than the limit.
    /// - `StorageFull`, `Io`: what the operating system says.
    /// - `InvalidInput`: an empty path, or `:memory:`.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::builder(path).build().await
    }

    /// The same with options.
    pub fn builder(path: impl AsRef<Path>) -> SqliteStoreBuilder {
        SqliteStoreBuilder::new(path.as_ref())
    }

    /// The file, as an absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether writes answer `ReadOnly`.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.writer.is_none()
    }

    pub(crate) async fn open_with(path: PathBuf, options: Options) -> Result<Self> {
        let (answer, opened) = oneshot::channel();
        std::thread::Builder::new()
            .name("memcore-open".into())
            .spawn(move || answer.send(open(&path, &options)))
            .map_err(|error| Failure::io("starting a thread failed", error))?;
        let opened = opened.await.map_err(|_| Failure::internal("opening the database panicked"))?;
        opened.map_err(Error::from)
    }

    /// Runs a job in a transaction of its own, which is committed where the job succeeds.
    pub(crate) async fn write<A, F>(&self, job: F) -> Result<A>
    where
        A: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Inner<A> + Send + 'static,
    {
        self.with_writer(move |writer| writer.transaction(job)).await
    }

    /// Runs a job that begins its own transactions.
    pub(crate) async fn with_writer<A, F>(&self, job: F) -> Result<A>
    where
        A: Send + 'static,
        F: FnOnce(&mut Writer) -> Inner<A> + Send + 'static,
    {
        let writer = self
            .writer
            .as_ref()
            .ok_or_else(|| Failure::ReadOnly { what: "the database was opened for reading only".into() })?;
        Ok(writer.run(job).await?)
    }

    /// Runs a job in which all reads see one state.
    pub(crate) async fn read<A, F>(&self, job: F) -> Result<A>
    where
        A: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Inner<A> + Send + 'static,
    {
        Ok(self.readers.run(move |connection| job(&connection::begin_read(connection)?)).await?)
    }
}

/// The path only: contents never reach a log.
impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("path", &self.path)
            .field("read_only", &self.is_read_only())
            .finish_non_exhaustive()
    }
}

fn open(path: &Path, options: &Options) -> Inner<SqliteStore> {
    let (path, found) = file::look(path)?;
    match found {
        Found::File => file::check_owner(&path)?,
        Found::Nothing if options.read_only => {
            let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(Failure::io("there is no database to read", missing));
        }
        Found::Nothing => file::create(&path)?,
    }
    // Links are resolved, so that all who open this file agree on where its lock is.
    let path = std::fs::canonicalize(&path).map_err(|error| Failure::io("the database cannot be reached", error))?;
    if !options.read_only {
        match Writer::open(&path, options) {
            Ok(writer) => return serve(path, options, Some(writer), Purpose::Read),
            // What cannot be written may still be read.
            Err(Failure::ReadOnly { .. }) => {}
            Err(failure) => return Err(failure),
        }
    }
    serve(path, options, None, Purpose::ReadOnlyFile)
}

fn serve(path: PathBuf, options: &Options, writer: Option<Writer>, readers: Purpose) -> Inner<SqliteStore> {
    let mut connections = Vec::with_capacity(options.readers);
    for _ in 0..options.readers {
        connections.push(connection::open(&path, options, readers)?);
    }
    if let Some(connection) = connections.first() {
        schema::check_objects(connection)?;
    }
    Ok(SqliteStore {
        path,
        readers: Workers::start("memcore-read", connections)?,
        writer: writer.map(|writer| Workers::start("memcore-write", vec![writer])).transpose()?,
    })
}
