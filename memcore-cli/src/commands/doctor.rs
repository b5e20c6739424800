//! `doctor`: what is wrong with file, model, extractor and queue, and what to do about it.

use std::path::{Path, PathBuf};

use memcore::core::{JobState, StoreStats};
use serde::Serialize;
use serde_json::json;

use super::{Run, store};
#[cfg(feature = "llm")]
use crate::model;
use crate::{
    choices::{EmbedderChoice, ExtractorChoice},
    exit::{Exit, Failure},
    open::{self, Opened},
    output::Answer,
};

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Ok,
    Warning,
    Fault,
}

/// One finding.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    status: State,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, status: State::Ok, message: message.into(), hint: None }
    }

    fn warning(check: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { check, status: State::Warning, message: message.into(), hint: Some(hint.into()) }
    }

    fn fault(check: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { check, status: State::Fault, message: message.into(), hint: Some(hint.into()) }
    }
}

pub(crate) async fn perform(run: &Run) -> Result<Answer, Failure> {
    let path = &run.config.db;
    if !path.exists() {
        let missing = Finding::ok("file", format!("{} is not there yet: the first memory makes it", path.display()));
        let findings: Vec<Finding> = [missing, extractor(run).await].into_iter().chain(embedder(run).await).collect();
        return Ok(answer(&StoreStats::default(), &findings));
    }
    // Looked at before opening, which may make side files.
    let permissions = permissions(path);
    let opened = match open::with_vectors(&run.config).await {
        Ok(opened) => opened,
        Err(failure) => {
            let check = if failure.exit == Exit::Configuration { "model" } else { "file" };
            let hint = failure.hint.unwrap_or_else(|| "see the message".into());
            return Ok(answer(&StoreStats::default(), &[Finding::fault(check, failure.message, hint), permissions]));
        }
    };
    let stats = opened.memory.admin().stats(None).await?;
    let findings: Vec<Finding> = [
        Finding::ok("file", format!("{} opens, {} bytes", path.display(), stats.db_bytes)),
        permissions,
        Finding::ok("schema", format!("version {}", stats.schema)),
        model(&opened, &stats),
        extractor(run).await,
        queue(&opened, &stats).await?,
        vectors(&stats),
        erasures(&stats),
    ]
    .into_iter()
    .chain(embedder(run).await)
    .collect();
    Ok(answer(&stats, &findings))
}

fn answer(stats: &StoreStats, findings: &[Finding]) -> Answer {
    let mut document = store::figures(stats);
    let is_sound = findings.iter().all(|finding| finding.status != State::Fault);
    document["checks"] = json!(findings);
    document["sound"] = json!(is_sound);
    let mut text = String::new();
    for finding in findings {
        let mark = match finding.status {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Fault => "FAULT",
        };
        text.push_str(&format!("{mark:<8} {}: {}\n", finding.check, finding.message));
        if let Some(hint) = &finding.hint {
            text.push_str(&format!("         {hint}\n"));
        }
    }
    Answer::new(document, text).with_exit(if is_sound { Exit::Done } else { Exit::Failed })
}

#[cfg(unix)]
fn permissions(path: &Path) -> Finding {
    use std::os::unix::fs::PermissionsExt;

    let side = |ending: &str| PathBuf::from(format!("{}{ending}", path.display()));
    let open: Vec<String> = [path.to_owned(), side("-wal"), side("-shm"), side(".lock")]
        .iter()
        .filter(|file| std::fs::metadata(file).is_ok_and(|of| of.permissions().mode() & 0o077 != 0))
        .map(|file| file.display().to_string())
        .collect();
    if open.is_empty() {
        return Finding::ok("permissions", "only the owner may read the files");
    }
    let names = open.join(" ");
    Finding::warning("permissions", format!("others may read {names}"), format!("chmod 600 {names}"))
}

#[cfg(not(unix))]
fn permissions(_: &Path) -> Finding {
    Finding::ok("permissions", "as the folder's")
}

