//! Users, projects and sessions: their ids are stored once, everything else refers to their numbers.

use memcore_core::{ProjectId, Scope, SessionId, UserId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::{Failure, Result};

/// How many bits of a record's or vector's number are its user's own count.
pub(crate) const NUMBER_BITS: u32 = 32;

/// A scope in numbers, as a place to look from or to live in. An unknown project is none: nothing lives there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) user: i64,
    pub(crate) project: Option<i64>,
    pub(crate) session: Option<i64>,
}

/// A range of numbers, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberRange {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

/// The numbers that rows of this user have.
pub(crate) fn range_of(user: i64) -> NumberRange {
    let first = user << NUMBER_BITS;
    NumberRange { first, last: first | ((1 << NUMBER_BITS) - 1) }
}

/// The user's next free number in a table of numbered rows; `table` is one of our own names.
pub(crate) fn next_number(connection: &Connection, table: &'static str, user: i64) -> Result<i64> {
    let range = range_of(user);
    let sql = format!("SELECT max(number) FROM {table} WHERE number BETWEEN ? AND ?");
    let last: Option<i64> =
        connection.prepare_cached(&sql)?.query_row(params![range.first, range.last], |row| row.get(0))?;
    let next = last.unwrap_or(range.first) + 1;
    if next > range.last {
        return Err(Failure::invalid("this user has as many memories as a store can number"));
    }
    Ok(next)
}

/// The number of a user that is known.
pub(crate) fn user(connection: &Connection, user: &UserId) -> Result<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT number FROM users WHERE name = ?")?;
    Ok(statement.query_row([user.as_str()], |row| row.get(0)).optional()?)
}

/// The number of a user, who is known from now on.
pub(crate) fn user_or_new(connection: &Connection, id: &UserId) -> Result<i64> {
    if let Some(number) = user(connection, id)? {
        return Ok(number);
    }
    let generation = first_generation(connection)?;
    let mut statement = connection.prepare_cached("INSERT INTO users (name, generation) VALUES (?, ?)")?;
    let number = statement.insert(params![id.as_str(), generation])?;
    if number >= 1 << (62 - NUMBER_BITS) {
        return Err(Failure::invalid("a store cannot number any more users"));
    }
    Ok(number)
}

/// The generation of a user of whom nothing is known: 0, or the highest one of those who were erased entirely. So an
/// erased user's next generation is a new one, without anything being kept of the user.
pub(crate) fn first_generation(connection: &Connection) -> Result<i64> {
    let mut statement = connection.prepare_cached("SELECT value FROM settings WHERE name = 'first_generation'")?;
    let stored: Option<String> = statement.query_row([], |row| row.get(0)).optional()?;
    stored.map_or(Ok(0), |value| value.parse().map_err(|_| Failure::corrupt("a setting is no number")))
}

fn project(connection: &Connection, user: i64, project: &ProjectId) -> Result<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT number FROM projects WHERE user = ? AND name = ?")?;
    Ok(statement.query_row(params![user, project.as_str()], |row| row.get(0)).optional()?)
}

pub(crate) fn session(connection: &Connection, user: i64, session: &SessionId) -> Result<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT number FROM sessions WHERE user = ? AND name = ?")?;
    Ok(statement.query_row(params![user, session.as_str()], |row| row.get(0)).optional()?)
}

pub(crate) fn session_or_new(connection: &Connection, user: i64, id: &SessionId) -> Result<i64> {
    if let Some(number) = session(connection, user, id)? {
        return Ok(number);
    }
    let mut statement = connection.prepare_cached("INSERT INTO sessions (user, name) VALUES (?, ?)")?;
    Ok(statement.insert(params![user, id.as_str()])?)
}

fn project_or_new(connection: &Connection, user: i64, id: &ProjectId) -> Result<i64> {
    if let Some(number) = project(connection, user, id)? {
        return Ok(number);
    }
    let mut statement = connection.prepare_cached("INSERT INTO projects (user, name) VALUES (?, ?)")?;
    Ok(statement.insert(params![user, id.as_str()])?)
}

/// Where a scope looks from; none where its user is unknown.
pub(crate) fn place(connection: &Connection, scope: &Scope) -> Result<Option<Place>> {
    let Some(user) = user(connection, scope.user_id())? else { return Ok(None) };
    let project = scope.project_id().map(|id| project(connection, user, id)).transpose()?.flatten();
    let session = scope.session_id().map(|id| session(connection, user, id)).transpose()?.flatten();
    Ok(Some(Place { user, project, session }))
}

/// Where something of this user lives; its project and session are known from now on.
pub(crate) fn place_or_new(connection: &Connection, user: i64, scope: &Scope) -> Result<Place> {
    let project = scope.project_id().map(|id| project_or_new(connection, user, id)).transpose()?;
    let session = scope.session_id().map(|id| session_or_new(connection, user, id)).transpose()?;
    Ok(Place { user, project, session })
}

/// A scope from stored names.
pub(crate) fn scope(user: String, project: Option<String>, session: Option<String>) -> Result<Scope> {
    let named = || -> memcore_core::Result<Scope> {
        let project = project.map(ProjectId::new).transpose()?;
        let session = session.map(SessionId::new).transpose()?;
        Ok(Scope::user(user)?.with_project(project).with_session(session))
    };
    named().map_err(|_| Failure::corrupt("a stored user, project or session id is not valid"))
}
