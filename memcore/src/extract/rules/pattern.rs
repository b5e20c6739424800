//! One pattern: a form of statement, and what memory it makes.

use std::sync::LazyLock;

use memcore_core::{Kind, Level, Slot, text::Language};
use regex::{Captures, Regex};

use super::{grammar::compiled, value};
use crate::policy::slots;

/// A form of statement, matched with the folded clause (see `fold`), and the memory that it makes.
///
/// Groups: `v` the value, `o` what is liked or not, `a` the attribute, `t` a tool.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) form: &'static str,
    pub(super) kind: Kind,
    pub(super) importance: u8,
    pub(super) slot: SlotRule,
    pub(super) check: Check,
    pub(super) absorbs: Absorbs,
    pub(super) level: Option<Level>,
    pub(super) effect: Effect,
    /// Whether it holds even where the clause sounds like a wish (`I'd prefer …`).
    pub(super) is_wish: bool,
}

/// Which slot a statement fills.
#[derive(Debug, Clone, Copy)]
pub(super) enum SlotRule {
    /// None.
    Nothing,
    /// A fixed attribute of the user.
    User(&'static str),
    /// The attribute of the user that group `a` names.
    Mine,
    /// The attribute of the team that group `a` names.
    Ours,
    /// Whether the user likes group `o`.
    Taste,
    /// Whether the user can eat or stand group `o`.
    Tolerance,
    /// How the user takes group `o`.
    Way,
    /// What the user uses in the role that group `a` names.
    MyRole,
    /// What the user likes most of group `a`.
    Favourite,
    /// The name of the relative or animal in group `a`.
    NameOf,
    /// The version in group `v` of the tool, or else what the team uses for group `a`.
    Stack,
    /// The programming language, if group `v` is one.
    Code,
}

/// What group `v` or `o` must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// Something that can be understood alone.
    Clear,
    /// The name of a person or animal.
    Name,
    /// A Chinese name with a family name, or a capitalised English one.
    FullName,
    /// A kind of person by occupation.
    Occupation,
    /// Something with a digit, an identifier, a proper noun, or in quotation marks.
    Specific,
    /// A place, not something within reach.
    Place,
    /// A company or institution.
    Organisation,
    /// What an attribute can be: no opinion, no mood.
    Attribute,
    /// The statement's own words tell that it happens again and again.
    Recurring,
    /// A date in the future, the day after tomorrow or later.
    Planned,
    /// A state, not what somebody does or says at the moment.
    Settled,
    /// An employer, in a statement whose own words say `now`.
    Current,
    /// A feeling that the statement's own words call lasting.
    Lasting,
}

/// Which clauses behind it a statement takes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absorbs {
    /// Reasons, and what begins with a pronoun for it.
    Reasons,
    /// All that state nothing of their own.
    All,
}

/// What a statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// It is kept.
    Keep,
    /// It closes what was said about its slot.
    Retract,
}

impl Pattern {
    pub(super) const fn new(form: &'static str, kind: Kind, importance: u8) -> Self {
        Self {
            form,
            kind,
            importance,
            slot: SlotRule::Nothing,
            check: Check::Clear,
            absorbs: Absorbs::Reasons,
            level: None,
            effect: Effect::Keep,
            is_wish: false,
        }
    }

    pub(super) const fn slot(mut self, slot: SlotRule) -> Self {
        self.slot = slot;
        self
    }

    pub(super) const fn check(mut self, check: Check) -> Self {
        self.check = check;
        self
    }

    pub(super) const fn absorbs_all(mut self) -> Self {
        self.absorbs = Absorbs::All;
        self
    }

    pub(super) const fn of_project(mut self) -> Self {
        self.level = Some(Level::Project);
        self
    }

    pub(super) const fn retracts(mut self) -> Self {
        self.effect = Effect::Retract;
        self
    }

