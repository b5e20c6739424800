//! The Hugging Face Hub: a snapshot from the shared cache, and downloads of what the cache lacks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use hf_hub::api::sync::{ApiBuilder, ApiRepo};
use hf_hub::{Cache, CacheRepo, Repo, RepoType};

use crate::error::CandleError;
use crate::files::{CONFIG, TOKENIZER, WEIGHTS};
use crate::source::HubSource;

/// The small files first: a wrong repository fails before the weights are downloaded.
const FILES: [&str; 3] = [CONFIG, TOKENIZER, WEIGHTS];

/// Attempts to go on with a download that broke off, before the error is the caller's.
const RETRIES: usize = 3;

/// The directory of a snapshot that holds the three files.
pub(crate) fn snapshot(hub: &HubSource, repo: &str, revision: &str) -> Result<PathBuf, CandleError> {
    let cache = Cache::new(cache_directory(hub)?);
    let remote = Repo::with_revision(repo.to_owned(), RepoType::Model, revision.to_owned());
    let cached = cache.repo(remote.clone());
    let Some(missing) = FILES.into_iter().find(|file| find(&cached, revision, file).is_none()) else {
        return directory_of(&cached, revision).ok_or_else(|| not_cached(&cache, repo, revision, WEIGHTS));
    };
    if hub.local_files_only {
        return Err(not_cached(&cache, repo, revision, missing));
    }
    let failed = |file, source| CandleError::Download { repo: repo.into(), revision: revision.into(), file, source };
    let mut builder = ApiBuilder::from_cache(cache.clone())
        .with_progress(false)
        .with_retries(RETRIES)
        // Else it would be the one that another program left in the cache.
        .with_token(hub.token.clone());
    if let Some(endpoint) = &hub.endpoint {
        builder = builder.with_endpoint(endpoint.trim_end_matches('/').to_owned());
    }
    let api = builder.build().map_err(|error| failed(missing, error.into()))?.repo(remote);
    for file in FILES {
        if find(&cached, revision, file).is_none() {
            download(&api, file).map_err(|source| failed(file, source))?;
        }
    }
    directory_of(&cached, revision).ok_or_else(|| failed(missing, "the branch moved during the download".into()))
}

/// The SHA-256 that the Hub states for a snapshot's weights: the cache names the file after it.
pub(crate) fn stated_weights_sha256(snapshot: &Path) -> Option<String> {
    let blob = snapshot.join(WEIGHTS).canonicalize().ok()?;
    let name = blob.file_name()?.to_str()?;
    (name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| name.to_owned())
}

fn cache_directory(hub: &HubSource) -> Result<PathBuf, CandleError> {
    let standard = || std::env::home_dir().map(|home| home.join(".cache").join("huggingface").join("hub"));
    let no_home = || CandleError::Setting("without a home directory, HubSource needs a cache directory".into());
    hub.cache_directory.clone().or_else(standard).ok_or_else(no_home)
}

/// A file in the cache. A commit's snapshot counts without a reference to it: other programs write none.
fn find(cached: &CacheRepo, revision: &str, file: &str) -> Option<PathBuf> {
    let by_commit = cached.pointer_path(revision).join(file);
    if by_commit.exists() { Some(by_commit) } else { cached.get(file) }
}

/// The one directory that holds all three; none where a branch moved between two of them.
fn directory_of(cached: &CacheRepo, revision: &str) -> Option<PathBuf> {
    let directory = find(cached, revision, WEIGHTS)?.parent()?.to_owned();
    FILES.iter().all(|file| directory.join(file).exists()).then_some(directory)
}

fn download(api: &ApiRepo, file: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // hf-hub panics on some answers that no hub should give, as a redirect to nowhere.
    match catch_unwind(AssertUnwindSafe(|| api.download(file))) {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(error.into()),
        Err(_) => Err("the server's answer makes no sense".into()),
    }
}

fn not_cached(cache: &Cache, repo: &str, revision: &str, file: &'static str) -> CandleError {
    CandleError::NotCached { cache: cache.path().clone(), repo: repo.into(), revision: revision.into(), file }
}
