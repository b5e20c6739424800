//! A chat agent with a memory, on any endpoint that speaks OpenAI's or Anthropic's format.
//!
//! ```sh
//! export MEMCORE_CHAT_BASE_URL=http://127.0.0.1:11434/v1 MEMCORE_CHAT_MODEL=qwen3:8b   # a local server
//! cargo run --example agent_loop --features llm
//! ```
//!
//! Tell it something about yourself, type `/new`, and ask: the new conversation knows. `/memory` lists what is kept, an
//! empty line does nothing, the end of the input ends the program. The memory lives in the file `AGENT_MEMORY` names,
//! `agent-memory.db` by default. With `MEMCORE_EXTRACT_MODEL`, a smaller model reads the conversations.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this program talks to a person")]

use std::{
    error::Error,
    io::{BufRead, Write, stdin, stdout},
};

use futures::StreamExt;
use memcore::{
    CaptureReport, Memory, Scope, ScopedMemory, Session, Turn,
    builtin::StaticEmbedder,
    core::{ChatEvent, ChatModel, ChatRequest, ListRequest},
    llm::{LlmExtractor, LlmSummarizer, ModelPurpose, model_from_environment},
    sqlite::SqliteStore,
};

const INSTRUCTIONS: &str = "You are a helpful assistant. Answer in the user's language, in a few sentences.";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let chat_model = model_from_environment(ModelPurpose::Chat)?;
    let reading_model = model_from_environment(ModelPurpose::Extract)?;
    let file = std::env::var("AGENT_MEMORY").unwrap_or_else(|_| "agent-memory.db".into());
    let memory = Memory::builder(SqliteStore::open(&file).await?, StaticEmbedder::load()?)
        .extractor(LlmExtractor::new(reading_model.clone()))
        .summarizer(LlmSummarizer::new(reading_model))
        .build()
        .await?;
    let user = memory.scope(Scope::user("me")?);

    let mut conversation = 1;
    let mut session = new_session(&user, &mut conversation).await?;
    for line in stdin().lock().lines() {
        match line?.trim() {
            "" => {}
            "/memory" => list(&user).await?,
            "/new" => {
                report(&session.finish().await?);
                session = new_session(&user, &mut conversation).await?;
            }
            words => {
                if let Err(error) = answer(&*chat_model, &mut session, words).await {
                    // Nothing of a turn without an answer is kept: the user sees it, and says it again.
                    eprintln!("! {error}");
                }
            }
        }
    }
    report(&session.finish().await?);
    Ok(())
}

/// One turn: recall, inject, answer, observe.
async fn answer(model: &dyn ChatModel, session: &mut Session, words: &str) -> Result<(), Box<dyn Error>> {
    let context = session.context(words).await?;
    let mut messages = context.messages();
    messages.push(context.user_message(words));
    let request = ChatRequest::new(context.system_prompt(INSTRUCTIONS), messages);

    let mut stream = model.stream(&request).await?;
    let mut reply = None;
    while let Some(event) = stream.next().await {
        match event? {
            ChatEvent::Text(text) => print!("{text}"),
            ChatEvent::End(whole) => reply = Some(whole.text),
            _ => {}
        }
        stdout().flush()?;
    }
    println!();
    session.observe(Turn::new(words, reply.ok_or("the reply was cut short")?)).await?;
    Ok(())
}

/// The next conversation that has not begun yet.
async fn new_session(user: &ScopedMemory, number: &mut u32) -> memcore::Result<Session> {
    loop {
        let session = user.session(format!("conversation-{number}"))?;
        if session.info().await?.is_none() {
            println!("— conversation {number} —");
            return Ok(session);
        }
        *number += 1;
    }
}

async fn list(user: &ScopedMemory) -> memcore::Result<()> {
    for record in user.list(&ListRequest::new(user.filter())).await?.records {
        println!("  [{}] {}", record.kind, record.content);
    }
    Ok(())
}

/// What became of what was said: new memories, and every failure.
fn report(report: &CaptureReport) {
    for outcome in &report.outcomes {
        println!("  {:?}: {}", outcome.outcome, outcome.content);
    }
    for error in &report.errors {
        eprintln!("! not read yet: {error}");
    }
}