    pub(super) const fn even_as_wish(mut self) -> Self {
        self.is_wish = true;
        self
    }
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Compiled {
    pattern: &'static Pattern,
    form: Regex,
}

/// What a pattern found.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) pattern: &'static Pattern,
    pub(super) slot: Option<Slot>,
}

/// Compiles a table of patterns; `{NAME}` in a form stands for the fragment of that name.
pub(super) fn compile(table: &'static [Pattern], fragments: &[(&str, &str)]) -> Vec<Compiled> {
    let expand = |form: &str| {
        let mut form = form.to_owned();
        for (name, fragment) in fragments {
            form = form.replace(&format!("{{{name}}}"), fragment);
        }
        format!("(?i){form}")
    };
    table.iter().map(|pattern| Compiled { pattern, form: compiled(&expand(pattern.form)) }).collect()
}

impl Compiled {
    /// What this pattern finds in a folded clause.
    ///
    /// `said` is the clause before its adverbs were left out: they tell habits.
    pub(super) fn find(&self, folded: &str, said: &str, language: Language) -> Option<Found> {
        let words = self.form.captures(folded)?;
        let value = group(&words, "v").or_else(|| group(&words, "o"));
        let passes = match value {
            Some(value) => value::passes(self.pattern.check, value, said, language),
            None => true,
        };
        let attribute_passes = !matches!(self.pattern.slot, SlotRule::Mine | SlotRule::Ours)
            || group(&words, "a").is_none_or(|attribute| value::is_attribute(attribute, language));
        (passes && attribute_passes).then(|| Found { pattern: self.pattern, slot: self.slot(&words, folded, language) })
    }

    fn slot(&self, words: &Captures<'_>, folded: &str, language: Language) -> Option<Slot> {
        let attribute = group(words, "a");
        let object = group(words, "o").map(|object| value::bare_object(object, language));
        match self.pattern.slot {
            SlotRule::Nothing => None,
            SlotRule::User(name) => Slot::new(slots::USER, name).ok(),
            SlotRule::Mine => {
                attribute.filter(|noun| !value::is_plural(noun)).and_then(|noun| slots::named(slots::USER, noun))
            }
            SlotRule::Ours => {
                attribute.filter(|noun| !value::is_plural(noun)).and_then(|noun| slots::named(slots::TEAM, noun))
            }
            SlotRule::Taste => slots::taste(&object?),
            SlotRule::Tolerance => slots::tolerance(&object?),
            SlotRule::Way => Slot::new(slots::USER, format!("way:{}", slots::attribute(&object?)?)).ok(),
            SlotRule::Favourite => slots::named(slots::USER, &format!("favourite {}", attribute?)),
            SlotRule::NameOf => slots::name_of(attribute?),
            SlotRule::Stack => version_in(words, folded).or_else(|| slots::role(slots::TEAM, attribute?)),
            SlotRule::MyRole => version_in(words, folded).or_else(|| slots::role(slots::USER, attribute?)),
            SlotRule::Code => {
                let value = group(words, "v")?;
                value::is_programming_language(value).then(|| Slot::new(slots::USER, "programming language").ok())?
            }
        }
    }
}

/// The slot of the tool whose version a statement gives.
fn version_in(words: &Captures<'_>, folded: &str) -> Option<Slot> {
    /// A tool of one or two words, and its version.
    static TOOL_VERSION: LazyLock<Regex> = LazyLock::new(|| {
        compiled(
            r"(?i)(?P<t>[a-z][a-z.+#\-]*(?: (?:server|core|ui|studio|js|boot))?) ?(?:version |版本?|v)?\d+(?:\.\d+)*(?:\.x)?\b",
        )
    });
    if let Some(tool) = group(words, "t") {
        return slots::version(tool);
    }
    let value = group(words, "v").unwrap_or(folded);
    TOOL_VERSION.captures(value).and_then(|words| slots::version(group(&words, "t")?))
}

fn group<'w>(words: &Captures<'w>, name: &str) -> Option<&'w str> {
    words.name(name).map(|found| found.as_str().trim())
}
