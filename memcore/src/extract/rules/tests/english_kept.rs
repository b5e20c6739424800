//! English conversations and what is kept of them: statements, tastes, rules, work.

use super::{Case, check};

#[test]
fn the_users_own_facts_are_kept() {
    check(ABOUT_THE_USER);
}

#[test]
fn likes_and_dislikes_are_kept() {
    check(TASTES);
}

#[test]
fn rules_and_instructions_are_kept() {
    check(RULES);
}

#[test]
fn what_the_team_does_is_kept() {
    check(TEAM);
}

const ABOUT_THE_USER: &[Case] = &[
    (
        "My name is Priya Nair and I'm a data engineer at Contoso.",
        &[("profile", "user.name", "My name is Priya Nair"), ("profile", "user.job", "I'm a data engineer at Contoso")],
    ),
    (
        "I'm Diego, a nurse from Valencia.",
        &[("profile", "user.name", "I'm Diego"), ("profile", "user.job", "I am a nurse from Valencia")],
    ),
    ("Everyone calls me Bex.", &[("profile", "user.preferred name", "Everyone calls me Bex")]),
    (
        "Hi, I'm Olivia. I live in Tallinn with my husband.",
        &[("profile", "user.name", "I'm Olivia"), ("profile", "user.location", "I live in Tallinn with my husband")],
    ),
    ("I'm based out of Nairobi", &[("profile", "user.location", "I'm based out of Nairobi")]),
    ("I moved to Kyoto last month.", &[("profile", "user.location", "I moved to Kyoto last month")]),
    ("We relocated from Boston to Denver in 2023.", &[("profile", "user.location", "We relocated to Denver in 2023")]),
    ("I quit my job at Initech and joined Hooli.", &[("profile", "user.employer", "I joined Hooli")]),
    ("I work as a pastry chef.", &[("profile", "user.job", "I work as a pastry chef")]),
    (
        "I'm a software developer working on compilers",
        &[("profile", "user.job", "I'm a software developer working on compilers")],
    ),
    ("My wife is allergic to shellfish.", &[("fact", "", "My wife is allergic to shellfish")]),
    ("My daughter Emma starts school in September.", &[("fact", "", "My daughter Emma starts school in September")]),
    ("My dog is called Biscuit", &[("profile", "user.dog name", "My dog is called Biscuit")]),
    ("I have two kids and a cat named Tofu", &[("profile", "", "I have two kids and a cat named Tofu")]),
    ("My birthday is July 9.", &[("profile", "user.birthday", "My birthday is July 9")]),
    ("My flight number is LH 454", &[("fact", "user.flight number", "My flight number is LH 454")]),
    ("My passport is in the top drawer.", &[("fact", "user.passport", "My passport is in the top drawer")]),
    (
        "I keep the spare key under the blue flowerpot",
        &[("fact", "user.key spare", "I keep the spare key under the blue flowerpot")],
    ),
    ("The staging server is at 10.0.0.5", &[("fact", "team.server staging", "The staging server is at 10.0.0.5")]),
    ("The launch deadline is June 30.", &[("fact", "team.deadline launch", "The launch deadline is June 30")]),
    ("Call me Max", &[("profile", "user.preferred name", "Call me Max")]),
    ("Please remember my locker number is 88.", &[("fact", "user.locker number", "My locker number is 88")]),
    ("Note: the client is called Lumen Ltd", &[("fact", "", "The client is called Lumen Ltd")]),
    ("For the record, I live in Ghent.", &[("profile", "user.location", "I live in Ghent")]),
    ("My shoe size is 42, please remember that.", &[("fact", "user.shoe size", "My shoe size is 42")]),
    ("I always park on level 3. || Remember that.", &[("fact", "", "I always park on level 3")]),
    ("I play the cello", &[("profile", "", "I play the cello")]),
    ("I go swimming every Tuesday", &[("profile", "", "I go swimming every Tuesday")]),
    ("I wake up at 5 every day", &[("profile", "", "I wake up at 5 every day")]),
    ("I speak Portuguese and a little Dutch", &[("profile", "", "I speak Portuguese and a little Dutch")]),
    ("I mostly write Elixir", &[("profile", "user.programming language", "I mostly write Elixir")]),
    ("I use Neovim as my editor", &[("profile", "user.editor", "I use Neovim as my editor")]),
    ("I switched from Chrome to Firefox", &[("profile", "", "I switched to Firefox")]),
    ("I drive a Subaru", &[("profile", "", "I drive a Subaru")]),
    ("I'm married with two children", &[("profile", "user.marital status", "I'm married with two children")]),
    ("I turned 40", &[("profile", "user.age", "I turned 40")]),
    ("I was born on 3 March 1990", &[("profile", "user.birthday", "I was born on 3 March 1990")]),
    ("I'm originally from Ghana", &[("profile", "user.hometown", "I'm originally from Ghana")]),
    ("My timezone is UTC+2", &[("profile", "user.timezone", "My timezone is UTC+2")]),
    ("I'm in the CET timezone", &[("profile", "user.timezone", "I'm in the CET timezone")]),
    ("I graduated from ETH Zurich University", &[("profile", "user.school", "I graduated from ETH Zurich University")]),
    ("I study law", &[("profile", "user.major", "I study law")]),
    ("You can call me TJ.", &[("profile", "user.preferred name", "You can call me TJ")]),
    ("The name's Ruth.", &[("profile", "user.name", "The name's Ruth")]),
    ("I go by Sandy", &[("profile", "user.preferred name", "I go by Sandy")]),
    ("I'm Kenji from Osaka", &[("profile", "user.name", "I'm Kenji from Osaka")]),
    ("I reside in the suburbs of Lyon", &[("profile", "user.location", "I reside in the suburbs of Lyon")]),
    ("My home is in Bristol", &[("profile", "user.location", "My home is in Bristol")]),
    (
        "I've been living in Oslo for three years",
        &[("profile", "user.location", "I've been living in Oslo for three years")],
    ),
    (
        "We just moved into a new flat in Madrid",
        &[("profile", "user.location", "We just moved into a new flat in Madrid")],
    ),
    ("I've started a new job at Stripe", &[("profile", "user.employer", "I've started a new job at Stripe")]),
    ("I got hired by Nokia as a tester", &[("profile", "user.employer", "I got hired by Nokia as a tester")]),
    (
        "I'm currently working for the Red Cross",
        &[("profile", "user.employer", "I'm currently working for the Red Cross")],
    ),
    ("I work in healthcare", &[("profile", "user.field of work", "I work in healthcare")]),
    ("My job title is Staff Engineer", &[("profile", "user.job", "My job title is Staff Engineer")]),
    ("I'm responsible for the payroll system", &[("profile", "", "I'm responsible for the payroll system")]),
    ("I teach chemistry at a high school", &[("profile", "user.job", "I teach chemistry at a high school")]),
    ("I run a small bakery", &[("profile", "", "I run a small bakery")]),
    ("I'm studying architecture at TU Delft", &[("profile", "user.major", "I'm studying architecture at TU Delft")]),
    ("My wife's name is Amara", &[("profile", "user.wife name", "My wife's name is Amara")]),
    (
        "My son plays football and my daughter studies medicine.",
        &[("fact", "", "My son plays football"), ("fact", "", "My daughter studies medicine")],
    ),
    ("My parents live in Bergen", &[("fact", "", "My parents live in Bergen")]),
    ("I have a golden retriever named Max", &[("profile", "", "I have a golden retriever named Max")]),
    ("My sister Ana is a dentist", &[("fact", "", "My sister Ana is a dentist")]),
    ("My car is a 2015 Honda Civic", &[("fact", "user.car", "My car is a 2015 Honda Civic")]),
    ("My license plate is 7ABC123", &[("fact", "user.license plate", "My license plate is 7ABC123")]),
    (
        "My gym membership expires on June 30",
        &[("fact", "user.gym membership", "My gym membership expires on June 30")],
    ),
    (
        "My order number is 55-AX-9 and it hasn't shipped yet",
        &[("fact", "user.order number", "My order number is 55-AX-9 and it hasn't shipped yet")],
    ),
    (
        "My dentist appointment is on May 20",
        &[("fact", "user.appointment dentist", "My dentist appointment is on May 20")],
    ),
    ("The spare key is under the mat", &[("fact", "team.key spare", "The spare key is under the mat")]),
    ("The wifi password is hunter2", &[("fact", "team.password wifi", "The wifi password is hunter2")]),
    ("The runbook lives in the ops folder", &[("fact", "team.runbook", "The runbook lives in the ops folder")]),
    (
        "The release date has moved to July 15",
        &[("fact", "team.date release", "The release date has moved to July 15")],
    ),
    ("Remember my anniversary is October 3", &[("fact", "user.anniversary", "My anniversary is October 3")]),
    ("Please don't forget that I'm a beginner", &[("fact", "", "I'm a beginner")]),
    ("Make a note that the invoice goes to Carla", &[("fact", "", "The invoice goes to Carla")]),
    ("Could you remember that my seat is 14C?", &[("fact", "user.desk", "My seat is 14C")]),
    ("I park in garage B. Keep that in mind.", &[("fact", "", "I park in garage B")]),
    ("```\nI live in Rome\n```\nI live in Bari.", &[("profile", "user.location", "I live in Bari")]),
    (
        "Make a note that the QA environment resets every night.",
        &[("fact", "", "The QA environment resets every night")],
    ),
    (
        "I'm Noor, a civil engineer at Halcyon, and I mostly work with Revit.",
        &[
            ("profile", "user.name", "I'm Noor"),
            ("profile", "user.job", "I am a civil engineer at Halcyon"),
            ("profile", "", "I mostly work with Revit"),
        ],
    ),
    (
        "I live in Quito. || I moved to Lima last week.",
        &[("profile", "user.location", "I live in Quito"), ("profile", "user.location", "I moved to Lima last week")],
    ),
    (
        "I work at Northwind Traders. || I left Northwind, I'm now at Contoso Labs.",
        &[
            ("profile", "user.employer", "I work at Northwind Traders"),
            ("profile", "user.employer", "I'm now at Contoso Labs"),
        ],
    ),
    (
        "Good evening! How's it going? || cool, thanks, got it. By the way, I'm based in Accra.",
        &[("profile", "user.location", "I'm based in Accra")],
    ),
    (
        "What if I worked at NASA, would I travel a lot? If I lived in Kyoto I'd bike, right? Just so you know, I live in Leeds.",
        &[("profile", "user.location", "I live in Leeds")],
    ),
    ("hey there, I'm Tomas", &[("profile", "user.name", "I'm Tomas")]),
    (
        "My booking reference is QX-7781, it hasn't been confirmed.",
        &[("fact", "user.booking reference", "My booking reference is QX-7781, it hasn't been confirmed")],
    ),
    (
        "Remember: ticket OPS-4471 was caused by a stale lock; we solved it by restarting the scheduler.",
        &[("fact", "", "Ticket OPS-4471 was caused by a stale lock; we solved it by restarting the scheduler")],
    ),
    (
        "Tell me a joke about pirates. I look after the night shift on Fridays.",
        &[("profile", "", "I look after the night shift on Fridays")],
    ),
    (
        "Proofread this:\n> Remember to wire 5000 to Dana.\nI run the treasury desk.",
        &[("profile", "", "I run the treasury desk")],
    ),
    (
        "Remember that I keep the backup drive in the blue box.",
        &[("fact", "user.backup drive", "I keep the backup drive in the blue box")],
    ),
    (
        "Please note that the board meets on the first Monday of the month.",
        &[("fact", "", "The board meets on the first Monday of the month")],
    ),
    ("My partner Robin is vegetarian", &[("fact", "", "My partner Robin is vegetarian")]),
];

