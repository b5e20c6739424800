//! The queue: which job is next, and who holds it.

use memcore_core::{Job, JobId, JobKind, JobState, LeaseRequest, QueueState, Scope, SessionId, Timestamp};
use rusqlite::{Connection, Row, params, params_from_iter, types::Value};

use crate::{
    codec::{from_json, limit, micros, optional_timestamp, timestamp, to_json, unsigned, uuid, variant, variant_name},
    error::{Failure, Result},
    names,
};

pub(crate) fn enqueue(connection: &Connection, user: i64, job: &Job) -> Result<()> {
    let place = names::place_or_new(connection, user, &job.scope)?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO jobs (id, user, project, session, kind, attempts, due_at, state, last_error) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
    )?;
    let inserted = insert.execute(params![
        job.id.as_uuid().as_bytes(),
        user,
        place.project,
        place.session,
        to_json(&job.kind)?,
        job.attempts,
        micros(job.due_at),
        variant_name(&job.state)?,
        job.last_error,
    ])?;
    if inserted == 0 { Err(Failure::conflict("a job with this id exists")) } else { Ok(()) }
}

pub(crate) fn complete(connection: &Connection, user: i64, id: JobId) -> Result<()> {
    let mut delete = connection.prepare_cached("DELETE FROM jobs WHERE id = ? AND user = ?")?;
    check_was_there(delete.execute(params![id.as_uuid().as_bytes(), user])?)
}

pub(crate) fn fail(
    connection: &Connection,
    user: i64,
    id: JobId,
    error: &str,
    raw_reply: Option<&str>,
    retry_at: Option<Timestamp>,
) -> Result<()> {
    let state = if retry_at.is_some() { JobState::Pending } else { JobState::Dead };
    let mut update = connection.prepare_cached(
        "UPDATE jobs SET attempts = attempts + 1, last_error = ?, raw_reply = ?, due_at = coalesce(?, due_at), \
         state = ?, leased_until = NULL WHERE id = ? AND user = ?",
    )?;
    let retry_at = retry_at.map(micros);
    let id = id.as_uuid();
    check_was_there(update.execute(params![error, raw_reply, retry_at, variant_name(&state)?, id.as_bytes(), user])?)
}

/// Lets a job wait without counting an attempt.
pub(crate) fn postpone(connection: &Connection, user: i64, id: JobId, reason: &str, until: Timestamp) -> Result<()> {
    let mut update = connection
        .prepare_cached("UPDATE jobs SET last_error = ?, due_at = ?, leased_until = NULL WHERE id = ? AND user = ?")?;
    check_was_there(update.execute(params![reason, micros(until), id.as_uuid().as_bytes(), user])?)
}

/// Lets a worker hold a job for longer.
pub(crate) fn hold(connection: &Connection, user: i64, id: JobId, until: Timestamp) -> Result<()> {
    let mut update = connection
        .prepare_cached("UPDATE jobs SET leased_until = ? WHERE id = ? AND user = ? AND leased_until IS NOT NULL")?;
    check_was_there(update.execute(params![micros(until), id.as_uuid().as_bytes(), user])?)
}

/// Leaves of a job what is still to be done.
pub(crate) fn resume(connection: &Connection, user: i64, id: JobId, kind: &JobKind) -> Result<()> {
    let mut update = connection.prepare_cached(
        "UPDATE jobs SET kind = ?, attempts = 0, last_error = NULL, raw_reply = NULL, leased_until = NULL \
         WHERE id = ? AND user = ?",
    )?;
    check_was_there(update.execute(params![to_json(kind)?, id.as_uuid().as_bytes(), user])?)
}

/// Makes the jobs of a session due that only wait for more.
pub(crate) fn hasten(connection: &Connection, user: i64, session: &SessionId, at: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE jobs SET due_at = ?1 WHERE user = ?2 AND session = (SELECT number FROM sessions WHERE user = ?2 \
             AND name = ?3) AND state = 'pending' AND attempts = 0 AND last_error IS NULL AND due_at > ?1",
        )?
        .execute(params![micros(at), user, session.as_str()])?;
    Ok(())
}

/// Gives a dead job another chance.
pub(crate) fn revive(connection: &Connection, user: i64, id: JobId, at: Timestamp) -> Result<()> {
    let mut update = connection.prepare_cached(
        "UPDATE jobs SET state = 'pending', attempts = 0, due_at = ? WHERE id = ? AND user = ? AND state = 'dead'",
    )?;
    check_was_there(update.execute(params![micros(at), id.as_uuid().as_bytes(), user])?)
}

