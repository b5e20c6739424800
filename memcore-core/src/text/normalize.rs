//! The normal form of a text, in which exact duplicates are equal.

use unicode_normalization::UnicodeNormalization;

use super::script::is_invisible;

/// Marks that may stand at the ends of a statement without changing what it says, after NFKC.
///
/// `+`, `#`, `%`, `$`, `&`, `@` and `=` are not among them: `C++`, `C#`, `50%` and `$5` end or begin with them.
const EDGE_MARKS: &str = ".,;:!?…\"'`“”‘’()[]{}<>«»|/\\~*_-–—―•·。、，；：！？「」『』（）【】《》〈〉〔〕｡～〜";

/// The form of `text` in which exact duplicates are equal, for comparison and hashing, not for display.
///
/// NFKC, small letters, no invisible characters, one space for each run of white space, no punctuation at either end
/// (a minus before a digit stays). What is inside stays as it is. A text of punctuation alone becomes empty.
/// The function is idempotent.
///
/// ```
/// use memcore_core::text::normalize;
///
/// assert_eq!(normalize("我喜欢喝美式咖啡。"), normalize(" 我喜欢喝美式咖啡！"));
/// assert_eq!(normalize("\"I like  Tea.\""), "i like tea");
/// ```
pub fn normalize(text: &str) -> String {
    let folded: String = text.chars().filter(|ch| !is_invisible(*ch)).nfkc().collect();
    // Small letters of composed ones may compose anew, and the other way about.
    let folded: String = folded.to_lowercase().nfkc().filter(|ch| !is_invisible(*ch)).collect();
    let mut collapsed = String::with_capacity(folded.len());
    for word in folded.split(|ch: char| ch.is_whitespace() || ch.is_control()).filter(|word| !word.is_empty()) {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    let is_edge = |ch: char| ch == ' ' || EDGE_MARKS.contains(ch);
    let ended = collapsed.trim_end_matches(is_edge);
    let bare = ended.trim_start_matches(is_edge);
    let sign = ended[..ended.len() - bare.len()].ends_with('-') && bare.starts_with(|ch: char| ch.is_ascii_digit());
    if sign { format!("-{bare}") } else { bare.to_owned() }
}
