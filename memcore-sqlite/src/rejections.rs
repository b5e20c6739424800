//! What was not captured, and why: the newest thousand of each user.

use memcore_core::{MessageId, RejectedEntry, Rejection, Scope, SessionId};
use rusqlite::{Connection, params};

use crate::{
    codec::{limit, micros, timestamp, variant, variant_name},
    error::{Failure, Result},
    names,
};

/// How many rejections of a user are kept.
const KEPT: i64 = 1_000;

pub(crate) fn keep(connection: &Connection, user: i64, entry: &RejectedEntry) -> Result<()> {
    let session = entry.session.as_ref().map(|id| names::session_or_new(connection, user, id)).transpose()?;
    let rejection = &entry.rejection;
    connection
        .prepare_cached("INSERT INTO rejections (user, session, at, reason, message, text) VALUES (?, ?, ?, ?, ?, ?)")?
        .execute(params![
            user,
            session,
            micros(entry.at),
            variant_name(&rejection.reason)?,
            rejection.message.as_ref().map(|id| id.as_str()),
            rejection.text,
        ])?;
    connection
        .prepare_cached(
            "DELETE FROM rejections WHERE number IN \
             (SELECT number FROM rejections WHERE user = ? ORDER BY number DESC LIMIT -1 OFFSET ?)",
        )?
        .execute(params![user, KEPT])?;
    Ok(())
}

/// Newest first; only of the scope's session, where it names one.
pub(crate) fn rejected(connection: &Connection, scope: &Scope, count: usize) -> Result<Vec<RejectedEntry>> {
    let Some(user) = names::user(connection, scope.user_id())? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(
        "SELECT x.at, x.reason, x.message, x.text, s.name AS session_name FROM rejections AS x \
         LEFT JOIN sessions AS s ON s.number = x.session \
         WHERE x.user = ?1 AND (?2 IS NULL OR s.name = ?2) ORDER BY x.number DESC LIMIT ?3",
    )?;
    let only = scope.session_id().map(|session| session.as_str());
    let mut rows = statement.query(params![user, only, limit(count)])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let invalid = |_| Failure::corrupt("a stored session or message id is not valid");
        let message = row.get::<_, Option<String>>("message")?.map(MessageId::new).transpose().map_err(invalid)?;
        let session = row.get::<_, Option<String>>("session_name")?.map(SessionId::new).transpose().map_err(invalid)?;
        let rejection = Rejection::new(row.get::<_, String>("text")?, variant(row.get("reason")?)?, message);
        entries.push(RejectedEntry { rejection, session, at: timestamp(row.get("at")?)? });
    }
    Ok(entries)
}
