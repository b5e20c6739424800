//! `forget`: erases for good, after a preview.

use std::io::{self, BufRead, IsTerminal, Write};

use memcore::{
    ForgetReceipt, MemoryId, MemoryRecord, ScopedMemory,
    core::{ListRequest, PurgeState, SessionId},
};
use serde_json::{Value, json};

use super::{Run, memory_id};
use crate::{
    exit::{Exit, Failure},
    open::Opened,
    output::Answer,
    view,
};

/// Memories that a preview lists.
const MAX_PREVIEW: usize = 50;

/// What to erase: ids, or one of the options, or --session.
#[derive(Debug, clap::Args)]
#[command(after_help = "With --session and nothing else, the conversation and all that comes from it is erased.")]
pub(crate) struct Arguments {
    /// Memories, by id
    ids: Vec<String>,
    /// The memories that match these words
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["ids", "source", "all"])]
    query: Option<String>,
    /// The memories of a source: an extractor's name, or user, tool, import, …
    #[arg(long, value_name = "X", conflicts_with_all = ["ids", "all"])]
    source: Option<String>,
    /// Everything of the user, in every project
    #[arg(long, conflicts_with = "ids")]
    all: bool,
}

/// What is meant.
enum Target {
    Memories(Vec<MemoryRecord>),
    Session(SessionId, Vec<MemoryRecord>),
    Everything(Vec<MemoryRecord>),
}

pub(crate) async fn perform(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    let opened = run.with_vectors().await?;
    let target = find(arguments, run, &opened).await?;
    if !run.yes {
        confirm(&target, run)?;
    }
    let mine = &opened.mine;
    let receipt = match target {
        Target::Memories(records) => {
            let ids: Vec<MemoryId> = records.iter().map(|record| record.id).collect();
            mine.forget(&ids).await?
        }
        Target::Session(session, _) => mine.forget_session(&session).await?,
        Target::Everything(_) => mine.forget_everything().await?,
    };
    Ok(answer(&receipt))
}

async fn find(arguments: Arguments, run: &Run, opened: &Opened) -> Result<Target, Failure> {
    let mine = &opened.mine;
    if !arguments.ids.is_empty() {
        let mut records = Vec::new();
        for word in &arguments.ids {
            // One unknown id, and nothing is erased.
            records.push(mine.show(memory_id(word)?).await?);
        }
        return Ok(Target::Memories(records));
    }
    if let Some(query) = &arguments.query {
        return Ok(Target::Memories(mine.matching(query).await?));
    }
    if let Some(source) = &arguments.source {
        return Ok(Target::Memories(mine.of_source(source).await?));
    }
    if arguments.all {
        if run.project_flag || run.session_flag {
            return Err(Failure::usage("--all erases everything of the user, in every project")
                .with_hint("leave out --project and --session"));
        }
        return Ok(Target::Everything(every(mine, |_| true).await?));
    }
    // A session of the environment is where one is, not what one points at.
    match run.config.scope.session_id().filter(|_| run.session_flag) {
        Some(session) => {
            let from_it = |record: &MemoryRecord| record.provenance.session.as_ref() == Some(session);
            let records = every(mine, from_it).await?;
            Ok(Target::Session(session.clone(), records))
        }
        None => Err(Failure::usage("say what to forget").with_hint("ids, --query, --source, --session or --all")),
    }
}

/// The memories of every status that the scope sees and `is_meant` admits, for a preview.
async fn every(mine: &ScopedMemory, is_meant: impl Fn(&MemoryRecord) -> bool) -> Result<Vec<MemoryRecord>, Failure> {
    let (mut records, mut cursor) = (Vec::new(), None);
    loop {
        let filter = mine.filter().with_all_statuses();
        let page = mine.list(&ListRequest::new(filter).with_limit(200).with_cursor(cursor)).await?;
        records.extend(page.records.into_iter().filter(&is_meant));
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(records),
        }
    }
}

/// Shows what would be erased and asks; a failure where nobody can be asked, or the answer is no.
fn confirm(target: &Target, run: &Run) -> Result<(), Failure> {
    let (what, records) = match target {
        Target::Memories(records) if records.is_empty() => return Ok(()),
        Target::Memories(records) => (format!("{} memories", records.len()), records),
        Target::Session(session, records) => (format!("session {session} and {} memories", records.len()), records),
        Target::Everything(records) => {
            (format!("everything of the user: {} memories here, and all projects and sessions", records.len()), records)
        }
    };
    let can_ask = run.may_ask && !run.output.json && io::stdin().is_terminal() && io::stderr().is_terminal();
    if can_ask {
        let mut err = io::stderr().lock();
        let asked = (|| {
            for record in records.iter().take(MAX_PREVIEW) {
                write!(err, "{}", view::line(&run.output, record))?;
            }
            write!(err, "erase {what} for good? [y/N] ")?;
            err.flush()?;
            let mut line = String::new();
            io::stdin().lock().read_line(&mut line)?;
            Ok(matches!(line.trim(), "y" | "Y" | "yes"))
        })();
        return match asked.map_err(|error| Failure::io("the question cannot be asked", error))? {
            true => Ok(()),
            false => Err(Failure::new(Exit::Failed, "declined", "nothing was erased")),
        };
    }
    let preview: Vec<Value> =
        records.iter().take(MAX_PREVIEW).map(|record| json!({ "id": record.id, "content": record.content })).collect();
    if !run.output.json {
        for record in records.iter().take(MAX_PREVIEW) {
            run.output.status(view::line(&run.output, record).trim_end());
        }
    }
    Err(Failure::new(Exit::Usage, "confirmation_needed", format!("nothing was erased: this would erase {what}"))
        .with_hint("the same command with --yes erases for good")
        .with_detail("preview", Value::Array(preview))
        .with_detail("forgotten", json!([])))
}

fn answer(receipt: &ForgetReceipt) -> Answer {
    let mut fields = json!(receipt);
    let forgotten = fields.as_object_mut().and_then(|fields| fields.remove("forgotten")).unwrap_or_default();
    let count = receipt.forgotten.len();
    let (exit, text) = match &receipt.purge {
        PurgeState::Purged => (Exit::Done, format!("{count} memories erased, no byte is left")),
        PurgeState::Pending(why) => {
            (Exit::Partly, format!("{count} memories erased; bytes may remain in the file for now: {why}"))
        }
    };
    Answer::new(json!({ "forgotten": forgotten, "receipt": fields }), text).with_exit(exit)
}
