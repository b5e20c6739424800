//! The chat clients against HTTP servers that answer in the providers' formats: requests, replies, streams, failures.
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests state what they expect by unwrapping")]

use std::{sync::Arc, time::Duration};

use futures::StreamExt;
use memcore_core::{ChatEvent, ChatModel, ChatReply, ChatRequest, Error, ErrorKind, Message, Result, Role};
use memcore_llm::{AnthropicModel, ApiKey, Endpoint, OpenAiModel, SchemaMode, Timeouts};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use wiremock::{Mock, MockServer, ResponseTemplate, matchers::method};

/// A key that no error and no printed model may hold.
const KEY: &str = "sk-canary-93ab";
/// Words of the conversation, which errors may hold only in their raw reply.
const SECRET: &str = "my dentist is Marek";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Provider {
    Anthropic,
    OpenAi,
}

const PROVIDERS: [Provider; 2] = [Provider::Anthropic, Provider::OpenAi];
/// Both providers, each for a whole reply and for one piece by piece.
const WAYS: [(Provider, bool); 4] =
    [(Provider::Anthropic, false), (Provider::Anthropic, true), (Provider::OpenAi, false), (Provider::OpenAi, true)];

impl Provider {
    fn model(self, endpoint: Endpoint) -> Arc<dyn ChatModel> {
        let endpoint = endpoint.with_key(ApiKey::new(KEY).unwrap());
        match self {
            Self::Anthropic => Arc::new(AnthropicModel::new(endpoint, "m-1").unwrap()),
            Self::OpenAi => Arc::new(OpenAiModel::new(endpoint, "m-1").unwrap()),
        }
    }

    /// A whole reply in the provider's format.
    fn reply(self, text: &str) -> Value {
        match self {
            Self::Anthropic => json!({
                "type": "message", "role": "assistant", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 12, "output_tokens": 3},
            }),
            Self::OpenAi => json!({
                "object": "chat.completion",
                "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": 12, "completion_tokens": 3},
            }),
        }
    }

    /// A reply as events, as far as `parts` go; `is_whole` adds the end.
    fn events(self, parts: &[&str], is_whole: bool) -> String {
        match self {
            Self::Anthropic => anthropic_events(parts, is_whole),
            Self::OpenAi => openai_events(parts, is_whole),
        }
    }
}

fn anthropic_events(parts: &[&str], is_whole: bool) -> String {
    let mut values = vec![
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 12, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "ping"}),
    ];
    let delta =
        |part: &&str| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": part}});
    values.extend(parts.iter().map(delta));
    if is_whole {
        values.extend([
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}}),
            json!({"type": "message_stop"}),
        ]);
    }
    values.iter().map(|value| format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap())).collect()
}

fn openai_events(parts: &[&str], is_whole: bool) -> String {
    let delta = |part: &&str| json!({"choices": [{"index": 0, "delta": {"content": part}, "finish_reason": null}]});
    let mut values: Vec<Value> = parts.iter().map(delta).collect();
    if is_whole {
        values.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}));
        values.push(json!({"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 3}}));
    }
    let mut events: String = values.iter().map(|value| format!("data: {value}\r\n\r\n")).collect();
    if is_whole {
        events.push_str(": a comment\n\ndata: [DONE]\n\n");
    }
    events
}

fn request() -> ChatRequest {
    let said = [Message::user(SECRET), Message::assistant("Noted."), Message::user("你好，who is it?")];
    ChatRequest::new("Answer briefly.", said.to_vec()).with_max_tokens(64).with_temperature(0.0)
}

/// A server that answers everything the same.
async fn server(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(answer).mount(&server).await;
    server
}

async fn bodies(server: &MockServer) -> Vec<Value> {
    let asked = server.received_requests().await.unwrap();
    asked.iter().map(|asked| serde_json::from_slice(&asked.body).unwrap()).collect()
}

fn stream_of(events: String) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(events, "text/event-stream")
}

/// The whole reply, also where it comes piece by piece.
async fn ask(model: &dyn ChatModel, streams: bool) -> Result<ChatReply> {
    if !streams {
        return model.complete(&request()).await;
    }
    let mut stream = model.stream(&request()).await?;
    let mut text = String::new();
    while let Some(event) = stream.next().await {
        match event? {
            ChatEvent::Text(piece) => text.push_str(&piece),
            ChatEvent::End(reply) => {
                assert_eq!(text, reply.text, "the pieces are the reply");
                return Ok(reply);
            }
            _ => {}
        }
    }
    panic!("a stream ends with its reply or an error")
}

