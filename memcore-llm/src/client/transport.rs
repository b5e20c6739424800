//! One request over HTTP: the connection, its limits, and what the endpoint's status means.

use std::{fmt, sync::Arc, time::Duration};

use reqwest::{
    Client, Response, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    redirect,
};
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::{
    ApiKey, Endpoint, Timeouts,
    endpoint::Route,
    event_stream::{Events, Limits},
    refusal,
};
use crate::error::LlmError;

/// How an endpoint wants its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyHeader {
    /// `authorization: Bearer KEY`
    Bearer,
    /// `x-api-key: KEY`
    XApiKey,
}

/// Posts JSON to one URL of an endpoint.
pub(crate) struct Transport {
    client: Client,
    url: Url,
    key: Option<ApiKey>,
    timeouts: Timeouts,
    max_reply_bytes: usize,
}

/// A reply that was asked for as a stream.
pub(crate) enum Streamed {
    Events(Events),
    /// The endpoint does not stream, and gave all at once.
    Whole(Value),
}

impl Transport {
    /// A client for `path` (as in `chat/completions`) below the endpoint's base URL.
    pub(crate) fn new(endpoint: &Endpoint, path: &str, key_header: KeyHeader) -> Result<Self, LlmError> {
        let url = url_below(&endpoint.base_url, path)?;
        let mut builder = Client::builder()
            .tls_backend_preconfigured(tls()?)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(endpoint.timeouts.connect)
            .default_headers(headers(endpoint, key_header)?);
        builder = match &endpoint.route {
            Route::Environment if is_this_machine(&url) => builder.no_proxy(),
            Route::Environment => builder,
            Route::Direct => builder.no_proxy(),
            Route::Proxy(proxy) => {
                let proxy = reqwest::Proxy::all(proxy.as_str())
                    .map_err(|_| LlmError::setting("the proxy is not a URL", "give it as http://HOST:PORT"))?;
                builder.no_proxy().proxy(proxy)
            }
        };
        let client = builder.build().map_err(|source| {
            // The text of the source may hold a header or a proxy's password.
            drop(source);
            LlmError::setting("no HTTP client can be made of these settings", "check the proxy and the headers")
        })?;
        let Endpoint { key, timeouts, max_reply_bytes, .. } = endpoint.clone();
        Ok(Self { client, url, key, timeouts, max_reply_bytes })
    }

    /// Whether the endpoint belongs to a domain, as in `openai.com`.
    pub(crate) fn is_of(&self, domain: &str) -> bool {
        let host = self.url.host_str().unwrap_or_default();
        host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }

    /// Posts `body` and waits for the whole reply, which is JSON and no error.
    pub(crate) async fn post(&self, body: &Value) -> Result<Value, LlmError> {
        let deadline = self.deadline();
        let exchange = async { self.whole(self.send(body, "application/json", deadline).await?, deadline).await };
        exchange.await.map_err(|error| self.scrubbed(error))
    }

    /// Posts `body` and gives the reply as it comes.
    pub(crate) async fn post_streaming(&self, body: &Value) -> Result<Streamed, LlmError> {
        let deadline = self.deadline();
        let sent = self.send(body, "text/event-stream", deadline).await;
        let response = sent.map_err(|error| self.scrubbed(error))?;
        if media_type(&response) != "text/event-stream" {
            let whole = self.whole(response, deadline).await;
            return whole.map(Streamed::Whole).map_err(|error| self.scrubbed(error));
        }
        let limits = Limits { deadline, timeouts: self.timeouts, max_bytes: self.max_reply_bytes };
        Ok(Streamed::Events(Events::new(response, limits, self.key.clone())))
    }

    /// An error without the key in what the endpoint said.
    pub(crate) fn scrubbed(&self, error: LlmError) -> LlmError {
        error.without(self.key.as_ref())
    }

    fn deadline(&self) -> Instant {
        // A limit beyond the clock's range is none.
        let year = Duration::from_secs(365 * 24 * 3_600);
        Instant::now() + self.timeouts.call.min(year)
    }

