//! The first reading of a file: nothing is imported unless all of it is sound.

use memcore_core::{Error, ErrorKind, MAX_CONTENT_BYTES, MemoryId, MemoryRecord, Result, Scope, Status, UserId, text};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

use super::{
    lines::{FORMAT, Header, Line, VERSION, hex},
    rehome::Rehome,
};

/// The longest line that is read: a message of the largest size, with every character escaped.
const MAX_LINE_BYTES: u64 = 128 * 1024 * 1024;

/// A line of a file.
#[derive(Debug)]
pub(super) enum Read {
    Known(Line),
    /// Of a type that this version does not know.
    Unknown,
}

/// Reads a file's lines.
#[derive(Debug)]
pub(super) struct LineReader<'a, R> {
    input: &'a mut R,
    buffer: Vec<u8>,
    line: u64,
}

impl<'a, R: AsyncBufRead + Unpin + Send> LineReader<'a, R> {
    pub(super) fn new(input: &'a mut R) -> Self {
        Self { input, buffer: Vec::new(), line: 0 }
    }

    /// The next line; none at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Read>> {
        self.buffer.clear();
        let mut limited = (&mut *self.input).take(MAX_LINE_BYTES);
        let read = limited.read_until(b'\n', &mut self.buffer).await.map_err(cannot_read)?;
        if read == 0 {
            return Ok(None);
        }
        self.line += 1;
        if read as u64 == MAX_LINE_BYTES {
            return Err(self.bad("is longer than any that memcore writes"));
        }
        match serde_json::from_slice(&self.buffer) {
            Ok(line) => Ok(Some(Read::Known(line))),
            Err(_) => self.unknown().map(Some),
        }
    }

    /// A line that does not parse: of another type, or damaged.
    fn unknown(&self) -> Result<Read> {
        let value: Value = serde_json::from_slice(&self.buffer).map_err(|_| self.bad("is not valid JSON"))?;
        match value.get("t").and_then(Value::as_str) {
            Some("header" | "session" | "message" | "memory" | "version" | "footer") => {
                Err(self.bad("has not the fields of its type"))
            }
            Some(_) => Ok(Read::Unknown),
            None => Err(self.bad("has no type")),
        }
    }

    pub(super) fn bad(&self, what: &str) -> Error {
        Error::invalid(format!("line {} {what}", self.line)).with_hint("nothing was imported; export once more")
    }
}

/// An active memory of the file, for finding the ones that the store has under another id.
#[derive(Debug)]
pub(super) struct Stated {
    pub(super) id: MemoryId,
    pub(super) scope: Scope,
    pub(super) words: [u8; 32],
}

/// What the first reading found.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) rehome: Rehome,
    pub(super) stated: Vec<Stated>,
}

/// Reads all lines: header, known fields, counts of lines, hash.
pub(super) async fn check<R>(input: &mut R, user: &UserId) -> Result<Checked>
where
    R: AsyncBufRead + Unpin + Send,
{
    let mut lines = LineReader::new(input);
    let mut hash = Sha256::new();
    let rehome = match lines.next().await {
        Ok(Some(Read::Known(Line::Header(header)))) => Rehome::new(user.clone(), &known_format(header)?.user),
        Ok(_) => return Err(not_ours()),
        Err(error) if error.kind() == ErrorKind::Io => return Err(error),
        Err(_) => return Err(not_ours()),
    };
    hash.update(&lines.buffer);
    let mut stated = Vec::new();
    loop {
        let line = match lines.next().await? {
            Some(Read::Known(line)) => line,
            Some(Read::Unknown) => {
                hash.update(&lines.buffer);
                continue;
            }
            None => {
                return Err(Error::invalid("the export is cut off: it has no footer")
                    .with_hint("nothing was imported; export once more"));
            }
        };
        match line {
            Line::Header(_) => return Err(lines.bad("is a second header")),
            Line::Footer(footer) => {
                if footer.lines != lines.line - 1 || footer.sha256 != hex(&hash.finalize()) {
                    return Err(Error::invalid("the export is damaged or was edited: its hash differs")
                        .with_hint("nothing was imported; export once more"));
                }
                break;
            }
            Line::Memory(mut record) => {
                check_content(&record).map_err(|what| lines.bad(what))?;
                rehome.record(&mut record);
                if record.status == Status::Active {
                    let words = words(&record.content);
                    stated.push(Stated { id: record.id, scope: record.scope, words });
                }
            }
            Line::Version(version) => check_content(&version.record).map_err(|what| lines.bad(what))?,
            Line::Message(message) if message.scope.session_id().is_none() => {
                return Err(lines.bad("is a message without a session"));
            }
            Line::Session(info) if info.scope.session_id().is_none() => {
                return Err(lines.bad("is a session without an id"));
            }
            Line::Session(_) | Line::Message(_) => {}
        }
        hash.update(&lines.buffer);
    }
    match lines.next().await? {
        None => Ok(Checked { rehome, stated }),
        Some(_) => Err(lines.bad("stands behind the footer")),
    }
}

/// What makes two contents the same statement.
pub(super) fn words(content: &str) -> [u8; 32] {
    Sha256::digest(text::normalize(content)).into()
}

fn known_format(header: Header) -> Result<Header> {
    if header.format != FORMAT {
        return Err(not_ours());
    }
    if header.version > VERSION {
        let message = format!("the export has version {}, this memcore knows version {VERSION}", header.version);
        return Err(Error::new(ErrorKind::SchemaTooNew, message).with_hint("upgrade memcore"));
    }
    Ok(header)
}

fn not_ours() -> Error {
    Error::invalid("this is no export of memcore's: its first line is not the header of memcore-export/1")
}

fn check_content(record: &MemoryRecord) -> Result<(), &'static str> {
    if record.content.trim().is_empty() || record.content.len() > MAX_CONTENT_BYTES {
        return Err("holds a memory that is empty or too long");
    }
    Ok(())
}

pub(super) fn cannot_read(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, "the export cannot be read").with_source(error)
}
