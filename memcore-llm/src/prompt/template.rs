//! Instructions in both languages, built in or a host's own.

use std::path::Path;

use memcore_core::{Error, ErrorKind, Language, Result};

/// Instructions for a language model in Chinese and English, with a version.
///
/// A text may begin with a line such as `<!-- version: 2 -->`, which is not sent. `{{max_items}}` stands for how many
/// entries one reply may have, `{{max_tokens}}` for the length of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompts {
    version: String,
    zh: String,
    en: String,
}

impl Prompts {
    /// Instructions of the host's own.
    ///
    /// # Errors
    /// `InvalidInput` where a text is blank, or the two have different versions.
    pub fn new(zh: &str, en: &str) -> Result<Self> {
        let ((zh_version, zh), (en_version, en)) = (split_version(zh), split_version(en));
        for (language, text) in [("Chinese", zh), ("English", en)] {
            if text.is_empty() {
                return Err(Error::invalid(format!("the {language} prompt is empty"))
                    .with_hint("write both texts; the built-in ones are a start"));
            }
        }
        if zh_version != en_version {
            return Err(Error::invalid("the Chinese and the English prompt have different versions")
                .with_hint("change both texts together, and give them the same `<!-- version: … -->` line"));
        }
        Ok(Self { version: zh_version.unwrap_or("custom").to_owned(), zh: zh.to_owned(), en: en.to_owned() })
    }

    /// Reads `NAME.zh.md` and `NAME.en.md` from a folder, as in `extract.zh.md`. Blocks while it reads.
    ///
    /// # Errors
    /// `Io` where a file cannot be read; else as [`Prompts::new`].
    pub fn from_dir(dir: impl AsRef<Path>, name: &str) -> Result<Self> {
        let read = |language: &str| {
            let file = format!("{name}.{language}.md");
            std::fs::read_to_string(dir.as_ref().join(&file)).map_err(|error| {
                Error::new(ErrorKind::Io, format!("the prompt {file} cannot be read"))
                    .with_hint(format!("the folder needs {name}.zh.md and {name}.en.md, in UTF-8"))
                    .with_source(error)
            })
        };
        Self::new(&read("zh")?, &read("en")?)
    }

    /// The version that the texts state; `custom` where they state none.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The text of a language; English for languages without one.
    #[must_use]
    pub fn text(&self, language: Language) -> &str {
        if language == Language::Zh { &self.zh } else { &self.en }
    }

    /// A pair that is compiled in, and has been checked by a test.
    pub(crate) fn built_in(zh: &str, en: &str) -> Self {
        let ((version, zh), (_, en)) = (split_version(zh), split_version(en));
        Self { version: version.unwrap_or("custom").to_owned(), zh: zh.to_owned(), en: en.to_owned() }
    }

    /// The text with its placeholders filled in.
    pub(crate) fn filled(&self, language: Language, values: &[(&str, String)]) -> String {
        values
            .iter()
            .fold(self.text(language).to_owned(), |text, (name, value)| text.replace(&format!("{{{{{name}}}}}"), value))
    }
}

/// The version line of a text, and the text without it.
fn split_version(text: &str) -> (Option<&str>, &str) {
    let text = text.trim_start_matches('\u{feff}').trim();
    let versioned = text.strip_prefix("<!-- version:").and_then(|rest| rest.split_once("-->"));
    versioned.map_or((None, text), |(version, rest)| (Some(version.trim()), rest.trim()))
}