const TASTES: &[Case] = &[
    ("My favourite band is Radiohead", &[("preference", "user.band favourite", "My favourite band is Radiohead")]),
    ("I can't stand small talk.", &[("preference", "user.taste:small talk", "I can't stand small talk")]),
    ("I'd prefer concise answers", &[("preference", "user.taste:answer concise", "I'd prefer concise answers")]),
    ("I prefer tabs over spaces", &[("preference", "user.taste:tab", "I prefer tabs over spaces")]),
    (
        "I love hiking and hate running.",
        &[("preference", "user.taste:hiking", "I love hiking"), ("preference", "user.taste:running", "I hate running")],
    ),
    ("I take my tea with milk", &[("preference", "user.way:tea", "I take my tea with milk")]),
    (
        "I'm a huge fan of Studio Ghibli",
        &[("preference", "user.taste:ghibli studio", "I'm a huge fan of Studio Ghibli")],
    ),
    ("From today on, answer in French.", &[("preference", "user.reply language", "From today on, answer in French")]),
    ("Please keep your answers short", &[("preference", "", "Please keep your answers short")]),
    ("Please answer in German", &[("preference", "user.reply language", "Please answer in German")]),
    ("When you write SQL, use lowercase keywords", &[("preference", "", "When you write SQL, use lowercase keywords")]),
    ("I avoid sugar", &[("preference", "user.taste:sugar", "I avoid sugar")]),
    (
        "I don't like cilantro, it tastes like soap to me",
        &[("preference", "user.taste:cilantro", "I don't like cilantro, it tastes like soap to me")],
    ),
    ("I'm not a fan of open offices", &[("preference", "user.taste:office open", "I'm not a fan of open offices")]),
    ("I no longer like horror movies", &[("preference", "user.taste:horror movie", "I no longer like horror movies")]),
    (
        "I'm really into bouldering these days",
        &[("preference", "user.taste:bouldering", "I'm really into bouldering these days")],
    ),
    (
        "I'm obsessed with mechanical keyboards",
        &[("preference", "user.taste:keyboard mechanical", "I'm obsessed with mechanical keyboards")],
    ),
    (
        "I absolutely adore jazz, especially Coltrane.",
        &[("preference", "user.taste:jazz", "I absolutely adore jazz, especially Coltrane")],
    ),
    (
        "I enjoy cooking Thai food on weekends",
        &[("preference", "user.taste:food thai weekend", "I enjoy cooking Thai food on weekends")],
    ),
    (
        "My favorite programming language is OCaml",
        &[("preference", "user.favourite language programming", "My favorite programming language is OCaml")],
    ),
    ("Dark mode is my favourite", &[("preference", "user.taste:dark mode", "Dark mode is my favourite")]),
    ("I prefer to work at night", &[("preference", "user.taste:night work", "I prefer to work at night")]),
    (
        "I'd rather use Postgres than MySQL",
        &[("preference", "user.taste:postgre", "I'd rather use Postgres than MySQL")],
    ),
    ("I'm a dog person", &[("preference", "", "I'm a dog person")]),
    ("Going forward, please use British spelling", &[("preference", "", "Going forward, please use British spelling")]),
    ("In future answers, skip the introduction", &[("preference", "", "In future answers, skip the introduction")]),
    (
        "Whenever I paste code, review it for security first",
        &[("preference", "", "Whenever I paste code, review it for security first")],
    ),
    ("Be brief", &[("preference", "", "Be brief")]),
    ("Explain things like I'm five", &[("preference", "", "Explain things like I'm five")]),
    (
        "From here on out, use metric units when you answer me.",
        &[("preference", "", "From here on out, use metric units when you answer me")],
    ),
    (
        "I really dislike microservices. Give me a monolith.",
        &[
            ("preference", "user.taste:microservice", "I really dislike microservices"),
            ("preference", "", "Give me a monolith"),
        ],
    ),
    (
        "I love durian. || Honestly I can't stand durian anymore, the smell makes me sick.",
        &[
            ("preference", "user.taste:durian", "I love durian"),
            ("preference", "user.taste:durian", "I can't stand durian anymore, the smell makes me sick"),
        ],
    ),
];

