//! The contract of `Embedder`, clause by clause.

use memcore_builtin::StaticEmbedder;

memcore_testkit::embedder_suite!(|| async { StaticEmbedder::load().expect("the embedded model loads") });
