//! `ingest`: a transcript through the whole capture pipeline.
//!
//! Lines are read one by one and stored as they come, a few hundred at a time, so that a transcript of any length
//! needs little memory and what was read survives an interruption. Then the conversations are read for memories, in
//! the order in which they begin in the file.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{self, BufReader},
    path::{Path, PathBuf},
};

use memcore::{
    Message, Scope,
    core::JobState,
    transcript::{BadLine, MessageIds, TranscriptLine, TranscriptReader},
};
use tokio::sync::mpsc::{self, Receiver};

use super::{Run, capture::Tally};
use crate::{exit::Failure, open::Opened, output::Answer};

/// Messages that wait to be stored, at the most.
const MAX_WAITING: usize = 500;
/// Bytes of their text, at the most.
const MAX_WAITING_BYTES: usize = 8 * 1024 * 1024;
/// Lines that are read ahead.
const READ_AHEAD: usize = 16;

/// What to read.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The transcript; - for stdin
    file: PathBuf,
}

type Line = io::Result<Result<TranscriptLine, BadLine>>;

pub(crate) async fn perform(arguments: Arguments, run: &Run) -> Result<Answer, Failure> {
    let mut lines = read_ahead(&arguments.file)?;
    let mut intake = Intake::new(run.to_capture().await?, &run.config.scope);
    while let Some(line) = lines.recv().await {
        match line.map_err(|error| Failure::io("the transcript cannot be read", error))? {
            Ok(line) => intake.take(line).await?,
            Err(bad) => {
                run.output.detail(&format!("line {}: {}", bad.line, bad.reason));
                intake.tally.bad_lines.push(bad);
            }
        }
    }
    intake.store().await?;
    intake.read_for_memories().await?;
    Ok(intake.tally.into_answer())
}

/// Reads on a thread of its own: waiting for a pipe must not hold up the rest.
fn read_ahead(path: &Path) -> Result<Receiver<Line>, Failure> {
    let (lines, received) = mpsc::channel(READ_AHEAD);
    let input: Box<dyn io::BufRead + Send> = if path == Path::new("-") {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let opened = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
            true => Err(io::ErrorKind::IsADirectory.into()),
            false => Ok(file),
        });
        Box::new(BufReader::new(opened.map_err(|error| Failure::io(path.display().to_string(), error))?))
    };
    let read = move || {
        for line in TranscriptReader::new(input) {
            let is_last = line.is_err();
            if lines.blocking_send(line).is_err() || is_last {
                return;
            }
        }
    };
    std::thread::Builder::new()
        .name("memcore-read-lines".into())
        .spawn(read)
        .map_err(|error| Failure::io("no thread", error))?;
    Ok(received)
}

/// A conversation of the transcript.
struct Conversation {
    scope: Scope,
    waiting: Vec<Message>,
    has_new: bool,
}

struct Intake {
    opened: Opened,
    /// The user, and the project of lines that name none.
    place: Scope,
    ids: MessageIds,
    /// In the order of their first lines.
    conversations: Vec<Conversation>,
    by_scope: HashMap<Scope, usize>,
    waiting: usize,
    waiting_bytes: usize,
    tally: Tally,
}

impl Intake {
    fn new(opened: Opened, scope: &Scope) -> Self {
        Self {
            opened,
            place: scope.clone().with_session(None),
            ids: MessageIds::default(),
            conversations: Vec::new(),
            by_scope: HashMap::new(),
            waiting: 0,
            waiting_bytes: 0,
            tally: Tally::default(),
        }
    }

    async fn take(&mut self, mut line: TranscriptLine) -> Result<(), Failure> {
        self.tally.messages += 1;
        self.ids.assign(&mut line)?;
        let project = line.project.or_else(|| self.place.project_id().cloned());
        let scope = self.place.clone().with_project(project).with_session(Some(line.session));
        let at = *self.by_scope.entry(scope.clone()).or_insert_with(|| {
            self.conversations.push(Conversation { scope, waiting: Vec::new(), has_new: false });
            self.conversations.len() - 1
        });
        self.waiting += 1;
        self.waiting_bytes += line.message.text().len();
        if let Some(conversation) = self.conversations.get_mut(at) {
            conversation.waiting.push(line.message);
        }
        if self.waiting >= MAX_WAITING || self.waiting_bytes >= MAX_WAITING_BYTES {
            self.store().await?;
        }
        Ok(())
    }

    /// Stores what waits, and with it the work of reading it.
    async fn store(&mut self) -> Result<(), Failure> {
        for conversation in &mut self.conversations {
            if conversation.waiting.is_empty() {
                continue;
            }
            let messages = std::mem::take(&mut conversation.waiting);
            let observation = self.opened.memory.scope(conversation.scope.clone()).observe(messages).await?;
            conversation.has_new |= observation.appended > 0;
            self.tally.observed(&observation);
        }
        (self.waiting, self.waiting_bytes) = (0, 0);
        Ok(())
    }

    /// Reads each conversation that has something new, or something left from an earlier run, and ends it.
    async fn read_for_memories(&mut self) -> Result<(), Failure> {
        let names: HashSet<_> = self.conversations.iter().filter_map(|of| of.scope.session_id().cloned()).collect();
        self.tally.sessions = names.len() as u64;
        let left: HashSet<Scope> = self.pending().await?.into_iter().collect();
        for conversation in &self.conversations {
            let Some(session) = conversation.scope.session_id() else { continue };
            if !conversation.has_new && !left.contains(&conversation.scope) {
                continue;
            }
            let place = self.opened.memory.scope(conversation.scope.clone().with_session(None));
            self.tally.captured(place.session(session.as_str())?.finish().await?);
        }
        let waits = self.pending().await?;
        self.tally.pending =
            waits.iter().filter(|scope| scope.session_id().is_some_and(|id| names.contains(id))).count() as u64;
        Ok(())
    }

    /// The conversations of the jobs that wait.
    async fn pending(&self) -> Result<Vec<Scope>, Failure> {
        let user = self.opened.memory.scope(Scope::of_user(self.place.user_id().clone()));
        let jobs = user.jobs().await?;
        Ok(jobs.into_iter().filter(|job| job.state == JobState::Pending).map(|job| job.scope).collect())
    }
}
