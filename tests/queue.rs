//! The durable queue through the public API: when a language model reads, and what becomes of work that fails.

#![allow(clippy::unwrap_used, reason = "everything here runs in tests")]

use std::{sync::Arc, time::Duration};

use memcore::{
    CaptureReport, Error, ErrorKind, MemoryBuilder, Message, Outcome, RecallRequest, RememberRequest, ScopedMemory,
    Session, Settings, Turn,
    core::{
        Candidate, Extraction, ExtractionRequest, Extractor, JobState, ListRequest, ManualClock, Timestamp, chrono,
    },
};
use memcore_testkit::FaultyEmbedder;
use memcore_tests::{Reader, World};

type Done = Result<(), Box<dyn std::error::Error>>;

fn start() -> Timestamp {
    chrono::DateTime::parse_from_rfc3339("2026-03-02T09:00:00Z").unwrap().to_utc()
}

/// A memory whose clock stands still, read by `reader` only when it is told to.
async fn world(
    reader: &Reader,
    clock: &ManualClock,
    change: impl FnOnce(&mut Settings),
) -> Result<World, Box<dyn std::error::Error>> {
    let mut settings = Settings::default();
    settings.capture.in_background = false;
    change(&mut settings);
    let configure = |builder: MemoryBuilder| builder.extractor(reader.clone()).clock(clock.clone()).settings(settings);
    World::with(configure).await
}

async fn say(session: &mut Session, words: &str) -> memcore::Result<()> {
    session.observe(Turn::of(vec![Message::user(words), Message::assistant("ok")])).await.map(|_| ())
}

async fn contents(user: &ScopedMemory) -> memcore::Result<Vec<String>> {
    let page = user.list(&ListRequest::new(user.filter()).with_limit(100_000)).await?;
    let mut contents: Vec<String> = page.records.into_iter().map(|record| record.content).collect();
    contents.sort();
    Ok(contents)
}

fn out_of_reach() -> Error {
    Error::new(ErrorKind::Unavailable, "the endpoint does not answer")
}

/// Runs a worker until nothing that is due waits.
async fn work(world: &World) -> CaptureReport {
    let worker = world.memory.start_worker();
    tokio::time::sleep(Duration::from_millis(50)).await;
    worker.shutdown(Duration::from_secs(60)).await
}

#[tokio::test]
async fn a_model_reads_five_turns_in_one_call() -> Done {
    let (reader, clock) = (Reader::default(), ManualClock::new(start()));
    let world = world(&reader, &clock, |_| {}).await?;
    let mut session = world.user("ada")?.session("one")?;
    for n in 1..=4 {
        say(&mut session, &format!("well, thought number {n}")).await?;
        work(&world).await;
        assert_eq!(reader.calls().len(), 0, "after turn {n}");
    }
    say(&mut session, "事实：第五轮").await?;
    work(&world).await;
    assert_eq!(reader.calls().iter().map(Vec::len).collect::<Vec<_>>(), [5]);
    assert_eq!(contents(&world.user("ada")?).await?, ["事实：第五轮"]);
    Ok(())
}

#[tokio::test]
async fn what_the_user_says_plainly_is_read_at_once_with_all_that_waited() -> Done {
    for said in [
        "Remember that the build runs on Fridays.",
        "From now on, answer in short sentences.",
        "My name is Ada.",
        "记住：发布在每周五。",
        "以后都用英文写提交信息。",
        "我搬到苏州了，现在住在苏州。",
        "Forget what I said about the deadline.",
        "忘掉我说的截止日期。",
    ] {
        let (reader, clock) = (Reader::default(), ManualClock::new(start()));
        let world = world(&reader, &clock, |_| {}).await?;
        let mut session = world.user("ada")?.session("one")?;
        say(&mut session, "The weather is odd.").await?;
        say(&mut session, said).await?;
        work(&world).await;
        assert_eq!(reader.calls(), [["The weather is odd.", said]], "{said}");
    }
    Ok(())
}

#[tokio::test]
async fn an_idle_conversation_is_read_and_a_finished_one_at_once() -> Done {
    let (reader, clock) = (Reader::default(), ManualClock::new(start()));
    let world = world(&reader, &clock, |_| {}).await?;
    let ada = world.user("ada")?;
    let mut idle = ada.session("idle")?;
    say(&mut idle, "fact of the idle one").await?;
    clock.advance(chrono::Duration::seconds(599));
    work(&world).await;
    assert_eq!(reader.calls().len(), 0);
    clock.advance(chrono::Duration::seconds(1));
    work(&world).await;
    assert_eq!(reader.calls().len(), 1);
    let mut ended = ada.session("ended")?;
    say(&mut ended, "fact of the ended one").await?;
    let report = ended.finish().await?;
    assert_eq!((report.count(Outcome::Added), report.pending), (1, 0));
    Ok(())
}

