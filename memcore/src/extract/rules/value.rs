//! What may stand in the open places of a pattern: no pronoun that points elsewhere, no mood, no half sentence.

use std::sync::LazyLock;

use memcore_core::text::Language;
use regex::Regex;

use super::{en, grammar::compiled, pattern::Check, zh};

/// Whether `value`, found in the clause `said`, is what a pattern asks for.
pub(super) fn passes(check: Check, value: &str, said: &str, language: Language) -> bool {
    if value.is_empty() || value.len() > LONGEST_VALUE {
        return false;
    }
    let words = words_of(language);
    let is_clear = !words.vague.is_match(value);
    match check {
        Check::Clear => is_clear,
        Check::Name => is_name(value, words),
        Check::FullName => is_name(value, words) && words.full_name.is_match(value),
        Check::Occupation => is_clear && words.occupation.is_match(value) && !words.no_occupation.is_match(value),
        Check::Specific => is_clear && SPECIFIC.is_match(value),
        Check::Place => is_clear && !words.no_place.is_match(value),
        Check::Organisation => is_clear && !words.no_organisation.is_match(value),
        Check::Attribute => is_clear && !words.no_attribute.is_match(value),
        Check::Recurring => is_clear && RECURRING.is_match(said),
        Check::Settled => (is_clear || language == Language::Zh) && !words.unsettled.is_match(value),
        Check::Current => is_clear && !words.no_organisation.is_match(value) && CURRENT.is_match(said),
        Check::Lasting => is_clear && words.lasting.is_match(said),
        // Dates are looked up where the present moment is known.
        Check::Planned => is_clear,
    }
}

/// Whether the noun names a property rather than a thought, a mood, or a part of the body.
pub(super) fn is_attribute(noun: &str, language: Language) -> bool {
    noun.chars().count() <= 40 && !words_of(language).no_property.is_match(noun)
}

/// Whether the noun has many values at once.
pub(super) fn is_plural(noun: &str) -> bool {
    PLURAL.is_match(noun)
}

/// Whether it is a programming language.
pub(super) fn is_programming_language(value: &str) -> bool {
    PROGRAMMING_LANGUAGE.is_match(value)
}

/// The thing itself, without the verb before it and the adverbs behind.
pub(super) fn bare_object(object: &str, language: Language) -> String {
    words_of(language).around_object.replace_all(object, "").trim().to_owned()
}

/// The longest value in bytes; longer ones are no values.
const LONGEST_VALUE: usize = 400;

static SPECIFIC: LazyLock<Regex> = LazyLock::new(|| compiled(r#"[0-9A-Z"“「`《_@/\[]|[a-z]\.[a-z]"#));

static RECURRING: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?i)每(?:\d+|[一两二三四五六七八九十])?(?:天|日|周|星期|个?月|年|晚|早|次|隔|逢|两|三|个?季度|个?工作日|个?周末)|(?:^|[^上下这本])(?:周|星期|礼拜)[一二三四五六日天末]|工作日|天天",
        r"|\b(?:every (?:single |other |second )?(?:\w+day|day|week|weekend|month|year|morning|evening|night|sprint|quarter|hour|\d+ \w+|two \w+|three \w+|summer|winter|spring|autumn|fall)|each (?:day|week|month|year|morning|sprint)|daily|weekly|monthly|yearly|annually|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|(?:once|twice|\w+ times) (?:a|per) (?:day|week|month|year)|in the mornings?|at night|nightly)\b",
    ))
});

static CURRENT: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?i)\b(?:now|currently|these days|nowadays)\b|现在|目前|如今"));

static PLURAL: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)爱好|兴趣|特长|朋友|同事|孩子|技能|优点|缺点|目标|习惯|们$|\b(?:hobby|interests?|goals?|skills?|friends?|colleagues?|\w+ies)$|[^s'u]s$",
    )
});

static PROGRAMMING_LANGUAGE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)^(?:rust|go|golang|python|java|javascript|typescript|js|ts|kotlin|swift|scala|ruby|php|c|c\+\+|c#|f#|objective-c|elixir|erlang|haskell|ocaml|clojure|lua|perl|r|julia|dart|zig|nim|sql|matlab|fortran|cobol|bash|powershell|solidity)(?:$|[^\w+#])",
    )
});

/// The word lists of a language, compiled.
#[derive(Debug)]
struct Words {
    vague: Regex,
    no_name: Regex,
    full_name: Regex,
    occupation: Regex,
    no_occupation: Regex,
    no_place: Regex,
    no_organisation: Regex,
    no_attribute: Regex,
    no_property: Regex,
    unsettled: Regex,
    lasting: Regex,
    around_object: Regex,
    longest_name: usize,
}

/// The word lists of a language, as regular expressions.
#[derive(Debug)]
pub(super) struct WordLists {
    /// Begins what cannot be understood alone.
    pub(super) vague: &'static str,
    /// Occurs in what is no name.
    pub(super) no_name: &'static str,
    /// A name that is one without being announced.
    pub(super) full_name: &'static str,
    /// Ends what somebody is by occupation.
    pub(super) occupation: &'static str,
    /// What looks like an occupation and is none.
    pub(super) no_occupation: &'static str,
    /// Begins what is no place to live in.
    pub(super) no_place: &'static str,
    /// Begins what is no employer.
    pub(super) no_organisation: &'static str,
    /// Begins an opinion or a mood rather than a value.
    pub(super) no_attribute: &'static str,
    /// Nouns of thoughts, moods and the body, which are no properties.
    pub(super) no_property: &'static str,
    /// Occurs in what somebody does or says at the moment.
    pub(super) unsettled: &'static str,
    /// Says that a feeling lasts.
    pub(super) lasting: &'static str,
    /// What stands around the object of a taste.
    pub(super) around_object: &'static str,
    /// The longest name in characters.
    pub(super) longest_name: usize,
}

impl Words {
    fn new(lists: &WordLists) -> Self {
        Self {
            vague: compiled(lists.vague),
            no_name: compiled(lists.no_name),
            full_name: compiled(lists.full_name),
            occupation: compiled(lists.occupation),
            no_occupation: compiled(lists.no_occupation),
            no_place: compiled(lists.no_place),
            no_organisation: compiled(lists.no_organisation),
            no_attribute: compiled(lists.no_attribute),
            no_property: compiled(lists.no_property),
            unsettled: compiled(lists.unsettled),
            lasting: compiled(lists.lasting),
            around_object: compiled(lists.around_object),
            longest_name: lists.longest_name,
        }
    }
}

fn words_of(language: Language) -> &'static Words {
    static CHINESE: LazyLock<Words> = LazyLock::new(|| Words::new(&zh::WORDS));
    static ENGLISH: LazyLock<Words> = LazyLock::new(|| Words::new(&en::WORDS));
    if language == Language::Zh { &CHINESE } else { &ENGLISH }
}

fn is_name(value: &str, words: &Words) -> bool {
    value.chars().count() <= words.longest_name
        && value.chars().any(char::is_alphanumeric)
        && !words.no_name.is_match(value)
}
