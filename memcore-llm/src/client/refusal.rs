//! What an endpoint's error means: by its status, else by the identifier that it gives.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

use crate::error::{Refusal, RefusalClass};

/// The longest wait that is believed: a day.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 3_600);

/// Words of the identifiers and texts by which providers say that the account, not the request, is at fault. They come
/// with status 400 (Anthropic, DashScope), 402 (DeepSeek), 403 or 429 (OpenAI).
const QUOTA: [&str; 11] = [
    "insufficient_quota",
    "billing_error",
    "billing_not_active",
    "credit balance",
    "insufficient balance",
    "spend limit",
    "usage limit",
    "arrearage",
    "余额不足",
    "欠费",
    "额度",
];

/// A reply with a status that is no success.
pub(crate) fn of_status(status: u16, headers: &HeaderMap, body: String) -> Refusal {
    let value: Value = serde_json::from_str(&body).unwrap_or_default();
    let error = error_in(&value);
    let (code, detail) = (identifier(error), detail(error));
    let class = match status {
        400 | 403 | 429 if says_quota(&detail) => RefusalClass::Quota,
        _ => class_of_status(status),
    };
    Refusal { status: Some(status), code, detail, class, retry_after: retry_after(headers), body }
}

/// An error inside an answer or an event that came with status 200.
pub(crate) fn inside(value: &Value) -> Option<Refusal> {
    let error = match error_in(value) {
        Value::Null | Value::Bool(false) => return None,
        error => error,
    };
    let code = identifier(error);
    let status = [&error["code"], &error["status"], &value["status"]]
        .into_iter()
        .filter_map(Value::as_u64)
        .find(|status| (400..600).contains(status))
        .and_then(|status| u16::try_from(status).ok());
    let detail = detail(error);
    let class = match status {
        _ if says_quota(&detail) => RefusalClass::Quota,
        Some(status) => class_of_status(status),
        None => class_of_code(code.as_deref().unwrap_or_default()),
    };
    Some(Refusal { status: None, code, detail, class, retry_after: None, body: value.to_string() })
}

fn class_of_status(status: u16) -> RefusalClass {
    match status {
        401 | 403 => RefusalClass::Key,
        402 => RefusalClass::Quota,
        404 | 405 => RefusalClass::NotThere,
        408 | 409 | 425 | 429 | 500.. => RefusalClass::Later,
        413 => RefusalClass::TooMuch,
        _ => RefusalClass::Request,
    }
}

fn class_of_code(code: &str) -> RefusalClass {
    let has = |words: &[&str]| words.iter().any(|word| code.contains(word));
    if has(&["authentication", "permission", "api_key", "unauthorized"]) {
        RefusalClass::Key
    } else if has(&["not_found"]) {
        RefusalClass::NotThere
    } else if has(&["too_large", "context_length"]) {
        RefusalClass::TooMuch
    } else if has(&["invalid_request", "bad_request", "unsupported"]) {
        RefusalClass::Request
    } else {
        RefusalClass::Later
    }
}

fn says_quota(detail: &str) -> bool {
    QUOTA.iter().any(|word| detail.contains(word))
}

/// What the error says of itself, in lower case. Only these fields: a validator may quote the whole request elsewhere.
fn detail(error: &Value) -> String {
    let fields = [error, &error["code"], &error["type"], &error["param"], &error["message"]];
    let texts: Vec<&str> = fields.into_iter().filter_map(Value::as_str).collect();
    texts.join("\n").to_lowercase()
}

/// The error of a body: `{"error": …}`, `{"type":"error","error": …}`, or the body itself as vLLM and FastAPI write it.
fn error_in(value: &Value) -> &Value {
    match &value["error"] {
        Value::Null if value["object"] == "error" || value["type"] == "error" => value,
        error => error,
    }
}

/// The error's identifier, where it looks like one: free text may quote the conversation.
fn identifier(error: &Value) -> Option<String> {
    let is_identifier = |text: &&str| {
        (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte))
            && !text.starts_with("sk-")
    };
    [&error["code"], &error["type"]].into_iter().filter_map(Value::as_str).find(is_identifier).map(Into::into)
}

/// How long the endpoint asks to be left alone: `retry-after-ms`, or `retry-after` in seconds or as a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let finite = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
    let milliseconds = text("retry-after-ms").and_then(|ms| finite(ms.parse::<f64>().ok()? / 1_000.0));
    let stated = milliseconds.or_else(|| {
        let stated = text(RETRY_AFTER.as_str())?;
        match stated.parse::<f64>() {
            Ok(seconds) => finite(seconds),
            Err(_) => {
                let at = httpdate::parse_http_date(stated).ok()?;
                Some(at.duration_since(SystemTime::now()).unwrap_or_default())
            }
        }
    });
    stated.map(|wait| wait.min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_read_in_every_form_and_never_overflows() {
        let wait = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            retry_after(&headers)
        };
        assert_eq!(wait("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(wait("retry-after", " 0.5 "), Some(Duration::from_millis(500)));
        assert_eq!(wait("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        assert_eq!(wait("retry-after", "99999999999999"), Some(LONGEST_WAIT));
        assert_eq!(wait("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
        assert_eq!(wait("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT"), Some(LONGEST_WAIT));
        for nonsense in ["-1", "soon", "NaN", "inf", ""] {
            assert_eq!(wait("retry-after", nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn free_text_is_no_identifier() {
        for (error, expected) in [
            (serde_json::json!({"type": "rate_limit_error", "message": "slow down"}), Some("rate_limit_error")),
            (serde_json::json!({"code": "My dentist is Marek", "type": "server_error"}), Some("server_error")),
            (serde_json::json!({"code": "sk-canary"}), None),
            (serde_json::json!({"code": 429}), None),
            (serde_json::json!("model not found"), None),
        ] {
            assert_eq!(identifier(&error).as_deref(), expected);
        }
    }
}
