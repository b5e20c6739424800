//! Decisions, and nothing else: pure functions of data, with the present moment as an argument. No I/O, no clock.

pub mod breaker;
pub mod budget;
pub mod calibration;
pub mod core_block;
pub mod duplicate;
pub mod echo;
pub mod gate;
pub mod grounding;
pub mod level;
pub mod query;
pub mod ranking;
pub mod reconcile;
pub mod slots;
pub mod spend;
pub mod surroundings;
pub mod text_score;
pub mod time_expression;
