//! Forgetting, first half: one transaction in which every row goes, and what remains is rewritten.

use std::collections::BTreeSet;

use memcore_core::{ContentBlock, Forget, ForgetReceipt, MemoryId, MemoryRecord, PurgeState, Scope};
use rusqlite::{Connection, params};

use crate::{
    codec::{from_json, to_json},
    commit,
    error::Result,
    names::{self, NumberRange},
    phrases::Phrases,
    purge::Traces,
    records::{self, StoredRecord},
    transcript,
    writer::Writer,
};

/// Erases for good. The lock is held until the bytes are gone, or known to stay for a while.
pub(crate) fn forget(writer: &mut Writer, scope: &Scope, request: &Forget) -> Result<ForgetReceipt> {
    let is_empty = request.ids.is_empty() && request.sessions.is_empty() && request.phrases.is_empty();
    if is_empty && !request.everything {
        return Ok(ForgetReceipt::nothing());
    }
    writer.locked(|writer| {
        let mut erasure = Erasure { receipt: ForgetReceipt::nothing(), traces: Traces::default() };
        writer.locked_transaction(|transaction| erasure.erase(transaction, scope, request))?;
        let Erasure { mut receipt, traces } = erasure;
        if receipt.rows > 0 || receipt.derived > 0 {
            let outcome = writer.purge(traces);
            receipt.residual_bytes = outcome.residues;
            receipt.purge = outcome.state;
        } else if writer.purges.is_pending() {
            receipt.purge = PurgeState::Pending("an earlier erasure waits for readers to end".into());
        }
        Ok(receipt)
    })
}

/// An erasure under way: what was done, and what bytes must not be found afterwards.
struct Erasure {
    receipt: ForgetReceipt,
    traces: Traces,
}

impl Erasure {
    fn erase(&mut self, connection: &Connection, scope: &Scope, request: &Forget) -> Result<()> {
        let Some(place) = names::place(connection, scope)? else { return Ok(()) };
        let user = place.user;
        if request.everything {
            self.erase_user(connection, user)?;
        } else {
            self.erase_records(connection, user, scope, &request.ids)?;
            for session in &request.sessions {
                if let Some(session) = names::session(connection, user, session)? {
                    self.erase_session(connection, user, session)?;
                }
            }
            for phrase in &request.phrases {
                self.traces.add_text(phrase);
            }
            self.erase_phrases(connection, user, &Phrases::new(&request.phrases)?)?;
            transcript::drop_unused_names(connection, user)?;
            if !self.receipt.forgotten.is_empty() {
                commit::bump_generation(connection, user)?;
            }
        }
        if self.receipt.rows > 0 || self.receipt.derived > 0 {
            connection.execute("INSERT INTO purges DEFAULT VALUES", [])?;
        }
        Ok(())
    }

    fn erase_records(&mut self, connection: &Connection, user: i64, scope: &Scope, ids: &[MemoryId]) -> Result<()> {
        let mut batches = BTreeSet::new();
        for id in ids.iter().copied().collect::<BTreeSet<_>>() {
            let Some(found) = records::find(connection, user, id)? else { continue };
            if scope.sees(&found.record.scope) {
                self.erase_record(connection, &found, &mut batches)?;
            }
        }
        for batch in batches {
            connection
                .prepare_cached(
                    "DELETE FROM batches WHERE number = ?1 \
                     AND NOT EXISTS (SELECT 1 FROM records WHERE batch = ?1) \
                     AND NOT EXISTS (SELECT 1 FROM versions WHERE batch = ?1)",
                )?
                .execute([batch])?;
        }
        self.drop_references(connection, user)
    }

    fn erase_record(
        &mut self,
        connection: &Connection,
        found: &StoredRecord,
        batches: &mut BTreeSet<i64>,
    ) -> Result<()> {
        batches.insert(found.batch_number);
        self.traces.add_record(&found.record);
        let mut versions = connection.prepare_cached("SELECT batch, body FROM versions WHERE record = ?")?;
        let mut rows = versions.query([found.number])?;
        while let Some(row) = rows.next()? {
            batches.insert(row.get(0)?);
            self.traces.add_record(&from_json::<MemoryRecord>(&row.get::<_, String>(1)?)?);
        }
        let mut vectors = connection.prepare_cached("SELECT vector FROM vectors WHERE record = ?")?;
        let mut rows = vectors.query([found.number])?;
        while let Some(row) = rows.next()? {
            self.traces.add_bytes(row.get_ref(0)?.as_blob().unwrap_or_default());
        }
        self.receipt.terms += commit::unindex_words(connection, found.number)? as u64;
        let delete = |sql: &str| -> Result<u64> { Ok(connection.prepare_cached(sql)?.execute([found.number])? as u64) };
        self.receipt.vectors += delete("DELETE FROM vectors WHERE record = ?")?;
        let versions = delete("DELETE FROM versions WHERE record = ?")?;
        let records = delete("DELETE FROM records WHERE number = ?")?;
        // The current version counts as a version and as the record.
        self.receipt.rows += records + versions + 1;
        self.receipt.forgotten.push(found.record.id);
        Ok(())
    }

