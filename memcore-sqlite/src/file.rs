//! The database file before it is opened: whether it may be ours, and how a new one comes into being.
//!
//! A file is never read through `std::fs` here: closing any handle of it would drop the locks that SQLite holds on it
//! elsewhere in this process (POSIX advisory locks belong to the process, not to the handle).

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use memcore_core::Error;
use rusqlite::{Connection, OpenFlags};

use crate::{
    error::{Failure, Result},
    schema,
};

/// One page of the smallest size.
const SHORTEST_DATABASE: u64 = 512;

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing: a new database can be made.
    Nothing,
    /// A regular file.
    File,
}

/// Makes a path absolute and looks at what is there.
pub(crate) fn look(path: &Path) -> Result<(PathBuf, Found)> {
    if path.as_os_str().is_empty() || path == Path::new(":memory:") {
        return Err(Failure::Core(
            Error::invalid("a SQLite store needs the path of a file").with_hint("use RamStore for a store in memory"),
        ));
    }
    // An absolute path also keeps SQLite from reading `file:…` as a URI.
    let path = std::path::absolute(path).map_err(|error| Failure::io("the path cannot be made absolute", error))?;
    match fs::metadata(&path) {
        // SQLite would take a shorter file for an empty one, and write over it.
        Ok(found) if found.is_file() && (1..SHORTEST_DATABASE).contains(&found.len()) => {
            Err(not_a_database("the file is too short to be a database"))
        }
        Ok(found) if found.is_file() => Ok((path, Found::File)),
        Ok(found) if found.is_dir() => Err(not_a_database("the path is a folder")),
        Ok(_) => Err(not_a_database("the path is no regular file")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok((path, Found::Nothing)),
        Err(error) => Err(Failure::io("the path of the database cannot be reached", error)),
    }
}

/// Makes an empty file that only its owner may read, and its folder where that is missing too.
///
/// The file gets its name only after it was closed; see the module's note on locks.
pub(crate) fn create(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(|error| cannot_write("the folder of the database cannot be made", error))?;
    }
    let mut draft = OsString::from(path);
    draft.push(format!(".new-{}", std::process::id()));
    let draft = PathBuf::from(draft);
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&draft).map_err(|error| cannot_write("the database cannot be made", error))?;
    drop(file);
    let linked = fs::hard_link(&draft, path);
    let removed = fs::remove_file(&draft);
    match linked {
        // Somebody else was faster: theirs is as good.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(cannot_write("the database cannot be made", error)),
        Ok(()) => removed.map_err(|error| Failure::io("a temporary file cannot be removed", error)),
    }
}

/// Looks into an existing file, without changing a byte of it: is it ours, or nobody's yet?
pub(crate) fn check_owner(path: &Path) -> Result<()> {
    let connection = open_to_look(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    schema::check_header(&connection)
}

/// Opens for reading only. Without a log there is nothing to recover, and SQLite is told to make no side files.
pub(crate) fn open_to_look(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(if has_log(path) {
        Connection::open_with_flags(path, flags)?
    } else {
        Connection::open_with_flags(immutable_uri(path), flags | OpenFlags::SQLITE_OPEN_URI)?
    })
}

/// Whether the write-ahead log beside a database holds anything.
pub(crate) fn has_log(path: &Path) -> bool {
    fs::metadata(log_path(path)).is_ok_and(|log| log.len() > 0)
}

/// Where SQLite keeps the write-ahead log of a database.
pub(crate) fn log_path(path: &Path) -> PathBuf {
    let mut log = OsString::from(path);
    log.push("-wal");
    log.into()
}

fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte) {
            uri.push(char::from(*byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri.push_str("?immutable=1");
    uri
}

fn not_a_database(what: &str) -> Failure {
    Failure::NotADatabase { what: what.into() }
}

fn cannot_write(what: &str, error: std::io::Error) -> Failure {
    match error.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            Failure::ReadOnly { what: what.into() }
        }
        _ => Failure::io(what, error),
    }
}

/// Bytes of the database and its log.
pub(crate) fn total_bytes(path: &Path) -> u64 {
    [path, &log_path(path)].iter().filter_map(|path| fs::metadata(path).ok()).map(|found| found.len()).sum()
}
