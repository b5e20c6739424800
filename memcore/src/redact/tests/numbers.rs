//! Personal numbers in the ways people write them.

use super::generate::{Random, full_width, grouped, is_luhn};
use super::{check, check_unchanged, redacted};

/// A number and the words that people put before it, in Chinese and English.
fn number(random: &mut Random, kind: usize) -> (String, &'static [&'static str]) {
    match kind {
        0 => (random.resident_id(), &["我的身份证号是", "My resident id is ", "", "证件："]),
        1 => (random.old_resident_id(), &["老身份证", "my old ID number is ", ""]),
        2 => (random.mobile(), &["手机号", "call me at ", "", "我的电话是：", "reach me on +86 "]),
        3 => (random.card(), &["卡号", "My card is ", "", "工资卡是 "]),
        4 => (random.iban(), &["IBAN: ", "transfer to ", "账号是 "]),
        5 => (random.credit_code(), &["统一社会信用代码：", "our company code is ", ""]),
        6 => (random.social_security(), &["SSN ", "my social security number is ", ""]),
        _ => (random.passport(), &["护照号是", "my passport number is ", "passport no. "]),
    }
}

#[test]
fn ninety_nine_of_a_hundred_personal_numbers_are_found_however_they_are_written() {
    let mut random = Random::new(21);
    let mut missed = Vec::new();
    let total = 2_400;
    for case in 0..total {
        let kind = case % 8;
        let (number, words) = number(&mut random, kind);
        let grouping = if kind < 6 { random.below(4) } else { 0 };
        let size = if kind == 2 && grouping > 0 { 11 } else { 4 };
        let written = match grouping {
            1 => grouped(&number, size, " "),
            2 => grouped(&number, size, "-"),
            3 => full_width(&number),
            _ => number.clone(),
        };
        let written = match (kind, grouping) {
            (2, 1) => format!("{} {} {}", &number[..3], &number[3..7], &number[7..]),
            (2, 2) => format!("{}-{}-{}", &number[..3], &number[3..7], &number[7..]),
            _ => written,
        };
        let words = random.pick(words);
        let text = format!("{words}{written}，谢谢");
        if redacted(&text).contains(&written) {
            missed.push(text);
        }
    }
    println!("{} of {total} missed", missed.len());
    assert!(missed.len() * 100 <= total, "{} of {total} missed: {missed:#?}", missed.len());
}

#[test]
fn the_sentence_around_a_number_stays() {
    let mut random = Random::new(22);
    let (card, id, mobile) = (random.card(), random.resident_id(), random.mobile());
    check(
        &format!("My card is {} and ID {id}.", grouped(&card, 4, " ")),
        "My card is [redacted:bank-card] and ID [redacted:id-number].",
    );
    check(
        &format!("我的身份证号是 {id}，电话{mobile}，下周三出差。"),
        "我的身份证号是 [redacted:id-number]，电话[redacted:phone]，下周三出差。",
    );
}

#[test]
fn two_numbers_side_by_side_are_both_found() {
    let mut random = Random::new(23);
    let (first, second) = (random.card(), random.card());
    let text = format!("{} {}", grouped(&first, 4, " "), second);
    check(&text, "[redacted:bank-card] [redacted:bank-card]");
}

#[test]
fn invisible_characters_and_other_digits_hide_nothing() {
    let mut random = Random::new(24);
    let id = random.resident_id();
    let hidden: String = id.chars().flat_map(|c| [c, '\u{200b}']).collect();
    check(&format!("身份证 {hidden}"), "身份证 [redacted:id-number]\u{200b}");
    let mobile = random.mobile();
    let bold: String = mobile.bytes().map(|byte| char::from_u32(0x1d7ce + u32::from(byte - b'0')).unwrap()).collect();
    check(&format!("电话 {bold}"), "电话 [redacted:phone]");
}

#[test]
fn country_codes_and_international_numbers_are_part_of_the_phone() {
    let mut random = Random::new(25);
    let mobile = random.mobile();
    check(&format!("call +86 {mobile}"), "call [redacted:phone]");
    check(&format!("打 0086-{mobile} 找我"), "打 [redacted:phone] 找我");
    check(&format!("打 +86{mobile} 找我"), "打 [redacted:phone] 找我");
    let area = 200 + random.below(700);
    check(&format!("my cell is +1 ({area}) 555-01{}", 10 + random.below(89)), "my cell is [redacted:phone]");
}

#[test]
fn a_number_introduced_as_a_reference_is_kept() {
    let mut random = Random::new(26);
    for words in
        ["订单号", "订单编号：", "快递单号是 ", "order no. ", "Order #", "tracking number: ", "invoice id ", "流水号 "]
    {
        for number in [random.card(), random.mobile(), random.resident_id()] {
            check_unchanged(&format!("{words}{number} 已发货"));
        }
    }
    // Speaking of an order somewhere before does not make a card a reference.
    check(&format!("I paid the order with card {}", random.card()), "I paid the order with card [redacted:bank-card]");
    check(&format!("这个订单的收件人电话 {}", random.mobile()), "这个订单的收件人电话 [redacted:phone]");
}

#[test]
fn a_wrong_check_digit_is_no_personal_number() {
    let mut random = Random::new(27);
    for _ in 0..200 {
        let id = random.resident_id();
        let wrong = if id.ends_with('5') { '6' } else { '5' };
        check_unchanged(&format!("号码 {}{wrong}", &id[..17]).replace("号码", "编码"));
        let card = random.card();
        let wrong: String =
            (0..10).map(|check| format!("{}{check}", &card[..card.len() - 1])).find(|card| !is_luhn(card)).unwrap();
        if wrong.len() != 15 {
            check_unchanged(&format!("card {wrong}"));
        }
    }
}

#[test]
fn a_passport_needs_a_word_that_says_so() {
    let number = Random::new(28).passport();
    check(&format!("护照号 {number}，明年到期"), "护照号 [redacted:passport]，明年到期");
    check_unchanged(&format!("part {number} is out of stock"));
}
