//! The crate against the Python reference that the model was measured with, and the model file against its hash.

#![expect(clippy::unwrap_used, reason = "a fixture that does not parse fails the test")]

use memcore_builtin::StaticEmbedder;
use memcore_core::{Embedder as _, Embedding};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn cases() -> Vec<(String, Embedding)> {
    let cases: Vec<Value> = serde_json::from_str(include_str!("fixtures/parity.json")).unwrap();
    let vector = |case: &Value| {
        let values = case["vector"].as_array().unwrap();
        Embedding::new(values.iter().map(|value| value.as_f64().unwrap() as f32).collect::<Vec<_>>()).unwrap()
    };
    cases.iter().map(|case| (case["text"].as_str().unwrap().to_owned(), vector(case))).collect()
}

#[test]
fn every_text_has_the_vector_of_the_python_reference() {
    let embedder = StaticEmbedder::load().unwrap();
    let cases = cases();
    assert!(cases.len() >= 20);
    for (text, expected) in cases {
        let chunks = embedder.encode(&text).unwrap().into_chunks();
        assert_eq!(chunks.len(), 1, "{text}");
        let cosine = chunks[0].cosine(&expected).unwrap();
        assert!(cosine >= 0.9999, "{text}: {cosine}");
    }
}

#[test]
fn the_identity_names_the_hash_of_the_model_file() {
    let digest = Sha256::digest(include_bytes!("../data/model.bin"));
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(StaticEmbedder::load().unwrap().identity().weights_sha256, hex);
}