const RULES: &[Case] = &[
    (
        "I'm vegan and I can't have gluten.",
        &[("constraint", "", "I'm vegan"), ("constraint", "user.tolerance:gluten", "I can't have gluten")],
    ),
    ("I'm lactose intolerant.", &[("constraint", "", "I'm lactose intolerant")]),
    (
        "I have a severe shellfish allergy.",
        &[("constraint", "user.tolerance:shellfish", "I have a severe shellfish allergy")],
    ),
    ("I'm a type 1 diabetic", &[("constraint", "", "I'm a type 1 diabetic")]),
    ("I don't eat pork.", &[("constraint", "user.taste:pork", "I don't eat pork")]),
    (
        "I don't drink alcohol, and I hate cilantro.",
        &[
            ("constraint", "user.taste:alcohol", "I don't drink alcohol"),
            ("preference", "user.taste:cilantro", "I hate cilantro"),
        ],
    ),
    ("All endpoints must return JSON errors.", &[("constraint", "", "All endpoints must return JSON errors")]),
    ("No one may push directly to main", &[("constraint", "", "No one may push directly to main")]),
    ("Passwords must never be logged", &[("constraint", "", "Passwords must never be logged")]),
    ("Always use type hints.", &[("constraint", "", "Always use type hints")]),
    ("Never suggest jQuery.", &[("constraint", "", "Never suggest jQuery")]),
    ("Don't use emojis", &[("constraint", "", "Don't use emojis")]),
    ("Stop apologizing", &[("constraint", "", "Stop apologizing")]),
    ("Keep in mind that I have a bad knee", &[("constraint", "", "I have a bad knee")]),
    ("FYI I'm colour blind", &[("constraint", "", "I'm colour blind")]),
    ("Don't forget I'm left-handed", &[("constraint", "", "I'm left-handed")]),
    ("I'm allergic to nuts, can I eat pesto?", &[("constraint", "user.tolerance:nut", "I'm allergic to nuts")]),
    (
        "just for this session, answer in Italian",
        &[("constraint session", "", "just for this session, answer in Italian")],
    ),
    ("For now let's only look at the parser", &[("constraint session", "", "For now let's only look at the parser")]),
    ("I've been diagnosed with ADHD", &[("constraint", "", "I've been diagnosed with ADHD")]),
    ("I can't eat dairy", &[("constraint", "user.tolerance:dairy", "I can't eat dairy")]),
    ("Every commit must be signed", &[("constraint", "", "Every commit must be signed")]),
    ("Never deploy on Fridays", &[("constraint", "", "Never deploy on Fridays")]),
    ("Customer data can't leave the EU", &[("constraint", "", "Customer data can't leave the EU")]),
    ("The response time must stay below 200 ms", &[("constraint", "", "The response time must stay below 200 ms")]),
    ("Make sure to always add docstrings", &[("constraint", "", "Make sure to always add docstrings")]),
    ("Stop calling me sir", &[("constraint", "", "Stop calling me sir")]),
    ("Respond only in JSON", &[("constraint", "", "Respond only in JSON")]),
    (
        "Starting today, always reply in bullet points, never in long paragraphs.",
        &[("constraint", "", "Starting today, always reply in bullet points, never in long paragraphs")],
    ),
    (
        "I'm lactose intolerant, and I take my tea with honey.",
        &[("constraint", "", "I'm lactose intolerant"), ("preference", "user.way:tea", "I take my tea with honey")],
    ),
    ("I can't eat shrimp", &[("constraint", "user.tolerance:shrimp", "I can't eat shrimp")]),
    ("I take insulin every day", &[("constraint", "", "I take insulin every day")]),
    (
        "Today let's focus only on the parser, ignore the rest. Our parser generator is pest.",
        &[
            ("constraint session", "", "Today let's focus only on the parser, ignore the rest"),
            ("project_state", "team.generator parser", "Our parser generator is pest"),
        ],
    ),
    ("Always call me Captain", &[("constraint", "", "Always call me Captain")]),
];

