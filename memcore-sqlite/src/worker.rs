//! Threads that own connections: work goes in through a bounded channel, each answer comes back through its own.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    thread::JoinHandle,
};

use tokio::sync::{mpsc, oneshot};

use crate::error::{Failure, Result};

/// How many pieces of work wait in a queue before callers wait for a place in it.
const QUEUE: usize = 128;

type Work<T> = Box<dyn FnOnce(&mut T) + Send>;

/// One or several threads that take work from one queue; each owns a resource of type `T`.
#[derive(Debug)]
pub(crate) struct Workers<T> {
    queue: Option<mpsc::Sender<Work<T>>>,
    threads: Vec<JoinHandle<()>>,
}

impl<T: Send + 'static> Workers<T> {
    /// Starts one thread per resource.
    pub(crate) fn start(name: &str, resources: Vec<T>) -> Result<Self> {
        let (queue, work) = mpsc::channel(QUEUE);
        let work = Arc::new(Mutex::new(work));
        let mut threads = Vec::with_capacity(resources.len());
        for resource in resources {
            let work = Arc::clone(&work);
            let thread = std::thread::Builder::new()
                .name(name.into())
                .spawn(move || serve(resource, &work))
                .map_err(|error| Failure::io("starting a thread failed", error))?;
            threads.push(thread);
        }
        Ok(Self { queue: Some(queue), threads })
    }

    /// Runs `job` on one of the threads. Where the caller stops waiting before it has begun, it does not run; once
    /// begun, it runs to its end.
    pub(crate) async fn run<A, F>(&self, job: F) -> Result<A>
    where
        A: Send + 'static,
        F: FnOnce(&mut T) -> Result<A> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let work: Work<T> = Box::new(move |resource| {
            if answer.is_closed() {
                return;
            }
            // A transaction that was open is rolled back while the panic unwinds through it.
            let result = catch_unwind(AssertUnwindSafe(|| job(resource)))
                .unwrap_or_else(|_| Err(Failure::internal("a job of the database thread panicked")));
            let _ = answer.send(result);
        });
        let queue = self.queue.as_ref().ok_or_else(has_ended)?;
        queue.send(work).await.map_err(|_| has_ended())?;
        answered.await.map_err(|_| has_ended())?
    }
}

impl<T> Drop for Workers<T> {
    /// Work that was accepted is done, and the connections are closed, when this returns.
    fn drop(&mut self) {
        self.queue = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn serve<T>(mut resource: T, work: &Mutex<mpsc::Receiver<Work<T>>>) {
    loop {
        // The lock is held while waiting, so that one idle thread waits and the others wait for it.
        let next = work.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
        match next {
            Some(job) => job(&mut resource),
            None => return,
        }
    }
}

fn has_ended() -> Failure {
    Failure::internal("the database thread has ended")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection;
    use futures::executor::block_on;
    use rusqlite::Connection;

    fn count(connection: &Connection) -> Result<i64> {
        Ok(connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0))?)
    }

    #[test]
    fn a_panic_in_a_job_is_an_error_of_that_job_and_rolls_it_back() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (x)").unwrap();
        let workers = Workers::start("test", vec![connection]).unwrap();
        let failed: Result<()> = block_on(workers.run(|connection| {
            let transaction = connection::begin_write(connection)?;
            transaction.execute("INSERT INTO t VALUES (1)", [])?;
            panic!("a defect")
        }));
        assert!(matches!(failed, Err(Failure::Internal { .. })));
        assert_eq!(block_on(workers.run(|connection| count(connection))).unwrap(), 0);
    }

    #[test]
    fn a_job_that_nobody_waits_for_any_more_does_not_begin() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (x)").unwrap();
        let workers = Workers::start("test", vec![connection]).unwrap();
        let (release, blocked) = std::sync::mpsc::channel::<()>();
        let dropped = async {
            let busy = workers.run(move |_| {
                let _ = blocked.recv();
                Ok(())
            });
            let unwanted = workers.run(|connection| Ok(connection.execute("INSERT INTO t VALUES (1)", [])?));
            let (mut busy, mut unwanted) = (Box::pin(busy), Box::pin(unwanted));
            // Both are queued, then the second one is given up.
            assert!(futures::poll!(&mut busy).is_pending() && futures::poll!(&mut unwanted).is_pending());
            drop(unwanted);
            release.send(()).unwrap();
            busy.await.unwrap();
            workers.run(|connection| count(connection)).await.unwrap()
        };
        assert_eq!(block_on(dropped), 0);
    }
}
