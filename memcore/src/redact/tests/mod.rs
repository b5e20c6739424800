//! Behaviour of the redactor as a whole. Secrets are generated at run time: a literal one would alarm the scanners of
//! every repository that holds a copy of this file.

mod clean;
mod generate;
mod keys;
mod numbers;
mod policy;
mod properties;
mod statements;

use memcore_core::Redactor;

use super::PatternRedactor;

/// `text` without its secrets, under the default policy.
fn redacted(text: &str) -> String {
    PatternRedactor::new().redact(text).text
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(redacted(text), expected, "{text}");
}

#[track_caller]
fn check_unchanged(text: &str) {
    check(text, text);
}
