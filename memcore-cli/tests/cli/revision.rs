//! `show`, `history`, `edit`, `archive`, `restore`, `undo` and `pin`.

use crate::program::Program;

const UNKNOWN: &str = "0190b6f0-0000-7000-8000-000000000000";

#[test]
fn a_change_keeps_its_history_and_can_be_taken_back() {
    let program = Program::new();
    let id = program.remember(&["The meeting is on Tuesday"]);
    let before = program.answer(&["show", &id])["importance"].as_u64();
    let edited = program.answer(&["edit", &id, "--content", "The meeting is on Thursday", "--importance", "9"]);
    assert_eq!((edited["id"].as_str(), edited["outcome"].as_str()), (Some(id.as_str()), Some("edited")));
    let history = program.answer(&["history", &id]);
    let contents: Vec<_> =
        history["versions"].as_array().unwrap().iter().map(|version| version["content"].as_str().unwrap()).collect();
    assert_eq!(contents, ["The meeting is on Tuesday", "The meeting is on Thursday"]);
    let undone = program.answer(&["undo"]);
    assert_eq!((undone["outcome"].as_str(), undone["memories"][0].as_str()), (Some("undone"), Some(id.as_str())));
    let shown = program.answer(&["show", &id]);
    assert_eq!((shown["content"].as_str(), shown["importance"].as_u64()), (Some("The meeting is on Tuesday"), before));
}

#[test]
fn archived_memories_come_back() {
    let program = Program::new();
    let id = program.remember(&["Spare keys are with the neighbour"]);
    for (command, outcome, status) in
        [("archive", "archived", "archived"), ("archive", "unchanged", "archived"), ("restore", "restored", "active")]
    {
        assert_eq!(program.answer(&[command, &id])["outcome"], outcome);
        assert_eq!(program.answer(&["show", &id])["status"], status);
    }
}

#[test]
fn pins_are_set_and_taken_away() {
    let program = Program::new();
    let id = program.remember(&["称呼我为老林"]);
    assert_eq!(program.answer(&["pin", &id])["outcome"], "pinned");
    assert_eq!(program.answer(&["show", &id])["pinned"], true);
    assert_eq!(program.answer(&["pin", &id, "--off"])["outcome"], "unpinned");
    assert_eq!(program.answer(&["show", &id])["pinned"], false);
}

#[test]
fn an_unknown_id_is_exit_six_everywhere() {
    let program = Program::new();
    let foreign = program.remember(&["A thing of another user's", "--user", "other"]);
    for id in [UNKNOWN, "no-id-at-all", foreign.as_str()] {
        for words in [
            &["show", id][..],
            &["history", id],
            &["edit", id, "--importance", "3"],
            &["archive", id],
            &["restore", id],
            &["pin", id],
            &["forget", id, "--yes"],
        ] {
            let ran = program.run(words);
            assert_eq!((ran.exit, ran.kind()), (6, "not_found"), "{words:?}");
        }
    }
    assert_eq!(program.run(&["undo", UNKNOWN]).exit, 6);
}

#[test]
fn nothing_to_undo_is_an_answer_and_nothing_to_edit_a_mistake() {
    let program = Program::new();
    assert_eq!(program.answer(&["undo"])["outcome"], "nothing_to_undo");
    let id = program.remember(&["The bins go out on Monday"]);
    assert_eq!(program.run(&["edit", &id]).exit, 2);
    assert_eq!(program.run(&["edit", &id, "--importance", "11"]).exit, 2);
}
