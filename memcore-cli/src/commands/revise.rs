//! `edit`, `archive`, `restore`, `undo` and `pin`: changes that keep history.

use memcore::{Edit, ErrorKind, Importance, Kind, MemoryId, Status, core::BatchId};
use serde_json::json;

use super::{Run, memory_id};
use crate::{
    exit::{Exit, Failure},
    output::Answer,
};

/// Which memory.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id
    id: String,
}

/// What to change.
#[derive(Debug, clap::Args)]
pub(crate) struct EditArguments {
    /// The memory's id
    id: String,
    #[command(flatten)]
    changes: Changes,
}

/// At least one of these.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
struct Changes {
    /// New words
    #[arg(long, value_name = "TEXT")]
    content: Option<String>,
    /// New weight, 1 to 10
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    importance: Option<u8>,
    /// New kind
    #[arg(long, value_name = "K")]
    kind: Option<Kind>,
}

pub(crate) async fn edit(arguments: EditArguments, run: &Run) -> Result<Answer, Failure> {
    let id = memory_id(&arguments.id)?;
    let mut edit = Edit::default();
    edit.content = arguments.changes.content;
    edit.importance = arguments.changes.importance.map(Importance::clamped);
    edit.kind = arguments.changes.kind;
    run.with_vectors().await?.mine.edit(id, edit).await?;
    Ok(changed(id, "edited"))
}

pub(crate) async fn archive(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    let id = memory_id(&arguments.id)?;
    let mine = run.records().await?.mine;
    let before = mine.show(id).await?.status;
    mine.archive(id).await?;
    Ok(changed(id, if before == Status::Archived { "unchanged" } else { "archived" }))
}

pub(crate) async fn restore(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    let id = memory_id(&arguments.id)?;
    let mine = run.records().await?.mine;
    let before = mine.show(id).await?.status;
    mine.restore(id).await?;
    Ok(changed(id, if before == Status::Active { "unchanged" } else { "restored" }))
}

/// Whether to pin.
#[derive(Debug, clap::Args)]
pub(crate) struct PinArguments {
    /// The memory's id
    id: String,
    /// Takes the pin away
    #[arg(long)]
    off: bool,
}

pub(crate) async fn pin(arguments: PinArguments, run: &Run) -> Result<Answer, Failure> {
    let id = memory_id(&arguments.id)?;
    run.records().await?.mine.pin(id, !arguments.off).await?;
    Ok(changed(id, if arguments.off { "unpinned" } else { "pinned" }))
}

/// Which batch.
#[derive(Debug, clap::Args)]
pub(crate) struct UndoArguments {
    /// Its id, as `import` and `history` show it; the last one by default
    batch: Option<String>,
}

pub(crate) async fn undo(arguments: UndoArguments, run: &Run) -> Result<Answer, Failure> {
    let named = arguments.batch.as_deref().map(batch_id).transpose()?;
    let mine = run.with_vectors().await?.mine;
    match mine.undo(named).await {
        Ok((batch, memories)) => {
            let text = format!("undone: {} memories of batch {batch}", memories.len());
            Ok(Answer::new(json!({ "id": batch, "outcome": "undone", "memories": memories }), text))
        }
        Err(error) if named.is_none() && error.kind() == ErrorKind::NotFound => {
            let document = json!({ "id": null, "outcome": "nothing_to_undo", "memories": [] });
            Ok(Answer::new(document, "nothing to undo"))
        }
        Err(error) => Err(error.into()),
    }
}

fn batch_id(word: &str) -> Result<BatchId, Failure> {
    word.parse().map_err(|_| Failure::new(Exit::NoSuchId, "not_found", "there is no batch with this id"))
}

fn changed(id: MemoryId, outcome: &str) -> Answer {
    Answer::new(json!({ "id": id, "outcome": outcome }), format!("{outcome} {id}"))
}
