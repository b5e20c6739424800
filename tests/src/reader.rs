//! An extractor that stands for a language model: predictable, counted, and out of reach on demand.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use memcore::{
    Error, Extractor, Kind, Result, Role,
    core::{Candidate, Extraction, ExtractionRequest, ModelUsage, Quote},
};

/// Makes an error for a call.
type Trouble = Arc<dyn Fn() -> Error + Send + Sync>;

/// Keeps each user's message that begins with `fact` or `事实`, word for word. Clones share their state.
#[derive(Clone, Default)]
pub struct Reader(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    calls: Vec<Vec<String>>,
    trouble: Option<Trouble>,
}

impl Reader {
    /// Fails every call from now on.
    pub fn fail_with(&self, trouble: impl Fn() -> Error + Send + Sync + 'static) {
        self.state().trouble = Some(Arc::new(trouble));
    }

    /// Answers again.
    pub fn recover(&self) {
        self.state().trouble = None;
    }

    /// What each call was given to read, oldest first, failed ones included.
    #[must_use]
    pub fn calls(&self) -> Vec<Vec<String>> {
        self.state().calls.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("calls", &self.calls().len()).finish()
    }
}

#[async_trait]
impl Extractor for Reader {
    fn name(&self) -> &str {
        "reader"
    }

    fn model(&self) -> Option<&str> {
        Some("reader-1")
    }

    async fn extract(&self, request: &ExtractionRequest) -> Result<Extraction> {
        let said = || request.messages.iter().filter(|message| message.role == Role::User);
        let trouble = {
            let mut state = self.state();
            state.calls.push(said().map(|message| message.text()).collect());
            state.trouble.clone()
        };
        if let Some(trouble) = trouble {
            return Err(trouble());
        }
        let mut extraction = Extraction { usage: ModelUsage::of_call(100, 10), ..Extraction::default() };
        for message in said() {
            let text = message.text();
            if text.starts_with("fact") || text.starts_with("事实") {
                let mut candidate = Candidate::new(text.clone(), Kind::Fact);
                candidate.quote = Some(Quote { message: Some(message.id.clone()), start: 0, end: text.len(), text });
                extraction.candidates.push(candidate);
            }
        }
        Ok(extraction)
    }
}
