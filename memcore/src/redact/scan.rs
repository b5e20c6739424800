//! One pass of every rule over a text.

use super::marker;
use super::policy::Policy;
use super::span::{Span, united};
use super::{
    document_number, email, number, phone, private_block, private_key, provider, provider_shape, repetition, statement,
    user_info,
};

/// What the policy does not allow in `text` (folded), sorted, without overlaps.
pub(super) fn scan(text: &str, policy: &Policy) -> Vec<Span> {
    let mut spans = Vec::new();
    private_block::find(text, &mut spans);
    private_key::find(text, &mut spans);
    provider::find(text, &mut spans);
    provider_shape::find(text, &mut spans);
    user_info::find(text, &mut spans);
    statement::find(text, &mut spans);
    number::find(text, &mut spans);
    phone::find_international(text, &mut spans);
    document_number::find(text, &mut spans);
    email::find(text, &mut spans);
    spans.retain(|span| policy.action(span.class) != memcore_core::RedactionAction::Allow);
    if !spans.is_empty() {
        drop_markers(text, &mut spans);
        repetition::find(text, &mut spans);
        drop_markers(text, &mut spans);
    }
    united(spans)
}

/// Drops what lies within a marker of an earlier pass: there is nothing left to mask.
fn drop_markers(text: &str, spans: &mut Vec<Span>) {
    let markers = marker::existing(text);
    spans.retain(|span| {
        let after = markers.partition_point(|marker| marker.start <= span.start);
        let within = after.checked_sub(1).and_then(|at| markers.get(at)).is_some_and(|marker| span.end <= marker.end);
        !within
    });
}
