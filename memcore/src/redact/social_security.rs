//! Social security numbers of the United States: no check digit, so the form and the impossible blocks decide.

/// Whether nine `digits` (each 0..=9) can be a number that was ever issued.
pub(super) fn is_plausible(digits: &[u8]) -> bool {
    let [a, b, c, d, e, f, g, h, i] = *digits else { return false };
    let area = (a, b, c);
    let never_issued = area == (0, 0, 0) || area == (6, 6, 6) || a == 9 || (d, e) == (0, 0) || [f, g, h, i] == [0; 4];
    !never_issued
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_were_never_issued_are_refused() {
        assert!(is_plausible(&[1, 2, 3, 4, 5, 6, 7, 8, 9]));
        assert!(!is_plausible(&[0, 0, 0, 4, 5, 6, 7, 8, 9]));
        assert!(!is_plausible(&[6, 6, 6, 4, 5, 6, 7, 8, 9]));
        assert!(!is_plausible(&[9, 0, 0, 4, 5, 6, 7, 8, 9]));
        assert!(!is_plausible(&[1, 2, 3, 0, 0, 6, 7, 8, 9]));
        assert!(!is_plausible(&[1, 2, 3, 4, 5, 0, 0, 0, 0]));
        assert!(!is_plausible(&[1, 2, 3]));
    }
}
