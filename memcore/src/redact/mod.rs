//! Takes secrets and personal numbers out of text before it reaches the disk, a model or an embedder.
//!
//! Rules match on a folded copy (full-width and invisible characters undone), so that a number is found however it was
//! typed; check digits, dates and the words around decide what is a secret and what only looks like one.
//! `scan` lists the rules, one file each; no rule reads a clock, and all run in time linear in the text.

pub mod class;

mod card;
mod connector;
mod credit_code;
mod cue;
mod digit_run;
mod document_number;
mod email;
mod fold;
mod iban;
mod introduction;
mod luhn;
mod marker;
mod number;
mod offsets;
mod pattern;
mod phone;
mod placeholder;
mod policy;
mod private_block;
mod private_key;
mod provider;
mod provider_shape;
mod randomness;
mod redactor;
mod repetition;
mod resident_id;
mod scan;
mod social_security;
mod span;
mod statement;
mod user_info;
mod value;

#[cfg(test)]
mod tests;

pub use redactor::PatternRedactor;
