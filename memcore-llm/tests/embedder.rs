//! The remote embedder against HTTP servers that answer in OpenAI's embeddings format.
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests state what they expect by unwrapping")]

use std::time::Duration;

use futures::FutureExt;
use memcore_core::{EmbedRole, Embedder, Error, ErrorKind};
use memcore_llm::{ApiKey, Endpoint, RemoteEmbedder, RemoteEmbedderBuilder};
use memcore_testkit::HashEmbedder;
use serde_json::{Value, json};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers::method};

const KEY: &str = "sk-canary-41aa";
const DIMENSIONS: usize = 32;

/// Vectors of words by their hash, each under its index, last one first; some texts are refused.
#[derive(Debug)]
struct Vectors {
    /// A text that holds this is refused, with this status.
    refused: Option<(&'static str, u16)>,
    most_inputs: usize,
}

impl Default for Vectors {
    fn default() -> Self {
        Self { refused: None, most_inputs: 1_000 }
    }
}

impl Respond for Vectors {
    fn respond(&self, asked: &Request) -> ResponseTemplate {
        let body: Value = serde_json::from_slice(&asked.body).unwrap();
        let inputs: Vec<String> = serde_json::from_value(body["input"].clone()).unwrap();
        let refusal = |status: u16| ResponseTemplate::new(status).set_body_json(json!({"error": {"message": KEY}}));
        if inputs.len() > self.most_inputs {
            return refusal(400);
        }
        if let Some((_, status)) = self.refused.filter(|(words, _)| inputs.iter().any(|input| input.contains(words))) {
            return refusal(status);
        }
        let vectors = HashEmbedder::new(DIMENSIONS).embed(&inputs, EmbedRole::Passage).now_or_never().unwrap();
        let entry = |(index, vector): (usize, memcore_core::Result<memcore_core::TextEmbedding>)| json!({"index": index, "embedding": vector.unwrap().chunks()[0].as_slice()});
        let data: Vec<Value> = vectors.into_iter().enumerate().map(entry).rev().collect();
        ResponseTemplate::new(200).set_body_json(json!({"data": data, "usage": {"prompt_tokens": 1}}))
    }
}

async fn server(answer: impl Respond + 'static) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(answer).mount(&server).await;
    server
}

fn builder(server: &MockServer) -> RemoteEmbedderBuilder {
    let endpoint = Endpoint::new(format!("{}/v1", server.uri())).with_key(ApiKey::new(KEY).unwrap());
    // What the server takes whole.
    let most = HashEmbedder::new(DIMENSIONS).identity().max_tokens;
    RemoteEmbedder::builder(endpoint, "hash-1").with_dimensions(DIMENSIONS).with_max_tokens(most)
}

async fn inputs(server: &MockServer) -> Vec<Vec<String>> {
    let asked = server.received_requests().await.unwrap();
    let body = |asked: &Request| serde_json::from_slice::<Value>(&asked.body).unwrap();
    asked.iter().map(|asked| serde_json::from_value(body(asked)["input"].clone()).unwrap()).collect()
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|words| (*words).to_owned()).collect()
}

fn kinds<T>(results: &[Result<T, Error>]) -> Vec<Option<ErrorKind>> {
    results.iter().map(|result| result.as_ref().err().map(Error::kind)).collect()
}

mod contract {
    use super::*;

    /// A server for each case, which lives as long as the test's process.
    async fn embedder() -> RemoteEmbedder {
        let server: &'static MockServer = Box::leak(Box::new(server(Vectors::default()).await));
        builder(server).with_prefixes("query: ", "passage: ").with_batch(3, 400).build().unwrap()
    }

    memcore_testkit::embedder_suite!(embedder);
}

