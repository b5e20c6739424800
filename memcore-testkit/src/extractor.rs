//! The suite of extractors: one case for each clause of [`Extractor`]'s contract.

use std::future::Future;

use memcore_core::Extractor;

use crate::suite;

/// What a case gets.
type Fixture = Box<dyn Extractor>;

/// Runs one case of the suite by its name, on an extractor that is made for it.
///
/// # Panics
/// Where the extractor breaks the clause.
pub fn run_case<F: Extractor, M: Future<Output = F>>(name: &str, make: impl FnOnce() -> M) {
    const CASES: &suite::Table<Fixture> = crate::extractor_cases!(table_of);
    suite::run(CASES, name, async { Box::new(make().await) as Fixture });
}

/// Makes a `#[test]` of every case of the suite of extractors; see the crate's docs.
#[macro_export]
macro_rules! extractor_suite {
    ($make:expr) => {
        $crate::extractor_cases!(tests_of extractor $make);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! extractor_cases {
    ($then:ident $($input:tt)*) => {
        $crate::$then! {
            [$($input)*]
            cases {
                no_messages_give_nothing,
                the_same_request_gives_the_same_extraction,
                quotes_are_found_at_their_offsets_in_messages_of_the_user,
                statements_about_the_user_carry_a_quote,
                words_of_others_never_become_the_users,
                context_is_read_for_understanding_only,
                known_memories_are_not_extracted_again,
                candidates_can_be_stored,
                odd_messages_never_panic,
                it_has_a_name,
            }
        }
    };
}

mod cases {
    //! The cases. They never ask for a certain extraction: what is worth keeping is the extractor's own matter.

    use memcore_core::{
        ContentBlock, Extraction, ExtractionRequest, Extractor, MAX_CONTENT_BYTES, Operation, Role, SourceKind,
        StoredMessage,
    };
    use serde_json::json;

    use super::Fixture;
    use crate::sample::{at, message, message_id, record, session_scope, user_scope};

    /// Things that people say about themselves, in both languages, and things that are nothing.
    const SAID: [&str; 14] = [
        "I work as a nurse in Porto.",
        "我在青岛当护士。",
        "Please remember that I am allergic to penicillin.",
        "请记住，我对青霉素过敏。",
        "Actually, I moved to Braga last month. I don't live in Porto any more.",
        "其实我上个月搬到大连了，不住青岛了。",
        "We decided to use PostgreSQL for the ledger.",
        "我们决定账本用 PostgreSQL。",
        "From now on, answer in short sentences.",
        "以后回答尽量简短。",
        "Thanks, that helps!",
        "谢谢!",
        "If I lived in Japan, I would learn Japanese.",
        "你觉得明天会下雨吗?",
    ];

    fn spoken(role: Role, texts: &[&str]) -> Vec<StoredMessage> {
        let session = session_scope("ada", "s1");
        let spoken = (1..).zip(texts).map(|(n, text)| {
            let mut message = message(&session, &format!("m{n}"), text);
            (message.role, message.at) = (role, at(n));
            message
        });
        spoken.collect()
    }

    fn request(messages: Vec<StoredMessage>) -> ExtractionRequest {
        ExtractionRequest::new(session_scope("ada", "s1"), messages, at(100))
    }

    async fn extract(extractor: &dyn Extractor, request: &ExtractionRequest) -> Extraction {
        extractor.extract(request).await.expect("the messages can be read")
    }

    pub(super) async fn no_messages_give_nothing(extractor: Fixture) {
        let nothing = extract(&*extractor, &request(vec![])).await;
        assert!(nothing.candidates.is_empty() && nothing.rejected.is_empty() && nothing.failures.is_empty());
    }

    pub(super) async fn the_same_request_gives_the_same_extraction(extractor: Fixture) {
        let request = request(spoken(Role::User, &SAID));
        let (first, second) = (extract(&*extractor, &request).await, extract(&*extractor, &request).await);
        assert_eq!((first.candidates, first.rejected), (second.candidates, second.rejected));
    }

    pub(super) async fn quotes_are_found_at_their_offsets_in_messages_of_the_user(extractor: Fixture) {
        let mut requests = vec![request(spoken(Role::User, &SAID))];
        requests.extend(SAID.map(|text| request(spoken(Role::User, &[text]))));
        let mut blocks = spoken(Role::User, &["看看这张图。"]);
        blocks[0].content.push(ContentBlock::Other(json!({"type": "image"})));
        blocks[0].content.push(ContentBlock::text("I work as a nurse in Porto."));
        requests.push(request(blocks));
        for request in requests {
            for candidate in extract(&*extractor, &request).await.candidates {
                let Some(quote) = candidate.quote else { continue };
                let source = request
                    .messages
                    .iter()
                    .find(|message| quote.message.as_ref() == Some(&message.id))
                    .unwrap_or_else(|| panic!("{:?} names a message of the request", candidate.content));
                let text = source.text();
                assert_eq!(text.get(quote.start..quote.end), Some(quote.text.as_str()), "{:?}", candidate.content);
                assert!(!quote.text.trim().is_empty());
                if candidate.source == SourceKind::User {
                    assert_eq!(source.role, Role::User);
                }
            }
        }
    }

    pub(super) async fn statements_about_the_user_carry_a_quote(extractor: Fixture) {
        for candidate in extract(&*extractor, &request(spoken(Role::User, &SAID))).await.candidates {
            if candidate.source == SourceKind::User && candidate.operation != Operation::Forget {
                assert!(candidate.quote.is_some(), "{:?}", candidate.content);
            }
        }
    }

    pub(super) async fn words_of_others_never_become_the_users(extractor: Fixture) {
        for role in [Role::Assistant, Role::Tool, Role::System] {
            let extraction = extract(&*extractor, &request(spoken(role, &SAID))).await;
            for candidate in &extraction.candidates {
                assert!(extractor.reads_all_roles(), "{role:?}: {:?}", candidate.content);
                assert_ne!(candidate.source, SourceKind::User, "{role:?}: {:?}", candidate.content);
            }
        }
    }

    pub(super) async fn context_is_read_for_understanding_only(extractor: Fixture) {
        let mut messages = spoken(Role::User, &["Thanks, that helps!"]);
        messages[0].id = message_id("newest");
        let request = request(messages).with_context(spoken(Role::User, &SAID));
        for candidate in extract(&*extractor, &request).await.candidates {
            let source = candidate.quote.and_then(|quote| quote.message);
            assert_eq!(source, Some(message_id("newest")), "{:?}", candidate.content);
        }
    }

    pub(super) async fn known_memories_are_not_extracted_again(extractor: Fixture) {
        let known = vec![record(1, &user_scope("ada"), "Ada works as a nurse in Porto.")];
        let request = request(spoken(Role::User, &["谢谢!"])).with_known(known);
        for candidate in extract(&*extractor, &request).await.candidates {
            assert!(!candidate.content.contains("nurse"), "{:?}", candidate.content);
            assert_eq!(candidate.quote.and_then(|quote| quote.message), Some(message_id("m1")));
        }
    }

    pub(super) async fn candidates_can_be_stored(extractor: Fixture) {
        for candidate in extract(&*extractor, &request(spoken(Role::User, &SAID))).await.candidates {
            let content = &candidate.content;
            assert!(!content.trim().is_empty() && content.len() <= MAX_CONTENT_BYTES);
            if let (Some(from), Some(until)) = (candidate.valid_from, candidate.valid_until) {
                assert!(from <= until, "{content:?}");
            }
        }
    }

    pub(super) async fn odd_messages_never_panic(extractor: Fixture) {
        let long = "I like tea. 我喜欢茶。".repeat(5_000);
        let odd = [
            "",
            " \n",
            "\0",
            "I am \0 here",
            "🍜🍜🍜",
            "我",
            "I",
            "记住",
            "remember",
            "\u{202e}أنا",
            "……",
            "“‘(",
            &long,
        ];
        for text in odd {
            // An error is an answer as well, as long as it is one.
            drop(extractor.extract(&request(spoken(Role::User, &[text]))).await);
        }
        let mut no_text = spoken(Role::User, &["x"]);
        no_text[0].content =
            vec![ContentBlock::Other(json!({"type": "tool_use", "input": {"text": "I live in Porto"}}))];
        let extraction = extract(&*extractor, &request(no_text)).await;
        assert_eq!(extraction.candidates, [], "only text is read");
    }

    pub(super) async fn it_has_a_name(extractor: Fixture) {
        assert!(!extractor.name().is_empty());
    }
}
