//! Reading records by id, and page by page.

use memcore_core::{Error, Importance, ListRequest, MemoryId, MemoryRecord, Page, Scope, SortOrder};
use rusqlite::{Connection, params_from_iter, types::Value};

use crate::{
    codec::limit,
    error::{Failure, Result},
    filter, names, records,
};

/// The records with these ids that the scope sees, in the order asked for.
pub(crate) fn get(connection: &Connection, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<MemoryRecord>> {
    let Some(place) = names::place(connection, scope)? else { return Ok(Vec::new()) };
    let visible = filter::visible_from(place);
    let sql = format!("{} WHERE r.id = ? AND {}", records::SELECT_RECORD, visible.sql);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let values = std::iter::once(Value::from(id.as_uuid().as_bytes().to_vec())).chain(visible.values.clone());
        let mut rows = statement.query(params_from_iter(values))?;
        if let Some(row) = rows.next()? {
            found.push(records::record(row)?);
        }
    }
    Ok(found)
}

/// A page of the records that the filter admits.
pub(crate) fn list(connection: &Connection, request: &ListRequest) -> Result<Page> {
    let cursor = request.cursor.as_deref().map(Cursor::parse).transpose()?;
    let Some(place) = names::place(connection, &request.filter.scope)? else { return Ok(Page::default()) };
    let Some(condition) = filter::condition(&request.filter, place)? else { return Ok(Page::default()) };
    let mut sql = records::SELECT_RECORD.to_owned();
    if request.filter.ids.is_none() {
        // The planner has no statistics, and would rather sort all records of a user than follow the order's index.
        let index = match (&request.slot, request.sort) {
            (Some(_), _) => "records_by_slot",
            (None, SortOrder::Importance) => "records_by_importance",
            (None, _) => "records_by_id",
        };
        sql = sql.replace("FROM records AS r", &format!("FROM records AS r INDEXED BY {index}"));
    }
    sql.push_str(&format!(" WHERE {}", condition.sql));
    let mut values = condition.values;
    if let Some(slot) = &request.slot {
        sql.push_str(" AND r.slot = ?");
        values.push(slot.to_string().into());
    }
    if let Some(cursor) = cursor {
        let id = Value::from(cursor.id.as_uuid().as_bytes().to_vec());
        match request.sort {
            SortOrder::Oldest => sql.push_str(" AND r.id > ?"),
            SortOrder::Importance => {
                sql.push_str(" AND (r.importance, r.id) < (?, ?)");
                values.push(i64::from(cursor.importance.value()).into());
            }
            _ => sql.push_str(" AND r.id < ?"),
        }
        values.push(id);
    }
    sql.push_str(match request.sort {
        SortOrder::Oldest => " ORDER BY r.id LIMIT ?",
        SortOrder::Importance => " ORDER BY r.importance DESC, r.id DESC LIMIT ?",
        _ => " ORDER BY r.id DESC LIMIT ?",
    });
    // One more tells whether there is a next page.
    values.push(limit(request.limit).saturating_add(1).into());
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut page = Page::default();
    while let Some(row) = rows.next()? {
        if page.records.len() == request.limit {
            page.next = page.records.last().map(|last| Cursor::behind(last).to_text());
            break;
        }
        page.records.push(records::record(row)?);
    }
    Ok(page)
}

/// The last record of a page: it may be gone when the next page is asked for.
#[derive(Debug, Clone, Copy)]
struct Cursor {
    importance: Importance,
    id: MemoryId,
}

impl Cursor {
    fn behind(record: &MemoryRecord) -> Self {
        Self { importance: record.importance, id: record.id }
    }

    fn to_text(self) -> String {
        format!("{}.{}", self.importance.value(), self.id)
    }

    fn parse(text: &str) -> Result<Self> {
        let parts = text.split_once('.').and_then(|(importance, id)| {
            Some(Self { importance: Importance::new(importance.parse().ok()?).ok()?, id: id.parse().ok()? })
        });
        parts.ok_or_else(|| Failure::Core(Error::invalid("a cursor is what an earlier page gave")))
    }
}
