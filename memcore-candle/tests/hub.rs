//! The Hugging Face Hub: cache, download, resumption, and what is said when it is out of reach.
#![cfg(feature = "hub")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod hub_server;
mod tiny_model;

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use hub_server::{HubServer, etag};
use memcore_candle::{BertEmbedder, HubSource, MiniLm, ModelSource};
use memcore_core::{Embedder, Error, ErrorKind, Result};

const REPO: &str = "someone/tiny";
const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

fn load(source: HubSource) -> Result<BertEmbedder> {
    BertEmbedder::builder("tiny", source.with_repo(REPO).into()).build()
}

fn repository(cache: &Path) -> std::path::PathBuf {
    cache.join("models--someone--tiny")
}

/// An address at which nobody listens.
fn unreachable() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[track_caller]
fn check(error: &Error, message: &str, hint: &str) {
    assert_eq!(error.kind(), ErrorKind::ModelUnavailable, "{error:?}");
    assert!(error.to_string().contains(message), "{error:?}");
    assert!(error.hint().unwrap().contains(hint), "{error:?}");
}

#[test]
fn a_snapshot_in_the_cache_is_taken_without_network() {
    let cache = tempfile::tempdir().unwrap();
    tiny_model::write(&repository(cache.path()).join("snapshots").join(COMMIT));
    let source = HubSource::new().with_cache_directory(cache.path()).with_endpoint(unreachable());

    // By its commit there need be no reference: the Python client writes none.
    for source in [source.clone(), source.clone().with_local_files_only()] {
        let embedder = load(source.with_revision(COMMIT)).unwrap();
        assert_eq!(embedder.identity().revision, COMMIT);
    }
    // A branch is looked up.
    let references = repository(cache.path()).join("refs");
    fs::create_dir_all(&references).unwrap();
    fs::write(references.join("main"), COMMIT).unwrap();
    assert_eq!(load(source.with_local_files_only()).unwrap().identity().revision, "main");
}

#[test]
fn local_files_only_never_asks_the_server_and_says_what_to_do() {
    let (model, cache) = (tiny_model::directory(), tempfile::tempdir().unwrap());
    let server = HubServer::start(model.path(), COMMIT);
    let source = HubSource::new()
        .with_cache_directory(cache.path())
        .with_endpoint(server.endpoint())
        .with_revision(COMMIT)
        .with_local_files_only();
    let error = load(source.clone()).unwrap_err();
    check(&error, "does not hold config.json of someone/tiny", "without local_files_only");
    check(&error, COMMIT, "ModelSource::Directory");

    // Half a model is none.
    let snapshot = repository(cache.path()).join("snapshots").join(COMMIT);
    tiny_model::write(&snapshot);
    fs::remove_file(snapshot.join("model.safetensors")).unwrap();
    check(&load(source).unwrap_err(), "does not hold model.safetensors", "hf download someone/tiny");
    assert!(server.requests().is_empty());
}

#[test]
fn what_the_cache_lacks_is_downloaded_once() {
    let (model, cache) = (tiny_model::directory(), tempfile::tempdir().unwrap());
    let server = HubServer::start(model.path(), COMMIT);
    let source = HubSource::new().with_cache_directory(cache.path()).with_endpoint(server.endpoint());
    let downloaded = load(source.clone().with_revision(COMMIT)).unwrap();
    let local = tiny_model::load(model.path());
    assert_eq!(downloaded.identity().weights_sha256, local.identity().weights_sha256);

    let requests = server.requests().len();
    assert!(server.requests().iter().all(|request| request.path.contains(&format!("/{REPO}/resolve/{COMMIT}/"))));
    load(source.clone().with_revision(COMMIT)).unwrap();
    load(source.with_revision(COMMIT).with_local_files_only()).unwrap();
    assert_eq!(server.requests().len(), requests);
}

#[test]
fn a_broken_download_is_resumed() {
    let (model, cache) = (tiny_model::directory(), tempfile::tempdir().unwrap());
    let weights = fs::read(model.path().join("model.safetensors")).unwrap();
    let blobs = repository(cache.path()).join("blobs");
    fs::create_dir_all(&blobs).unwrap();
    let half = weights.len() / 2;
    fs::write(blobs.join(etag(&weights)).with_extension("part"), &weights[..half]).unwrap();

    let server = HubServer::start(model.path(), COMMIT);
    load(HubSource::new().with_cache_directory(cache.path()).with_endpoint(server.endpoint())).unwrap();
    let weights_from: Vec<usize> = server
        .requests()
        .iter()
        .filter(|request| request.path.ends_with("model.safetensors"))
        .map(|request| request.from)
        .collect();
    // The first request asks for the size.
    assert_eq!(weights_from, [0, half]);
}

#[test]
fn weights_that_are_not_what_the_hub_stated_are_refused() {
    let (model, cache) = (tiny_model::directory(), tempfile::tempdir().unwrap());
    let server = HubServer::start_corrupt(model.path(), COMMIT);
    let source = HubSource::new().with_cache_directory(cache.path()).with_endpoint(server.endpoint());
    check(&load(source).unwrap_err(), "not the expected", "download it again");
}

#[test]
fn a_named_model_takes_only_the_weights_of_its_pinned_commit() {
    let (model, cache) = (tiny_model::directory(), tempfile::tempdir().unwrap());
    let server = HubServer::start(model.path(), "1110a243fdf4706b3f48f1d95db1a4f5529b4d41");
    let source = HubSource::new().with_cache_directory(cache.path()).with_endpoint(server.endpoint());
    let error = MiniLm::load(ModelSource::Hub(source)).unwrap_err();
    check(&error, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", "download it again");
    let path = "/sentence-transformers/all-MiniLM-L6-v2/resolve/1110a243fdf4706b3f48f1d95db1a4f5529b4d41/";
    assert!(server.requests().iter().all(|request| request.path.starts_with(path)));
}

#[test]
fn out_of_reach_says_what_to_do() {
    let cache = tempfile::tempdir().unwrap();
    let source = HubSource::new().with_cache_directory(cache.path()).with_endpoint(unreachable());
    let error = load(source).unwrap_err();
    check(&error, "config.json of someone/tiny at main could not be downloaded", "ModelSource::Directory");

    let empty = tempfile::tempdir().unwrap();
    let server = HubServer::start(empty.path(), COMMIT);
    let source = HubSource::new().with_cache_directory(cache.path()).with_endpoint(server.endpoint());
    check(&load(source).unwrap_err(), "could not be downloaded", "try again");
}

#[test]
fn only_a_token_that_was_given_is_sent() {
    let (model, home) = (tiny_model::directory(), tempfile::tempdir().unwrap());
    // Another program's token lies beside its cache.
    fs::write(home.path().join("token"), "hf_foreign").unwrap();
    for token in [None, Some("hf_given")] {
        let server = HubServer::start(model.path(), COMMIT);
        let cache = home.path().join(token.unwrap_or("hub"));
        let mut source = HubSource::new().with_cache_directory(cache).with_endpoint(server.endpoint());
        source.token = token.map(Into::into);
        load(source).unwrap();
        let expected = token.map(|token| format!("Bearer {token}"));
        assert!(server.requests().iter().all(|request| request.authorization == expected));
    }
}

#[test]
fn a_model_without_a_name_needs_a_repository() {
    let error = BertEmbedder::builder("tiny", ModelSource::default()).build().unwrap_err();
    check(&error, "no repository", "HubSource::with_repo");
}
