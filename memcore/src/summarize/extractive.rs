//! A summary of the conversation's own sentences.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use async_trait::async_trait;
use memcore_core::{EstimatedTokens, Result, Role, StoredMessage, Summarizer, Summary, TokenCounter, text};

/// Weight of a sentence that decides, prefers, forbids or plans, beside its content words.
const CUE_WEIGHT: f32 = 1.0;
/// Weight of a question that is still open at the end.
const OPEN_QUESTION_WEIGHT: f32 = 0.6;
/// Weight of what the user says over what the assistant says.
const USER_WEIGHT: f32 = 0.5;
/// Weight of the last sentence over the first: what is told later matters more now, and a full summary moves on.
const RECENCY_WEIGHT: f32 = 0.5;
/// Sentences of one message that are looked at: the first and the last of a longer one.
const SENTENCES_PER_MESSAGE: usize = 40;
/// Words beyond which a sentence is mostly ballast.
const LONG_SENTENCE: usize = 40;
/// Share of common words from which two sentences say the same.
const SAME: f32 = 0.8;

/// What marks facts, preferences, decisions, constraints and plans.
const CUES: [&str; 46] = [
    // English
    "decide",
    "decided",
    "let's",
    "we will",
    "we'll",
    "i'll",
    "must",
    "never",
    "always",
    "prefer",
    "instead",
    "because",
    "deadline",
    "agreed",
    "plan",
    "need to",
    "should",
    "don't",
    "from now on",
    "my name",
    "i am",
    "i'm",
    "we use", // Chinese
    "决定",
    "定下来",
    "改成",
    "改用",
    "必须",
    "不要",
    "别",
    "以后",
    "一律",
    "喜欢",
    "更想",
    "因为",
    "截止",
    "同意",
    "计划",
    "需要",
    "应该",
    "先",
    "我叫",
    "我是",
    "我们用",
    "打算",
    "约定",
];

/// Chooses the sentences that say most: content words that the conversation returns to, cues of decisions,
/// preferences, constraints and plans, open questions, the user before the assistant. They stay in their order and in
/// their own words, each with its speaker.
#[derive(Debug, Clone)]
pub struct ExtractiveSummarizer {
    counter: Arc<dyn TokenCounter>,
}

impl ExtractiveSummarizer {
    /// Counts tokens by the conservative estimate.
    #[must_use]
    pub fn new() -> Self {
        Self { counter: Arc::new(EstimatedTokens) }
    }

    /// Counts tokens with this counter.
    #[must_use]
    pub fn with_counter(counter: impl TokenCounter) -> Self {
        Self { counter: Arc::new(counter) }
    }

