//! The regression set of conversations for extraction with a language model (`cases/extraction.jsonl`, see
//! `cases/README.md`): recorded replies, good and bad, through the real pipeline.

#![allow(clippy::unwrap_used, clippy::panic, reason = "everything here runs in tests")]

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt::Write,
    sync::{Arc, Mutex},
};

use memcore::{
    CaptureReport, Error, ErrorKind, Kind, Level, MemoryRecord, Message, RememberRequest, Role, Scope, ScopedMemory,
    Settings, Status, Turn,
    core::{ChatReply, ChatRequest, ListRequest, ManualClock, MessageId, ModelUsage, Quote, Timestamp, chrono},
};
use memcore_llm::{FnChatModel, LlmExtractor};
use memcore_tests::World;
use serde::Deserialize;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

const CASES: &str = include_str!("cases/extraction.jsonl");

/// What the set must cover, each in both languages.
const CATEGORIES: [&str; 21] = [
    "changed_preference",
    "contradiction",
    "reference",
    "spread_over_turns",
    "hypothetical",
    "rhetorical_question",
    "irony",
    "third_party",
    "quotation",
    "tool_text",
    "pasted_text",
    "assistant_suggestion",
    "small_talk",
    "session_only",
    "asked_to_remember",
    "injected_memory",
    "prompt_injection",
    "retraction",
    "relative_date",
    "misread",
    "broken_reply",
];
/// Different conversations; several recorded replies may belong to one.
const FEWEST: usize = 200;
/// Facts that a good model finds, in each language.
const FEWEST_FACTS: usize = 60;
const SMALLEST_SHARE: f64 = 0.4;

/// A conversation, the replies that a model gives about it, and what must come of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    language: String,
    category: String,
    /// When it begins: RFC 3339.
    at: Timestamp,
    #[serde(default)]
    known: Vec<Known>,
    messages: Vec<Said>,
    replies: Vec<String>,
    #[serde(default)]
    stored: Vec<Expected>,
    #[serde(default)]
    not_stored: Vec<String>,
    #[serde(default)]
    rejected: Vec<String>,
    #[serde(default)]
    failed: bool,
    gold: Vec<Gold>,
}

/// A memory from before.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    content: String,
    kind: Option<String>,
    slot: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    role: Role,
    text: String,
    /// The case's own time where it is left out.
    at: Option<Timestamp>,
}

/// A record that must be there.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    content_has: Vec<String>,
    kind: Option<String>,
    slot: Option<String>,
    level: Option<Level>,
    /// `active` where it is left out.
    status: Option<String>,
    /// The words that it rests on.
    quote: Option<String>,
    /// The first moment at which it holds no more.
    valid_until: Option<Timestamp>,
    evidence: Option<u32>,
}

/// What a good model finds; read by the benchmark.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Gold {
    content_has: Vec<String>,
    kind: String,
    /// Whether it may be left out as well.
    #[serde(default)]
    optional: bool,
}

fn cases() -> Vec<Case> {
    let lines = CASES.lines().filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line:.120}"))).collect()
}

/// A model that gives its replies one after the other, and then none.
#[derive(Debug, Clone)]
struct Player {
    left: Arc<Mutex<VecDeque<String>>>,
}

impl Player {
    fn new(replies: &[String]) -> Self {
        Self { left: Arc::new(Mutex::new(replies.iter().cloned().collect())) }
    }

    fn left(&self) -> usize {
        self.left.lock().unwrap().len()
    }

    fn model(&self) -> Arc<FnChatModel> {
        let player = self.clone();
        Arc::new(FnChatModel::new("recorded", move |request| {
            let reply = player.reply(&request);
            async move { reply }
        }))
    }

    fn reply(&self, request: &ChatRequest) -> memcore::Result<ChatReply> {
        let reply = self.left.lock().unwrap().pop_front();
        let reply = reply.ok_or_else(|| Error::new(ErrorKind::Unavailable, "no further reply is recorded"))?;
        let shown = request.messages.first().map(Message::text).unwrap_or_default();
        let mut reply = ChatReply::new(numbered(&reply, &shown));
        reply.usage = ModelUsage::of_call(1_000, 100);
        Ok(reply)
    }
}

/// A reply whose `{{number of WORDS}}` are the numbers of the memories shown that hold these words; 0 where none does.
fn numbered(reply: &str, shown: &str) -> String {
    let rows: Vec<Value> = shown.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let number_of = |words: &str| {
        let row = rows.iter().find(|row| row["content"].as_str().is_some_and(|content| content.contains(words)));
        row.map_or(Value::from(0), |row| row["handle"].clone())
    };
    let mut text = reply.to_owned();
    while let Some((before, rest)) = text.split_once("{{number of ") {
        let (words, behind) = rest.split_once("}}").unwrap();
        text = format!("{before}{}{behind}", number_of(words));
    }
    text
}

/// What became of a conversation.
struct Read {
    report: CaptureReport,
    records: Vec<MemoryRecord>,
    /// Replies that nobody asked for.
    left: usize,
}

