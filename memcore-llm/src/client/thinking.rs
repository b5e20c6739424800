//! Leaves out what a model thinks aloud: servers that do not set it apart send it as `<think>…</think>` before the
//! reply.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Passes a reply on piece by piece, without its thinking.
#[derive(Debug, Default)]
pub(crate) struct ThinkingFilter {
    place: Place,
    /// Text of which it is not known yet what it is.
    held: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    #[default]
    Start,
    Thinking,
    /// White space between the thinking and the reply.
    Gap,
    Reply,
}

impl ThinkingFilter {
    /// What of the reply is known after one more piece of text.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        if self.place == Place::Reply {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        if self.place == Place::Start {
            let begun = self.held.trim_start();
            if let Some(thoughts) = begun.strip_prefix(OPEN) {
                self.held = thoughts.to_owned();
                self.place = Place::Thinking;
            } else if !OPEN.starts_with(begun) {
                self.place = Place::Reply;
            }
        }
        if self.place == Place::Thinking {
            match self.held.find(CLOSE) {
                Some(at) => {
                    self.held.drain(..at + CLOSE.len());
                    self.place = Place::Gap;
                }
                None => {
                    // Only a beginning of the closing mark may still be needed.
                    let keep = self.held.floor_char_boundary(self.held.len().saturating_sub(CLOSE.len()));
                    self.held.drain(..keep);
                }
            }
        }
        if self.place == Place::Gap {
            self.held = self.held.trim_start().to_owned();
            if !self.held.is_empty() {
                self.place = Place::Reply;
            }
        }
        if self.place == Place::Reply { std::mem::take(&mut self.held) } else { String::new() }
    }

    /// What was held back and turned out to be part of the reply.
    pub(crate) fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        if self.place == Place::Start { held } else { String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_left_out_wherever_the_text_is_cut_into_pieces() {
        for (text, expected) in [
            ("The answer is 4.", "The answer is 4."),
            ("<think>2 + 2… 四</think>\n\nThe answer is 4.", "The answer is 4."),
            ("\n<think></think>答案是四。", "答案是四。"),
            ("<thinly> veiled", "<thinly> veiled"),
            ("<thi", "<thi"),
            ("<think>never closed: </thin", ""),
            ("He said <think> and </think>.", "He said <think> and </think>."),
            ("<think>a</think> b <think>c</think>", "b <think>c</think>"),
            ("  padded", "  padded"),
            ("", ""),
        ] {
            let chars: Vec<char> = text.chars().collect();
            for size in 1..=chars.len().max(1) {
                let mut filter = ThinkingFilter::default();
                let mut shown: String =
                    chars.chunks(size).map(|piece| filter.push(&piece.iter().collect::<String>())).collect();
                shown.push_str(&filter.finish());
                assert_eq!(shown, expected, "{text:?} in pieces of {size}");
            }
        }
    }
}
