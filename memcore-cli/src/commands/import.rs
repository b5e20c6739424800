//! `import`: an export back into a store.

use std::{
    io::{BufRead, Read},
    path::{Path, PathBuf},
};

use memcore::{
    ErrorKind,
    portability::{self, FORMAT, ImportMode, ImportRequest},
};
use serde_json::{Value, json};
use tokio::io::BufReader;

use super::Run;
use crate::{
    exit::{Exit, Failure},
    output::Answer,
};

/// The longest first line that is looked at to tell the format.
const MAX_HEADER_BYTES: u64 = 64 * 1024;
/// Sources of the program's contract that this version does not read.
const NOT_YET: [&str; 6] = ["claude", "chatgpt", "claude-code", "jsonl", "markdown", "mem0"];

/// What to bring in, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The file
    file: PathBuf,
    /// What the file is: memcore, or auto to look
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    from: String,
    /// What to do with memories that are here already
    #[arg(long, value_enum, default_value = "merge")]
    mode: Mode,
    /// Only says what would be done
    #[arg(long)]
    dry_run: bool,
}

/// What to do with memories that are here under the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Mode {
    /// The one that was changed last wins.
    Merge,
    /// The store's stays.
    Skip,
    /// The file's wins.
    Replace,
}

pub(crate) async fn perform(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    check_format(&arguments)?;
    let mut request = ImportRequest::new(match arguments.mode {
        Mode::Merge => ImportMode::Merge,
        Mode::Skip => ImportMode::Skip,
        Mode::Replace => ImportMode::Replace,
    });
    if arguments.dry_run {
        request = request.dry_run();
    }
    let path = &arguments.file;
    let file = tokio::fs::File::open(path).await.map_err(|error| Failure::io(path.display().to_string(), error))?;
    let opened = run.with_vectors().await?;
    let imported = portability::import(&opened.mine, &request, &mut BufReader::new(file)).await;
    let report = imported.map_err(|error| match error.kind() {
        // The call was right, the file is not.
        ErrorKind::InvalidInput => Failure { exit: Exit::Failed, ..error.into() },
        _ => error.into(),
    })?;
    let mut document = json!(report);
    document["dry_run"] = json!(arguments.dry_run);
    let mut text = format!(
        "{}{} memories: {} added, {} updated, {} unchanged, {} skipped, {} known in other records\n",
        if arguments.dry_run { "would import " } else { "" },
        report.memories,
        report.added,
        report.updated,
        report.unchanged,
        report.skipped,
        report.duplicates,
    );
    if let Some(batch) = report.batch {
        text.push_str(&format!("memcore undo {batch} takes it back\n"));
    }
    Ok(Answer::new(document, text))
}

fn check_format(arguments: &Arguments) -> Result<(), Failure> {
    let unsupported = |message: String| {
        Failure { exit: Exit::Usage, ..Failure::unsupported(message) }
            .with_hint("this version imports its own exports: memcore export")
    };
    match arguments.from.as_str() {
        "memcore" => Ok(()),
        "auto" if is_ours(&arguments.file)? => Ok(()),
        "auto" => Err(unsupported("the file is in no format that this version of memcore imports".into())),
        known if NOT_YET.contains(&known) => {
            Err(unsupported(format!("this version of memcore does not import from {known}")))
        }
        _ => Err(Failure::usage("--from is memcore or auto")),
    }
}

/// Whether the first line is a header of ours.
fn is_ours(path: &Path) -> Result<bool, Failure> {
    let failed = |error| Failure::io(path.display().to_string(), error);
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut line = Vec::new();
    std::io::BufReader::new(file.take(MAX_HEADER_BYTES)).read_until(b'\n', &mut line).map_err(failed)?;
    let header: Option<Value> = serde_json::from_slice(&line).ok();
    Ok(header.is_some_and(|header| header.get("format").and_then(Value::as_str) == Some(FORMAT)))
}
