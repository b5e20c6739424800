//! Opens the memory that a command works on.

use std::sync::Arc;

use memcore::{
    Embedder, Memory, MemoryBuilder, ScopedMemory,
    builtin::StaticEmbedder,
    core::EmbedRole,
    extract::{NoExtractor, RuleExtractor, VerbatimExtractor},
    sqlite::SqliteStore,
};

use crate::{
    choices::{EmbedderChoice, ExtractorChoice},
    config::Config,
    exit::Failure,
};

/// An open memory.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) memory: Memory,
    /// The memories of the run's user, project and session.
    pub(crate) mine: ScopedMemory,
}

/// Opens the database for reading conversations: with the embedder and the extractor.
pub(crate) async fn to_capture(config: &Config) -> Result<Opened, Failure> {
    // What is missing in the environment is said before a file is made.
    let with_extractor = extractor(config)?;
    let embedder = embedder(config).await?;
    let builder = with_extractor(builder(config).await?);
    build(config, embedder.into_iter().fold(builder, MemoryBuilder::embedder)).await
}

/// Opens the database, with the embedder.
pub(crate) async fn with_vectors(config: &Config) -> Result<Opened, Failure> {
    let embedder = embedder(config).await?;
    let builder = builder(config).await?;
    build(config, embedder.into_iter().fold(builder, MemoryBuilder::embedder)).await
}

/// Opens the database for what needs no vectors: nothing is searched by meaning, and no new words are stored.
pub(crate) async fn records(config: &Config) -> Result<Opened, Failure> {
    build(config, builder(config).await?).await
}

async fn builder(config: &Config) -> Result<MemoryBuilder, Failure> {
    let store = SqliteStore::open(&config.db).await?;
    Ok(MemoryBuilder::new(Arc::new(store)).settings(config.settings.clone()))
}

/// Adds the parts that read conversations.
type WithExtractor = Box<dyn FnOnce(MemoryBuilder) -> MemoryBuilder + Send>;

fn extractor(config: &Config) -> Result<WithExtractor, Failure> {
    Ok(match config.extractor {
        ExtractorChoice::Llm => language_model()?,
        ExtractorChoice::Rules => Box::new(|builder| builder.extractor(RuleExtractor::new())),
        ExtractorChoice::Verbatim => Box::new(|builder| builder.extractor(VerbatimExtractor)),
        ExtractorChoice::None => Box::new(|builder| builder.extractor(NoExtractor)),
    })
}

/// The model of the environment reads conversations, and sums them up.
#[cfg(feature = "llm")]
fn language_model() -> Result<WithExtractor, Failure> {
    use memcore::llm::{LlmExtractor, LlmReviewer, LlmSummarizer};

    let model = crate::model::from_environment()?;
    Ok(Box::new(|builder| {
        builder
            .extractor(LlmExtractor::new(model.clone()))
            .summarizer(LlmSummarizer::new(model.clone()))
            .reviewer(LlmReviewer::new(model))
    }))
}

#[cfg(not(feature = "llm"))]
fn language_model() -> Result<WithExtractor, Failure> {
    Err(Failure::unsupported("this build of memcore asks no language model"))
}

/// Whether the embedder of the configuration makes vectors now.
pub(crate) async fn embedder_answers(config: &Config) -> Result<(), Failure> {
    if let Some(embedder) = embedder(config).await? {
        for vectors in embedder.embed(&["ready".to_owned()], EmbedRole::Query).await {
            vectors?;
        }
    }
    Ok(())
}

async fn build(config: &Config, builder: MemoryBuilder) -> Result<Opened, Failure> {
    let memory = builder.build().await?;
    let mine = memory.scope(config.scope.clone());
    Ok(Opened { memory, mine })
}

async fn embedder(config: &Config) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    match &config.embedder {
        EmbedderChoice::None => Ok(None),
        EmbedderChoice::Builtin => Ok(Some(Arc::new(StaticEmbedder::load()?))),
        EmbedderChoice::Remote => remote_embedder().await.map(Some),
        EmbedderChoice::MiniLm | EmbedderChoice::E5 | EmbedderChoice::Folder(_) => {
            sentence_model(config).await.map(Some)
        }
    }
}

#[cfg(feature = "llm")]
async fn remote_embedder() -> Result<Arc<dyn Embedder>, Failure> {
    let embedder = memcore::llm::embedder_from_environment().map_err(crate::model::configuration)?;
    Ok(Arc::new(embedder.connect().await?))
}

#[cfg(not(feature = "llm"))]
async fn remote_embedder() -> Result<Arc<dyn Embedder>, Failure> {
    Err(Failure::unsupported("this build of memcore has no embedder behind an endpoint"))
}

#[cfg(feature = "candle")]
async fn sentence_model(config: &Config) -> Result<Arc<dyn Embedder>, Failure> {
    use memcore::candle::{BertEmbedder, BgeSmallEn, BgeSmallZh, E5Small, MiniLm, ModelSource};

    let (choice, folder) = (config.embedder.clone(), config.model_dir.clone());
    // Reading a model's weights blocks.
    let loaded = tokio::task::spawn_blocking(move || {
        let known = ModelSource::from_model_dir(folder);
        match choice {
            EmbedderChoice::E5 => E5Small::load(known),
            EmbedderChoice::Folder(path) => {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let source = ModelSource::directory(path);
                // A known model keeps its prefixes and pooling wherever its folder is.
                match name.as_str() {
                    "minilm" => MiniLm::load(source),
                    "e5-small" => E5Small::load(source),
                    "bge-small-en" => BgeSmallEn::load(source),
                    "bge-small-zh" => BgeSmallZh::load(source),
                    _ => BertEmbedder::builder(name, source).build(),
                }
            }
            _ => MiniLm::load(known),
        }
    });
    let embedder = loaded.await.map_err(|_| Failure::configuration("loading the model ended early"))??;
    Ok(Arc::new(embedder))
}

#[cfg(not(feature = "candle"))]
async fn sentence_model(_: &Config) -> Result<Arc<dyn Embedder>, Failure> {
    Err(Failure::unsupported("this build of memcore has no sentence models"))
}
