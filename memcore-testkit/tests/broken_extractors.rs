//! The suite of extractors can fail: each broken extractor is caught by the case of the clause that it breaks.

#![allow(clippy::unwrap_used, reason = "everything here runs in tests")]

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU64, Ordering},
};

use async_trait::async_trait;
use memcore_core::{
    Candidate, Extraction, ExtractionRequest, Extractor, Kind, MessageId, Quote, Result, Role, StoredMessage,
};
use memcore_testkit::extractor;

/// What is wrong with an extractor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defect {
    QuotesAtWrongOffsets,
    QuotesByCharacters,
    QuotesMessagesThatDoNotExist,
    QuotesNothing,
    BelievesTheAssistant,
    ReadsTheContext,
    RepeatsWhatIsKnown,
    FindsBlankStatements,
    DependsOnTheCall,
    InventsStatements,
    PanicsOnOddTexts,
    ReadsToolCalls,
    HasNoName,
}

/// Which case catches which defect.
const CAUGHT_BY: [(Defect, &str); 13] = [
    (Defect::QuotesAtWrongOffsets, "quotes_are_found_at_their_offsets_in_messages_of_the_user"),
    (Defect::QuotesByCharacters, "quotes_are_found_at_their_offsets_in_messages_of_the_user"),
    (Defect::QuotesMessagesThatDoNotExist, "quotes_are_found_at_their_offsets_in_messages_of_the_user"),
    (Defect::QuotesNothing, "statements_about_the_user_carry_a_quote"),
    (Defect::BelievesTheAssistant, "words_of_others_never_become_the_users"),
    (Defect::ReadsTheContext, "context_is_read_for_understanding_only"),
    (Defect::RepeatsWhatIsKnown, "known_memories_are_not_extracted_again"),
    (Defect::FindsBlankStatements, "candidates_can_be_stored"),
    (Defect::DependsOnTheCall, "the_same_request_gives_the_same_extraction"),
    (Defect::InventsStatements, "no_messages_give_nothing"),
    (Defect::PanicsOnOddTexts, "odd_messages_never_panic"),
    (Defect::ReadsToolCalls, "odd_messages_never_panic"),
    (Defect::HasNoName, "it_has_a_name"),
];

/// Whether a case fails on an extractor.
fn fails(case: &str, defect: Option<Defect>) -> bool {
    let run = || extractor::run_case(case, || async { Broken { defect, calls: AtomicU64::new(0) } });
    catch_unwind(AssertUnwindSafe(run)).is_err()
}

#[test]
fn every_broken_extractor_is_caught_by_the_case_of_its_clause() {
    let missed: Vec<_> = CAUGHT_BY.into_iter().filter(|(defect, case)| !fails(case, Some(*defect))).collect();
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

#[test]
fn the_same_cases_pass_on_the_same_extractor_without_a_defect() {
    let failed: Vec<_> = CAUGHT_BY.into_iter().filter(|(_, case)| fails(case, None)).collect();
    assert!(failed.is_empty(), "failed: {failed:#?}");
}

/// Keeps every message of the user's that says I or 我, word for word; with a defect.
#[derive(Debug)]
struct Broken {
    defect: Option<Defect>,
    calls: AtomicU64,
}

impl Broken {
    fn has(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    fn candidate(&self, message: &StoredMessage) -> Candidate {
        let text = message.text();
        let mut quote = Quote { message: Some(message.id.clone()), start: 0, end: text.len(), text: text.clone() };
        match self.defect {
            Some(Defect::QuotesAtWrongOffsets) => (quote.start, quote.end) = (1, text.len() + 1),
            Some(Defect::QuotesByCharacters) => quote.end = text.chars().count(),
            Some(Defect::QuotesMessagesThatDoNotExist) => quote.message = MessageId::new("elsewhere").ok(),
            _ => {}
        }
        let mut candidate = Candidate::new(text, Kind::Fact);
        candidate.quote = (!self.has(Defect::QuotesNothing)).then_some(quote);
        if self.has(Defect::FindsBlankStatements) {
            candidate.content = " ".into();
        }
        candidate
    }
}

#[async_trait]
impl Extractor for Broken {
    fn name(&self) -> &str {
        if self.has(Defect::HasNoName) { "" } else { "word for word" }
    }

    async fn extract(&self, request: &ExtractionRequest) -> Result<Extraction> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let context = request.context.iter().filter(|_| self.has(Defect::ReadsTheContext));
        let read = context.chain(&request.messages).filter(|message| {
            message.role == Role::User || (self.has(Defect::BelievesTheAssistant) && message.role == Role::Assistant)
        });
        let says_i = |text: &str| text.contains('我') || text.split_whitespace().any(|word| word == "I");
        let mut candidates: Vec<_> =
            read.clone().filter(|message| says_i(&message.text())).map(|message| self.candidate(message)).collect();
        match self.defect {
            Some(Defect::RepeatsWhatIsKnown) => {
                candidates.extend(request.known.iter().map(|known| Candidate::new(&known.content, Kind::Fact)));
            }
            Some(Defect::DependsOnTheCall) => candidates.truncate(usize::try_from(call).unwrap()),
            Some(Defect::InventsStatements) => candidates.push(Candidate::new("likes tea", Kind::Preference)),
            Some(Defect::PanicsOnOddTexts) => {
                assert!(!read.clone().any(|message| message.text().contains('\0')), "no NUL, please");
            }
            Some(Defect::ReadsToolCalls) => {
                let json = read.filter(|message| message.text().is_empty() && !message.content.is_empty());
                candidates.extend(json.map(|message| Candidate::new(format!("{:?}", message.content), Kind::Fact)));
            }
            _ => {}
        }
        Ok(Extraction { candidates, ..Extraction::default() })
    }
}