    /// The summary itself; see [`Summarizer::summarize`].
    pub(crate) fn condense(&self, previous: Option<&str>, messages: &[StoredMessage], max_tokens: usize) -> String {
        let mut sentences: Vec<Sentence> =
            previous.unwrap_or_default().lines().filter_map(Sentence::of_summary).collect();
        sentences.extend(messages.iter().flat_map(sentences_of));
        if let Some(last) = messages.iter().rposition(|message| message.role == Role::User)
            && last + 1 == messages.len()
        {
            // The last word is the user's: what it asks is still open.
            let from = sentences.len() - sentences_of(&messages[last]).len();
            sentences[from..].iter_mut().for_each(|sentence| sentence.is_open = sentence.is_question);
        }
        let chosen = self.choose(&sentences, max_tokens);
        chosen.into_iter().map(|at| sentences[at].line.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The best sentences that fit together, by their place.
    fn choose(&self, sentences: &[Sentence], max_tokens: usize) -> Vec<usize> {
        let frequencies = frequencies(sentences);
        let recency = |at: usize| RECENCY_WEIGHT * (at + 1) as f32 / sentences.len() as f32;
        let weight = |at: usize| match sentences[at].weight(&frequencies) {
            0.0 => 0.0,
            weight => weight + recency(at),
        };
        let mut order: Vec<(f32, usize)> = (0..sentences.len()).map(|at| (weight(at), at)).collect();
        // Of equals the later one: it overturns the earlier.
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let (mut chosen, mut left): (Vec<usize>, usize) = (Vec::new(), max_tokens);
        for (weight, at) in order {
            let tokens = self.counter.count(&sentences[at].line) + 1;
            let is_said = chosen.iter().any(|other| sentences[at].is_like(&sentences[*other]));
            if weight > 0.0 && tokens <= left && !is_said {
                left -= tokens;
                chosen.push(at);
            }
        }
        chosen.sort_unstable();
        chosen
    }
}

impl Default for ExtractiveSummarizer {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Summarizer for ExtractiveSummarizer {
    fn name(&self) -> &str {
        "extractive"
    }

    async fn summarize(
        &self,
        previous: Option<&str>,
        messages: &[StoredMessage],
        max_tokens: usize,
    ) -> Result<Summary> {
        Ok(Summary::new(self.condense(previous, messages, max_tokens)))
    }
}

/// A sentence and who said it.
#[derive(Debug)]
struct Sentence {
    /// `role: words`.
    line: String,
    terms: HashSet<String>,
    words: usize,
    has_cue: bool,
    is_question: bool,
    is_open: bool,
    is_users: bool,
}

impl Sentence {
    fn new(role: &str, words: &str) -> Option<Self> {
        let terms: HashSet<String> = text::query_terms(words).into_iter().map(|term| term.text).collect();
        let folded = words.to_lowercase();
        let is_question = words.trim_end().ends_with(['?', '？']);
        (!terms.is_empty()).then(|| Self {
            line: format!("{role}: {}", words.split_whitespace().collect::<Vec<_>>().join(" ")),
            words: text::input_length(words),
            has_cue: !is_question && CUES.iter().any(|cue| folded.contains(cue)),
            is_question,
            is_open: false,
            is_users: role == Role::User.as_str(),
            terms,
        })
    }

    fn of_summary(line: &str) -> Option<Self> {
        let (role, words) = line.split_once(": ").unwrap_or(("note", line));
        Self::new(role, words)
    }

    /// How much it says: the mean frequency of its terms (more for what the conversation returns to), and its marks.
    fn weight(&self, frequencies: &HashMap<&str, f32>) -> f32 {
        let told: f32 = self.terms.iter().filter_map(|term| frequencies.get(term.as_str())).sum();
        let told = told / (self.terms.len() as f32).sqrt().max(1.0);
        let ballast = (self.words as f32 / LONG_SENTENCE as f32).max(1.0);
        if self.is_question && !self.is_open {
            return 0.0;
        }
        told / ballast
            + if self.has_cue { CUE_WEIGHT } else { 0.0 }
            + if self.is_open { OPEN_QUESTION_WEIGHT } else { 0.0 }
            + if self.is_users { USER_WEIGHT } else { 0.0 }
    }

    fn is_like(&self, other: &Self) -> bool {
        let common = self.terms.intersection(&other.terms).count() as f32;
        common / self.terms.len().min(other.terms.len()).max(1) as f32 >= SAME
    }
}

/// The sentences of a message; of a long one, those at both ends.
fn sentences_of(message: &StoredMessage) -> Vec<Sentence> {
    if !matches!(message.role, Role::User | Role::Assistant) {
        return Vec::new();
    }
    let said = message.text();
    let spans = text::sentences(&said);
    let half = SENTENCES_PER_MESSAGE / 2;
    let is_at_an_end = |at: usize| at < half || at + half >= spans.len();
    let kept = spans.iter().enumerate().filter(|(at, _)| is_at_an_end(*at));
    kept.filter_map(|(_, span)| Sentence::new(message.role.as_str(), span.of(&said))).collect()
}

/// How many sentences hold each term, by the most frequent one's number.
fn frequencies(sentences: &[Sentence]) -> HashMap<&str, f32> {
    let mut counts: HashMap<&str, f32> = HashMap::new();
    for term in sentences.iter().flat_map(|sentence| &sentence.terms) {
        *counts.entry(term).or_default() += 1.0;
    }
    let most = counts.values().copied().fold(1.0, f32::max);
    counts.values_mut().for_each(|count| *count /= most);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use memcore_core::{ContentBlock, MessageId, Scope, Timestamp};

    fn said(role: Role, words: &str) -> StoredMessage {
        StoredMessage {
            id: MessageId::new("m").unwrap(),
            scope: Scope::user("u").unwrap().session("s").unwrap(),
            role,
            content: vec![ContentBlock::text(words)],
            at: Timestamp::UNIX_EPOCH,
        }
    }

    fn talk() -> Vec<StoredMessage> {
        vec![
            said(Role::User, "Hi there! We decided to ship the exporter on 14 June."),
            said(Role::Assistant, "Great. Is there anything else? I can draft the announcement for the exporter."),
            said(Role::User, "以后日志一律用英文写。今天天气不错。"),
            said(Role::Assistant, "好的，记下了。"),
            said(Role::Tool, "we decided to delete everything"),
            said(Role::User, "Which port does the exporter use?"),
        ]
    }

    #[test]
    fn decisions_constraints_and_open_questions_stay_in_their_order_and_words() {
        let summary = ExtractiveSummarizer::new().condense(None, &talk(), 60);
        let lines: Vec<&str> = summary.lines().collect();
        for kept in [
            "user: We decided to ship the exporter on 14 June.",
            "user: 以后日志一律用英文写。",
            "user: Which port does the exporter use?",
        ] {
            assert!(lines.contains(&kept), "{kept} is not in {lines:?}");
        }
        assert!(!summary.contains("delete everything"), "a tool's words are no part of the talk");
        assert!(!summary.contains("anything else"), "an answered question is not open");
    }

    #[test]
    fn it_never_exceeds_its_tokens_whatever_they_are() {
        let summarizer = ExtractiveSummarizer::new();
        for limit in [0, 1, 5, 12, 20, 33, 60, 400] {
            let summary = summarizer.condense(Some("user: 我叫小林。\nuser: I prefer tabs."), &talk(), limit);
            assert!(EstimatedTokens.count(&summary) <= limit, "{limit}: {summary}");
        }
    }

    #[test]
    fn a_summary_is_merged_and_not_told_twice() {
        let summarizer = ExtractiveSummarizer::new();
        let first = summarizer.condense(None, &talk(), 60);
        let again = summarizer.condense(Some(&first), &talk()[..1], 60);
        assert_eq!(again.matches("14 June").count(), 1, "{again}");
        assert!(again.contains("以后日志一律用英文写"), "{again}");
    }
}
