//! How well a live model extracts: the conversations of `tests/cases/extraction.jsonl` through the real pipeline.
//!
//! `cargo run --release -p memcore-benches --features llm --bin extraction -- [NAME…]` asks the model that the
//! environment describes (`MEMCORE_EXTRACT_MODEL`, `MEMCORE_CHAT_BASE_URL`, `OPENAI_API_KEY`, …) about all conversations,
//! or about those whose name or category holds one of the words, once each. A fact of the conversation's gold counts as
//! found where an active record holds all its keywords; a new record that holds no fact's keywords is too much.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::{BTreeMap, BTreeSet};

use memcore::{
    Kind, Memory, MemoryRecord, Message, RememberRequest, Role, Scope, Settings, Turn,
    builtin::StaticEmbedder,
    core::{ChatModel, ListRequest, ManualClock, ModelUsage, Timestamp, chrono},
    llm::{LlmExtractor, ModelPurpose, model_from_environment},
    sqlite::SqliteStore,
};
use memcore_benches::Failure;
use serde::Deserialize;

const CASES: &str = include_str!("../tests/cases/extraction.jsonl");

/// What of a case a live model is asked and measured by; its recorded replies are left aside.
#[derive(Debug, Deserialize)]
struct Case {
    name: String,
    language: String,
    category: String,
    at: Timestamp,
    #[serde(default)]
    known: Vec<Known>,
    messages: Vec<Said>,
    #[serde(default)]
    stored: Vec<Stored>,
    gold: Vec<Gold>,
}

/// Of the records that the recorded replies leave, a live model is measured by those that are overturned.
#[derive(Debug, Deserialize)]
struct Stored {
    content_has: Vec<String>,
    status: Option<String>,
}

impl Case {
    /// What makes it the same to a model.
    fn conversation(&self) -> Vec<String> {
        let known = self.known.iter().map(|known| known.content.clone());
        known.chain(self.messages.iter().map(|said| said.text.clone())).collect()
    }

    /// Memories from before that the conversation overturns.
    fn overturned(&self) -> Vec<&str> {
        let is_closed = |content: &str| {
            let closed = self.stored.iter().filter(|stored| stored.status.as_deref() == Some("superseded"));
            closed.into_iter().any(|stored| stored.content_has.iter().all(|words| content.contains(words.as_str())))
        };
        self.known.iter().map(|known| known.content.as_str()).filter(|content| is_closed(content)).collect()
    }
}

#[derive(Debug, Deserialize)]
struct Known {
    content: String,
    kind: Option<String>,
    slot: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Said {
    role: Role,
    text: String,
    at: Option<Timestamp>,
}

/// A fact: all of `content_has`, any of `kind`, each with alternatives parted by a bar.
#[derive(Debug, Deserialize)]
struct Gold {
    content_has: Vec<String>,
    kind: String,
    /// Whether it may be left out: finding it is right, missing it is no miss.
    #[serde(default)]
    optional: bool,
}

impl Gold {
    fn is_in(&self, record: &MemoryRecord) -> bool {
        let content = record.content.to_lowercase();
        self.content_has.iter().all(|any| any.split('|').any(|word| content.contains(&word.to_lowercase())))
    }

    /// The first of its kinds: what it is counted under.
    fn kind(&self) -> &str {
        self.kind.split('|').next().unwrap_or_default()
    }

