//! How many tokens memories may take.

/// Tokens for memories, where neither window nor caller asks for less.
pub const DEFAULT_BUDGET: usize = 500;
/// Share of the model's window, in percent.
pub const WINDOW_PERCENT: usize = 8;

/// The least of 8 % of the context window, the default, and the caller's own; all in tokens.
#[must_use]
pub fn injection_budget(default: usize, window: Option<usize>, caller: Option<usize>) -> usize {
    // A window too large to multiply is no limit.
    let of_window =
        window.map_or(usize::MAX, |window| window / 100 * WINDOW_PERCENT + window % 100 * WINDOW_PERCENT / 100);
    default.min(of_window).min(caller.unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_wins() {
        for (window, caller, expected) in [
            (None, None, 500),
            (Some(2_000), None, 160),
            (Some(200_000), None, 500),
            (Some(2_000), Some(50), 50),
            (Some(usize::MAX), Some(0), 0),
            (Some(11), None, 0),
        ] {
            assert_eq!(injection_budget(DEFAULT_BUDGET, window, caller), expected);
        }
    }
}
