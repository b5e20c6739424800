//! The rules for English: data only.

mod about_team;
mod about_user;
mod cues;
mod words;

use super::pattern::Pattern;

pub(super) use cues::CUES;
pub(super) use words::WORDS;

/// Tables of patterns, the first match wins.
pub(super) const PATTERNS: [&[Pattern]; 2] = [about_user::PATTERNS, about_team::PATTERNS];

/// Parts that several patterns share.
pub(super) const FRAGMENTS: &[(&str, &str)] = &[
    (
        "TEAM",
        r"(?:we|(?:our|the|this|my) (?:team|company|project|startup|group|department|org|organi[sz]ation|repo|repository|codebase|app|application|service|product|monorepo|firm|lab|site|website|platform)|everyone on (?:our|the|my) team)",
    ),
    (
        "RELATION",
        r"(?:wife|husband|girlfriend|boyfriend|fianc[eé]e?|partner|spouse|(?:older |younger |eldest |youngest |little |big )?(?:son|daughter|sister|brother|kid|child)|kids|children|parents|mother|mom|mum|father|dad|grandmother|grandma|grandfather|grandpa|uncle|aunt|cousin|nephew|niece|roommate|flatmate|(?:\w+ )?(?:dog|cat|puppy|kitten|rabbit|hamster|parrot|horse|tortoise|pet))",
    ),
    (
        "THING",
        r"(?:server|database|db|port|url|domain|endpoint|api|repo|repository|branch|environment|cluster|gateway|service|cache|queue|log|logs|config|key|certificate|image|docs?|document|template|folder|directory|script|deadline|launch|release|release date|go-live|budget|office|meeting|meetings|standup|stand-up|retro|sync|demo|wifi|wi-fi|password|codename|code name|version|framework|main branch|maintenance window|timeout|limit|mailbox|channel|ticket|contract|invoice|runbook|bucket|pipeline|dashboard|host|hostname|address|train|backup|backups|rota|rotation)",
    ),
];
