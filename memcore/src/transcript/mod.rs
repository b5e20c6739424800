//! Transcripts as JSON lines, one message a line, as hosts keep and exchange them.
//!
//! ```text
//! {"session":"s1","role":"user","content":"I live in Porto.","at":"2026-05-03T08:00:00Z"}
//! ```
//!
//! Reading only: what a line says goes into a session through [`ScopedMemory::observe`](crate::ScopedMemory::observe).
//! A bad line is reported with its number and never stops the lines behind it.

mod ids;
mod line;
mod reader;
mod surrogates;

pub use ids::MessageIds;
pub use line::{TranscriptLine, message_from_json};
pub use reader::{BadLine, MAX_LINE_BYTES, TranscriptReader};
