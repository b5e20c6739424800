//! Where a model's three files come from. The host decides: nothing here reads an environment variable.

use std::fmt;
use std::path::PathBuf;

/// Where the three files of a model (`model.safetensors`, `tokenizer.json`, `config.json`) come from.
///
/// The default is the Hugging Face Hub, which needs the feature `hub`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelSource {
    /// The directory that holds the three files.
    Directory(PathBuf),
    /// A directory with one directory per model: `minilm`, `e5-small`, `bge-small-en`, `bge-small-zh`, or the name
    /// given to [`BertEmbedder::builder`](crate::BertEmbedder::builder).
    ModelDir(PathBuf),
    /// The Hugging Face Hub, or what its cache holds. Without the feature `hub`, loading fails and says so.
    Hub(HubSource),
}

impl ModelSource {
    /// The directory that holds the three files.
    pub fn directory(path: impl Into<PathBuf>) -> Self {
        Self::Directory(path.into())
    }

    /// [`ModelDir`](Self::ModelDir) where the host has such a directory, else the default: for hosts with a setting
    /// that may be absent.
    #[must_use]
    pub fn from_model_dir(directory: Option<PathBuf>) -> Self {
        directory.map_or_else(Self::default, Self::ModelDir)
    }
}

impl Default for ModelSource {
    fn default() -> Self {
        Self::Hub(HubSource::default())
    }
}

/// A repository on the Hugging Face Hub and how to get at it.
///
/// A named model knows its repository and a pinned revision, so `HubSource::new()` suffices. What the cache holds is
/// never asked for again; a broken download is resumed.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HubSource {
    /// The repository, as in `BAAI/bge-small-en-v1.5`; by default that of the named model.
    pub repo: Option<String>,
    /// A commit, tag or branch; by default the commit pinned for the named model, else `main`.
    pub revision: Option<String>,
    /// Never touches the network: only what the cache holds.
    pub local_files_only: bool,
    /// The cache; by default `.cache/huggingface/hub` in the home directory, which other programs share.
    pub cache_directory: Option<PathBuf>,
    /// Another server with the Hub's interface; by default `https://huggingface.co`.
    pub endpoint: Option<String>,
    /// An access token, for private repositories. Never taken from elsewhere, never printed.
    pub token: Option<String>,
}

impl HubSource {
    /// The named model's own repository, revision and the shared cache.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Another repository.
    #[must_use]
    pub fn with_repo(mut self, repo: impl Into<String>) -> Self {
        self.repo = Some(repo.into());
        self
    }

    /// Another commit, tag or branch.
    #[must_use]
    pub fn with_revision(mut self, revision: impl Into<String>) -> Self {
        self.revision = Some(revision.into());
        self
    }

    /// Only what the cache holds: no network.
    #[must_use]
    pub fn with_local_files_only(mut self) -> Self {
        self.local_files_only = true;
        self
    }

    /// Another cache directory.
    #[must_use]
    pub fn with_cache_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cache_directory = Some(directory.into());
        self
    }

    /// Another server.
    #[must_use]
    pub fn with_endpoint(mut self, endpoint: impl Into<String>) -> Self {
        self.endpoint = Some(endpoint.into());
        self
    }

    /// An access token.
    #[must_use]
    pub fn with_token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }
}

impl From<HubSource> for ModelSource {
    fn from(source: HubSource) -> Self {
        Self::Hub(source)
    }
}

impl fmt::Debug for HubSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HubSource")
            .field("repo", &self.repo)
            .field("revision", &self.revision)
            .field("local_files_only", &self.local_files_only)
            .field("cache_directory", &self.cache_directory)
            .field("endpoint", &self.endpoint)
            .field("token", &self.token.as_ref().map(|_| "…"))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_never_printed() {
        let source = ModelSource::from(HubSource::new().with_token("hf_abcdef"));
        assert!(!format!("{source:?}").contains("abcdef"));
    }

    #[test]
    fn an_absent_model_dir_means_the_default() {
        assert_eq!(ModelSource::from_model_dir(None), ModelSource::default());
        assert_eq!(ModelSource::from_model_dir(Some("m".into())), ModelSource::ModelDir("m".into()));
    }
}
