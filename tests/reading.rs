//! Readings that are long: what is too much for one, and what takes longer than a lease.

#![allow(clippy::unwrap_used, reason = "everything here runs in tests")]

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use memcore::{
    Extractor, Memory, Message, Outcome, Scope, ScopedMemory, Settings, Turn,
    core::{
        ChatReply, ChatRequest, Extraction, ExtractionRequest, ListRequest, ManualClock, ModelUsage, ReadingPosition,
        Timestamp, chrono,
    },
    sqlite::SqliteStore,
};
use memcore_llm::{FnChatModel, LlmExtractor};
use memcore_tests::{Reader, World};
use serde_json::{Value, json};

type Done = Result<(), Box<dyn std::error::Error>>;

/// Filler, and what a statement begins with, in one language.
struct Words {
    filler: &'static str,
    statement: &'static str,
    end: &'static str,
}

const LANGUAGES: [Words; 2] = [
    Words { filler: "Nothing happened on that day either. ", statement: "I prefer tea number ", end: ". " },
    Words { filler: "那一天也没有发生什么事情。", statement: "我喜欢喝茶叶品种", end: "。" },
];

/// A message of about `bytes` with a statement at each of 12 places.
fn long_message(words: &Words, bytes: usize) -> String {
    let filler = words.filler.repeat(bytes / 12 / words.filler.len());
    (100..112).map(|n| format!("{filler}{}{n}{}", words.statement, words.end)).collect()
}

/// The text of everything that a request shows.
fn shown(request: &ChatRequest) -> String {
    request.messages.iter().map(Message::text).collect()
}

/// A model that finds each statement that it is shown, and counts how often it is asked.
fn finder(statement: &'static str, calls: Arc<Mutex<u64>>) -> Arc<FnChatModel> {
    Arc::new(FnChatModel::new("finder", move |request| {
        *calls.lock().unwrap() += 1;
        let shown = shown(&request);
        let found: Vec<Value> = shown
            .match_indices(statement)
            .filter_map(|(at, _)| shown.get(at..at + statement.len() + 3))
            .map(|quote| json!({"content": quote, "kind": "preference", "importance": 6, "confidence": 0.9, "quote": quote}))
            .collect();
        async move {
            let mut reply = ChatReply::new(json!({ "memories": found }).to_string());
            reply.usage = ModelUsage::of_call(1_000, 10);
            Ok(reply)
        }
    }))
}

async fn contents(user: &ScopedMemory) -> memcore::Result<Vec<String>> {
    let page = user.list(&ListRequest::new(user.filter()).with_limit(100_000)).await?;
    let mut contents: Vec<String> = page.records.into_iter().map(|record| record.content).collect();
    contents.sort();
    Ok(contents)
}

fn by_hand() -> Settings {
    let mut settings = Settings::default();
    settings.capture.in_background = false;
    settings
}

#[tokio::test]
async fn a_message_of_ten_megabytes_is_read_part_by_part_within_the_days_budget() -> Done {
    for words in LANGUAGES {
        let calls = Arc::new(Mutex::new(0));
        let extractor =
            LlmExtractor::new(finder(words.statement, calls.clone())).with_window_tokens(200_000).with_max_windows(3);
        let clock = ManualClock::new("2026-03-02T09:00:00Z".parse::<Timestamp>()?);
        let mut settings = by_hand();
        settings.capture.daily.user_calls = Some(9);
        let configure =
            |builder: memcore::MemoryBuilder| builder.extractor(extractor).clock(clock.clone()).settings(settings);
        let world = World::with(configure).await?;
        let ada = world.user("ada")?;
        let mut session = ada.session("long")?;
        session.observe(Turn::of(vec![Message::user(long_message(&words, 10_000_000))])).await?;
        session.observe(Turn::of(vec![Message::user(format!("{}999{}", words.statement, words.end))])).await?;
        let report = session.finish().await?;
        assert_eq!((*calls.lock().unwrap(), report.postponed > 0, report.failed), (9, true, 0), "the day's budget");
        let read = contents(&ada).await?;
        assert!((3..12).contains(&read.len()), "what was read is kept: {read:?}");
        let mut days = 1;
        while world.memory.flush().await?.pending > 0 {
            clock.advance(chrono::Duration::days(1));
            days += 1;
            assert!(days < 20, "it ends");
        }
        let expected: Vec<String> = (100..112).chain([999]).map(|n| format!("{}{n}", words.statement)).collect();
        assert_eq!(contents(&ada).await?, expected, "every part was read, and the turn behind it");
        assert!(*calls.lock().unwrap() > 9);
        let page = ada.list(&ListRequest::new(ada.filter())).await?;
        assert!(page.records.iter().all(|record| record.evidence_count == 1), "nothing was read twice");
    }
    Ok(())
}

