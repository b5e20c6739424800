//! What stands where a secret would: variables, templates, type names, "your key here", asterisks.

use super::marker::starts_with_marker;

/// Words of manuals, types and masks that are no secret themselves.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "true", "false", "none", "null", "nil", "undefined", "nan", "string", "str", "text", "varchar", "char", "int",
    "integer", "number", "bool", "boolean", "bytes", "object", "array", "any", "optional", "required", "secret",
    "password", "passwd", "passphrase", "token", "key", "api_key", "apikey", "value", "example", "sample", "dummy",
    "placeholder", "changeme", "redacted", "masked", "hidden", "removed", "omitted", "todo", "tbd", "n/a", "empty",
    "option", "env", "default", "file", "await", "new", "const", "let", "return", "self", "this", "async", "prompt",
    "stdin", "input", "unset", "missing", "invalid", "incorrect", "wrong", "sorry", "yes", "no",
];

/// Beginnings of code and templates that fetch a secret instead of being one.
#[rustfmt::skip]
const OPENINGS: &[&str] = &[
    "${", "$(", "{{", "{%", "<", "%(", "#{", "process.env", "os.environ", "os.getenv", "env.", "env[", "env(", "getenv",
    "secrets.", "vault:", "op://", "arn:", "file:", "std::env", "system.getenv", "config.", "settings.", "data.",
    "your-", "your_", "your", "my-", "my_", "insert", "enter", "replace", "http://", "https://", "$env:",
];

/// Whether `value` stands for a secret without being one.
pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    if starts_with_marker(value) || !value.chars().any(char::is_alphanumeric) {
        return true;
    }
    let filler = value.chars().filter(|c| c.is_alphanumeric()).all(|c| matches!(c, 'x' | 'X'));
    let has_word = WORDS.contains(&lower.trim_end_matches([',', ';']));
    let opens = OPENINGS.iter().any(|opening| lower.starts_with(opening));
    // "your" and "my" begin real passwords too: those have digits in them.
    let personal = lower.starts_with("your") || lower.starts_with("my");
    filler || has_word || (opens && !(personal && lower.bytes().any(|byte| byte.is_ascii_digit()))) || is_code(value)
}

/// A variable, a call, or a path through fields: `$DB_PASSWORD`, `getPassword()`, `user.password`.
fn is_code(value: &str) -> bool {
    let is_identifier = |text: &str| {
        let mut bytes = text.bytes();
        bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    if let Some(variable) = value.strip_prefix('$').or_else(|| value.strip_prefix('%')) {
        let variable = variable.trim_end_matches('%');
        return is_identifier(variable) && !variable.bytes().any(|byte| byte.is_ascii_digit());
    }
    let type_name = value.trim_start_matches(['&', '[', '(', '*']);
    let is_integer_type = type_name.strip_prefix(['i', 'u', 'f']).is_some_and(|width| {
        let width = width.trim_end_matches([',', ';', ']']);
        matches!(width, "8" | "16" | "32" | "64" | "128" | "size")
    });
    if is_integer_type || type_name.trim_end_matches(',') == "str" {
        return true;
    }
    if value.contains("::") || ["&[", "&mut", "*const", "*mut", "_"].iter().any(|opening| value.starts_with(opening)) {
        return true;
    }
    if let Some((callee, _)) = value.split_once(['(', '[']) {
        return !callee.is_empty() && callee.split(['.', ':']).all(|part| part.is_empty() || is_identifier(part));
    }
    let (parts, fields) = (value.split('.'), value.matches('.').count());
    let looks_generated =
        value.split('.').any(|part| part.len() > 24 || part.bytes().filter(u8::is_ascii_digit).count() > 2);
    fields > 0 && parts.into_iter().all(is_identifier) && !looks_generated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_calls_types_and_masks_are_placeholders() {
        for value in [
            "${DB_PASSWORD}",
            "$DB_PASSWORD",
            "%PASSWORD%",
            "getPassword()",
            "user.password",
            "os.environ[\"X\"]",
            "string",
            "None",
            "typing.Optional[bytes]",
            "*const",
            "mem::MaybeUninit",
            "********",
            "xxxxxxxx",
            "<password>",
            "your-api-key",
            "[redacted:password]",
            "{{ vault_password }}",
        ] {
            assert!(is_placeholder(value), "{value}");
        }
    }

    #[test]
    fn passwords_are_not() {
        for value in ["hunter2", "sunflower2023", "$ecret99", "yourDog2019!", "correct.horse9battery77", "p@ss(word1"] {
            assert!(!is_placeholder(value), "{value}");
        }
    }
}