#[tokio::test]
async fn what_could_not_begin_waits_without_blame_and_is_read_in_order_afterwards() -> Done {
    let (reader, clock) = (Reader::default(), ManualClock::new(start()));
    let world = world(&reader, &clock, |_| {}).await?;
    let turns: usize = std::env::var("MEMCORE_QUEUE_TURNS").map_or(200, |turns| turns.parse().unwrap());
    let sessions = 20;
    reader.fail_with(out_of_reach);
    let ada = world.user("ada")?;
    let mut open: Vec<Session> = (0..sessions).map(|n| ada.session(format!("s{n}"))).collect::<memcore::Result<_>>()?;
    // One turn in five says something worth keeping.
    let said = |turn: usize| match turn / sessions % 5 {
        0 => format!("fact {turn:05} of session {}", turn % sessions),
        _ => format!("turn {turn:05} of session {}", turn % sessions),
    };
    for turn in 0..turns {
        let session = &mut open[turn % sessions];
        say(session, &said(turn)).await?;
        clock.advance(chrono::Duration::seconds(86_400 / turns as i64));
        if turn.is_multiple_of(turns / 20) {
            work(&world).await;
        }
    }
    let report = world.memory.flush().await?;
    assert_eq!((report.pending, report.failed), (turns as u64, 0));
    assert!(report.errors.iter().any(|error| error.contains("does not answer")), "{:?}", report.errors);
    assert!(ada.jobs().await?.iter().all(|job| job.attempts == 0), "no attempt is counted");
    let asked = reader.calls().len();
    assert!(asked < 300, "an endpoint that is down is left alone, not asked {asked} times in a day");

    reader.recover();
    while ada.queue().await?.pending > 0 {
        clock.advance(chrono::Duration::minutes(5));
        work(&world).await;
    }
    let expected: Vec<String> = (0..turns).map(said).filter(|said| said.starts_with("fact")).collect();
    assert_eq!(contents(&ada).await?, expected, "none is lost, none is there twice");
    for n in 0..sessions {
        let of_session = |text: &&String| text.ends_with(&format!("session {n}"));
        let read: Vec<Vec<String>> = reader.calls().split_off(asked);
        let read: Vec<&String> = read.iter().flatten().filter(of_session).collect();
        let in_order = (0..turns).filter(|turn| turn % sessions == n).map(said).collect::<Vec<_>>();
        assert_eq!(read, in_order.iter().collect::<Vec<_>>(), "session {n} is read once, in its order");
    }
    Ok(())
}

#[tokio::test]
async fn a_reply_that_cannot_be_read_is_kept_tried_again_given_up_and_replayed() -> Done {
    let (reader, clock) = (Reader::default(), ManualClock::new(start()));
    let world = world(&reader, &clock, |_| {}).await?;
    let ada = world.user("ada")?;
    let key = "sk-ant-api03-0123456789abcdefghijABCDEFGHIJ0123456789abcdefghijABCDEFGHIJ0123456789abcdefghijABCDEFGHIJ-AAAAAA";
    let reply = format!("I think you should rotate {key} at once");
    reader.fail_with(move || Error::new(ErrorKind::ExtractFailed, "the reply is no list").with_raw_reply(&reply));
    let mut session = ada.session("one")?;
    say(&mut session, "fact one").await?;
    for attempt in 1..=5 {
        let report = session.settle().await?;
        assert_eq!((report.failed, report.pending), (1, u64::from(attempt < 5)), "attempt {attempt}");
        clock.advance(chrono::Duration::minutes(10));
    }
    let dead = ada.jobs().await?.remove(0);
    assert_eq!((dead.state, dead.attempts), (JobState::Dead, 5));
    assert_eq!(dead.last_error.as_deref(), Some("the reply is no list"));
    let kept = dead.raw_reply.unwrap();
    assert!(kept.starts_with("I think you should rotate") && !kept.contains("0123456789"), "{kept}");

    say(&mut session, "fact two").await?;
    reader.recover();
    session.settle().await?;
    assert_eq!(contents(&ada).await?, ["fact two"], "a dead one holds nobody up");
    assert_eq!(ada.replay().await?, 1);
    let report = session.finish().await?;
    assert_eq!((report.count(Outcome::Added), report.pending), (1, 0));
    assert_eq!(contents(&ada).await?, ["fact one", "fact two"]);
    assert_eq!(world.memory.admin().replay().await?, 0);
    Ok(())
}

