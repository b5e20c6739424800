//! How well the library finds what answers a question: LoCoMo, LongMemEval, and pairs of memory and question.
//!
//! `cargo run --release -p memcore-benches --bin retrieval --features full -- locomo|longmemeval|pairs FILE
//! [--distractors FILE] [--embedder builtin|minilm|e5|none] [--json]`
//!
//! Every line of a conversation is one memory (the `verbatim` extractor), each conversation a store of its own. Each
//! question is asked twice: *clean*, and *as shipped*, where the hits of earlier questions count as used. By session, a
//! conversation ranks as high as its best line. LoCoMo's adversarial questions are a category of their own, and no part
//! of the overall figures. With `--json` the last line is one JSON document.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod corpus;
mod metrics;
mod tables;

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Instant};

use corpus::{Corpus, Question};
use memcore::{
    Embedder, Memory, Message, RecallRequest, Scope, ScopedMemory, Turn,
    core::{EmbedRole, ManualClock, MessageId, NoRedaction, chrono::Duration},
    extract::VerbatimExtractor,
    sqlite::SqliteStore,
};
use memcore_benches::{Failure, embedder, milliseconds, quantile};
use metrics::Tally;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// Results that are asked for: enough for ten conversations.
const RESULTS: usize = 50;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).map(String::as_str)
    };
    let usage = "locomo|longmemeval|pairs FILE [--distractors FILE] [--embedder builtin|minilm|e5|none] [--json]";
    let [format, file] = arguments.get(..2).ok_or(usage)? else { return Err(usage.into()) };
    let file = PathBuf::from(file);
    let corpora = match format.as_str() {
        "locomo" => corpus::locomo(&file)?,
        "longmemeval" => corpus::longmemeval(&file)?,
        "pairs" => corpus::pairs(&file, option("--distractors").map(PathBuf::from).as_deref())?,
        _ => return Err(usage.into()),
    };
    let embedder = match option("--embedder").unwrap_or("builtin") {
        "none" => None,
        name => Some(embedder(name)?),
    };
    let mut figures = Figures::default();
    let foreign = corpora.iter().cycle().skip(1);
    for (corpus, foreign) in corpora.iter().zip(foreign) {
        figures.measure(corpus, foreign, embedder.as_ref()).await?;
    }
    let document = figures.document();
    tables::print(&document);
    if arguments.iter().any(|argument| argument == "--json") {
        println!("{document}");
    }
    Ok(())
}

/// A corpus in a store of its own.
struct World {
    _folder: TempDir,
    user: ScopedMemory,
    clock: ManualClock,
}

impl World {
    async fn of(corpus: &Corpus, embedder: Option<&Arc<dyn Embedder>>) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        let store = SqliteStore::open(folder.path().join("memory.db")).await?;
        let last = corpus.sessions.iter().map(|talk| talk.at).max().unwrap_or_default();
        let clock = ManualClock::new(last + Duration::days(1));
        let mut builder = Memory::builder_without_embedder(store);
        if let Some(embedder) = embedder {
            builder = builder.embedder(embedder.clone());
        }
        let builder = builder.extractor(VerbatimExtractor).redactor(NoRedaction).clock(clock.clone());
        let user = builder.build().await?.scope(Scope::user("ada")?);
        for talk in &corpus.sessions {
            let mut session = user.session(talk.id.as_str())?;
            let mut messages = Vec::new();
            for line in talk.turns.iter().filter(|line| !line.text.trim().is_empty()) {
                messages.push(Message::new(line.role, &line.text).with_at(talk.at).with_id(MessageId::new(&line.id)?));
            }
            session.observe(Turn::of(messages)).await?;
            session.finish().await?;
        }
        Ok(Self { _folder: folder, user, clock })
    }

    /// The lines that a question finds, best first.
    async fn ask(&self, question: &Question, request: RecallRequest) -> Result<Vec<String>, Failure> {
        if let Some(at) = question.at {
            self.clock.set(at);
        }
        let answer = self.user.recall(&request).await?;
        let lines = answer.hits.iter().flat_map(|hit| &hit.record.provenance.messages);
        Ok(lines.map(|id| id.as_str().to_owned()).collect())
    }
}

/// The figures of one kind of run.
#[derive(Default)]
struct Run {
    overall: Tally,
    sessions: Tally,
    by_category: BTreeMap<String, Tally>,
}

impl Run {
    fn add(&mut self, found: &[String], question: &Question, session_of: &BTreeMap<&str, &str>) {
        self.by_category.entry(question.category.clone()).or_default().add(found, &question.evidence);
        if question.is_adversarial {
            return;
        }
        self.overall.add(found, &question.evidence);
        let mut sessions: Vec<String> = Vec::new();
        for session in found.iter().filter_map(|line| session_of.get(line.as_str())) {
            if !sessions.iter().any(|known| known == session) {
                sessions.push((*session).to_owned());
            }
        }
        self.sessions.add(&sessions, &question.sessions);
    }

    fn document(&self) -> Map<String, Value> {
        let by_category: Map<String, Value> =
            self.by_category.iter().map(|(name, tally)| (name.clone(), Value::from(tally.means()))).collect();
        let mut document = Map::new();
        document.insert("overall".to_owned(), self.overall.means().into());
        document.insert("by_category".to_owned(), by_category.into());
        document.insert("session".to_owned(), self.sessions.means().into());
        document
    }
}

