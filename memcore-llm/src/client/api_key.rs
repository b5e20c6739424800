//! The key of an endpoint: handed in, sent, never shown.

use std::fmt;

use memcore_core::{Error, Result};
use zeroize::Zeroizing;

/// The key of an endpoint. Neither `Debug` nor `Display` shows anything of it; its memory is wiped when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(Zeroizing<String>);

impl ApiKey {
    /// A key; white space around it (the line feed of a file) is dropped.
    ///
    /// # Errors
    /// `InvalidInput` where it is empty, or has a character that no header takes: anything but visible ASCII.
    pub fn new(key: impl Into<String>) -> Result<Self> {
        let given = Zeroizing::new(key.into());
        let key = given.trim();
        if key.is_empty() {
            return Err(Error::invalid("the key is empty"));
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::invalid("the key has characters that no key has")
                .with_hint("copy it again: letters, digits and punctuation only, on one line"));
        }
        Ok(Self(Zeroizing::new(key.to_owned())))
    }

    /// The key in an environment variable.
    ///
    /// # Errors
    /// `InvalidInput` where the variable is not set, or does not hold a key.
    pub fn from_environment(variable: &str) -> Result<Self> {
        let key = std::env::var(variable).map_err(|_| {
            Error::invalid(format!("the environment variable {variable} is not set"))
                .with_hint(format!("export {variable}, or hand the key in with ApiKey::new"))
        })?;
        Self::new(key)
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_trimmed_and_never_shown() {
        let key = ApiKey::new(" sk-canary-1\n").unwrap();
        assert_eq!(key.expose(), "sk-canary-1");
        assert!(!format!("{key} {key:?} {:#?}", Some(&key)).contains("canary"));
    }

    #[test]
    fn what_cannot_be_a_key_is_refused_without_being_shown() {
        for bad in ["", " \n", "sk-canary 1", "sk-canary\n2", "密钥canary"] {
            let error = ApiKey::new(bad).unwrap_err();
            assert_eq!(error.kind(), memcore_core::ErrorKind::InvalidInput);
            assert!(!format!("{error} {error:?}").contains("canary"));
        }
    }
}