fn model(opened: &Opened, stats: &StoreStats) -> Finding {
    match (opened.memory.degraded(), opened.memory.admin().embedder(), &stats.embedder) {
        (Some(why), _, _) => Finding::fault("model", why, "memcore reindex, or the --embedder that made the vectors"),
        (None, Some(model), _) => Finding::ok("model", format!("{} ({} dimensions)", model.model, model.dimensions)),
        (None, None, Some(model)) => Finding::warning(
            "model",
            format!("words alone are searched, though there are vectors of {}", model.model),
            "choose another embedder than none",
        ),
        (None, None, None) => Finding::ok("model", "none: words alone are searched"),
    }
}

/// Whether a model behind an endpoint answers; costs one short call.
async fn embedder(run: &Run) -> Option<Finding> {
    if run.config.embedder != EmbedderChoice::Remote {
        return None;
    }
    Some(match open::embedder_answers(&run.config).await {
        Ok(()) => Finding::ok("embedder", "the endpoint answers"),
        Err(failure) => {
            let hint = failure.hint.unwrap_or_else(|| "see the message".to_owned());
            Finding::fault("embedder", format!("the endpoint gives no vectors: {}", failure.message), hint)
        }
    })
}

async fn extractor(run: &Run) -> Finding {
    let name = run.config.extractor.name();
    match run.config.extractor {
        ExtractorChoice::None => {
            Finding::warning("extractor", "none: conversations are not read for memories", "--extractor rules")
        }
        ExtractorChoice::Llm => language_model().await,
        ExtractorChoice::Rules | ExtractorChoice::Verbatim => Finding::ok("extractor", name),
    }
}

/// Whether the model that reads conversations answers; costs one short call.
#[cfg(feature = "llm")]
async fn language_model() -> Finding {
    let no_hint = || "see the message".to_owned();
    let model = match model::from_environment() {
        Ok(model) => model,
        Err(failure) => {
            let hint = failure.hint.unwrap_or_else(no_hint);
            return Finding::fault("extractor", format!("llm: {}", failure.message), hint);
        }
    };
    match model::check(&*model).await {
        Ok(()) => Finding::ok("extractor", format!("llm: {} answers", model.name())),
        Err(error) => {
            let hint = error.hint().map_or_else(no_hint, str::to_owned);
            Finding::fault("extractor", format!("llm: {} does not answer: {error}", model.name()), hint)
        }
    }
}

#[cfg(not(feature = "llm"))]
async fn language_model() -> Finding {
    Finding::fault("extractor", "llm: this build asks no language model", "build with --features llm")
}

async fn queue(opened: &Opened, stats: &StoreStats) -> Result<Finding, Failure> {
    if stats.dead_letters > 0 {
        let jobs = opened.memory.admin().jobs().await?;
        let dead = jobs.iter().filter(|job| job.state == JobState::Dead);
        let why = dead.filter_map(|job| job.last_error.as_deref()).next_back().unwrap_or("no reason is known");
        return Ok(Finding::fault(
            "queue",
            format!(
                "{} parts of conversations could not be read and were given up; the last one: {why}",
                stats.dead_letters
            ),
            "memcore queue shows them; when the cause is gone, memcore queue --replay tries them again",
        ));
    }
    Ok(match stats.pending_jobs {
        0 => Finding::ok("queue", "empty"),
        count => Finding::warning(
            "queue",
            format!("{count} parts of conversations wait to be read"),
            "memcore queue --work reads what is due; memcore queue says why the rest waits",
        ),
    })
}

fn vectors(stats: &StoreStats) -> Finding {
    match stats.pending_vectors {
        0 => Finding::ok("vectors", format!("{} records have vectors", stats.vectors)),
        count => Finding::warning(
            "vectors",
            format!("{count} records have no vectors: only their words are searched"),
            "memcore reindex",
        ),
    }
}

fn erasures(stats: &StoreStats) -> Finding {
    match stats.pending_purges {
        0 => Finding::ok("erasures", "complete"),
        count => Finding::warning(
            "erasures",
            format!("{count} erasures may have left bytes in the file"),
            "close other programs that read the database; the next call finishes them",
        ),
    }
}
