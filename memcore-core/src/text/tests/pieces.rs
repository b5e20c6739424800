//! Sentences, clauses, quotations and cuts.

use crate::text::{Span, clauses, quoted_spans, sentences, truncate_at_sentence};

#[track_caller]
fn check(find: fn(&str) -> Vec<Span>, text: &str, expected: &[&str]) {
    let found: Vec<_> = find(text).iter().map(|span| span.of(text)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn sentences_end_at_their_marks() {
    check(sentences, "我喜欢咖啡。你呢？！很好；再见", &["我喜欢咖啡。", "你呢？！", "很好；", "再见"]);
    check(sentences, "I like tea. Really? Yes!\nOK", &["I like tea.", "Really?", "Yes!", "OK"]);
    check(sentences, "我用Rust.你呢", &["我用Rust.", "你呢"]);
    check(sentences, "  \n ", &[]);
}

#[test]
fn sentences_keep_their_closing_marks() {
    check(sentences, "他说：“好的。”然后走了。", &["他说：“好的。”", "然后走了。"]);
    check(sentences, "He said \"Go!\" \"Why?\" I asked.", &["He said \"Go!\"", "\"Why?\"", "I asked."]);
    check(sentences, "(It rained.) We left.", &["(It rained.)", "We left."]);
}

#[test]
fn full_stops_inside_words_end_nothing() {
    for text in [
        "Dr. Li met Mr. Smith.",
        "Use tools, e.g. Rust.",
        "J. R. Tolkien wrote it.",
        "It is v2.5.1 now.",
        "Pi is 3.14 or so.",
        "See https://a.b/c?d=1;e!x for more.",
        "1. Buy milk",
        "It was... fine",
        "From Jan. 5 to Feb. 6",
    ] {
        check(sentences, text, &[text]);
    }
}

#[test]
fn abbreviations_can_end_a_sentence_before_a_new_one() {
    check(sentences, "Come at 5 p.m. Bring tea.", &["Come at 5 p.m.", "Bring tea."]);
    check(sentences, "He lives in the U.S. They visit.", &["He lives in the U.S.", "They visit."]);
    check(sentences, "I take vitamin C. It helps.", &["I take vitamin C.", "It helps."]);
    check(sentences, "Pens, cups, etc. The end.", &["Pens, cups, etc.", "The end."]);
}

#[test]
fn text_without_capitals_has_sentences_too() {
    check(sentences, "i like tea. i hate coffee.", &["i like tea.", "i hate coffee."]);
    check(sentences, "I use approx. two cups. of tea", &["I use approx. two cups. of tea"]);
}

#[test]
fn clauses_hold_one_statement_each() {
    check(clauses, "我叫小明，住在上海，但是在北京工作。", &["我叫小明", "住在上海", "在北京工作。"]);
    check(clauses, "I like tea, but I hate coffee", &["I like tea", "I hate coffee"]);
    check(clauses, "My name is Ada and I live in Paris", &["My name is Ada", "I live in Paris"]);
    check(clauses, "I moved there but I’m back", &["I moved there", "I’m back"]);
    check(clauses, "我有猫、狗；而且养鱼", &["我有猫", "狗", "养鱼"]);
}

#[test]
fn clauses_are_not_cut_at_unsafe_places() {
    for text in [
        "My wife and I live here",
        "I paid 1,000 yuan",
        "He said \"tea, and I mean tea\" twice",
        "他说“好，的”",
        "我喜欢三种颜色（红，黄，蓝）",
        "call f(a, b) now",
        "I like tea and coffee",
        "但愿如此",
    ] {
        check(clauses, text, &[text]);
    }
}

#[test]
fn quotations_of_every_kind_are_found() {
    check(quoted_spans, "他说“好的”和「不行」『再说』‘行’", &["好的", "不行", "再说", "行"]);
    check(quoted_spans, "say \"hi\" and `ls -l`", &["hi", "ls -l"]);
    check(quoted_spans, "look:\n> I am Bob\n>> deep\nend", &["I am Bob", "deep"]);
    check(quoted_spans, "run\n```sh\nls \"x\"\n```\n“ok”", &["ls \"x\"", "ok"]);
    check(quoted_spans, "~~~\nopen to the end", &["open to the end"]);
    check(quoted_spans, "「外『内』外」", &["外『内』外"]);
}

#[test]
fn marks_without_counterpart_quote_nothing() {
    for text in ["it's 5\" wide", "don’t and won’t", "“never closed", "a \" b\nc \" d", "“one\n\ntwo”", "x > y", "` a"]
    {
        check(quoted_spans, text, &[]);
    }
}

#[test]
fn cuts_prefer_sentences_then_clauses_then_words() {
    let chars = |text: &str| text.chars().count();
    for (text, max, expected) in [
        ("我喜欢茶。他喜欢咖啡。", 20, "我喜欢茶。他喜欢咖啡。"),
        ("我喜欢茶。他喜欢咖啡。", 8, "我喜欢茶。…"),
        ("我喜欢茶，他喜欢咖啡。", 8, "我喜欢茶…"),
        ("我喜欢喝乌龙茶和咖啡", 5, "我喜欢喝…"),
        ("I like tea. You like cake.", 15, "I like tea.…"),
        ("I like tea, you like cake.", 15, "I like tea…"),
        ("I like green tea", 10, "I like…"),
        ("supercalifragilistic", 6, "super…"),
        ("👨‍👩‍👧👍", 5, "…"),
        ("anything", 0, ""),
    ] {
        assert_eq!(truncate_at_sentence(text, max, &chars), if expected == "…" { "" } else { expected }, "{text}");
    }
}
