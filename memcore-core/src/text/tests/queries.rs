//! Query terms: what is left out, what weighs, what decides.

use crate::text::{QueryTerm, has_decisive, query_terms};

/// Compares the terms that weigh fully, with `!` behind decisive ones.
#[track_caller]
fn check_full(query: &str, expected: &str) {
    let full: Vec<_> = query_terms(query).into_iter().filter(|term| term.weight == 1.0).map(written).collect();
    assert_eq!(full.join(" "), expected, "{query}");
}

fn written(term: QueryTerm) -> String {
    format!("{}{}", term.text, if term.decisive { "!" } else { "" })
}

fn weight_of(query: &str, text: &str) -> Option<f32> {
    query_terms(query).into_iter().find(|term| term.text == text).map(|term| term.weight)
}

#[test]
fn stop_words_are_left_out() {
    check_full("What is the name of my dog?", "name dog");
    check_full("我的狗叫什么名字？", "狗叫 名字");
    check_full("你还记得我喜欢哪些水果吗", "喜欢 水果");
}

#[test]
fn stop_words_count_where_there_is_nothing_else() {
    check_full("who am I", "who am i");
    check_full("我是谁", "我是 是谁");
}

#[test]
fn traditional_stop_words_are_stop_words() {
    check_full("我們的貓在哪裡", "猫");
}

#[test]
fn pairs_of_characters_weigh_more_than_characters() {
    assert_eq!(weight_of("咖啡", "咖啡"), Some(1.0));
    assert!(weight_of("咖啡", "咖").is_some_and(|weight| weight < 0.3));
    assert_eq!(weight_of("猫", "猫"), Some(1.0));
    assert_eq!(weight_of("你的猫呢", "猫"), Some(1.0));
}

#[test]
fn a_word_with_a_function_character_is_still_asked_for() {
    assert!(weight_of("项目的目的", "目的").is_some_and(|weight| weight > 0.0));
}

#[test]
fn identifiers_and_numbers_decide_but_their_parts_do_not() {
    check_full("status of CN-A10293", "status cn-a10293!");
    check_full("E0382 怎么修", "e0382! 修");
    check_full("2026 budget", "2026! budget");
    check_full("read src/main.rs", "read src/main.rs!");
    check_full("parseConfig fails", "parseconfig! fail");
    assert!(query_terms("CN-A10293").iter().skip(1).all(|part| !part.decisive && part.weight < 1.0));
}

#[test]
fn plain_joined_words_do_not_decide() {
    check_full("a long-term plan", "long-term plan");
    assert!(query_terms("don't worry and/or smile").iter().all(|term| !term.decisive));
}

#[test]
fn quoted_phrases_decide() {
    check_full("the song \"blue whale\" again", "song blue! whale!");
    check_full("“蓝鲸”计划", "蓝鲸! 计划");
    check_full("where is `make install` run", "make! instal! run");
}

#[test]
fn names_in_mid_sentence_decide() {
    check_full("where does Ada live", "ada! live");
    check_full("我在Google做什么", "googl! 做");
    check_full("What about tests? Tests fail", "test fail");
    check_full("moving to the US in May", "move us! may!");
    check_full("What Is My Name", "name");
    check_full("WHERE IS MY CAR", "car");
}

#[test]
fn a_query_lists_each_term_once() {
    let terms = query_terms("coffee, Coffee and 咖啡咖啡");
    let mut texts: Vec<_> = terms.iter().map(|term| term.text.as_str()).collect();
    texts.sort_unstable();
    let before = texts.len();
    texts.dedup();
    assert_eq!(texts.len(), before);
}

#[test]
fn query_syntax_means_nothing() {
    check_full("coffee OR (tea) NOT near* \"", "coffe or! tea not! near");
    assert!(query_terms("\"*^():-'").is_empty());
    assert!(query_terms("").is_empty());
}

#[test]
fn decisive_inputs_lift_the_gate() {
    for text in ["E0382", "第3条", "\"ok\"", "“好的”", "fix foo_bar", "用 v2"] {
        assert!(has_decisive(text), "{text}");
    }
    for text in ["ok", "好的", "thanks, Ada", "well-known", "I don't", "好的。"] {
        assert!(!has_decisive(text), "{text}");
    }
}
