//! Memories out of a store and into another: the lossless `memcore-export/1`, and formats for people and other tools.
//!
//! | format | holds | comes back in |
//! | --- | --- | --- |
//! | [`ExportFormat::Jsonl`] | every record of every status with its versions; transcripts on request | yes, with ids and history |
//! | [`ExportFormat::Markdown`] | what is in force, under headings, as assistants exchange it | |
//! | [`ExportFormat::Mem0`] | what is in force, as mem0 lists it | |
//!
//! `memcore-export/1` is UTF-8 JSON lines with a line feed after each. The first line is a header, the last one a
//! footer with the SHA-256 of all bytes before it. In between, in this order: `session` lines, each followed by the
//! `message` lines of its session (only on request), then `memory` lines, each followed by a `version` line per earlier
//! version. Lines of the type `memory` are [`MemoryRecord`](crate::MemoryRecord)s with `"t":"memory"` before their own
//! fields; vectors are not part of them, and are made anew where they are imported.
//!
//! Exporting, importing into an empty store of the same user and exporting again gives the same bytes, but for the
//! header's time and the footer's hash. What a store does not hand out is not in the format: which batch made a version
//! (what is imported is one batch of its own), the queue, and rejections.

mod check;
mod export;
mod import;
mod lines;
mod markdown;
mod mem0;
mod places;
mod reconcile;
mod rehome;

pub use export::{ExportFormat, ExportReport, ExportRequest, export};
pub use import::{ImportMode, ImportReport, ImportRequest, import};
pub use lines::FORMAT;