    fn has_kind(&self, kind: &Kind) -> bool {
        self.kind.split('|').any(|name| name == kind.as_str())
    }
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let model = match model_from_environment(ModelPurpose::Extract) {
        Ok(model) => model,
        Err(error) => {
            println!("no model to measure: {error}");
            println!("{}", error.hint().unwrap_or("set MEMCORE_EXTRACT_MODEL and its endpoint"));
            return Ok(());
        }
    };
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |case: &Case| {
        wanted.is_empty() || wanted.iter().any(|word| case.name.contains(word.as_str()) || case.category == *word)
    };
    let mut figures = Figures::default();
    let mut asked = BTreeSet::new();
    for line in CASES.lines().filter(|line| !line.is_empty()) {
        let case: Case = serde_json::from_str(line)?;
        // Several recorded replies belong to one conversation.
        if is_wanted(&case) && asked.insert(case.conversation()) {
            figures.add(&case, read(&case, model.clone()).await?);
        }
    }
    figures.print(model.name());
    Ok(())
}

/// What a conversation left behind.
struct Read {
    /// The new active records.
    records: Vec<MemoryRecord>,
    /// What is in force of the memories from before.
    in_force: Vec<MemoryRecord>,
    errors: Vec<String>,
    usage: ModelUsage,
}

async fn read(case: &Case, model: std::sync::Arc<dyn ChatModel>) -> Result<Read, Failure> {
    let folder = tempfile::tempdir()?;
    let store = SqliteStore::open(folder.path().join("memory.db")).await?;
    let clock = ManualClock::new(case.at - chrono::Duration::days(400));
    let mut settings = Settings::default();
    settings.capture.in_background = false;
    let builder = Memory::builder(store, StaticEmbedder::load()?).settings(settings).clock(clock.clone());
    let memory = builder.extractor(LlmExtractor::new(model)).build().await?;
    let user = memory.scope(Scope::user("ada")?.session("talk")?);
    let mut before = BTreeSet::new();
    for known in &case.known {
        before.extend(memory.scope(Scope::user("ada")?).remember(request_of(known)?).await?.id);
    }
    clock.set(case.at);
    let mut session = user.session("talk")?;
    for turn in turns(case) {
        if let Some(last) = turn.last().and_then(|message| message.at) {
            clock.set(last);
        }
        session.observe(Turn::of(turn)).await?;
    }
    let report = session.finish().await?;
    let page = user.list(&ListRequest::new(user.filter()).with_limit(1_000)).await?;
    let mut usage = ModelUsage::default();
    user.usage(Timestamp::UNIX_EPOCH).await?.into_iter().for_each(|entry| usage.absorb(entry.usage));
    let (in_force, records) = page.records.into_iter().partition(|record| before.contains(&record.id));
    Ok(Read { records, in_force, errors: report.errors, usage })
}

fn request_of(known: &Known) -> Result<RememberRequest, Failure> {
    let mut request = RememberRequest::new(&known.content);
    if let Some(kind) = &known.kind {
        request = request.with_kind(kind.parse()?);
    }
    if let Some(slot) = &known.slot {
        request = request.with_slot(slot.parse()?);
    }
    Ok(request)
}

/// The messages, cut before each one of the user's.
fn turns(case: &Case) -> Vec<Vec<Message>> {
    let mut turns: Vec<Vec<Message>> = Vec::new();
    for said in &case.messages {
        let message = Message::new(said.role, &said.text).with_at(said.at.unwrap_or(case.at));
        match turns.last_mut() {
            Some(turn) if said.role != Role::User => turn.push(message),
            _ => turns.push(vec![message]),
        }
    }
    turns
}

/// Facts and records of one kind or language.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    facts: usize,
    found: usize,
    records: usize,
    right: usize,
}

#[derive(Debug, Default)]
struct Figures {
    conversations: usize,
    /// Facts whose record has another kind than they.
    of_other_kind: usize,
    by: BTreeMap<String, Count>,
    /// Memories from before that were to be overturned, and those that were.
    overturned: [usize; 2],
    usage: ModelUsage,
    errors: usize,
}

impl Figures {
    fn add(&mut self, case: &Case, read: Read) {
        self.conversations += 1;
        self.errors += usize::from(!read.errors.is_empty());
        self.usage.absorb(read.usage);
        let is_right = |record: &MemoryRecord| case.gold.iter().any(|gold| gold.is_in(record));
        for gold in case.gold.iter().filter(|gold| !gold.optional) {
            let active = read.records.iter().chain(&read.in_force);
            let holders: Vec<&MemoryRecord> = active.filter(|record| gold.is_in(record)).collect();
            let is_found = !holders.is_empty();
            self.of_other_kind += usize::from(is_found && !holders.iter().any(|record| gold.has_kind(&record.kind)));
            self.count(gold.kind(), &case.language, |count| {
                count.facts += 1;
                count.found += usize::from(is_found);
            });
            if !is_found {
                println!("missed   {}: {}", case.name, gold.content_has.join(" + "));
            }
        }
        for record in &read.records {
            self.count(record.kind.as_str(), &case.language, |count| {
                count.records += 1;
                count.right += usize::from(is_right(record));
            });
            if !is_right(record) {
                println!("too much {}: {}", case.name, record.content);
            }
        }
        for content in case.overturned() {
            let is_overturned = !read.in_force.iter().any(|known| known.content == content);
            self.overturned[0] += 1;
            self.overturned[1] += usize::from(is_overturned);
            if !is_overturned {
                println!("in force {}: {content}", case.name);
            }
        }
        read.errors.iter().for_each(|error| println!("failed   {}: {error}", case.name));
    }

    fn count(&mut self, kind: &str, language: &str, change: impl Fn(&mut Count)) {
        for name in [format!("kind {kind}"), format!("language {language}"), "total".to_owned()] {
            change(self.by.entry(name).or_default());
        }
    }

    fn print(&self, model: &str) {
        println!("\n{model}: {} conversations, {} failed", self.conversations, self.errors);
        println!(
            "{:24} {:>5} {:>6} {:>6} {:>7} {:>5} {:>9}",
            "", "facts", "found", "recall", "records", "right", "precision"
        );
        for (name, count) in &self.by {
            let Count { facts, found, records, right } = *count;
            let (recall, precision) = (share(found, facts), share(right, records));
            println!("{name:24} {facts:5} {found:6} {recall:>6} {records:7} {right:5} {precision:>9}");
        }
        println!("found under another kind  {}", self.of_other_kind);
        let [of, overturned] = self.overturned;
        println!("memories overturned       {overturned} of {of}");
        println!(
            "calls {}, input tokens {}, output tokens {}",
            self.usage.calls, self.usage.input_tokens, self.usage.output_tokens
        );
    }
}

/// A share with two decimals, or a dash of nothing.
fn share(part: usize, whole: usize) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.2}", part as f64 / whole as f64) }
}
