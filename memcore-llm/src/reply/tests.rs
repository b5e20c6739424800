//! The reader of replies.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Listing, listing};

const REQUIRED: [&str; 2] = ["content", "quote"];

fn read(reply: &str) -> Option<Listing> {
    listing(reply, "memories", &REQUIRED)
}

/// The contents of a reply, and whether it is complete.
fn contents(reply: &str) -> Option<(Vec<String>, bool)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    read(reply)
        .map(|listing| (listing.entries.iter().map(|entry| text(&entry["content"])).collect(), listing.is_complete))
}

#[test]
fn every_layer_of_damage_is_repaired() {
    let tea = vec!["User likes tea."];
    let zh = vec!["用户喜欢喝茶。"];
    for (what, reply, expected) in [
        ("plain", r#"{"memories":[{"content":"User likes tea.","quote":"I like tea"}]}"#, &tea),
        ("fence", "```json\n{\"memories\":[{\"content\":\"User likes tea.\",\"quote\":\"I like tea\"}]}\n```", &tea),
        ("fence without end", "```\n{\"memories\":[{\"content\":\"User likes tea.\",\"quote\":\"q\"}]}", &tea),
        (
            "prose",
            "Sure! Here {as you asked} it is:\n{\"memories\":[{\"content\":\"User likes tea.\",\"quote\":\"q\"}]} Bye.",
            &tea,
        ),
        (
            "chinese prose",
            "好的，结果如下（见 {memories}）：\n{\"memories\":[{\"content\":\"用户喜欢喝茶。\",\"quote\":\"q\"}]}",
            &zh,
        ),
        ("false start", "{'tis what I found {\"memories\":[{\"content\":\"User likes tea.\",\"quote\":\"q\"}]}", &tea),
        (
            "thoughts",
            "<think>{\"memories\":[{\"content\":\"draft\",\"quote\":\"q\"}]}</think>{\"memories\":[{\"content\":\"User likes tea.\",\"quote\":\"q\"}]}",
            &tea,
        ),
        ("trailing commas", r#"{"memories":[{"content":"User likes tea.","quote":"q",},],}"#, &tea),
        ("missing comma", "{\"memories\":[{\"content\":\"User likes tea.\"\n\"quote\":\"q\"}]}", &tea),
        ("single quotes", r"{'memories':[{'content':'User likes tea.','quote':'it\'s tea'}]}", &tea),
        ("apostrophe in single quotes", "{'memories':[{'content':'User likes tea.','quote':'it's tea'}]}", &tea),
        ("python", "{'memories': [{'content': 'User likes tea.', 'quote': 'q', 'slot': None, 'ok': True}]}", &tea),
        ("typographic marks", "{“memories”：[{“content”：“用户喜欢喝茶。”，“quote”：“q”}]}", &zh),
        (
            "comments",
            "{ // found\n\"memories\": [ /* one */ {\"content\":\"User likes tea.\",\"quote\":\"q\"} # end\n]}",
            &tea,
        ),
        ("bare keys", r#"{memories: [{content: "User likes tea.", quote: "q"}]}"#, &tea),
        ("forgotten bracket", r#"{"memories":[{"content":"User likes tea.","quote":"q"}}"#, &tea),
        ("line break in a string", "{\"memories\":[{\"content\":\"User likes tea.\",\"quote\":\"a\nb\"}]}", &tea),
        ("wrapped", r#"{"result":{"memories":[{"content":"User likes tea.","quote":"q"}]}}"#, &tea),
        ("one entry for a list", r#"{"memories":{"content":"User likes tea.","quote":"q"}}"#, &tea),
        ("bare list", r#"[{"content":"User likes tea.","quote":"q"}]"#, &tea),
        ("bare entry", r#"{"content":"User likes tea.","quote":"q"}"#, &tea),
        ("json in a string", r#""{\"memories\":[{\"content\":\"User likes tea.\",\"quote\":\"q\"}]}""#, &tea),
        (
            "twice the same",
            "{\"memories\":[{\"content\":\"User likes tea.\",\"quote\":\"q\"}]}\n{\"memories\":[{\"content\":\"User likes tea.\",\"quote\":\"q\"}]}",
            &tea,
        ),
        ("extra keys", r#"{"scope":"other","memories":[{"content":"User likes tea.","quote":"q","user_id":7}]}"#, &tea),
        ("byte order mark", "\u{feff}{\u{feff}\"memories\":[{\"content\":\"User likes tea.\",\"quote\":\"q\"}]}", &tea),
    ] {
        let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        assert_eq!(contents(reply), Some((expected, true)), "{what}");
    }
}

#[test]
fn strings_keep_what_they_mean() {
    for (written, expected) in [
        (r#""lone \ud83d end""#, "lone \u{fffd} end"),
        (r#""lone \udc00中文""#, "lone \u{fffd}中文"),
        (r#""pair \ud83c\udf75 \x41""#, "pair 🍵 A"),
        (r#""broken \u12 \uzz""#, "broken \u{fffd} \u{fffd}zz"),
        (r#""C:\dev\work""#, r"C:\dev\work"),
        (r#""她说"你好"就走了""#, r#"她说"你好"就走了"#),
        (r#""the "best" tea""#, r#"the "best" tea"#),
        ("\"a\tb\\\nc\"", "a\tbc"),
    ] {
        let reply = format!("{{\"memories\":[{{\"content\":{written},\"quote\":\"q\",}}]}}");
        assert_eq!(contents(&reply), Some((vec![expected.to_owned()], true)), "{written}");
    }
}

#[test]
fn several_lists_are_one() {
    let reply = "Draft: {\"memories\":[{\"content\":\"a\",\"quote\":\"1\"}]} and {\"memories\":[]} \
        {\"memories\":[{\"content\":\"b\",\"quote\":\"2\"}]}\n{\"content\":\"c\",\"quote\":\"3\"}";
    assert_eq!(contents(reply), Some((vec!["a".into(), "b".into(), "c".into()], true)));
}

#[test]
fn what_is_whole_in_a_cut_reply_is_saved_and_the_cut_is_told() {
    let whole =
        r#"{"memories":[{"content":"a","quote":"1"},{"content":"乙","quote":"2"},{"content":"c","quote":"3"}]}"#;
    let mut most = 0;
    for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        let Some((found, is_complete)) = contents(&whole[..end]) else {
            assert!(end < 14, "a list has begun at byte {end}");
            continue;
        };
        assert!(!is_complete || end >= whole.len() - 1, "{}", &whole[..end]);
        assert!(found.len() >= most, "nothing is lost by reading further");
        most = found.len();
        assert!(found.iter().zip(["a", "乙", "c"]).all(|(found, expected)| found == expected), "{found:?}");
    }
    assert_eq!(most, 3);
    // One broken entry costs that entry only.
    let broken = r#"{"memories":[{"content":"a","quote":"1"},{"content":?,"quote":"2"},{"content":"c","quote":"3"}]}"#;
    assert_eq!(contents(broken), Some((vec!["a".into(), "c".into()], false)));
}

#[test]
fn nothing_to_remember_and_no_answer_are_told_apart() {
    for nothing in [
        r#"{"memories":[]}"#,
        "```json\n{\"memories\": []}\n```",
        "没有要记的：{\"memories\":[]}",
        "[]",
        "{memories: []}",
    ] {
        assert_eq!(contents(nothing), Some((vec![], true)), "{nothing}");
    }
    for failure in [
        "",
        " \n",
        "I found nothing worth remembering.",
        "没有值得记住的内容。",
        "I'm sorry, but I can't help with that.",
        "抱歉，我无法处理该请求。",
        "You exceeded your current quota, please check your plan and billing details.",
        "您的账户余额不足，请充值后再试。",
        r#"{"error":{"message":"insufficient_quota","code":429}}"#,
        r#"{"code":"Arrearage","message":"账户欠费"}"#,
        "<html><head><style>body{margin:0}</style></head><body>502 Bad Gateway</body></html>",
        "{}",
        "null",
        r#"{"memories":null}"#,
        r#"{"memories":"none"}"#,
        r#"{"content":"just a message"}"#,
        "items[] = []",
    ] {
        assert_eq!(contents(failure), None, "{failure}");
    }
}

#[test]
fn a_megabyte_of_anything_is_read_in_one_pass() {
    for piece in ["{", "[", "{\"a", "[\"", "{a:[", "\"\\", "/*", "#{", "{'", "},{", "[[1],", "“{", "prose {x} "] {
        let reply = piece.repeat(1_000_000 / piece.len());
        drop(read(&reply));
    }
    let many = format!("{{\"memories\":[{}]}}", vec![r#"{"content":"a","quote":"b"}"#; 300_000].join(","));
    assert_eq!(read(&many).unwrap().entries.len(), 1);
}

proptest! {
    #[test]
    fn no_reply_panics(reply in any::<String>()) {
        drop(read(&reply));
    }

    #[test]
    fn no_pile_of_marks_panics(reply in "[\\[\\]{}\"'“”‘’`:,\\\\/*#\\n a0中ud]{0,80}") {
        drop(read(&reply));
    }

    #[test]
    fn json_is_read_as_it_is(texts in proptest::collection::vec((any::<String>(), any::<String>()), 0..6)) {
        let mut entries: Vec<Value> = Vec::new();
        for (content, quote) in texts {
            let entry = json!({"content": content, "quote": quote});
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        let reply = json!({"memories": entries}).to_string();
        let listing = read(&reply).unwrap();
        prop_assert!(listing.is_complete);
        let found: Vec<Value> = listing.entries.into_iter().map(Value::Object).collect();
        prop_assert_eq!(found, entries);
    }

    #[test]
    fn a_cut_anywhere_never_invents_an_entry(texts in proptest::collection::vec("[a-z\"\\\\中\u{1f375} ]{0,12}", 1..5), cut in 0.0..1.0f64) {
        let entries: Vec<Value> = texts.iter().map(|text| json!({"content": text, "quote": text})).collect();
        let reply = json!({"memories": entries}).to_string();
        let end = reply.floor_char_boundary((reply.len() as f64 * cut) as usize);
        for entry in read(&reply[..end]).map(|listing| listing.entries).unwrap_or_default() {
            prop_assert!(entries.contains(&Value::Object(entry)));
        }
    }
}
