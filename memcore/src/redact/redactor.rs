//! The redactor: rounds of scanning and masking until nothing is left.

use memcore_core::{Finding, Redaction, RedactionAction, Redactor};

use super::fold::fold;
use super::marker::masked;
use super::policy::Policy;
use super::scan::scan;
use super::span::{Span, united};

/// Masking one secret can lay open the next (two numbers that stood too close); in practice two rounds do.
const MAX_ROUNDS: usize = 8;

/// Masks API keys, passwords, private keys and personal numbers by pattern, check digit and context.
///
/// A secret becomes `[redacted:CLASS]` (see [`class`](super::class)) and the sentence around it stays;
/// `<private>…</private>` becomes `[private]`. Where a secret was found once, its other occurrences go too.
///
/// ```
/// use memcore::redact::PatternRedactor;
/// use memcore_core::Redactor;
///
/// let redaction = PatternRedactor::new().redact("The wifi password is sunflower2023, ask Li for the rest.");
/// assert_eq!(redaction.text, "The wifi password is [redacted:password], ask Li for the rest.");
/// assert_eq!(redaction.findings[0].class, "password");
/// ```
#[derive(Debug, Clone, Default)]
pub struct PatternRedactor {
    policy: Policy,
}

impl PatternRedactor {
    /// A redactor that masks every class but e-mail addresses.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what happens to findings of `class`, one of the names in [`class`](super::class).
    ///
    /// A finding of a class that is blocked is masked as well, so that the text is safe whatever the caller does.
    #[must_use]
    pub fn with_policy(mut self, class: impl Into<String>, action: RedactionAction) -> Self {
        self.policy.set(class.into(), action);
        self
    }
}

impl Redactor for PatternRedactor {
    fn redact(&self, text: &str) -> Redaction {
        let mut found: Vec<Span> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            // Each round scans exactly what would be returned: the last one finds nothing, so redacting twice
            // changes nothing.
            let (result, to_original) = masked(text, &found);
            let folded = fold(&result);
            let fresh: Vec<Span> = scan(&folded.text, &self.policy)
                .into_iter()
                .map(|span| {
                    let (start, end) = (folded.offsets.start(span.start), folded.offsets.end(span.end));
                    Span::new(span.class, to_original.start(start), to_original.end(end))
                })
                .collect();
            if fresh.is_empty() {
                return self.redaction(result, &found);
            }
            found = united(found.into_iter().chain(fresh).collect());
        }
        let (result, _) = masked(text, &found);
        self.redaction(result, &found)
    }
}

impl PatternRedactor {
    fn redaction(&self, text: String, spans: &[Span]) -> Redaction {
        let findings = spans
            .iter()
            .map(|span| Finding {
                class: span.class.to_owned(),
                start: span.start,
                end: span.end,
                action: self.policy.action(span.class),
            })
            .collect();
        Redaction { text, findings }
    }
}
