//! Inject: the standing memories and what a message brought up, as text for the prompt.

use memcore_core::{
    Hit, Injection, InjectionRequest, Language, ListRequest, MemoryId, MemoryRecord, Omission, OmissionReason,
    RecordFilter, Result, Scope, SortOrder, text,
};

use crate::{
    engine::Engine,
    policy::{
        budget::injection_budget,
        core_block::{CORE_KINDS, core_block},
    },
};

/// Records that are considered for the core block.
const CORE_CANDIDATES: usize = 200;

/// What to put into a prompt, beside the memories themselves.
#[derive(Debug, Clone, Default)]
pub(crate) struct InjectOptions<'a> {
    /// The caller's own limit in tokens.
    pub(crate) budget: Option<usize>,
    /// The model's window in tokens.
    pub(crate) window: Option<usize>,
    /// Recalled memories at the most; none leaves it to the message.
    pub(crate) results: Option<usize>,
    /// Memories that the conversation holds already.
    pub(crate) seen: &'a [MemoryId],
    /// Text of the recent messages: what stands there word for word is not said again.
    pub(crate) recent: &'a str,
    /// Whether the wording hardens.
    pub(crate) forbid_echo: bool,
    /// The language of the core block's frame; none takes the message's.
    pub(crate) core_language: Option<Language>,
}

/// The standing memories of a scope, and those that were cut.
pub(crate) async fn core_records(engine: &Engine, scope: &Scope) -> Result<(Vec<MemoryRecord>, Vec<MemoryRecord>)> {
    let all = RecordFilter::new(scope.clone());
    let by_kind = ListRequest::new(all.clone().with_kinds(CORE_KINDS)).with_sort(SortOrder::Importance);
    let records = engine.store.list(&by_kind.with_limit(CORE_CANDIDATES)).await?.records;
    Ok(core_block(records, engine.settings.injection.core_count, engine.now()))
}

/// Renders both blocks.
pub(crate) fn render(
    engine: &Engine,
    core: &[MemoryRecord],
    hits: &[Hit],
    language: Language,
    options: &InjectOptions<'_>,
) -> Injection {
    let settings = &engine.settings.injection;
    let budget = injection_budget(settings.budget, options.window.or(settings.window), options.budget);
    let recent = text::normalize(options.recent);
    let (mut fresh, mut held) = (Vec::new(), Vec::new());
    for hit in hits {
        let content = text::normalize(&hit.record.content);
        if options.seen.contains(&hit.record.id) || (!recent.is_empty() && recent.contains(&content)) {
            held.push(Omission { id: hit.record.id, reason: OmissionReason::InConversation });
        } else {
            fresh.push(hit.clone());
        }
    }
    let request = InjectionRequest::new(&*engine.counter, budget, language, engine.now())
        .with_core(core)
        .with_core_language(options.core_language.unwrap_or(language))
        .with_recalled(&fresh)
        .with_forbid_echo(options.forbid_echo);
    let mut injection = engine.injector.inject(&request);
    injection.omitted.extend(held);
    injection
}
