//! The stages: each awaits traits and asks `policy/` for its decisions.

pub(crate) mod capture;
pub(crate) mod embed;
pub(crate) mod forget;
pub(crate) mod inject;
pub(crate) mod observe;
pub(crate) mod plan;
pub(crate) mod queue;
pub(crate) mod recall;
pub(crate) mod review;
pub(crate) mod revise;
pub(crate) mod summarize;
pub(crate) mod tiers;
pub(crate) mod write;
