//! Built-in sentence embeddings for memcore, Chinese and English, compiled into the crate: nothing to download, no
//! model runtime, about twenty microseconds a text.
//!
//! [`StaticEmbedder`] cuts a text into the words and word pieces of its table, takes their rows and answers with the
//! normalised mean. The rows were distilled from multilingual-e5-small (MIT); how, and what it is worth, stands in the
//! folder `distill/` beside the source. Word order is lost, so a sentence model finds paraphrases better, at some
//! thousand times the cost: see the crate `memcore-candle`.
//!
//! ```
//! use memcore_builtin::StaticEmbedder;
//!
//! let embedder = StaticEmbedder::load()?;
//! let vector = |text| embedder.encode(text).map(|embedding| embedding.chunks()[0].clone());
//!
//! let memory = vector("我对花生过敏")?;
//! let near = memory.cosine(&vector("哪些食物会引起过敏？")?)?;
//! let far = memory.cosine(&vector("明天下午三点开会")?)?;
//! assert!(near > far);
//! # Ok::<(), memcore_core::Error>(())
//! ```

mod embedder;
mod error;
mod lexicon;
mod pool;
mod runs;
mod segment;
mod table;
mod unknown;

pub use embedder::StaticEmbedder;
