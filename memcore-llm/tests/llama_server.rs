//! The client and the extractor against a real llama.cpp server with a small real model: transport, schema mode, repair.
//!
//! Needs `MEMCORE_TEST_MODELS`, a folder with `llm/` (see `scripts/fetch-models`). A model of 135 million parameters
//! shows that the parts fit together, not what a good model finds.
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests state what they expect by unwrapping")]

use std::{
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use futures::StreamExt;
use memcore_core::{
    ChatEvent, ChatModel, ChatRequest, ErrorKind, ExtractionRequest, Extractor, Message, StoredMessage,
};
use memcore_llm::{Endpoint, LlmExtractor, OpenAiModel};
use memcore_testkit::sample::{at, message, session_scope};
use serde_json::{Value, json};

/// Tokens of a reply: enough for an entry or two.
const REPLY_TOKENS: u32 = 200;

/// A server of this test's own, which ends with it.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// The server, once it answers; none where the folder has none, or its build does not run on this processor.
    async fn start() -> Option<Self> {
        let folder = PathBuf::from(std::env::var_os("MEMCORE_TEST_MODELS")?).join("llm");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(folder.join("llama-server"));
        command.args([
            "--host",
            "127.0.0.1",
            "-c",
            "8192",
            "-np",
            "1",
            "--device",
            "none",
            "--port",
            &port.to_string(),
        ]);
        command.arg("-m").arg(folder.join("model.gguf")).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().ok()?;
        let mut server = Self { child, port };
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(120) {
            if server.child.try_wait().unwrap().is_some() {
                return None;
            }
            let asked = ChatRequest::new("", vec![Message::user("Hi")]).with_max_tokens(1);
            match server.model().complete(&asked).await {
                Err(error) if error.kind() == ErrorKind::Unavailable => {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
                answered => {
                    answered.unwrap();
                    return Some(server);
                }
            }
        }
        panic!("the server does not get ready")
    }

    fn model(&self) -> OpenAiModel {
        OpenAiModel::new(Endpoint::new(format!("http://127.0.0.1:{}/v1", self.port)), "smollm2").unwrap()
    }
}

/// The server, or a word about why the test did not run.
async fn server(test: &str) -> Option<Server> {
    let server = Server::start().await;
    if server.is_none() {
        #[expect(clippy::print_stderr, reason = "a test that did not run says so")]
        {
            eprintln!("{test}: not run, MEMCORE_TEST_MODELS has no llm/llama-server that runs here");
        }
    }
    server
}

#[tokio::test]
async fn replies_come_whole_and_piece_by_piece_and_in_the_form_of_the_schema() {
    let Some(server) = server("replies").await else { return };
    let model = server.model();
    let asked = ChatRequest::new("You are brief.", vec![Message::user("Say hello in one sentence.")])
        .with_max_tokens(24)
        .with_temperature(0.0);
    let whole = model.complete(&asked).await.unwrap();
    assert!(
        !whole.text.trim().is_empty() && whole.usage.input_tokens > 5 && whole.usage.output_tokens > 0,
        "{whole:?}"
    );

    let mut stream = model.stream(&asked).await.unwrap();
    let (mut pieces, mut end) = (Vec::new(), None);
    while let Some(event) = stream.next().await {
        match event.unwrap() {
            ChatEvent::Text(piece) => pieces.push(piece),
            ChatEvent::End(reply) => end = Some(reply),
            _ => {}
        }
    }
    assert!(pieces.len() > 1, "it streams");
    assert_eq!(end.unwrap().text, pieces.concat());

    // A model of this size writes no such JSON unless the server makes it.
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["city", "people"],
        "properties": {"city": {"type": "string", "enum": ["Porto", "青岛"]}, "people": {"type": "integer"}},
    });
    let bound = ChatRequest::new("", vec![Message::user("Tell me a joke about a cow.")]).with_schema(schema);
    let reply = model.complete(&bound.with_max_tokens(60).with_temperature(0.0)).await.unwrap();
    let value: Value = serde_json::from_str(&reply.text).unwrap();
    assert!(["Porto", "青岛"].contains(&value["city"].as_str().unwrap()) && value["people"].is_i64(), "{value}");
}

#[tokio::test]
async fn conversations_are_read_and_every_failure_is_seen() {
    let Some(server) = server("conversations").await else { return };
    let extractor = LlmExtractor::new(Arc::new(server.model())).with_max_tokens(REPLY_TOKENS);
    for words in ["I live in Porto and I am allergic to shellfish.", "我在青岛当护士，以后请用中文回答我。"]
    {
        let scope = session_scope("ada", "s");
        let said = StoredMessage { at: at(1), ..message(&scope, "m1", words) };
        let request = ExtractionRequest::new(scope, vec![said.clone()], at(2));
        let extraction = extractor.extract(&request).await.unwrap();
        assert!(extraction.usage.calls >= 1 && extraction.usage.input_tokens > 500, "{extraction:?}");
        for found in &extraction.candidates {
            let quote = found.quote.as_ref().unwrap();
            assert_eq!(said.text().get(quote.start..quote.end), Some(quote.text.as_str()));
        }
        for failure in &extraction.failures {
            assert_eq!(failure.kind(), ErrorKind::ExtractFailed);
            assert!(failure.raw_reply().is_some_and(|raw| raw.contains("memories")), "the schema holds: {failure:?}");
        }
        let outcomes = extraction.candidates.len() + extraction.rejected.len() + extraction.failures.len();
        assert!(outcomes > 0 || extraction.usage.output_tokens < 20, "nothing is lost in silence: {extraction:?}");
    }
}
