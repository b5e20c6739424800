//! One run: parse, do, print, note.

use std::{
    ffi::OsString,
    io::{self, Write},
    time::Instant,
};

use clap::{Parser, error::ErrorKind};

use crate::{
    arguments::Arguments,
    commands::{self, Run},
    config::{self, Config},
    exit::{Exit, Failure},
    journal,
    output::{Answer, Output},
};

/// Commands of the program's contract that this version does not have.
const NOT_YET: [&str; 10] = ["backup", "chat", "copy", "hook", "maintain", "mcp", "panel", "proxy", "recover", "rekey"];

/// Runs the program with its words, the first of which is its name.
pub(crate) fn run(words: Vec<OsString>) -> Exit {
    let started = Instant::now();
    let arguments = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => return finish_unparsed(&words, &error),
    };
    let name = arguments.command.name();
    let mut output = Output { json: arguments.globals.json, ..Output::default() };
    let outcome = perform(arguments, &mut output);
    let outcome = outcome.and_then(|answer| {
        output.answer(&answer).map_err(|error| Failure::io("the answer cannot be printed", error))?;
        Ok(answer.exit)
    });
    let outcome = match outcome {
        // Whoever reads has had enough.
        Err(failure) if failure.is_broken_pipe => Ok(Exit::Done),
        other => other,
    };
    if let Some(folder) = config::state_folder()
        && let Err(error) = journal::note(&folder, name, &outcome, started.elapsed())
    {
        output.detail(&format!("the log cannot be written: {error}"));
    }
    match outcome {
        Ok(exit) => exit,
        Err(failure) => {
            // Where not even this can be printed, the exit code still says it.
            let _ = output.failure(&failure);
            failure.exit
        }
    }
}

fn perform(arguments: Arguments, output: &mut Output) -> Result<Answer, Failure> {
    let Arguments { globals, command } = arguments;
    *output = config::output(&globals);
    let config = Config::read(&globals)?;
    output.color = config.color;
    let run = Run {
        config,
        output: *output,
        session_flag: globals.session.is_some(),
        project_flag: globals.project.is_some(),
        yes: globals.yes || config::is_on("MEMCORE_YES"),
        may_ask: !globals.no_input && !config::is_on("MEMCORE_NO_INPUT"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failure::io("no runtime", error))?;
    let answer = runtime.block_on(async {
        tokio::select! {
            answer = commands::perform(command, &run) => answer,
            _ = tokio::signal::ctrl_c() => Err(interrupted()),
        }
    });
    // A thread that waits for stdin would hold up the end.
    runtime.shutdown_background();
    answer
}

fn interrupted() -> Failure {
    Failure::new(Exit::Interrupted, "interrupted", "interrupted")
        .with_hint("what was done until then is kept; the same command goes on from there")
}

/// Help, the version, and mistakes.
fn finish_unparsed(words: &[OsString], error: &clap::Error) -> Exit {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // To a closed pipe there is nothing to say.
        let _ = write!(io::stdout(), "{}", error.render());
        return Exit::Done;
    }
    let is_json =
        words.iter().take_while(|word| *word != "--").any(|word| word == "--json") || config::is_on("MEMCORE_JSON");
    let output = Output { json: is_json, ..Output::default() };
    let failure = match later_command(words, error) {
        Some(command) => {
            Failure::new(Exit::Usage, "unsupported", format!("this version of memcore has no command `{command}`"))
                .with_hint("`memcore --help` lists the commands")
        }
        None => {
            let text = error.render().to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text).trim();
            let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
            let hint = rest.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
            Failure::usage(message).with_hint(hint)
        }
    };
    let _ = output.failure(&failure);
    failure.exit
}

fn later_command(words: &[OsString], error: &clap::Error) -> Option<&'static str> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    NOT_YET.into_iter().find(|name| words.iter().any(|word| word == name))
}
