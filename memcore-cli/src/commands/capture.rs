//! What came of reading a conversation, summed up for `observe` and `ingest`.

use memcore::{CaptureReport, Observation, Outcome, core::Rejection, transcript::BadLine};
use serde_json::{Value, json};

use crate::{exit::Exit, output::Answer};

/// Rejections that are listed; the others are only counted.
const MAX_LISTED: usize = 1000;

/// The sum.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Valid messages that were read.
    pub(crate) messages: u64,
    pub(crate) sessions: u64,
    /// Jobs that still wait.
    pub(crate) pending: u64,
    pub(crate) bad_lines: Vec<BadLine>,
    known: u64,
    redacted: u64,
    outcomes: [u64; COUNTED.len()],
    forgotten: u64,
    rejected: Vec<Rejection>,
    rejected_total: u64,
    failed_jobs: u64,
    postponed: u64,
    errors: Vec<String>,
}

/// The outcomes that are counted one by one, and their names.
const COUNTED: [(Outcome, &str); 6] = [
    (Outcome::Added, "added"),
    (Outcome::Confirmed, "confirmed"),
    (Outcome::Superseded, "superseded"),
    (Outcome::PossibleConflict, "possible_conflict"),
    (Outcome::AddedAsHistory, "added_as_history"),
    (Outcome::Retracted, "retracted"),
];

impl Tally {
    pub(crate) fn observed(&mut self, observation: &Observation) {
        self.known += observation.known;
        self.redacted += observation.redacted;
    }

    pub(crate) fn captured(&mut self, report: CaptureReport) {
        for ((outcome, _), count) in COUNTED.iter().zip(&mut self.outcomes) {
            *count += report.count(*outcome);
        }
        self.forgotten += report.forgotten.len() as u64;
        self.rejected_total += report.rejected.len() as u64;
        let free = MAX_LISTED.saturating_sub(self.rejected.len());
        self.rejected.extend(report.rejected.into_iter().take(free));
        self.failed_jobs += report.failed;
        self.postponed += report.postponed;
        self.errors.extend(report.errors);
    }

    pub(crate) fn into_answer(self) -> Answer {
        let failed = self.bad_lines.len() as u64 + self.failed_jobs;
        let exit = match (failed, self.pending) {
            (0, 0) => Exit::Done,
            // Nothing is lost, and nothing was read: the model is out of reach, or somebody else is at it.
            (0, _) if self.postponed > 0 => Exit::Unreachable,
            _ => Exit::Partly,
        };
        Answer::new(self.json(failed), self.text(failed)).with_exit(exit)
    }

    fn json(&self, failed: u64) -> Value {
        let rejected: Vec<Value> =
            self.rejected.iter().map(|of| json!({ "text": of.text, "reason": of.reason })).collect();
        let lines: Vec<Value> =
            self.bad_lines.iter().map(|bad| json!({ "line": bad.line, "reason": bad.reason })).collect();
        let mut document = json!({
            "messages": self.messages,
            "sessions": self.sessions,
            "known": self.known,
            "forgotten": self.forgotten,
            "rejected": rejected,
            "rejected_total": self.rejected_total,
            "redacted": self.redacted,
            "pending": self.pending,
            "failed": failed,
            "failed_lines": lines,
            "errors": self.errors,
        });
        for ((_, name), count) in COUNTED.iter().zip(self.outcomes) {
            document[*name] = json!(count);
        }
        document
    }

    fn text(&self, failed: u64) -> String {
        let mut parts: Vec<String> = COUNTED
            .iter()
            .zip(self.outcomes)
            .filter(|(_, count)| *count > 0)
            .map(|((_, name), count)| format!("{count} {}", name.replace('_', " ")))
            .collect();
        for (count, name) in [
            (self.forgotten, "forgotten"),
            (self.rejected_total, "not kept"),
            (self.redacted, "redacted"),
            (self.pending, "pending"),
            (failed, "failed"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {name}"));
            }
        }
        if parts.is_empty() {
            parts.push("nothing new".into());
        }
        let mut text = format!("{} messages, {} sessions: {}\n", self.messages, self.sessions, parts.join(", "));
        for bad in &self.bad_lines {
            text.push_str(&format!("line {}: {}\n", bad.line, bad.reason));
        }
        for error in &self.errors {
            text.push_str(&format!("not read yet: {error}\n"));
        }
        text
    }
}
