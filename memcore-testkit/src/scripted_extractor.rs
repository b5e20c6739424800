//! An extractor that finds what it was told.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use memcore_core::{Candidate, Error, ErrorKind, Extraction, ExtractionRequest, Extractor, Result};

/// Answers each call with the next answer of its script, and with "nothing to remember" behind its end. It keeps the
/// requests. Clones share the script.
#[derive(Debug, Clone, Default)]
pub struct ScriptedExtractor(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    answers: VecDeque<Result<Extraction, ErrorKind>>,
    requests: Vec<ExtractionRequest>,
}

impl ScriptedExtractor {
    /// An extractor that never finds anything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an answer to the script.
    #[must_use]
    pub fn then(self, extraction: Extraction) -> Self {
        self.with(|script| script.answers.push_back(Ok(extraction)));
        self
    }

    /// Adds an answer of these candidates to the script.
    #[must_use]
    pub fn then_find(self, candidates: Vec<Candidate>) -> Self {
        self.then(Extraction { candidates, ..Extraction::default() })
    }

    /// Adds a failure to the script.
    #[must_use]
    pub fn then_fail(self, kind: ErrorKind) -> Self {
        self.with(|script| script.answers.push_back(Err(kind)));
        self
    }

    /// The requests so far, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<ExtractionRequest> {
        self.with(|script| script.requests.clone())
    }

    fn with<T>(&self, act: impl FnOnce(&mut Script) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl Extractor for ScriptedExtractor {
    fn name(&self) -> &str {
        "scripted"
    }

    async fn extract(&self, request: &ExtractionRequest) -> Result<Extraction> {
        let answer = self.with(|script| {
            script.requests.push(request.clone());
            script.answers.pop_front()
        });
        let answer = answer.unwrap_or_else(|| Ok(Extraction::default()));
        answer.map_err(|kind| Error::new(kind, "the extraction fails, as the test wants it"))
    }
}
