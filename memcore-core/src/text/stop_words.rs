//! Words that say nothing about what a query is after: function words and question words, English and Chinese.

use std::collections::HashMap;
use std::sync::LazyLock;

/// English function words, question words and contractions (but for those with `'s`, which is dropped before), sorted
/// for the binary search.
const ENGLISH: &[&str] = &[
    "a",
    "about",
    "again",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "anyone",
    "anything",
    "are",
    "aren't",
    "as",
    "at",
    "be",
    "because",
    "been",
    "being",
    "but",
    "by",
    "can",
    "can't",
    "could",
    "couldn't",
    "did",
    "didn't",
    "do",
    "does",
    "doesn't",
    "doing",
    "don't",
    "for",
    "from",
    "get",
    "got",
    "had",
    "has",
    "hasn't",
    "have",
    "haven't",
    "he",
    "her",
    "here",
    "hers",
    "him",
    "his",
    "how",
    "i",
    "i'd",
    "i'll",
    "i'm",
    "i've",
    "if",
    "in",
    "into",
    "is",
    "isn't",
    "it",
    "its",
    "just",
    "let",
    "may",
    "me",
    "might",
    "mine",
    "must",
    "my",
    "no",
    "nor",
    "not",
    "of",
    "on",
    "or",
    "our",
    "ours",
    "please",
    "shall",
    "she",
    "should",
    "shouldn't",
    "so",
    "some",
    "something",
    "such",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "theirs",
    "them",
    "then",
    "there",
    "these",
    "they",
    "they'd",
    "they'll",
    "they're",
    "they've",
    "this",
    "those",
    "to",
    "too",
    "us",
    "very",
    "was",
    "wasn't",
    "we",
    "we'd",
    "we'll",
    "we're",
    "we've",
    "were",
    "weren't",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "won't",
    "would",
    "wouldn't",
    "yes",
    "you",
    "you'd",
    "you'll",
    "you're",
    "you've",
    "your",
    "yours",
];

/// Chinese function and question words (simplified).
const CHINESE: &[&str] = &[
    "为什么",
    "是不是",
    "有没有",
    "能不能",
    "可不可以",
    "会不会",
    "要不要",
    "告诉我",
    "还记得",
    "什么时候",
    "什么样",
    "怎么样",
    "怎么办",
    "多少",
    "多久",
    "多大",
    "什么",
    "怎么",
    "怎样",
    "如何",
    "为何",
    "哪里",
    "哪儿",
    "哪个",
    "哪些",
    "哪位",
    "哪天",
    "是否",
    "是谁",
    "几个",
    "几点",
    "请问",
    "一下",
    "一个",
    "一些",
    "我们",
    "你们",
    "他们",
    "她们",
    "它们",
    "咱们",
    "自己",
    "这个",
    "那个",
    "这些",
    "那些",
    "这里",
    "那里",
    "这样",
    "那样",
    "这是",
    "那是",
    "可以",
    "应该",
    "还是",
    "或者",
    "以及",
    "并且",
    "而且",
    "因为",
    "所以",
    "但是",
    "如果",
    "不过",
    "然后",
    "的话",
    "关于",
    "的",
    "了",
    "吗",
    "呢",
    "吧",
    "啊",
    "呀",
    "嘛",
    "哦",
    "么",
    "我",
    "你",
    "您",
    "他",
    "她",
    "它",
    "们",
    "咱",
    "是",
    "在",
    "有",
    "和",
    "与",
    "或",
    "就",
    "都",
    "也",
    "很",
    "还",
    "又",
    "这",
    "那",
    "之",
    "着",
    "把",
    "被",
    "从",
    "谁",
    "哪",
    "几",
    "吧",
    "给",
    "跟",
    "请",
    "而",
    "则",
    "于",
    "以",
    "其",
    "此",
    "地",
    "得",
];

/// [`CHINESE`] by first character, longer words first.
static CHINESE_BY_FIRST: LazyLock<HashMap<char, Vec<&'static str>>> = LazyLock::new(|| {
    let mut by_first: HashMap<char, Vec<&'static str>> = HashMap::new();
    for word in CHINESE {
        by_first.entry(word.chars().next().unwrap_or_default()).or_default().push(word);
    }
    by_first.values_mut().for_each(|words| words.sort_by_key(|word| std::cmp::Reverse(word.len())));
    by_first
});

/// Whether `word` (lower case, not stemmed, apostrophes straight) is an English stop word.
pub(super) fn is_english_stop_word(word: &str) -> bool {
    ENGLISH.binary_search(&word).is_ok()
}

/// Which characters of `run`, a run of simplified Chinese, belong to stop words; the longest match wins.
pub(super) fn chinese_stop_mask(run: &[char]) -> Vec<bool> {
    let mut mask = vec![false; run.len()];
    let mut at = 0;
    while let Some(first) = run.get(at) {
        let rest = run[at..].iter().copied();
        let words = CHINESE_BY_FIRST.get(first).map(Vec::as_slice).unwrap_or_default();
        let length = words.iter().map(|word| word.chars().count()).zip(words);
        let matched = length.filter(|(count, word)| word.chars().eq(rest.clone().take(*count))).map(|(count, _)| count);
        match { matched }.next() {
            Some(count) => {
                mask[at..at + count].fill(true);
                at += count;
            }
            None => at += 1,
        }
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_english_list_is_sorted_for_binary_search() {
        assert!(ENGLISH.is_sorted());
        assert!(is_english_stop_word("where"));
        assert!(!is_english_stop_word("coffee"));
    }

    #[test]
    fn the_longest_chinese_stop_word_wins() {
        let run: Vec<char> = "你还记得什么时候开会吗".chars().collect();
        let content: String =
            run.iter().zip(chinese_stop_mask(&run)).filter(|(_, stops)| !stops).map(|(ch, _)| *ch).collect();
        assert_eq!(content, "开会");
    }
}
