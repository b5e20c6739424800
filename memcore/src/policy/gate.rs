//! Whether and how widely to search, by what the input looks like.

use memcore_core::text;

/// Length (CJK characters + 2 × other words) under which an input is short.
pub const SHORT_INPUT: usize = 4;
/// What a memory must matter to be found by a short input.
pub const SHORT_INPUT_IMPORTANCE: u8 = 7;
/// Results for a prompt.
pub const DEFAULT_RESULTS: usize = 5;
/// Results for a person who searches.
pub const SEARCH_RESULTS: usize = 8;
/// Results for vague input, and where the model repeats what it is shown.
pub const FEW_RESULTS: usize = 3;

/// What an input is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Nothing to search for.
    Closed,
    /// Only direct text matches among the most important memories.
    DirectOnly,
    /// Everything.
    Open,
}

/// Decides by the input's length; an identifier, a digit or a quoted phrase lifts the gate.
#[must_use]
pub fn gate(query: &str) -> Gate {
    let length = text::input_length(query);
    if length == 0 && !text::has_decisive(query) {
        Gate::Closed
    } else if length < SHORT_INPUT && !text::has_decisive(query) {
        Gate::DirectOnly
    } else {
        Gate::Open
    }
}

/// How many memories a message is worth: few for a vague one, the usual number else.
#[must_use]
pub fn result_count(query: &str, usual: usize) -> usize {
    if text::input_length(query) < 2 * SHORT_INPUT && !text::has_decisive(query) {
        usual.min(FEW_RESULTS)
    } else {
        usual
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_inputs_open_only_by_something_definite() {
        for (query, expected) in [
            ("", Gate::Closed),
            ("  \n", Gate::Closed),
            ("嗯", Gate::DirectOnly),
            ("咖啡", Gate::DirectOnly),
            ("ok", Gate::DirectOnly),
            ("E0499", Gate::Open),
            ("端口号？9090", Gate::Open),
            ("我住在哪里", Gate::Open),
            ("where do I live", Gate::Open),
        ] {
            assert_eq!(gate(query), expected, "{query:?}");
        }
    }
}
