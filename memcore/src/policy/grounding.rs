//! Whether the words that a statement is said to come from are really there.

use memcore_core::{Quote, Role, StoredMessage, text};

/// Finds a quote in the messages of the user. What is found is given back with offsets that fit; words that no message
/// of the user's holds are not a quote.
///
/// The offsets are tried first, then the exact words, then the words without regard to case, width and spacing (the
/// quote is then the sentence that holds them).
#[must_use]
pub fn ground(quote: &Quote, messages: &[StoredMessage]) -> Option<Quote> {
    if quote.text.trim().is_empty() {
        return None;
    }
    let named = |message: &&StoredMessage| {
        message.role == Role::User && quote.message.as_ref().is_none_or(|id| *id == message.id)
    };
    messages.iter().filter(named).find_map(|message| ground_in(quote, message))
}

fn ground_in(quote: &Quote, message: &StoredMessage) -> Option<Quote> {
    let text = message.text();
    let placed = |start: usize, end: usize| Quote {
        message: Some(message.id.clone()),
        text: text[start..end].to_owned(),
        start,
        end,
    };
    if text.get(quote.start..quote.end) == Some(quote.text.as_str()) {
        return Some(placed(quote.start, quote.end));
    }
    if let Some(start) = text.find(&quote.text) {
        return Some(placed(start, start + quote.text.len()));
    }
    let wanted = text::normalize(&quote.text);
    text::sentences(&text)
        .into_iter()
        .find(|span| !wanted.is_empty() && text::normalize(span.of(&text)).contains(&wanted))
        .map(|span| placed(span.start, span.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use memcore_core::{Clock, ContentBlock, MessageId, Scope, SystemClock};

    fn message(id: &str, role: Role, text: &str) -> StoredMessage {
        StoredMessage {
            id: MessageId::new(id).unwrap(),
            scope: Scope::user("u").unwrap(),
            role,
            content: vec![ContentBlock::text(text)],
            at: SystemClock.now(),
        }
    }

    fn quote(text: &str, start: usize, end: usize) -> Quote {
        Quote { message: None, text: text.into(), start, end }
    }

    #[test]
    fn words_of_the_assistant_are_no_evidence() {
        let messages = [message("a", Role::Assistant, "you live in Rome"), message("b", Role::User, "thanks")];
        assert_eq!(ground(&quote("you live in Rome", 0, 16), &messages), None);
    }

    #[test]
    fn wrong_offsets_are_mended_and_case_is_forgiven() {
        let messages = [message("a", Role::User, "Hello. I live in Oslo. Bye.")];
        let found = ground(&quote("I live in Oslo", 0, 3), &messages).unwrap();
        assert_eq!((found.start, found.end, found.text.as_str()), (7, 21, "I live in Oslo"));
        assert_eq!(ground(&quote("i LIVE in oslo", 0, 3), &messages).unwrap().text, "I live in Oslo.");
        assert_eq!(ground(&quote("I live in Rome", 0, 3), &messages), None);
        assert_eq!(ground(&quote(" ", 0, 1), &messages), None);
    }
}