/// The error, after a look that it tells neither the key nor the conversation.
fn discreet(error: Error) -> Error {
    let mut shown = format!("{error} {error:#?}");
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        shown.push_str(&format!("{inner} {inner:?}"));
        source = inner.source();
    }
    assert!(!shown.contains(KEY), "{shown}");
    assert!(!error.to_string().contains("Marek"), "{error}");
    assert!(!error.raw_reply().unwrap_or_default().contains(KEY), "{error:?}");
    error
}

async fn failed(provider: Provider, streams: bool, endpoint: Endpoint) -> Error {
    discreet(ask(&*provider.model(endpoint), streams).await.unwrap_err())
}

#[tokio::test]
async fn requests_are_in_the_providers_format() {
    for provider in PROVIDERS {
        let server = server(ResponseTemplate::new(200).set_body_json(provider.reply("Marek."))).await;
        let endpoint = Endpoint::new(format!("{}/v1/", server.uri())).with_header("x-team", "billing");
        let reply = ask(&*provider.model(endpoint), false).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.truncated, reply.usage.calls), ("Marek.", false, 1));
        assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (12, 3));
        let asked = &server.received_requests().await.unwrap()[0];
        let body = &bodies(&server).await[0];
        assert_eq!((&body["model"], &body["temperature"]), (&json!("m-1"), &json!(0.0)));
        assert_eq!(asked.headers["x-team"], "billing");
        match provider {
            Provider::Anthropic => {
                assert_eq!(asked.url.path(), "/v1/messages");
                assert_eq!(asked.headers["x-api-key"], KEY);
                assert!(!asked.headers.contains_key("authorization"));
                assert_eq!(asked.headers["anthropic-version"], "2023-06-01");
                assert_eq!((&body["system"], &body["max_tokens"]), (&json!("Answer briefly."), &json!(64)));
                assert_eq!(body["messages"][0], json!({"role": "user", "content": [{"type": "text", "text": SECRET}]}));
            }
            Provider::OpenAi => {
                assert_eq!(asked.url.path(), "/v1/chat/completions");
                assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}").as_str());
                let roles: Vec<&Value> =
                    body["messages"].as_array().unwrap().iter().map(|said| &said["role"]).collect();
                assert_eq!(roles, ["system", "user", "assistant", "user"]);
            }
        }
    }
}

#[tokio::test]
async fn streams_give_the_pieces_and_then_the_reply() {
    for provider in PROVIDERS {
        let server = server(stream_of(provider.events(&["Ma", "rek 是", "牙医。"], true))).await;
        let reply = ask(&*provider.model(Endpoint::new(server.uri())), true).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.truncated), ("Marek 是牙医。", false), "{provider:?}");
        assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (12, 3), "{provider:?}");
        assert_eq!(bodies(&server).await[0]["stream"], true);
    }
}

#[tokio::test]
async fn an_endpoint_that_does_not_stream_gives_all_at_once() {
    for provider in PROVIDERS {
        let server = server(ResponseTemplate::new(200).set_body_json(provider.reply("Marek."))).await;
        assert_eq!(ask(&*provider.model(Endpoint::new(server.uri())), true).await.unwrap().text, "Marek.");
    }
}

#[tokio::test]
async fn a_stream_without_its_end_is_a_failure() {
    for provider in PROVIDERS {
        for parts in [&[][..], &["Ma"], &["Ma", "rek"]] {
            let server = server(stream_of(provider.events(parts, false))).await;
            let error = failed(provider, true, Endpoint::new(server.uri())).await;
            assert_eq!(error.kind(), ErrorKind::Unavailable, "{provider:?} {parts:?}: {error}");
        }
    }
}

