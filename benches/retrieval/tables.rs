//! The figures for people.

use serde_json::Value;

/// Columns of the tables.
const COLUMNS: [&str; 7] = ["recall@1", "recall@5", "recall@10", "any@5", "all@5", "mrr", "ndcg@10"];

/// Prints everything that was measured.
pub(crate) fn print(document: &Value) {
    println!("{:<28}{:>10}{}", "", "questions", COLUMNS.map(|name| format!("{name:>11}")).concat());
    row("clean", &document["overall"]);
    for (name, figures) in document["by_category"].as_object().into_iter().flatten() {
        row(&format!("  {name}"), figures);
    }
    row("  by session", &document["session"]);
    row("as shipped", &document["as_shipped"]["overall"]);
    row("  by session", &document["as_shipped"]["session"]);
    for (name, key) in [("nothing, rightly", "nothing_to_unanswerable"), ("answer among five", "answer_among_five")] {
        let of = |what: &str| document[key][what].as_f64().unwrap_or_default();
        println!("{name:<28}{:>10}{:>11.3} (search){:>8.3} (prompt)", of("questions"), of("search"), of("prompt"));
    }
    for (name, key) in [("recall", "recall"), ("embedding the question", "embed_question")] {
        let of = |what: &str| document["milliseconds"][key][what].as_f64().unwrap_or_default();
        println!("{name:<28}p50 {:.2} ms   p99 {:.2} ms", of("p50"), of("p99"));
    }
    let (memories, a_second) = (&document["memories"], &document["stored_per_second"]);
    println!("{memories} memories, stored at {a_second} a second");
}

fn row(name: &str, figures: &Value) {
    let cells = COLUMNS.map(|column| format!("{:>11.3}", figures[column].as_f64().unwrap_or_default())).concat();
    println!("{name:<28}{:>10}{cells}", figures["questions"]);
}
