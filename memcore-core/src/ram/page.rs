//! Pages of a list: a cursor names the last record that was listed, so that others may come and go in between.

use std::cmp::Ordering;

use crate::{Error, Importance, ListRequest, MemoryId, MemoryRecord, Page, Result, SortOrder};

/// Cuts the requested page out of all records of a user.
pub(super) fn cut<'a>(request: &ListRequest, records: impl Iterator<Item = &'a MemoryRecord>) -> Result<Page> {
    let after = request.cursor.as_deref().map(Place::parse).transpose()?;
    let mut admitted: Vec<_> = records
        .filter(|record| request.filter.admits(record))
        .filter(|record| request.slot.as_ref().is_none_or(|slot| record.slot.as_ref() == Some(slot)))
        .filter(|record| after.is_none_or(|after| after.order(Place::of(record), request.sort).is_lt()))
        .collect();
    admitted.sort_by(|a, b| Place::of(a).order(Place::of(b), request.sort));
    let has_more = admitted.len() > request.limit;
    admitted.truncate(request.limit);
    let next = admitted.last().filter(|_| has_more).map(|last| Place::of(last).to_cursor());
    Ok(Page { records: admitted.into_iter().cloned().collect(), next })
}

/// Where a record stands in every order.
#[derive(Clone, Copy)]
struct Place {
    importance: Importance,
    id: MemoryId,
}

impl Place {
    fn of(record: &MemoryRecord) -> Self {
        Self { importance: record.importance, id: record.id }
    }

    fn order(self, other: Self, sort: SortOrder) -> Ordering {
        match sort {
            SortOrder::Newest => other.id.cmp(&self.id),
            SortOrder::Oldest => self.id.cmp(&other.id),
            SortOrder::Importance => other.importance.cmp(&self.importance).then(other.id.cmp(&self.id)),
        }
    }

    fn to_cursor(self) -> String {
        format!("{}.{}", self.importance.value(), self.id)
    }

    fn parse(cursor: &str) -> Result<Self> {
        let parts = cursor.split_once('.').and_then(|(importance, id)| {
            Some(Self { importance: Importance::new(importance.parse().ok()?).ok()?, id: id.parse().ok()? })
        });
        parts.ok_or_else(|| Error::invalid("a cursor is what an earlier page gave"))
    }
}
