//! The extractor that asks a language model.
//!
//! The way of a conversation: `window` cuts it, `render` makes a request of each window, `crate::ask` gets entries back
//! (mended by `crate::reply`), `proposal` reads them, `judge` looks for their words in the user's messages.

mod choice;
mod evidence;
mod folded;
pub(crate) mod foreign;
pub(crate) mod judge;
mod misread;
mod pasted;
mod proposal;
pub(crate) mod render;
mod request;
mod schema;
pub(crate) mod window;

use std::sync::Arc;

use async_trait::async_trait;
use memcore_core::{Candidate, ChatModel, Extraction, ExtractionRequest, Extractor, RejectionReason, Result};

use crate::{
    ask::{Answer, Patience, Question, ask},
    prompt::{Prompts, data},
};
use judge::{Judge, is_same, rejection};
use proposal::Proposal;
use render::Frame;
use window::{Window, windows};

/// Tokens of conversation in one call.
const WINDOW_TOKENS: usize = 6_000;
/// The least that a window can be set to.
const LEAST_WINDOW_TOKENS: usize = 200;
/// Windows of one reading: about 300,000 characters of English, or 70,000 of Chinese.
const MAX_WINDOWS: usize = 16;
/// Statements of one call.
const MAX_ITEMS: usize = 5;
/// Tokens of a reply: five entries, and room for models that think aloud.
const REPLY_TOKENS: u32 = 4_096;

/// What becomes of a statement whose quote is in no message of the user's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ungrounded {
    /// It is turned down.
    #[default]
    Reject,
    /// It is proposed as the model's own conclusion: from the assistant, so trusted as inferred, without a quote, with a
    /// confidence of at most 0.3, tagged `ungrounded`. memcore's own write stage turns it down all the same; this is for
    /// hosts that take candidates themselves.
    Quarantine,
}

/// Finds what is worth keeping with a language model, in Chinese and English.
///
/// Whatever the model replies, a statement is kept only where code finds its quote in a message of the user's, in the
/// user's own words; see `docs/extraction.md`. Long conversations are read in overlapping windows, one after the other,
/// each with one call, or two where the first reply cannot be used.
#[derive(Debug, Clone)]
pub struct LlmExtractor {
    model: Arc<dyn ChatModel>,
    prompts: Prompts,
    window_tokens: usize,
    max_windows: usize,
    max_items: usize,
    reply_tokens: u32,
    temperature: Option<f32>,
    images: bool,
    ungrounded: Ungrounded,
}

