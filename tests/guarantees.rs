//! The promises of the library, each through its public API on real SQLite and the built-in embeddings.

use async_trait::async_trait;
use memcore::{
    ContextRequest, ErrorKind, Extractor, Kind, Message, Outcome, RecallRequest, RememberRequest, Scope, Status, Turn,
    core::{
        Candidate, Extraction, ExtractionRequest, ListRequest, ManualClock, Quote, SourceKind, Trust, chrono::Duration,
    },
};
use memcore_tests::{World, say};

type Done = Result<(), Box<dyn std::error::Error>>;

async fn contents(user: &memcore::ScopedMemory) -> memcore::Result<Vec<String>> {
    let page = user.list(&ListRequest::new(user.filter())).await?;
    Ok(page.records.into_iter().map(|record| record.content).collect())
}

#[tokio::test]
async fn a_new_session_knows_the_old_ones() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    say(&user, "one", "2026-03-01T10:00:00Z", &["I'm allergic to shellfish.", "我住在苏州。"]).await?;
    let context = user.session("two")?.context("我现在住在哪个城市？").await?;
    assert!(format!("{}{}", context.injection.core, context.injection.recalled).contains("苏州"));
    assert!(context.system_prompt("You help.").starts_with("You help.\n\n<memory"));
    Ok(())
}

#[tokio::test]
async fn what_is_acknowledged_survives_reopening() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    let mut session = user.session("one")?;
    session.observe(Turn::new("记住：仓库的门禁密语是 琥珀松鼠。", "好")).await?;
    drop(session);
    let path = world.folder.path().join("memory.db");
    drop((user, world.memory));
    let memory = memcore::Memory::open(&path).await?;
    memory.flush().await?;
    let user = memory.scope(Scope::user("ada")?);
    let found = user.recall(&RecallRequest::new("仓库门禁的密语是什么")).await?;
    assert!(found.hits[0].record.content.contains("琥珀松鼠"));
    Ok(())
}

#[tokio::test]
async fn the_same_messages_twice_add_nothing() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    let message = Message::user("I work at Harbour Labs.").with_id("m1".parse()?);
    for expected in [1, 0] {
        let mut session = user.session("one")?;
        let observed = session.observe(Turn::of(vec![message.clone()])).await?;
        assert_eq!(observed.appended, expected);
        session.finish().await?;
    }
    let page = user.list(&ListRequest::new(user.filter())).await?;
    assert_eq!(page.records.len(), 1);
    assert_eq!(page.records[0].evidence_count, 1);
    Ok(())
}

