//! The configuration file.
//!
//! ```toml
//! user = "ada"
//! embedder = "minilm"
//! model_dir = "~/models"
//!
//! [recall]
//! results = 6
//! ```

use std::{io, path::Path};

use memcore::{CaptureSettings, ConversationSettings, InjectionSettings, RecallSettings, ReviewSettings, Settings};
use serde::Deserialize;

use crate::{exit::Failure, output::ColorChoice};

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// What the file says; all of it may be absent.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ConfigFile {
    pub(crate) db: Option<String>,
    pub(crate) user: Option<String>,
    pub(crate) project: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) embedder: Option<String>,
    pub(crate) extractor: Option<String>,
    pub(crate) model_dir: Option<String>,
    pub(crate) color: Option<ColorChoice>,
    recall: RecallSettings,
    injection: InjectionSettings,
    capture: CaptureSettings,
    conversation: ConversationSettings,
    review: ReviewSettings,
}

impl ConfigFile {
    /// Reads a file that must be there.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let unreadable = |why: String| Failure::configuration(format!("{}: {why}", path.display()));
        let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
        if size > MAX_BYTES {
            return Err(unreadable(format!("larger than {MAX_BYTES} bytes")));
        }
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
        toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            // The message alone: the error's own display would print the line, with whatever stands in it.
            Failure::configuration(format!("{}:{line}: {}", path.display(), error.message()))
        })
    }

    /// Reads a file that may be absent.
    pub(crate) fn read_if_there(path: &Path) -> Result<Self, Failure> {
        match std::fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            _ => Self::read(path),
        }
    }

    pub(crate) fn settings(self) -> Settings {
        let mut settings = Settings::default();
        settings.recall = self.recall;
        settings.injection = self.injection;
        settings.capture = self.capture;
        settings.conversation = self.conversation;
        settings.review = self.review;
        settings
    }
}
