//! The contract of `Embedder`, clause by clause, on the tiny model: without prefixes, and as e5 and bge are set up.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod tiny_model;

mod plain {
    memcore_testkit::embedder_suite!(|| async { crate::tiny_model::load(crate::tiny_model::directory().path()) });
}

mod prefixed {
    memcore_testkit::embedder_suite!(|| async {
        let directory = crate::tiny_model::directory();
        let builder = crate::tiny_model::builder(directory.path()).query_prefix("query: ").passage_prefix("passage: ");
        builder.build().unwrap()
    });
}
