//! Batches: their changes applied in order, within the writer's transaction.

use memcore_core::{
    Batch, BatchId, BatchReceipt, Change, ChangeReason, Fingerprint, MemoryId, MemoryRecord, Scope, TextEmbedding,
    Timestamp, UserId, text,
};
use rusqlite::{Connection, params};

use crate::{
    codec::{to_stored_precision, unsigned},
    error::{Failure, Result},
    history, jobs, names,
    records::{self, Stamp},
    rejections, transcript, usage, vectors,
};

/// Applies a batch. The caller commits, or rolls all of it back.
pub(crate) fn apply(connection: &Connection, batch: Batch) -> Result<BatchReceipt> {
    let generation = self::generation(connection, &batch.user)?;
    if batch.expected_generation.is_some_and(|expected| expected != generation) {
        return Err(Failure::conflict("the user's memories have changed since they were read"));
    }
    let mut under_way = UnderWay {
        connection,
        user: batch.user,
        user_number: None,
        batch: batch.id,
        at: to_stored_precision(batch.at),
        generation,
        versions: None,
        receipt: BatchReceipt::default(),
    };
    for change in batch.changes {
        under_way.apply(change)?;
    }
    under_way.finish()
}

/// The user's generation.
pub(crate) fn generation(connection: &Connection, user: &UserId) -> Result<u64> {
    let stored = match names::user(connection, user)? {
        Some(number) => connection
            .prepare_cached("SELECT generation FROM users WHERE number = ?")?
            .query_row([number], |row| row.get(0))?,
        None => names::first_generation(connection)?,
    };
    unsigned(stored)
}

struct UnderWay<'a> {
    connection: &'a Connection,
    user: UserId,
    user_number: Option<i64>,
    batch: BatchId,
    at: Timestamp,
    /// As it was before the batch.
    generation: u64,
    /// The batch's number and the place of its next change; none before the first version.
    versions: Option<(i64, i64)>,
    receipt: BatchReceipt,
}

