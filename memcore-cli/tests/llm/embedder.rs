//! Vectors from an endpoint: when it is out of reach, words are searched and texts wait for their vectors.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde_json::{Value, json};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers::path};

use crate::program::Program;

/// Two directions of meaning: what is about drinks, and all else.
#[derive(Debug, Clone, Default)]
struct Meanings {
    is_down: Arc<AtomicBool>,
}

impl Respond for Meanings {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        if self.is_down.load(Ordering::SeqCst) {
            return ResponseTemplate::new(503).set_body_json(json!({"error": {"message": "overloaded"}}));
        }
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let vector = |input: &Value| {
            let is_drink = ["tea", "beverage", "茶", "饮料"].iter().any(|word| input.as_str().unwrap().contains(word));
            if is_drink { [1.0, 0.1, 0.0, 0.0] } else { [0.0, 0.1, 1.0, 0.0] }
        };
        let inputs = body["input"].as_array().unwrap();
        let entry = |(index, input)| json!({"index": index, "embedding": vector(input)});
        let data: Vec<Value> = inputs.iter().enumerate().map(entry).collect();
        ResponseTemplate::new(200).set_body_json(json!({ "data": data }))
    }
}

async fn served() -> (Meanings, MockServer, Program) {
    let (meanings, server) = (Meanings::default(), MockServer::start().await);
    Mock::given(path("/v1/embeddings")).respond_with(meanings.clone()).mount(&server).await;
    let program = Program::new()
        .with_variable("MEMCORE_EMBEDDER", "remote")
        .with_variable("MEMCORE_EMBED_MODEL", "meanings-1")
        .with_variable("MEMCORE_EMBED_DIMENSIONS", "4")
        .with_variable("MEMCORE_EMBED_BASE_URL", &format!("{}/v1", server.uri()));
    (meanings, server, program)
}

#[tokio::test]
async fn what_is_stored_while_the_endpoint_is_down_has_its_vectors_later() {
    let (meanings, _server, program) = served().await;
    program.remember(&["The gate opens at six."]);
    meanings.is_down.store(true, Ordering::SeqCst);
    program.remember(&["Lin drinks green tea."]);
    program.remember(&["小林爱喝绿茶。"]);
    assert_eq!(program.answer(&["stats"])["pending_vectors"].as_u64(), Some(2));
    let found = program.answer(&["recall", "green tea"]);
    assert_eq!(found["hits"].as_array().unwrap().len(), 1, "found by its words: {found}");
    assert!(found["degraded"].is_string(), "{found}");

    meanings.is_down.store(false, Ordering::SeqCst);
    program.answer(&["queue", "--work"]);
    let stats = program.answer(&["stats"]);
    assert_eq!((stats["pending_vectors"].as_u64(), stats["vectors"].as_u64()), (Some(0), Some(3)), "{stats}");
    let found = program.answer(&["recall", "Which beverage?"]);
    assert!(found["degraded"].is_null() && found["hits"].as_array().unwrap().len() == 2, "by meaning: {found}");
}

#[tokio::test]
async fn doctor_says_whether_the_endpoint_gives_vectors() {
    let (meanings, _server, program) = served().await;
    program.remember(&["The gate opens at six."]);
    let check = |doctor: &Value| {
        let checks = doctor["checks"].as_array().unwrap().clone();
        checks.into_iter().find(|check| check["check"] == "embedder").unwrap()
    };
    assert_eq!(check(&program.answer(&["doctor"]))["status"], "ok");
    meanings.is_down.store(true, Ordering::SeqCst);
    let ran = program.run(&["doctor"]);
    assert_eq!((ran.exit, check(&ran.json)["status"].as_str()), (1, Some("fault")), "{}", ran.json);
    let unset = program.with_variable("MEMCORE_EMBED_MODEL", "");
    let ran = unset.run(&["recall", "tea"]);
    assert_eq!((ran.exit, ran.kind()), (4, "configuration"), "{}", ran.json);
}