#[tokio::test]
async fn every_refusal_has_its_kind_and_says_how_long_to_wait() {
    use ErrorKind::{InvalidInput, Unauthorized, Unavailable};
    let body = json!({"error": {"type": "some_error", "message": format!("{KEY} may not say {SECRET}")}});
    for (status, header, expected, wait) in [
        (400, None, InvalidInput, None),
        (401, None, Unauthorized, None),
        (402, None, Unavailable, None),
        (403, None, Unauthorized, None),
        (404, None, InvalidInput, None),
        (408, None, Unavailable, None),
        (413, None, InvalidInput, None),
        (429, Some("7"), Unavailable, Some(7)),
        (429, None, Unavailable, None),
        (429, Some("Wed, 21 Oct 2015 07:28:00 GMT"), Unavailable, Some(0)),
        (500, None, Unavailable, None),
        (502, None, Unavailable, None),
        (503, Some("120"), Unavailable, Some(120)),
        (504, None, Unavailable, None),
        (529, Some("30"), Unavailable, Some(30)),
    ] {
        for (provider, streams) in WAYS {
            let mut answer = ResponseTemplate::new(status).set_body_json(&body);
            if let Some(header) = header {
                answer = answer.insert_header("retry-after", header);
            }
            let server = server(answer).await;
            let error = failed(provider, streams, Endpoint::new(server.uri())).await;
            let case = format!("{status} {header:?} {provider:?} {streams}: {error}");
            assert_eq!((error.kind(), error.retry_after()), (expected, wait.map(Duration::from_secs)), "{case}");
            assert!(error.hint().is_some(), "{case}");
            assert_eq!(server.received_requests().await.unwrap().len(), 1, "not repeated here: {case}");
        }
    }
}

/// Replies of status 200 that are none of a model, and what they are instead.
fn no_answers() -> [(&'static str, ResponseTemplate, ErrorKind); 11] {
    use ErrorKind::{InvalidInput, Unauthorized, Unavailable};
    let json = |body: Value| ResponseTemplate::new(200).set_body_json(body);
    let raw = |body: &[u8], media: &str| ResponseTemplate::new(200).set_body_raw(body.to_vec(), media);
    let silent = json!({
        "content": [], "stop_reason": "end_turn",
        "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": ""}}],
    });
    let declined = json!({
        "content": [], "stop_reason": "refusal",
        "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": null, "refusal": "No."}}],
    });
    let quota = json!({"error": {"type": "insufficient_quota", "message": "余额不足"}});
    [
        ("a login page", raw(b"<html><body>Sign in</body></html>", "text/html"), Unavailable),
        ("a page that says it is JSON", raw(b"<html></html>", "application/json"), Unavailable),
        ("nothing", raw(b"", "application/json"), Unavailable),
        ("half of JSON", raw(b"{\"choices\": [", "application/json"), Unavailable),
        ("no UTF-8", raw(&[0xff, 0xfe, 0x00], "application/json"), Unavailable),
        ("a quota notice", json(quota), Unavailable),
        ("an error inside", json(json!({"error": {"code": 503, "message": "overloaded"}})), Unavailable),
        ("a refused key inside", json(json!({"error": {"type": "authentication_error"}})), Unauthorized),
        ("something else", json(json!({"status": "fine"})), Unavailable),
        ("no text", json(silent), InvalidInput),
        ("a refusal to answer", json(declined), InvalidInput),
    ]
}

#[tokio::test]
async fn what_is_no_answer_of_a_model_is_a_failure() {
    for (name, answer, expected) in no_answers() {
        let server = server(answer).await;
        for (provider, streams) in WAYS {
            let error = failed(provider, streams, Endpoint::new(server.uri())).await;
            assert_eq!(error.kind(), expected, "{name} {provider:?} {streams}: {error}");
        }
    }
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_is_one() {
    let overloaded = json!({"type": "error", "error": {"type": "overloaded_error", "message": KEY}});
    for provider in PROVIDERS {
        let events = format!("{}event: error\ndata: {overloaded}\n\n", provider.events(&["Ma"], false));
        let server = server(stream_of(events)).await;
        let error = failed(provider, true, Endpoint::new(server.uri())).await;
        assert_eq!(error.kind(), ErrorKind::Unavailable, "{provider:?}: {error}");
        assert!(error.to_string().contains("overloaded_error"), "{error}");
    }
}

#[tokio::test]
async fn a_reply_that_was_cut_off_says_so() {
    for provider in PROVIDERS {
        let mut body = provider.reply("Mar");
        match provider {
            Provider::Anthropic => body["stop_reason"] = json!("max_tokens"),
            Provider::OpenAi => body["choices"][0]["finish_reason"] = json!("length"),
        }
        let server = server(ResponseTemplate::new(200).set_body_json(body)).await;
        let reply = ask(&*provider.model(Endpoint::new(server.uri())), false).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.truncated), ("Mar", true), "{provider:?}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed_and_the_key_goes_nowhere_else() {
    for status in [301, 302, 303, 307, 308] {
        let elsewhere = server(ResponseTemplate::new(200).set_body_json(Provider::OpenAi.reply("trap"))).await;
        let target = format!("{}/v1/chat/completions", elsewhere.uri());
        let here = server(ResponseTemplate::new(status).insert_header("location", target.as_str())).await;
        for (provider, streams) in WAYS {
            let error = failed(provider, streams, Endpoint::new(here.uri())).await;
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{status}: {error}");
        }
        assert!(elsewhere.received_requests().await.unwrap().is_empty(), "{status}");
    }
}

#[tokio::test]
async fn a_reply_over_the_limit_is_not_read_on() {
    let long = "Marek ".repeat(10_000);
    for (provider, streams) in WAYS {
        let answer = match streams {
            true => stream_of(provider.events(&[&long], true)),
            false => ResponseTemplate::new(200).set_body_json(provider.reply(&long)),
        };
        let server = server(answer).await;
        let endpoint = Endpoint::new(server.uri()).with_max_reply_bytes(10_000);
        let error = failed(provider, streams, endpoint).await;
        assert!(error.to_string().contains("larger than 10000 bytes"), "{provider:?} {streams}: {error}");
    }
}

/// A server that reads a request, sends `head`, then drips comments or falls silent; answers its address.
async fn slow(head: &'static str, drips: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut buffer = [0; 65_536];
                let _ = socket.read(&mut buffer).await;
                let _ = socket.write_all(head.as_bytes()).await;
                loop {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    if drips && socket.write_all(b": \n").await.is_err() {
                        break;
                    }
                }
            });
        }
    });
    format!("http://{address}")
}

