//! BERT-family sentence embeddings for memcore on Candle.
