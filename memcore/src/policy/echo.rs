//! Recognises our own injected memory when it comes back in a message, so that memory never feeds itself.

use memcore_core::text;

/// How every fence's opening line begins.
pub const FENCE_OPEN: &str = "<memory";
/// How every fence's closing line begins.
pub const FENCE_CLOSE: &str = "</memory";

/// The text without injected blocks, and whether there were any.
///
/// A block runs from a line that starts with the opening fence to the next line that starts with the closing one; a
/// block that is never closed runs to the end. Content inside a block cannot hold a fence (see the injector), so blocks
/// do not nest.
#[must_use]
pub fn strip_injected(text: &str) -> (String, bool) {
    if !text.contains(FENCE_OPEN) {
        return (text.to_owned(), false);
    }
    let (mut kept, mut inside, mut found) = (String::with_capacity(text.len()), false, false);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start_matches(['>', ' ', '\t']);
        if inside {
            inside = !trimmed.starts_with(FENCE_CLOSE);
        } else if is_opening(trimmed) {
            (inside, found) = (true, true);
        } else {
            kept.push_str(line);
        }
    }
    let kept = kept.trim_matches('\n').to_owned();
    (kept, found)
}

/// Share of a memory's word triples that a reply must hold to repeat it word for word.
pub const REPEATED_SHARE: f32 = 0.8;
/// Length (CJK characters + 2 × other words) under which a memory is too short to be repeated: a name is only used.
pub const REPEATABLE_LENGTH: usize = 10;

/// Whether a reply repeats an injected memory word for word.
#[must_use]
pub fn repeats(reply: &str, memory: &str) -> bool {
    text::input_length(memory) >= REPEATABLE_LENGTH && text::ngram_overlap(reply, memory) >= REPEATED_SHARE
}

/// Whether a line opens one of our fences: the tag with our source mark, not just any tag of that name.
fn is_opening(line: &str) -> bool {
    line.starts_with(FENCE_OPEN) && line.contains("source=\"memcore\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn injected_blocks_vanish_and_the_rest_stays() {
        let block = "<memory source=\"memcore\" part=\"recalled\">\nnote\n- fact\n</memory>";
        for (text, expected) in [
            (format!("{block}\nthanks"), "thanks"),
            (format!("hi\n{block}\nthere"), "hi\nthere"),
            (format!("> {}\nok", block.replace('\n', "\n> ")), "ok"),
            ("<memory source=\"memcore\">\nnever closed".to_owned(), ""),
        ] {
            assert_eq!(strip_injected(&text), (expected.to_owned(), true));
        }
    }

    #[test]
    fn a_reply_repeats_a_memory_word_for_word_or_not() {
        for (reply, memory, expected) in [
            (
                "Since the staging server listens on port 7070, try that.",
                "The staging server listens on port 7070",
                true,
            ),
            ("Try port 7070 on staging.", "The staging server listens on port 7070", false),
            ("因为用户对青霉素和头孢都过敏，所以换一种药。", "用户对青霉素和头孢都过敏", true),
            ("换一种药吧，青霉素不行。", "用户对青霉素和头孢都过敏", false),
            ("Hello Ada!", "Ada", false),
        ] {
            assert_eq!(repeats(reply, memory), expected, "{reply}");
        }
    }

    #[test]
    fn a_tag_of_the_same_name_is_text_of_the_user() {
        let text = "my config has <memory limit=\"2g\">\nand more";
        assert_eq!(strip_injected(text), (text.to_owned(), false));
    }
}
