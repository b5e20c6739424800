//! The transcript: messages in the order in which they were appended, and what is known of their sessions.

use memcore_core::{MessageId, MessageQuery, Role, Scope, SessionAmendment, SessionInfo, StoredMessage};
use rusqlite::{Connection, params, params_from_iter, types::Value};

use crate::{
    codec::{from_json, limit, micros, optional_timestamp, timestamp, to_json, unsigned, variant},
    error::{Failure, Result},
    names,
};

/// Appends a message, unless its session has one with its id. Answers whether it was new.
pub(crate) fn append(connection: &Connection, user: i64, message: &StoredMessage) -> Result<bool> {
    check_has_session(&message.scope)?;
    let place = names::place_or_new(connection, user, &message.scope)?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO messages (session, id, project, role, at, content) VALUES (?, ?, ?, ?, ?, ?) \
         ON CONFLICT (session, id) DO NOTHING",
    )?;
    let inserted = insert.execute(params![
        place.session,
        message.id.as_str(),
        place.project,
        message.role.as_str(),
        micros(message.at),
        to_json(&message.content)?,
    ])?;
    // The first message says when the session began, and in which project.
    let mut begin = connection.prepare_cached(
        "UPDATE sessions SET started_at = ?1, project = CASE WHEN started_at IS NULL THEN ?2 ELSE project END \
         WHERE number = ?3 AND (SELECT count(*) FROM (SELECT 1 FROM messages WHERE session = ?3 LIMIT 2)) = 1",
    )?;
    if inserted > 0 {
        begin.execute(params![micros(message.at), place.project, place.session])?;
    }
    Ok(inserted > 0)
}

/// Sets a session's end and summary.
pub(crate) fn update_session(connection: &Connection, user: i64, info: &SessionInfo) -> Result<()> {
    check_has_session(&info.scope)?;
    let place = names::place_or_new(connection, user, &info.scope)?;
    let mut statement = connection.prepare_cached(
        "UPDATE sessions SET ended_at = ?, summary = ?, summarized_until = ?, echoes = ?, started_at = coalesce(started_at, ?), \
         project = CASE WHEN started_at IS NULL THEN ? ELSE project END WHERE number = ?",
    )?;
    statement.execute(params![
        info.ended_at.map(micros),
        info.summary,
        info.summarized_until.as_ref().map(|message| message.as_str()),
        i64::try_from(info.echoes).unwrap_or(i64::MAX),
        micros(info.started_at),
        place.project,
        place.session,
    ])?;
    Ok(())
}

/// Adds to what is known of a session that has messages.
pub(crate) fn amend_session(connection: &Connection, user: i64, amendment: &SessionAmendment) -> Result<()> {
    check_has_session(&amendment.scope)?;
    let mut statement = connection.prepare_cached(
        "UPDATE sessions SET ended_at = coalesce(?, ended_at), summary = coalesce(?, summary), \
         summarized_until = coalesce(?, summarized_until), echoes = echoes + ? \
         WHERE user = ? AND name = ? AND started_at IS NOT NULL",
    )?;
    statement.execute(params![
        amendment.ended_at.map(micros),
        amendment.summary.as_ref().map(|(summary, _)| summary),
        amendment.summary.as_ref().map(|(_, until)| until.as_str()),
        i64::try_from(amendment.echoes).unwrap_or(i64::MAX),
        user,
        amendment.scope.session_id().map(|session| session.as_str()),
    ])?;
    Ok(())
}

/// Messages in the order in which they were appended.
pub(crate) fn messages(connection: &Connection, query: &MessageQuery) -> Result<Vec<StoredMessage>> {
    let Some(user) = names::user(connection, query.scope.user_id())? else { return Ok(Vec::new()) };
    let mut sql = String::from(
        "SELECT m.id, m.role, m.at, m.content, u.name AS user_name, p.name AS project_name, s.name AS session_name \
         FROM messages AS m JOIN sessions AS s ON s.number = m.session JOIN users AS u ON u.number = s.user \
         LEFT JOIN projects AS p ON p.number = m.project WHERE s.user = ?",
    );
    let mut values = vec![Value::from(user)];
    if let Some(session) = query.scope.session_id() {
        sql.push_str(" AND s.name = ?");
        values.push(session.as_str().to_owned().into());
    }
    if let Some(before) = &query.before {
        // A session without that message has nothing before it.
        sql.push_str(" AND m.number < (SELECT number FROM messages WHERE session = s.number AND id = ?)");
        values.push(before.as_str().to_owned().into());
    }
    if let Some(ids) = &query.ids {
        sql.push_str(" AND m.id IN (SELECT value FROM json_each(?))");
        values.push(to_json(ids)?.into());
    }
    sql.push_str(" ORDER BY m.number DESC LIMIT ?");
    values.push(limit(query.last.unwrap_or(usize::MAX)).into());
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut messages = Vec::new();
    while let Some(row) = rows.next()? {
        let id = MessageId::new(row.get::<_, String>("id")?);
        messages.push(StoredMessage {
            id: id.map_err(|_| Failure::corrupt("a stored message id is not valid"))?,
            scope: names::scope(row.get("user_name")?, row.get("project_name")?, row.get("session_name")?)?,
            role: variant::<Role>(row.get("role")?)?,
            content: from_json(&row.get::<_, String>("content")?)?,
            at: timestamp(row.get("at")?)?,
        });
    }
    messages.reverse();
    Ok(messages)
}

