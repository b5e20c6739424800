//! Conversations longer than one prompt: pieces of messages, in windows that overlap.

use std::collections::VecDeque;

use memcore_core::{ContentBlock, ReadingPosition, Role, StoredMessage, text::estimate_tokens};

use crate::parts::{longest, parts};

/// Turns before a window that are shown with it, for what it refers to.
const OVERLAP_TURNS: usize = 2;
/// Tokens kept of each end of an assistant's or a tool's message.
const END_TOKENS: usize = 300;
/// Tokens that a row costs beside its text.
const ROW_TOKENS: usize = 24;
/// Share of a window that the overlap may take.
const OVERLAP_SHARE: usize = 4;

/// A message, or a part of one that is too long for a window.
#[derive(Debug, Clone)]
pub(crate) struct Piece<'a> {
    pub(crate) message: &'a StoredMessage,
    /// The words that the model sees.
    pub(crate) text: String,
    /// Where they begin in the message's text. Meaningless for shortened messages, which nothing is taken from.
    pub(crate) offset: usize,
    tokens: usize,
}

impl Piece<'_> {
    pub(crate) fn is_users(&self) -> bool {
        self.message.role == Role::User
    }

    /// Whether all of it lies before a byte of its message.
    fn ends_by(&self, offset: usize) -> bool {
        self.is_users() && offset > 0 && self.offset + self.text.len() <= offset
    }

    /// The images of its message.
    pub(crate) fn images(&self) -> impl Iterator<Item = &ContentBlock> {
        let is_image = |block: &&ContentBlock| match block {
            ContentBlock::Other(value) => {
                let kind = value.get("type").and_then(|kind| kind.as_str());
                matches!(kind, Some("image" | "image_url" | "input_image"))
            }
            ContentBlock::Text(_) => false,
        };
        self.message.content.iter().filter(is_image)
    }
}

/// What one call reads.
#[derive(Debug)]
pub(crate) struct Window<'a> {
    /// What came before; nothing is taken from it.
    pub(crate) context: Vec<Piece<'a>>,
    pub(crate) pieces: Vec<Piece<'a>>,
}

impl<'a> Window<'a> {
    /// Where it begins.
    pub(crate) fn position(&self) -> Option<ReadingPosition> {
        let first = self.pieces.first()?;
        Some(ReadingPosition { message: first.message.id.clone(), offset: first.offset })
    }

    /// The images that the user sent in it, in order, each with its message.
    pub(crate) fn users_images(&self) -> impl Iterator<Item = (&'a StoredMessage, &ContentBlock)> {
        let whole = self.pieces.iter().filter(|piece| piece.is_users() && piece.offset == 0);
        whole.flat_map(|piece| piece.images().map(|image| (piece.message, image)))
    }

    /// Whether the user sent any image in it.
    pub(crate) fn has_users_images(&self) -> bool {
        self.users_images().next().is_some()
    }

    /// Whether the user says anything in it; else nothing can be taken from it.
    pub(crate) fn has_users_words(&self) -> bool {
        self.pieces.iter().any(|piece| piece.is_users() && !piece.text.trim().is_empty())
    }
}

/// All messages in windows of about `budget` tokens, from a byte of the first one on. Every word of the user's is in one.
pub(crate) fn windows<'a>(
    context: &'a [StoredMessage],
    messages: &'a [StoredMessage],
    offset: usize,
    budget: usize,
) -> Vec<Window<'a>> {
    let most = (budget / OVERLAP_SHARE).max(1);
    let mut before: VecDeque<Piece<'a>> = context.iter().flat_map(|message| pieces_of(message, most)).collect();
    let mut unread = messages.iter().flat_map(|message| pieces_of(message, budget - most)).peekable();
    let first = messages.first().map(|message| &message.id);
    while let Some(read) = unread.next_if(|piece| Some(&piece.message.id) == first && piece.ends_by(offset)) {
        before.push_back(read);
    }
    let mut windows = Vec::new();
    let mut open: Vec<Piece<'a>> = Vec::new();
    let mut tokens = 0;
    let mut close = |pieces: &mut Vec<Piece<'a>>| {
        let overlap = overlap(&mut before, most);
        before.extend(pieces.iter().cloned());
        let pieces = std::mem::take(pieces);
        if !pieces.is_empty() {
            windows.push(Window { context: overlap, pieces });
        }
    };
    for piece in unread {
        if !open.is_empty() && tokens + piece.tokens > budget - most {
            close(&mut open);
            tokens = 0;
        }
        tokens += piece.tokens;
        open.push(piece);
    }
    close(&mut open);
    windows
}

