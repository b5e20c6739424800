//! Memories as the program shows them: JSON fields that scripts rely on, and lines for people.

use memcore::{
    Hit, MemoryRecord, Status, Timestamp,
    core::{Provenance, chrono::SecondsFormat},
};
use serde_json::{Map, Value, json};

use crate::output::Output;

/// A memory with all that is known about it.
pub(crate) fn record(record: &MemoryRecord) -> Value {
    let mut fields = Map::new();
    fields.insert("id".into(), json!(record.id));
    fields.insert("content".into(), json!(record.content));
    fields.insert("kind".into(), json!(record.kind));
    fields.insert("level".into(), json!(record.level()));
    set(&mut fields, "project", record.scope.project_id());
    set(&mut fields, "session", record.scope.session_id());
    fields.insert("status".into(), json!(record.status));
    fields.insert("importance".into(), json!(record.importance));
    fields.insert("confidence".into(), json!(record.confidence));
    fields.insert("trust".into(), json!(record.trust));
    set(&mut fields, "slot", record.slot.as_ref());
    fields.insert("tags".into(), json!(record.tags));
    fields.insert("pinned".into(), json!(record.pinned));
    fields.insert("language".into(), json!(record.language));
    fields.insert("evidence_count".into(), json!(record.evidence_count));
    fields.insert("access_count".into(), json!(record.access_count));
    fields.insert("created_at".into(), time(record.created_at));
    fields.insert("updated_at".into(), time(record.updated_at));
    fields.insert("valid_from".into(), time(record.valid_from));
    set(&mut fields, "valid_until", record.valid_until.map(time));
    set(&mut fields, "last_accessed_at", record.last_accessed_at.map(time));
    set(&mut fields, "superseded_by", record.superseded_by);
    if !record.conflicts_with.is_empty() {
        fields.insert("conflicts_with".into(), json!(record.conflicts_with));
    }
    fields.insert("provenance".into(), provenance(&record.provenance));
    Value::Object(fields)
}

/// A hit. `explain` adds every signal that there is.
pub(crate) fn hit(hit: &Hit, explain: bool) -> Value {
    let found = &hit.record;
    let mut parts = json!({
        "similarity": hit.parts.similarity,
        "text": hit.parts.text,
        "importance": hit.parts.importance,
        "recency": hit.parts.recency,
    });
    if explain {
        parts = json!(hit.parts);
    }
    let mut fields = Map::new();
    fields.insert("id".into(), json!(found.id));
    fields.insert("content".into(), json!(found.content));
    fields.insert("kind".into(), json!(found.kind));
    fields.insert("level".into(), json!(found.level()));
    set(&mut fields, "project", found.scope.project_id());
    fields.insert("status".into(), json!(found.status));
    fields.insert("importance".into(), json!(found.importance));
    fields.insert("confidence".into(), json!(found.confidence));
    fields.insert("trust".into(), json!(found.trust));
    fields.insert("score".into(), json!(hit.score));
    fields.insert("parts".into(), parts);
    if explain {
        fields.insert("why".into(), json!(hit.why));
    }
    fields.insert("created_at".into(), time(found.created_at));
    fields.insert("valid_from".into(), time(found.valid_from));
    set(&mut fields, "valid_until", found.valid_until.map(time));
    fields.insert("provenance".into(), provenance(&found.provenance));
    Value::Object(fields)
}

/// A memory in one line.
pub(crate) fn line(output: &Output, record: &MemoryRecord) -> String {
    let mut marks = vec![record.kind.to_string(), format!("importance {}", record.importance.value())];
    if record.status != Status::Active {
        marks.push(record.status.to_string());
    }
    if record.pinned {
        marks.push("pinned".into());
    }
    if let Some(project) = record.scope.project_id() {
        marks.push(format!("project {project}"));
    }
    format!("{}  {}\n", record.content, output.dim(&format!("[{}] {}", marks.join(", "), record.id)))
}

/// A moment as RFC 3339 in UTC.
pub(crate) fn time(at: Timestamp) -> Value {
    Value::from(at.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

fn provenance(of: &Provenance) -> Value {
    let mut fields = Map::new();
    fields.insert("source".into(), json!(of.source));
    fields.insert("session".into(), json!(of.session));
    set(&mut fields, "project", of.project.as_ref());
    set(&mut fields, "quote", of.quotes.first().map(|quote| &quote.text));
    if of.quotes.len() > 1 {
        fields.insert("quotes".into(), of.quotes.iter().map(|quote| json!(quote.text)).collect());
    }
    if !of.messages.is_empty() {
        fields.insert("messages".into(), json!(of.messages));
    }
    fields.insert("extractor".into(), json!(of.extractor));
    set(&mut fields, "model", of.model.as_ref());
    fields.insert("at".into(), time(of.at));
    Value::Object(fields)
}

fn set(fields: &mut Map<String, Value>, name: &str, value: Option<impl serde::Serialize>) {
    if let Some(value) = value {
        fields.insert(name.into(), json!(value));
    }
}