    /// What is left of the user points to none of the erased records.
    fn drop_references(&mut self, connection: &Connection, user: i64) -> Result<()> {
        let gone: BTreeSet<MemoryId> = self.receipt.forgotten.iter().copied().collect();
        if gone.is_empty() {
            return Ok(());
        }
        let mut pointing = BTreeSet::new();
        let mut select = connection.prepare_cached(
            "SELECT id FROM records WHERE user = ?1 AND superseded_by IS NOT NULL \
             UNION SELECT id FROM records WHERE user = ?1 AND conflicts_with IS NOT NULL",
        )?;
        let mut rows = select.query([user])?;
        while let Some(row) = rows.next()? {
            let id = MemoryId::from_uuid(crate::codec::uuid(row, "id")?);
            let Some(mut found) = records::find(connection, user, id)? else { continue };
            if clear(&mut found.record, &gone) {
                rewrite_references(connection, &found)?;
                pointing.insert(found.number);
            }
        }
        let NumberRange { first, last } = names::range_of(user);
        let mut select = connection.prepare_cached(
            "SELECT number, record, body FROM versions WHERE record BETWEEN ? AND ? \
             AND (instr(body, '\"superseded_by\"') OR instr(body, '\"conflicts_with\"'))",
        )?;
        let mut rows = select.query([first, last])?;
        while let Some(row) = rows.next()? {
            let mut record: MemoryRecord = from_json(&row.get::<_, String>(2)?)?;
            if clear(&mut record, &gone) {
                connection
                    .prepare_cached("UPDATE versions SET body = ?, hash = ? WHERE number = ?")?
                    .execute(params![to_json(&record)?, record.content_hash(), row.get::<_, i64>(0)?])?;
                pointing.insert(row.get(1)?);
            }
        }
        self.receipt.derived += pointing.len() as u64;
        Ok(())
    }

    fn erase_session(&mut self, connection: &Connection, user: i64, session: i64) -> Result<()> {
        self.trace_texts(connection, "SELECT content FROM messages WHERE session = ?1", session)?;
        self.trace_texts(connection, "SELECT summary FROM sessions WHERE number = ?1", session)?;
        self.trace_texts(connection, "SELECT name FROM sessions WHERE number = ?1", session)?;
        self.trace_texts(connection, "SELECT raw_reply FROM jobs WHERE session = ?1", session)?;
        self.receipt.rows += transcript::erase_session(connection, session)? as u64;
        for table in ["jobs", "rejections"] {
            let sql = format!("DELETE FROM {table} WHERE user = ? AND session = ?");
            self.receipt.rows += connection.prepare_cached(&sql)?.execute([user, session])? as u64;
        }
        Ok(())
    }

    fn erase_phrases(&mut self, connection: &Connection, user: i64, phrases: &Phrases) -> Result<()> {
        if phrases.is_empty() {
            return Ok(());
        }
        let in_content = |json: &str| -> Result<Option<String>> {
            let mut blocks: Vec<ContentBlock> = from_json(json)?;
            let touched = blocks.iter_mut().filter_map(|block| phrases.erase_block(block).then_some(())).count() > 0;
            if touched { to_json(&blocks).map(Some) } else { Ok(None) }
        };
        let in_text = |text: &str| -> Result<Option<String>> { Ok(phrases.erase(text)) };
        self.receipt.derived += rewrite(
            connection,
            user,
            "SELECT m.number, m.content FROM messages AS m JOIN sessions AS s ON s.number = m.session \
             WHERE s.user = ?",
            "UPDATE messages SET content = ? WHERE number = ?",
            in_content,
        )?;
        for (table, column) in
            [("sessions", "summary"), ("jobs", "last_error"), ("jobs", "raw_reply"), ("rejections", "text")]
        {
            self.receipt.derived += rewrite(
                connection,
                user,
                &format!("SELECT number, {column} FROM {table} WHERE user = ? AND {column} IS NOT NULL"),
                &format!("UPDATE {table} SET {column} = ? WHERE number = ?"),
                in_text,
            )?;
        }
        Ok(())
    }