#[tokio::test]
async fn todays_budget_bounds_calls_and_tokens_of_a_user_and_of_all() -> Done {
    for (limit, readings_today) in
        [("user_calls", [2, 2]), ("user_tokens", [2, 2]), ("total_calls", [2, 0]), ("total_tokens", [2, 0])]
    {
        let (reader, clock) = (Reader::default(), ManualClock::new(start()));
        let world = world(&reader, &clock, |settings| {
            let daily = &mut settings.capture.daily;
            match limit {
                "user_calls" => daily.user_calls = Some(2),
                "user_tokens" => daily.user_tokens = Some(220),
                "total_calls" => daily.total_calls = Some(2),
                _ => daily.total_tokens = Some(220),
            }
        })
        .await?;
        for (name, expected) in ["ada", "bob"].into_iter().zip(readings_today) {
            let user = world.user(name)?;
            for n in 0..4 {
                let mut session = user.session(format!("s{n}"))?;
                say(&mut session, &format!("fact {n} of {name}")).await?;
                let report = session.finish().await?;
                assert_eq!(report.pending, u64::from(n >= expected), "{limit}: session {n} of {name}");
                assert_eq!(report.errors.iter().any(|error| error.contains("today's budget")), n >= expected);
            }
            let used: u64 = user.usage(start()).await?.iter().map(|entry| entry.usage.calls).sum();
            assert_eq!(used, expected, "{limit}");
        }
        for _ in 0..3 {
            clock.advance(chrono::Duration::days(1));
            work(&world).await;
        }
        assert_eq!(world.memory.admin().queue().await?.pending, 0, "{limit}: the rest is read on the next days");
        assert_eq!(reader.calls().len(), 8);
    }
    Ok(())
}

#[tokio::test]
async fn a_full_queue_is_refused_where_the_caller_sees_it_and_takes_again_when_it_has_room() -> Done {
    let (reader, clock) = (Reader::default(), ManualClock::new(start()));
    let world = world(&reader, &clock, |settings| settings.capture.max_pending = 64).await?;
    let mut session = world.user("ada")?.session("one")?;
    reader.fail_with(out_of_reach);
    let mut taken = 0;
    let refused = loop {
        match say(&mut session, &format!("fact {taken}")).await {
            Ok(()) => taken += 1,
            Err(error) => break error,
        }
        assert!(taken < 200, "nothing was refused");
    };
    assert_eq!(refused.kind(), ErrorKind::Busy);
    assert!(refused.hint().is_some());
    assert!((64..=128).contains(&taken), "{taken}");
    reader.recover();
    clock.advance(chrono::Duration::hours(1));
    session.settle().await?;
    say(&mut session, "fact after all").await?;
    session.finish().await?;
    assert_eq!(contents(&world.user("ada")?).await?.len(), taken + 1);
    Ok(())
}

/// Reads part of what it is given, and says so.
#[derive(Debug)]
struct HalfBlind(Reader);

#[async_trait::async_trait]
impl Extractor for HalfBlind {
    fn name(&self) -> &str {
        "half-blind"
    }

    fn model(&self) -> Option<&str> {
        Some("reader-1")
    }

    async fn extract(&self, request: &ExtractionRequest) -> memcore::Result<Extraction> {
        let mut extraction = self.0.extract(request).await?;
        if self.0.calls().len() == 1 {
            extraction.candidates.truncate(1);
            extraction.failures.push(Error::new(ErrorKind::ExtractFailed, "the second window is no list"));
        }
        Ok(extraction)
    }
}

#[tokio::test]
async fn what_one_window_found_is_kept_when_another_fails_and_nothing_is_there_twice() -> Done {
    let (reader, clock) = (Reader::default(), ManualClock::new(start()));
    let extractor = HalfBlind(reader.clone());
    let world = World::with(|builder| builder.extractor(extractor).clock(clock.clone())).await?;
    let ada = world.user("ada")?;
    let mut session = ada.session("one")?;
    say(&mut session, "fact one").await?;
    say(&mut session, "fact two").await?;
    let report = session.settle().await?;
    assert_eq!((report.count(Outcome::Added), report.failed > 0, report.pending > 0), (1, true, true));
    assert_eq!(contents(&ada).await?, ["fact one"]);
    clock.advance(chrono::Duration::hours(1));
    let report = session.finish().await?;
    assert_eq!(report.pending, 0);
    assert_eq!(contents(&ada).await?, ["fact one", "fact two"]);
    let page = ada.list(&ListRequest::new(ada.filter())).await?;
    assert!(page.records.iter().all(|record| record.evidence_count == 1), "one statement is one piece of evidence");
    Ok(())
}

/// While it reads, the user erases what it reads.
struct Forgetful {
    reader: Reader,
    user: Arc<std::sync::Mutex<Option<ScopedMemory>>>,
}

impl std::fmt::Debug for Forgetful {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Forgetful")
    }
}

#[async_trait::async_trait]
impl Extractor for Forgetful {
    fn name(&self) -> &str {
        "forgetful"
    }

