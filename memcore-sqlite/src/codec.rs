//! How single values are stored: times, ids, names of enumerations, vectors, JSON.

use memcore_core::{Embedding, Status, Timestamp, chrono::DateTime, chrono::SubsecRound};
use rusqlite::Row;
use serde_json::Value;
use uuid::Uuid;

use crate::error::{Failure, Result};

/// Cuts a time to what is kept: what is read back must equal what is compared and hashed.
pub(crate) fn to_stored_precision(at: Timestamp) -> Timestamp {
    at.trunc_subsecs(6)
}

/// Microseconds since 1970-01-01 UTC.
pub(crate) fn micros(at: Timestamp) -> i64 {
    at.timestamp_micros()
}

pub(crate) fn timestamp(micros: i64) -> Result<Timestamp> {
    DateTime::from_timestamp_micros(micros).ok_or_else(|| Failure::corrupt("a stored time is out of range"))
}

pub(crate) fn optional_timestamp(micros: Option<i64>) -> Result<Option<Timestamp>> {
    micros.map(timestamp).transpose()
}

/// The name that serde gives a variant without data.
pub(crate) fn variant_name<T: serde::Serialize>(value: &T) -> Result<String> {
    match serde_json::to_value(value) {
        Ok(Value::String(name)) => Ok(name),
        _ => Err(Failure::internal("an enumeration is not stored by a name")),
    }
}

/// The variant of a stored name.
pub(crate) fn variant<T: serde::de::DeserializeOwned>(name: String) -> Result<T> {
    serde_json::from_value(Value::String(name)).map_err(|_| Failure::corrupt("a stored name is unknown"))
}

pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Failure::internal(format!("a value has no JSON form: {error}")))
}

pub(crate) fn from_json<T: serde::de::DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|_| Failure::corrupt("a stored JSON value is damaged"))
}

/// Statuses are numbers, in the order of [`Status::ALL`], which only ever grows at its end.
pub(crate) fn status_code(status: Status) -> i64 {
    Status::ALL.iter().zip(0..).find_map(|(known, code)| (*known == status).then_some(code)).unwrap_or_default()
}

pub(crate) fn status(code: i64) -> Result<Status> {
    usize::try_from(code)
        .ok()
        .and_then(|code| Status::ALL.get(code).copied())
        .ok_or_else(|| Failure::corrupt("a stored status is unknown"))
}

/// A UUID from a column of 16 bytes.
pub(crate) fn uuid(row: &Row<'_>, column: &str) -> Result<Uuid> {
    let bytes = row.get_ref(column)?.as_blob().map_err(|_| Failure::corrupt("a stored id is no blob"))?;
    Uuid::from_slice(bytes).map_err(|_| Failure::corrupt("a stored id has not 16 bytes"))
}

/// 32-bit floats, little-endian.
pub(crate) fn vector_bytes(vector: &Embedding) -> Vec<u8> {
    vector.as_slice().iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A count as SQL takes it; more than SQL can count means all.
pub(crate) fn limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A stored count or number that cannot be negative.
pub(crate) fn unsigned(number: i64) -> Result<u64> {
    u64::try_from(number).map_err(|_| Failure::corrupt("a stored number is negative"))
}
