//! A task that reads what is observed, behind the conversation.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use memcore_core::{Result, Scope, Timestamp};
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};

use crate::{
    engine::Engine,
    outcome::CaptureReport,
    pipeline::{embed, queue},
};

/// How long a worker sleeps at the most: another process may have queued something meanwhile.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);
/// How long at the least, where something is due that others hold.
const SHORTEST_SLEEP: Duration = Duration::from_millis(250);

/// Reads queued messages as they become due, until it is shut down or dropped. What is queued then stays queued.
#[derive(Debug)]
pub struct Worker {
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    task: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// What became of what was read, since it was last asked for.
    report: Mutex<CaptureReport>,
    /// Held while something is read and not yet reported.
    reading: tokio::sync::Mutex<()>,
    wake: Notify,
}

impl Worker {
    pub(crate) fn start(engine: Arc<Engine>, scope: Option<Scope>) -> Self {
        let shared = Arc::new(Shared::default());
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(work(engine, scope, shared.clone(), stopped));
        Self { shared, stop, task: Some(task) }
    }

    /// Looks at once whether something is due.
    pub fn wake(&self) {
        self.shared.wake.notify_one();
    }

    /// What became of what was read, since this was last asked. Waits for what is under way.
    pub async fn take_report(&self) -> CaptureReport {
        let _nothing_is_read = self.shared.reading.lock().await;
        self.reported()
    }

    fn reported(&self) -> CaptureReport {
        std::mem::take(&mut *self.shared.report.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends the worker: what is under way is finished, at the longest within `patience`; what is queued stays queued for
    /// the next start. Answers what became of what was read, since it was last asked.
    ///
    /// What is not finished in time is broken off; it was acknowledged and is read again when its lease ends.
    pub async fn shutdown(mut self, patience: Duration) -> CaptureReport {
        self.stop.send_replace(true);
        if let Some(mut task) = self.task.take()
            && timeout(patience, &mut task).await.is_err()
        {
            task.abort();
        }
        self.reported()
    }
}

impl Drop for Worker {
    /// Nothing new is begun; what is under way is finished behind.
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

async fn work(engine: Arc<Engine>, scope: Option<Scope>, shared: Arc<Shared>, mut stopped: watch::Receiver<bool>) {
    let mut asked_embedder: Option<Instant> = None;
    while !*stopped.borrow() {
        let reading = shared.reading.lock().await;
        let done = queue::run_while(&engine, scope.as_ref(), &|| !*stopped.borrow()).await;
        let note = |report: CaptureReport| {
            shared.report.lock().unwrap_or_else(PoisonError::into_inner).absorb(report);
        };
        note(
            done.unwrap_or_else(|error| CaptureReport { errors: vec![error.to_string()], ..CaptureReport::default() }),
        );
        if asked_embedder.is_none_or(|at| at.elapsed() >= LONGEST_SLEEP) {
            asked_embedder = Some(Instant::now());
            // It is asked again in a minute.
            if let Err(error) = embed::catch_up(&engine).await {
                note(CaptureReport { errors: vec![error.to_string()], ..CaptureReport::default() });
            }
        }
        drop(reading);
        // A store that does not answer now is asked again later.
        let pause = until_due(&engine, scope.as_ref()).await.unwrap_or(LONGEST_SLEEP);
        tokio::select! {
            () = shared.wake.notified() => {}
            () = sleep(pause) => {}
            _ = stopped.wait_for(|stop| *stop) => {}
        }
    }
}

/// How long nothing is due.
async fn until_due(engine: &Engine, scope: Option<&Scope>) -> Result<Duration> {
    let now = engine.now();
    let next: Option<Timestamp> = engine.store.queue(scope).await?.next_due;
    let rest = engine.breaker().open_at(now).map(|(until, _)| until);
    let wait = next.map(|due| (due.max(rest.unwrap_or(due)) - now).to_std().unwrap_or_default());
    Ok(wait.unwrap_or(LONGEST_SLEEP).clamp(SHORTEST_SLEEP, LONGEST_SLEEP))
}