async fn read(case: &Case) -> Result<Read, Failure> {
    let player = Player::new(&case.replies);
    let clock = ManualClock::new(case.at - chrono::Duration::days(400));
    let mut settings = Settings::default();
    settings.capture.in_background = false;
    let extractor = LlmExtractor::new(player.model());
    let world = World::with(|builder| builder.extractor(extractor).clock(clock.clone()).settings(settings)).await?;
    for known in &case.known {
        world.user("ada")?.remember(request_of(known)?).await?;
    }
    clock.set(case.at);
    let user = world.memory.scope(Scope::user("ada")?.session("talk")?);
    let mut session = user.session("talk")?;
    for turn in turns(case) {
        if let Some(last) = turn.last().and_then(|message| message.at) {
            clock.set(last);
        }
        session.observe(Turn::of(turn)).await?;
    }
    let report = session.finish().await?;
    Ok(Read { report, records: all(&user).await?, left: player.left() })
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
    for (n, said) in case.messages.iter().enumerate() {
        let id = MessageId::new(format!("m{n}")).unwrap();
        let message = Message::new(said.role, &said.text).with_at(said.at.unwrap_or(case.at)).with_id(id);
        match turns.last_mut() {
            Some(turn) if said.role != Role::User => turn.push(message),
            _ => turns.push(vec![message]),
        }
    }
    turns
}

async fn all(user: &ScopedMemory) -> memcore::Result<Vec<MemoryRecord>> {
    let request = ListRequest::new(user.filter().with_all_statuses()).with_limit(1_000);
    Ok(user.list(&request).await?.records)
}

/// Everything that is not as it must be.
fn failures(case: &Case, read: &Read) -> Vec<String> {
    let mut wrong = Vec::new();
    let Read { report, records, left } = read;
    if *left > 0 {
        wrong.push(format!("{left} replies were not asked for"));
    }
    let is_failed = report.failed > 0 && report.pending > 0 && !report.errors.is_empty();
    if is_failed != case.failed || (!case.failed && report.failed + report.postponed + report.pending > 0) {
        wrong.push(format!("failed: {}, {:?}", report.failed, report.errors));
    }
    let mut reasons: Vec<&str> = report.rejected.iter().map(|rejection| rejection.reason.as_str()).collect();
    let of_outcomes = report.outcomes.iter().filter_map(|outcome| outcome.reason);
    reasons.extend(of_outcomes.map(|reason| reason.as_str()));
    reasons.sort_unstable();
    let mut expected: Vec<&str> = case.rejected.iter().map(String::as_str).collect();
    expected.sort_unstable();
    if reasons != expected {
        let texts: Vec<&str> = report.rejected.iter().map(|rejection| rejection.text.as_str()).collect();
        wrong.push(format!("rejected {reasons:?} instead of {expected:?}: {texts:?}"));
    }
    wrong.extend(wrong_records(case, records));
    wrong
}

/// Each expected record is there once, and no other active one.
fn wrong_records(case: &Case, records: &[MemoryRecord]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut others: Vec<&MemoryRecord> = records.iter().collect();
    for expected in &case.stored {
        match others.iter().position(|record| is_as_expected(record, expected)) {
            Some(at) => drop(others.remove(at)),
            None => {
                let all: Vec<String> = records.iter().map(summary).collect();
                wrong.push(format!("not stored: {expected:?} in {all:#?}"));
            }
        }
    }
    let is_known = |record: &MemoryRecord| case.known.iter().any(|known| known.content == record.content);
    for record in others {
        if record.status == Status::Active && !is_known(record) {
            wrong.push(format!("stored too much: {}", summary(record)));
        }
        let content = record.content.to_lowercase();
        let needles = case.not_stored.iter().filter(|needle| content.contains(&needle.to_lowercase()));
        wrong.extend(needles.map(|needle| format!("{needle} in {}", summary(record))));
    }
    for quote in records.iter().flat_map(|record| &record.provenance.quotes) {
        if !is_the_users(quote, case) {
            wrong.push(format!("not the user's words: {quote:?}"));
        }
    }
    let without_quote = |record: &&MemoryRecord| !is_known(record) && record.provenance.quotes.is_empty();
    wrong.extend(records.iter().filter(without_quote).map(|record| format!("no quote: {}", summary(record))));
    wrong
}

fn is_as_expected(record: &MemoryRecord, expected: &Expected) -> bool {
    let is = |expected: &Option<String>, found: &str| expected.as_ref().is_none_or(|expected| expected == found);
    let slot = record.slot.as_ref().map_or("null".to_owned(), ToString::to_string);
    let quotes = &record.provenance.quotes;
    expected.content_has.iter().all(|needle| record.content.contains(needle))
        && is(&expected.kind, record.kind.as_str())
        && is(&expected.slot, &slot)
        && expected.level.is_none_or(|level| record.level() == level)
        && record.status.as_str() == expected.status.as_deref().unwrap_or("active")
        && expected.quote.as_ref().is_none_or(|words| quotes.iter().any(|quote| quote.text == *words))
        && expected.valid_until.is_none_or(|until| record.valid_until == Some(until))
        && expected.evidence.is_none_or(|count| record.evidence_count == count)
}

