//! Figures of the store, or of one user; and who is in it.

use memcore_core::{StoreStats, UserId};
use rusqlite::{Connection, params};

use crate::{
    codec::{limit, status, unsigned},
    error::{Failure, Result},
    identities, names, schema,
};

/// Users that have anything here, in byte order, after `after`.
pub(crate) fn users(connection: &Connection, after: Option<&UserId>, count: usize) -> Result<Vec<UserId>> {
    let mut statement = connection.prepare_cached(
        "SELECT name FROM users AS u WHERE name > ? \
         AND (EXISTS (SELECT 1 FROM records WHERE user = u.number) \
              OR EXISTS (SELECT 1 FROM sessions WHERE user = u.number AND started_at IS NOT NULL) \
              OR EXISTS (SELECT 1 FROM jobs WHERE user = u.number) \
              OR EXISTS (SELECT 1 FROM rejections WHERE user = u.number) \
              OR EXISTS (SELECT 1 FROM usage WHERE user = u.number)) ORDER BY name LIMIT ?",
    )?;
    let mut rows = statement.query(params![after.map_or("", |user| user.as_str()), limit(count)])?;
    let mut users = Vec::new();
    while let Some(row) = rows.next()? {
        let user = UserId::new(row.get::<_, String>(0)?);
        users.push(user.map_err(|_| Failure::corrupt("a stored user id is not valid"))?);
    }
    Ok(users)
}

/// Figures of the store, or of one user. The size of the files is the caller's to add.
pub(crate) fn stats(connection: &Connection, user: Option<&UserId>) -> Result<StoreStats> {
    let mut stats = StoreStats::default();
    stats.schema = schema::version(connection)?;
    stats.embedder = identities::current(connection)?;
    stats.pending_purges = count(connection, "SELECT count(*) FROM purges WHERE ? IS NULL", None)?;
    let only = match user {
        Some(user) => match names::user(connection, user)? {
            Some(number) => Some(number),
            None => return Ok(stats),
        },
        None => None,
    };
    if only.is_some() {
        stats.pending_purges = 0;
    }
    count_records(connection, only, &mut stats)?;
    let current = match &stats.embedder {
        Some(identity) => identities::find(connection, &identity.fingerprint())?.map(|identity| identity.number),
        None => None,
    };
    let with_vectors: i64 = connection.query_row(
        "SELECT count(*) FROM records WHERE (?1 IS NULL OR user = ?1) \
         AND embedding IS NOT NULL AND (?2 IS NULL OR embedding = ?2)",
        params![only, current],
        |row| row.get(0),
    )?;
    stats.vectors = unsigned(with_vectors)?;
    stats.pending_vectors = stats.total.saturating_sub(stats.vectors);
    stats.users = count(
        connection,
        "SELECT count(*) FROM users AS u WHERE (?1 IS NULL OR number = ?1) \
         AND (EXISTS (SELECT 1 FROM records WHERE user = u.number) OR EXISTS (SELECT 1 FROM messages AS m \
         JOIN sessions AS s ON s.number = m.session WHERE s.user = u.number))",
        only,
    )?;
    stats.sessions = count(
        connection,
        "SELECT count(*) FROM sessions WHERE started_at IS NOT NULL AND (?1 IS NULL OR user = ?1)",
        only,
    )?;
    stats.messages = count(
        connection,
        "SELECT count(*) FROM messages AS m JOIN sessions AS s ON s.number = m.session \
         WHERE ?1 IS NULL OR s.user = ?1",
        only,
    )?;
    let jobs = "SELECT count(*) FROM jobs WHERE (?1 IS NULL OR user = ?1) AND state =";
    stats.pending_jobs = count(connection, &format!("{jobs} 'pending'"), only)?;
    stats.dead_letters = count(connection, &format!("{jobs} 'dead'"), only)?;
    stats.rejected = count(connection, "SELECT count(*) FROM rejections WHERE ?1 IS NULL OR user = ?1", only)?;
    Ok(stats)
}

fn count_records(connection: &Connection, only: Option<i64>, stats: &mut StoreStats) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT status, kind, count(*), sum(importance), total(access_count) FROM records \
         WHERE ?1 IS NULL OR user = ?1 GROUP BY status, kind",
    )?;
    let mut rows = statement.query([only])?;
    let (mut importance, mut accesses) = (0_u64, 0.0_f64);
    while let Some(row) = rows.next()? {
        let records = unsigned(row.get(2)?)?;
        stats.total += records;
        match status(row.get(0)?)? {
            memcore_core::Status::Active => {
                stats.active += records;
                *stats.by_kind.entry(row.get(1)?).or_default() += records;
                importance += unsigned(row.get(3)?)?;
                accesses += row.get::<_, f64>(4)?;
            }
            memcore_core::Status::Archived => stats.archived += records,
            memcore_core::Status::Superseded => stats.superseded += records,
            memcore_core::Status::Merged => stats.merged += records,
            memcore_core::Status::Quarantined => stats.quarantined += records,
        }
    }
    if stats.active > 0 {
        stats.avg_importance = importance as f64 / stats.active as f64;
        stats.avg_access = accesses / stats.active as f64;
    }
    Ok(())
}

fn count(connection: &Connection, sql: &str, user: Option<i64>) -> Result<u64> {
    unsigned(connection.prepare_cached(sql)?.query_row([user], |row| row.get(0))?)
}