const TEAM: &[Case] = &[
    ("Our API listens on port 9443", &[("project_state", "team.api", "Our API listens on port 9443")]),
    ("We use Terraform for deployments.", &[("project_state", "team.deployment", "We use Terraform for deployments")]),
    ("Our frontend is written in Svelte", &[("project_state", "team.frontend", "Our frontend is written in Svelte")]),
    (
        "We upgraded Node from 18 to 20 last week.",
        &[("project_state", "node.version", "We upgraded Node to 20 last week")],
    ),
    ("We deploy every other Friday", &[("project_state", "", "We deploy every other Friday")]),
    ("Our team has six people", &[("project_state", "", "Our team has six people")]),
    (
        "We've decided to drop MongoDB and use Postgres instead.",
        &[("decision", "", "We've decided to drop MongoDB and use Postgres instead")],
    ),
    ("Let's go with Redis for caching", &[("decision", "", "Let's go with Redis for caching")]),
    (
        "We chose Kotlin over Java because of null safety.",
        &[("decision", "", "We chose Kotlin over Java because of null safety")],
    ),
    ("Our budget is capped at $20,000", &[("project_state", "team.budget", "Our budget is capped at $20,000")]),
    (
        "Our company is called Blue Heron and we make hiking gear",
        &[
            ("project_state", "team.employer", "Our company is called Blue Heron"),
            ("project_state", "", "We make hiking gear"),
        ],
    ),
    (
        "The prod database is hosted on AWS in Frankfurt",
        &[("project_state", "", "The prod database is hosted on AWS in Frankfurt")],
    ),
    ("In the mobile app, we use SQLite", &[("project_state", "", "In the mobile app, we use SQLite")]),
    (
        "our repo uses pnpm, and CI runs on GitHub Actions",
        &[("project_state", "", "Our repo uses pnpm, and CI runs on GitHub Actions")],
    ),
    ("Our main branch is protected", &[("project_state", "team.branch", "Our main branch is protected")]),
    ("Our CI takes 40 minutes", &[("project_state", "team.continuous integration", "Our CI takes 40 minutes")]),
    ("We switched from npm to pnpm", &[("decision", "", "We switched to pnpm")]),
    ("We migrated to Python 3.12", &[("project_state", "python.version", "We migrated to Python 3.12")]),
    ("We're on Java 21", &[("project_state", "java.version", "We're on Java 21")]),
    ("The backend uses Axum", &[("project_state", "team.backend", "The backend uses Axum")]),
    ("We've standardised on Tailwind for styling", &[("decision", "", "We've standardised on Tailwind for styling")]),
    (
        "The team agreed that all PRs need two approvals.",
        &[("decision", "", "The team agreed that all PRs need two approvals")],
    ),
    ("We won't support Internet Explorer", &[("decision", "", "We won't support Internet Explorer")]),
    (
        "Our release goes out every second Tuesday",
        &[("project_state", "team.release", "Our release goes out every second Tuesday")],
    ),
    (
        "Don't forget: our production cluster is called osprey and it reboots every Monday morning.",
        &[(
            "project_state",
            "team.cluster production",
            "Our production cluster is called osprey and it reboots every Monday morning",
        )],
    ),
    (
        "We agreed to use Rust for the ingestion service; Python is out, we keep Go for the CLI.",
        &[("decision", "", "We agreed to use Rust for the ingestion service; Python is out, we keep Go for the CLI")],
    ),
    (
        "We settled on Postgres for the ledger, no more MongoDB.",
        &[("decision", "", "We settled on Postgres for the ledger, no more MongoDB")],
    ),
    (
        "In this project we use Bun instead of Node.",
        &[("project_state", "", "In this project we use Bun instead of Node")],
    ),
    (
        "Our Kubernetes version is 1.29. || We bumped Kubernetes to 1.31 yesterday.",
        &[
            ("project_state", "kubernetes.version", "Our Kubernetes version is 1.29"),
            ("project_state", "kubernetes.version", "We bumped Kubernetes to 1.31 yesterday"),
        ],
    ),
    (
        "We use Python 3.9. || We've moved to Python 3.12.",
        &[
            ("project_state", "python.version", "We use Python 3.9"),
            ("project_state", "python.version", "We've moved to Python 3.12"),
        ],
    ),
];
