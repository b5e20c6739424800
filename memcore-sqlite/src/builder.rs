//! Options of a store, and how it is opened.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use memcore_core::Result;

use crate::store::SqliteStore;

/// What must have reached the disk before a write is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Synchronous {
    /// The log is flushed at each commit: an acknowledged write survives a power cut.
    #[default]
    Full,
    /// The log is flushed now and then: an acknowledged write survives the process, but the newest ones may be lost
    /// in a power cut. Several times faster for single writes.
    Normal,
}

/// Opens a [`SqliteStore`] with other options than the default ones.
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until it builds"]
pub struct SqliteStoreBuilder {
    path: PathBuf,
    options: Options,
}

/// The options, as the rest of the crate reads them.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) read_only: bool,
    pub(crate) busy_limit: Duration,
    pub(crate) cache_kib: u32,
    pub(crate) max_pages: Option<u32>,
    pub(crate) synchronous: Synchronous,
    pub(crate) readers: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            read_only: false,
            busy_limit: Duration::from_secs(30),
            cache_kib: 8 * 1024,
            max_pages: None,
            synchronous: Synchronous::Full,
            readers: 2,
        }
    }
}

impl SqliteStoreBuilder {
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), options: Options::default() }
    }

    /// Never writes to the file, and never makes one: writes answer `ReadOnly`.
    pub fn read_only(mut self) -> Self {
        self.options.read_only = true;
        self
    }

    /// The longest wait for other processes; then `Busy`. 30 seconds by default.
    pub fn busy_limit(mut self, limit: Duration) -> Self {
        self.options.busy_limit = limit;
        self
    }

    /// The page cache of each of the three connections, in KiB. 8,192 by default.
    pub fn cache_kib(mut self, kib: u32) -> Self {
        self.options.cache_kib = kib;
        self
    }

    /// The largest size of the file, in pages of 8,192 bytes; then `StorageFull`. None by default.
    pub fn max_pages(mut self, pages: u32) -> Self {
        self.options.max_pages = Some(pages);
        self
    }

    /// What must have reached the disk before a write is acknowledged.
    pub fn synchronous(mut self, synchronous: Synchronous) -> Self {
        self.options.synchronous = synchronous;
        self
    }

    /// How many threads read beside the one that writes; at least 1. 2 by default.
    pub fn readers(mut self, readers: usize) -> Self {
        self.options.readers = readers.max(1);
        self
    }

    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// As [`SqliteStore::open`].
    pub async fn build(self) -> Result<SqliteStore> {
        SqliteStore::open_with(self.path, self.options).await
    }
}