#[tokio::test]
async fn a_part_that_cannot_be_read_takes_the_rest_of_the_message_not_along() -> Done {
    let words = &LANGUAGES[0];
    let found = finder(words.statement, Arc::default());
    let model = FnChatModel::new("half blind", move |request| {
        let (found, is_first) = (found.clone(), shown(&request).contains("number 100"));
        async move {
            if is_first {
                Ok(ChatReply::new("Sorry?"))
            } else {
                memcore::core::ChatModel::complete(&*found, &request).await
            }
        }
    });
    let extractor = LlmExtractor::new(Arc::new(model)).with_window_tokens(2_000).with_max_windows(2);
    let mut settings = by_hand();
    settings.capture.max_attempts = 1;
    let world = World::with(|builder| builder.extractor(extractor).settings(settings)).await?;
    let ada = world.user("ada")?;
    let mut session = ada.session("long")?;
    session.observe(Turn::of(vec![Message::user(long_message(words, 60_000))])).await?;
    let report = session.finish().await?;
    assert_eq!((report.failed, report.pending), (1, 0));
    let expected: Vec<String> = (101..112).map(|n| format!("{}{n}", words.statement)).collect();
    assert_eq!(contents(&ada).await?, expected);
    let dead = ada.queue().await?.dead;
    assert_eq!(dead, 1, "the first part is kept for another try");
    Ok(())
}

/// Leaves everything unread, at a place that the test says.
#[derive(Debug)]
struct Lazy(&'static str);

#[async_trait::async_trait]
impl Extractor for Lazy {
    fn name(&self) -> &str {
        "lazy"
    }

    async fn extract(&self, request: &ExtractionRequest) -> memcore::Result<Extraction> {
        let mut extraction = Extraction::default();
        let message = match self.0 {
            "" => request.messages.first().map(|message| message.id.clone()),
            id => Some(id.parse()?),
        };
        extraction.unread_from = message.map(|message| ReadingPosition { message, offset: 0 });
        Ok(extraction)
    }
}

#[tokio::test]
async fn an_extractor_that_does_not_get_on_fails_and_does_not_go_round_for_ever() -> Done {
    for place in ["", "unknown"] {
        let mut settings = by_hand();
        settings.capture.max_attempts = 1;
        let world = World::with(|builder| builder.extractor(Lazy(place)).settings(settings)).await?;
        let mut session = world.user("ada")?.session("one")?;
        session.observe(Turn::of(vec![Message::user("I live in Turin.")])).await?;
        let report = session.finish().await?;
        assert_eq!((report.failed, report.pending), (1, 0), "{place}: {report:?}");
        assert!(report.errors[0].contains("read nothing"), "{:?}", report.errors);
    }
    Ok(())
}

/// A reader that takes its time.
#[derive(Debug)]
struct Slow(Reader);

#[async_trait::async_trait]
impl Extractor for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn model(&self) -> Option<&str> {
        Some("reader-1")
    }

    async fn extract(&self, request: &ExtractionRequest) -> memcore::Result<Extraction> {
        tokio::time::sleep(Duration::from_secs(4)).await;
        self.0.extract(request).await
    }
}

#[tokio::test]
async fn a_reading_that_takes_longer_than_its_lease_is_left_alone_by_other_processes() -> Done {
    let folder = tempfile::tempdir()?;
    let reader = Reader::default();
    let open = async || -> Result<Memory, Box<dyn std::error::Error>> {
        let mut settings = by_hand();
        settings.capture.lease_seconds = 1;
        let store = SqliteStore::open(folder.path().join("memory.db")).await?;
        let builder = Memory::builder(store, memcore::builtin::StaticEmbedder::load()?);
        Ok(builder.extractor(Slow(reader.clone())).settings(settings).build().await?)
    };
    let (one, other) = (open().await?, open().await?);
    let mut session = one.scope(Scope::user("ada")?).session("talk")?;
    session.observe(Turn::of(vec![Message::user("fact: the ledger is in Turin")])).await?;
    let reading = tokio::spawn(async move { session.finish().await });
    while !reading.is_finished() {
        tokio::time::sleep(Duration::from_millis(200)).await;
        other.flush().await?;
    }
    let report = reading.await??;
    assert_eq!((report.count(Outcome::Added), report.pending, reader.calls().len()), (1, 0, 1));
    Ok(())
}
