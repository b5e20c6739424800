//! The writing side: the one connection that changes the file, behind the lock between processes.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, FileControl, Transaction};

use crate::{
    builder::Options,
    connection::{self, Purpose},
    error::{Failure, Result},
    lock::FairLock,
    purge::Purges,
    schema, segmentation,
};

/// What the writing thread owns.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    pub(crate) purges: Purges,
    lock: FairLock,
}

impl Writer {
    /// Opens a file, brings it to the current schema, and finishes what a killed process left behind.
    pub(crate) fn open(path: &Path, options: &Options) -> Result<Self> {
        let mut lock = FairLock::new(path, options.busy_limit);
        let guard = lock.acquire()?;
        let mut connection = connection::open(path, options, Purpose::Write)?;
        if connection.is_readonly("main")? {
            return Err(Failure::ReadOnly { what: "the database file cannot be written".into() });
        }
        schema::migrate(&mut connection)?;
        schema::check_objects(&connection)?;
        let mut writer = Self { connection, path: path.to_owned(), purges: Purges::default(), lock };
        writer.locked_transaction(|transaction| segmentation::update(transaction))?;
        writer.finish_purges()?;
        drop(guard);
        Ok(writer)
    }

    /// Runs a job in a transaction of its own, which is committed where the job succeeds.
    pub(crate) fn transaction<A>(&mut self, job: impl FnOnce(&Transaction<'_>) -> Result<A>) -> Result<A> {
        self.locked(|writer| writer.locked_transaction(job))
    }

    /// The same for a caller that holds the lock.
    pub(crate) fn locked_transaction<A>(&mut self, job: impl FnOnce(&Transaction<'_>) -> Result<A>) -> Result<A> {
        let transaction = connection::begin_write(&mut self.connection)?;
        let answer = job(&transaction)?;
        transaction.commit()?;
        Ok(answer)
    }

    /// Runs a job while no other process writes.
    pub(crate) fn locked<A>(&mut self, job: impl FnOnce(&mut Self) -> Result<A>) -> Result<A> {
        let guard = self.lock.acquire()?;
        self.check_not_moved()?;
        let answer = job(self);
        drop(guard);
        answer
    }

    /// A file that was replaced is not the one that was opened: what is written to it would be lost in silence.
    fn check_not_moved(&self) -> Result<()> {
        #[cfg(unix)]
        {
            let mut has_moved = 0;
            self.connection.file_control(None::<&str>, FileControl::HasMoved(&mut has_moved))?;
            if has_moved != 0 {
                return Err(Failure::io(
                    "the database file was removed or replaced while it was open; open it again",
                    std::io::Error::from(std::io::ErrorKind::NotFound),
                ));
            }
        }
        Ok(())
    }
}