#[tokio::test]
async fn an_endpoint_that_drips_or_falls_silent_is_given_up() {
    const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let (short, long) = (Duration::from_millis(300), Duration::from_secs(60));
    for provider in PROVIDERS {
        for (head, drips, streams, expected) in [
            ("", false, false, "did not finish its answer"),
            ("", false, true, "did not finish its answer"),
            (HEAD, true, false, "did not finish its answer"),
            (HEAD, true, true, "did not finish its answer"),
            (HEAD, false, true, "fell silent"),
        ] {
            let (call, idle) = if expected == "fell silent" { (long, short) } else { (short, long) };
            let timeouts = Timeouts::default().with_call(call).with_idle(idle);
            let endpoint = Endpoint::new(slow(head, drips).await).with_timeouts(timeouts);
            let error = failed(provider, streams, endpoint).await;
            assert_eq!(error.kind(), ErrorKind::Unavailable);
            assert!(error.to_string().contains(expected), "{provider:?} {head:?} {drips} {streams}: {error}");
        }
    }
}

/// A server that breaks off in the middle of a reply.
async fn breaking() -> std::net::SocketAddr {
    const HALF: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"choices\"";
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut buffer = [0; 65_536];
            let _ = socket.read(&mut buffer).await;
            let _ = socket.write_all(HALF).await;
        }
    });
    address
}

#[tokio::test]
async fn connections_that_fail_are_told_from_answers() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let broken = breaking().await;
    for provider in PROVIDERS {
        for (url, expected) in [
            (format!("http://{closed}"), "cannot be reached"),
            // TLS where plain HTTP is spoken.
            (format!("https://{broken}"), "cannot be reached"),
            (format!("http://{broken}"), "broke off"),
        ] {
            let error = failed(provider, false, Endpoint::new(&url)).await;
            assert_eq!(error.kind(), ErrorKind::Unavailable, "{url}: {error}");
            assert!(error.to_string().contains(expected), "{provider:?} {url}: {error}");
        }
    }
}

