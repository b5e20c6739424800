//! The slots that a question asks for.

use std::sync::LazyLock;

use memcore_core::Slot;
use regex::Regex;

use super::{TEAM, USER, attribute, name_of, named, simplified, taste, tolerance, version};

/// A slot that a question asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct SlotMatch {
    /// The slot.
    pub slot: Slot,
    /// How surely the question means it, over 0 and at most 1.
    pub confidence: f32,
}

/// The slots that `query` asks for, the surest first; empty for a query that asks for none.
///
/// `where do I live?` and `我现在住在哪里` ask for the user's location, `which version of Python do we use?` and
/// `Python 是哪个版本` for the version of python, `what is my X?` and `我的X是多少` for whatever X is.
#[must_use]
pub fn slots_asked(query: &str) -> Vec<SlotMatch> {
    let query = simplified(&query.chars().take(LONGEST_QUESTION).collect::<String>()).replace('’', "'");
    let mut found: Vec<SlotMatch> = Vec::new();
    let mut add = |slot: Option<Slot>, confidence: f32| {
        let Some(slot) = slot else { return };
        match found.iter_mut().find(|known| known.slot == slot) {
            Some(known) => known.confidence = known.confidence.max(confidence),
            None => found.push(SlotMatch { slot, confidence }),
        }
    };
    for (_, name) in FIXED.iter().filter(|(question, _)| question.is_match(&query)) {
        add(Slot::new(USER, name).ok(), 1.0);
        if *name == "name" {
            add(Slot::new(USER, "preferred name").ok(), 0.6);
        }
    }
    for (question, sense) in OPEN.iter() {
        let Some(words) = question.captures(&query) else { continue };
        let noun = words.name("a").or_else(|| words.name("b")).map_or("", |noun| noun.as_str().trim());
        match sense {
            Sense::Mine => {
                add(named(USER, noun), 0.9);
                add(named(TEAM, noun), 0.4);
            }
            Sense::Ours => {
                add(named(TEAM, noun), 0.8);
                add(named(USER, noun), 0.4);
            }
            Sense::NameOf => add(name_of(noun), 1.0),
            Sense::Version => add(version(noun), 0.9),
            Sense::Taste => add(taste(noun), 0.9),
            Sense::Tolerance => add(tolerance(noun), 1.0),
            Sense::Favourite => add(named(USER, &format!("favourite {noun}")), 0.9),
            Sense::Way => add(Slot::new(USER, format!("way:{}", attribute(noun).unwrap_or_default())).ok(), 0.8),
        }
    }
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    found
}

/// Longer texts, in characters, are read no further: they are no questions about one slot.
const LONGEST_QUESTION: usize = 400;

/// What group `a` of a question names.
#[derive(Debug, Clone, Copy)]
enum Sense {
    /// An attribute of the user.
    Mine,
    /// An attribute of the team.
    Ours,
    /// A relative or animal whose name is asked.
    NameOf,
    /// A tool whose version is asked.
    Version,
    /// Something liked or not.
    Taste,
    /// Something that may be bad for the user.
    Tolerance,
    /// Something of which one kind is liked most.
    Favourite,
    /// Something that is taken in a certain way.
    Way,
}

