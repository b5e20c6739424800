//! Reference backends in RAM: simple enough to be read as the contracts' meaning. Nothing survives the process.

mod store;
mod vectors;

pub use store::RamStore;
pub use vectors::RamVectors;
