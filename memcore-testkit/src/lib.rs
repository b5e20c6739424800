//! Conformance suites and fault injection for memcore backends.