fn summary(record: &MemoryRecord) -> String {
    let slot = record.slot.as_ref().map_or("null".to_owned(), ToString::to_string);
    let (kind, level, status) = (record.kind.as_str(), record.level(), record.status.as_str());
    let quotes: Vec<&str> = record.provenance.quotes.iter().map(|quote| quote.text.as_str()).collect();
    let (until, evidence) = (record.valid_until, record.evidence_count);
    format!("{} [{kind}, {slot}, {level:?}, {status}, until {until:?}, {evidence}×, {quotes:?}]", record.content)
}

/// Whether a quote stands at its place in a message of the user's. Where an injected block was taken out, the place is
/// that in the rest.
fn is_the_users(quote: &Quote, case: &Case) -> bool {
    let said = case.messages.iter().enumerate().find_map(|(n, said)| {
        let is_its = quote.message.as_ref().is_some_and(|id| id.as_str() == format!("m{n}"));
        (is_its && said.role == Role::User).then_some(said)
    });
    said.is_some_and(|said| {
        let is_in_place = said.text.get(quote.start..quote.end) == Some(quote.text.as_str());
        is_in_place || (said.text.contains("<memory source=\"memcore\"") && said.text.contains(&quote.text))
    })
}

/// How many conversations of each category hold, and what is wrong with the others.
async fn table(cases: &[Case], check: impl Fn(&Case, &Read) -> Vec<String>) -> Result<Option<String>, Failure> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut wrong = String::new();
    for case in cases {
        let found = check(case, &read(case).await?);
        counts.entry(&case.category).or_default()[usize::from(!found.is_empty())] += 1;
        for found in found {
            writeln!(wrong, "{}: {found}", case.name)?;
        }
    }
    if wrong.is_empty() {
        return Ok(None);
    }
    let mut table = format!("{:24} {:>6} {:>6}\n", "category", "holds", "fails");
    for (category, [holds, fails]) in counts {
        writeln!(table, "{category:24} {holds:6} {fails:6}")?;
    }
    Ok(Some(table + &wrong))
}

#[tokio::test]
async fn every_conversation_leaves_what_it_must_and_nothing_else() -> Result<(), Failure> {
    if let Some(table) = table(&cases(), failures).await? {
        panic!("{table}");
    }
    Ok(())
}

#[tokio::test]
async fn the_same_words_of_anybody_but_the_user_leave_nothing() -> Result<(), Failure> {
    let mut cases = cases();
    for (case, role) in cases.iter_mut().zip([Role::Assistant, Role::Tool, Role::System].into_iter().cycle()) {
        case.messages.iter_mut().filter(|said| said.role == Role::User).for_each(|said| said.role = role);
        let text = if case.language == "zh" { "帮我看看" } else { "Have a look" }.to_owned();
        case.messages.insert(0, Said { role: Role::User, text, at: None });
    }
    let touched = |case: &Case, read: &Read| {
        let is_known = |record: &MemoryRecord| case.known.iter().any(|known| known.content == record.content);
        let is_as_before =
            |record: &MemoryRecord| is_known(record) && record.status == Status::Active && record.evidence_count == 1;
        read.records.iter().filter(|record| !is_as_before(record)).map(summary).collect()
    };
    if let Some(table) = table(&cases, touched).await? {
        panic!("{table}");
    }
    Ok(())
}

#[test]
fn the_set_is_large_and_covers_every_category_in_both_languages() {
    let cases = cases();
    let texts = |case: &Case| case.messages.iter().map(|said| said.text.clone()).collect::<Vec<_>>();
    let conversations = cases.iter().map(texts).collect::<BTreeSet<_>>().len();
    assert!(conversations >= FEWEST, "{conversations} conversations");
    for language in ["zh", "en"] {
        let of_it: Vec<&Case> = cases.iter().filter(|case| case.language == language).collect();
        assert!(of_it.len() as f64 >= SMALLEST_SHARE * cases.len() as f64, "{language}: {}", of_it.len());
        let facts = of_it.iter().flat_map(|case| &case.gold).filter(|gold| !gold.optional).count();
        assert!(facts >= FEWEST_FACTS, "{language}: {facts} facts");
        for category in CATEGORIES {
            let count = of_it.iter().filter(|case| case.category == category).count();
            assert!(count >= 2, "{category}: {count} in {language}");
        }
    }
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "a name stands twice");
    for case in &cases {
        assert!(CATEGORIES.contains(&case.category.as_str()), "{}: {}", case.name, case.category);
        let is_kind = |name: &str| name.parse::<Kind>().is_ok_and(|kind| !matches!(kind, Kind::Custom(_)));
        let is_used = |gold: &Gold| gold.kind.split('|').all(is_kind) && !gold.content_has.is_empty();
        assert!(case.gold.iter().all(is_used), "{}", case.name);
        assert!(!case.replies.is_empty(), "{}: no reply", case.name);
    }
}
