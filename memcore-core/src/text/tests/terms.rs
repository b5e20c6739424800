//! Normal form and index terms.

use crate::text::{TermKind, index_terms, joined_index_text, normalize};

#[track_caller]
fn check_terms(text: &str, expected: &str) {
    assert_eq!(joined_index_text(text), expected, "{text}");
}

#[test]
fn normal_forms_of_exact_duplicates_are_equal() {
    for (a, b) in [
        ("我喜欢喝美式咖啡。", "我喜欢喝美式咖啡！"),
        ("我喜欢喝美式咖啡", " 「我喜欢喝美式咖啡」"),
        ("Ｒｕｓｔ　２０２４", "rust 2024"),
        ("I like tea.", "\"i  like\tTEA\"!!"),
        ("- buy\u{200b} milk", "Buy milk…"),
        ("cafe\u{301}", "Café"),
    ] {
        assert_eq!(normalize(a), normalize(b));
    }
}

#[test]
fn normal_forms_keep_what_makes_a_difference() {
    for (text, expected) in [
        ("C++", "c++"),
        ("I use C#.", "i use c#"),
        ("-5 °C?", "-5 °c"),
        ("50%", "50%"),
        ("我，你", "我,你"),
        ("don't, ever", "don't, ever"),
        ("…！？", ""),
    ] {
        assert_eq!(normalize(text), expected);
    }
}

#[test]
fn english_words_are_folded_and_stemmed() {
    check_terms("Running shoes", "run shoe");
    check_terms("Ada's naïve CAFÉ", "ada naiv cafe");
    check_terms("Straße Łódź İstanbul", "strass lodz istanbul");
    check_terms("co\u{ad}operate", "cooper");
}

#[test]
fn several_acronyms_are_found_by_the_acronym() {
    // "ORMs" was cut into "OR" and "Ms", so that nobody who asked for an ORM found them.
    check_terms("ORMs, APIs and PDFs", "orm api and pdf");
    check_terms("我们的APIs", "我 我们 们 们的 的 api");
    check_terms("REST-APIs", "rest-apis rest api");
    check_terms("Os IOs OAuth", "os io oauth o auth");
}

#[test]
fn runs_of_cjk_give_characters_and_pairs() {
    check_terms("喝咖啡", "喝 喝咖 咖 咖啡 啡");
    check_terms("猫，狗", "猫 狗");
    check_terms("ｶﾞｷﾞ", "ガ ガギ ギ");
    check_terms("한국", "한 한국 국");
    check_terms("我用Rust写", "我 我用 用 rust 写");
}

#[test]
fn traditional_and_simplified_chinese_meet() {
    assert_eq!(joined_index_text("我們喜歡臺灣烏龍茶"), joined_index_text("我们喜欢台湾乌龙茶"));
    assert_eq!(joined_index_text("乾坤"), joined_index_text("乾坤"));
}

#[test]
fn identifiers_are_kept_whole_and_found_by_their_parts() {
    check_terms("CN-A10293", "cn-a10293 cn a10293 10293");
    check_terms("v2.5.1", "v2.5.1 2.5.1 2.5");
    check_terms("E0382", "e0382 0382");
    check_terms("multi-agent", "multi-agent multi agent");
    check_terms("GB/s", "gb/s gb s");
    check_terms("foo_bar", "foo_bar foo bar");
    check_terms("camelCase", "camelcase camel case");
    check_terms("HTTPServer", "httpserver http server");
    check_terms("std::vec", "std::vec std vec");
    check_terms("don't", "don't don");
    check_terms("src/text/mod.rs", "src/text/mod.rs src text mod.rs mod rs");
    check_terms("ada@example.com", "ada@example.com ada example.com exampl com");
    check_terms("5kg", "5kg 5 kg");
    check_terms("GPT-4模型", "gpt-4 gpt 4 模 模型 型");
    check_terms("C++ C# R&D", "c++ c c# c r&d r d");
}

#[test]
fn urls_end_where_the_sentence_goes_on() {
    check_terms("(https://docs.rs/serde).", "https://docs.rs/serde docs.rs doc rs serd");
    check_terms("见https://a.cn/x，谢谢", "见 https://a.cn/x a.cn a cn x 谢 谢谢 谢");
}

#[test]
fn numbers_are_one_term() {
    check_terms("1,000,000.5", "1000000.5");
    check_terms("３，０００", "3000");
    check_terms("3.14", "3.14");
    check_terms("1,2", "1,2 1 2");
    check_terms("2026-11-30", "2026-11-30 2026 11 30");
    let kinds: Vec<_> = index_terms("42 v1.2.3 cat 猫").into_iter().map(|term| term.kind).collect();
    let expected = [
        TermKind::Number,
        TermKind::Identifier,
        TermKind::Identifier,
        TermKind::Number,
        TermKind::Word,
        TermKind::Unigram,
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn emoji_are_terms_without_skin_tone() {
    check_terms("👍🏽", "👍");
    check_terms("好❤️", "好 ❤");
    check_terms("👨‍👩‍👧🇨🇳", "👨‍👩‍👧 🇨🇳");
}

#[test]
fn terms_know_where_they_come_from() {
    let text = "Ｃafé 我們 v2";
    let places: Vec<_> =
        index_terms(text).into_iter().map(|term| (term.text, text[term.start..term.end].to_owned())).collect();
    let expected = [("cafe", "Ｃafé"), ("我", "我"), ("我们", "我們"), ("们", "們"), ("v2", "v2"), ("2", "v2")];
    assert_eq!(places, expected.map(|(term, source)| (term.to_owned(), source.to_owned())));
}

#[test]
fn long_terms_are_bounded_and_stay_different() {
    let long = |last: char| format!("{}{last}", "x".repeat(200));
    let (a, b) = (joined_index_text(&long('a')), joined_index_text(&long('b')));
    assert_eq!(a.chars().count(), 64);
    assert_ne!(a, b);
    assert_eq!(a, joined_index_text(&long('a').to_uppercase()));
}
