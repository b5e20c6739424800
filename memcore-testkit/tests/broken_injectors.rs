//! The suite of injectors can fail: each broken injector is caught by the case of the clause that it breaks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use memcore_core::{
    Injection, InjectionRequest, Injector, MemoryId, MemoryRecord, Omission, OmissionReason, TokenCounter,
};
use memcore_testkit::{InjectorFixture, injector};

/// What is wrong with an injector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defect {
    ExceedsTheBudget,
    CountsBlocksWithoutFences,
    EscapesNothing,
    EscapesOnlyTheExactFence,
    SkipsInSilence,
    ClaimsToHaveInjected,
    FramesNothing,
    ShowsTheTimeInTheCore,
    LetsTheRecalledShrinkTheCore,
    FramesTheCoreInTheMessagesLanguage,
    NeverInjects,
}

/// Which case catches which defect.
const CAUGHT_BY: [(Defect, &str); 11] = [
    (Defect::ExceedsTheBudget, "the_budget_is_never_exceeded"),
    (Defect::CountsBlocksWithoutFences, "the_budget_is_never_exceeded"),
    (Defect::EscapesNothing, "every_block_has_one_pair_of_fences_whatever_the_memories_hold"),
    (Defect::EscapesOnlyTheExactFence, "every_block_has_one_pair_of_fences_whatever_the_memories_hold"),
    (Defect::SkipsInSilence, "every_record_is_injected_or_omitted"),
    (Defect::ClaimsToHaveInjected, "what_is_injected_stands_in_its_block"),
    (Defect::FramesNothing, "nothing_to_inject_gives_empty_blocks"),
    (Defect::ShowsTheTimeInTheCore, "the_core_block_depends_on_the_core_memories_and_their_language_alone"),
    (Defect::LetsTheRecalledShrinkTheCore, "the_core_block_depends_on_the_core_memories_and_their_language_alone"),
    (
        Defect::FramesTheCoreInTheMessagesLanguage,
        "the_core_block_depends_on_the_core_memories_and_their_language_alone",
    ),
    (Defect::NeverInjects, "both_languages_frame_the_blocks"),
];

mod sound {
    use super::*;
    memcore_testkit::injector_suite!(|| async { fixture(None) });
}

fn fixture(defect: Option<Defect>) -> InjectorFixture {
    InjectorFixture::new(Plain { defect }, &[("<known", "</known>"), ("<found", "</found>")])
}

/// Whether a case fails on an injector.
fn fails(case: &str, defect: Defect) -> bool {
    let run = || injector::run_case(case, || async { fixture(Some(defect)) });
    catch_unwind(AssertUnwindSafe(run)).is_err()
}

#[test]
fn every_broken_injector_is_caught_by_the_case_of_its_clause() {
    let missed: Vec<_> = CAUGHT_BY.into_iter().filter(|(defect, case)| !fails(case, *defect)).collect();
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

/// A plain injector: one memory a line, as many as fit, the standing ones first; with a defect.
#[derive(Debug)]
struct Plain {
    defect: Option<Defect>,
}

impl Plain {
    fn has(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    /// Nothing that looks like markup is left, however it is written.
    fn escaped(&self, content: &str) -> String {
        match self.defect {
            Some(Defect::EscapesNothing) => content.to_owned(),
            Some(Defect::EscapesOnlyTheExactFence) => {
                content.replace("</known>", "").replace("</found>", "").replace("<known", "").replace("<found", "")
            }
            _ => content.chars().map(|c| if c.is_alphanumeric() || " ,.:-'".contains(c) { c } else { '_' }).collect(),
        }
    }

    /// A block of as many records as fit; the ids of those in it.
    fn block(
        &self,
        tag: &str,
        records: &[&MemoryRecord],
        budget: usize,
        counter: &dyn TokenCounter,
    ) -> (String, Vec<MemoryId>) {
        let (mut lines, mut ids) = (String::new(), Vec::new());
        let framed = |lines: &str| format!("<{tag}>\n{lines}</{tag}>\n");
        for record in records {
            let longer = format!("{lines}{}\n", self.escaped(&record.content));
            let counted = match self.defect {
                Some(Defect::CountsBlocksWithoutFences) => counter.count(&longer),
                _ => counter.count(&framed(&longer)),
            };
            if counted <= budget {
                lines = longer;
                ids.push(record.id);
            }
        }
        match ids.is_empty() && !self.has(Defect::FramesNothing) {
            true => (String::new(), ids),
            false => (framed(&lines), ids),
        }
    }
}

impl Injector for Plain {
    fn inject(&self, request: &InjectionRequest<'_>) -> Injection {
        let mut injection = Injection::default();
        let core: Vec<_> = request.core.iter().collect();
        let is_core = |id: MemoryId| core.iter().any(|record| record.id == id);
        let recalled: Vec<_> = request.recalled.iter().map(|hit| &hit.record).filter(|r| !is_core(r.id)).collect();
        let budget = match self.defect {
            Some(Defect::ExceedsTheBudget) => request.budget + 20,
            Some(Defect::NeverInjects) => 0,
            _ => request.budget,
        };
        let core_budget = match self.defect {
            Some(Defect::LetsTheRecalledShrinkTheCore) => budget / (recalled.len() + 2),
            _ => budget / 2,
        };
        let (block, ids) = self.block("known", &core, core_budget, request.counter);
        injection.core = block;
        injection.injected.extend(ids);
        if self.has(Defect::ShowsTheTimeInTheCore) && !injection.core.is_empty() {
            injection.core = injection.core.replacen("<known>", &format!("<known at={}>", request.now.timestamp()), 1);
        }
        if self.has(Defect::FramesTheCoreInTheMessagesLanguage) && !injection.core.is_empty() {
            injection.core = injection.core.replacen("<known>", &format!("<known in={:?}>", request.language), 1);
        }
        let used = request.counter.count(&injection.core);
        let (block, ids) = self.block("found", &recalled, budget - used.min(budget), request.counter);
        injection.recalled = block;
        injection.injected.extend(ids);
        injection.tokens = used + request.counter.count(&injection.recalled);
        let all = core.iter().chain(&recalled).map(|record| record.id);
        let left = all.filter(|id| !injection.injected.contains(id)).collect::<Vec<_>>();
        match self.defect {
            Some(Defect::SkipsInSilence) => {}
            _ => {
                let omitted = left.into_iter().map(|id| Omission { id, reason: OmissionReason::OverBudget });
                injection.omitted = omitted.collect();
            }
        }
        if self.has(Defect::ClaimsToHaveInjected) {
            injection.core = injection.core.replace(|c: char| c.is_alphabetic() && c > 'z', "");
            injection.core = injection.core.replace("since", "");
        }
        injection
    }
}
