//! The program as scripts use it: its flags, its JSON documents and its exit codes.

mod capture;
mod configuration;
mod erasure;
mod failures;
mod portability;
mod program;
mod recall;
mod revision;
mod store;
