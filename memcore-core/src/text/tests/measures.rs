//! Language, lengths, token estimates and likeness.

use crate::text::{
    Language, differs_only_in_numbers, estimate_tokens, input_length, language, ngram_overlap, term_overlap,
};

#[test]
fn languages_are_told_apart() {
    for (text, expected) in [
        ("我喜欢喝茶", Language::Zh),
        ("我用 Rust 写 memory store backend", Language::Zh),
        ("用 tokio", Language::Zh),
        ("帮我看 https://example.com/some/long/path", Language::Zh),
        ("我們喜歡臺灣", Language::Zh),
        ("I like tea", Language::En),
        ("OK", Language::En),
        ("My friend 小明 lives in Beijing", Language::En),
        ("Say 你好 to him", Language::En),
        ("こんにちは、元気ですか", Language::Other),
        ("안녕하세요", Language::Other),
        ("Привет, мир", Language::Other),
        ("Où est la bibliothèque", Language::Other),
        ("12 + 30 👍", Language::Other),
        ("", Language::Other),
    ] {
        assert_eq!(language(text), expected, "{text}");
    }
}

#[test]
fn languages_are_written_in_small_letters() {
    let written = serde_json::to_string(&[Language::Zh, Language::En, Language::Other]).unwrap();
    assert_eq!(written, r#"["zh","en","other"]"#);
}

#[test]
fn input_length_counts_characters_of_chinese_and_words_of_english_twice() {
    for (text, expected) in [
        ("", 0),
        ("！", 0),
        ("👍", 0),
        ("嗯", 1),
        ("好的。", 2),
        ("ok", 2),
        ("go on", 4),
        ("用 Rust 写", 4),
        ("E0382", 2),
    ] {
        assert_eq!(input_length(text), expected, "{text}");
    }
}

/// Texts with their true counts in cl100k_base and o200k_base.
const COUNTED: &[(&str, usize, usize)] = &[
    ("我喜欢喝美式咖啡。", 15, 9),
    ("用户住在上海，在一家做医疗影像的公司当后端工程师。", 28, 18),
    ("下周三下午三点和张伟开会，讨论数据库迁移方案。", 24, 18),
    ("以后回答我的时候请尽量简短，不要用表格。", 24, 15),
    ("她对花生过敏，所以家里从来不买花生酱。", 26, 18),
    ("蘑菇炖榴莲，饕餮盛宴，魑魅魍魉。", 39, 25),
    ("我用 Rust 写后端，前端是 TypeScript 和 React。", 15, 15),
    ("这个项目用 SQLite 存储，版本 v2.5.1 之后支持 FTS5 全文检索。", 31, 26),
    ("The user prefers short answers without tables.", 8, 8),
    ("My sister Margaret moved from Edinburgh to Copenhagen last September.", 11, 11),
    ("We decided to postpone the database migration until the review is finished.", 13, 13),
    ("I'm allergic to peanuts, so please don't suggest recipes with them.", 15, 13),
    ("Remember that the staging server's address is 10.0.12.7 and the port is 8443.", 24, 24),
    ("Kubernetes ingress controllers terminate TLS before requests reach the backend.", 12, 12),
    ("What is the name of the restaurant we talked about?", 11, 11),
    ("ok", 1, 1),
    ("好的", 2, 1),
    ("👍🏽 太好了！🎉🎉", 17, 10),
    ("Family trip 👨‍👩‍👧 to Kyoto 🗾", 19, 15),
    ("fn main() {\n    println!(\"{}\", add(1, 2));\n}", 15, 15),
    ("SELECT id, name FROM users WHERE age >= 18 ORDER BY name;", 15, 15),
    ("if err != nil { return fmt.Errorf(\"open %s: %w\", path, err) }", 21, 21),
    ("error[E0382]: borrow of moved value: `config`", 13, 13),
    ("https://docs.rs/serde_json/latest/serde_json/fn.from_str.html", 16, 16),
    ("2026-11-30 14:05:09", 12, 12),
    ("- 订单号：CN-A10293\n- 金额：￥1,299.00\n- 状态：已发货", 28, 28),
    ("我們喜歡臺灣的烏龍茶。", 20, 11),
    ("今日はとても良い天気ですね。", 15, 9),
];

#[test]
fn token_estimates_are_never_under_the_true_count() {
    for &(text, cl100k, o200k) in COUNTED {
        assert!(estimate_tokens(text) >= cl100k.max(o200k), "{text}: {}", estimate_tokens(text));
    }
}

#[test]
fn token_estimates_are_at_most_a_third_over_in_total() {
    let estimated: usize = COUNTED.iter().map(|(text, ..)| estimate_tokens(text)).sum();
    let counted: usize = COUNTED.iter().map(|(_, cl100k, o200k)| cl100k.max(o200k)).sum();
    assert!(100 * estimated <= 135 * counted, "{estimated} for {counted}");
}

#[track_caller]
fn assert_near(value: f32, expected: f32) {
    assert!((value - expected).abs() < 1e-6, "{value} is not {expected}");
}

#[test]
fn term_overlap_is_the_share_of_common_terms() {
    assert_near(term_overlap("I like tea", "i LIKE teas!"), 1.0);
    assert_near(term_overlap("我喜欢茶", "我喜歡茶。"), 1.0);
    assert_near(term_overlap("green tea", "black coffee"), 0.0);
    assert_near(term_overlap("green tea", "green cup"), 1.0 / 3.0);
    assert_near(term_overlap("猫", "狗"), 0.0);
    assert_near(term_overlap("", "。"), 1.0);
    assert_near(term_overlap("", "tea"), 0.0);
}

#[test]
fn other_numbers_make_another_statement() {
    for (a, b) in [
        ("I drink 3 cups a day", "I drink 5 cups a day"),
        ("two cats", "three cats"),
        ("每天三杯咖啡", "每天五杯咖啡"),
        ("每天3杯", "每天五杯"),
        ("uses v2.5.1", "uses v2.6.0"),
        ("error E0382", "error E0499"),
        ("due 2026-11-30", "due 2026-12-01"),
        ("costs 1,000", "costs 10,000"),
    ] {
        assert!(differs_only_in_numbers(a, b), "{a} / {b}");
        assert!(differs_only_in_numbers(b, a), "{b} / {a}");
    }
    for (a, b) in [
        ("I have a cat", "I have a dog"),
        ("3 cups", "3 cups"),
        ("3 cups", "three CUPS!"),
        ("三杯", "3杯"),
        ("costs 1,000", "costs 1000"),
        ("3 cups of tea", "5 cups of coffee"),
        ("", ""),
    ] {
        assert!(!differs_only_in_numbers(a, b), "{a} / {b}");
    }
}

#[test]
fn an_echo_repeats_the_n_grams_of_the_memory() {
    assert_near(ngram_overlap("As you said, you like green tea.", "You like green tea"), 1.0);
    assert_near(ngram_overlap("我记得你喜欢喝绿茶，对吧", "你喜欢喝绿茶"), 1.0);
    assert_near(ngram_overlap("Here is some green tea", "You like green tea"), 0.0);
    assert_near(ngram_overlap("绿茶好喝", "你喜欢喝绿茶"), 0.0);
    assert_near(ngram_overlap("you like green cups", "you like green tea"), 0.5);
    assert_near(ngram_overlap("tea it is", "tea"), 1.0);
    assert_near(ngram_overlap("anything", ""), 0.0);
}
