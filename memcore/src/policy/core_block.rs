//! Which memories stand in every prompt of a session.

use memcore_core::{Kind, MemoryRecord, Status, Timestamp, Trust};

/// What a memory must matter to stand in the core block.
pub const CORE_IMPORTANCE: u8 = 6;
/// Memories in the core block at the most.
pub const CORE_COUNT: usize = 12;
/// Kinds that may stand in the core block.
pub const CORE_KINDS: [Kind; 4] = [Kind::Profile, Kind::Preference, Kind::Constraint, Kind::Decision];

/// The standing memories among `records`: pinned ones, and profile, preference, constraint and decision in force, of
/// importance 6 and more, from trusted sources; the most important first, at most `count`. Those that are cut come
/// second.
#[must_use]
pub fn core_block(
    mut records: Vec<MemoryRecord>,
    count: usize,
    now: Timestamp,
) -> (Vec<MemoryRecord>, Vec<MemoryRecord>) {
    records.retain(|record| {
        record.status == Status::Active
            && record.valid_until.is_none_or(|until| now < until)
            && (record.pinned
                || (record.importance.value() >= CORE_IMPORTANCE
                    && record.trust >= Trust::Imported
                    && CORE_KINDS.contains(&record.kind)))
    });
    // Ties by id (by age): the block stays byte for byte the same while its memories do.
    records.sort_by(|a, b| (b.pinned, b.importance).cmp(&(a.pinned, a.importance)).then_with(|| a.id.cmp(&b.id)));
    let cut = records.split_off(records.len().min(count));
    (records, cut)
}
