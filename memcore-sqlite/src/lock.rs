//! The fair lock between processes: an advisory lock on a side file, held around each write transaction.
//!
//! SQLite's own lock has no queue: under eight writers some starve for seconds. The kernel queues waiters of `flock`.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::Duration,
};

use crate::error::{Failure, Result};

/// The lock of one database file, as one thread uses it.
#[derive(Debug)]
pub(crate) struct FairLock {
    path: PathBuf,
    patience: Duration,
    /// A wait that outlasted its caller's patience: its place in the queue is kept for the next caller.
    waiting: Option<Receiver<std::io::Result<File>>>,
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
        if self.waiting.is_none() {
            let file = open_side_file(&self.path)?;
            match file.try_lock() {
                Ok(()) => return Ok(LockGuard(file)),
                Err(TryLockError::WouldBlock) => self.waiting = Some(wait_in_queue(file)?),
                Err(TryLockError::Error(error)) => return Err(Failure::io("locking the database failed", error)),
            }
        }
        let answer = self.waiting.as_ref().map(|queue| queue.recv_timeout(self.patience));
        match answer {
            Some(Err(RecvTimeoutError::Timeout)) => Err(Failure::Busy { seconds: self.patience.as_secs() }),
            Some(Ok(answer)) => {
                self.waiting = None;
                answer.map(LockGuard).map_err(|error| Failure::io("locking the database failed", error))
            }
            Some(Err(RecvTimeoutError::Disconnected)) | None => {
                self.waiting = None;
                Err(Failure::internal("the thread that waits for the lock has ended"))
            }
        }
    }
}

/// `flock` cannot be told how long to wait, so a thread of its own stands in the queue.
fn wait_in_queue(file: File) -> Result<Receiver<std::io::Result<File>>> {
    let (answer, queue) = channel();
    std::thread::Builder::new()
        .name("memcore-lock".into())
        .spawn(move || {
            let locked = file.lock().map(|()| file);
            // Where nobody listens any more, the file is closed here, and the lock with it.
            let _ = answer.send(locked);
        })
        .map_err(|error| Failure::io("starting a thread failed", error))?;
    Ok(queue)
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
    fn a_second_holder_waits_no_longer_than_its_patience_and_keeps_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("m.db");
        let held = FairLock::new(&database, Duration::ZERO).acquire().unwrap();
        let mut second = FairLock::new(&database, Duration::ZERO);
        assert!(matches!(second.acquire(), Err(Failure::Busy { .. })));
        drop(held);
        second.patience = Duration::from_secs(60);
        drop(second.acquire().unwrap());
        drop(second.acquire().unwrap());
    }
}
