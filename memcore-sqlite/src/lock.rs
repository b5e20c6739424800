//! The fair lock between processes: an advisory lock on a side file, held around each write transaction.
//!
//! SQLite's own lock has no queue: under eight writers some starve for seconds. The kernel queues waiters of `flock`.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, TryRecvError, channel},
    },
    time::Duration,
};

use crate::error::{Failure, Result};

/// The lock of one database file, as one thread uses it.
#[derive(Debug)]
pub(crate) struct FairLock {
    path: PathBuf,
    patience: Duration,
    /// A wait that outlasted its caller's patience: its place in the queue is kept for the next caller.
    waiting: Option<Place>,
}

/// Held until dropped.
#[derive(Debug)]
pub(crate) struct LockGuard(File);

impl Drop for LockGuard {
    fn drop(&mut self) {
        // Closing the file would release it as well; an error here has no consequence.
        let _ = self.0.unlock();
    }
}

impl FairLock {
    /// The lock of `database`; `patience` is the longest wait for it.
    pub(crate) fn new(database: &Path, patience: Duration) -> Self {
        let mut path = database.as_os_str().to_owned();
        path.push(".lock");
        Self { path: path.into(), patience, waiting: None }
    }

    /// Waits for its turn.
    pub(crate) fn acquire(&mut self) -> Result<LockGuard> {
        let place = match self.waiting.take().filter(Place::is_kept) {
            Some(place) => place,
            None => {
                let file = open_side_file(&self.path)?;
                match file.try_lock() {
                    Ok(()) => return Ok(LockGuard(file)),
                    Err(TryLockError::WouldBlock) => Place::take(file)?,
                    Err(TryLockError::Error(error)) => return Err(cannot_lock(error)),
                }
            }
        };
        match place.turn.recv_timeout(self.patience) {
            Ok(turn) => turn.map(LockGuard).map_err(cannot_lock),
            Err(_) => match place.give_up_waiting() {
                Some(turn) => turn.map(LockGuard).map_err(cannot_lock),
                None => {
                    self.waiting = Some(place);
                    Err(Failure::Busy { seconds: self.patience.as_secs() })
                }
            },
        }
    }
}

/// A place in the queue. `flock` cannot be told how long to wait, so a thread of its own stands there.
#[derive(Debug)]
struct Place {
    /// Whether somebody waits for the turn; otherwise the thread lets it pass.
    is_wanted: Arc<Mutex<bool>>,
    turn: Receiver<std::io::Result<File>>,
}

impl Place {
    fn take(file: File) -> Result<Self> {
        let (answer, turn) = channel();
        let is_wanted = Arc::new(Mutex::new(true));
        let wanted = Arc::clone(&is_wanted);
        std::thread::Builder::new()
            .name("memcore-lock".into())
            .spawn(move || {
                let locked = file.lock().map(|()| file);
                // Under the mutex, so that nobody gives up between the question and the answer. What is not wanted is
                // closed here, and the lock with it.
                let wanted = wanted.lock().unwrap_or_else(PoisonError::into_inner);
                if *wanted {
                    let _ = answer.send(locked);
                }
            })
            .map_err(|error| Failure::io("starting a thread failed", error))?;
        Ok(Self { is_wanted, turn })
    }

    /// Whether the place is still in the queue; then it is wanted again.
    fn is_kept(&self) -> bool {
        let mut wanted = self.is_wanted.lock().unwrap_or_else(PoisonError::into_inner);
        *wanted = true;
        matches!(self.turn.try_recv(), Err(TryRecvError::Empty))
    }

    /// Stops to want the turn, unless it has just come.
    fn give_up_waiting(&self) -> Option<std::io::Result<File>> {
        let mut wanted = self.is_wanted.lock().unwrap_or_else(PoisonError::into_inner);
        *wanted = false;
        self.turn.try_recv().ok()
    }
}

fn cannot_lock(error: std::io::Error) -> Failure {
    Failure::io("locking the database failed", error)
}

fn open_side_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            Failure::ReadOnly { what: "the folder of the database cannot be written".into() }
        }
        _ => Failure::io("the lock file beside the database cannot be opened", error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_waits_no_longer_than_its_patience() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("m.db");
        let held = FairLock::new(&database, Duration::ZERO).acquire().unwrap();
        let mut second = FairLock::new(&database, Duration::ZERO);
        for _ in 0..3 {
            assert!(matches!(second.acquire(), Err(Failure::Busy { .. })));
        }
        drop(held);
        second.patience = Duration::from_secs(60);
        drop(second.acquire().unwrap());
        drop(second.acquire().unwrap());
    }

    #[test]
    fn a_place_that_nobody_waits_for_any_more_does_not_hold_up_those_behind_it() {
        // The place that the second holder had given up once kept the lock until its next call.
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("m.db");
        let held = FairLock::new(&database, Duration::ZERO).acquire().unwrap();
        let mut impatient = FairLock::new(&database, Duration::ZERO);
        assert!(impatient.acquire().is_err());
        drop(held);
        drop(FairLock::new(&database, Duration::from_secs(60)).acquire().unwrap());
        impatient.patience = Duration::from_secs(60);
        drop(impatient.acquire().unwrap());
    }
}
