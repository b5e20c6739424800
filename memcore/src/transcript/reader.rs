//! A transcript, line by line, with bounded memory.

use std::io::{self, BufRead, Read};

use super::TranscriptLine;

/// The longest line that is read, in bytes; longer ones are reported and skipped.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

/// A line that is no message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: u64,
    /// Why, in words that hold nothing of its content.
    pub reason: String,
}

/// Reads one line after the other; blank ones are skipped. Holds one line at a time.
#[derive(Debug)]
pub struct TranscriptReader<R> {
    input: R,
    line: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> TranscriptReader<R> {
    /// A reader at the transcript's first line.
    pub fn new(input: R) -> Self {
        Self { input, line: 0, buffer: Vec::new() }
    }

    /// The next line; none at the end.
    ///
    /// # Errors
    /// Only what the input answers: a bad line is an answer.
    pub fn next_line(&mut self) -> io::Result<Option<Result<TranscriptLine, BadLine>>> {
        loop {
            self.buffer.clear();
            let limit = MAX_LINE_BYTES as u64 + 1;
            let read = (&mut self.input).take(limit).read_until(b'\n', &mut self.buffer)?;
            if read == 0 {
                return Ok(None);
            }
            self.line += 1;
            let is_whole = self.buffer.last() == Some(&b'\n');
            if !is_whole && read > MAX_LINE_BYTES {
                skip_line(&mut self.input)?;
                return Ok(Some(self.bad(format!("longer than {MAX_LINE_BYTES} bytes"))));
            }
            let mut bytes = self.buffer.as_slice();
            if self.line == 1 {
                bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
            }
            let bytes = bytes.trim_ascii();
            if bytes.is_empty() {
                continue;
            }
            let parsed = match std::str::from_utf8(bytes) {
                Ok(line) => TranscriptLine::parse(line),
                Err(_) => Err("not UTF-8".into()),
            };
            return Ok(Some(parsed.or_else(|reason| self.bad(reason))));
        }
    }

    fn bad(&self, reason: String) -> Result<TranscriptLine, BadLine> {
        Err(BadLine { line: self.line, reason })
    }
}

impl<R: BufRead> Iterator for TranscriptReader<R> {
    type Item = io::Result<Result<TranscriptLine, BadLine>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_line().transpose()
    }
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = input.fill_buf()?;
        match available.iter().position(|byte| *byte == b'\n') {
            Some(at) => {
                input.consume(at + 1);
                return Ok(());
            }
            None if available.is_empty() => return Ok(()),
            None => {
                let length = available.len();
                input.consume(length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> Vec<Result<String, u64>> {
        TranscriptReader::new(input)
            .map(|line| line.unwrap().map(|line| line.message.text()).map_err(|bad| bad.line))
            .collect()
    }

    #[test]
    fn bad_lines_are_numbered_and_the_others_taken() {
        let input = "\u{feff}{\"session\":\"a\",\"role\":\"user\",\"content\":\"one\"}\r\n\nnot json\n\
                     {\"session\":\"a\",\"role\":\"user\",\"content\":\"two\"}";
        assert_eq!(read(input.as_bytes()), [Ok("one".into()), Err(3), Ok("two".into())]);
        assert_eq!(read(b"\xff\xfe\n"), [Err(1)]);
        assert_eq!(read(b""), []);
    }

    #[test]
    fn a_line_over_the_limit_is_skipped_whole() {
        let mut input = vec![b'x'; MAX_LINE_BYTES + 10];
        input.extend_from_slice(b"\n{\"session\":\"a\",\"role\":\"user\",\"content\":\"after\"}\n");
        assert_eq!(read(&input), [Err(1), Ok("after".into())]);
    }
}
