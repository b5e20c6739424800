//! Built-in bilingual sentence embeddings for memcore: nothing to download.