/// The last turns of what came before, as far as they fit. What lies further back is let go.
fn overlap<'a>(before: &mut VecDeque<Piece<'a>>, most: usize) -> Vec<Piece<'a>> {
    let (mut turns, mut tokens, mut kept) = (0, 0, 0);
    for piece in before.iter().rev() {
        tokens += piece.tokens;
        if tokens > most || turns == OVERLAP_TURNS {
            break;
        }
        turns += usize::from(piece.is_users());
        kept += 1;
    }
    before.drain(..before.len() - kept);
    before.iter().cloned().collect()
}

/// A user's message in parts of at most `budget` tokens; any other one in a single shortened part. Instructions of the
/// host are no part of the conversation.
fn pieces_of(message: &StoredMessage, budget: usize) -> Vec<Piece<'_>> {
    let said = message.text();
    let budget = budget.saturating_sub(ROW_TOKENS).max(1);
    let piece = |text: String, offset: usize| {
        let tokens = estimate_tokens(&text) + ROW_TOKENS;
        Piece { message, text, offset, tokens }
    };
    match message.role {
        Role::System => Vec::new(),
        Role::User => {
            parts(&said, budget).into_iter().map(|span| piece(span.of(&said).to_owned(), span.start)).collect()
        }
        Role::Assistant | Role::Tool => vec![piece(shortened(&said, END_TOKENS.min(budget / 2)), 0)],
    }
}

