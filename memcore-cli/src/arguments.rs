//! The command line: global flags and the commands.

use std::path::PathBuf;

use clap::{Args, Parser};

use crate::{commands::Command, output::ColorChoice};

/// A long-term memory for AI agents.
///
/// Flags take precedence over environment variables, these over the configuration file, and that over the defaults.
/// Exit codes: 0 done, 1 failed, 2 usage, 3 partly done, 4 configuration, 5 out of reach, 6 no such id, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "memcore", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What holds for every command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    /// The database [env: MEMCORE_DB] [default: $XDG_DATA_HOME/memcore/memory.db]
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) db: Option<PathBuf>,
    /// Whose memories [env: MEMCORE_USER] [default: the login name]
    #[arg(short, long, global = true, value_name = "ID")]
    pub(crate) user: Option<String>,
    /// In which project [env: MEMCORE_PROJECT]
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) project: Option<String>,
    /// In which conversation [env: MEMCORE_SESSION]
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// The configuration [env: MEMCORE_CONFIG] [default: $XDG_CONFIG_HOME/memcore/config.toml]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// What makes vectors: builtin, minilm, e5, none, or a model's folder [env: MEMCORE_EMBEDDER] [default: builtin]
    #[arg(long, global = true, value_name = "E")]
    pub(crate) embedder: Option<String>,
    /// What finds memories in conversations: rules, verbatim, none [env: MEMCORE_EXTRACTOR] [default: rules]
    #[arg(long, global = true, value_name = "E")]
    pub(crate) extractor: Option<String>,
    /// One JSON document on stdout, errors too [env: MEMCORE_JSON]
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// No status on stderr [env: MEMCORE_QUIET]
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// More status on stderr [env: MEMCORE_VERBOSE]
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// When to use colours [env: MEMCORE_COLOR] [default: auto]
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    pub(crate) color: Option<ColorChoice>,
    /// Answers yes to every question [env: MEMCORE_YES]
    #[arg(long, global = true)]
    pub(crate) yes: bool,
    /// Never asks [env: MEMCORE_NO_INPUT]
    #[arg(long, global = true)]
    pub(crate) no_input: bool,
}
