//! A model's three files: found, checked against each other, read. The weights are mapped, hashed and copied into
//! tensors from one and the same mapping, so the hash in the identity is that of the weights in use.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};
use memmap2::Mmap;
use sha2::{Digest, Sha256};
use tokenizers::Tokenizer;

use crate::error::CandleError;

pub(crate) const WEIGHTS: &str = "model.safetensors";
pub(crate) const TOKENIZER: &str = "tokenizer.json";
pub(crate) const CONFIG: &str = "config.json";

/// The three files of a model; each was there when looked for.
#[derive(Debug)]
pub(crate) struct ModelFiles {
    weights: PathBuf,
    tokenizer: PathBuf,
    config: PathBuf,
}

/// What the three files hold.
pub(crate) struct LoadedModel {
    pub(crate) bert: BertModel,
    pub(crate) config: Config,
    /// Neither pads nor truncates, whatever `tokenizer.json` says.
    pub(crate) tokenizer: Tokenizer,
    /// Lower-case hexadecimal.
    pub(crate) weights_sha256: String,
}

impl ModelFiles {
    pub(crate) fn in_directory(directory: &Path) -> Result<Self, CandleError> {
        if !directory.is_dir() {
            return Err(CandleError::DirectoryMissing(directory.to_owned()));
        }
        let find = |file: &'static str| {
            let path = directory.join(file);
            if path.exists() {
                Ok(path)
            } else {
                Err(CandleError::FileMissing { directory: directory.to_owned(), file })
            }
        };
        Ok(Self { weights: find(WEIGHTS)?, tokenizer: find(TOKENIZER)?, config: find(CONFIG)? })
    }

    /// Reads all three.
    pub(crate) fn load(&self, expected_sha256: Option<&str>) -> Result<LoadedModel, CandleError> {
        let config = self.read_config()?;
        // A large vocabulary takes as long as the weights.
        let (tokenizer, weights) = std::thread::scope(|scope| {
            let tokenizer = scope.spawn(|| self.read_tokenizer(&config));
            let weights = self.read_weights(&config);
            (tokenizer.join(), weights)
        });
        let panicked = |_| unreadable(&self.tokenizer, io::Error::other("reading the tokenizer panicked"));
        let tokenizer = tokenizer.map_err(panicked)??;
        let (bert, weights_sha256) = weights?;
        if let Some(expected) = expected_sha256.filter(|expected| !expected.eq_ignore_ascii_case(&weights_sha256)) {
            return Err(CandleError::OtherWeights {
                path: self.weights.clone(),
                expected: expected.to_owned(),
                found: weights_sha256,
            });
        }
        Ok(LoadedModel { bert, config, tokenizer, weights_sha256 })
    }

    fn read_config(&self) -> Result<Config, CandleError> {
        let path = &self.config;
        let text = fs::read(path).map_err(|source| unreadable(path, source))?;
        let config: Config =
            serde_json::from_slice(&text).map_err(|source| CandleError::Config { path: path.clone(), source })?;
        match unsupported(&config) {
            Some(reason) => Err(CandleError::UnsupportedModel { path: path.clone(), reason }),
            None => Ok(config),
        }
    }

    fn read_tokenizer(&self, config: &Config) -> Result<Tokenizer, CandleError> {
        let path = &self.tokenizer;
        let not_a_tokenizer = |source| CandleError::Tokenizer { path: path.clone(), source };
        let text = fs::read(path).map_err(|source| unreadable(path, source))?;
        let mut tokenizer = Tokenizer::from_bytes(text).map_err(not_a_tokenizer)?;
        // A shipped tokenizer.json may pad every text to 128 tokens and cut at 128: batches are padded, and long texts
        // split, by this crate.
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(not_a_tokenizer)?;
        // A token beyond the table would fail the batch that holds it.
        let tokens = tokenizer.get_vocab(true).into_values().max().map_or(0, |id| id as usize + 1);
        if tokens > config.vocab_size {
            return Err(CandleError::ForeignTokenizer { path: path.clone(), tokens, known: config.vocab_size });
        }
        Ok(tokenizer)
    }

    fn read_weights(&self, config: &Config) -> Result<(BertModel, String), CandleError> {
        let path = &self.weights;
        let mapping = map(path).map_err(|source| unreadable(path, source))?;
        let bytes: &[u8] = &mapping;
        // Hashing takes about as long as reading, and both wait for the same pages.
        let (bert, hash) = std::thread::scope(|scope| {
            let hash = scope.spawn(|| sha256_hex(bytes));
            let bert = VarBuilder::from_slice_safetensors(bytes, DType::F32, &Device::Cpu)
                .and_then(|weights| BertModel::load(weights, config));
            (bert, hash.join())
        });
        let bert = bert.map_err(|source| CandleError::Weights { path: path.clone(), source })?;
        let hash = hash.map_err(|_| unreadable(path, io::Error::other("hashing the weights panicked")))?;
        Ok((bert, hash))
    }
}

/// Why Candle's BERT cannot be built from this configuration; checked first, because some of it would panic there.
fn unsupported(config: &Config) -> Option<String> {
    if let Some(other) = config.model_type.as_deref().filter(|name| *name != "bert") {
        return Some(format!("its model_type is {other:?}, not \"bert\""));
    }
    let heads = config.num_attention_heads;
    if config.hidden_size == 0 || heads == 0 || !config.hidden_size.is_multiple_of(heads) {
        return Some(format!("hidden_size {} is not a multiple of {heads} attention heads", config.hidden_size));
    }
    if config.pad_token_id >= config.vocab_size || config.type_vocab_size == 0 {
        return Some("its padding token or token types are outside of its tables".into());
    }
    None
}

#[expect(unsafe_code, reason = "a memory map is the only way to read weights without a second copy in RAM")]
fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    // SAFETY: the mapping is read-only and private to `read_weights`, which copies every tensor out of it and drops it
    // before it returns. What remains is that another process cuts or rewrites this very file (not: replaces it) in
    // that moment; model files are written once and then only read.
    unsafe { Mmap::map(&file) }
}

fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unreadable(path: &Path, source: io::Error) -> CandleError {
    CandleError::Unreadable { path: path.to_owned(), source }
}
