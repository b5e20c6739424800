//! Forgetting, second half: the bytes. The log is emptied into the file, then the file's slack is searched for traces.

use std::{collections::HashSet, time::Duration};

use memchr::memmem;
use memcore_core::{MemoryRecord, PurgeState};

use crate::{
    error::{Result, is_busy},
    file,
    phrases::json_spelling,
    slack,
    writer::Writer,
};

/// Traces are looked for in pieces of this many bytes: a remnant is often cut off by what was written over it.
const PIECE: usize = 8;
/// Above this many pieces, they are no longer collected, and the file is rewritten without looking.
const MAX_PIECES: usize = 2_000_000;
/// What is shorter than this tells nothing: such bytes stand in every file.
const MIN_TRACE: usize = 4;
/// The longest wait for readers that still look at the log, per attempt.
const READER_PATIENCE: Duration = Duration::from_secs(2);

/// Bytes that must not be found any more.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    pieces: HashSet<[u8; PIECE]>,
    /// Whether a piece begins with these two bytes: most of what is searched is told apart by that.
    beginnings: Vec<bool>,
    /// What is shorter than a piece, but long enough to mean something.
    short: HashSet<Vec<u8>>,
    /// There was more than is worth collecting, or it is not known what there was.
    is_incomplete: bool,
}

/// Erasures whose bytes may still be there.
#[derive(Debug, Default)]
pub(crate) struct Purges {
    pending: Option<Traces>,
}

/// How an attempt to purge ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) state: PurgeState,
    /// Stretches of slack that still hold traces.
    pub(crate) residues: u64,
}

impl Purges {
    pub(crate) fn is_pending(&self) -> bool {
        self.pending.is_some()
    }
}

impl Traces {
    /// A record's content and quotes.
    pub(crate) fn add_record(&mut self, record: &MemoryRecord) {
        self.add_text(&record.content);
        for quote in &record.provenance.quotes {
            self.add_text(&quote.text);
        }
    }

    /// A text in every form in which it may have been written: plain, within JSON, and in UTF-16.
    pub(crate) fn add_text(&mut self, text: &str) {
        self.add_bytes(text.as_bytes());
        self.add_bytes(json_spelling(text).as_bytes());
        self.add_bytes(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
        self.add_bytes(&text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>());
    }

    /// Bytes as they are.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) {
        if self.pieces.len() > MAX_PIECES {
            self.is_incomplete = true;
            return;
        }
        if bytes.len() < PIECE {
            self.short.extend((bytes.len() >= MIN_TRACE).then(|| bytes.to_vec()));
            return;
        }
        self.beginnings.resize(1 << 16, false);
        for piece in bytes.windows(PIECE).filter_map(|piece| piece.try_into().ok()).filter(is_telling) {
            if let Some(begins) = self.beginnings.get_mut(beginning(&piece)) {
                *begins = true;
            }
            self.pieces.insert(piece);
        }
    }

    fn merge(&mut self, other: Self) {
        if self.beginnings.is_empty() {
            self.beginnings = other.beginnings;
        } else {
            for (mine, theirs) in self.beginnings.iter_mut().zip(other.beginnings) {
                *mine |= theirs;
            }
        }
        self.pieces.extend(other.pieces);
        self.short.extend(other.short);
        self.is_incomplete |= other.is_incomplete;
    }

    fn are_in(&self, slack: &[u8]) -> bool {
        let is_trace = |piece: &[u8; PIECE]| {
            self.beginnings.get(beginning(piece)).is_some_and(|begins| *begins) && self.pieces.contains(piece)
        };
        slack.windows(PIECE).filter_map(|piece| piece.try_into().ok()).any(|piece| is_trace(&piece))
            || self.short.iter().any(|short| memmem::find(slack, short).is_some())
    }
}

fn beginning(piece: &[u8; PIECE]) -> usize {
    usize::from(u16::from_le_bytes([piece[0], piece[1]]))
}

/// Zeros, and other repetitions of one byte, are everywhere.
fn is_telling(piece: &[u8; PIECE]) -> bool {
    piece.iter().any(|byte| *byte != piece[0])
}

impl Writer {
    /// Purges what a transaction has just erased, and what is pending from before. The caller holds the lock.
    pub(crate) fn purge(&mut self, mut traces: Traces) -> Outcome {
        if let Some(earlier) = self.purges.pending.take() {
            traces.merge(earlier);
        }
        let outcome = self.purge_file(&traces).unwrap_or_else(|failure| Outcome {
            // The rows are gone in any case; only the proof is missing.
            state: PurgeState::Pending(format!("the file could not be cleaned: {failure}")),
            residues: 0,
        });
        // Residues that a rewritten file still has would be there after the next rewriting as well: that is tried again
        // at the next open only.
        if outcome.state != PurgeState::Purged && outcome.residues == 0 {
            self.purges.pending = Some(traces);
        }
        outcome
    }

    /// Tries again what could not be purged before; silent, since `stats` counts what stays pending.
    pub(crate) fn try_to_finish_purges(&mut self) {
        if self.purges.is_pending() {
            let _ = self.locked(|writer| {
                writer.purge(Traces::default());
                Ok(())
            });
        }
    }

    /// At open: finishes what a process that is gone had begun. What it erased is not known, so the file is rewritten.
    pub(crate) fn finish_purges(&mut self) -> Result<()> {
        let unfinished: i64 = self.connection.query_row("SELECT count(*) FROM purges", [], |row| row.get(0))?;
        if unfinished > 0 {
            self.purge(Traces { is_incomplete: true, ..Traces::default() });
        }
        Ok(())
    }

    fn purge_file(&mut self, traces: &Traces) -> Result<Outcome> {
        if !self.empty_log()? {
            return Ok(readers_in_the_way());
        }
        if traces.is_incomplete || self.residues(traces)? > 0 {
            // Rewriting copies live rows only.
            self.connection.execute_batch("VACUUM")?;
            if !self.empty_log()? {
                return Ok(readers_in_the_way());
            }
        }
        let residues = self.residues(traces)?;
        if residues > 0 {
            let why = "erased bytes are left in unused parts of the file; they go when the file is rewritten".into();
            return Ok(Outcome { state: PurgeState::Pending(why), residues });
        }
        self.connection.execute("DELETE FROM purges", [])?;
        Ok(Outcome { state: PurgeState::Purged, residues: 0 })
    }

    /// Moves the log into the file and cuts it to nothing; answers whether that was possible.
    fn empty_log(&mut self) -> Result<bool> {
        let usual: i64 = self.connection.pragma_query_value(None, "busy_timeout", |row| row.get(0))?;
        self.connection.busy_timeout(READER_PATIENCE)?;
        let busy: rusqlite::Result<bool> =
            self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
        self.connection.busy_timeout(Duration::from_millis(usual.unsigned_abs()))?;
        match busy {
            Ok(busy) => Ok(!busy && !file::has_log(&self.path)),
            Err(error) if is_busy(&error) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn residues(&self, traces: &Traces) -> Result<u64> {
        let mut residues = 0;
        slack::visit(&self.connection, |slack| residues += u64::from(traces.are_in(slack)))?;
        Ok(residues)
    }
}

fn readers_in_the_way() -> Outcome {
    let why = "a reader, perhaps of another process, still looks at an older state of the file; \
               the bytes leave its log when the reader has ended";
    Outcome { state: PurgeState::Pending(why.into()), residues: 0 }
}
