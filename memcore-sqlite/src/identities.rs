//! Embedding models: whose vectors are in the file, how long they are, and which ones are searched.

use memcore_core::{EmbeddingIdentity, Fingerprint};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    codec::{from_json, to_json, unsigned},
    error::{Failure, Result},
};

/// A model as the file knows it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoredIdentity {
    pub(crate) number: i64,
    pub(crate) dimensions: Option<usize>,
}

pub(crate) fn find(connection: &Connection, fingerprint: &Fingerprint) -> Result<Option<StoredIdentity>> {
    let mut statement = connection.prepare_cached("SELECT number, dimensions FROM identities WHERE fingerprint = ?")?;
    let found = statement
        .query_row([fingerprint.as_str()], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?)))
        .optional()?;
    found
        .map(|(number, dimensions)| {
            let dimensions = dimensions.map(unsigned).transpose()?.and_then(|count| usize::try_from(count).ok());
            Ok(StoredIdentity { number, dimensions })
        })
        .transpose()
}

/// The number of a model, which is known from now on.
pub(crate) fn find_or_new(connection: &Connection, fingerprint: &Fingerprint) -> Result<StoredIdentity> {
    if let Some(known) = find(connection, fingerprint)? {
        return Ok(known);
    }
    let mut statement = connection.prepare_cached("INSERT INTO identities (fingerprint) VALUES (?)")?;
    Ok(StoredIdentity { number: statement.insert([fingerprint.as_str()])?, dimensions: None })
}

/// The number of a model whose vectors have `dimensions` values: the first ones decide it for good.
pub(crate) fn with_dimensions(connection: &Connection, fingerprint: &Fingerprint, dimensions: usize) -> Result<i64> {
    let known = find_or_new(connection, fingerprint)?;
    check_dimensions(known, dimensions)?;
    if known.dimensions.is_none() {
        let mut statement = connection.prepare_cached("UPDATE identities SET dimensions = ? WHERE number = ?")?;
        statement.execute(params![i64::try_from(dimensions).unwrap_or(i64::MAX), known.number])?;
    }
    Ok(known.number)
}

pub(crate) fn check_dimensions(known: StoredIdentity, given: usize) -> Result<()> {
    match known.dimensions {
        Some(expected) if expected != given => {
            Err(Failure::invalid(format!("vectors of this model have {expected} dimensions, not {given}")))
        }
        _ => Ok(()),
    }
}

/// The model whose vectors are searched.
pub(crate) fn current(connection: &Connection) -> Result<Option<EmbeddingIdentity>> {
    let mut statement = connection.prepare_cached(
        "SELECT description FROM identities JOIN settings ON fingerprint = value WHERE name = 'embedding'",
    )?;
    let json: Option<Option<String>> = statement.query_row([], |row| row.get(0)).optional()?;
    json.flatten().as_deref().map(from_json).transpose()
}

/// Names the model whose vectors are searched from now on.
pub(crate) fn set_current(connection: &Connection, identity: &EmbeddingIdentity) -> Result<()> {
    let fingerprint = identity.fingerprint();
    let number = with_dimensions(connection, &fingerprint, identity.dimensions)?;
    connection
        .execute("UPDATE identities SET description = ? WHERE number = ?", params![to_json(identity)?, number])?;
    connection.execute(
        "INSERT INTO settings (name, value) VALUES ('embedding', ?)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [fingerprint.as_str()],
    )?;
    Ok(())
}
