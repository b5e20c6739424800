//! Two conversations, weeks apart, in Chinese and English; in between, a fact changes.
//!
//! `cargo run --example quickstart` needs no network, no key and no download. With `--features candle` and
//! `MEMCORE_MODEL_DIR` pointing at a folder that holds `minilm/`, the same agent embeds with all-MiniLM-L6-v2.
#![expect(clippy::print_stdout, reason = "examples talk to people")]

use memcore::{Memory, MemoryId, Message, RecallRequest, Result, Scope, ScopedMemory, Turn, core::chrono::DateTime};
use memcore_examples::{print_capture, print_context};

/// What was said: when, by the user, and what the model answered.
type Conversation = [(&'static str, &'static str, &'static str)];

const APRIL: &Conversation = &[
    (
        "2026-04-02T09:00:00Z",
        "Hi! I'm Lena, I live in Lisbon and I work as a backend engineer at Harbour Freight Systems.",
        "Nice to meet you, Lena!",
    ),
    (
        "2026-04-02T09:03:00Z",
        "We decided to write the import tool in Rust; its staging server listens on port 7070. What do you think?",
        "A good choice for a parser.",
    ),
    (
        "2026-04-02T09:05:00Z",
        "From now on, please keep your answers short. And I'm allergic to shellfish, in case food comes up.",
        "Short it is.",
    ),
    ("2026-04-02T09:08:00Z", "记住：发布说明要先写中文，再写英文。我平时喜欢喝乌龙茶。", "好的，已记下。"),
];

const MAY: &Conversation = &[
    ("2026-05-20T08:30:00Z", "Good morning! I moved to Porto last week.", "Congratulations!"),
    ("2026-05-20T08:32:00Z", "我们的 staging 端口现在改成 9090 了。", "明白。"),
];

const QUESTIONS: [&str; 5] = [
    "Which city do I live in now?",
    "What should the caterer leave out of my lunch?",
    "发布说明用什么语言写？",
    "staging 的端口是多少？",
    "What is the tallest mountain on Mars?",
];

#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let memory = open(&folder.path().join("agent.db")).await?;
    let lena = memory.scope(Scope::user("lena")?);

    println!("First conversation, in April. What was captured:");
    talk(&lena, "april", APRIL).await?;
    println!("\nSecond conversation, in May. What was captured:");
    talk(&lena, "may", MAY).await?;

    println!("\nThird conversation. What comes up before the model is called:\n");
    let mut today = lena.session("today")?;
    for question in QUESTIONS {
        println!("  > {question}");
        print_context(&today.context(question).await?);
    }

    println!("What became of the old address:");
    let everything = RecallRequest::new("where do I live").with_include(vec![memcore::Status::Superseded]);
    for hit in lena.recall(&everything.without_touch()).await?.hits.iter().take(2) {
        print_history(&lena, hit.record.id).await?;
    }
    Ok(())
}

async fn talk(
    user: &ScopedMemory,
    session: &str,
    conversation: &Conversation,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut session = user.session(session)?;
    for (at, question, answer) in conversation {
        let at = DateTime::parse_from_rfc3339(at)?.to_utc();
        let turn = Turn::of(vec![Message::user(*question).with_at(at), Message::assistant(*answer).with_at(at)]);
        session.observe(turn).await?;
    }
    print_capture(&session.finish().await?);
    Ok(())
}

async fn print_history(user: &ScopedMemory, id: MemoryId) -> Result<()> {
    let record = user.show(id).await?;
    let until = record.valid_until.map_or_else(|| "now".to_owned(), |until| until.date_naive().to_string());
    println!("    {} ({}, {} to {until})", record.content, record.status, record.valid_from.date_naive());
    Ok(())
}

#[cfg(not(feature = "candle"))]
async fn open(path: &std::path::Path) -> Result<Memory> {
    Memory::open(path).await
}

#[cfg(feature = "candle")]
async fn open(path: &std::path::Path) -> Result<Memory> {
    use memcore::{
        candle::{MiniLm, ModelSource},
        sqlite::SqliteStore,
    };
    let models = std::env::var_os("MEMCORE_MODEL_DIR").map(Into::into);
    let embedder = MiniLm::load(ModelSource::from_model_dir(models))?;
    println!("Embedding with {}.\n", memcore::Embedder::identity(&embedder).model);
    Memory::builder(SqliteStore::open(path).await?, embedder).build().await
}
