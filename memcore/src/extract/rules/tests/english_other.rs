//! English conversations and what is kept of them: to-dos, corrections, and what is no memory.

use super::{Case, check};

#[test]
fn todos_have_a_date_that_can_be_understood_later() {
    check(TODOS);
}

#[test]
fn corrections_and_requests_to_forget_find_what_they_mean() {
    check(TAKEN_BACK);
}

#[test]
fn questions_wishes_trifles_and_other_people_give_nothing() {
    check(NOTHING);
}

const TODOS: &[Case] = &[
    (
        "I used to live in Prague but now I live in Vienna.",
        &[("event", "", "I used to live in Prague"), ("profile", "user.location", "Now I live in Vienna")],
    ),
    ("Remind me to call the dentist tomorrow", &[("todo", "", "Remind me to call the dentist tomorrow (2026-05-04)")]),
    (
        "Don't forget to renew the certificate by June 1",
        &[("todo", "", "Don't forget to renew the certificate by June 1")],
    ),
    ("Remember to buy milk", &[("todo", "", "Remember to buy milk")]),
    ("I'm going to Japan in June", &[("event", "", "I'm going to Japan in June (2026-06-30)")]),
    ("I passed my driving test", &[("event", "", "I passed my driving test")]),
    ("I'm worried all the time about money", &[("emotion", "", "I'm worried all the time about money")]),
    ("I have to renew my visa by 2026-08-01", &[("todo", "", "I have to renew my visa by 2026-08-01")]),
    (
        "I need to finish the slides before next Friday",
        &[("todo", "", "I need to finish the slides before next Friday (2026-05-08)")],
    ),
    ("Todo: email the landlord tomorrow", &[("todo", "", "Todo: email the landlord tomorrow (2026-05-04)")]),
    ("Note to self: buy a new charger", &[("todo", "", "Note to self: buy a new charger")]),
    (
        "I need to file the tax form by 2026-06-15, please remind me.",
        &[("todo", "", "I need to file the tax form by 2026-06-15, please remind me")],
    ),
];

const TAKEN_BACK: &[Case] = &[
    ("I no longer work at Globex.", &[("retract profile", "user.employer", "I no longer work at Globex")]),
    (
        "The demo is on Tuesday. || No, it's on Wednesday.",
        &[("fact", "team.demo", "The demo is on Tuesday"), ("correct fact", "team.demo", "The demo is on Wednesday")],
    ),
    (
        "My port is 8080. || Actually it's 9090",
        &[("fact", "user.port", "My port is 8080"), ("correct fact", "user.port", "My port is 9090")],
    ),
    (
        "I live in Rome. || Sorry, I meant Milan",
        &[("profile", "user.location", "I live in Rome"), ("correct profile", "user.location", "I live in Milan")],
    ),
    (
        "Our standup is at 9 am || no, 10 am",
        &[
            ("project_state", "team.standup", "Our standup is at 9 am"),
            ("correct project_state", "team.standup", "Our standup is at 10 am"),
        ],
    ),
    (
        "My cat is called Luna || No, her name is Lyra",
        &[
            ("profile", "user.cat name", "My cat is called Luna"),
            ("correct profile", "user.cat name", "My cat is called Lyra"),
        ],
    ),
    (
        "I work at Acme. || No, I work at Apex.",
        &[("profile", "user.employer", "I work at Acme"), ("correct profile", "user.employer", "I work at Apex")],
    ),
    (
        "The review is on Monday || Actually it's Tuesday, not Monday",
        &[("correct fact", "", "The review is on Tuesday")],
    ),
    ("I have a tattoo of a dragon. || Don't remember that", &[("forget fact", "", "I have a tattoo of a dragon")]),
    ("Forget what I said about my salary", &[("forget fact", "", "my salary")]),
    ("Please delete the note about my ex", &[("forget fact", "", "my ex")]),
    ("Forget my address.", &[("forget fact", "", "my address")]),
    ("Can you forget everything about my divorce?", &[("forget fact", "", "my divorce")]),
    ("I got laid off from Meta.", &[("retract profile", "user.employer", "I got laid off from Meta")]),
    ("Forget everything I told you about Berlin", &[("forget fact", "", "Berlin")]),
    ("Delete what you know about my health", &[("forget fact", "", "my health")]),
    ("Please remove my phone number from your memory", &[("forget fact", "", "my phone number")]),
    (
        "My flight is at 8 pm || Correction: 9 pm",
        &[("fact", "user.flight", "My flight is at 8 pm"), ("correct fact", "user.flight", "My flight is at 9 pm")],
    ),
    (
        "My extension is 4410. || No, it's 4411.",
        &[
            ("fact", "user.extension", "My extension is 4410"),
            ("correct fact", "user.extension", "My extension is 4411"),
        ],
    ),
    (
        "My extension is 4410. || sorry, it should be 4411",
        &[
            ("fact", "user.extension", "My extension is 4410"),
            ("correct fact", "user.extension", "My extension is 4411"),
        ],
    ),
    (
        "My locker is B12 || wait, it's B21",
        &[("fact", "user.locker", "My locker is B12"), ("correct fact", "user.locker", "My locker is B21")],
    ),
    ("Forget what I told you about my medical history.", &[("forget fact", "", "my medical history")]),
    ("Erase everything about my old address", &[("forget fact", "", "my old address")]),
    ("Please forget that I live in Oslo.", &[("forget fact", "", "I live in Oslo")]),
];

