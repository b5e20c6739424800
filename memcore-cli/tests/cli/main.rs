//! The program as scripts use it: its flags, its JSON documents and its exit codes.
#![expect(clippy::panic, clippy::unwrap_used, reason = "the helpers of tests state what they expect by unwrapping")]

mod capture;
mod configuration;
mod erasure;
mod failures;
mod portability;
#[path = "../common/program.rs"]
mod program;
mod recall;
mod revision;
mod store;