#[tokio::test]
async fn texts_go_in_batches_with_their_prefix_and_come_back_in_order() {
    let server = server(Vectors::default()).await;
    let embedder = builder(&server).with_prefixes("query: ", "passage: ").with_batch(2, 1_000).build().unwrap();
    let words = texts(&["red", "绿色", "blue", "黄色", "white"]);
    let vectors = embedder.embed(&words, EmbedRole::Query).await;
    let prefixed: Vec<String> = words.iter().map(|words| format!("query: {words}")).collect();
    let expected = HashEmbedder::new(DIMENSIONS).embed(&prefixed, EmbedRole::Query).await;
    for (found, expected) in vectors.iter().zip(&expected) {
        let cosine = found.as_ref().unwrap().chunks()[0].cosine(&expected.as_ref().unwrap().chunks()[0]).unwrap();
        assert!(cosine > 0.999_99, "{cosine}");
    }
    let asked = inputs(&server).await;
    assert_eq!(asked.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
    assert_eq!(asked.concat(), prefixed);
    let request = &server.received_requests().await.unwrap()[0];
    assert_eq!(request.url.path(), "/v1/embeddings");
    assert_eq!(request.headers["authorization"], format!("Bearer {KEY}").as_str());
}

#[tokio::test]
async fn one_bad_text_fails_alone() {
    for status in [400, 413, 422] {
        let server = server(Vectors { refused: Some(("坏", status)), ..Vectors::default() }).await;
        let embedder = builder(&server).build().unwrap();
        let words = texts(&["a", "b", "c", "坏", "e", " ", "g", "h"]);
        let results = embedder.embed(&words, EmbedRole::Passage).await;
        let (bad, blank) = (Some(ErrorKind::NotEmbeddable), Some(ErrorKind::NotEmbeddable));
        assert_eq!(kinds(&results), [None, None, None, bad, None, blank, None, None], "{status}");
        assert!(
            inputs(&server).await.concat().iter().all(|input| !input.trim().is_empty()),
            "blank texts are not sent"
        );
    }
}

#[tokio::test]
async fn a_batch_over_the_endpoints_limit_is_halved() {
    let server = server(Vectors { most_inputs: 3, ..Vectors::default() }).await;
    let words: Vec<String> = (0..20).map(|n| format!("text {n}")).collect();
    let results = builder(&server).build().unwrap().embed(&words, EmbedRole::Passage).await;
    assert!(results.iter().all(Result::is_ok));
}

#[tokio::test]
async fn an_endpoint_that_is_down_is_asked_once_and_every_text_says_so() {
    for (status, expected) in
        [(429, ErrorKind::Unavailable), (503, ErrorKind::Unavailable), (401, ErrorKind::Unauthorized)]
    {
        let answer = ResponseTemplate::new(status).insert_header("retry-after", "9").set_body_string(KEY);
        let server = server(answer).await;
        let words: Vec<String> = (0..10).map(|n| format!("text {n}")).collect();
        let results = builder(&server).with_batch(2, 1_000).build().unwrap().embed(&words, EmbedRole::Passage).await;
        assert_eq!(results.len(), 10);
        for result in &results {
            let error = result.as_ref().unwrap_err();
            assert_eq!(error.kind(), expected, "{status}");
            assert_eq!(error.retry_after(), Some(Duration::from_secs(9)), "{status}");
            assert!(!format!("{error} {error:?}").contains(KEY), "{error:?}");
        }
        assert_eq!(inputs(&server).await.len(), 1, "{status}");
    }
}

#[tokio::test]
async fn what_is_no_list_of_vectors_is_a_failure() {
    let one = || json!({"index": 0, "embedding": vec![0.5; DIMENSIONS]});
    for (body, expected) in [
        (json!({"data": []}), ErrorKind::Unavailable),
        (json!({"data": [one(), one()]}), ErrorKind::Unavailable),
        (json!({"data": [{"index": 7, "embedding": [1.0]}]}), ErrorKind::Unavailable),
        (json!({"data": [{"index": 0, "embedding": "AAAA"}]}), ErrorKind::Unavailable),
        (json!({"embeddings": [[1.0]]}), ErrorKind::Unavailable),
        (json!({"data": [{"index": 0, "embedding": vec![0.0; DIMENSIONS]}]}), ErrorKind::NotEmbeddable),
        (json!({"data": [{"index": 0, "embedding": vec![Value::Null; DIMENSIONS]}]}), ErrorKind::NotEmbeddable),
        (json!({"data": [{"index": 0, "embedding": [1.0, 0.0]}]}), ErrorKind::InvalidInput),
    ] {
        let server = server(ResponseTemplate::new(200).set_body_json(&body)).await;
        let results = builder(&server).build().unwrap().embed(&texts(&["red"]), EmbedRole::Query).await;
        assert_eq!(kinds(&results), [Some(expected)], "{body}");
    }
    let server = server(ResponseTemplate::new(200).set_body_json(json!({"data": [{"embedding": [1.0, 0.0]}]}))).await;
    let results = builder(&server).build().unwrap().embed(&texts(&["red"]), EmbedRole::Query).await;
    let message = results[0].as_ref().unwrap_err().to_string();
    assert!(message.contains("2 dimensions") && message.contains(&DIMENSIONS.to_string()), "{message}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = server(Vectors::default()).await;
    let target = format!("{}/v1/embeddings", elsewhere.uri());
    let here = server(ResponseTemplate::new(307).insert_header("location", target.as_str())).await;
    let results = builder(&here).build().unwrap().embed(&texts(&["red"]), EmbedRole::Query).await;
    assert_eq!(kinds(&results), [Some(ErrorKind::InvalidInput)]);
    assert!(elsewhere.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_long_text_has_several_vectors_and_loses_nothing() {
    let server = server(Vectors::default()).await;
    let embedder = builder(&server).with_max_tokens(64).build().unwrap();
    let long = format!("{}最后一句说的是熊猫。", "账本上周迁到了 PostgreSQL。".repeat(60));
    let vectors = embedder.embed(&[long], EmbedRole::Passage).await;
    assert!(vectors[0].as_ref().unwrap().chunks().len() > 5);
    assert!(inputs(&server).await.concat().last().unwrap().ends_with("熊猫。"));
}

#[tokio::test]
async fn the_dimensions_are_asked_for_where_nobody_says_them() {
    let server = server(Vectors::default()).await;
    let endpoint = Endpoint::new(format!("{}/v1", server.uri()));
    let embedder = RemoteEmbedder::builder(endpoint.clone(), "hash-1").connect().await.unwrap();
    assert_eq!(embedder.identity().dimensions, DIMENSIONS);
    assert_eq!(inputs(&server).await.len(), 1);
    let known = RemoteEmbedder::builder(endpoint.clone(), "hash-1").with_dimensions(8).connect().await.unwrap();
    assert_eq!(
        (known.identity().dimensions, inputs(&server).await.len()),
        (8, 1),
        "nothing is asked where it is known"
    );
    let error = RemoteEmbedder::builder(endpoint.clone(), "hash-1").build().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    let shortened = RemoteEmbedder::builder(endpoint, "hash-1").with_shortened_dimensions(8).build().unwrap();
    shortened.embed(&texts(&["red"]), EmbedRole::Query).await;
    let last = server.received_requests().await.unwrap().pop().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&last.body).unwrap()["dimensions"], 8);
}