impl UnderWay<'_> {
    fn apply(&mut self, change: Change) -> Result<()> {
        match change {
            Change::Insert { record, vectors, reason } => self.insert(*record, vectors, reason),
            Change::Update { record, vectors, reason } => self.update(*record, vectors, reason),
            Change::SetVectors { id, identity, embedding } => self.set_vectors(id, &identity, embedding),
            Change::Touch { ids, at } => {
                let user = self.user_number()?;
                ids.into_iter().try_for_each(|id| records::touch(self.connection, user, id, at))
            }
            Change::AppendMessages(messages) => {
                for message in messages {
                    self.check_owner(&message.scope)?;
                    let user = self.user_number()?;
                    if transcript::append(self.connection, user, &message)? {
                        self.receipt.appended.push(message.id);
                    }
                }
                Ok(())
            }
            Change::UpdateSession(info) => {
                self.check_owner(&info.scope)?;
                let user = self.user_number()?;
                transcript::update_session(self.connection, user, &info)
            }
            Change::AmendSession(amendment) => {
                self.check_owner(&amendment.scope)?;
                let user = self.user_number()?;
                transcript::amend_session(self.connection, user, &amendment)
            }
            Change::Enqueue(job) => {
                self.check_owner(&job.scope)?;
                let user = self.user_number()?;
                jobs::enqueue(self.connection, user, &job)
            }
            Change::CompleteJob(id) => {
                let user = self.user_number()?;
                jobs::complete(self.connection, user, id)
            }
            Change::FailJob { id, error, raw_reply, retry_at } => {
                let user = self.user_number()?;
                jobs::fail(self.connection, user, id, &error, raw_reply.as_deref(), retry_at)
            }
            Change::PostponeJob { id, reason, until } => {
                let user = self.user_number()?;
                jobs::postpone(self.connection, user, id, &reason, until)
            }
            Change::HoldJob { id, until } => {
                let user = self.user_number()?;
                jobs::hold(self.connection, user, id, until)
            }
            Change::ContinueJob { id, kind } => {
                let user = self.user_number()?;
                jobs::resume(self.connection, user, id, &kind)
            }
            Change::HastenJobs { session, at } => {
                let user = self.user_number()?;
                jobs::hasten(self.connection, user, &session, at)
            }
            Change::ReviveJob { id, at } => {
                let user = self.user_number()?;
                jobs::revive(self.connection, user, id, at)
            }
            Change::RecordUsage(entry) => {
                let user = self.user_number()?;
                usage::record(self.connection, user, &entry)
            }
            Change::Reject { entry } => {
                let user = self.user_number()?;
                rejections::keep(self.connection, user, &entry)
            }
            _ => Err(Failure::invalid("this store does not know this kind of change")),
        }
    }

    fn insert(
        &mut self,
        mut record: MemoryRecord,
        vectors: Option<(Fingerprint, TextEmbedding)>,
        reason: ChangeReason,
    ) -> Result<()> {
        self.check_owner(&record.scope)?;
        if records::number(self.connection, record.id)?.is_some() {
            return Err(Failure::conflict("a memory with this id exists"));
        }
        records::to_stored_form(&mut record);
        let user = self.user_number()?;
        let place = names::place_or_new(self.connection, user, &record.scope)?;
        let stamp = self.next_stamp(reason)?;
        let number = records::insert(self.connection, place, &record, stamp)?;
        index_words(self.connection, number, &record.content)?;
        match vectors {
            Some((identity, embedding)) => vectors::set(self.connection, number, &identity, &embedding),
            None => Ok(()),
        }
    }

    fn update(
        &mut self,
        mut record: MemoryRecord,
        vectors: Option<(Fingerprint, TextEmbedding)>,
        reason: ChangeReason,
    ) -> Result<()> {
        self.check_owner(&record.scope)?;
        let user = self.user_number()?;
        let old = records::find(self.connection, user, record.id)?
            .ok_or_else(|| Failure::not_found("no memory has this id"))?;
        records::to_stored_form(&mut record);
        record.last_accessed_at = old.record.last_accessed_at;
        record.access_count = old.record.access_count;
        history::keep(self.connection, &old)?;
        let place = names::place_or_new(self.connection, user, &record.scope)?;
        let stamp = self.next_stamp(reason)?;
        records::replace(self.connection, &old, place, &record, stamp)?;
        if record.content == old.record.content {
            return Ok(());
        }
        unindex_words(self.connection, old.number)?;
        index_words(self.connection, old.number, &record.content)?;
        vectors::remove(self.connection, old.number)?;
        match vectors {
            Some((identity, embedding)) => vectors::set(self.connection, old.number, &identity, &embedding),
            None => Ok(()),
        }
    }

    fn set_vectors(&mut self, id: MemoryId, identity: &Fingerprint, embedding: Option<TextEmbedding>) -> Result<()> {
        let user = self.user_number()?;
        let Some(found) = records::find(self.connection, user, id)? else { return Ok(()) };
        match embedding {
            Some(embedding) => vectors::set(self.connection, found.number, identity, &embedding),
            None => vectors::mark_elsewhere(self.connection, found.number, identity),
        }
    }

    fn finish(mut self) -> Result<BatchReceipt> {
        self.receipt.generation = self.generation;
        if self.versions.is_some() {
            self.receipt.generation += 1;
            bump_generation(self.connection, self.user_number()?)?;
        }
        Ok(self.receipt)
    }

    fn user_number(&mut self) -> Result<i64> {
        match self.user_number {
            Some(number) => Ok(number),
            None => Ok(*self.user_number.insert(names::user_or_new(self.connection, &self.user)?)),
        }
    }

    fn next_stamp(&mut self, reason: ChangeReason) -> Result<Stamp> {
        let (batch, change) = match self.versions {
            Some(next) => next,
            None => {
                let generation = i64::try_from(self.generation + 1).unwrap_or(i64::MAX);
                let user = self.user_number()?;
                let batch = history::batch_or_new(self.connection, user, self.batch, generation)?;
                (batch, history::next_change(self.connection, batch)?)
            }
        };
        self.versions = Some((batch, change + 1));
        Ok(Stamp { batch, change, reason, at: self.at })
    }

    fn check_owner(&self, scope: &Scope) -> Result<()> {
        if *scope.user_id() == self.user {
            Ok(())
        } else {
            Err(Failure::invalid("a batch changes what belongs to its own user only"))
        }
    }
}

/// One more generation of a user whose records changed.
pub(crate) fn bump_generation(connection: &Connection, user: i64) -> Result<()> {
    connection.prepare_cached("UPDATE users SET generation = generation + 1 WHERE number = ?")?.execute([user])?;
    Ok(())
}

/// Puts a record's terms into the text index.
fn index_words(connection: &Connection, record: i64, content: &str) -> Result<()> {
    connection
        .prepare_cached("INSERT INTO word_lists (number, words) VALUES (?, ?)")?
        .execute(params![record, text::joined_index_text(content)])?;
    connection
        .prepare_cached("INSERT INTO words (rowid, terms) SELECT number, terms FROM user_words WHERE number = ?")?
        .execute([record])?;
    Ok(())
}

/// Takes a record's terms out of the text index: exactly those that were put in. Answers how many distinct ones.
pub(crate) fn unindex_words(connection: &Connection, record: i64) -> Result<usize> {
    let words: String = connection
        .prepare_cached("SELECT words FROM word_lists WHERE number = ?")?
        .query_row([record], |row| row.get(0))?;
    connection
        .prepare_cached(
            "INSERT INTO words (words, rowid, terms) SELECT 'delete', number, terms FROM user_words WHERE number = ?",
        )?
        .execute([record])?;
    connection.prepare_cached("DELETE FROM word_lists WHERE number = ?")?.execute([record])?;
    Ok(words.split_ascii_whitespace().collect::<std::collections::HashSet<_>>().len())
}
