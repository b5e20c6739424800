//! An embedder behind an endpoint that speaks OpenAI's embeddings format.

mod builder;
mod chunks;
mod environment;
mod wire;

use async_trait::async_trait;
use memcore_core::{EmbedRole, Embedder, Embedding, EmbeddingIdentity, Error, ErrorKind, Result, TextEmbedding};

use crate::{client::Transport, error::LlmError};
pub use builder::RemoteEmbedderBuilder;
use chunks::chunks;
pub use environment::{embedder_from, embedder_from_environment};
use wire::Wire;

/// A sentence model behind `POST {base URL}/embeddings`: OpenAI, Ollama, vLLM, llama.cpp, DashScope and others.
///
/// Texts go in batches. Where the endpoint refuses a batch for what is in it, the batch is halved until the text that it
/// does not take stands alone: that one answers `NotEmbeddable`, the others have their vectors. Where the endpoint does
/// not answer, nothing else is asked, and every text that is left answers `Unavailable`. Failed calls are not repeated:
/// memcore's queue does that. Texts longer than the model's limit give several vectors, never a silent cut.
#[derive(Debug)]
pub struct RemoteEmbedder {
    identity: EmbeddingIdentity,
    transport: Transport,
    wire: Wire,
    batch: BatchLimits,
}

/// What one call may hold.
#[derive(Debug, Clone, Copy)]
struct BatchLimits {
    inputs: usize,
    tokens: usize,
}

/// A piece of a text, ready to be sent.
#[derive(Debug)]
struct Input {
    /// The place of its text.
    text: usize,
    words: String,
    tokens: usize,
}

impl RemoteEmbedder {
    /// Starts to describe the model `name` at `endpoint`, whose base URL ends where the paths of the API begin, as in
    /// `http://127.0.0.1:11434/v1`.
    pub fn builder(endpoint: crate::Endpoint, name: impl Into<String>) -> RemoteEmbedderBuilder {
        RemoteEmbedderBuilder::new(endpoint, name.into())
    }

    fn inputs(&self, texts: &[String], role: EmbedRole) -> Vec<Input> {
        let prefix = match role {
            EmbedRole::Query => &self.identity.query_prefix,
            EmbedRole::Passage => &self.identity.passage_prefix,
        };
        let of_text = |(text, words): (usize, &String)| {
            let pieces =
                if words.trim().is_empty() { Vec::new() } else { chunks(words, prefix, self.identity.max_tokens) };
            pieces.into_iter().map(move |(words, tokens)| Input { text, words, tokens })
        };
        texts.iter().enumerate().flat_map(of_text).collect()
    }

    /// One call; a vector or an error per input.
    async fn ask(&self, inputs: &[Input]) -> Result<Vec<Result<Embedding>>, LlmError> {
        let words: Vec<&str> = inputs.iter().map(|input| input.words.as_str()).collect();
        let reply = self.transport.post(&self.wire.body(&words)).await?;
        let vectors = self.wire.vectors(reply, inputs.len()).map_err(|error| self.transport.scrubbed(error))?;
        Ok(vectors.into_iter().map(|vector| self.checked(vector)).collect())
    }

    fn checked(&self, vector: Vec<f32>) -> Result<Embedding> {
        let (given, expected) = (vector.len(), self.identity.dimensions);
        if given != expected {
            let model = &self.identity.model;
            return Err(Error::invalid(format!("{model} gives {given} dimensions, and was said to give {expected}"))
                .with_hint(format!("build the embedder with {given} dimensions, then reindex")));
        }
        Embedding::new(vector)
    }

    /// A vector or an error for every input of a batch, whatever the endpoint makes of it; an error for all as the
    /// second part, where it is of no use to go on.
    async fn answered(&self, batch: &[Input]) -> (Vec<Result<Embedding>>, Option<Error>) {
        let mut answered: Vec<Result<Embedding>> = Vec::new();
        let mut open = vec![batch];
        while let Some(inputs) = open.pop() {
            match self.ask(inputs).await {
                Ok(vectors) => answered.extend(vectors),
                Err(error) if error.is_about_the_content() && inputs.len() > 1 => {
                    let (first, second) = inputs.split_at(inputs.len() / 2);
                    open.extend([second, first]);
                }
                Err(error) if error.is_about_the_content() => answered.push(Err(not_taken(error))),
                Err(error) => return (answered, Some(error.into())),
            }
        }
        (answered, None)
    }
}

#[async_trait]
impl Embedder for RemoteEmbedder {
    fn identity(&self) -> &EmbeddingIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[String], role: EmbedRole) -> Vec<Result<TextEmbedding>> {
        let inputs = self.inputs(texts, role);
        let mut pieces: Vec<Result<Vec<Embedding>>> = texts.iter().map(|_| Ok(Vec::new())).collect();
        let mut outage = None;
        for batch in self.batches(&inputs) {
            let (answers, failure) = match &outage {
                None => self.answered(batch).await,
                Some(_) => (Vec::new(), None),
            };
            outage = outage.or(failure);
            let missing = batch.len() - answers.len();
            let left_out = std::iter::repeat_with(|| Err(outage.as_ref().map_or_else(no_answer, again))).take(missing);
            for (input, answer) in batch.iter().zip(answers.into_iter().chain(left_out)) {
                match (&mut pieces[input.text], answer) {
                    (Ok(vectors), Ok(vector)) => vectors.push(vector),
                    (text @ Ok(_), Err(error)) => *text = Err(error),
                    (Err(_), _) => {}
                }
            }
        }
        let together = |vectors: Vec<Embedding>| match vectors.is_empty() {
            true => Err(Error::new(ErrorKind::NotEmbeddable, "a blank text has no vector")),
            false => TextEmbedding::chunked(vectors),
        };
        pieces.into_iter().map(|text| text.and_then(together)).collect()
    }
}

impl RemoteEmbedder {
    fn batches<'i>(&self, inputs: &'i [Input]) -> Vec<&'i [Input]> {
        let mut batches = Vec::new();
        let (mut start, mut tokens) = (0, 0);
        for (at, input) in inputs.iter().enumerate() {
            if at > start && (at - start == self.batch.inputs || tokens + input.tokens > self.batch.tokens) {
                batches.push(&inputs[start..at]);
                (start, tokens) = (at, 0);
            }
            tokens += input.tokens;
        }
        if start < inputs.len() {
            batches.push(&inputs[start..]);
        }
        batches
    }
}

/// What a text answers that the endpoint refuses even alone.
fn not_taken(error: LlmError) -> Error {
    let error = Error::from(error);
    Error::new(ErrorKind::NotEmbeddable, "the endpoint does not take this text").with_hint(error.to_string())
}

/// The same failure for another text.
fn again(error: &Error) -> Error {
    let mut same = Error::new(error.kind(), error.message());
    if let Some(hint) = error.hint() {
        same = same.with_hint(hint);
    }
    match error.retry_after() {
        Some(wait) => same.with_retry_after(wait),
        None => same,
    }
}

fn no_answer() -> Error {
    Error::new(ErrorKind::Unavailable, "the endpoint did not answer")
}