/// Questions about the user's fixed attributes, on simplified lower-case text.
const FIXED_QUESTIONS: &[(&str, &str)] = &[
    (
        r"where (?:do|did|am) i (?:now |currently )?(?:live|living|based|located|residing|reside|staying)|(?:which|what) (?:city|town|country|place|part of [a-z ]+) (?:do|am) i (?:now |currently )?(?:live|living|in|based)|my (?:home ?address|place of residence|home city)|where(?: is|'s) my (?:home|house)\b",
        "location",
    ),
    (
        r"我(?:现在|目前|如今)?(?:是)?(?:住|家住|定居|居住|生活)(?:在|于)?(?:哪|什么|何处)|我(?:现在|目前)?在(?:哪个城市|哪座城市|什么城市|哪里住|哪儿住)|我(?:的)?家在哪|我的(?:住址|居住地|住处)|我住(?:的)?(?:城市|地方)",
        "location",
    ),
    (
        r"what(?: is|'s)? my (?:full |first |real )?name\b|who am i\b|what am i called|do you (?:know|remember) my name|what should you call me",
        "name",
    ),
    (r"我叫(?:什么|啥|谁)|我的?(?:名字|姓名|全名)|我是谁|(?:怎么|如何)称呼我|我姓(?:什么|啥)", "name"),
    (
        r"what do i do (?:for (?:a living|work)|as a job|professionally)|what(?: is|'s)? my (?:job|occupation|profession|role|title|job title|position|career)\b|what kind of work do i do|what (?:job|work) do i (?:have|do)",
        "job",
    ),
    (
        r"我(?:现在|目前)?是(?:做|干|从事)(?:什么|啥)|我的?(?:职业|工作|岗位|职位|职务)(?:是|叫|\b|$)|我(?:现在|目前)?(?:做|从事|干)(?:的是)?(?:什么|啥|哪)(?:种|个)?(?:工作|职业|行业|岗位)",
        "job",
    ),
    (
        r"where do i (?:now |currently )?work|who do i (?:now |currently )?work for|(?:which|what) (?:company|firm|employer) (?:do i|am i|employs)|(?:who|what)(?: is|'s) my (?:employer|company)",
        "employer",
    ),
    (
        r"我(?:现在|目前)?在(?:哪|什么|哪一?家|哪个)(?:里|儿|家|个)?(?:公司|单位)?(?:工作|上班|任职|就职)|我(?:现在|目前)?(?:在|的)(?:哪|什么)?家?(?:公司|单位|雇主)(?:叫|是)|我(?:现在|目前)?在哪家(?:公司|单位)",
        "employer",
    ),
    (
        r"when(?: is|'s) my birthday|when was i born|what(?: is|'s) my (?:birthday|birth date|date of birth)|what (?:day|year) was i born",
        "birthday",
    ),
    (r"我(?:的)?生日|我(?:是)?(?:哪|什么|几)(?:一)?(?:年|天|月|号|时候)(?:出生|生)的?", "birthday"),
    (r"how old am i|what(?: is|'s) my age|我(?:今年)?(?:多大|几岁|多少岁)|我的年龄", "age"),
    (
        r"where (?:am i|do i come|was i born|did i grow up|do i hail) ?(?:originally )?from|where was i born|where did i grow up|我(?:是|来自)(?:哪里|哪儿|什么地方)(?:人|的人|$)|我的?(?:老家|家乡|籍贯)",
        "hometown",
    ),
    (
        r"(?:what|which) (?:programming |coding )?language do i (?:\w+ )?(?:use|code|write|program|work|prefer)|我(?:自己|现在|平时|主要)*(?:用|写|使用)(?:的)?(?:是)?(?:什么|哪种|哪门|啥)(?:编程|开发)?语言|我(?:主要|平时)?写什么(?:代码|语言)",
        "programming language",
    ),
    (r"(?:what|which) time ?zone am i|我(?:现在)?在(?:哪个|什么)时区", "timezone"),
    (
        r"(?:what|which) language should (?:you|i) (?:answer|reply|respond|use)|用(?:什么|哪种)语言(?:回答|回复)",
        "reply language",
    ),
    (r"what do i study|what(?: is|'s) my major|我(?:是)?(?:学|读)(?:的)?(?:什么|啥|哪个)(?:专业)?", "major"),
];

/// Questions whose attribute the question itself names, in group `a` or `b`.
const OPEN_QUESTIONS: &[(&str, Sense)] = &[
    (
        r"(?:am i|do i) (?:still )?(?:allergic to|tolerate) (?P<a>[\w\- ]+?)$|can i (?:still )?(?:eat|have|drink) (?P<b>[\w\- ]+?)$",
        Sense::Tolerance,
    ),
    (
        r"我对(?P<a>[^，。？?什么哪]{1,12}?)(?:会)?(?:不?过敏)(?:吗|么|不|没)?$|我(?:能不能|能|可以|可不可以)(?:吃|喝)(?P<b>[^，。？?什么哪吗]{1,12})",
        Sense::Tolerance,
    ),
    (
        r"我(?:最|平时|一般|通常)?(?:喜欢|爱)(?:吃|喝|看|听|玩|用)?(?:的)?(?:是)?(?:什么|哪种|哪个|啥)(?P<a>[^\s，。？?的吗呢]{1,8})",
        Sense::Favourite,
    ),
    (
        r"(?:what|where|when|who|which|how (?:long|big|many|much|tall|old))(?: is|'s| are|'re| was)? (?:the name of )?my (?P<a>[\w\- ]+?)(?: called| named| again| now)?$",
        Sense::Mine,
    ),
    (
        r"(?:what|where|when|who|which|how (?:long|big|many|much))(?: is|'s| are|'re| was)? our (?P<a>[\w\- ]+?)(?: called| named| again| now)?$",
        Sense::Ours,
    ),
    (
        r"^(?:what|where|when|who|which)(?: is|'s| are|'re) the (?P<a>[\w\- ]+?)(?: called| named| again| now)?$",
        Sense::Ours,
    ),
    (
        r"(?:what|who)(?: is|'s| are) my (?P<a>\w+)(?:'s)? (?:name|called|named)|(?:name of|named?|call(?:ed)?) my (?P<b>\w+)",
        Sense::NameOf,
    ),
    (r"what(?: is|'s) my (?P<a>\w+)'s name", Sense::NameOf),
    (r"我(?:的|家的?|们家的?)?(?P<a>[^\s，。？?的]{1,8}?)的?(?:叫|名字)", Sense::NameOf),
    (
        r"我的?(?P<a>[^，。？?我]{1,16}?)(?:现在|目前)?(?:是|在|叫|为|放在|用的是)(?:什么|多少|哪|几|谁|啥|何)",
        Sense::Mine,
    ),
    (r"我的(?P<a>[^，。？?我是在叫为什哪多几]{1,16})(?:呢)?$", Sense::Mine),
    (
        r"(?:我们|咱们|公司|团队|项目)(?:的|里)?(?P<a>[^，。？?我]{1,16}?)(?:现在|目前)?(?:用|使用|采用|选)?(?:的)?(?:是|在|叫|为|什么|哪|多少|啥)",
        Sense::Ours,
    ),
    (
        r"^(?P<a>[^，。？?我你]{1,16}?)(?:现在|目前)?(?:用的?是?|使用的?是?|采用的?是?|选的?是?|是|叫|在|为)(?:什么|多少|哪|几|谁|啥|何)",
        Sense::Ours,
    ),
    (
        r"what (?:do|are|did) we (?:\w+ )?(?:use|using|choose|pick|decide)(?: on)? (?:for|as)(?: the| our)? (?P<a>[\w\- ]+?)$",
        Sense::Ours,
    ),
    (
        r"(?:which|what) (?P<a>[\w\- ]+?) (?:do|are|did|does) (?:we|the team|our team|the project|this project)",
        Sense::Ours,
    ),
    (r"(?:which|what) version of (?P<a>[\w.+#\-]+)|(?:which|what) (?P<b>[\w.+#\-]+) version", Sense::Version),
    (r"^(?P<a>[a-z][\w.+#\-]*) version$", Sense::Version),
    (
        r"(?P<a>[a-z][a-z0-9.+#\-]*) ?(?:现在|目前)?(?:的|是|用的是|用|升级到)*(?:哪个|什么|哪一个|几|多少|啥)?(?:版本)",
        Sense::Version,
    ),
    (
        r"do i (?:\w+ )?(?:like|love|hate|enjoy|dislike|prefer|eat|drink)(?: to (?:eat|drink))? (?P<a>[\w\-' ]+?)$",
        Sense::Taste,
    ),
    (
        r"(?:am i (?:a fan of|fond of|into)|how do i feel about|what do i think (?:of|about)) (?P<a>[\w\-' ]+?)$",
        Sense::Taste,
    ),
    (
        r"我(?:还|现在|平时|是不是|真的)*(?:喜不喜欢|喜欢|爱|讨厌|吃不吃|喝不喝|爱不爱)(?:吃|喝|看|听|玩|用|去)?(?P<a>[^吗么吧？?，什]{1,16})(?:吗|么|吧|$)",
        Sense::Taste,
    ),
    (r"how do i (?:\w+ )?(?:like|take|drink|want|prefer) (?:my )?(?P<a>[\w\- ]+?)$", Sense::Way),
];

