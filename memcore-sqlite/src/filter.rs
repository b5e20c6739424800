//! A record filter as a condition of SQL, so that it works inside each search.

use memcore_core::{MemoryId, RecordFilter};
use rusqlite::types::Value;

use crate::{
    codec::{micros, status_code, to_json},
    error::Result,
    names::Place,
};

/// A condition on `records AS r`, and the values of its parameters in order.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    pub(crate) sql: String,
    pub(crate) values: Vec<Value>,
}

/// What `filter` admits, seen from `place`; none where it admits nothing whatever is stored.
pub(crate) fn condition(filter: &RecordFilter, place: Place) -> Result<Option<Condition>> {
    if filter.statuses.is_empty() || filter.ids.as_ref().is_some_and(Vec::is_empty) {
        return Ok(None);
    }
    let mut condition = visible_from(place);
    condition.one_of("r.status", filter.statuses.iter().map(|status| status_code(*status).into()));
    if !filter.kinds.is_empty() {
        condition.one_of("r.kind", filter.kinds.iter().map(|kind| kind.as_str().to_owned().into()));
    }
    if let Some(at) = filter.valid_at {
        condition.sql.push_str(" AND r.valid_from <= ? AND (r.valid_until IS NULL OR r.valid_until > ?)");
        condition.values.extend([micros(at).into(), micros(at).into()]);
    }
    if let Some(ids) = &filter.ids {
        condition.sql.push_str(" AND r.id IN (SELECT unhex(value) FROM json_each(?))");
        condition.values.push(id_list(ids)?.into());
    }
    Ok(Some(condition))
}

/// Records of the place's user that live there or above.
pub(crate) fn visible_from(place: Place) -> Condition {
    Condition {
        sql: "r.user = ? AND (r.project IS NULL OR r.project = ?) AND (r.session IS NULL OR r.session = ?)".into(),
        values: vec![place.user.into(), place.project.into(), place.session.into()],
    }
}

/// Ids as one parameter: a JSON list of hexadecimal numbers.
fn id_list(ids: &[MemoryId]) -> Result<String> {
    to_json(&ids.iter().map(|id| id.as_uuid().simple().to_string()).collect::<Vec<_>>())
}

impl Condition {
    fn one_of(&mut self, column: &str, values: impl Iterator<Item = Value>) {
        let before = self.values.len();
        self.values.extend(values);
        let marks = vec!["?"; self.values.len() - before].join(", ");
        self.sql.push_str(&format!(" AND {column} IN ({marks})"));
    }
}
