//! Behaviour cases: what is said, by whom and when, and what must hold afterwards. One case a line in `cases/`.
//!
//! Each runs on real SQLite with the rules and the built-in embeddings; with the feature `candle` and
//! `MEMCORE_TEST_MODELS` set, on multilingual-e5-small as well.

use memcore::{
    ContextRequest, Memory, Message, RecallRequest, Role, Scope, ScopedMemory, Turn,
    core::{ListRequest, chrono::DateTime},
};
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

const CASES: &str = include_str!("cases/behaviour.jsonl");

#[tokio::test]
async fn every_case_holds_with_the_built_in_embeddings() -> Result<(), Failure> {
    run_all("builtin", async |path| Ok(Memory::open(path).await?)).await
}

#[cfg(feature = "candle")]
#[tokio::test]
async fn every_case_holds_with_e5() -> Result<(), Failure> {
    use memcore::candle::{E5Small, ModelSource};

    let Some(models) = std::env::var_os("MEMCORE_TEST_MODELS") else {
        println!("MEMCORE_TEST_MODELS is unset: the cases do not run with e5");
        return Ok(());
    };
    let folder = std::path::PathBuf::from(models).join("e5-small");
    run_all("e5", async |path| {
        let store = memcore::sqlite::SqliteStore::open(path).await?;
        Ok(Memory::builder(store, E5Small::load(ModelSource::directory(&folder))?).build().await?)
    })
    .await
}

async fn run_all(
    embedder: &str,
    open: impl AsyncFn(std::path::PathBuf) -> Result<Memory, Failure>,
) -> Result<(), Failure> {
    let mut failed = Vec::new();
    let mut count = 0;
    for line in CASES.lines().filter(|line| !line.is_empty()) {
        let case: Value = serde_json::from_str(line)?;
        count += 1;
        let folder = tempfile::tempdir()?;
        let memory = open(folder.path().join("memory.db")).await?;
        for wrong in run(&memory, &case).await? {
            failed.push(format!("{}: {wrong}", case["id"]));
        }
    }
    assert!(count > 40, "the cases were not read");
    assert!(failed.is_empty(), "{embedder}: {} checks failed\n{}", failed.len(), failed.join("\n"));
    Ok(())
}

async fn run(memory: &Memory, case: &Value) -> Result<Vec<String>, Failure> {
    for session in list(&case["sessions"]) {
        let user = scoped(memory, session)?;
        let mut conversation = user.session(session["id"].as_str().unwrap_or("s"))?;
        let at = DateTime::parse_from_rfc3339(session["at"].as_str().unwrap_or("2026-05-03T08:00:00Z"))?.to_utc();
        let mut messages = Vec::new();
        for said in list(&session["messages"]) {
            let role: Role = serde_json::from_value(said[0].clone())?;
            messages.push(Message::new(role, text(&said[1])).with_at(at));
        }
        conversation.observe(Turn::of(messages)).await?;
        let report = conversation.finish().await?;
        assert_eq!((report.failed, report.pending), (0, 0));
    }
    let mut wrong = Vec::new();
    for check in list(&case["checks"]) {
        wrong.extend(failures(&scoped(memory, check)?, check).await?);
    }
    Ok(wrong)
}

fn scoped(memory: &Memory, of: &Value) -> Result<ScopedMemory, Failure> {
    let mut scope = Scope::user(of["user"].as_str().unwrap_or("u1"))?;
    if let Some(project) = of["project"].as_str() {
        scope = scope.project(project)?;
    }
    Ok(memory.scope(scope))
}

async fn failures(user: &ScopedMemory, check: &Value) -> Result<Vec<String>, Failure> {
    if let Some(query) = check["recall"].as_str() {
        let hits = user.recall(&RecallRequest::new(query)).await?.hits;
        let found: Vec<String> = hits.into_iter().map(|hit| hit.record.content).collect();
        return Ok(compare(check, query, &found));
    }
    if let Some(query) = check["context"].as_str() {
        let injection = user.context(&ContextRequest::new(query)).await?.injection;
        let mut wrong = compare(check, query, &[injection.core, injection.recalled.clone()]);
        if check["empty"] == true && !injection.recalled.is_empty() {
            wrong.push(format!("{query}: injected {}", injection.recalled));
        }
        return Ok(wrong);
    }
    let mut filter = user.filter();
    if check["list"] == "all" {
        filter = filter.with_all_statuses();
    }
    let page = user.list(&ListRequest::new(filter).with_limit(500)).await?;
    let found: Vec<String> = page
        .records
        .into_iter()
        .filter(|record| check["status"].is_null() || check["status"] == record.status.as_str())
        .map(|record| record.content)
        .collect();
    Ok(compare(check, "list", &found))
}

/// The checks, by name: `first`, `first_lacks`, `any`/`has`, `absent`/`lacks`, `count`, `none`.
fn compare(check: &Value, what: &str, found: &[String]) -> Vec<String> {
    let first = found.first().map_or("", String::as_str);
    let anywhere = |needle: &str| found.iter().any(|text| text.contains(needle));
    let mut wrong = Vec::new();
    for name in ["first", "first_lacks", "any", "has", "absent", "lacks"] {
        for needle in list(&check[name]).iter().map(text) {
            let holds = match name {
                "first" => first.contains(needle),
                "first_lacks" => !first.contains(needle),
                "any" | "has" => anywhere(needle),
                _ => !anywhere(needle),
            };
            if !holds {
                wrong.push(format!("{what}: {name} {needle} in {found:?}"));
            }
        }
    }
    if check["none"] == true && !found.is_empty() {
        wrong.push(format!("{what}: expected nothing, found {found:?}"));
    }
    if let Some(count) = check["count"].as_u64()
        && count != found.len() as u64
    {
        wrong.push(format!("{what}: expected {count}, found {found:?}"));
    }
    wrong
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
