//! The reference backends keep every clause of the contracts.

use std::sync::Arc;

use memcore_core::{RamStore, RamVectors};
use memcore_testkit::{Standalone, StandaloneVectors};

mod records {
    use super::*;
    memcore_testkit::memory_store_suite!(|| async { Standalone::new(Arc::new(RamStore::new())) });
}

mod vectors {
    use super::*;
    memcore_testkit::vector_store_suite!(|| async { StandaloneVectors::new(Arc::new(RamVectors::new())) });
}