const NOTHING: &[Case] = &[
    ("I have to leave now", &[]),
    ("Write me a SQL query for the users table", &[]),
    ("Use this function instead", &[]),
    ("Give me an example", &[]),
    ("Remember that", &[]),
    ("no, it's 7070", &[]),
    ("I forget where I parked", &[]),
    ("If I lived in Tokyo, how much would rent be?", &[]),
    ("Suppose I'm allergic to nuts. What can I eat?", &[]),
    ("I wish I lived in Paris", &[]),
    ("I hope to move to Lisbon", &[]),
    ("I might join Google", &[]),
    ("Maybe I'm allergic to cats", &[]),
    ("Do you know where I live?", &[]),
    ("Where do I work", &[]),
    ("Who doesn't love pizza?", &[]),
    ("I live in Berlin, right?", &[]),
    ("I'm so tired today", &[]),
    ("I just had lunch", &[]),
    ("My friend lives in Oslo and loves skiing", &[]),
    ("He works at Tesla", &[]),
    ("Bob said he is allergic to eggs", &[]),
    ("My boss hates remote work", &[]),
    ("She told me \"I live in Cairo\"", &[]),
    ("Translate to Spanish: I live in Quito and I love dogs.", &[]),
    ("\"I love durian\" is a strange sentence", &[]),
    ("yeah right, I just love waiting in line", &[]),
    ("I will go to the gym tomorrow", &[]),
    ("I love it", &[]),
    ("I like your idea", &[]),
    ("That works, thanks", &[]),
    ("I want to learn Spanish", &[]),
    ("Do you remember my name?", &[]),
    ("Remember when we talked about Rust?", &[]),
    ("Can you remind me what my port is?", &[]),
    ("Never mind, don't save that", &[]),
    ("Scratch that", &[]),
    ("I forgot my password", &[]),
    ("What if I moved to Rome?", &[]),
    ("Let's say I have a budget of 500 dollars", &[]),
    ("Imagine you are my lawyer and I live in Texas", &[]),
    ("I would love to visit Peru", &[]),
    ("If only I lived closer to the sea", &[]),
    ("Should I move to Berlin or stay in Prague?", &[]),
    ("Isn't it great that I live in Rome?", &[]),
    ("My neighbour works at NASA", &[]),
    ("John prefers tea", &[]),
    ("According to the article, I should drink more water", &[]),
    ("Someone told me I'm too loud", &[]),
    ("> I am allergic to nuts\nthanks", &[]),
    ("User: I live in Rome\nAssistant: noted", &[]),
    ("here is my essay:\nI was born in Cuba and I love cigars.", &[]),
    ("I really like this song", &[]),
    ("I love you", &[]),
    ("I hate it when it rains", &[]),
    ("I use it every day", &[]),
    ("I am here", &[]),
    ("I'm good, thanks", &[]),
    ("I'm sure it works", &[]),
    ("I'm looking for a new laptop", &[]),
    ("I am going to bed", &[]),
    ("I think the build is broken", &[]),
    ("It's raining", &[]),
    ("My head hurts", &[]),
    ("My day was great", &[]),
    ("My question is simple", &[]),
    ("My code doesn't compile", &[]),
    ("We have a problem", &[]),
    ("We need help", &[]),
    ("The function returns null", &[]),
    ("The weather is nice", &[]),
    ("the test is failing", &[]),
];