    async fn send(&self, body: &Value, accept: &'static str, deadline: Instant) -> Result<Response, LlmError> {
        let sending = self
            .client
            .post(self.url.clone())
            .header(ACCEPT, accept)
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string())
            .send();
        let response = timeout_at(deadline, sending)
            .await
            .map_err(|_| LlmError::CallTimeout(self.timeouts.call))?
            .map_err(|error| self.failure(error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        if status.is_redirection() {
            return Err(LlmError::Redirect);
        }
        let headers = response.headers().clone();
        // What the refusal says helps, but the status alone is enough.
        let said = self.bytes(response, deadline).await.unwrap_or_default();
        let said = String::from_utf8_lossy(&said).into_owned();
        Err(LlmError::Refused(refusal::of_status(status.as_u16(), &headers, said)))
    }

    fn failure(&self, error: reqwest::Error) -> LlmError {
        let error = error.without_url();
        match error.is_connect() {
            true if error.is_timeout() => LlmError::ConnectTimeout(self.timeouts.connect),
            true => LlmError::Unreachable { origin: self.url.origin().ascii_serialization(), source: error },
            false => LlmError::BrokenOff(error),
        }
    }

    async fn whole(&self, response: Response, deadline: Instant) -> Result<Value, LlmError> {
        let media_type = media_type(&response);
        let bytes = self.bytes(response, deadline).await?;
        let Ok(text) = std::str::from_utf8(&bytes) else {
            return Err(LlmError::Unexpected { what: "bytes that are no UTF-8", raw: String::new() });
        };
        let value = match serde_json::from_str::<Value>(text) {
            Ok(value @ Value::Object(_)) => value,
            _ => {
                let what = if media_type == "text/html" { "a web page" } else { "something else than a JSON object" };
                return Err(LlmError::Unexpected { what, raw: text.to_owned() });
            }
        };
        match refusal::inside(&value) {
            Some(refusal) => Err(LlmError::Refused(refusal)),
            None => Ok(value),
        }
    }

    async fn bytes(&self, mut response: Response, deadline: Instant) -> Result<Vec<u8>, LlmError> {
        let mut bytes = Vec::new();
        loop {
            let chunk = timeout_at(deadline, response.chunk())
                .await
                .map_err(|_| LlmError::CallTimeout(self.timeouts.call))?
                .map_err(|error| LlmError::BrokenOff(error.without_url()))?;
            let Some(chunk) = chunk else { return Ok(bytes) };
            if bytes.len() + chunk.len() > self.max_reply_bytes {
                return Err(LlmError::TooLarge(self.max_reply_bytes));
            }
            bytes.extend_from_slice(&chunk);
        }
    }
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Transport").field(&self.url.as_str()).finish()
    }
}

/// A base URL as it may be printed: without user, password and query.
pub(crate) fn shown(base_url: &str) -> String {
    match Url::parse(base_url) {
        Ok(url) => format!("{}{}", url.origin().ascii_serialization(), url.path()),
        Err(_) => "(not a URL)".to_owned(),
    }
}

fn url_below(base_url: &str, path: &str) -> Result<Url, LlmError> {
    const HINT: &str = "give it as in http://127.0.0.1:11434/v1";
    let base = Url::parse(base_url.trim()).map_err(|_| LlmError::setting("the base URL is not a URL", HINT))?;
    if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
        return Err(LlmError::setting("the base URL is not one of http or https", HINT));
    }
    if !base.username().is_empty() || base.password().is_some() || base.query().is_some() || base.fragment().is_some() {
        return Err(LlmError::setting(
            "the base URL has more than a host, a port and a path",
            "give the key with Endpoint::with_key, anything else with Endpoint::with_header",
        ));
    }
    Url::parse(&format!("{}/{path}", base.as_str().trim_end_matches('/')))
        .map_err(|_| LlmError::setting("the base URL is not a URL", HINT))
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    address.map_or(host == "localhost" || host.ends_with(".localhost"), |address| address.is_loopback())
}

/// TLS on ring, trusting what the operating system trusts.
fn tls() -> Result<ClientConfig, LlmError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(BuilderVerifierExt::with_platform_verifier);
    config.map(|config| config.with_no_client_auth()).map_err(|_| {
        LlmError::setting("TLS cannot be set up", "check that the operating system has certificates (ca-certificates)")
    })
}

fn headers(endpoint: &Endpoint, key_header: KeyHeader) -> Result<HeaderMap, LlmError> {
    let mut headers = HeaderMap::new();
    let mut insert = |name: &str, value: &str| {
        let parsed = HeaderName::from_bytes(name.as_bytes()).ok().zip(HeaderValue::from_str(value).ok());
        let Some((name, mut value)) = parsed else {
            return Err(LlmError::setting("a header is not one that HTTP takes", "check Endpoint::with_header"));
        };
        value.set_sensitive(true);
        headers.insert(name, value);
        Ok(())
    };
    if let Some(key) = &endpoint.key {
        match key_header {
            KeyHeader::Bearer => insert("authorization", &format!("Bearer {}", key.expose()))?,
            KeyHeader::XApiKey => insert("x-api-key", key.expose())?,
        }
    }
    if key_header == KeyHeader::XApiKey {
        insert("anthropic-version", "2023-06-01")?;
    }
    for (name, value) in &endpoint.headers {
        insert(name, value)?;
    }
    Ok(headers)
}

/// The media type of a reply without its parameters, in lower case.
fn media_type(response: &Response) -> String {
    let header = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    header.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
