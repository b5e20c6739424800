//! The embedder that the environment describes, for programs and examples.

use memcore_core::{Error, Result};

use super::{RemoteEmbedder, RemoteEmbedderBuilder};
use crate::{ApiKey, Endpoint};

/// The embedder that environment variables describe; what is empty counts as not set.
///
/// | variable | what |
/// | --- | --- |
/// | `MEMCORE_EMBED_MODEL` | the model's name; required |
/// | `MEMCORE_EMBED_BASE_URL` | where it is, as in `http://127.0.0.1:11434/v1`; OpenAI where not set |
/// | `MEMCORE_EMBED_API_KEY` | its key; `OPENAI_API_KEY` for OpenAI |
/// | `MEMCORE_EMBED_DIMENSIONS` | values per vector; where not set, `connect` asks the endpoint |
/// | `MEMCORE_EMBED_QUERY_PREFIX`, `MEMCORE_EMBED_PASSAGE_PREFIX` | what the model wants before a text, as in `query: ` |
///
/// # Errors
/// `InvalidInput`, with what to set as its hint, where the variables describe no model.
pub fn embedder_from_environment() -> Result<RemoteEmbedderBuilder> {
    embedder_from(|variable| std::env::var(variable).ok())
}

/// The embedder that variables describe, as [`embedder_from_environment`], from a host's own settings.
///
/// # Errors
/// `InvalidInput`, with what to set as its hint, where the variables describe no model.
pub fn embedder_from(variable: impl Fn(&str) -> Option<String>) -> Result<RemoteEmbedderBuilder> {
    let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
    let ours = |what: &str| set(&format!("MEMCORE_EMBED_{what}"));
    let model = ours("MODEL").ok_or_else(|| {
        Error::invalid("no embedding model is named in the environment")
            .with_hint("set MEMCORE_EMBED_MODEL, and MEMCORE_EMBED_BASE_URL to the server that has it")
    })?;
    let base_url = ours("BASE_URL");
    let key = ours("API_KEY").or_else(|| if base_url.is_none() { set("OPENAI_API_KEY") } else { None });
    if base_url.is_none() && key.is_none() {
        return Err(Error::invalid("no embedding server is named in the environment")
            .with_hint("set MEMCORE_EMBED_BASE_URL to a server, or OPENAI_API_KEY for OpenAI"));
    }
    let mut endpoint = Endpoint::new(base_url.as_deref().map_or(Endpoint::OPENAI, str::trim));
    if let Some(key) = key {
        endpoint = endpoint.with_key(ApiKey::new(key.trim())?);
    }
    let prefix = |what: &str| ours(what).unwrap_or_default();
    let builder =
        RemoteEmbedder::builder(endpoint, model.trim()).with_prefixes(prefix("QUERY_PREFIX"), prefix("PASSAGE_PREFIX"));
    match ours("DIMENSIONS") {
        None => Ok(builder),
        Some(dimensions) => match dimensions.trim().parse() {
            Ok(dimensions) if dimensions > 0 => Ok(builder.with_dimensions(dimensions)),
            _ => Err(Error::invalid("MEMCORE_EMBED_DIMENSIONS is not a number above zero")
                .with_hint("set it to the number of values per vector, or leave it out")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<RemoteEmbedder> {
        let find =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        embedder_from(find)?.build()
    }

    #[test]
    fn the_environment_describes_an_embedder() {
        const URL: (&str, &str) = ("MEMCORE_EMBED_BASE_URL", "http://127.0.0.1:1/v1");
        const MODEL: (&str, &str) = ("MEMCORE_EMBED_MODEL", "bge-m3");
        const DIMENSIONS: (&str, &str) = ("MEMCORE_EMBED_DIMENSIONS", "4");
        let prefixed = [URL, MODEL, DIMENSIONS, ("MEMCORE_EMBED_QUERY_PREFIX", "query: ")];
        let embedder = of(&prefixed).unwrap();
        let identity = memcore_core::Embedder::identity(&embedder);
        assert_eq!((identity.model.as_str(), identity.dimensions), ("bge-m3", 4));
        assert_eq!(identity.query_prefix, "query: ");
        assert!(of(&[MODEL, DIMENSIONS, ("OPENAI_API_KEY", "sk-1")]).is_ok());
        for variables in [
            &[][..],
            &[URL],
            &[MODEL],
            &[URL, MODEL],
            &[URL, MODEL, ("MEMCORE_EMBED_DIMENSIONS", "0")],
            &[URL, MODEL, ("MEMCORE_EMBED_DIMENSIONS", "many")],
            &[MODEL, DIMENSIONS, ("MEMCORE_EMBED_BASE_URL", "nonsense")],
        ] {
            let error = of(variables).unwrap_err();
            assert_eq!(error.kind(), memcore_core::ErrorKind::InvalidInput, "{variables:?}");
            assert!(error.hint().is_some(), "{variables:?}");
        }
    }
}
