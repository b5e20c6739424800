//! What a host sees: near texts are near, odd texts have a vector or an error of their own, long texts have chunks.

#![expect(clippy::unwrap_used, reason = "a text without a vector fails the test")]

use futures::executor::block_on;
use memcore_builtin::StaticEmbedder;
use memcore_core::{EmbedRole, Embedder as _, Embedding, ErrorKind};

fn embedder() -> StaticEmbedder {
    StaticEmbedder::load().unwrap()
}

fn vector(embedder: &StaticEmbedder, text: &str) -> Embedding {
    let chunks = embedder.encode(text).unwrap().into_chunks();
    assert_eq!(chunks.len(), 1, "{text}");
    chunks.into_iter().next().unwrap()
}

/// Of the three, `near` is closer to `text` than `far` is.
fn check_nearer(text: &str, near: &str, far: &str) {
    let embedder = embedder();
    let [text_vector, near_vector, far_vector] = [text, near, far].map(|text| vector(&embedder, text));
    let (to_near, to_far) = (text_vector.cosine(&near_vector).unwrap(), text_vector.cosine(&far_vector).unwrap());
    assert!(to_near > to_far, "{text}: {near} {to_near}, {far} {to_far}");
}

#[test]
fn a_paraphrase_is_nearer_than_another_subject() {
    check_nearer("My doctor told me to cut down on sugar", "diet and health advice", "the train to Oslo was late");
    check_nearer("What instrument do I play?", "I practise the violin every evening", "I parked on level three");
    check_nearer("我养了一只橘猫", "我的宠物是什么动物", "季度报告星期五交");
    check_nearer("周末打算去爬山", "户外运动计划", "数据库密码已经更换");
}

#[test]
fn a_question_in_the_other_language_finds_its_subject() {
    check_nearer("When is my flight?", "我的航班是早上七点", "厨房的灯坏了");
    check_nearer("我喜欢喝什么茶", "I drink green tea in the morning", "The invoice was paid");
}

#[test]
fn case_width_accents_and_traditional_characters_do_not_matter() {
    let embedder = embedder();
    for (left, right) in [
        ("MEETING AT NOON", "meeting at noon"),
        ("ｐｙｔｈｏｎ　３", "python 3"),
        ("café", "cafe"),
        ("我喜歡學習電腦", "我喜欢学习电脑"),
    ] {
        let cosine = vector(&embedder, left).cosine(&vector(&embedder, right)).unwrap();
        assert!(cosine > 0.9999, "{left} / {right}: {cosine}");
    }
}

#[test]
fn words_outside_the_table_match_themselves() {
    check_nearer("собака лает", "моя собака", "дождь идёт");
    check_nearer("🎂", "🎂", "🚗");
    check_nearer("한국어 공부", "한국어 시험", "비가 온다");
}

#[test]
fn a_text_without_anything_to_embed_fails_alone() {
    let embedder = embedder();
    let texts = ["", "ok", " \n\t", "好", "\u{0}\u{1}", "!?"].map(str::to_owned);
    let results = block_on(embedder.embed(&texts, EmbedRole::Passage));
    let failed: Vec<_> = results.iter().map(|result| result.as_ref().err().map(|error| error.kind())).collect();
    let none = Some(ErrorKind::NotEmbeddable);
    assert_eq!(failed, [none, None, none, None, none, None]);
}

#[test]
fn a_long_text_is_covered_by_overlapping_chunks() {
    let embedder = embedder();
    let filler = "the budget of the second quarter was approved ".repeat(200);
    for place in ["start", "middle", "end"] {
        let text = match place {
            "start" => format!("penguins {filler}"),
            "middle" => format!("{filler} penguins {filler}"),
            _ => format!("{filler} penguins"),
        };
        let chunks = embedder.encode(&text).unwrap().into_chunks();
        let others = embedder.encode(&text.replace("penguins", "teacups")).unwrap().into_chunks();
        assert!(chunks.len() > 5 && chunks.len() == others.len());
        let differing =
            chunks.iter().zip(&others).filter(|(chunk, other)| chunk.cosine(other).unwrap() < 0.9999).count();
        assert!(differing > 0, "the word at the {place} is in no chunk");
    }
}

#[test]
fn no_text_gives_a_vector_that_is_not_of_unit_length() {
    let embedder = embedder();
    let texts = ["the", "的", "𠮷野家", "\u{301}a", "ﷺ", "e\u{301}\u{301}\u{301}", "a\u{200d}b", "١٢٣", "½", "→ ← ↑"];
    for text in texts {
        let norm: f32 = vector(&embedder, text).as_slice().iter().map(|value| value * value).sum();
        assert!((norm - 1.0).abs() < 1e-4, "{text}: {norm}");
    }
}

#[test]
fn a_word_longer_than_any_window_is_cut_and_covered() {
    let embedder = embedder();
    assert!(embedder.encode(&"a".repeat(100_000)).unwrap().chunks().len() > 1);
    assert!(embedder.encode(&"字".repeat(50_000)).unwrap().chunks().len() > 1);
}
