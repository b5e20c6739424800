//! What may fail in this crate, and its one mapping to the core error: every failure to load says what to do.

use std::io;
use std::path::PathBuf;

use memcore_core::{Error, ErrorKind};

/// Why a model cannot be loaded, or a batch not be computed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CandleError {
    #[error("the model directory {} does not exist", .0.display())]
    DirectoryMissing(PathBuf),
    #[error("the model directory {} has no {file}", directory.display())]
    FileMissing { directory: PathBuf, file: &'static str },
    #[error("{} cannot be read", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{} is not a BERT configuration", path.display())]
    Config { path: PathBuf, source: serde_json::Error },
    #[error("{} describes a model that is not supported: {reason}", path.display())]
    UnsupportedModel { path: PathBuf, reason: String },
    #[error("{} is not a tokenizer", path.display())]
    Tokenizer { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("{} has {tokens} tokens, but the model knows {known}", path.display())]
    ForeignTokenizer { path: PathBuf, tokens: usize, known: usize },
    #[error("{} does not hold the weights that config.json describes", path.display())]
    Weights { path: PathBuf, source: candle_core::Error },
    #[error("the weights in {} have the SHA-256 {found}, not the expected {expected}", path.display())]
    OtherWeights { path: PathBuf, expected: String, found: String },
    #[error("{0}")]
    Setting(String),
    #[cfg(not(feature = "hub"))]
    #[error("no model directory was given, and this build has no access to the Hugging Face Hub")]
    NoHub,
    #[cfg(feature = "hub")]
    #[error("no repository on the Hugging Face Hub is known for this model")]
    NoRepository,
    #[cfg(feature = "hub")]
    #[error("the cache {} does not hold {file} of {repo} at {revision}", cache.display())]
    NotCached { cache: PathBuf, repo: String, revision: String, file: &'static str },
    #[cfg(feature = "hub")]
    #[error("{file} of {repo} at {revision} could not be downloaded")]
    Download { repo: String, revision: String, file: &'static str, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("the embedding thread could not be started")]
    Thread(#[source] io::Error),
    #[error("the model could not compute a batch")]
    Inference(#[source] candle_core::Error),
}

const THREE_FILES: &str = "model.safetensors, tokenizer.json and config.json";

impl CandleError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Setting(_) => ErrorKind::InvalidInput,
            Self::Thread(_) => ErrorKind::Unavailable,
            Self::Inference(_) => ErrorKind::Internal,
            _ => ErrorKind::ModelUnavailable,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::DirectoryMissing(_) => format!("give a directory that holds {THREE_FILES}"),
            Self::FileMissing { file: "model.safetensors", .. } => {
                "put model.safetensors there; weights in other formats (pytorch_model.bin, ONNX) are not read: convert \
                 them, or download the model's safetensors file"
                    .into()
            }
            Self::FileMissing { .. } => format!("a model is the three files {THREE_FILES}, from the same repository"),
            Self::Unreadable { .. } => "check that it is a regular file and that this user may read it".into(),
            Self::Config { .. } | Self::Tokenizer { .. } => {
                "the file is damaged or of another kind: copy or download it again from the model's repository".into()
            }
            Self::UnsupportedModel { .. } => {
                "choose a model of the BERT architecture, as all-MiniLM-L6-v2, multilingual-e5-small or bge-small"
                    .into()
            }
            Self::ForeignTokenizer { .. } => format!("take {THREE_FILES} from the same repository"),
            Self::Weights { .. } => format!(
                "the file is cut off, damaged, or of another model: copy or download it again, and take {THREE_FILES} \
                 from the same repository"
            ),
            Self::OtherWeights { .. } => "delete the file and download it again".into(),
            #[cfg(not(feature = "hub"))]
            Self::NoHub => format!(
                "use ModelSource::Directory with a directory that holds {THREE_FILES} (programs: MEMCORE_MODEL_DIR names \
                 the folder that holds minilm/ and e5-small/), or build with the feature `hub`"
            ),
            #[cfg(feature = "hub")]
            Self::NoRepository => "name one with HubSource::with_repo, or use ModelSource::Directory".into(),
            #[cfg(feature = "hub")]
            Self::NotCached { repo, revision, .. } => format!(
                "allow the download once (without local_files_only, while online), fill the cache with \
                 `hf download {repo} --revision {revision}`, or use ModelSource::Directory with a directory that holds \
                 {THREE_FILES}"
            ),
            #[cfg(feature = "hub")]
            Self::Download { .. } => format!(
                "check the network and try again (a broken download is resumed); offline, use ModelSource::Directory \
                 with a directory that holds {THREE_FILES} (programs: MEMCORE_MODEL_DIR names the folder that holds \
                 minilm/ and e5-small/)"
            ),
            Self::Setting(_) | Self::Thread(_) | Self::Inference(_) => return None,
        };
        Some(hint)
    }
}

impl From<CandleError> for Error {
    fn from(error: CandleError) -> Self {
        let mut mapped = Error::new(error.kind(), error.to_string());
        if let Some(hint) = error.hint() {
            mapped = mapped.with_hint(hint);
        }
        match error {
            CandleError::Unreadable { source, .. } | CandleError::Thread(source) => mapped.with_source(source),
            CandleError::Config { source, .. } => mapped.with_source(source),
            CandleError::Tokenizer { source, .. } => mapped.with_source(source),
            CandleError::Weights { source, .. } | CandleError::Inference(source) => mapped.with_source(source),
            #[cfg(feature = "hub")]
            CandleError::Download { source, .. } => mapped.with_source(source),
            _ => mapped,
        }
    }
}