/// Takes the oldest job that can be done now: of each session, only the first that waits comes into question.
pub(crate) fn lease(connection: &Connection, request: &LeaseRequest) -> Result<Vec<Job>> {
    let mut sql = format!(
        "{SELECT_JOB} WHERE j.state = 'pending' AND j.due_at <= ? \
         AND (j.leased_until IS NULL OR j.leased_until <= ?) \
         AND NOT EXISTS (SELECT 1 FROM jobs AS older WHERE older.user = j.user AND older.session IS j.session \
         AND older.state = 'pending' AND older.id < j.id)"
    );
    let now = micros(request.now);
    let mut values = vec![Value::from(now), Value::from(now)];
    if let Some(scope) = &request.scope {
        restrict(scope, &mut sql, &mut values);
    }
    sql.push_str(" ORDER BY j.id LIMIT 1");
    let first = {
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        rows.next()?.map(job).transpose()?
    };
    let Some(first) = first else { return Ok(Vec::new()) };
    let followers = if comes_alone(&first) { Vec::new() } else { followers(connection, &first, request)? };
    let until = request.now.checked_add_signed(request.lease_for).unwrap_or(Timestamp::MAX_UTC);
    let leased: Vec<Job> = std::iter::once(first).chain(followers).collect();
    let mut update = connection.prepare_cached("UPDATE jobs SET leased_until = ? WHERE id = ?")?;
    for job in &leased {
        update.execute(params![micros(until), job.id.as_uuid().as_bytes()])?;
    }
    Ok(leased)
}

/// A job that failed before is tried alone, so that it harms no others.
fn comes_alone(job: &Job) -> bool {
    job.attempts > 0 || !matches!(job.kind, JobKind::Extract { .. })
}

/// The jobs that are taken along with the first one of their session.
fn followers(connection: &Connection, first: &Job, request: &LeaseRequest) -> Result<Vec<Job>> {
    let sql = format!(
        "{SELECT_JOB} WHERE j.user = (SELECT number FROM users WHERE name = ?1) \
         AND j.session IS (SELECT number FROM sessions WHERE user = j.user AND name = ?2) \
         AND j.state = 'pending' AND j.id > ?3 ORDER BY j.id LIMIT ?4"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let session = first.scope.session_id().map(|session| session.as_str());
    let wanted = limit(request.max_jobs.saturating_sub(1));
    let mut rows =
        statement.query(params![first.scope.user_id().as_str(), session, first.id.as_uuid().as_bytes(), wanted])?;
    let mut followers = Vec::new();
    while let Some(row) = rows.next()? {
        let next = job(row)?;
        let held = optional_timestamp(row.get("leased_until")?)?.is_some_and(|until| until > request.now);
        if held || next.due_at > request.now || comes_alone(&next) {
            break;
        }
        followers.push(next);
    }
    Ok(followers)
}

/// How full the queue is.
pub(crate) fn state(connection: &Connection, scope: Option<&Scope>) -> Result<QueueState> {
    let mut sql = String::from(
        "SELECT j.state, count(*), min(j.due_at) FROM jobs AS j JOIN users AS u ON u.number = j.user \
         LEFT JOIN sessions AS s ON s.number = j.session WHERE TRUE",
    );
    let mut values = Vec::new();
    if let Some(scope) = scope {
        restrict(scope, &mut sql, &mut values);
    }
    sql.push_str(" GROUP BY j.state");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut state = QueueState::default();
    while let Some(row) = rows.next()? {
        let jobs = unsigned(row.get(1)?)?;
        match variant::<JobState>(row.get(0)?)? {
            JobState::Dead => state.dead = jobs,
            JobState::Pending => {
                state.pending = jobs;
                state.next_due = Some(timestamp(row.get(2)?)?);
            }
        }
    }
    Ok(state)
}

/// Jobs that wait, or are dead, oldest first.
pub(crate) fn jobs(connection: &Connection, scope: Option<&Scope>) -> Result<Vec<Job>> {
    let mut sql = format!("{SELECT_JOB} WHERE TRUE");
    let mut values = Vec::new();
    if let Some(scope) = scope {
        restrict(scope, &mut sql, &mut values);
    }
    sql.push_str(" ORDER BY j.id");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut jobs = Vec::new();
    while let Some(row) = rows.next()? {
        jobs.push(job(row)?);
    }
    Ok(jobs)
}

const SELECT_JOB: &str = "SELECT j.id, j.kind, j.attempts, j.due_at, j.state, j.last_error, j.raw_reply, j.leased_until, u.name AS user_name, \
    p.name AS project_name, s.name AS session_name FROM jobs AS j JOIN users AS u ON u.number = j.user \
    LEFT JOIN projects AS p ON p.number = j.project LEFT JOIN sessions AS s ON s.number = j.session";

/// Only jobs of the scope's user, and of its session where it names one.
fn restrict(scope: &Scope, sql: &mut String, values: &mut Vec<Value>) {
    sql.push_str(" AND u.name = ?");
    values.push(scope.user_id().as_str().to_owned().into());
    if let Some(session) = scope.session_id() {
        sql.push_str(" AND s.name = ?");
        values.push(session.as_str().to_owned().into());
    }
}

fn job(row: &Row<'_>) -> Result<Job> {
    let scope = names::scope(row.get("user_name")?, row.get("project_name")?, row.get("session_name")?)?;
    let id = JobId::from_uuid(uuid(row, "id")?);
    let kind = from_json(&row.get::<_, String>("kind")?)?;
    let mut job = Job::new(id, scope, kind, timestamp(row.get("due_at")?)?);
    job.attempts = row.get("attempts")?;
    job.state = variant(row.get("state")?)?;
    job.last_error = row.get("last_error")?;
    job.raw_reply = row.get("raw_reply")?;
    Ok(job)
}

fn check_was_there(changed: usize) -> Result<()> {
    if changed == 0 {
        return Err(Failure::conflict("the job is not there: another worker has finished it"));
    }
    Ok(())
}
