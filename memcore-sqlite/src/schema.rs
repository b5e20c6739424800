//! The schema's versions: whose file it is, how old it is, and how it becomes current.

use memcore_core::{Error, ErrorKind};
use rusqlite::Connection;

use crate::{
    connection,
    error::{Failure, Result},
};

/// "mcor": tells our files from those of other programs that use SQLite.
pub(crate) const APPLICATION_ID: i32 = 0x6d63_6f72;

/// One script per version; each runs in one transaction.
const MIGRATIONS: [&str; 3] =
    [include_str!("migrations/0001.sql"), include_str!("migrations/0002.sql"), include_str!("migrations/0003.sql")];

/// The version that this code writes.
pub(crate) const VERSION: u32 = MIGRATIONS.len() as u32;

/// Whether a file is ours, or empty; and not from the future.
pub(crate) fn check_header(connection: &Connection) -> Result<()> {
    let application: i32 = pragma(connection, "application_id")?;
    let version = version(connection)?;
    if application != APPLICATION_ID {
        let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if application != 0 || version != 0 || objects != 0 {
            return Err(Failure::NotADatabase { what: "the file is the SQLite database of another program".into() });
        }
    } else if version > VERSION {
        return Err(Failure::SchemaTooNew { found: version, supported: VERSION });
    }
    Ok(())
}

pub(crate) fn version(connection: &Connection) -> Result<u32> {
    pragma(connection, "user_version")
}

/// Brings a file to the current version. The caller holds the file's lock.
pub(crate) fn migrate(connection: &mut Connection) -> Result<()> {
    check_header(connection)?;
    for (step, script) in (1_u32..).zip(MIGRATIONS) {
        if version(connection)? >= step {
            continue;
        }
        let transaction = connection::begin_write(connection)?;
        transaction.execute_batch(script)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", step)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Whether the file's tables, indexes, views and triggers are those that the migrations make: a crafted file may
/// bring others, which would run inside our statements.
pub(crate) fn check_objects(connection: &Connection) -> Result<()> {
    let found = version(connection)?;
    if found == 0 {
        return Err(Failure::Core(
            Error::new(ErrorKind::NotADatabase, "the file is empty, and may not be written")
                .with_hint("open it once with write access"),
        ));
    }
    let pattern = Connection::open_in_memory()?;
    for script in MIGRATIONS.iter().take(found as usize) {
        pattern.execute_batch(script)?;
    }
    if objects(connection)? == objects(&pattern)? {
        Ok(())
    } else {
        Err(Failure::corrupt("the file's tables are not those of its schema version"))
    }
}

/// FTS5's own tables are left out: their text is up to SQLite's version.
fn objects(connection: &Connection) -> Result<Vec<(String, String, Option<String>)>> {
    let mut statement = connection.prepare(
        "SELECT type, name, sql FROM sqlite_schema
         WHERE name NOT LIKE 'words\\_%' ESCAPE '\\' ORDER BY type, name",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn pragma<T: rusqlite::types::FromSql>(connection: &Connection, name: &str) -> Result<T> {
    Ok(connection.pragma_query_value(None, name, |row| row.get(0))?)
}
