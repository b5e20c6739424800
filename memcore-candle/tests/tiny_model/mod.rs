//! A BERT of two layers with fixed pseudo-random weights, written into a directory as a real model is shipped: with a
//! tokenizer.json that pads to, and cuts at, 128 tokens. Each word of the vocabulary is one token.

#![allow(dead_code, clippy::unwrap_used, reason = "test targets share it, each a part; a failure is a failed test")]

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use candle_core::{Device, Tensor};
use memcore_candle::{BertBuilder, BertEmbedder, ModelSource};
use memcore_core::{EmbedRole, Embedder, Embedding};
use serde_json::json;
use tempfile::TempDir;

pub(crate) const HIDDEN: usize = 32;
pub(crate) const POSITIONS: usize = 64;
const LAYERS: usize = 2;
const INNER: usize = 48;

/// Words of the vocabulary; other words are unknown to it.
pub(crate) const WORDS: &str = "[PAD] [UNK] [CLS] [SEP] query passage : i you we live lived in on porto shanghai chose rust \
    for the parser and not tea coffee every morning evening black green red blue one two three four five six seven \
    eight nine ten a bicycle tax law weather spring moved to small town by sea garden behind our house is full of old \
    trees birds my dentist called marek volcanoes iceland erupt she bought court rejected appeal laptop needs new \
    battery word . 我 你 住 在 上 海 喜 欢 喝 茶 绿 红 早 晚 不 会 写 代 码";

/// A directory with the three files; gone when dropped.
pub(crate) fn directory() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path());
    directory
}

/// Writes the three files.
pub(crate) fn write(directory: &Path) {
    fs::create_dir_all(directory).unwrap();
    fs::write(directory.join("config.json"), config().to_string()).unwrap();
    fs::write(directory.join("tokenizer.json"), tokenizer().to_string()).unwrap();
    candle_core::safetensors::save(&weights(), directory.join("model.safetensors")).unwrap();
}

pub(crate) fn builder(directory: &Path) -> BertBuilder {
    BertEmbedder::builder("tiny", ModelSource::directory(directory))
}

pub(crate) fn load(directory: &Path) -> BertEmbedder {
    builder(directory).build().unwrap()
}

/// The pieces' vectors of each text.
pub(crate) async fn embed(embedder: &BertEmbedder, texts: &[&str], role: EmbedRole) -> Vec<Vec<Embedding>> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    embedder.embed(&texts, role).await.into_iter().map(|result| result.unwrap().into_chunks()).collect()
}

/// The one vector of a short passage.
pub(crate) async fn embed_one(embedder: &BertEmbedder, text: &str) -> Embedding {
    let mut chunks = embed(embedder, &[text], EmbedRole::Passage).await.remove(0);
    assert_eq!(chunks.len(), 1, "{text}");
    chunks.remove(0)
}

pub(crate) fn config() -> serde_json::Value {
    json!({
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": HIDDEN, "intermediate_size": INNER,
        "num_attention_heads": 4, "num_hidden_layers": LAYERS, "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2, "vocab_size": WORDS.split_whitespace().count(), "layer_norm_eps": 1e-12,
        "pad_token_id": 0, "hidden_dropout_prob": 0.1, "initializer_range": 0.02
    })
}

pub(crate) fn tokenizer() -> serde_json::Value {
    let vocabulary: HashMap<&str, usize> = WORDS.split_whitespace().zip(0..).collect();
    let special: Vec<_> = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
        .iter()
        .zip(0..)
        .map(|(token, id): (_, usize)| {
            json!({ "id": id, "content": token, "special": true, "single_word": false, "lstrip": false,
                    "rstrip": false, "normalized": false })
        })
        .collect();
    let token = |id: &str| json!({ "SpecialToken": { "id": id, "type_id": 0 } });
    let text = json!({ "Sequence": { "id": "A", "type_id": 0 } });
    json!({
        "version": "1.0",
        "truncation": { "max_length": 128, "strategy": "LongestFirst", "stride": 0, "direction": "Right" },
        "padding": { "strategy": { "Fixed": 128 }, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0,
                     "pad_type_id": 0, "pad_token": "[PAD]" },
        "added_tokens": special,
        "normalizer": { "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                        "strip_accents": null, "lowercase": true },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [token("[CLS]"), text.clone(), token("[SEP]")],
            "pair": [token("[CLS]"), text, token("[SEP]"), { "Sequence": { "id": "B", "type_id": 1 } }],
            "special_tokens": {
                "[CLS]": { "id": "[CLS]", "ids": [2], "tokens": ["[CLS]"] },
                "[SEP]": { "id": "[SEP]", "ids": [3], "tokens": ["[SEP]"] }
            }
        },
        "decoder": { "type": "WordPiece", "prefix": "##", "cleanup": true },
        "model": { "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                   "max_input_chars_per_word": 100, "vocab": vocabulary }
    })
}

/// The ids of a text of known words, with those of the special tokens.
pub(crate) fn ids(text: &str) -> Vec<u32> {
    let id = |word: &str| WORDS.split_whitespace().position(|known| known == word).unwrap() as u32;
    [2].into_iter().chain(text.split_whitespace().map(id)).chain([3]).collect()
}

pub(crate) fn weights() -> HashMap<String, Tensor> {
    let mut state = 7_u64;
    let mut random = |shape: &[usize], scale: f32| {
        let values: Vec<f32> = (0..shape.iter().product::<usize>())
            .map(|_| {
                // Knuth's MMIX generator; its upper bits are good enough for weights.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((state >> 40) as f32 / (1 << 23) as f32 - 1.0) * scale
            })
            .collect();
        Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
    };
    // Layers are weak against the word vectors, so that texts with the same words have like vectors.
    let mut weights = HashMap::new();
    let words = WORDS.split_whitespace().count();
    weights.insert("embeddings.word_embeddings.weight".into(), random(&[words, HIDDEN], 1.0));
    weights.insert("embeddings.position_embeddings.weight".into(), random(&[POSITIONS, HIDDEN], 0.1));
    weights.insert("embeddings.token_type_embeddings.weight".into(), random(&[2, HIDDEN], 0.1));
    let mut norms = vec!["embeddings.LayerNorm".to_owned()];
    for layer in 0..LAYERS {
        let layer = format!("encoder.layer.{layer}");
        for (name, from, to) in [
            ("attention.self.query", HIDDEN, HIDDEN),
            ("attention.self.key", HIDDEN, HIDDEN),
            ("attention.self.value", HIDDEN, HIDDEN),
            ("attention.output.dense", HIDDEN, HIDDEN),
            ("intermediate.dense", HIDDEN, INNER),
            ("output.dense", INNER, HIDDEN),
        ] {
            weights.insert(format!("{layer}.{name}.weight"), random(&[to, from], 0.2));
            weights.insert(format!("{layer}.{name}.bias"), random(&[to], 0.1));
        }
        norms.extend([format!("{layer}.attention.output.LayerNorm"), format!("{layer}.output.LayerNorm")]);
    }
    for norm in norms {
        weights.insert(format!("{norm}.weight"), Tensor::ones(HIDDEN, candle_core::DType::F32, &Device::Cpu).unwrap());
        weights.insert(format!("{norm}.bias"), random(&[HIDDEN], 0.1));
    }
    weights
}
