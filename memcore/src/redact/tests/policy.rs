//! Actions for each class, and what a finding tells.

use memcore_core::{RedactionAction, Redactor};

use super::generate::Random;
use crate::redact::{PatternRedactor, class};

#[test]
fn an_allowed_class_stays_and_is_not_reported() {
    let mobile = Random::new(31).mobile();
    let text = format!("电话 {mobile}，密码是 maple2077");
    let redactor = PatternRedactor::new().with_policy(class::PHONE, RedactionAction::Allow);
    let redaction = redactor.redact(&text);
    assert_eq!(redaction.text, format!("电话 {mobile}，密码是 [redacted:password]"));
    assert_eq!(redaction.findings.len(), 1);
}

#[test]
fn a_blocked_class_is_masked_and_says_that_the_statement_is_to_be_dropped() {
    let redactor = PatternRedactor::new().with_policy(class::PASSWORD, RedactionAction::Block);
    let redaction = redactor.redact("my password is maple2077");
    assert_eq!(redaction.text, "my password is [redacted:password]");
    assert_eq!(redaction.findings[0].action, RedactionAction::Block);
}

#[test]
fn email_addresses_are_kept_until_the_policy_says_otherwise() {
    let text = "write to li.wei@example.com";
    assert_eq!(PatternRedactor::new().redact(text).text, text);
    let strict = PatternRedactor::new().with_policy(class::EMAIL, RedactionAction::Mask);
    assert_eq!(strict.redact(text).text, "write to [redacted:email]");
}

#[test]
fn findings_give_class_and_place_in_the_original() {
    let text = "密码：ｍａｐｌｅ２０７７，记住";
    let redaction = PatternRedactor::new().redact(text);
    let finding = &redaction.findings[0];
    assert_eq!((finding.class.as_str(), finding.action), (class::PASSWORD, RedactionAction::Mask));
    assert_eq!(&text[finding.start..finding.end], "ｍａｐｌｅ２０７７");
    assert_eq!(redaction.text, "密码：[redacted:password]，记住");
}
