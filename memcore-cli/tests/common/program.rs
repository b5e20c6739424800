//! The program under test, in a folder of its own: nothing of the caller's configuration reaches it.

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with a database, and the program to work on it.
pub(crate) struct Program {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

/// What a run answered.
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) json: Value,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The id in the answer.
    pub(crate) fn id(&self) -> String {
        self.json["id"].as_str().unwrap_or_else(|| panic!("no id in {}", self.json)).to_owned()
    }

    /// The kind of the error in the answer.
    pub(crate) fn kind(&self) -> &str {
        self.json["error"]["kind"].as_str().unwrap_or_default()
    }
}

impl Program {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), variables: Vec::new() }
    }

    /// Sets an environment variable for later runs.
    pub(crate) fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A path in the folder, as an argument.
    pub(crate) fn argument(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Writes a file into the folder and answers its path as an argument.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).unwrap();
        self.argument(name)
    }

    /// A command without any of the usual flags.
    pub(crate) fn bare(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memcore"));
        command.args(words).env_clear().env("HOME", self.folder.path()).env("USER", "login");
        for (name, folder) in [("CONFIG", "config"), ("DATA", "data"), ("STATE", "state"), ("CACHE", "cache")] {
            command.env(format!("XDG_{name}_HOME"), self.path(folder));
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a command on the folder's database, with --json.
    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        self.run_with_stdin(words, "")
    }

    pub(crate) fn run_with_stdin(&self, words: &[&str], stdin: &str) -> Ran {
        let mut all = vec!["--json", "--no-input"];
        let db = self.argument("memory.db");
        if !words.contains(&"--db") {
            all.extend(["--db", db.as_str()]);
        }
        all.extend(words);
        let ran = ran(self.bare(&all), stdin);
        assert!(ran.json.is_object(), "no single JSON object: {:?} {:?}", ran.stdout, ran.stderr);
        ran
    }

    /// Runs a command that must succeed, and answers its document.
    pub(crate) fn answer(&self, words: &[&str]) -> Value {
        let ran = self.run(words);
        assert_eq!(ran.exit, 0, "{words:?}: {} {}", ran.json, ran.stderr);
        ran.json
    }

    /// Stores a statement and answers its id.
    pub(crate) fn remember(&self, words: &[&str]) -> String {
        let all: Vec<&str> = ["remember"].into_iter().chain(words.iter().copied()).collect();
        let ran = self.run(&all);
        assert_eq!(ran.exit, 0, "{}", ran.json);
        ran.id()
    }

    /// Runs a command as a person does, without --json.
    pub(crate) fn text(&self, words: &[&str]) -> Ran {
        let db = self.argument("memory.db");
        let all: Vec<&str> = ["--db", db.as_str()].into_iter().chain(words.iter().copied()).collect();
        ran(self.bare(&all), "")
    }

    /// Whether any file of the folder holds these bytes.
    pub(crate) fn holds(&self, bytes: &str) -> bool {
        fn holds(folder: &std::path::Path, bytes: &[u8]) -> bool {
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| match path.is_dir() {
                true => holds(&path, bytes),
                false => fs::read(path).unwrap().windows(bytes.len()).any(|part| part == bytes),
            })
        }
        holds(self.folder.path(), bytes.as_bytes())
    }
}

/// Runs a prepared command.
pub(crate) fn ran(mut command: Command, stdin: &str) -> Ran {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // A program that does not read its stdin may have ended by now.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    Ran { exit: status.code().unwrap(), json: serde_json::from_str(&stdout).unwrap_or_default(), stdout, stderr }
}
