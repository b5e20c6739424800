//! What can go wrong in here, and the one place that maps it to the core error.

use memcore_core::{Error, ErrorKind};
use rusqlite::ErrorCode;

/// Shorthand for results inside this crate.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Typed already: broken input, a conflict, an unknown id.
    #[error(transparent)]
    Core(#[from] Error),
    /// SQLite's word.
    #[error("the database refused")]
    Sqlite(#[from] rusqlite::Error),
    /// The operating system's word.
    #[error("{what}")]
    Io {
        /// What was tried.
        what: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("{what}")]
    NotADatabase {
        /// What it is, or seems to be.
        what: String,
    },
    /// The file is from the future.
    #[error("the file has schema version {found}, this version of memcore knows versions up to {supported}")]
    SchemaTooNew {
        /// The file's version.
        found: u32,
        /// The newest that is known here.
        supported: u32,
    },
    /// What was read cannot be what was written.
    #[error("{what}")]
    Corrupt {
        /// What contradicts itself.
        what: String,
    },
    /// Others hold the lock.
    #[error("other processes held the file's lock for longer than {seconds} s")]
    Busy {
        /// How long was waited.
        seconds: u64,
    },
    /// Nothing may be written here.
    #[error("{what}")]
    ReadOnly {
        /// What cannot be written.
        what: String,
    },
    /// A defect.
    #[error("{what}")]
    Internal {
        /// What should not have happened.
        what: String,
    },
}

impl Failure {
    pub(crate) fn corrupt(what: impl Into<String>) -> Self {
        Self::Corrupt { what: what.into() }
    }

    pub(crate) fn internal(what: impl Into<String>) -> Self {
        Self::Internal { what: what.into() }
    }

    pub(crate) fn io(what: impl Into<String>, source: std::io::Error) -> Self {
        Self::Io { what: what.into(), source }
    }

    pub(crate) fn not_found(what: impl Into<String>) -> Self {
        Self::Core(Error::new(ErrorKind::NotFound, what))
    }

    pub(crate) fn conflict(what: impl Into<String>) -> Self {
        Self::Core(Error::new(ErrorKind::Conflict, what))
    }

    pub(crate) fn invalid(what: impl Into<String>) -> Self {
        Self::Core(Error::invalid(what))
    }
}

/// Whether SQLite waited for others in vain.
pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let message = failure.to_string();
        match failure {
            Failure::Core(error) => error,
            Failure::Sqlite(error) => from_sqlite(error),
            Failure::Io { source, .. } => from_io(message, source),
            Failure::NotADatabase { .. } => Self::new(ErrorKind::NotADatabase, message).with_hint(NOT_OURS),
            Failure::SchemaTooNew { .. } => Self::new(ErrorKind::SchemaTooNew, message).with_hint("upgrade memcore"),
            Failure::Corrupt { .. } => Self::new(ErrorKind::Corrupt, message).with_hint(DAMAGED),
            Failure::Busy { .. } => Self::new(ErrorKind::Busy, message).with_hint(HELD),
            Failure::ReadOnly { .. } => Self::new(ErrorKind::ReadOnly, message).with_hint(NO_WRITES),
            Failure::Internal { .. } => Self::new(ErrorKind::Internal, message),
        }
    }
}

const NOT_OURS: &str = "nothing was changed; give the path of a memcore database, or of a file that does not exist yet";
const DAMAGED: &str = "run verify to see what is damaged, and restore a backup or recover what is readable";
const HELD: &str = "try again; if it lasts, look for a program that keeps a transaction open on this file";
const NO_WRITES: &str =
    "reading works; make the file and its folder writable, or copy them elsewhere, to store memories";
const FULL: &str = "what was stored before is intact; free some space, or forget memories, and try again";

fn from_io(message: String, source: std::io::Error) -> Error {
    let (kind, hint) = match source.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => (ErrorKind::StorageFull, FULL),
        std::io::ErrorKind::ReadOnlyFilesystem => (ErrorKind::ReadOnly, NO_WRITES),
        _ => (ErrorKind::Io, "check that the path exists and that this user may read and write it"),
    };
    Error::new(kind, message).with_hint(hint).with_source(source)
}

fn from_sqlite(error: rusqlite::Error) -> Error {
    let (kind, message, hint) = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            (ErrorKind::Busy, "the database is locked by others", HELD)
        }
        Some(ErrorCode::DiskFull) => (ErrorKind::StorageFull, "the disk, or the limit set for the file, is full", FULL),
        Some(ErrorCode::ReadOnly) => (ErrorKind::ReadOnly, "the database cannot be written", NO_WRITES),
        Some(ErrorCode::NotADatabase) => (ErrorKind::NotADatabase, "the file is not a SQLite database", NOT_OURS),
        Some(ErrorCode::DatabaseCorrupt) => (ErrorKind::Corrupt, "the database file is damaged", DAMAGED),
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::SystemIoFailure) => (
            ErrorKind::Io,
            "the operating system refused access to the database",
            "check that the path exists and that this user may read and write it",
        ),
        Some(ErrorCode::TooBig) => {
            (ErrorKind::InvalidInput, "a value is too large for the database", "store a summary instead")
        }
        Some(_) => (ErrorKind::Internal, "the database refused a statement", "please report this"),
        None => match error {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..)
            | rusqlite::Error::InvalidColumnType(..) => {
                (ErrorKind::Corrupt, "a stored value is not of its type", DAMAGED)
            }
            _ => (ErrorKind::Internal, "a statement does not fit the database", "please report this"),
        },
    };
    Error::new(kind, message).with_hint(hint).with_source(error)
}