#[tokio::test]
async fn a_schema_goes_by_the_providers_mode_and_a_refused_mode_gives_way() {
    let schema = json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false});
    for provider in PROVIDERS {
        let server = MockServer::start().await;
        // Only the mode in words is accepted.
        let accepts_words = move |asked: &wiremock::Request| {
            let body: Value = serde_json::from_slice(&asked.body).unwrap();
            if ["response_format", "output_config", "tools"].iter().all(|name| body[*name].is_null()) {
                return ResponseTemplate::new(200).set_body_json(provider.reply("{}"));
            }
            let error = json!({"error": {"type": "invalid_request_error", "message": "not supported"}});
            ResponseTemplate::new(400).set_body_json(error)
        };
        Mock::given(method("POST")).respond_with(accepts_words).mount(&server).await;
        let model = provider.model(Endpoint::new(server.uri()));
        let asked = ChatRequest::new("Extract.", vec![Message::user("Hi")]).with_schema(schema.clone());
        assert_eq!(model.complete(&asked).await.unwrap().text, "{}");
        let bodies = bodies(&server).await;
        assert_eq!(bodies.len(), 3, "{provider:?}");
        match provider {
            Provider::Anthropic => {
                assert_eq!(bodies[0]["output_config"]["format"]["type"], "json_schema");
                assert_eq!(bodies[0]["output_config"]["format"]["schema"], schema);
                assert_eq!(bodies[1]["tools"][0]["input_schema"], schema);
                assert_eq!(bodies[1]["tool_choice"]["type"], "tool");
            }
            Provider::OpenAi => {
                assert_eq!(bodies[0]["response_format"]["type"], "json_schema");
                assert_eq!(bodies[0]["response_format"]["json_schema"]["schema"], schema);
                assert_eq!(bodies[1]["response_format"]["type"], "json_object");
            }
        }
        model.complete(&asked).await.unwrap();
        assert_eq!(server.received_requests().await.unwrap().len(), 4, "what works is remembered");
    }
}

#[tokio::test]
async fn the_answer_of_a_forced_tool_is_the_reply() {
    let answer = json!({
        "content": [{"type": "tool_use", "id": "t", "name": "answer", "input": {"memories": []}}],
        "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 1},
    });
    let server = server(ResponseTemplate::new(200).set_body_json(answer)).await;
    let model = AnthropicModel::new(Endpoint::new(server.uri()), "m-1").unwrap().with_schema_mode(SchemaMode::Tool);
    let asked = ChatRequest::new("", vec![Message::user("Hi")]).with_schema(json!({"type": "object"}));
    let reply = model.complete(&asked).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&reply.text).unwrap(), json!({"memories": []}));
}

#[tokio::test]
async fn thoughts_are_no_part_of_the_reply() {
    let body = Provider::OpenAi.reply("<think>Hm.</think>Marek.");
    let server = server(ResponseTemplate::new(200).set_body_json(body)).await;
    assert_eq!(ask(&*Provider::OpenAi.model(Endpoint::new(server.uri())), false).await.unwrap().text, "Marek.");
}

#[tokio::test]
async fn images_go_in_the_providers_format_or_are_named() {
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0="}});
    let mut message = Message::new(Role::User, "What is this?");
    message.content.push(serde_json::from_value(image).unwrap());
    let asked = ChatRequest::new("", vec![message]);
    for provider in PROVIDERS {
        let server = server(ResponseTemplate::new(200).set_body_json(provider.reply("A dot."))).await;
        let model = provider.model(Endpoint::new(server.uri()));
        model.complete(&asked).await.unwrap();
        let shown = bodies(&server).await[0]["messages"][0]["content"].to_string();
        let expected = match provider {
            Provider::Anthropic => r#""media_type":"image/png""#,
            Provider::OpenAi => r#""type":"image_url""#,
        };
        assert_eq!(shown.contains(expected), model.sees_images(), "{provider:?}: {shown}");
        assert!(model.sees_images() || shown.contains("[image]"), "{provider:?}: {shown}");
    }
}

#[test]
fn settings_that_make_no_sense_are_refused_before_anything_is_sent() {
    for url in ["", "not a url", "ftp://host/v1", "http://", "https://user:pass@host/v1", "http://host/v1?key=x"] {
        let error = discreet(OpenAiModel::new(Endpoint::new(url), "m").unwrap_err());
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{url}");
        assert!(error.hint().is_some() && !error.to_string().contains("pass"), "{url}: {error}");
    }
    assert_eq!(OpenAiModel::new(Endpoint::new("http://host"), " ").unwrap_err().kind(), ErrorKind::InvalidInput);
    let endpoint = Endpoint::new("http://host").with_header("bad name", "x");
    assert_eq!(OpenAiModel::new(endpoint, "m").unwrap_err().kind(), ErrorKind::InvalidInput);
}

#[test]
fn models_and_endpoints_do_not_show_their_secrets() {
    let key = ApiKey::new(KEY).unwrap();
    let endpoint = Endpoint::new("https://host/v1").with_key(key).with_header("x-gate", "canary-77");
    let shown = format!("{endpoint:?} {:?}", OpenAiModel::new(endpoint.clone(), "m").unwrap());
    assert!(!shown.contains(KEY) && !shown.contains("canary-77"), "{shown}");
}
