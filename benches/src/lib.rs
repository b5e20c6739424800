//! Benchmarks of memcore.