static FIXED: LazyLock<Vec<(Regex, &'static str)>> = LazyLock::new(|| {
    FIXED_QUESTIONS.iter().filter_map(|(question, name)| Some((Regex::new(question).ok()?, *name))).collect()
});

static OPEN: LazyLock<Vec<(Regex, Sense)>> = LazyLock::new(|| {
    OPEN_QUESTIONS.iter().filter_map(|(question, sense)| Some((Regex::new(question).ok()?, *sense))).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_pattern_compiles() {
        assert_eq!(FIXED.len(), FIXED_QUESTIONS.len());
        assert_eq!(OPEN.len(), OPEN_QUESTIONS.len());
    }

    #[test]
    fn questions_name_the_slot_of_their_answer() {
        for (question, slot) in [
            ("Which town do I live in?", "user.location"),
            ("我家住在哪儿", "user.location"),
            ("我现在在哪个城市住？", "user.location"),
            ("what's my name?", "user.name"),
            ("我叫啥", "user.name"),
            ("What do I do for a living?", "user.job"),
            ("我是干什么的", "user.job"),
            ("Who do I work for?", "user.employer"),
            ("我在哪家公司上班？", "user.employer"),
            ("When is my birthday?", "user.birthday"),
            ("我生日是哪天", "user.birthday"),
            ("How old am I?", "user.age"),
            ("我今年多大了", "user.age"),
            ("What is my locker number?", "user.locker number"),
            ("我的会员号是多少？", "user.member number"),
            ("What's my cat's name?", "user.cat name"),
            ("我家的狗叫什么", "user.dog name"),
            ("Which version of Node are we on?", "node.version"),
            ("公司的 Java 是哪个版本", "java.version"),
            ("What do we use for logging?", "team.log"),
            ("后端用的是什么框架？", "team.backend"),
            ("Do I like durian?", "user.taste:durian"),
            ("我喜欢吃榴莲吗", "user.taste:榴莲"),
            ("How do I take my tea?", "user.way:tea"),
            ("Am I allergic to peanuts?", "user.tolerance:peanut"),
            ("我对花生过敏吗", "user.tolerance:花生"),
            ("我最喜欢什么颜色", "user.favourite colour"),
        ] {
            let asked = slots_asked(question);
            let confidence = asked.iter().find(|asked| asked.slot.to_string() == slot).map(|asked| asked.confidence);
            assert!(confidence.is_some_and(|confidence| confidence >= 0.8), "{question}: {asked:?}");
        }
    }

    #[test]
    fn a_request_or_a_greeting_asks_for_no_slot() {
        for text in
            ["write me a quicksort", "帮我写个快速排序", "good morning", "今天天气如何", "", "🎉", "thanks, that works"]
        {
            assert_eq!(slots_asked(text), [], "{text}");
        }
    }
}
