//! The embedder behind an HTTP endpoint.
