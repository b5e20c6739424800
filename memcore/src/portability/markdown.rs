//! `memcore-md/1`: memories as a person reads them, under the headings that assistants exchange.

use std::fmt::Write;

use memcore_core::{Kind, MemoryRecord, Timestamp, UserId};

const HEADINGS: [&str; 5] = ["Instructions", "Identity", "Preferences", "Projects", "Other"];

/// Memories, sorted under headings.
#[derive(Debug, Default)]
pub(super) struct Sections([String; HEADINGS.len()]);

impl Sections {
    pub(super) fn add(&mut self, record: &MemoryRecord) {
        let heading = match record.kind {
            Kind::Constraint => 0,
            Kind::Profile => 1,
            Kind::Preference => 2,
            Kind::ProjectState | Kind::Decision | Kind::Todo => 3,
            _ if record.scope.project_id().is_some() => 3,
            _ => 4,
        };
        let project = record.scope.project_id().map_or(String::new(), |id| format!("{}: ", one_line(id.as_str())));
        // Writing to a string never fails.
        let _ = writeln!(
            self.0[heading],
            "- [{}] {project}{} <!-- {} imp={} -->",
            record.valid_from.format("%Y-%m-%d"),
            one_line(&record.content),
            record.id,
            record.importance.value(),
        );
    }

    pub(super) fn into_document(self, user: &UserId, now: Timestamp) -> String {
        let name = one_line(user.as_str());
        let quoted = serde_json::Value::from(user.as_str());
        let mut document = format!(
            "---\nformat: memcore-md/1\nuser: {quoted}\nexported: {}\n---\n# What is remembered about {name}\n",
            now.format("%Y-%m-%d")
        );
        for (heading, lines) in HEADINGS.into_iter().zip(self.0) {
            if !lines.is_empty() {
                let _ = write!(document, "## {heading}\n{lines}");
            }
        }
        document
    }
}

/// A text that neither breaks its line nor opens a comment.
fn one_line(content: &str) -> String {
    content.split_whitespace().collect::<Vec<_>>().join(" ").replace("<!--", "&lt;!--")
}
