//! Memories checked against recent conversations: what a reviewer may do, and what not.

#![allow(clippy::unwrap_used, reason = "everything here runs in tests")]

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use memcore::{
    Error, ErrorKind, Outcome, RememberRequest, ScopedMemory, Session, Status, Turn,
    core::{
        ListRequest, ModelUsage, Quote, Review, ReviewProposal, ReviewRequest, Reviewer, StoredMessage, Timestamp,
        Verdict,
    },
};
use memcore_tests::World;

type Done = Result<(), Box<dyn std::error::Error>>;

/// For the memory that contains the first words: a verdict, resting on the second.
type Opinion = (&'static str, Verdict, &'static str);

/// The contents of the memories and the words of the messages that a call was shown.
type Shown = (Vec<String>, Vec<String>);

/// A reviewer that says what it is told to.
#[derive(Debug, Clone, Default)]
struct Scripted {
    opinions: Vec<Opinion>,
    seen: Arc<Mutex<Vec<Shown>>>,
    is_down: Arc<AtomicBool>,
}

impl Scripted {
    fn new(opinions: &[Opinion]) -> Self {
        Self { opinions: opinions.to_vec(), ..Self::default() }
    }
}

#[async_trait]
impl Reviewer for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn model(&self) -> Option<&str> {
        Some("scripted-1")
    }

    async fn review(&self, request: &ReviewRequest) -> memcore::Result<Review> {
        if self.is_down.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Unavailable, "the endpoint does not answer"));
        }
        let memories = request.memories.iter().map(|record| record.content.clone()).collect();
        let evidence = request.evidence.iter().map(StoredMessage::text).collect();
        self.seen.lock().unwrap().push((memories, evidence));
        let mut review = Review { usage: ModelUsage::of_call(100, 10), ..Review::default() };
        for (about, verdict, words) in &self.opinions {
            let record = request.memories.iter().find(|record| record.content.contains(about)).unwrap();
            let said = request.evidence.iter().find(|message| message.text().contains(words));
            let (id, start) = said.map_or((None, 0), |said| (Some(said.id.clone()), said.text().find(words).unwrap()));
            let quote = Quote { message: id, text: (*words).to_owned(), start, end: start + words.len() };
            review.proposals.push(ReviewProposal::new(record.id, verdict.clone(), "as told", quote));
        }
        Ok(review)
    }
}

async fn all(user: &ScopedMemory) -> memcore::Result<Vec<(String, Status)>> {
    let request = ListRequest::new(user.filter().with_all_statuses()).with_limit(1_000);
    let mut all: Vec<_> =
        user.list(&request).await?.records.into_iter().map(|record| (record.content, record.status)).collect();
    all.sort();
    Ok(all)
}

async fn say(mut session: Session, words: &str) -> memcore::Result<()> {
    session.observe(Turn::new(words, "ok")).await?;
    session.finish().await.map(|_| ())
}

fn revise(content: &str) -> Verdict {
    Verdict::Revise { content: content.to_owned() }
}

#[tokio::test]
async fn what_the_users_words_show_is_applied_in_one_batch_and_can_be_undone() -> Done {
    let reviewer = Scripted::new(&[
        ("Porto", revise("The user lives in Braga since spring."), "the new place in Braga"),
        ("向上汇报", Verdict::Retire, "周报已经不写了"),
        ("green tea", Verdict::Confirm, "a cup of green tea"),
    ]);
    let world = World::with(|builder| builder.reviewer(reviewer.clone())).await?;
    let ada = world.user("ada")?;
    for known in ["The user lives in Porto.", "用户每周五写周报向上汇报。", "The user likes green tea."] {
        ada.remember(RememberRequest::new(known)).await?;
    }
    let before = all(&ada).await?;
    for words in
        ["Boxes everywhere in the new place in Braga.", "周报已经不写了", "Let me get a cup of green tea first."]
    {
        say(ada.session("one")?, words).await?;
    }
    assert_eq!(all(&ada).await?, before, "the rules find nothing in these words");

    let report = ada.review().await?;
    let count = |outcome| report.count(outcome);
    assert_eq!(
        [count(Outcome::Superseded), count(Outcome::Retracted), count(Outcome::Confirmed)],
        [1, 1, 1],
        "{report:?}"
    );
    assert_eq!((report.pending, report.failed), (0, 0));
    let active = |all: Vec<(String, Status)>| -> Vec<String> {
        all.into_iter().filter(|(_, status)| *status == Status::Active).map(|(words, _)| words).collect()
    };
    assert_eq!(active(all(&ada).await?), ["The user likes green tea.", "The user lives in Braga since spring."]);
    let used = ada.usage(Timestamp::UNIX_EPOCH).await?;
    assert_eq!(
        used.iter().map(|entry| (entry.purpose.as_str(), entry.usage.tokens())).collect::<Vec<_>>(),
        [("review", 110)]
    );

    ada.undo(None).await?;
    assert_eq!(active(all(&ada).await?), active(before));
    Ok(())
}

