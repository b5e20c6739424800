//! Where a model is, how one gets in, and how long one waits.

use std::{fmt, time::Duration};

use super::ApiKey;

/// How long one waits for an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeouts {
    /// Until the connection stands, TLS included.
    pub connect: Duration,
    /// Until the whole reply is there, also where it comes piece by piece.
    pub call: Duration,
    /// Between two pieces of a reply that comes piece by piece, and until the first.
    pub idle: Duration,
}

impl Default for Timeouts {
    /// 10 seconds to connect, five minutes for a call, two without a sign of life: reasoning models and local servers
    /// that read a long prompt are silent for long.
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), call: Duration::from_secs(300), idle: Duration::from_secs(120) }
    }
}

impl Timeouts {
    /// Limits the time until the connection stands.
    #[must_use]
    pub fn with_connect(mut self, limit: Duration) -> Self {
        self.connect = limit;
        self
    }

    /// Limits the time of a whole call.
    #[must_use]
    pub fn with_call(mut self, limit: Duration) -> Self {
        self.call = limit;
        self
    }

    /// Limits the time without a piece of the reply.
    #[must_use]
    pub fn with_idle(mut self, limit: Duration) -> Self {
        self.idle = limit;
        self
    }
}

/// Which proxy leads to the endpoint.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Route {
    /// What `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say; never a proxy to this machine.
    Environment,
    Direct,
    Proxy(String),
}

/// An HTTP endpoint that serves models: its base URL, its key, and the limits of a call.
///
/// Nothing but these settings decides where a request goes: redirects are not followed.
#[derive(Clone)]
pub struct Endpoint {
    pub(crate) base_url: String,
    pub(crate) key: Option<ApiKey>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) timeouts: Timeouts,
    pub(crate) max_reply_bytes: usize,
    pub(crate) route: Route,
}

impl Endpoint {
    /// The base URL of Anthropic's API.
    pub const ANTHROPIC: &str = "https://api.anthropic.com";
    /// The base URL of OpenAI's API.
    pub const OPENAI: &str = "https://api.openai.com/v1";

    /// An endpoint without a key. The URL ends where the paths of the API begin, as in `http://127.0.0.1:11434/v1`
    /// (Ollama), `https://api.deepseek.com/v1`, `https://dashscope.aliyuncs.com/compatible-mode/v1` (Qwen). It is
    /// checked where a model is made of it.
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            key: None,
            headers: Vec::new(),
            timeouts: Timeouts::default(),
            max_reply_bytes: 8 * 1024 * 1024,
            route: Route::Environment,
        }
    }

    /// Anthropic's own endpoint.
    #[must_use]
    pub fn anthropic(key: ApiKey) -> Self {
        Self::new(Self::ANTHROPIC).with_key(key)
    }

    /// OpenAI's own endpoint.
    #[must_use]
    pub fn openai(key: ApiKey) -> Self {
        Self::new(Self::OPENAI).with_key(key)
    }

    /// Sends a key with each request.
    #[must_use]
    pub fn with_key(mut self, key: ApiKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Sends a header with each request, as gateways ask. Its value counts as a secret.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets how long one waits.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Limits the bytes of a reply; by default 8 MiB.
    #[must_use]
    pub fn with_max_reply_bytes(mut self, bytes: usize) -> Self {
        self.max_reply_bytes = bytes;
        self
    }

    /// Goes through this HTTP proxy, whatever the environment says. Without this, `HTTPS_PROXY`, `HTTP_PROXY` and
    /// `NO_PROXY` count, but never for an endpoint on this machine.
    #[must_use]
    pub fn with_proxy(mut self, url: impl Into<String>) -> Self {
        self.route = Route::Proxy(url.into());
        self
    }

    /// Goes straight to the endpoint, whatever the environment says.
    #[must_use]
    pub fn without_proxy(mut self) -> Self {
        self.route = Route::Direct;
        self
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Endpoint")
            .field("base_url", &super::transport::shown(&self.base_url))
            .field("key", &self.key)
            .field("headers", &headers)
            .field("timeouts", &self.timeouts)
            .field("max_reply_bytes", &self.max_reply_bytes)
            .finish_non_exhaustive()
    }
}
