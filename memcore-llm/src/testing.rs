//! A scripted model and made-up conversations, for the tests of this crate.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use memcore_core::{
    ChatReply, ChatRequest, Error, ErrorKind, ExtractionRequest, MemoryRecord, ModelUsage, Result, Role, StoredMessage,
};
use memcore_testkit::sample::{at, message, record, session_scope, user_scope};

use crate::FnChatModel;

/// A model that gives prepared answers, one a call, and remembers what it was asked. Behind the last it is out of reach.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    answers: Arc<Mutex<VecDeque<Result<ChatReply>>>>,
    asked: Arc<Mutex<Vec<ChatRequest>>>,
}

impl Script {
    pub(crate) fn of<'a>(replies: impl IntoIterator<Item = &'a str>) -> Self {
        let script = Self::default();
        for reply in replies {
            script.then(Ok(ChatReply::new(reply).with_usage(ModelUsage::of_call(10, 5))));
        }
        script
    }

    pub(crate) fn then(&self, answer: Result<ChatReply>) {
        self.answers.lock().unwrap().push_back(answer);
    }

    pub(crate) fn model(&self) -> Arc<FnChatModel> {
        let script = self.clone();
        Arc::new(FnChatModel::new("scripted", move |request| {
            script.asked.lock().unwrap().push(request);
            let answer = script.answers.lock().unwrap().pop_front();
            let answer = answer.unwrap_or_else(|| Err(Error::new(ErrorKind::Unavailable, "the script has ended")));
            async move { answer }
        }))
    }

    pub(crate) fn asked(&self) -> Vec<ChatRequest> {
        self.asked.lock().unwrap().clone()
    }
}

/// One message a minute: the user's, but for lines such as `assistant> Hello`.
pub(crate) fn conversation(lines: &[&str]) -> Vec<StoredMessage> {
    let scope = session_scope("lin", "s");
    let stored = |(n, line): (usize, &&str)| {
        let other = line.split_once("> ").and_then(|(role, words)| match role {
            "assistant" => Some((Role::Assistant, words)),
            "tool" => Some((Role::Tool, words)),
            "system" => Some((Role::System, words)),
            _ => None,
        });
        let (role, words) = other.unwrap_or((Role::User, line));
        let stored = message(&scope, &format!("m{n}"), words);
        StoredMessage { role, at: at(n as i64), ..stored }
    };
    lines.iter().enumerate().map(stored).collect()
}

/// The user's memories, numbered as a model sees them.
pub(crate) fn memories(contents: &[&str]) -> Vec<MemoryRecord> {
    let memory = |(n, content): (usize, &&str)| record(n as u64 + 1, &user_scope("lin"), content);
    contents.iter().enumerate().map(memory).collect()
}

/// A conversation to read, in its hundredth minute.
pub(crate) fn request(lines: &[&str]) -> ExtractionRequest {
    ExtractionRequest::new(session_scope("lin", "s"), conversation(lines), at(100))
}