impl LlmExtractor {
    /// An extractor that asks `model`, with the built-in prompts.
    #[must_use]
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self {
            model,
            prompts: Prompts::built_in(
                include_str!("../../prompts/extract.zh.md"),
                include_str!("../../prompts/extract.en.md"),
            ),
            window_tokens: WINDOW_TOKENS,
            max_windows: MAX_WINDOWS,
            max_items: MAX_ITEMS,
            reply_tokens: REPLY_TOKENS,
            temperature: Some(0.0),
            images: false,
            ungrounded: Ungrounded::Reject,
        }
    }

    /// Replaces the instructions; the data and the schema stay as they are.
    #[must_use]
    pub fn with_prompts(mut self, prompts: Prompts) -> Self {
        self.prompts = prompts;
        self
    }

    /// Tokens of conversation in one call, by the conservative estimate; 6,000 by default, at least 200.
    #[must_use]
    pub fn with_window_tokens(mut self, tokens: usize) -> Self {
        self.window_tokens = tokens.max(LEAST_WINDOW_TOKENS);
        self
    }

    /// Windows of one reading at the most; 16 by default, at least 1. What is longer is read in several readings, the
    /// results of each kept before the next one begins, and the budget asked each time.
    #[must_use]
    pub fn with_max_windows(mut self, windows: usize) -> Self {
        self.max_windows = windows.max(1);
        self
    }

    /// Statements of one call at the most; 5 by default, 1 to 32.
    #[must_use]
    pub fn with_max_items(mut self, items: usize) -> Self {
        self.max_items = items.clamp(1, 32);
        self
    }

    /// Tokens of a reply at the most; 4,096 by default.
    #[must_use]
    pub fn with_max_tokens(mut self, tokens: u32) -> Self {
        self.reply_tokens = tokens.max(1);
        self
    }

    /// Sampling temperature; 0 by default, none leaves it to the model.
    #[must_use]
    pub fn with_temperature(mut self, temperature: Option<f32>) -> Self {
        self.temperature = temperature;
        self
    }

    /// Shows the images of the user's messages to a model that sees images. Off by default: they are only counted.
    ///
    /// What an image shows is kept as a document's: found when it is asked for, never injected by itself, and it
    /// overturns nothing that the user said.
    #[must_use]
    pub fn with_images(mut self, images: bool) -> Self {
        self.images = images;
        self
    }

    /// What becomes of a statement whose quote is not found.
    #[must_use]
    pub fn with_ungrounded(mut self, ungrounded: Ungrounded) -> Self {
        self.ungrounded = ungrounded;
        self
    }

    /// The version of the prompts in use.
    #[must_use]
    pub fn prompt_version(&self) -> &str {
        self.prompts.version()
    }

    /// The JSON schema that replies are bound to.
    #[must_use]
    pub fn schema() -> serde_json::Value {
        schema::schema()
    }

    async fn read(&self, window: &Window<'_>, frame: &Frame<'_>) -> Answer {
        let mut request = frame.request(window);
        request.temperature = self.temperature;
        let question = Question {
            request,
            language: frame.language,
            key: schema::KEY,
            required: &schema::REQUIRED,
            most: self.max_items,
        };
        ask(&*self.model, &question).await
    }

    /// Takes over what a window gave.
    fn take(&self, answer: Answer, judge: &Judge<'_>, extraction: &mut Extraction) {
        for entry in answer.spoilt {
            let content = Proposal::of(&entry).content;
            let reason = if content.is_empty() { RejectionReason::Invalid } else { RejectionReason::Ungrounded };
            extraction.rejected.push(rejection(&content, reason, None));
        }
        let mut kept: Vec<Candidate> = Vec::new();
        for entry in &answer.entries {
            match judge.judge(Proposal::of(entry)) {
                Ok(candidate) => {
                    if !extraction.candidates.iter().chain(&kept).any(|known| is_same(known, &candidate)) {
                        kept.push(candidate);
                    }
                }
                Err(rejection) => extraction.rejected.push(rejection),
            }
        }
        while kept.len() > self.max_items {
            // Of equals the later one goes.
            let rank = |at: &usize| kept.get(*at).map(|candidate| (candidate.explicit, candidate.importance));
            let Some(least) = (0..kept.len()).rev().min_by_key(rank) else { break };
            let over = kept.remove(least);
            let message = over.quote.as_ref().and_then(|quote| quote.message.as_ref());
            extraction.rejected.push(rejection(&over.content, RejectionReason::OverLimit, message));
        }
        extraction.candidates.extend(kept);
    }
}

#[async_trait]
impl Extractor for LlmExtractor {
    fn name(&self) -> &str {
        "llm"
    }

    fn model(&self) -> Option<&str> {
        Some(self.model.name())
    }

    async fn extract(&self, request: &ExtractionRequest) -> Result<Extraction> {
        let language = data::language_of(&request.messages);
        let frame = Frame {
            system: self.prompts.filled(language, &[("max_items", self.max_items.to_string())]),
            language,
            known: &request.known,
            now: request.now,
            max_tokens: self.reply_tokens,
            with_images: self.images && self.model.sees_images(),
        };
        let windows = windows(&request.context, &request.messages, request.offset, self.window_tokens);
        let mut extraction = Extraction::default();
        let mut patience = Patience::default();
        let says_anything =
            |window: &&Window<'_>| window.has_users_words() || (frame.with_images && window.has_users_images());
        let telling: Vec<&Window<'_>> = windows.iter().filter(says_anything).collect();
        extraction.unread_from = telling.get(self.max_windows).and_then(|window| window.position());
        for window in telling.into_iter().take(self.max_windows) {
            let mut answer = self.read(window, &frame).await;
            extraction.usage.absorb(answer.usage);
            let failure = answer.failure.take();
            let is_over = patience.is_over(failure.as_ref());
            if failure.is_none() || !answer.entries.is_empty() {
                let judge = Judge::new(window, &request.known, self.ungrounded);
                let judge = if frame.with_images { judge.with_images(window) } else { judge };
                self.take(answer, &judge, &mut extraction);
            }
            extraction.failures.extend(failure);
            if is_over {
                break;
            }
        }
        match extraction.failures.first() {
            // Where calls were made, their cost is handed on with the failure.
            Some(_) if extraction.usage.calls == 0 => Err(extraction.failures.swap_remove(0)),
            _ => Ok(extraction),
        }
    }
}

#[cfg(test)]
mod tests;
