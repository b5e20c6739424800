//! Forgetting: what goes, and what is rewritten so that nothing of it remains.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use serde_json::Value;

use super::user_memory::{Entry, SessionLog, UserMemory};
use crate::{ContentBlock, Forget, ForgetReceipt, MemoryId, MemoryRecord, RejectedEntry, Scope, SessionId};

/// What stands where erased words stood.
const FORGOTTEN: &str = "[forgotten]";

impl UserMemory {
    pub(super) fn forget(&mut self, scope: &Scope, request: &Forget) -> ForgetReceipt {
        let mut receipt = ForgetReceipt::nothing();
        if request.everything {
            let all: Vec<_> = self.entries.keys().copied().collect();
            let sessions: Vec<_> = self.sessions.keys().cloned().collect();
            self.erase_records(all, &mut receipt);
            self.erase_sessions(&sessions, &mut receipt);
            receipt.rows += (self.jobs.len() + self.rejections.len()) as u64;
            self.jobs.clear();
            self.rejections.clear();
            receipt.rows += self.usage.len() as u64;
            self.usage.clear();
        } else {
            let seen = request.ids.iter().copied().filter(|id| self.seen(scope, *id).is_some());
            let seen: BTreeSet<_> = seen.collect();
            self.erase_records(seen, &mut receipt);
            self.erase_sessions(&request.sessions, &mut receipt);
            self.erase_phrases(&Phrases::new(&request.phrases), &mut receipt);
        }
        if !receipt.forgotten.is_empty() {
            self.generation += 1;
        }
        receipt
    }

    fn erase_records(&mut self, ids: impl IntoIterator<Item = MemoryId>, receipt: &mut ForgetReceipt) {
        for id in ids {
            let Some(entry) = self.entries.remove(&id) else { continue };
            receipt.forgotten.push(id);
            // Each version is a row, and so is the record.
            receipt.rows += 1 + entry.versions().count() as u64;
            receipt.terms += entry.terms.len() as u64;
        }
        let gone: BTreeSet<_> = receipt.forgotten.iter().copied().collect();
        for entry in self.entries.values_mut() {
            if entry.versions().any(|(_, version)| refers_to(&version.record, &gone)) {
                Arc::make_mut(entry).drop_references(&gone);
                receipt.derived += 1;
            }
        }
    }

    fn erase_sessions(&mut self, sessions: &[SessionId], receipt: &mut ForgetReceipt) {
        for id in sessions {
            if let Some(session) = self.sessions.remove(id) {
                receipt.rows += session.messages.len() as u64;
            }
            let before = self.jobs.len() + self.rejections.len();
            self.jobs.retain(|_, queued| queued.job.scope.session_id() != Some(id));
            self.rejections.retain(|entry| entry.session.as_ref() != Some(id));
            receipt.rows += (before - self.jobs.len() - self.rejections.len()) as u64;
        }
    }

    fn erase_phrases(&mut self, phrases: &Phrases<'_>, receipt: &mut ForgetReceipt) {
        for session in self.sessions.values_mut() {
            receipt.derived += Arc::make_mut(session).erase(phrases);
        }
        for queued in self.jobs.values_mut() {
            let words = [&mut queued.job.last_error, &mut queued.job.raw_reply];
            let rewritten = words.into_iter().flatten().filter_map(|words| phrases.erase(words).then_some(())).count();
            receipt.derived += rewritten as u64;
        }
        receipt.derived += erase_rejections(&mut self.rejections, phrases);
    }
}

impl Entry {
    fn drop_references(&mut self, gone: &BTreeSet<MemoryId>) {
        let past = self.past.iter_mut().map(|(_, version)| version);
        for version in past.chain(std::iter::once(&mut self.current)) {
            version.record.superseded_by = version.record.superseded_by.filter(|id| !gone.contains(id));
            version.record.conflicts_with.retain(|id| !gone.contains(id));
        }
        self.hash = self.current.record.content_hash();
    }
}

fn refers_to(record: &MemoryRecord, ids: &BTreeSet<MemoryId>) -> bool {
    record.superseded_by.iter().chain(&record.conflicts_with).any(|id| ids.contains(id))
}

impl SessionLog {
    /// Rewrites the transcript; answers how many of its lines had to change.
    fn erase(&mut self, phrases: &Phrases<'_>) -> u64 {
        let mut rewritten = u64::from(self.info.summary.as_mut().is_some_and(|summary| phrases.erase(summary)));
        for (_, message) in &mut self.messages {
            let mut clean = message.content.clone();
            let touched = clean.iter_mut().filter_map(|block| phrases.erase_block(block).then_some(())).count();
            if touched > 0 {
                Arc::make_mut(message).content = clean;
                rewritten += 1;
            }
        }
        rewritten
    }
}

fn erase_rejections(rejections: &mut VecDeque<Arc<RejectedEntry>>, phrases: &Phrases<'_>) -> u64 {
    let mut rewritten = 0;
    for entry in rejections {
        let mut text = entry.rejection.text.clone();
        if phrases.erase(&mut text) {
            Arc::make_mut(entry).rejection.text = text;
            rewritten += 1;
        }
    }
    rewritten
}

/// Words to erase, the longest first: of two that begin at the same place, the longer one goes.
struct Phrases<'a>(Vec<&'a str>);

impl<'a> Phrases<'a> {
    fn new(phrases: &'a [String]) -> Self {
        let mut phrases: Vec<_> = phrases.iter().map(String::as_str).filter(|phrase| !phrase.is_empty()).collect();
        phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
        Self(phrases)
    }

    /// Replaces every occurrence; answers whether there was one.
    fn erase(&self, text: &mut String) -> bool {
        let mut clean = String::with_capacity(text.len());
        let mut found = false;
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            if let Some(behind) = self.0.iter().find_map(|phrase| rest.strip_prefix(phrase)) {
                clean.push_str(FORGOTTEN);
                found = true;
                rest = behind;
            } else {
                clean.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
        if found {
            *text = clean;
        }
        found
    }

    fn erase_block(&self, block: &mut ContentBlock) -> bool {
        match block {
            ContentBlock::Text(block) => self.erase(&mut block.text),
            ContentBlock::Other(value) => self.erase_json(value),
        }
    }

    /// In every string of a JSON value, the names of its members included.
    fn erase_json(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => self.erase(text),
            Value::Array(values) => {
                let mut found = false;
                for value in values {
                    found |= self.erase_json(value);
                }
                found
            }
            Value::Object(members) => {
                let mut found = false;
                let cleaned = std::mem::take(members).into_iter().map(|(mut name, mut value)| {
                    found |= self.erase(&mut name);
                    found |= self.erase_json(&mut value);
                    (name, value)
                });
                *members = cleaned.collect();
                found
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}
