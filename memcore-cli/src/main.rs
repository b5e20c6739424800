//! The program `memcore`: a long-term memory for AI agents on the command line.

mod arguments;
mod choices;
mod commands;
mod config;
mod config_file;
mod exit;
mod journal;
#[cfg(feature = "llm")]
mod model;
mod open;
mod output;
mod program;
mod view;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(program::run(std::env::args_os().collect()) as u8)
}
