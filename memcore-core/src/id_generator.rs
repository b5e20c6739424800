//! New ids, handed in: nothing in memcore draws random numbers but [`TimeOrderedIds`].

use std::{
    fmt::Debug,
    sync::atomic::{AtomicU64, Ordering},
};

use uuid::{Builder, Uuid};

/// Makes ids.
pub trait IdGenerator: Send + Sync + Debug + 'static {
    /// A new id, never given before by any generator of this kind.
    fn next_id(&self) -> Uuid;
}

/// Time-ordered random ids (UUID version 7, RFC 9562): later ids sort after earlier ones.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimeOrderedIds;

impl IdGenerator for TimeOrderedIds {
    fn next_id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

/// Ids 1, 2, 3, … in the form of UUIDs: for tests, where the same inputs must give the same bytes.
#[derive(Debug, Default)]
pub struct SequentialIds(AtomicU64);

impl IdGenerator for SequentialIds {
    fn next_id(&self) -> Uuid {
        let n = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        let mut random = [0; 10];
        random[2..].copy_from_slice(&n.to_be_bytes());
        Builder::from_unix_timestamp_millis(n, &random).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_in_the_order_in_which_they_were_made() {
        for ids in [&SequentialIds::default() as &dyn IdGenerator, &TimeOrderedIds] {
            let made: Vec<_> = (0..100).map(|_| ids.next_id()).collect();
            assert!(made.is_sorted() && made.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}