/// Everything that is measured.
#[derive(Default)]
struct Figures {
    clean: Run,
    as_shipped: Run,
    /// Questions that nothing answers, and those of these that a search, and a prompt, answers with nothing.
    unanswerable: [usize; 3],
    /// Questions that something answers, and those of these to which a search, and a prompt, shows it among five.
    answerable: [usize; 3],
    recalls: Vec<f64>,
    embeds: Vec<f64>,
    memories: usize,
    storing: f64,
}

impl Figures {
    async fn measure(
        &mut self,
        corpus: &Corpus,
        foreign: &Corpus,
        embedder: Option<&Arc<dyn Embedder>>,
    ) -> Result<(), Failure> {
        let start = Instant::now();
        let world = World::of(corpus, embedder).await?;
        self.storing += start.elapsed().as_secs_f64();
        self.memories += corpus.sessions.iter().map(|talk| talk.turns.len()).sum::<usize>();
        let lines =
            corpus.sessions.iter().flat_map(|talk| talk.turns.iter().map(|line| (line.id.as_str(), talk.id.as_str())));
        let session_of: BTreeMap<&str, &str> = lines.collect();
        let (answerable, abstention): (Vec<&Question>, Vec<&Question>) =
            corpus.questions.iter().partition(|question| !question.evidence.is_empty());
        for question in &answerable {
            let request = RecallRequest::new(&question.text).for_reader().with_limit(RESULTS).without_touch();
            let start = Instant::now();
            let found = world.ask(question, request).await?;
            self.recalls.push(milliseconds(start.elapsed()));
            self.clean.add(&found, question, &session_of);
            if let Some(embedder) = embedder {
                let start = Instant::now();
                std::hint::black_box(embedder.embed(std::slice::from_ref(&question.text), EmbedRole::Query).await);
                self.embeds.push(milliseconds(start.elapsed()));
            }
            self.count_answerable(&world, question).await?;
        }
        for question in &abstention {
            self.count_unanswerable(&world, question).await?;
        }
        self.measure_foreign(corpus, foreign, embedder, &world).await?;
        for question in &answerable {
            let request = RecallRequest::new(&question.text).for_reader().with_limit(RESULTS);
            let found = world.ask(question, request).await?;
            self.as_shipped.add(&found, question, &session_of);
        }
        Ok(())
    }

    /// Questions about something else: those of another conversation, or where there is only one, of memories that were
    /// taken out.
    async fn measure_foreign(
        &mut self,
        corpus: &Corpus,
        foreign: &Corpus,
        embedder: Option<&Arc<dyn Embedder>>,
        world: &World,
    ) -> Result<(), Failure> {
        if !std::ptr::eq(corpus, foreign) {
            for question in foreign.questions.iter().filter(|question| !question.evidence.is_empty()) {
                self.count_unanswerable(world, question).await?;
            }
            return Ok(());
        }
        let is_asked = |id: &String| corpus.questions.iter().any(|question| question.sessions.contains(id));
        let mut rest = Corpus::default();
        for talk in corpus.sessions.iter().filter(|talk| !is_asked(&talk.id)) {
            rest.sessions.push(talk.clone());
        }
        let world = World::of(&rest, embedder).await?;
        for question in corpus.questions.iter().filter(|_| !rest.sessions.is_empty()) {
            self.count_unanswerable(&world, question).await?;
        }
        Ok(())
    }

    async fn count_unanswerable(&mut self, world: &World, question: &Question) -> Result<(), Failure> {
        self.unanswerable[0] += 1;
        for (at, request) in as_used(question).into_iter().enumerate() {
            self.unanswerable[at + 1] += usize::from(world.ask(question, request).await?.is_empty());
        }
        Ok(())
    }

    async fn count_answerable(&mut self, world: &World, question: &Question) -> Result<(), Failure> {
        self.answerable[0] += 1;
        for (at, request) in as_used(question).into_iter().enumerate() {
            let found = world.ask(question, request).await?;
            self.answerable[at + 1] += usize::from(found.iter().any(|line| question.evidence.contains(line)));
        }
        Ok(())
    }

    fn document(mut self) -> Value {
        let share = |[of, search, prompt]: [usize; 3]| {
            let share = |part: usize| (part as f64 / of.max(1) as f64 * 10_000.0).round() / 10_000.0;
            json!({"questions": of, "search": share(search), "prompt": share(prompt)})
        };
        let times = |values: &mut Vec<f64>| {
            if values.is_empty() {
                return Value::Null;
            }
            json!({"p50": quantile(values, 0.5), "p99": quantile(values, 0.99)})
        };
        let mut document = self.clean.document();
        document.insert("as_shipped".to_owned(), self.as_shipped.document().into());
        document.insert("nothing_to_unanswerable".to_owned(), share(self.unanswerable));
        document.insert("answer_among_five".to_owned(), share(self.answerable));
        let milliseconds = json!({"recall": times(&mut self.recalls), "embed_question": times(&mut self.embeds)});
        document.insert("milliseconds".to_owned(), milliseconds);
        document.insert("memories".to_owned(), json!(self.memories));
        document.insert("stored_per_second".to_owned(), json!((self.memories as f64 / self.storing).round()));
        document.into()
    }
}

/// A question as a host asks it: to search, and for a prompt.
fn as_used(question: &Question) -> [RecallRequest; 2] {
    let request = RecallRequest::new(&question.text).with_limit(5).without_touch();
    [request.clone(), request.for_prompt()]
}