/// The user's sessions, oldest first; only the one that the scope names, where it names one.
pub(crate) fn sessions(connection: &Connection, scope: &Scope) -> Result<Vec<SessionInfo>> {
    let Some(user) = names::user(connection, scope.user_id())? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(
        "SELECT s.name AS session_name, s.started_at, s.ended_at, s.summary, s.summarized_until, s.echoes, p.name AS project_name, \
         (SELECT count(*) FROM messages AS m WHERE m.session = s.number) AS messages \
         FROM sessions AS s LEFT JOIN projects AS p ON p.number = s.project \
         WHERE s.user = ?1 AND s.started_at IS NOT NULL AND (?2 IS NULL OR s.name = ?2) \
         ORDER BY s.started_at, s.name",
    )?;
    let only = scope.session_id().map(|session| session.as_str());
    let mut rows = statement.query(params![user, only])?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        let user = scope.user_id().as_str().to_owned();
        sessions.push(SessionInfo {
            scope: names::scope(user, row.get("project_name")?, row.get("session_name")?)?,
            started_at: timestamp(row.get("started_at")?)?,
            ended_at: optional_timestamp(row.get("ended_at")?)?,
            messages: unsigned(row.get("messages")?)?,
            summary: row.get("summary")?,
            summarized_until: row
                .get::<_, Option<String>>("summarized_until")?
                .map(MessageId::new)
                .transpose()
                .map_err(|_| Failure::corrupt("a stored message id is not valid"))?,
            echoes: unsigned(row.get("echoes")?)?,
        });
    }
    Ok(sessions)
}

/// Erases a session's messages and what is known of it; its name stays only where something else refers to it.
/// Answers how many rows went.
pub(crate) fn erase_session(connection: &Connection, session: i64) -> Result<usize> {
    let removed = connection.prepare_cached("DELETE FROM messages WHERE session = ?")?.execute([session])?;
    let ended = connection
        .prepare_cached(
            "UPDATE sessions SET started_at = NULL, ended_at = NULL, summary = NULL, \
             summarized_until = NULL, echoes = 0, project = NULL \
             WHERE number = ? AND started_at IS NOT NULL",
        )?
        .execute([session])?;
    Ok(removed + ended)
}

fn check_has_session(scope: &Scope) -> Result<()> {
    match scope.session_id() {
        Some(_) => Ok(()),
        None => Err(Failure::invalid("a message belongs to a session")),
    }
}

/// Removes the names of sessions and projects of a user that nothing refers to any more.
pub(crate) fn drop_unused_names(connection: &Connection, user: i64) -> Result<()> {
    let in_use = |column: &str| {
        format!(
            "EXISTS (SELECT 1 FROM records AS r WHERE r.user = ?1 AND r.{column} = names.number) \
             OR EXISTS (SELECT 1 FROM jobs AS j WHERE j.user = ?1 AND j.{column} = names.number)"
        )
    };
    connection.execute(
        &format!(
            "DELETE FROM sessions AS names WHERE user = ?1 AND started_at IS NULL AND NOT ({} \
             OR EXISTS (SELECT 1 FROM messages AS m WHERE m.session = names.number) \
             OR EXISTS (SELECT 1 FROM rejections AS x WHERE x.user = ?1 AND x.session = names.number))",
            in_use("session")
        ),
        [user],
    )?;
    connection.execute(
        &format!(
            "DELETE FROM projects AS names WHERE user = ?1 AND NOT ({} \
             OR EXISTS (SELECT 1 FROM sessions AS s WHERE s.user = ?1 AND s.project = names.number) \
             OR EXISTS (SELECT 1 FROM sessions AS s JOIN messages AS m ON m.session = s.number \
                        WHERE s.user = ?1 AND m.project = names.number))",
            in_use("project")
        ),
        [user],
    )?;
    Ok(())
}
