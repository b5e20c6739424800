//! What English speakers say about their team, company and project.

use memcore_core::Kind::{Constraint, Decision, Event, Fact, ProjectState};

use crate::extract::rules::pattern::{
    Check::{Attribute, Planned, Recurring, Settled, Specific},
    Pattern,
    SlotRule::{Ours, Stack},
};

pub(super) const PATTERNS: &[Pattern] = &[
    // Versions
    Pattern::new(r"^(?:{TEAM}|i)(?: have| has)? (?:upgraded|bumped|downgraded|updated|migrated|moved|switched|rolled back|pinned)(?: our| the| all our| my)? (?P<t>[\w.+#-]+(?: (?-i:[A-Z])[\w.]+)?)(?: version| server| cluster| services?)?(?: from [\w. ]+?)? (?:to|at) (?:version |v)?(?P<v>\d[\w.\-]*)(?: .*)?$", ProjectState, 7).slot(Stack).absorbs_all(),
    Pattern::new(r"^(?:{TEAM}|i)(?: have| has)? (?:upgraded|moved|migrated|switched|updated)(?: from [\w. ]+?)? to (?P<v>(?-i:[A-Z])[\w.+#-]* \d[\w.\-]*)(?: .*)?$", ProjectState, 7).slot(Stack).absorbs_all(),
    // Decisions
    Pattern::new(r"^(?:{TEAM}|i|the board|management|the review|everyone|leadership|the client)(?: have| has| had| all)* (?:decided|agreed|settled|chose|chosen|picked|opted|voted|concluded|resolved|standardi[sz]ed)(?: (?:on|to|that|for|in favou?r of|against))? (?:use |using |go with |going with |adopt |we (?:will |would )?use |run |keep |stick with )?(?P<v>.{2,40}?) (?:for|as) (?:the |our |its )?(?P<a>[\w -]{2,40})$", Decision, 7).slot(Stack).absorbs_all(),
    Pattern::new(r"^(?:{TEAM}|i|the board|management|the review|everyone|leadership|the client)(?: have| has| had| all)* (?:decided|agreed|settled|chose|chosen|picked|opted|voted|concluded|resolved|standardi[sz]ed|made the decision|made up our minds?)(?: that| to| on)? (?P<v>.{2,160})$", Decision, 7).absorbs_all(),
    Pattern::new(r"^(?:the |our )?(?:final )?(?:decision|verdict|conclusion|consensus) (?:is|was|:) (?P<v>.{2,160})$", Decision, 7).absorbs_all(),
    Pattern::new(r"^(?:it (?:is|was|has been) )?(?:decided|agreed|settled)(?: that)? (?P<v>.{4,160})$", Decision, 7).absorbs_all(),
    Pattern::new(r"^(?:{TEAM}|i)(?: have| has)?(?: all)? (?:went with|gone with|are going with|am going with|is going with|will go with|will be using|will use|are sticking with|are dropping|dropped|ditched|abandoned|deprecated|retired|replaced|swapped|ruled out|rejected|are replacing|switched (?:from .+? )?to|migrated (?:from .+? )?to|moved (?:from .+? )?to|are moving to|are migrating to|are switching to|will not|will no longer|no longer use[sd]?|no longer support|stopped using|do not use|never use|outsourced|adopted) (?P<v>.{2,120})$", Decision, 7).absorbs_all(),
    Pattern::new(r"^let us (?:go with|use|stick with|adopt|settle on|keep) (?P<v>.{2,100})$", Decision, 6).check(Specific).absorbs_all(),
    // Rules
    Pattern::new(r"^(?P<a>(?:{TEAM}|all|every|any|no|each|our|the|new|production|public|external|internal)\b[\w'/ -]{0,60}?) ?(?:must(?: not)?|may not|may only|cannot|can only|can never|should always|should never|is not allowed|are not allowed|is required|are required|is forbidden|are forbidden|is mandatory|are mandatory|shall|is limited to|are limited to|never exceeds?) (?P<v>.{2,120})$", Constraint, 8).of_project().absorbs_all(),
    Pattern::new(r"^(?P<a>(?:all|every|any|each|our|the)\b[\w'/ -]{2,60}?) (?:has to|have to|needs? to|should|shall) (?P<v>.{2,120})$", Constraint, 7).of_project().absorbs_all(),
    Pattern::new(r"^(?P<a>(?:{TEAM}|all|every|our|the)\b[\w'/ -]{0,60}?) (?:is|are) (?P<v>(?:mandatory|forbidden|not allowed|prohibited|required|off[- ]limits|out|banned).{0,80})$", Constraint, 8).of_project().absorbs_all(),
    Pattern::new(r"^(?:no one|nobody|only \w[\w ]{2,40}?) (?:may|can|should|must|is allowed to|are allowed to) (?P<v>.{2,120})$", Constraint, 8).of_project().absorbs_all(),
    Pattern::new(r"^(?P<a>[a-z][\w'-]{2,}[\w'/ -]{0,40}?) (?:must|cannot|may not|should never|should always) (?:not |never |always |only )?(?P<v>(?:be|leave|exceed|depend|change|contain|have|use|include|go|pass|run|contain|return|stay|come|follow|fit|support|match|land|happen|live)\b.{2,100})$", Constraint, 8).of_project().absorbs_all(),
    // What is used
    Pattern::new(r"^(?:{TEAM})(?:'s)? (?:use|uses|are using|is using|run|runs|are running|is running|rely on|relies on|have adopted|chose|store everything in|deploy with|deploys with|build with|test with|develop in)(?: on| in)? (?P<v>.{1,60}?) (?:for|as|to (?:manage|handle|store|run|build|test|deploy)) (?:all )?(?:the |our |its |all )?(?P<a>[\w -]{2,40})$", ProjectState, 6).slot(Stack),
    Pattern::new(r"^(?:{TEAM}) (?:use|uses|are using|is using|run|runs|are running|is running|rely on|relies on|are on|is on|depend on|depends on|is written in|are written in|is built (?:with|in|on)|is based on|is hosted (?:on|at|in)|host everything on|deploy to|deploys to|run on|runs on|code in|write|develop in|program in|ship|target|targets|support|supports|follow|follows|communicate (?:over|via|on|in)|work with|store .{2,30} in|track .{2,30} in|keep .{2,30} in) (?P<v>.{1,100})$", ProjectState, 6).slot(Stack),
    Pattern::new(r"^(?:our|the|my team's|this project's) (?P<a>[\w' -]{2,40}?) (?:uses|use|runs on|runs|is written in|are written in|is built (?:with|in|on)|is hosted (?:on|at|in)|are hosted (?:on|at|in)|is based on|is powered by) (?P<v>(?-i:[A-Z])[\w.+#-]*(?: [\w.+#-]+){0,4})$", ProjectState, 6).slot(Stack).check(Attribute),
    // Properties
    Pattern::new(r"^our (?P<a>[\w' -]{2,50}?) (?:is|are|was|=|is called|is named|lives? (?:in|at|on)|listens on|runs on|runs at|is at|is set to|has moved to|moved to|changed to|starts|ends|expires|happens|takes place|leaves|closes|opens|costs|uses|takes|goes|goes out|ships|includes|requires) (?P<v>.{1,120})$", ProjectState, 6).slot(Ours).check(Attribute),
    Pattern::new(r"^(?:{TEAM}) (?P<v>.{3,100})$", ProjectState, 6).check(Recurring),
    Pattern::new(r"^(?:{TEAM}) (?:has|have|consists? of|is made up of|employs?) (?P<v>(?:about |around |over )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|a hundred) [\w -]{2,60})$", ProjectState, 5),
    Pattern::new(r"^(?:our|the) (?:company|team|startup|product|app|service) (?:makes|builds|sells|does|provides|offers|develops|produces|delivers|works on|is called|is named) (?P<v>.{2,80})$", ProjectState, 6),
    Pattern::new(r"^(?:we|our team|the team) (?:make|build|sell|provide|offer|develop|produce|deliver|are building|are developing|are working on|work on) (?P<v>(?:an? |the |our )?.{3,80})$", ProjectState, 6).check(Settled),
    Pattern::new(r"^(?:{TEAM}|i)(?: have| has)?(?: just)? (?:shipped|released|launched|finished|completed|fixed|merged|deployed|postponed|delayed|moved the (?:launch|release|deadline)|pushed back|rolled out|migrated) (?P<v>.{3,100})$", ProjectState, 5).check(Settled),
    Pattern::new(r"^(?:{TEAM}) (?:plan to|plans to|will|are going to|is going to|are planning to|aim to|launch|launches|go live|goes live|ship|ships) (?P<v>.{2,100})$", Event, 6).check(Planned),
    // Things of the work, with a value worth keeping
    Pattern::new(r"^the (?P<a>(?:[\w'/.-]+ ){0,4}?{THING}(?: (?:for|of|in) [\w' -]{2,40}?)?) (?:is|are|is called|is named|lives? (?:in|at|on)|listens on|runs on|runs at|is at|is on|is in|is set to|has moved to|moved to|changed to|expires on|ends on|starts at|starts on|leaves|happens|takes place|closes|is due(?: on)?|uses|can be found (?:at|in|on)|points to|costs|rotates) (?P<v>.{1,120})$", Fact, 6).slot(Ours).check(Attribute),
];
