//! Connections: how each is set up, and how transactions begin.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, config::DbConfig, ffi};

use crate::{
    builder::{Options, Synchronous},
    error::{Failure, Result},
    file,
};

/// Before 3.54.0, secure deletion in FTS5 can write beyond its buffer; before 3.51.3, two processes that write and
/// checkpoint can damage the file.
const OLDEST_SQLITE: i32 = 3_054_000;

/// Five vectors of 384 dimensions fit on a page of this size, where 4,096 bytes hold two and waste a quarter.
const PAGE_BYTES: u32 = 8192;

/// How much of the file readers map into memory, at the most.
const MAPPED_BYTES: u64 = 1 << 30;

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The one that changes the file.
    Write,
    /// Reads beside it.
    Read,
    /// Reads a file that cannot be written.
    ReadOnlyFile,
}

/// Opens an existing file.
pub(crate) fn open(path: &Path, options: &Options, purpose: Purpose) -> Result<Connection> {
    if rusqlite::version_number() < OLDEST_SQLITE {
        return Err(Failure::internal(format!(
            "SQLite {} is too old: 3.54.0 is the oldest that erases safely",
            rusqlite::version()
        )));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match purpose {
        Purpose::ReadOnlyFile => file::open_to_look(path)?,
        Purpose::Write | Purpose::Read => Connection::open_with_flags(path, flags)?,
    };
    load_sqlite_vec(&connection)?;
    connection.busy_timeout(options.busy_limit)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "cache_size", -i64::from(options.cache_kib))?;
    match purpose {
        Purpose::Write => set_up_writer(&connection, options)?,
        Purpose::Read => connection.pragma_update(None, "query_only", true)?,
        Purpose::ReadOnlyFile => {}
    }
    if purpose != Purpose::Write {
        // A search reads all of a user's vectors: as mapped memory they need not be copied.
        let _: i64 = connection.query_row(&format!("PRAGMA mmap_size = {MAPPED_BYTES}"), [], |row| row.get(0))?;
    }
    Ok(connection)
}

/// Begins a transaction that has the write lock from its start: one that asks for it later is refused at once,
/// without waiting, when another has written meanwhile.
pub(crate) fn begin_write(connection: &mut Connection) -> Result<Transaction<'_>> {
    Ok(connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
}

/// Begins a transaction in which all reads see one state.
pub(crate) fn begin_read(connection: &mut Connection) -> Result<Transaction<'_>> {
    Ok(connection.transaction_with_behavior(TransactionBehavior::Deferred)?)
}

fn set_up_writer(connection: &Connection, options: &Options) -> Result<()> {
    // Only an empty file takes this over.
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    // From the first write on: what was once left behind in free space is not found again by a later setting.
    let _: i64 = connection.query_row("PRAGMA secure_delete = ON", [], |row| row.get(0))?;
    if !connection.is_readonly("main")? {
        let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
        if !mode.eq_ignore_ascii_case("wal") {
            return Err(Failure::io(
                "the file system does not support a write-ahead log; put the database on a local disk",
                std::io::Error::from(std::io::ErrorKind::Unsupported),
            ));
        }
    }
    connection.pragma_update(
        None,
        "synchronous",
        match options.synchronous {
            Synchronous::Full => "FULL",
            Synchronous::Normal => "NORMAL",
        },
    )?;
    let _: i64 =
        connection.query_row(&format!("PRAGMA journal_size_limit = {}", 16 * 1024 * 1024), [], |row| row.get(0))?;
    if let Some(pages) = options.max_pages {
        let _: i64 = connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |row| row.get(0))?;
    }
    Ok(())
}

/// Gives this connection the functions of sqlite-vec. (As an automatic extension they would turn up in every other
/// connection of the host's process as well.)
#[expect(unsafe_code, reason = "an extension is entered through a C function pointer")]
fn load_sqlite_vec(connection: &Connection) -> Result<()> {
    type EntryPoint =
        unsafe extern "C" fn(*mut ffi::sqlite3, *mut *mut std::ffi::c_char, *const ffi::sqlite3_api_routines) -> i32;
    // SAFETY: `sqlite3_vec_init` is declared without arguments by its crate, but is compiled from C with exactly the
    // signature of `EntryPoint`. The handle is open for as long as `connection` is borrowed; the other two may be null
    // in a build that is linked with SQLite (`SQLITE_CORE`), as the crate's is.
    let code = unsafe {
        let enter = std::mem::transmute::<*const (), EntryPoint>(sqlite_vec::sqlite3_vec_init as *const ());
        enter(connection.handle(), std::ptr::null_mut(), std::ptr::null())
    };
    if code == ffi::SQLITE_OK { Ok(()) } else { Err(Failure::internal("sqlite-vec did not start")) }
}
