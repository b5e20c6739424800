//! The program with a language model behind a real HTTP server that answers as it is told to.
#![expect(clippy::panic, clippy::unwrap_used, reason = "the helpers of tests state what they expect by unwrapping")]

mod embedder;
mod failures;
mod kills;
mod reading;
mod server;

#[allow(dead_code, reason = "these tests use a part of it")]
#[path = "../common/program.rs"]
mod program;
