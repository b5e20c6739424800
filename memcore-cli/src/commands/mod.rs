//! The commands, one module for each or for a few of a kind.

mod capture;
mod context;
mod doctor;
mod export;
mod forget;
mod import;
mod ingest;
mod list;
mod observe;
mod queue;
mod recall;
mod remember;
mod review;
mod revise;
mod show;
mod store;

use memcore::{MemoryId, Timestamp, core::chrono};

use crate::{
    config::Config,
    exit::{Exit, Failure},
    open::{self, Opened},
    output::{Answer, Output},
};

/// What can be done.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Stores one memory as it is
    Remember(remember::Arguments),
    /// Takes one turn from stdin, {"messages":[…]}, into the conversation of --session
    Observe,
    /// Reads a transcript (JSON lines, a message a line) for memories
    Ingest(ingest::Arguments),
    /// Answers what is remembered about a question
    Recall(recall::Arguments),
    /// Prints the blocks that would go into a prompt
    Context(context::Arguments),
    /// Lists memories
    List(list::Arguments),
    /// Lists what was not captured, and why
    Rejected(list::RejectedArguments),
    /// Shows one memory and where it comes from
    Show(show::Arguments),
    /// Shows all versions of a memory
    History(show::Arguments),
    /// Changes a memory; the old version stays in its history
    Edit(revise::EditArguments),
    /// Takes a memory out of use
    Archive(revise::Arguments),
    /// Brings a memory back into use
    Restore(revise::Arguments),
    /// Takes back a batch of changes, the last one by default
    Undo(revise::UndoArguments),
    /// Pins a memory to the block that is always in the prompt
    Pin(revise::PinArguments),
    /// Erases for good
    Forget(forget::Arguments),
    /// Writes what there is of the user, in every project
    Export(export::Arguments),
    /// Brings an export in
    Import(import::Arguments),
    /// Makes new vectors with the present embedder
    Reindex,
    /// Checks that records, hashes, vectors and index terms agree
    Verify,
    /// Shows figures of the store
    Stats(store::StatsArguments),
    /// Shows what waits to be read for memories, and what was given up
    Queue(queue::Arguments),
    /// Has a language model check the most important memories against the newest conversations
    Review,
    /// Checks file, model, extractor and queue, and says what to do
    Doctor,
}

impl Command {
    /// The command's name, for the log.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Remember(_) => "remember",
            Self::Observe => "observe",
            Self::Ingest(_) => "ingest",
            Self::Recall(_) => "recall",
            Self::Context(_) => "context",
            Self::List(_) => "list",
            Self::Rejected(_) => "rejected",
            Self::Show(_) => "show",
            Self::History(_) => "history",
            Self::Edit(_) => "edit",
            Self::Archive(_) => "archive",
            Self::Restore(_) => "restore",
            Self::Undo(_) => "undo",
            Self::Pin(_) => "pin",
            Self::Forget(_) => "forget",
            Self::Export(_) => "export",
            Self::Import(_) => "import",
            Self::Reindex => "reindex",
            Self::Verify => "verify",
            Self::Stats(_) => "stats",
            Self::Queue(_) => "queue",
            Self::Review => "review",
            Self::Doctor => "doctor",
        }
    }
}

/// What every command knows of its run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) config: Config,
    pub(crate) output: Output,
    /// Whether the session was named on the command line, not by the environment.
    pub(crate) session_flag: bool,
    /// Whether the project was.
    pub(crate) project_flag: bool,
    /// The answer to every question is yes.
    pub(crate) yes: bool,
    /// Whether a person may be asked.
    pub(crate) may_ask: bool,
}

impl Run {
    /// The memory, with its embedder and extractor.
    async fn to_capture(&self) -> Result<Opened, Failure> {
        Ok(self.noting_degraded(open::to_capture(&self.config).await?))
    }

    /// The memory, with its embedder.
    async fn with_vectors(&self) -> Result<Opened, Failure> {
        Ok(self.noting_degraded(open::with_vectors(&self.config).await?))
    }

    fn noting_degraded(&self, opened: Opened) -> Opened {
        if let Some(why) = opened.memory.degraded() {
            self.output.status(&format!("degraded: {why}"));
        }
        opened
    }

    /// The memory, without an embedder.
    async fn records(&self) -> Result<Opened, Failure> {
        open::records(&self.config).await
    }
}

/// Does a command.
pub(crate) async fn perform(command: Command, run: &Run) -> Result<Answer, Failure> {
    match command {
        Command::Remember(arguments) => remember::perform(arguments, run).await,
        Command::Observe => observe::perform(run).await,
        Command::Ingest(arguments) => ingest::perform(arguments, run).await,
        Command::Recall(arguments) => recall::perform(arguments, run).await,
        Command::Context(arguments) => context::perform(arguments, run).await,
        Command::List(arguments) => list::perform(arguments, run).await,
        Command::Rejected(arguments) => list::rejected(arguments, run).await,
        Command::Show(arguments) => show::perform(arguments, run).await,
        Command::History(arguments) => show::history(arguments, run).await,
        Command::Edit(arguments) => revise::edit(arguments, run).await,
        Command::Archive(arguments) => revise::archive(arguments, run).await,
        Command::Restore(arguments) => revise::restore(arguments, run).await,
        Command::Undo(arguments) => revise::undo(arguments, run).await,
        Command::Pin(arguments) => revise::pin(arguments, run).await,
        Command::Forget(arguments) => forget::perform(arguments, run).await,
        Command::Export(arguments) => export::perform(arguments, run).await,
        Command::Import(arguments) => import::perform(arguments, run).await,
        Command::Reindex => store::reindex(run).await,
        Command::Verify => store::verify(run).await,
        Command::Stats(arguments) => store::stats(arguments, run).await,
        Command::Queue(arguments) => queue::perform(arguments, run).await,
        Command::Review => review::perform(run).await,
        Command::Doctor => doctor::perform(run).await,
    }
}

/// The id that a word means. What is no id at all is nobody's id either.
fn memory_id(word: &str) -> Result<MemoryId, Failure> {
    word.parse().map_err(|_| {
        Failure::new(Exit::NoSuchId, "not_found", "there is no memory with this id")
            .with_hint("`memcore list --all` shows the ids of a scope; check user and project")
    })
}

/// A moment on the command line: RFC 3339, or a day, which means its first moment in UTC.
fn moment(word: &str) -> Result<Timestamp, String> {
    let day = || word.parse::<chrono::NaiveDate>().map(|day| day.and_time(chrono::NaiveTime::MIN).and_utc());
    chrono::DateTime::parse_from_rfc3339(word)
        .map(|at| at.to_utc())
        .or_else(|_| day())
        .map_err(|_| "a time is written 2026-05-03T08:00:00Z or 2026-05-03".to_owned())
}