    fn model(&self) -> Option<&str> {
        Some("reader-1")
    }

    async fn extract(&self, request: &ExtractionRequest) -> memcore::Result<Extraction> {
        let mut extraction = self.reader.extract(request).await?;
        let user = self.user.lock().unwrap().clone().unwrap();
        let stored = user.list(&ListRequest::new(user.filter())).await?.records;
        user.forget(&stored.iter().map(|record| record.id).collect::<Vec<_>>()).await?;
        let paraphrased = |candidate: &mut Candidate| candidate.content = "they said it once more".into();
        extraction.candidates.iter_mut().for_each(paraphrased);
        Ok(extraction)
    }
}

#[tokio::test]
async fn what_is_erased_while_a_model_reads_it_does_not_come_back() -> Done {
    let user = Arc::new(std::sync::Mutex::new(None));
    let extractor = Forgetful { reader: Reader::default(), user: user.clone() };
    let world = World::with(|builder| builder.extractor(extractor)).await?;
    let ada = world.user("ada")?;
    *user.lock().unwrap() = Some(ada.clone());
    let secret = "fact: the surprise party is on Saturday";
    ada.remember(memcore::RememberRequest::new(secret)).await?;
    let mut session = ada.session("one")?;
    say(&mut session, secret).await?;
    let report = session.finish().await?;
    *user.lock().unwrap() = None;
    assert_eq!(report.pending, 0);
    assert_eq!(contents(&ada).await?, [""; 0]);
    let bytes = world.bytes()?;
    assert!(!bytes.windows(14).any(|window| window == b"surprise party"));
    Ok(())
}

#[tokio::test]
async fn a_worker_that_is_shut_down_leaves_what_waits_for_the_next_start() -> Done {
    let (reader, clock) = (Reader::default(), ManualClock::new(start()));
    let world = world(&reader, &clock, |_| {}).await?;
    let ada = world.user("ada")?;
    let worker = world.memory.start_worker();
    say(&mut ada.session("one")?, "remember that fact one holds").await?;
    worker.wake();
    while ada.queue().await?.pending > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let first = worker.shutdown(Duration::from_secs(60)).await;
    assert_eq!((first.count(Outcome::Added), first.errors.len()), (0, 0), "{:?}", first.errors);
    say(&mut ada.session("two")?, "fact two").await?;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(ada.queue().await?.pending, 1, "nobody reads any more");
    clock.advance(chrono::Duration::hours(1));
    work(&world).await;
    assert_eq!(ada.queue().await?.pending, 0);
    Ok(())
}

#[tokio::test]
async fn rules_read_every_turn_and_cost_nothing() -> Done {
    let world = World::new().await?;
    let ada = world.user("ada")?;
    let mut session = ada.session("one")?;
    session.observe(Turn::new("I live in Porto.", "Lovely.")).await?;
    let report = session.settle().await?;
    assert_eq!((report.count(Outcome::Added), report.pending), (1, 0));
    assert_eq!(ada.usage(start()).await?, []);
    Ok(())
}

#[tokio::test]
async fn while_the_embedder_is_out_of_reach_words_are_searched_and_vectors_follow() -> Done {
    let embedder = FaultyEmbedder::new(memcore::builtin::StaticEmbedder::load()?);
    let world = World::with(|builder| builder.embedder(Arc::new(embedder.clone()))).await?;
    let (ada, admin) = (world.user("ada")?, world.memory.admin());
    let waiting = async || admin.stats(None).await.map(|stats| stats.pending_vectors);

    embedder.go_down();
    ada.remember(RememberRequest::new("The staging database runs in Lisbon.")).await?;
    ada.remember(RememberRequest::new("预发数据库在里斯本。")).await?;
    assert_eq!(waiting().await?, 2);
    for question in ["Where does the staging database run?", "预发数据库在哪里？"] {
        let answer = ada.recall(&RecallRequest::new(question)).await?;
        assert_eq!(answer.hits.len(), 1, "{question}");
        assert!(answer.degraded.is_some_and(|why| why.contains("the embedder failed")), "{question}");
    }
    let report = work(&world).await;
    assert_eq!(waiting().await?, 2, "{report:?}");

    embedder.come_back();
    let worker = world.memory.start_worker();
    while waiting().await? > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    worker.shutdown(Duration::from_secs(60)).await;
    let (answer, texts) = (ada.recall(&RecallRequest::new("staging database")).await?, embedder.texts());
    assert!(answer.degraded.is_none() && !answer.hits.is_empty());
    work(&world).await;
    assert_eq!(embedder.texts(), texts, "nothing waits, so the embedder is not asked");
    assert!(world.memory.admin().verify().await?.is_sound());
    Ok(())
}