    /// Everything of a user, the names included; a test compares this with the list of tables.
    fn erase_user(&mut self, connection: &Connection, user: i64) -> Result<()> {
        let ids: Vec<(MemoryId, i64)> = {
            let mut select = connection.prepare_cached("SELECT id, number FROM records WHERE user = ? ORDER BY id")?;
            let mut rows = select.query([user])?;
            let mut ids = Vec::new();
            while let Some(row) = rows.next()? {
                ids.push((MemoryId::from_uuid(crate::codec::uuid(row, "id")?), row.get(1)?));
            }
            ids
        };
        let mut batches = BTreeSet::new();
        for (id, _) in ids {
            if let Some(found) = records::find(connection, user, id)? {
                self.erase_record(connection, &found, &mut batches)?;
            }
        }
        for sql in [
            "SELECT m.content FROM messages AS m JOIN sessions AS s ON s.number = m.session WHERE s.user = ?1",
            "SELECT summary FROM sessions WHERE user = ?1",
            "SELECT text FROM rejections WHERE user = ?1",
            "SELECT last_error FROM jobs WHERE user = ?1",
            "SELECT raw_reply FROM jobs WHERE user = ?1",
            "SELECT name FROM sessions WHERE user = ?1",
            "SELECT name FROM projects WHERE user = ?1",
            "SELECT name FROM users WHERE number = ?1",
        ] {
            self.trace_texts(connection, sql, user)?;
        }
        for sql in [
            "DELETE FROM messages WHERE session IN (SELECT number FROM sessions WHERE user = ?)",
            "DELETE FROM jobs WHERE user = ?",
            "DELETE FROM rejections WHERE user = ?",
            "DELETE FROM usage WHERE user = ?",
            "DELETE FROM sessions WHERE user = ?",
            "DELETE FROM projects WHERE user = ?",
            "DELETE FROM batches WHERE user = ?",
        ] {
            self.receipt.rows += connection.execute(sql, [user])? as u64;
        }
        let generation: i64 =
            connection.query_row("SELECT generation FROM users WHERE number = ?", [user], |row| row.get(0))?;
        let next = generation + i64::from(!self.receipt.forgotten.is_empty());
        let first = names::first_generation(connection)?.max(next);
        connection.execute(
            "INSERT INTO settings (name, value) VALUES ('first_generation', ?) \
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [first.to_string()],
        )?;
        self.receipt.rows += connection.execute("DELETE FROM users WHERE number = ?", [user])? as u64;
        Ok(())
    }

    fn trace_texts(&mut self, connection: &Connection, sql: &str, parameter: i64) -> Result<()> {
        let mut select = connection.prepare_cached(sql)?;
        let mut rows = select.query([parameter])?;
        while let Some(row) = rows.next()? {
            if let Some(text) = row.get::<_, Option<String>>(0)? {
                self.traces.add_text(&text);
            }
        }
        Ok(())
    }
}

/// Rewrites texts of a user in place; answers how many changed.
fn rewrite(
    connection: &Connection,
    user: i64,
    select: &str,
    update: &str,
    clean: impl Fn(&str) -> Result<Option<String>>,
) -> Result<u64> {
    let mut select = connection.prepare_cached(select)?;
    let mut update = connection.prepare_cached(update)?;
    let mut rewritten = 0;
    let mut changes = Vec::new();
    let mut rows = select.query([user])?;
    while let Some(row) = rows.next()? {
        if let Some(text) = clean(&row.get::<_, String>(1)?)? {
            changes.push((row.get::<_, i64>(0)?, text));
        }
    }
    for (number, text) in changes {
        rewritten += update.execute(params![text, number])? as u64;
    }
    Ok(rewritten)
}

/// Takes ids out of a record's references; answers whether any was there.
fn clear(record: &mut MemoryRecord, gone: &BTreeSet<MemoryId>) -> bool {
    let before = (record.superseded_by, record.conflicts_with.len());
    record.superseded_by = record.superseded_by.filter(|id| !gone.contains(id));
    record.conflicts_with.retain(|id| !gone.contains(id));
    before != (record.superseded_by, record.conflicts_with.len())
}

fn rewrite_references(connection: &Connection, found: &StoredRecord) -> Result<()> {
    let conflicts = &found.record.conflicts_with;
    let conflicts = if conflicts.is_empty() { None } else { Some(to_json(conflicts)?) };
    connection
        .prepare_cached("UPDATE records SET superseded_by = ?, conflicts_with = ?, hash = ? WHERE number = ?")?
        .execute(params![
        found.record.superseded_by.map(|id| id.as_uuid().into_bytes()),
        conflicts,
        found.record.content_hash(),
        found.number,
    ])?;
    Ok(())
}
