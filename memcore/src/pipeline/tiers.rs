//! The three tiers of a conversation within one budget: memories, the rolling summary, the recent whole turns.

use memcore_core::{ContentBlock, Language, Result, Scope, StoredMessage, TokenCounter};
use serde_json::Value;

use super::summarize::{self, WholeTurn};
use crate::{engine::Engine, inject::summary_block, summarize::ExtractiveSummarizer};

/// Tokens that a message takes beside its words: role and separators.
const PER_MESSAGE: usize = 4;
/// Tokens that an image or a document counts for: what the large providers charge for a full-size image.
const PER_MEDIA: usize = 1_600;
/// Share of the model's window that a conversation may take, in percent.
const WINDOW_PERCENT: usize = 50;

/// The conversation's part of a prompt.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    /// The fenced block of what came before the recent turns; empty where nothing did.
    pub(crate) summary: String,
    /// The recent turns, whole, oldest first.
    pub(crate) recent: Vec<StoredMessage>,
    /// What both take, in tokens.
    pub(crate) tokens: usize,
}

/// What a session holds that no prompt has room for by default: its summary, and the turns behind it.
#[derive(Debug, Default)]
pub(crate) struct Told {
    summary: Option<String>,
    turns: Vec<WholeTurn>,
}

impl Told {
    /// What was said so far.
    pub(crate) async fn read(engine: &Engine, scope: &Scope) -> Result<Self> {
        let info = summarize::info(engine, scope).await?;
        let turns = summarize::recent(engine, scope, info.as_ref()).await?;
        Ok(Self { summary: info.and_then(|info| info.summary), turns })
    }

    /// All words of the turns: what stands there word for word need not be injected.
    pub(crate) fn text(&self) -> String {
        let texts: Vec<String> = self.turns.iter().flatten().map(StoredMessage::text).collect();
        texts.join("\n")
    }

    /// As many of the newest turns as fit, whole; the summary of the others before them, made on the spot for those
    /// that no summary covers yet. Together at most `budget` tokens.
    pub(crate) fn fit(
        &self,
        counter: &dyn TokenCounter,
        language: Language,
        summary_tokens: usize,
        budget: usize,
    ) -> Conversation {
        let all: usize = self.turns.iter().map(|turn| tokens_of(turn, counter)).sum();
        let has_older = self.summary.is_some() || all > budget;
        let reserved = if has_older { summary_tokens.min(budget / 4) } else { 0 };
        let (mut first, mut taken) = (self.turns.len(), 0);
        while first > 0 && taken + tokens_of(&self.turns[first - 1], counter) <= budget - reserved {
            first -= 1;
            taken += tokens_of(&self.turns[first], counter);
        }
        let summary = self.condensed(first, counter, language, summary_tokens.min(budget - taken));
        let tokens = taken + counter.count(&summary);
        Conversation { summary, recent: self.turns[first..].concat(), tokens }
    }

    /// The fenced summary of everything before turn number `first`, in at most `budget` tokens with its fence.
    fn condensed(&self, first: usize, counter: &dyn TokenCounter, language: Language, budget: usize) -> String {
        let older = self.turns[..first].concat();
        let mut room = budget;
        while room > 0 {
            let text = match (&self.summary, older.is_empty()) {
                (None, true) => return String::new(),
                (Some(summary), true) if counter.count(summary) <= room => summary.clone(),
                (summary, _) => ExtractiveSummarizer::new().condense(summary.as_deref(), &older, room),
            };
            if text.is_empty() {
                return String::new();
            }
            let block = summary_block(&text, language);
            match counter.count(&block) {
                tokens if tokens <= budget => return block,
                // The fence and the escaping take what is too much.
                tokens => room = room.saturating_sub((tokens - budget).max(8)),
            }
        }
        String::new()
    }
}

/// Tokens for all three tiers: the settings' limit, the caller's, and half of the model's window.
pub(crate) fn total_budget(default: usize, window: Option<usize>, caller: Option<usize>) -> usize {
    let of_window =
        window.map_or(usize::MAX, |window| window / 100 * WINDOW_PERCENT + window % 100 * WINDOW_PERCENT / 100);
    caller.unwrap_or(default).min(of_window)
}

fn tokens_of(turn: &[StoredMessage], counter: &dyn TokenCounter) -> usize {
    let of_block = |block: &ContentBlock| match block {
        ContentBlock::Text(block) => counter.count(&block.text),
        ContentBlock::Other(value) if is_media(value) => PER_MEDIA,
        ContentBlock::Other(value) => counter.count(&value.to_string()),
    };
    turn.iter().map(|message| message.content.iter().map(of_block).sum::<usize>() + PER_MESSAGE).sum()
}

/// Whether a block shows something rather than says it: its bytes are no measure of its tokens.
fn is_media(block: &Value) -> bool {
    matches!(block["type"].as_str(), Some("image" | "image_url" | "input_image" | "document" | "file" | "input_audio"))
}
