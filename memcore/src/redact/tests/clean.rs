//! Text that only looks like secrets has to pass.

use super::check_unchanged;
use super::generate::{BASE64, DIGITS, HEX, Random, UPPER};
use super::redacted;

/// A line with nothing secret in it, of the kinds that patterns are most easily misled by.
fn clean_line(random: &mut Random) -> String {
    let number = random.below(10_000);
    match random.below(26) {
        0 => format!("commit {} fixes #{number}", random.text(HEX, 40)),
        1 => format!("sha256:{}  target/debug/app", random.text(HEX, 64)),
        2 => format!("提交 {} 修复了第 {number} 个问题", random.text(HEX, 7)),
        3 => format!("request {} took {number} ms", random.uuid()),
        4 => format!("订单号 20260503{} 已发货", random.text(DIGITS, 10)),
        5 => format!("order no 9{}, paid", random.text(DIGITS, 17)),
        6 => format!(
            "2026-05-{:02}T12:{:02}:45.123Z INFO started worker {number}",
            1 + random.below(28),
            random.below(60)
        ),
        7 => format!("created_at=17{} updated_at=17{}", random.text(DIGITS, 11), random.text(DIGITS, 8)),
        8 => format!("ISBN 978-7-{}-{}-{}", random.text(DIGITS, 3), random.text(DIGITS, 5), random.below(10)),
        9 => format!("data:image/png;base64,iVBORw0KGgo{}==", random.text(BASE64, 600)),
        10 => format!("background: #{}; color: #{}", random.text(HEX, 6), random.text(HEX, 3)),
        11 => format!(
            "upgrade serde 1.0.{number} -> 1.{}.{}, rustc 1.9{}.0",
            random.below(30),
            random.below(300),
            random.below(9)
        ),
        12 => format!("/usr/lib/python3.{}/site-packages/pkg_{number}/module.py:{number}", random.below(14)),
        13 => format!("C:\\Users\\li\\build\\{}\\out-{number}.log", random.text(HEX, 8)),
        14 => format!(
            "10.0.{}.{}:8080 - - \"GET /v1/items/{number}?page=2 HTTP/1.1\" 200 {number}",
            random.below(255),
            random.below(255)
        ),
        15 => format!("会议号 {}，下周三下午三点", grouped_meeting(random)),
        16 => format!("{}的密码重置流程改到第 {number} 版了", random.pick(&["后台", "前端", "登录页"])),
        17 => format!(
            "the password policy changed in release {number}; see the {} page",
            random.pick(&["reset", "login", "help"])
        ),
        18 => format!("{} tokens used, max_tokens={number}, token bucket of {}", number, random.below(100)),
        19 => format!("the key to section {number} is that {} matters", random.pick(&["timing", "naming", "order"])),
        20 => format!(
            "我{}搬到{}了，喜欢{}",
            random.pick(&["去年", "上个月", "刚刚"]),
            random.pick(&["杭州", "成都"]),
            random.pick(&["爬山", "做饭"])
        ),
        21 => format!(
            "I work {} days a week at the {} office since 20{:02}",
            random.below(7),
            random.pick(&["Berlin", "Lyon"]),
            random.below(26)
        ),
        22 => format!("价格 {}.{:02} 元，库存 {number} 件，货号 {}", number, random.below(100), random.text(UPPER, 10)),
        23 => format!("primary_key=id_{number} cache_key={}", random.text(HEX, 32)),
        24 => format!("integrity sha512-{}==", random.text(BASE64, 86)),
        _ => format!(
            "坐标 {}.{},{}.{}",
            random.below(90),
            random.text(DIGITS, 6),
            random.below(180),
            random.text(DIGITS, 6)
        ),
    }
}

fn grouped_meeting(random: &mut Random) -> String {
    format!("{}-{}-{}", random.text(DIGITS, 3), random.text(DIGITS, 3), random.text(DIGITS, 3))
}

#[test]
fn of_ten_thousand_clean_lines_at_most_fifty_raise_a_false_alarm() {
    let mut random = Random::new(41);
    let lines: Vec<String> = (0..10_000).map(|_| clean_line(&mut random)).collect();
    let alarms: Vec<&String> = lines.iter().filter(|line| redacted(line) != **line).collect();
    println!("{} false alarms in {} lines", alarms.len(), lines.len());
    assert!(alarms.len() <= 50, "{} false alarms: {alarms:#?}", alarms.len());
}

#[test]
fn eighteen_digits_that_are_no_valid_id_are_kept() {
    check_unchanged("记一下，订单 202605031234567890 和提交 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b");
    check_unchanged("number 110105194912310021 has a wrong check character");
}