/// Both ends of a text, about `end_tokens` each.
fn shortened(text: &str, end_tokens: usize) -> String {
    // More than enough characters for that many tokens of any language.
    let most = end_tokens * 8;
    if text.len() <= 2 * most && estimate_tokens(text) <= 2 * end_tokens {
        return text.to_owned();
    }
    let head = text.get(..text.floor_char_boundary(most)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(text.len().saturating_sub(most))..).unwrap_or_default();
    let fits = |piece: &str| estimate_tokens(piece) <= end_tokens;
    format!(
        "{} […] {}",
        longest(head, |end| head.get(..end), fits),
        longest(tail, |end| tail.get(tail.len() - end..), fits)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use memcore_core::{MessageId, Scope, Timestamp};
    use proptest::prelude::*;

    fn said(n: usize, role: Role, words: &str) -> StoredMessage {
        StoredMessage {
            id: MessageId::new(format!("m{n}")).unwrap(),
            scope: Scope::user("u").unwrap().session("s").unwrap(),
            role,
            content: vec![ContentBlock::text(words)],
            at: Timestamp::UNIX_EPOCH,
        }
    }

    /// What the user says, put together from all windows.
    fn users_words(windows: &[Window<'_>]) -> String {
        let pieces = windows.iter().flat_map(|window| &window.pieces).filter(|piece| piece.is_users());
        pieces.map(|piece| piece.text.as_str()).collect()
    }

    #[test]
    fn windows_overlap_by_two_turns_and_the_tail_is_in_the_last() {
        let messages: Vec<StoredMessage> = (0..40)
            .flat_map(|n| {
                let user = said(2 * n, Role::User, &format!("Message number {n} about the ledger and its exports."));
                [user, said(2 * n + 1, Role::Assistant, "Noted, thank you for that.")]
            })
            .collect();
        let windows = windows(&[], &messages, 0, 400);
        assert!(windows.len() > 3);
        assert!(windows[0].context.is_empty());
        assert!(windows.last().unwrap().pieces.iter().any(|piece| piece.text.contains("number 39")));
        for pair in windows.windows(2) {
            let tail: Vec<&str> = pair[0].pieces.iter().map(|piece| piece.text.as_str()).collect();
            let overlap: Vec<&str> = pair[1].context.iter().map(|piece| piece.text.as_str()).collect();
            assert!(!overlap.is_empty() && tail.ends_with(&overlap), "{overlap:?}");
            assert!(pair[1].context.iter().filter(|piece| piece.is_users()).count() <= OVERLAP_TURNS);
        }
    }

    #[test]
    fn a_message_of_ten_megabytes_is_cut_into_windows_and_nothing_is_lost() {
        for sentence in
            ["我们决定账本用 PostgreSQL，不再讨论了。", "We decided to keep the ledger in PostgreSQL. ", "nospace"]
        {
            let words = sentence.repeat(10_000_000 / sentence.len());
            let messages = [said(0, Role::User, &words)];
            let windows = windows(&[], &messages, 0, 6_000);
            assert!(users_words(&windows) == words);
            assert!(windows.iter().all(|window| {
                window.pieces.iter().chain(&window.context).map(|piece| piece.tokens).sum::<usize>() <= 6_000
            }));
        }
    }

    #[test]
    fn reading_goes_on_where_it_stopped_with_the_words_before_in_sight() {
        let words: String = (0..400).map(|n| format!("Fact number {n} of the ledger. ")).collect();
        let messages =
            [said(0, Role::User, &words), said(1, Role::Assistant, "Noted."), said(2, Role::User, "And tea.")];
        let whole = windows(&[], &messages, 0, 400);
        assert!(whole.len() > 5);
        for (n, window) in whole.iter().enumerate() {
            let place = window.position().unwrap();
            let at = messages.iter().position(|message| message.id == place.message).unwrap();
            let rest = windows(&messages[..at], &messages[at..], place.offset, 400);
            let texts = |windows: &[Window<'_>]| -> Vec<String> {
                windows.iter().flat_map(|window| &window.pieces).map(|piece| piece.text.clone()).collect()
            };
            assert_eq!(texts(&rest), texts(&whole[n..]));
            assert_eq!(rest[0].context.is_empty(), window.context.is_empty(), "window {n}");
        }
        // The place is of a message that is cut in another way now.
        let other = windows(&[], &messages, whole[3].position().unwrap().offset, 500);
        assert!(users_words(&other).contains("Fact number 399") && !users_words(&other).contains("Fact number 1 "));
    }

    #[test]
    fn others_are_shown_by_their_ends_and_the_host_not_at_all() {
        let log = format!("BEGIN {} 末尾", "noise 噪声 ".repeat(50_000));
        let messages = [said(0, Role::System, "You are"), said(1, Role::User, "看日志"), said(2, Role::Tool, &log)];
        let windows = windows(&[], &messages, 0, 6_000);
        let [window] = &windows[..] else { panic!("one window") };
        let [user, tool] = &window.pieces[..] else { panic!("two messages") };
        assert_eq!(user.text, "看日志");
        assert!(
            tool.text.starts_with("BEGIN noise") && tool.text.ends_with("噪声  末尾") && tool.text.contains(" […] ")
        );
        assert!(estimate_tokens(&tool.text) <= 2 * END_TOKENS + 8, "{}", estimate_tokens(&tool.text));
    }

    #[test]
    fn blanks_are_no_words_of_the_users() {
        assert!(windows(&[], &[], 0, 6_000).is_empty());
        for (role, words, expected) in
            [(Role::Assistant, "Hello", false), (Role::User, " \n", false), (Role::User, "Hello", true)]
        {
            let messages = [said(0, role, words)];
            assert!(windows(&[], &messages, 0, 6_000).iter().all(|window| window.has_users_words() == expected));
        }
    }

    proptest! {
        #[test]
        fn every_word_of_the_users_is_in_exactly_one_window(texts in proptest::collection::vec("[a-z。. 中文\u{1f375}\n]{0,300}", 0..6), budget in 60usize..400) {
            let messages: Vec<StoredMessage> = texts.iter().enumerate().map(|(n, text)| said(n, Role::User, text)).collect();
            let windows = windows(&[], &messages, 0, budget);
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(squeezed(&users_words(&windows)), squeezed(&texts.concat()));
            for piece in windows.iter().flat_map(|window| &window.pieces) {
                let text = piece.message.text();
                prop_assert_eq!(text.get(piece.offset..piece.offset + piece.text.len()), Some(piece.text.as_str()));
            }
        }
    }
}
