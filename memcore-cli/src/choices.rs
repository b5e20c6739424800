//! The parts that a user chooses by name.

use std::path::PathBuf;

use crate::exit::Failure;

/// What makes vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EmbedderChoice {
    Builtin,
    MiniLm,
    E5,
    /// A model behind an endpoint, as the environment describes it.
    Remote,
    /// A model's folder.
    Folder(PathBuf),
    /// Words alone are searched.
    None,
}

impl EmbedderChoice {
    /// The choice of this name, where this build has it.
    pub(crate) fn parse(name: &str) -> Result<Self, Failure> {
        let choice = match name {
            "builtin" => return Ok(Self::Builtin),
            "none" => return Ok(Self::None),
            "remote" if cfg!(feature = "llm") => return Ok(Self::Remote),
            "remote" => {
                return Err(Failure::unsupported("this build of memcore has no embedder behind an endpoint")
                    .with_hint("build with --features llm (or full), or use --embedder builtin"));
            }
            "minilm" => Self::MiniLm,
            "e5" => Self::E5,
            path if path.contains(['/', '\\']) || PathBuf::from(path).is_dir() => Self::Folder(PathBuf::from(path)),
            _ => {
                return Err(Failure::configuration(format!("there is no embedder {name:?}"))
                    .with_hint("builtin, minilm, e5, remote, none, or the path of a model's folder"));
            }
        };
        if cfg!(feature = "candle") {
            return Ok(choice);
        }
        Err(Failure::unsupported(format!("this build of memcore has no sentence models, so no embedder {name:?}"))
            .with_hint("build with --features candle (or full), or use --embedder builtin"))
    }
}

/// What finds memories in conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExtractorChoice {
    Rules,
    /// A language model, as the environment describes it.
    Llm,
    Verbatim,
    None,
}

impl ExtractorChoice {
    /// The choice of this name, where this build has it.
    pub(crate) fn parse(name: &str) -> Result<Self, Failure> {
        match name {
            "rules" => Ok(Self::Rules),
            "verbatim" => Ok(Self::Verbatim),
            "none" => Ok(Self::None),
            "llm" if cfg!(feature = "llm") => Ok(Self::Llm),
            "llm" => Err(Failure::unsupported("this build of memcore has no extractor that asks a language model")
                .with_hint("build with --features llm (or full), or use --extractor rules")),
            _ => Err(Failure::configuration(format!("there is no extractor {name:?}"))
                .with_hint("rules, llm, verbatim or none")),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Llm => "llm",
            Self::Verbatim => "verbatim",
            Self::None => "none",
        }
    }
}