#[tokio::test]
async fn a_verdict_without_the_users_words_changes_nothing_and_is_listed() -> Done {
    for (words, answer) in [("Rome", "You live in Rome now."), ("罗马", "您现在住在罗马。")] {
        let reviewer = Scripted::new(&[
            ("Porto", revise("The user lives in Rome."), words),
            ("green tea", Verdict::Retire, "words that nobody said"),
        ]);
        let world = World::with(|builder| builder.reviewer(reviewer.clone())).await?;
        let ada = world.user("ada")?;
        for known in ["The user lives in Porto.", "The user likes green tea."] {
            ada.remember(RememberRequest::new(known)).await?;
        }
        let before = all(&ada).await?;
        let mut session = ada.session("one")?;
        // Only the assistant says so.
        session.observe(Turn::new("hm", answer)).await?;
        session.finish().await?;
        let report = ada.review().await?;
        assert_eq!(report.rejected.len(), 2, "{report:?}");
        assert_eq!(all(&ada).await?, before);
        assert!(ada.rejected(10).await?.len() >= 2);
    }
    Ok(())
}

#[tokio::test]
async fn a_review_sees_one_session_of_its_own_project_and_no_other_user() -> Done {
    let reviewer = Scripted::default();
    let world = World::with(|builder| builder.reviewer(reviewer.clone())).await?;
    let ada = world.user("ada")?;
    ada.remember(RememberRequest::new("Ada's own fact.")).await?;
    world.user("eve")?.remember(RememberRequest::new("Eve's own fact.")).await?;
    say(world.user("eve")?.session("x")?, "words of eve").await?;
    let in_project = |name: &str| -> memcore::Result<ScopedMemory> {
        Ok(world.memory.scope(memcore::Scope::user("ada")?.project(name)?))
    };
    for project in ["red", "blue"] {
        in_project(project)?.remember(RememberRequest::new(format!("The {project} rule."))).await?;
        say(in_project(project)?.session(project)?, &format!("words in {project}")).await?;
    }
    in_project("red")?.review().await?;
    let seen = reviewer.seen.lock().unwrap().clone();
    assert_eq!(seen.len(), 1);
    let (memories, evidence) = &seen[0];
    let text = format!("{memories:?} {evidence:?}");
    assert!(text.contains("words in red"), "{text}");
    assert!(!text.contains("blue") && !text.contains("eve") && !text.contains("Eve"), "{text}");
    Ok(())
}

#[tokio::test]
async fn a_review_that_cannot_be_done_waits_and_is_queued_once() -> Done {
    let reviewer = Scripted::default();
    let world = World::with(|builder| builder.reviewer(reviewer.clone())).await?;
    let ada = world.user("ada")?;
    ada.remember(RememberRequest::new("The user lives in Porto.")).await?;
    say(ada.session("one")?, "hello there").await?;
    reviewer.is_down.store(true, Ordering::Relaxed);
    for _ in 0..2 {
        let report = ada.review().await?;
        assert_eq!(report.pending, 1, "{report:?}");
        assert!(!report.errors.is_empty());
    }

    let without = World::new().await?;
    let error = without.user("ada")?.review().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.hint().is_some());
    Ok(())
}
