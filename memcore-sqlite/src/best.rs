//! The best `k` of all records that a search comes across, whatever `k` is.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use memcore_core::MemoryId;

/// Collects scored records: higher scores are better, and of equal ones the smaller id.
#[derive(Debug)]
pub(crate) struct Best {
    k: usize,
    /// The worst of the best is on top.
    best: BinaryHeap<Reverse<Scored>>,
}

impl Best {
    pub(crate) fn new(k: usize) -> Self {
        Self { k, best: BinaryHeap::new() }
    }

    /// Takes a record in, if it is among the best so far. Each record is offered once.
    pub(crate) fn offer(&mut self, id: MemoryId, score: f32) {
        let scored = Scored { id, score };
        if self.best.len() < self.k {
            self.best.push(Reverse(scored));
        } else if let Some(mut worst) = self.best.peek_mut()
            && worst.0 < scored
        {
            *worst = Reverse(scored);
        }
    }

    /// Whether no record with this score or a lower one can be among the best any more.
    pub(crate) fn is_beyond(&self, score: f32) -> bool {
        // An equal score could still win by its id.
        self.best.len() >= self.k && self.best.peek().is_none_or(|worst| score < worst.0.score)
    }

    /// Best first.
    pub(crate) fn into_sorted(self) -> Vec<(MemoryId, f32)> {
        // Ascending order of `Reverse` is descending order of quality.
        self.best.into_sorted_vec().into_iter().map(|Reverse(scored)| (scored.id, scored.score)).collect()
    }
}

#[derive(Debug, Clone, Copy)]
struct Scored {
    id: MemoryId,
    score: f32,
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.id.cmp(&self.id))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Scored {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(k: usize, offered: &[(u128, f32)], expected: &[u128]) {
        let id = |n: u128| format!("{n:032x}").parse::<MemoryId>().unwrap();
        let mut best = Best::new(k);
        for (n, score) in offered {
            best.offer(id(*n), *score);
        }
        let found: Vec<MemoryId> = best.into_sorted().into_iter().map(|(id, _)| id).collect();
        assert_eq!(found, expected.iter().map(|n| id(*n)).collect::<Vec<_>>());
    }

    #[test]
    fn the_best_come_first_and_equal_ones_by_id() {
        let offered = [(3, 0.5), (1, 0.5), (4, 0.9), (2, 0.5), (5, -1.0)];
        check(3, &offered, &[4, 1, 2]);
        check(usize::MAX, &offered, &[4, 1, 2, 3, 5]);
        check(0, &offered, &[]);
    }

    #[test]
    fn an_equal_score_is_not_beyond() {
        let mut best = Best::new(1);
        assert!(!best.is_beyond(-1.0));
        best.offer(format!("{:032x}", 7).parse().unwrap(), 0.5);
        assert!(!best.is_beyond(0.5) && best.is_beyond(0.4));
        assert!(Best::new(0).is_beyond(9.0));
    }
}
