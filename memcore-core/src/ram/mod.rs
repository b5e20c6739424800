//! Reference backends in RAM: simple enough to be read as the contracts' meaning. Nothing survives the process.
//!
//! Every search looks at every record of the user. What is clever elsewhere is checked against what is plain here.

mod erase;
mod jobs;
mod page;
mod state;
mod store;
mod text_search;
mod transaction;
mod user_memory;
mod vectors;

pub use store::RamStore;
pub use vectors::RamVectors;
