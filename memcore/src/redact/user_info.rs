//! The password beside a user name: in `scheme://user:password@host`, and as an option of common programs.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::pattern::compiled;
use super::placeholder::is_placeholder;
use super::span::Span;

// The password may hold any `@` but the last; it ends the authority, so it holds no slash.
static USER_INFO: LazyLock<Regex> = LazyLock::new(|| {
    compiled(r#"[A-Za-z][A-Za-z0-9+.-]*://[^ \t\r\n/?#@:'"`<>]*:([^ \t\r\n/?#'"`<>]+)@[A-Za-z0-9\[$]"#)
});

// `curl -u user:password`; a MySQL client takes the password glued to its option, sshpass after a space.
static OPTIONS: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r#"(?:[ \t](?:-u|--user|--proxy-user)[ =]*["']?[^ \t\r\n:/"']{1,64}:([^ \t\r\n"']{3,}))"#,
        r#"|(?:(?:mysql(?:dump|admin)?|mariadb)[ \t](?:[^\n|;]{0,80}[ \t])?-p["']?([^ \t\r\n"']{3,}))"#,
        r#"|(?:sshpass[ \t]+-p[ \t]*["']?([^ \t\r\n"']{3,}))"#,
    ))
});

/// Finds passwords in URLs and options; user and host stay.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    if text.contains("://") {
        push_passwords(text, &USER_INFO, spans);
    }
    // User and group ids of a container look the same, but are numbers: `-u 1000:1000`.
    push_passwords(text, &OPTIONS, spans);
}

fn push_passwords(text: &str, pattern: &Regex, spans: &mut Vec<Span>) {
    for captures in pattern.captures_iter(text) {
        let Some(password) = captures.iter().skip(1).flatten().next() else { continue };
        let is_number = password.len() <= 5 && password.as_str().bytes().all(|byte| byte.is_ascii_digit());
        if !is_number && !is_placeholder(password.as_str()) {
            spans.push(Span::new(class::PASSWORD, password.start(), password.end()));
        }
    }
}
