//! Time, handed in: nothing in memcore reads the system's clock but [`SystemClock`].

use std::{
    fmt::Debug,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, Duration, SubsecRound, Utc};

/// A moment in time, UTC, stored with a resolution of one microsecond.
pub type Timestamp = DateTime<Utc>;

/// Tells the time.
pub trait Clock: Send + Sync + Debug + 'static {
    /// The present moment, to the microsecond. May run backwards: callers must not rely on order.
    fn now(&self) -> Timestamp;
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Utc::now().trunc_subsecs(6)
    }
}

/// A clock that stands still until it is told otherwise: for tests, replays and simulations. Clones share the time.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<Mutex<Timestamp>>);

impl ManualClock {
    /// A clock that shows `now`.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(now)))
    }

    /// Sets the time.
    pub fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// Moves the time by `by`, which may be negative.
    pub fn advance(&self, by: Duration) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
