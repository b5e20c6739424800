//! The forward pass: a batch of token ids to one vector each, padding masked.

use candle_core::{Device, Result, Tensor};
use candle_transformers::models::bert::BertModel;
use memcore_core::Pooling;

/// A BERT encoder and the way its token vectors become one.
pub(crate) struct SentenceModel {
    bert: BertModel,
    pooling: Pooling,
    padding: u32,
}

impl SentenceModel {
    pub(crate) fn new(bert: BertModel, pooling: Pooling, padding: u32) -> Self {
        Self { bert, pooling, padding }
    }

    /// One vector (not normalised) per row of ids, in order. No row is empty.
    pub(crate) fn encode(&self, rows: &[&[u32]]) -> Result<Vec<Vec<f32>>> {
        let longest = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let shape = (rows.len(), longest);
        let padded = |value_at: &dyn Fn(&[u32], usize) -> u32| -> Vec<u32> {
            rows.iter().flat_map(|row| (0..longest).map(|at| value_at(row, at))).collect()
        };
        let ids = padded(&|row, at| row.get(at).copied().unwrap_or(self.padding));
        let mask = padded(&|row, at| u32::from(at < row.len()));
        let ids = Tensor::from_vec(ids, shape, &Device::Cpu)?;
        let mask = Tensor::from_vec(mask, shape, &Device::Cpu)?;
        let tokens = self.bert.forward(&ids, &ids.zeros_like()?, Some(&mask))?;
        match self.pooling {
            Pooling::Cls => tokens.narrow(1, 0, 1)?.squeeze(1)?,
            Pooling::Mean => masked_mean(&tokens, rows, longest)?,
        }
        .to_vec2()
    }
}

/// The mean over each row's own tokens, as one product: a weight of 1/length for a token, 0 for padding.
fn masked_mean(tokens: &Tensor, rows: &[&[u32]], longest: usize) -> Result<Tensor> {
    let weights = rows
        .iter()
        .flat_map(|row| (0..longest).map(|at| if at < row.len() { 1.0 / row.len() as f32 } else { 0.0 }))
        .collect();
    let weights = Tensor::from_vec(weights, (rows.len(), 1, longest), &Device::Cpu)?;
    weights.matmul(tokens)?.squeeze(1)
}
