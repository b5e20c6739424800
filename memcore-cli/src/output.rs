//! What the program prints: data on stdout, status on stderr.

use std::io::{self, IsTerminal, Write};

use serde_json::Value;

use crate::exit::{Exit, Failure};

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ColorChoice {
    /// On terminals, where neither NO_COLOR nor TERM=dumb says otherwise.
    #[default]
    Auto,
    Always,
    Never,
}

/// The answer of a command, for programs and for people.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) json: Value,
    pub(crate) text: String,
    pub(crate) exit: Exit,
    /// The command has written its data itself.
    pub(crate) is_written: bool,
}

impl Answer {
    pub(crate) fn new(json: Value, text: impl Into<String>) -> Self {
        Self { json, text: text.into(), exit: Exit::Done, is_written: false }
    }

    pub(crate) fn written() -> Self {
        Self { is_written: true, ..Self::new(Value::Null, "") }
    }

    pub(crate) fn with_exit(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }
}

/// How to print.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) verbosity: u8,
    pub(crate) color: ColorChoice,
}

impl Output {
    /// One JSON document, or text.
    pub(crate) fn answer(&self, answer: &Answer) -> io::Result<()> {
        if answer.is_written {
            return Ok(());
        }
        if self.json {
            return self.document(&answer.json);
        }
        if answer.text.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(answer.text.as_bytes())?;
        if !answer.text.ends_with('\n') {
            out.write_all(b"\n")?;
        }
        out.flush()
    }

    pub(crate) fn failure(&self, failure: &Failure) -> io::Result<()> {
        if self.json {
            return self.document(&failure.to_json());
        }
        let label = self.colored("error:", "31", io::stderr().is_terminal());
        let mut out = io::stderr().lock();
        writeln!(out, "{label} {}", failure.message)?;
        match &failure.hint {
            Some(hint) => writeln!(out, "hint: {hint}"),
            None => Ok(()),
        }
    }

    /// What is happening, for a person.
    pub(crate) fn status(&self, text: &str) {
        if !self.quiet {
            // Where nobody reads the status, the data still counts.
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// What is happening, for a person who asked for more.
    pub(crate) fn detail(&self, text: &str) {
        if self.verbosity > 0 {
            self.status(text);
        }
    }

    /// Text that may step back, on stdout.
    pub(crate) fn dim(&self, text: &str) -> String {
        self.colored(text, "2", io::stdout().is_terminal())
    }

    fn document(&self, json: &Value) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{json}")?;
        out.flush()
    }

    fn colored(&self, text: &str, code: &str, is_terminal: bool) -> String {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_on = match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                is_terminal && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|of| of != "dumb")
            }
        };
        if is_on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
