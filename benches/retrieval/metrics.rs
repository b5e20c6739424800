//! Figures of a ranked list against the answers that it should hold.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// Depths at which hits are counted.
const DEPTHS: [usize; 3] = [1, 5, 10];

/// Sums over questions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    questions: usize,
    sums: BTreeMap<String, f64>,
}

impl Tally {
    /// Counts one question: what was found, best first, and what should have been.
    pub(crate) fn add(&mut self, found: &[String], wanted: &BTreeSet<String>) {
        self.questions += 1;
        let mut add = |name: String, value: f64| *self.sums.entry(name).or_default() += value;
        for depth in DEPTHS {
            let hits = found.iter().take(depth).filter(|id| wanted.contains(*id)).count();
            add(format!("recall@{depth}"), hits as f64 / wanted.len() as f64);
            add(format!("any@{depth}"), f64::from(u8::from(hits > 0)));
            add(format!("all@{depth}"), f64::from(u8::from(hits == wanted.len())));
            add(format!("ndcg@{depth}"), ndcg(found, wanted, depth));
        }
        let first = found.iter().position(|id| wanted.contains(id));
        add("mrr".to_owned(), first.map_or(0.0, |at| 1.0 / (at + 1) as f64));
    }

    /// The means, by name, and the number of questions.
    pub(crate) fn means(&self) -> Map<String, Value> {
        let mut means = Map::new();
        means.insert("questions".to_owned(), json!(self.questions));
        for (name, sum) in &self.sums {
            means.insert(name.clone(), json!((sum / self.questions.max(1) as f64 * 10_000.0).round() / 10_000.0));
        }
        means
    }
}

/// Normalised discounted cumulative gain as LongMemEval's official evaluation computes it: the first two ranks count
/// fully, rank i from then on 1 / log2(i).
fn ndcg(found: &[String], wanted: &BTreeSet<String>, depth: usize) -> f64 {
    let discount = |at: usize| if at == 0 { 1.0 } else { 1.0 / ((at + 1) as f64).log2() };
    let gain: f64 =
        found.iter().take(depth).enumerate().filter(|(_, id)| wanted.contains(*id)).map(|(at, _)| discount(at)).sum();
    let ideal: f64 = (0..wanted.len().min(depth)).map(discount).sum();
    gain / ideal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_formulas() {
        let ids = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let mut tally = Tally::default();
        tally.add(&ids(&["x", "a", "y", "b"]), &ids(&["a", "b", "c"]).into_iter().collect());
        let means = tally.means();
        let of = |name: &str| means[name].as_f64().unwrap_or_default();
        assert_eq!((of("recall@1"), of("any@1"), of("any@5"), of("all@5"), of("mrr")), (0.0, 0.0, 1.0, 0.0, 0.5));
        assert_eq!(of("recall@5"), 0.6667);
        // Found at ranks 2 and 4: 1 + 1/log2(4); at best at ranks 1 to 3: 1 + 1 + 1/log2(3).
        let expected = 1.5 / (2.0 + 1.0 / 3.0_f64.log2());
        assert!((of("ndcg@5") - expected).abs() < 1e-4, "{}", of("ndcg@5"));
    }
}