#[tokio::test]
async fn an_injected_block_that_comes_back_adds_nothing() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    say(&user, "one", "2026-03-01T10:00:00Z", &["Remember that the demo room is called Nautilus."]).await?;
    for round in 0..20 {
        let mut session = user.session(format!("echo-{round}"))?;
        let context = session.context("what is the demo room called?").await?;
        let pasted = format!("{}\n{}\nthanks", context.injection.core, context.injection.recalled);
        session.observe(Turn::new(pasted, context.injection.recalled)).await?;
        session.finish().await?;
    }
    assert_eq!(contents(&user).await?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn nobody_sees_anything_of_another_user_or_a_sibling_project() -> Done {
    let world = World::new().await?;
    let ada = world.user("ada")?;
    let stored = ada.remember(RememberRequest::new("The vault code word is marigold")).await?;
    let id = stored.id.unwrap();
    let project = world.memory.scope(Scope::user("ada")?.project("red")?);
    let in_red = project.remember(RememberRequest::new("The red project ships on Fridays")).await?.id.unwrap();

    for other in [world.user("Ada")?, world.user("ada ")?, world.user("bob")?] {
        assert!(contents(&other).await?.is_empty());
        assert!(other.recall(&RecallRequest::new("vault code word marigold")).await?.abstained);
        for id in [id, in_red] {
            assert_eq!(other.show(id).await.unwrap_err().kind(), ErrorKind::NotFound);
            assert_eq!(other.history(id).await.unwrap_err().kind(), ErrorKind::NotFound);
            assert_eq!(other.archive(id).await.unwrap_err().kind(), ErrorKind::NotFound);
            assert!(other.forget(&[id]).await?.forgotten.is_empty());
        }
        assert_eq!(other.context(&ContextRequest::new("vault code word")).await?.injection.injected, []);
    }
    let sibling = world.memory.scope(Scope::user("ada")?.project("blue")?);
    assert!(
        sibling
            .recall(&RecallRequest::new("when does the red project ship?"))
            .await?
            .hits
            .iter()
            .all(|hit| hit.record.id != in_red)
    );
    assert_eq!(sibling.show(in_red).await.unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(sibling.show(id).await?.id, id, "the user's own level is seen from every project");
    Ok(())
}

#[tokio::test]
async fn forgetting_leaves_no_byte() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    say(
        &user,
        "one",
        "2026-03-01T10:00:00Z",
        &["记住：备用钥匙藏在灰色花盆底下。", "Remember that the lock opens with Quillfeather77."],
    )
    .await?;
    let page = user.list(&ListRequest::new(user.filter())).await?;
    assert_eq!(page.records.len(), 2);
    let ids: Vec<_> = page.records.iter().map(|record| record.id).collect();
    let receipt = user.forget(&ids).await?;
    assert_eq!((receipt.forgotten.len(), receipt.residual_bytes), (2, 0));
    assert_eq!(receipt.purge, memcore::core::PurgeState::Purged);
    let bytes = world.bytes()?;
    for secret in ["灰色花盆底下", "Quillfeather77", "quillfeather77"] {
        let utf16: Vec<u8> = secret.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for needle in [secret.as_bytes(), &utf16] {
            assert!(!bytes.windows(needle.len()).any(|window| window == needle), "{secret}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_request_to_forget_that_may_mean_several_erases_nothing() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    let facts = ["Remember that the red toolbox is in the van.", "Remember that the blue toolbox is in the shed."];
    say(&user, "one", "2026-03-01T10:00:00Z", &facts).await?;
    let report = say(&user, "two", "2026-03-02T10:00:00Z", &["Forget what I said about the toolbox."]).await?;
    assert!(report.forgotten.is_empty());
    assert_eq!(report.unclear.len(), 1);
    assert_eq!(report.unclear[0].candidates.len(), 2);
    assert_eq!(contents(&user).await?.len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_forgotten_fact_takes_its_history_along() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    say(&user, "one", "2026-01-01T10:00:00Z", &["I live in Wexford."]).await?;
    say(&user, "two", "2026-02-01T10:00:00Z", &["I moved to Galway."]).await?;
    let current = user.recall(&RecallRequest::new("where do I live?")).await?.hits[0].record.clone();
    assert!(current.content.contains("Galway"));
    assert_eq!(user.forget(&[current.id]).await?.forgotten.len(), 2);
    let all = user.list(&ListRequest::new(user.filter().with_all_statuses())).await?;
    assert!(all.records.is_empty(), "{:?}", all.records);
    Ok(())
}

#[tokio::test]
async fn every_change_can_be_undone_and_keeps_history() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    say(&user, "one", "2026-01-01T10:00:00Z", &["我在启明公司上班。"]).await?;
    say(&user, "two", "2026-02-01T10:00:00Z", &["我现在在远帆科技上班。"]).await?;
    let ask = RecallRequest::new("我在哪家公司上班？");
    assert!(user.recall(&ask).await?.hits[0].record.content.contains("远帆"));
    user.undo(None).await?;
    let hits = user.recall(&ask).await?.hits;
    assert!(hits[0].record.content.contains("启明"), "{hits:?}");
    let history = user.history(hits[0].record.id).await?;
    let statuses: Vec<Status> = history.iter().map(|version| version.record.status).collect();
    assert_eq!(statuses, [Status::Active, Status::Superseded, Status::Active]);
    Ok(())
}

#[tokio::test]
async fn the_core_block_is_byte_identical_throughout_a_session() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    say(&user, "one", "2026-03-01T10:00:00Z", &["Always answer me in French.", "My name is Ada."]).await?;
    let mut session = user.session("two")?;
    let first = session.context("hello there, how do sorting networks work?").await?.system_prompt("Be kind.");
    session.observe(Turn::new("From now on, never use semicolons in my code.", "ok")).await?;
    session.settle().await?;
    assert!(first.contains("French"));
    for question in ["and what about merge sort?", "那归并排序呢？"] {
        assert_eq!(session.context(question).await?.system_prompt("Be kind."), first, "{question}");
    }
    Ok(())
}

#[tokio::test]
async fn a_memory_is_injected_once_per_conversation() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    say(&user, "one", "2026-03-01T10:00:00Z", &["Remember that the build server is called Tortoise."]).await?;
    let mut session = user.session("two")?;
    let first = session.context("what is the build server called?").await?;
    assert!(first.injection.recalled.contains("Tortoise"));
    let second = session.context("the build server's name again?").await?;
    assert!(!second.injection.recalled.contains("Tortoise"));
    assert_eq!(second.injection.omitted.len(), 1);
    Ok(())
}

#[tokio::test]
async fn the_budget_is_never_exceeded() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    for n in 0..40 {
        let text =
            format!("Greenhouse sensor {n} reports temperature, humidity and soil moisture every {} minutes", n + 2);
        user.remember(RememberRequest::new(text)).await?;
    }
    for budget in [0, 1, 20, 60, 100, 250, 499, 10_000] {
        let request = ContextRequest::new("which greenhouse sensor reports soil moisture?").with_budget(budget);
        let injection = user.context(&request).await?.injection;
        assert!(injection.tokens <= budget.min(500), "{} of {budget}", injection.tokens);
    }
    Ok(())
}

#[tokio::test]
async fn odd_input_is_stored_or_refused_by_a_typed_error() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    for text in ["", "   \n\t", &"x".repeat(2 * 1024 * 1024)] {
        let error = user.remember(RememberRequest::new(text)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    }
    let texts = [
        "NUL \0 inside",
        "👩‍🚀🚀 rocket day",
        "شعار الفريق هو النورس",
        "zero\u{200b}width",
        "e\u{301}clair",
        &"长".repeat(300_000),
    ];
    for text in texts {
        let stored = user.remember(RememberRequest::new(text)).await?;
        assert_eq!(stored.outcome, Outcome::Added, "{:?}", text.chars().take(20).collect::<String>());
        assert_eq!(user.show(stored.id.unwrap()).await?.content, text, "it comes back byte for byte");
    }
    for query in ["", "\0", "\" OR 1=1 --", "NEAR(a b) col:x *", &"很".repeat(200_000)] {
        user.recall(&RecallRequest::new(query)).await?;
    }
    assert!(Scope::user("u".repeat(10_000)).is_err());
    Ok(())
}

#[tokio::test]
async fn a_read_that_does_not_touch_leaves_no_trace() -> Done {
    let world = World::new().await?;
    let user = world.user("ada")?;
    let id = user.remember(RememberRequest::new("The archive room is on level minus two")).await?.id.unwrap();
    user.recall(&RecallRequest::new("where is the archive room").without_touch()).await?;
    assert_eq!(user.show(id).await?.access_count, 0);
    user.recall(&RecallRequest::new("where is the archive room")).await?;
    assert_eq!(user.show(id).await?.access_count, 1);
    assert_eq!(user.history(id).await?.len(), 1, "an access is no version");
    Ok(())
}

/// Says of every message that an attachment of it shows this.
#[derive(Debug)]
struct Eyes(&'static str);

#[async_trait]
impl Extractor for Eyes {
    fn name(&self) -> &str {
        "eyes"
    }

    async fn extract(&self, request: &ExtractionRequest) -> memcore::Result<Extraction> {
        let mut extraction = Extraction::default();
        for message in &request.messages {
            let mut candidate = Candidate::new(self.0, Kind::Fact);
            candidate.source = SourceKind::Document;
            candidate.quote = Some(Quote { message: Some(message.id.clone()), text: String::new(), start: 0, end: 0 });
            extraction.candidates.push(candidate);
        }
        Ok(extraction)
    }
}

#[tokio::test]
async fn what_an_image_shows_is_found_when_asked_for_and_never_injected() -> Done {
    let world = World::with(|builder| builder.extractor(Eyes("白板上写着：发布日期是一月五日。"))).await?;
    let user = world.user("ada")?;
    let mut with_image = Message::user("看看这张照片");
    let image = r#"{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0="}}"#;
    with_image.content.push(serde_json::from_str(image)?);
    let mut session = user.session("one")?;
    session.observe(Turn::of(vec![Message::user("没有图片"), with_image, Message::assistant("好的")])).await?;
    session.finish().await?;

    let page = user.list(&ListRequest::new(user.filter())).await?;
    let [record] = &page.records[..] else { panic!("of one message only: {page:?}") };
    assert_eq!(record.trust, Trust::External);
    let found = user.recall(&RecallRequest::new("白板上的发布日期是哪天")).await?;
    assert_eq!(found.hits.len(), 1);
    let context = user.session("two")?.context("白板上的发布日期是哪天").await?;
    assert!(!format!("{}{}", context.injection.core, context.injection.recalled).contains("一月五日"));
    Ok(())
}

#[tokio::test]
async fn being_recalled_often_wins_no_other_question() -> Done {
    for [one, other, own, shared] in [
        [
            "The archive room key hangs behind the calendar.",
            "The boiler room key hangs behind the curtain.",
            "Where is the key of the archive?",
            "Where does the room key hang?",
        ],
        ["档案室的钥匙挂在日历后面。", "锅炉房的钥匙挂在窗帘后面。", "档案室的钥匙在哪里？", "钥匙挂在哪里？"],
    ] {
        let clock = ManualClock::new("2026-01-05T09:00:00Z".parse()?);
        let world = World::with(|builder| builder.clock(clock.clone())).await?;
        let user = world.user("ada")?;
        for fact in [one, other] {
            user.remember(RememberRequest::new(fact).with_kind(Kind::Fact)).await?;
        }
        clock.advance(Duration::days(200));
        let scores = async || -> memcore::Result<Vec<(String, f32)>> {
            let answer = user.recall(&RecallRequest::new(shared).without_touch()).await?;
            Ok(answer.hits.into_iter().map(|hit| (hit.record.content, hit.score)).collect())
        };
        let before = scores().await?;
        assert_eq!(before.len(), 2, "{before:?}");
        for _ in 0..20 {
            assert_eq!(user.recall(&RecallRequest::new(own).with_limit(1)).await?.hits[0].record.content, one);
        }
        for ((content, was), (now_content, now)) in before.iter().zip(scores().await?) {
            assert_eq!(*content, now_content);
            assert!((was - now).abs() < 1e-4, "{content}: {was}, then {now}");
        }
    }
    Ok(())
}
