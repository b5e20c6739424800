//! OpenAI's embeddings format: the body of a call, and the vectors of a reply.

use serde_json::{Value, json};

use crate::error::LlmError;

/// What every call says.
#[derive(Debug)]
pub(super) struct Wire {
    pub(super) model: String,
    /// How many values are asked for, where the model can shorten its vectors.
    pub(super) dimensions: Option<usize>,
}

impl Wire {
    pub(super) fn body(&self, inputs: &[&str]) -> Value {
        let mut body = json!({"model": self.model, "input": inputs, "encoding_format": "float"});
        if let Some(dimensions) = self.dimensions {
            body["dimensions"] = json!(dimensions);
        }
        body
    }

    /// The vectors in the order of the inputs, which `index` states; in the order of the reply where nothing does.
    pub(super) fn vectors(&self, mut reply: Value, expected: usize) -> Result<Vec<Vec<f32>>, LlmError> {
        let Value::Array(entries) = reply["data"].take() else {
            return Err(unexpected("no list of embeddings", &reply));
        };
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; expected];
        for (at, entry) in entries.iter().enumerate() {
            let at = entry["index"].as_u64().map_or(at, |index| index as usize);
            let place = vectors.get_mut(at).ok_or_else(|| unexpected("an embedding for no input", &reply))?;
            // What is no number makes a vector that cannot be one.
            let values = entry["embedding"].as_array().map(|values| {
                values.iter().map(|value| value.as_f64().map_or(f32::NAN, |value| value as f32)).collect()
            });
            let values = values.ok_or_else(|| unexpected("an embedding that is no list of numbers", &reply))?;
            if place.replace(values).is_some() {
                return Err(unexpected("two embeddings for one input", &reply));
            }
        }
        let all: Option<Vec<Vec<f32>>> = vectors.into_iter().collect();
        all.ok_or_else(|| unexpected("fewer embeddings than inputs", &reply))
    }
}

fn unexpected(what: &'static str, reply: &Value) -> LlmError {
    LlmError::Unexpected { what, raw: reply.to_string() }
}
