//! A server that speaks OpenAI's format and reads conversations by a rule of its own.

use std::sync::{
    Arc,
    atomic::{AtomicU16, AtomicU64, Ordering},
};

use serde_json::{Value, json};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers::method};

use crate::program::Program;

/// Keeps every sentence of the user's that says `locker`, word for word.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lockers {
    replies: Arc<AtomicU64>,
    /// What it answers instead, where it is not 0: a status.
    trouble: Arc<AtomicU16>,
    notice: Option<&'static str>,
}

impl Lockers {
    /// One that answers everything with the same words.
    pub(crate) fn saying(words: &'static str) -> Self {
        Self { notice: Some(words), ..Self::default() }
    }

    /// From now on, every request fails with this status; 0 ends it.
    pub(crate) fn fail_with(&self, status: u16) {
        self.trouble.store(status, Ordering::SeqCst);
    }

    /// Replies so far.
    pub(crate) fn replies(&self) -> u64 {
        self.replies.load(Ordering::SeqCst)
    }

    pub(crate) async fn start(&self) -> MockServer {
        let server = MockServer::start().await;
        Mock::given(method("POST")).respond_with(self.clone()).mount(&server).await;
        server
    }
}

impl Respond for Lockers {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let status = self.trouble.load(Ordering::SeqCst);
        if status != 0 {
            return ResponseTemplate::new(status).set_body_json(json!({"error": {"message": "as the test wants it"}}));
        }
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let text = self.notice.map_or_else(|| memories_in(&body.to_string()), str::to_owned);
        self.replies.fetch_add(1, Ordering::SeqCst);
        ResponseTemplate::new(200).set_body_json(json!({
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 500, "completion_tokens": 40},
        }))
    }
}

/// The reply of a model that finds these sentences.
fn memories_in(body: &str) -> String {
    let mut found: Vec<&str> = Vec::new();
    let mut rest = body;
    while let Some(at) = rest.find("Locker ") {
        rest = &rest[at..];
        let end = rest.find('.').unwrap();
        // The examples of the prompt name no locker; a sentence shown twice is kept once.
        if !found.contains(&&rest[..=end]) {
            found.push(&rest[..=end]);
        }
        rest = &rest[end..];
    }
    let memory = |words: &&str| {
        json!({
            "content": words, "kind": "fact", "importance": 6, "confidence": 0.9, "subject": "team", "slot": null,
            "quote": words, "event_time": null, "operation": "add", "handle": null,
        })
    };
    json!({ "memories": found.iter().map(memory).collect::<Vec<_>>() }).to_string()
}

/// A program whose model is at this address.
pub(crate) fn program(url: &str) -> Program {
    Program::new()
        .with_variable("MEMCORE_EXTRACTOR", "llm")
        .with_variable("MEMCORE_EXTRACT_MODEL", "test-model")
        .with_variable("MEMCORE_EXTRACT_BASE_URL", &format!("{url}/v1"))
        .with_variable("MEMCORE_EXTRACT_API_KEY", KEY)
}

/// A key that no file and no message may hold.
pub(crate) const KEY: &str = "sk-canary-5e1d9a";

/// A transcript of so many conversations; each says what is in one locker.
pub(crate) fn transcript(conversations: u64) -> String {
    let line = |session: u64, role: &str, content: &str| {
        json!({ "session": format!("s{session}"), "role": role, "content": content }).to_string()
    };
    let conversation = |n: u64| {
        [line(n, "user", &format!("By the way. {} Thanks.", locker(n))), line(n, "assistant", "Noted.")].join("\n")
    };
    (0..conversations).map(conversation).collect::<Vec<_>>().join("\n")
}

/// What the user says about a locker.
pub(crate) fn locker(n: u64) -> String {
    const THINGS: [&str; 8] = ["ropes", "tents", "lamps", "maps", "boots", "stoves", "flares", "blankets"];
    format!("Locker {n} holds {n} {}.", THINGS[n as usize % THINGS.len()])
}

/// The contents of all memories, sorted.
pub(crate) fn contents(program: &Program) -> Vec<String> {
    let listed = program.answer(&["list", "--all", "--limit", "100000"]);
    let memories = listed["memories"].as_array().unwrap();
    let mut contents: Vec<String> =
        memories.iter().map(|memory| memory["content"].as_str().unwrap().to_owned()).collect();
    contents.sort();
    contents
}

/// The sentences about the first lockers, sorted.
pub(crate) fn expected(conversations: u64) -> Vec<String> {
    let mut expected: Vec<String> = (0..conversations).map(locker).collect();
    expected.sort();
    expected
}
