//! The same agent on other parts: RAM or SQLite, built-in embeddings, a Candle model, or none.
//!
//! `cargo run --example swap_backends`; with `--features candle` and `MEMCORE_MODEL_DIR` also on MiniLM and e5.
#![expect(clippy::print_stdout, reason = "examples talk to people")]

use memcore::{Memory, RamStore, Result, Scope, Turn, builtin::StaticEmbedder, sqlite::SqliteStore};

#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let ram = Memory::builder(RamStore::new(), StaticEmbedder::load()?).build().await?;
    show("RAM, built-in embeddings", &ram).await?;

    let file = SqliteStore::open(folder.path().join("builtin.db")).await?;
    show("SQLite, built-in embeddings", &Memory::builder(file, StaticEmbedder::load()?).build().await?).await?;

    let file = SqliteStore::open(folder.path().join("words.db")).await?;
    show("SQLite, words alone", &Memory::builder_without_embedder(file).build().await?).await?;

    #[cfg(feature = "candle")]
    candle(folder.path()).await?;
    Ok(())
}

/// The agent: it knows nothing of what the memory is made of.
async fn show(parts: &str, memory: &Memory) -> Result<()> {
    let noor = memory.scope(Scope::user("noor")?.project("atlas")?);
    let mut session = noor.session("monday")?;
    session.observe(Turn::new("We decided to use PostgreSQL for the atlas project.", "Good.")).await?;
    session.observe(Turn::new("我对青霉素过敏。", "记住了。")).await?;
    session.finish().await?;

    println!("{parts}");
    for question in ["which database does atlas use?", "我对什么药过敏？"] {
        let context = noor.session("tuesday")?.context(question).await?;
        let best = context.recall.hits.first().map_or("nothing", |hit| &hit.record.content);
        println!("    {question} -> {best}");
    }
    Ok(())
}

#[cfg(feature = "candle")]
async fn candle(folder: &std::path::Path) -> Result<()> {
    use memcore::candle::{E5Small, MiniLm, ModelSource};

    let models = ModelSource::from_model_dir(std::env::var_os("MEMCORE_MODEL_DIR").map(Into::into));
    let file = SqliteStore::open(folder.join("minilm.db")).await?;
    show("SQLite, all-MiniLM-L6-v2", &Memory::builder(file, MiniLm::load(models.clone())?).build().await?).await?;
    let file = SqliteStore::open(folder.join("e5.db")).await?;
    show("SQLite, multilingual-e5-small", &Memory::builder(file, E5Small::load(models)?).build().await?).await
}
