//! Where a user's records live: user level, projects, sessions.

use std::collections::BTreeSet;

use memcore_core::{ListRequest, MemoryId, RecordFilter, Result, Scope, SortOrder};

use crate::engine::Engine;

/// Records read per page.
const PAGE: usize = 200;

/// The records of one place, oldest first.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) scope: Scope,
    pub(super) ids: Vec<MemoryId>,
}

/// Every place of the user that is known of: the user level, the projects and sessions of the transcript and of the
/// records' provenance, and `scope` itself. Where the store has more records than these places hold, the rest is the
/// second part of the answer: how many it does not lead to.
pub(super) async fn places(engine: &Engine, scope: &Scope) -> Result<(Vec<Place>, u64)> {
    let user = Scope::of_user(scope.user_id().clone());
    let total = engine.store.stats(Some(scope.user_id())).await?.total;
    let mut waiting = BTreeSet::from([user.clone()]);
    let mut sessions = BTreeSet::new();
    waiting.insert(scope.clone().with_session(None));
    if scope.session_id().is_some() {
        sessions.insert(scope.clone());
    }
    for info in engine.store.sessions(&user).await? {
        waiting.insert(info.scope.clone().with_session(None));
        sessions.insert(info.scope);
    }

    let (mut places, mut done, mut found) = (Vec::new(), BTreeSet::new(), 0);
    while let Some(scope) = waiting.pop_first() {
        if !done.insert(scope.clone()) {
            continue;
        }
        let mut ids = Vec::new();
        own_records(engine, &scope, &mut ids, &mut waiting).await?;
        found += ids.len() as u64;
        places.push(Place { scope, ids });
    }
    // A list from a session repeats all that the session sees, so it is asked for only where something is missing.
    for scope in sessions {
        if found >= total {
            break;
        }
        let mut ids = Vec::new();
        own_records(engine, &scope, &mut ids, &mut waiting).await?;
        found += ids.len() as u64;
        places.push(Place { scope, ids });
    }
    places.retain(|place| !place.ids.is_empty());
    places.sort_by(|a, b| a.scope.cmp(&b.scope));
    Ok((places, total.saturating_sub(found)))
}

/// The records that live in exactly this scope, and the projects that they were said in.
async fn own_records(
    engine: &Engine,
    scope: &Scope,
    ids: &mut Vec<MemoryId>,
    projects: &mut BTreeSet<Scope>,
) -> Result<()> {
    let filter = RecordFilter::new(scope.clone()).with_all_statuses();
    let mut cursor = None;
    loop {
        let request =
            ListRequest::new(filter.clone()).with_sort(SortOrder::Oldest).with_limit(PAGE).with_cursor(cursor);
        let page = engine.store.list(&request).await?;
        for record in page.records {
            if let Some(project) = record.provenance.project {
                projects.insert(Scope::of_user(scope.user_id().clone()).with_project(Some(project)));
            }
            if record.scope == *scope {
                ids.push(record.id);
            }
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(()),
        }
    }
}
