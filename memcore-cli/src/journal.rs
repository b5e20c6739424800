//! The log: which command ran when, how it ended, how long it took. Never what it was about.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Write},
    path::Path,
    time::Duration,
};

use memcore::core::{Clock, SystemClock};

use crate::exit::{Exit, Failure};

/// Bytes from which the log becomes `memcore.log.1`, and a new one begins.
const MAX_BYTES: u64 = 1024 * 1024;

/// Adds a line for a run.
pub(crate) fn note(folder: &Path, command: &str, outcome: &Result<Exit, Failure>, took: Duration) -> io::Result<()> {
    let (exit, rest) = match outcome {
        Ok(exit) => (*exit, String::new()),
        Err(failure) => {
            let message = if failure.is_loggable { failure.message.as_str() } else { "" };
            (failure.exit, format!(" kind={} {message}", failure.kind))
        }
    };
    let line = format!(
        "{} {command} exit={} ms={}{}\n",
        SystemClock.now().to_rfc3339(),
        exit as u8,
        took.as_millis(),
        rest.trim_end().replace(['\n', '\r'], " "),
    );
    append(folder, &line)
}

fn append(folder: &Path, line: &str) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    let path = folder.join("memcore.log");
    if fs::metadata(&path).is_ok_and(|log| log.len() >= MAX_BYTES) {
        fs::rename(&path, folder.join("memcore.log.1"))?;
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // One write per line, so that lines of several processes stay whole.
    options.open(path)?.write_all(line.as_bytes())
}
