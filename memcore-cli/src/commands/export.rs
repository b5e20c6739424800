//! `export`: what there is of the user, to stdout or into a file.

use std::path::{Path, PathBuf};

use memcore::portability::{self, ExportFormat, ExportReport, ExportRequest};
use serde_json::json;
use tokio::io::{AsyncWrite, AsyncWriteExt, BufWriter};

use super::Run;
use crate::{
    exit::{Exit, Failure},
    open::Opened,
    output::Answer,
};

/// What to write, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// jsonl is lossless; md is for people; mem0 for other tools
    #[arg(long, value_enum, default_value = "jsonl")]
    format: Format,
    /// The file; - for stdout
    #[arg(short, long, value_name = "F", default_value = "-")]
    out: PathBuf,
    /// With sessions and their messages (jsonl)
    #[arg(long)]
    with_sessions: bool,
    #[arg(long, hide = true)]
    with_vectors: bool,
}

/// The forms of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// memcore-export/1.
    Jsonl,
    /// Markdown.
    Md,
    /// A JSON array as mem0 lists it.
    Mem0,
}

pub(crate) async fn perform(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    if arguments.with_vectors {
        return Err(Failure { exit: Exit::Usage, ..Failure::unsupported("this version exports no vectors") }
            .with_hint("leave out --with-vectors: they are made anew where the export is imported"));
    }
    let format = match arguments.format {
        Format::Jsonl => ExportFormat::Jsonl,
        Format::Md => ExportFormat::Markdown,
        Format::Mem0 => ExportFormat::Mem0,
    };
    let mut request = ExportRequest::new(format);
    if arguments.with_sessions {
        if format != ExportFormat::Jsonl {
            return Err(Failure::usage("only --format jsonl holds sessions"));
        }
        request = request.with_sessions();
    }
    let is_stdout = arguments.out == Path::new("-");
    if is_stdout && run.output.json && format == ExportFormat::Markdown {
        return Err(Failure::usage("Markdown is no JSON").with_hint("leave out --json, or name a file with --out"));
    }
    let opened = run.records().await?;
    if is_stdout {
        let report = write(&opened, &request, tokio::io::stdout()).await?;
        let exit = warn(&report, run);
        return Ok(Answer::written().with_exit(exit));
    }
    let report = to_file(&opened, &request, &arguments.out).await?;
    let exit = warn(&report, run);
    let mut document = json!(report);
    document["out"] = json!(arguments.out.display().to_string());
    let text = format!("{} memories written to {}", report.memories, arguments.out.display());
    Ok(Answer::new(document, text).with_exit(exit))
}

async fn write(
    opened: &Opened,
    request: &ExportRequest,
    out: impl AsyncWrite + Unpin + Send,
) -> Result<ExportReport, Failure> {
    let mut out = BufWriter::with_capacity(64 * 1024, out);
    Ok(portability::export(&opened.mine, request, &mut out).await?)
}

/// Writes beside the file and puts the whole in its place: the name never stands for half an export.
async fn to_file(opened: &Opened, request: &ExportRequest, path: &Path) -> Result<ExportReport, Failure> {
    let failed = |error| Failure::io(path.display().to_string(), error);
    // Through a link the file that it leads to is replaced, not the link.
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        // A device or a pipe cannot be replaced.
        let out = tokio::fs::OpenOptions::new().write(true).open(path).await.map_err(failed)?;
        return write(opened, request, out).await;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Made with mode 0600, and removed where it does not come to its name.
    let draft = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    let mut file = tokio::fs::File::from_std(draft.as_file().try_clone().map_err(failed)?);
    let report = write(opened, request, &mut file).await?;
    file.flush().await.map_err(failed)?;
    file.sync_all().await.map_err(failed)?;
    draft.persist(path).map_err(|error| failed(error.error))?;
    Ok(report)
}

fn warn(report: &ExportReport, run: &Run) -> Exit {
    if report.unreached == 0 {
        return Exit::Done;
    }
    run.output.status(&format!(
        "{} memories live in projects that nothing here mentions; an export with --project has them",
        report.unreached
    ));
    Exit::Partly
}
