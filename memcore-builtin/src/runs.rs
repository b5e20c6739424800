//! The normal form of a text, and its runs: stretches of one script, which is where pieces may start and end.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

/// What a run consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// The letters a to z.
    Latin,
    /// The digits 0 to 9.
    Digits,
    /// Han characters, simplified where there is a choice.
    Han,
    /// Hiragana and katakana.
    Kana,
    /// Letters and numbers of every other script: no piece covers them.
    Other,
}

/// A run of one script in the normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) script: Script,
    pub(crate) text: String,
}

/// The runs of `text`: NFKC, accents dropped, lower case, characters folded by `folds`; all that is no letter or digit
/// separates. Where that leaves nothing, each word of symbols is a run, so that a text of emoji has a vector.
pub(crate) fn runs(text: &str, folds: &HashMap<char, char>) -> Vec<Run> {
    let normal = normal_form(text, folds);
    let mut runs: Vec<Run> = Vec::new();
    let mut open = None;
    for ch in normal.chars() {
        let script = script(ch);
        match (script, runs.last_mut()) {
            (Some(_), Some(run)) if open == script => run.text.push(ch),
            (Some(script), _) => runs.push(Run { script, text: ch.to_string() }),
            (None, _) => {}
        }
        open = script;
    }
    if runs.is_empty() { symbol_runs(&normal) } else { runs }
}

fn normal_form(text: &str, folds: &HashMap<char, char>) -> String {
    let fold = |ch: char| folds.get(&ch).copied().unwrap_or(ch);
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let bare: String = text.nfkd().filter(|ch| !('\u{300}'..='\u{36f}').contains(ch)).nfc().collect();
    bare.to_lowercase().chars().map(fold).collect()
}

fn script(ch: char) -> Option<Script> {
    match ch {
        'a'..='z' => Some(Script::Latin),
        '0'..='9' => Some(Script::Digits),
        '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}' | '\u{3005}' | '\u{3007}' => Some(Script::Han),
        '\u{3041}'..='\u{30fe}' => Some(Script::Kana),
        _ if ch.is_alphanumeric() => Some(Script::Other),
        _ => None,
    }
}

fn symbol_runs(normal: &str) -> Vec<Run> {
    normal
        .split(|ch: char| ch.is_whitespace() || ch.is_control())
        .filter(|word| !word.is_empty())
        .map(|word| Run { script: Script::Other, text: word.to_owned() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let folds = HashMap::from([('門', '门'), ('ø', 'o')]);
        let runs: Vec<String> = runs(text, &folds).into_iter().map(|run| run.text).collect();
        assert_eq!(runs, expected, "{text:?}");
    }

    #[test]
    fn scripts_and_punctuation_separate_runs() {
        check("I use Python3, 每天。", &["i", "use", "python", "3", "每天"]);
        check("don't v2.5", &["don", "t", "v", "2", "5"]);
    }

    #[test]
    fn width_case_accents_and_traditional_characters_are_folded() {
        check("ＡＢＣ １２３ Café 門 Bjørn", &["abc", "123", "cafe", "门", "bjorn"]);
    }

    #[test]
    fn kana_keep_their_voicing_marks() {
        check("ガ が", &["ガ", "が"]);
    }

    #[test]
    fn symbols_count_only_where_there_is_nothing_else() {
        check("ok 🎉", &["ok"]);
        check("🎉 ❤", &["🎉", "❤"]);
        check(" \t\u{0}\n", &[]);
        check("", &[]);
    }
}
