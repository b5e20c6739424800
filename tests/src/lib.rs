//! End-to-end tests of memcore.
