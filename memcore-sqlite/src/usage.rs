//! The account of language-model calls.

use memcore_core::{ModelUsage, Timestamp, UsageEntry, UserId, day_of};
use rusqlite::{Connection, params};

use crate::{
    codec::{micros, timestamp, unsigned},
    error::Result,
    names,
};

/// Adds calls to a user's account.
pub(crate) fn record(connection: &Connection, user: i64, entry: &UsageEntry) -> Result<()> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO usage (user, day, purpose, model, calls, input_tokens, output_tokens) VALUES (?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (user, day, purpose, model) DO UPDATE SET calls = calls + excluded.calls, \
         input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens",
    )?;
    let stored = |figure: u64| i64::try_from(figure).unwrap_or(i64::MAX);
    insert.execute(params![
        user,
        micros(day_of(entry.day)),
        entry.purpose,
        entry.model,
        stored(entry.usage.calls),
        stored(entry.usage.input_tokens),
        stored(entry.usage.output_tokens),
    ])?;
    Ok(())
}

/// Calls since the day of a moment, of a user or of all.
pub(crate) fn usage(connection: &Connection, user: Option<&UserId>, since: Timestamp) -> Result<Vec<UsageEntry>> {
    let only = match user.map(|user| names::user(connection, user)).transpose()? {
        Some(None) => return Ok(Vec::new()),
        known => known.flatten(),
    };
    let mut select = connection.prepare_cached(
        "SELECT day, purpose, model, sum(calls), sum(input_tokens), sum(output_tokens) FROM usage \
         WHERE (?1 IS NULL OR user = ?1) AND day >= ?2 GROUP BY day, purpose, model ORDER BY day, purpose, model",
    )?;
    let mut rows = select.query(params![only, micros(day_of(since))])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let mut usage = ModelUsage::default();
        usage.calls = unsigned(row.get(3)?)?;
        usage.input_tokens = unsigned(row.get(4)?)?;
        usage.output_tokens = unsigned(row.get(5)?)?;
        let (purpose, model): (String, String) = (row.get(1)?, row.get(2)?);
        entries.push(UsageEntry::new(timestamp(row.get(0)?)?, purpose, model, usage));
    }
    Ok(entries)
}
