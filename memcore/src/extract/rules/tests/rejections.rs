//! What looks like a memory and is turned down says why.

use memcore_core::{Operation, RejectionReason, Role};

use super::{extract, extract_with_context};

fn check(said: &str, reason: RejectionReason) {
    let found = extract(&[(Role::User, said)]);
    assert!(found.candidates.is_empty(), "{said}: {:?}", found.candidates);
    assert!(found.rejected.iter().any(|rejection| rejection.reason == reason), "{said}: {:?}", found.rejected);
}

#[test]
fn each_rejection_has_its_reason() {
    for (said, reason) in [
        ("我住在哪个城市来着？", RejectionReason::Question),
        ("Where do I live again?", RejectionReason::Question),
        ("假如我搬去青岛，通勤会很久", RejectionReason::Hypothetical),
        ("Suppose I moved to Lima, I'd learn Spanish", RejectionReason::Hypothetical),
        ("我刚跑完步", RejectionReason::Transient),
        ("I just had a sandwich", RejectionReason::Transient),
        ("他说我对花粉过敏", RejectionReason::ThirdParty),
        ("She says I love karaoke", RejectionReason::ThirdParty),
        ("润色一下：我叫王芳，我热爱写作。", RejectionReason::Quoted),
        ("Translate to French: I live in Quito", RejectionReason::Quoted),
        ("不对，应该是 7001", RejectionReason::NotSelfContained),
        ("No, it's 7001", RejectionReason::NotSelfContained),
    ] {
        check(said, reason);
    }
}

#[test]
fn quoted_words_are_nobodys_statement() {
    for said in [
        "“我住在苏州”这句英文怎么说",
        "\"I live in Cairo\" is what the form says",
        "> Please remember that the boss is Kim",
        "```\nI live in Rome\n```",
        "用户：我对花生过敏\n助手：好的",
        "<memory>I live in Oslo</memory>",
    ] {
        let found = extract(&[(Role::User, said)]);
        assert!(found.candidates.is_empty(), "{said}: {:?}", found.candidates);
    }
}

#[test]
fn the_assistants_claims_are_not_corrected_into_facts() {
    let context = [(Role::Assistant, "You live in Rome, as you told me.")];
    let found = extract_with_context(&context, &[(Role::User, "No, it's Milan.")]);
    assert!(found.candidates.is_empty(), "{found:?}");
}

#[test]
fn a_reminder_is_no_request_to_forget() {
    for said in
        ["别忘了周五交房租", "忘了告诉你，我搬到珠海了", "Don't forget to water the plants", "I forgot my umbrella"]
    {
        let found = extract(&[(Role::User, said)]);
        assert!(found.candidates.iter().all(|candidate| candidate.operation != Operation::Forget), "{said}: {found:?}");
    }
}

#[test]
fn a_correction_names_what_it_replaces() {
    let found = extract(&[(Role::User, "My locker is 31."), (Role::Assistant, "ok"), (Role::User, "Wrong, it's 37.")]);
    let last = found.candidates.last().unwrap();
    assert_eq!(last.content, "My locker is 37");
    assert_eq!(last.operation, Operation::Correct { replaces: "My locker is 31".into() });
}

#[test]
fn without_a_session_nothing_is_kept_for_the_session() {
    use memcore_core::{ContentBlock, ExtractionRequest, Extractor, MessageId, Scope, StoredMessage};
    let scope = Scope::user("ada").unwrap();
    let message = StoredMessage {
        id: MessageId::new("m1").unwrap(),
        scope: scope.clone(),
        role: Role::User,
        content: vec![ContentBlock::text("这次我们只看测试，别的先不管。")],
        at: super::now(),
    };
    let request = ExtractionRequest::new(scope, vec![message], super::now());
    let found = super::block_on(super::RuleExtractor::new().extract(&request)).unwrap();
    assert!(found.candidates.is_empty());
}
