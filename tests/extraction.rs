//! The regression set of conversations: each with recorded replies of a model, good and bad, and what must come of it.
//!
//! `cases/README.md` says what a line holds. The conversations run offline, through the whole pipeline on real SQLite;
//! `cargo run --release -p memcore-benches --features llm --bin extraction` runs them with a live model.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex},
};

use memcore::{
    Error, ErrorKind, Message, RecallRequest, RememberRequest, ScopedMemory, Status, Turn,
    core::{ChatReply, ListRequest, MemoryRecord, Role},
};
use memcore_llm::{FnChatModel, LlmExtractor};
use memcore_tests::{World, case::Case};

type Done = Result<(), Box<dyn std::error::Error>>;

/// What every part of the set has in both languages.
const CATEGORIES: [&str; 19] = [
    "assistant_suggestion",
    "attack",
    "contradiction",
    "date",
    "explicit",
    "hypothetical",
    "injected_block",
    "invented",
    "irony",
    "preference_change",
    "quote",
    "reference",
    "retraction",
    "rhetorical",
    "session_constraint",
    "smalltalk",
    "spread",
    "third_party",
    "tool_text",
];

#[test]
fn the_set_has_every_kind_in_both_languages() -> Done {
    let cases = Case::all()?;
    assert!(cases.len() >= 60, "{} conversations", cases.len());
    let mut found: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for case in &cases {
        let counts = found.entry(&case.category).or_default();
        counts[usize::from(case.language == "zh")] += 1;
    }
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), CATEGORIES);
    assert!(found.values().all(|counts| counts.iter().all(|count| *count >= 2)), "{found:?}");
    let names: std::collections::BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "names are unique");
    Ok(())
}

#[tokio::test]
async fn what_must_be_stored_is_stored_and_nothing_else() -> Done {
    let mut faults = Vec::new();
    for case in Case::all()? {
        let found = run(&case).await?;
        if !found.is_empty() {
            faults.push(format!("[{}] {}\n    {}", case.category, case.name, found.join("\n    ")));
        }
    }
    assert!(faults.is_empty(), "{} conversations went wrong:\n{}", faults.len(), faults.join("\n"));
    Ok(())
}

/// A model that gives the recorded replies, one a call.
fn recorded(case: &Case) -> (FnChatModel, Arc<Mutex<VecDeque<String>>>) {
    let replies = Arc::new(Mutex::new(VecDeque::from(case.replies.clone())));
    let left = replies.clone();
    let model = FnChatModel::new("recorded", move |_| {
        let reply = left.lock().map_or(None, |mut left| left.pop_front());
        async move { reply.map(ChatReply::new).ok_or_else(|| Error::new(ErrorKind::Unavailable, "no more replies")) }
    });
    (model, replies)
}

/// Plays a conversation, and answers what went wrong.
async fn run(case: &Case) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let (model, left) = recorded(case);
    let world = World::with(|builder| builder.extractor(LlmExtractor::new(Arc::new(model)))).await?;
    let user = world.user("ada")?;
    for known in &case.known {
        user.remember(RememberRequest::new(known)).await?;
    }
    let mut session = user.session("one")?;
    session.observe(Turn::of(case.messages())).await?;
    let report = session.finish().await?;

    let mut faults = Vec::new();
    let mut expect = |is_so: bool, fault: String| {
        if !is_so {
            faults.push(fault);
        }
    };
    let left = left.lock().map_or(0, |left| left.len());
    expect(left == 0, format!("{left} replies were not asked for"));
    expect(report.errors.is_empty() != case.failed, format!("errors: {:?}", report.errors));
    let mut reasons: Vec<String> =
        report.rejected.iter().map(|rejection| format!("{:?}", rejection.reason).to_lowercase()).collect();
    let mut expected: Vec<String> = case.rejected.iter().map(|reason| reason.replace('_', "")).collect();
    reasons.sort();
    expected.sort();
    expect(reasons == expected, format!("turned down for {reasons:?}"));

    let records = all(&user).await?;
    let (active, closed): (Vec<_>, Vec<_>) = records.iter().partition(|record| record.status == Status::Active);
    expect(active.len() == case.stored.len(), format!("stored: {:?}", contents(&active)));
    for words in &case.stored {
        let found = active.iter().filter(|record| holds(record, words)).count();
        expect(found == 1, format!("{found} memories hold {words:?}: {:?}", contents(&active)));
    }
    for words in &case.gone {
        expect(closed.iter().any(|record| holds(record, words)), format!("{words:?} was not closed"));
    }
    for record in records.iter().filter(|record| record.provenance.extractor == "llm") {
        expect(is_quoted(record, case), format!("no word of the user's: {:?}", record.provenance.quotes));
    }
    let found = user.recall(&RecallRequest::new(&case.words_of_the_user())).await?;
    expect(found.hits.iter().all(|hit| hit.record.status == Status::Active), "a closed memory is recalled".to_owned());
    Ok(faults)
}

async fn all(user: &ScopedMemory) -> memcore::Result<Vec<MemoryRecord>> {
    let request = ListRequest::new(user.filter().with_all_statuses()).with_limit(100);
    Ok(user.list(&request).await?.records)
}

fn contents(records: &[&MemoryRecord]) -> Vec<String> {
    records.iter().map(|record| record.content.clone()).collect()
}

fn holds(record: &MemoryRecord, words: &[String]) -> bool {
    words.iter().all(|word| record.content.contains(word.as_str()))
}

/// Whether every quote stands at its offsets in a message of the user's.
fn is_quoted(record: &MemoryRecord, case: &Case) -> bool {
    let said: Vec<String> =
        case.messages().iter().filter(|message| message.role == Role::User).map(Message::text).collect();
    let quotes = &record.provenance.quotes;
    let stands = |quote: &memcore::core::Quote| {
        said.iter().any(|words| words.get(quote.start..quote.end) == Some(quote.text.as_str()))
    };
    !quotes.is_empty() && quotes.iter().all(stands)
}
