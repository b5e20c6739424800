//! Stretches of text that a rule found, and how overlapping ones become one.

use super::class;

/// One stretch `start..end` (bytes) that holds something of `class`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) class: &'static str,
}

impl Span {
    pub(super) fn new(class: &'static str, start: usize, end: usize) -> Self {
        Self { start, end, class }
    }

    fn rank(self) -> usize {
        class::ALL.iter().position(|known| *known == self.class).unwrap_or(usize::MAX)
    }
}

/// Sorts spans and unites those that overlap, so that no part of a secret is left over between two rules.
///
/// The union has the class of the widest part; of equally wide ones, that which [`class::ALL`] names first.
pub(super) fn united(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| span.start < span.end);
    spans.sort_by_key(|span| (span.start, usize::MAX - span.end, span.rank()));
    let mut result: Vec<(Span, usize)> = Vec::with_capacity(spans.len());
    for span in spans {
        let width = span.end - span.start;
        match result.last_mut() {
            Some((last, widest)) if span.start < last.end => {
                last.end = last.end.max(span.end);
                if width > *widest {
                    *widest = width;
                    last.class = span.class;
                }
            }
            _ => result.push((span, width)),
        }
    }
    result.into_iter().map(|(span, _)| span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_spans_become_one_with_the_class_of_the_widest() {
        let spans = vec![
            Span::new(class::PHONE, 5, 8),
            Span::new(class::API_KEY, 0, 10),
            Span::new(class::PASSWORD, 9, 12),
            Span::new(class::EMAIL, 12, 14),
        ];
        assert_eq!(united(spans), vec![Span::new(class::API_KEY, 0, 12), Span::new(class::EMAIL, 12, 14)]);
    }

    #[test]
    fn of_equal_spans_the_first_class_in_precedence_wins() {
        let spans = vec![Span::new(class::PASSWORD, 0, 4), Span::new(class::API_KEY, 0, 4)];
        assert_eq!(united(spans), vec![Span::new(class::API_KEY, 0, 4)]);
    }
}
