//! The thread that owns the model: jobs come through a bounded channel, answers go back through oneshots.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use memcore_core::{EmbedRole, Error, ErrorKind, Result, TextEmbedding};
use tokio::sync::{mpsc, oneshot};

/// Jobs that wait before callers do.
const QUEUED_JOBS: usize = 16;

/// What the thread does with a job: texts, role, and whether the caller is gone.
type Embed = dyn FnMut(&[String], EmbedRole, &dyn Fn() -> bool) -> Vec<Result<TextEmbedding>> + Send;

struct Job {
    texts: Vec<String>,
    role: EmbedRole,
    answer: oneshot::Sender<Vec<Result<TextEmbedding>>>,
}

/// A handle on the thread, which ends when the handle is dropped.
#[derive(Debug)]
pub(crate) struct Worker {
    jobs: mpsc::Sender<Job>,
}

impl Worker {
    /// Starts the thread, which runs `embed` for one job after the other.
    pub(crate) fn spawn(mut embed: Box<Embed>) -> io::Result<Self> {
        let (jobs, mut queue) = mpsc::channel::<Job>(QUEUED_JOBS);
        thread::Builder::new().name("memcore-candle".into()).spawn(move || {
            while let Some(Job { texts, role, answer }) = queue.blocking_recv() {
                // The model is never changed by a job, so a panic leaves nothing half done.
                let run = AssertUnwindSafe(|| embed(&texts, role, &|| answer.is_closed()));
                let results = catch_unwind(run).unwrap_or_else(|_| failed(texts.len(), ErrorKind::Internal, PANICKED));
                // A caller that is gone wants no answer.
                let _ = answer.send(results);
            }
        })?;
        Ok(Self { jobs })
    }

    /// One result per text. Dropping the future cancels the job at its next batch.
    pub(crate) async fn embed(&self, texts: &[String], role: EmbedRole) -> Vec<Result<TextEmbedding>> {
        let (answer, results) = oneshot::channel();
        let job = Job { texts: texts.to_vec(), role, answer };
        if self.jobs.send(job).await.is_err() {
            return failed(texts.len(), ErrorKind::Unavailable, STOPPED);
        }
        results.await.unwrap_or_else(|_| failed(texts.len(), ErrorKind::Unavailable, STOPPED))
    }
}

const PANICKED: &str = "the embedding model panicked";
const STOPPED: &str = "the embedding thread has stopped";

fn failed(texts: usize, kind: ErrorKind, message: &str) -> Vec<Result<TextEmbedding>> {
    (0..texts).map(|_| Err(Error::new(kind, message))).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc as blocking;

    use memcore_core::Embedding;

    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn vector() -> Result<TextEmbedding> {
        Embedding::new(vec![1.0]).map(TextEmbedding::single)
    }

    #[tokio::test]
    async fn a_panic_answers_errors_and_the_next_job_runs() {
        let worker = Worker::spawn(Box::new(|texts, _, _| {
            assert!(texts[0] != "bad", "a defect");
            texts.iter().map(|_| vector()).collect()
        }))
        .unwrap();
        let results = worker.embed(&texts(&["bad", "good"]), EmbedRole::Query).await;
        assert_eq!(results.len(), 2);
        assert!(results.iter().all(|result| result.as_ref().is_err_and(|error| error.kind() == ErrorKind::Internal)));
        assert!(worker.embed(&texts(&["good"]), EmbedRole::Query).await[0].is_ok());
    }

    #[tokio::test]
    async fn dropping_the_future_cancels_the_job() {
        let (started, has_started) = blocking::channel();
        let (ended, has_ended) = blocking::channel();
        let worker = Worker::spawn(Box::new(move |texts, _, is_cancelled| {
            if texts[0] == "endless" {
                started.send(()).unwrap();
                while !is_cancelled() {
                    thread::yield_now();
                }
                ended.send(()).unwrap();
            }
            texts.iter().map(|_| vector()).collect()
        }))
        .unwrap();
        let endless = texts(&["endless"]);
        tokio::select! {
            biased;
            _ = worker.embed(&endless, EmbedRole::Query) => panic!("the job ends only when cancelled"),
            () = async { has_started.recv().unwrap() } => {}
        }
        has_ended.recv().unwrap();
        assert!(worker.embed(&texts(&["next"]), EmbedRole::Query).await[0].is_ok());
    }
}
