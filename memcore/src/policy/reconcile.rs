//! What a new statement does to what is known already.

use memcore_core::{MemoryId, MemoryRecord, Status};

use super::duplicate::{Likeness, likeness};

/// A known record beside a new statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// The record.
    pub record: MemoryRecord,
    /// Whether their vectors are as close as those of duplicates; none without vectors.
    pub cosine_is_duplicate: Option<bool>,
    /// Whether the new statement corrects this record in so many words.
    pub is_corrected: bool,
}

/// What to do with a new statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Keep it beside the others.
    Add,
    /// It is known: count the evidence.
    Confirm(MemoryId),
    /// Keep it, and close these: it is newer.
    Supersede(Vec<MemoryId>),
    /// Keep it, closed already: this one is newer.
    AddClosed(MemoryId),
    /// Keep it, and flag both: they may contradict each other.
    Conflict(Vec<MemoryId>),
}

/// Decides by event time, slot, trust and likeness. `known` are records that live in the same scope, of any status.
///
/// - The same statement, in force: confirmed. (A closed one that is true again is a new interval.)
/// - A corrected record, or an older one of the same slot: superseded, unless it is trusted more.
/// - A newer one of the same slot: the statement is history, stored closed.
/// - Without a slot, the same statement with another sense or number: both are kept and flagged.
#[must_use]
pub fn reconcile(new: &MemoryRecord, known: &[Known]) -> Decision {
    let in_force = |known: &&Known| matches!(known.record.status, Status::Active | Status::Archived);
    let alike = |known: &Known| likeness(&new.content, &known.record.content, known.cosine_is_duplicate);

    if let Some(same) = known.iter().filter(in_force).find(|known| alike(known) == Likeness::Same) {
        return Decision::Confirm(same.record.id);
    }
    let same_slot = |known: &&Known| known.is_corrected || (new.slot.is_some() && new.slot == known.record.slot);
    let rivals: Vec<&Known> = known.iter().filter(in_force).filter(same_slot).collect();
    if let Some(trusted) = rivals.iter().find(|known| known.record.trust > new.trust) {
        return Decision::Conflict(vec![trusted.record.id]);
    }
    if let Some(newer) = newest(&rivals).filter(|known| !known.is_corrected && known.record.valid_from > new.valid_from)
    {
        return Decision::AddClosed(newer.record.id);
    }
    if let Some(restated) = rivals.iter().find(|known| !known.is_corrected && alike(known) == Likeness::NearDuplicate) {
        return Decision::Confirm(restated.record.id);
    }
    if !rivals.is_empty() {
        return Decision::Supersede(rivals.iter().map(|known| known.record.id).collect());
    }
    let comparable = |known: &&Known| {
        in_force(known) && known.record.kind == new.kind && (known.record.slot.is_none() || new.slot.is_none())
    };
    let mut contradicting = Vec::new();
    for known in known.iter().filter(comparable) {
        match alike(known) {
            Likeness::NearDuplicate => return Decision::Confirm(known.record.id),
            Likeness::Contradiction => contradicting.push(known.record.id),
            _ => {}
        }
    }
    if contradicting.is_empty() { Decision::Add } else { Decision::Conflict(contradicting) }
}

fn newest<'a>(rivals: &[&'a Known]) -> Option<&'a Known> {
    rivals.iter().copied().max_by_key(|known| (known.record.valid_from, known.record.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use memcore_core::{Clock, IdGenerator, SequentialIds, SystemClock, chrono::Duration};
    use memcore_core::{Kind, Provenance, Scope, Slot, SourceKind, Timestamp, Trust};

    struct World {
        ids: SequentialIds,
        start: Timestamp,
    }

    impl World {
        fn record(&self, content: &str, slot: Option<&str>, day: i64) -> MemoryRecord {
            let at = self.start + Duration::days(day);
            let mut record = MemoryRecord::new(
                MemoryId::from_uuid(self.ids.next_id()),
                Scope::user("u").unwrap(),
                Kind::Profile,
                content,
                Provenance::new(SourceKind::User, "rules", at),
                at,
            )
            .unwrap();
            record.slot = slot.map(|slot| slot.parse::<Slot>().unwrap());
            record
        }
    }

    fn world() -> World {
        World { ids: SequentialIds::default(), start: SystemClock.now() }
    }

    fn known(record: &MemoryRecord) -> Known {
        Known { record: record.clone(), cosine_is_duplicate: Some(false), is_corrected: false }
    }

    #[test]
    fn a_newer_value_of_the_same_slot_supersedes_and_an_older_one_is_history() {
        let world = world();
        let oslo = world.record("I live in Oslo", Some("user.location"), 0);
        let turin = world.record("I live in Turin now", Some("user.location"), 10);
        assert_eq!(reconcile(&turin, &[known(&oslo)]), Decision::Supersede(vec![oslo.id]));
        assert_eq!(reconcile(&oslo, &[known(&turin)]), Decision::AddClosed(turin.id));
    }

    #[test]
    fn other_slots_of_the_same_subject_are_never_touched() {
        let world = world();
        let name = world.record("my name is Ada", Some("user.name"), 0);
        let city = world.record("I live in Turin", Some("user.location"), 1);
        assert_eq!(reconcile(&city, &[known(&name)]), Decision::Add);
    }

    #[test]
    fn what_is_true_again_later_is_a_new_interval() {
        let world = world();
        let mut old = world.record("我在杭州上班", Some("user.workplace"), 0);
        old.status = Status::Superseded;
        let again = world.record("我在杭州上班", Some("user.workplace"), 30);
        assert_eq!(reconcile(&again, &[known(&old)]), Decision::Add);
    }

    #[test]
    fn lower_trust_never_supersedes_higher() {
        let world = world();
        let stated = world.record("I live in Oslo", Some("user.location"), 0);
        let mut read = world.record("lives in Rome", Some("user.location"), 5);
        read.trust = Trust::External;
        assert_eq!(reconcile(&read, &[known(&stated)]), Decision::Conflict(vec![stated.id]));
    }

    #[test]
    fn the_same_statement_again_is_evidence() {
        let world = world();
        let first = world.record("我喜欢乌龙茶。", Some("user.taste:乌龙茶"), 0);
        let second = world.record("我喜欢乌龙茶！", Some("user.taste:乌龙茶"), 1);
        assert_eq!(reconcile(&second, &[known(&first)]), Decision::Confirm(first.id));
    }

    #[test]
    fn a_contradiction_without_slot_is_kept_and_flagged() {
        let world = world();
        let first = world.record("the demo room has a projector", None, 0);
        let second = world.record("the demo room has no projector", None, 1);
        assert_eq!(reconcile(&second, &[known(&first)]), Decision::Conflict(vec![first.id]));
    }

    #[test]
    fn a_correction_closes_what_it_corrects_whatever_the_slot() {
        let world = world();
        let wrong = world.record("the launch is on Monday", None, 0);
        let right = world.record("the launch is on Friday", None, 0);
        let corrected = Known { is_corrected: true, ..known(&wrong) };
        assert_eq!(reconcile(&right, &[corrected]), Decision::Supersede(vec![wrong.id]));
    }
}
