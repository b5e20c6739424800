//! What is searched and asked, from three public formats.
//!
//! - LoCoMo (Maharana et al., 2024): `locomo10.json`.
//! - LongMemEval (Wu et al., 2024): `longmemeval_s.json` and its siblings.
//! - Pairs: JSON lines with `memory` and questions in the fields `query`, `query_lex`, `query_en`.

use std::{collections::BTreeSet, fs, path::Path};

use memcore::{
    Role,
    core::{
        Timestamp,
        chrono::{DateTime, NaiveDateTime},
    },
};
use memcore_benches::Failure;
use serde_json::Value;

/// Texts that are searched together, and the questions about them.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    pub(crate) sessions: Vec<Talk>,
    pub(crate) questions: Vec<Question>,
}

/// A conversation.
#[derive(Debug, Clone)]
pub(crate) struct Talk {
    pub(crate) id: String,
    pub(crate) at: Timestamp,
    pub(crate) turns: Vec<Line>,
}

/// One message.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) id: String,
    pub(crate) role: Role,
    pub(crate) text: String,
}

/// A question, and what answers it.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) category: String,
    /// The lines that hold the answer; none where nothing does.
    pub(crate) evidence: BTreeSet<String>,
    /// The conversations that hold it.
    pub(crate) sessions: BTreeSet<String>,
    /// When it is asked.
    pub(crate) at: Option<Timestamp>,
    /// Whether it asks what the evidence does not say, as of the wrong person.
    pub(crate) is_adversarial: bool,
}

/// What is asked of the pairs.
const FIELDS: [&str; 3] = ["query", "query_lex", "query_en"];

/// LoCoMo: one corpus per conversation. A line is "speaker: text [shares photo: caption]"; the first speaker is the user.
pub(crate) fn locomo(file: &Path) -> Result<Vec<Corpus>, Failure> {
    let samples: Vec<Value> = serde_json::from_str(&fs::read_to_string(file)?)?;
    samples.iter().map(conversation).collect()
}

fn conversation(sample: &Value) -> Result<Corpus, Failure> {
    let talk = &sample["conversation"];
    let first_speaker = talk["speaker_a"].as_str().unwrap_or_default();
    let mut corpus = Corpus::default();
    for n in 1..1_000 {
        let Some(lines) = talk[format!("session_{n}")].as_array() else { continue };
        let date = talk[format!("session_{n}_date_time")].as_str().unwrap_or_default();
        // "1:56 pm on 8 May, 2023"
        let at = NaiveDateTime::parse_from_str(date, "%I:%M %p on %d %B, %Y")?.and_utc();
        let turns = lines.iter().map(|line| {
            let speaker = line["speaker"].as_str().unwrap_or_default();
            let mut text = format!("{speaker}: {}", line["text"].as_str().unwrap_or_default());
            if let Some(caption) = line["blip_caption"].as_str() {
                text.push_str(&format!(" [shares photo: {caption}]"));
            }
            let role = if speaker == first_speaker { Role::User } else { Role::Assistant };
            Line { id: line["dia_id"].as_str().unwrap_or_default().to_owned(), role, text }
        });
        corpus.sessions.push(Talk { id: format!("D{n}"), at, turns: turns.collect() });
    }
    let known: BTreeSet<&str> =
        corpus.sessions.iter().flat_map(|talk| &talk.turns).map(|line| line.id.as_str()).collect();
    let questions = sample["qa"].as_array().ok_or("a sample without questions")?;
    for asked in questions {
        let evidence: BTreeSet<String> = asked["evidence"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .flat_map(|ids| ids.split(|ch: char| ch == ';' || ch == ',' || ch.is_whitespace()))
            .filter_map(without_leading_zeros)
            .filter(|id| known.contains(id.as_str()))
            .collect();
        let category = match asked["category"].as_u64() {
            Some(1) => "1 multi-hop",
            Some(2) => "2 temporal",
            Some(3) => "3 open-domain",
            Some(4) => "4 single-hop",
            _ => "5 adversarial",
        };
        if let Some(text) = asked["question"].as_str().filter(|_| !evidence.is_empty()) {
            let sessions = evidence.iter().filter_map(|id| Some(id.split_once(':')?.0.to_owned())).collect();
            corpus.questions.push(Question {
                text: text.to_owned(),
                category: category.to_owned(),
                evidence,
                sessions,
                at: None,
                is_adversarial: asked["category"] == 5,
            });
        }
    }
    Ok(corpus)
}

/// "D04:06" as "D4:6"; none for what is no such id.
fn without_leading_zeros(id: &str) -> Option<String> {
    let (session, turn) = id.strip_prefix('D')?.split_once(':')?;
    Some(format!("D{}:{}", session.parse::<u32>().ok()?, turn.parse::<u32>().ok()?))
}

/// LongMemEval: one corpus per question, of that question's haystack. Abstention questions have no evidence.
pub(crate) fn longmemeval(file: &Path) -> Result<Vec<Corpus>, Failure> {
    let entries: Vec<Value> = serde_json::from_str(&fs::read_to_string(file)?)?;
    entries.iter().map(haystack).collect()
}

fn haystack(entry: &Value) -> Result<Corpus, Failure> {
    let id = entry["question_id"].as_str().ok_or("an entry without question_id")?;
    let list = |name: &str| entry[name].as_array().cloned().unwrap_or_default();
    let mut corpus = Corpus::default();
    let mut evidence = BTreeSet::new();
    let dates = list("haystack_dates");
    for (n, (session, name)) in list("haystack_sessions").iter().zip(list("haystack_session_ids")).enumerate() {
        // The same filler session may come twice in a haystack.
        let session_id = format!("{}#{n}", name.as_str().unwrap_or_default());
        let mut turns = Vec::new();
        for (at, line) in session.as_array().into_iter().flatten().enumerate() {
            let role = if line["role"] == "assistant" { Role::Assistant } else { Role::User };
            let line_id = format!("{session_id}:{at}");
            if line["has_answer"] == true {
                evidence.insert(line_id.clone());
            }
            turns.push(Line { id: line_id, role, text: line["content"].as_str().unwrap_or_default().to_owned() });
        }
        corpus.sessions.push(Talk { id: session_id, at: date(dates.get(n)).unwrap_or_default(), turns });
    }
    let answers: BTreeSet<String> =
        list("answer_session_ids").iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let is_answer = |talk: &&Talk| talk.id.rsplit_once('#').is_some_and(|(name, _)| answers.contains(name));
    let mut sessions: BTreeSet<String> = corpus.sessions.iter().filter(is_answer).map(|talk| talk.id.clone()).collect();
    if id.ends_with("_abs") {
        (evidence, sessions) = (BTreeSet::new(), BTreeSet::new());
    }
    corpus.questions.push(Question {
        text: entry["question"].as_str().unwrap_or_default().to_owned(),
        category: entry["question_type"].as_str().unwrap_or("question").to_owned(),
        evidence,
        sessions,
        at: date(entry.get("question_date")),
        is_adversarial: false,
    });
    Ok(corpus)
}

/// "2023/05/20 (Sat) 02:21"
fn date(value: Option<&Value>) -> Option<Timestamp> {
    let text = value?.as_str()?;
    let (day, time) = (text.get(..10)?, text.get(text.len().checked_sub(5)?..)?);
    Some(NaiveDateTime::parse_from_str(&format!("{day} {time}"), "%Y/%m/%d %H:%M").ok()?.and_utc())
}

/// Pairs and further memories, as one corpus; each memory is a conversation of its own.
pub(crate) fn pairs(file: &Path, distractors: Option<&Path>) -> Result<Vec<Corpus>, Failure> {
    let at = DateTime::from_timestamp(1_767_225_600, 0).ok_or("a fixed date")?;
    let mut corpus = Corpus::default();
    let add = |corpus: &mut Corpus, text: &str| {
        let id = format!("m{}", corpus.sessions.len());
        let line = Line { id: id.clone(), role: Role::User, text: text.to_owned() };
        corpus.sessions.push(Talk { id: id.clone(), at, turns: vec![line] });
        id
    };
    for pair in lines(file)? {
        let id = add(&mut corpus, pair["memory"].as_str().ok_or("a pair without memory")?);
        for field in FIELDS {
            if let Some(text) = pair[field].as_str() {
                let answer = BTreeSet::from([id.clone()]);
                corpus.questions.push(Question {
                    text: text.to_owned(),
                    category: field.to_owned(),
                    evidence: answer.clone(),
                    sessions: answer,
                    at: None,
                    is_adversarial: false,
                });
            }
        }
    }
    for distractor in distractors.map(lines).transpose()?.unwrap_or_default() {
        add(&mut corpus, distractor["memory"].as_str().ok_or("a distractor without memory")?);
    }
    Ok(vec![corpus])
}

fn lines(file: &Path) -> Result<Vec<Value>, Failure> {
    let text = fs::read_to_string(file)?;
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| Ok(serde_json::from_str(line)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Result<tempfile::NamedTempFile, Failure> {
        let file = tempfile::NamedTempFile::new()?;
        fs::write(file.path(), text)?;
        Ok(file)
    }

    #[test]
    fn evidence_of_locomo_is_mended_and_what_matches_no_turn_ignored() -> Result<(), Failure> {
        let file = written(
            r#"[{"sample_id": "c", "conversation": {
                "speaker_a": "Ann", "speaker_b": "Bo",
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [
                    {"speaker": "Ann", "dia_id": "D1:1", "text": "I paint."},
                    {"speaker": "Bo", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a boat"}
                ]},
                "qa": [
                    {"question": "What does Ann do?", "evidence": ["D01:01; D1:2"], "category": 1},
                    {"question": "What does Bo do?", "evidence": ["D:9"], "category": 4},
                    {"question": "What does Bo paint?", "evidence": ["D1:1"], "category": 5}
                ]}]"#,
        )?;
        let corpora = locomo(file.path())?;
        let [corpus] = &corpora[..] else { return Err("one conversation".into()) };
        let lines: Vec<&str> = corpus.sessions[0].turns.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(lines, ["Ann: I paint.", "Bo: Look! [shares photo: a boat]"]);
        let [first, last] = &corpus.questions[..] else { return Err("two questions".into()) };
        assert_eq!(first.evidence, BTreeSet::from(["D1:1".to_owned(), "D1:2".to_owned()]));
        assert_eq!((first.is_adversarial, last.is_adversarial), (false, true));
        Ok(())
    }

    #[test]
    fn answers_of_longmemeval_are_marked_turns_and_sessions_and_abstention_has_none() -> Result<(), Failure> {
        let entry = |id: &str| {
            format!(
                r#"{{"question_id": "{id}", "question_type": "temporal-reasoning", "question": "When?",
                "question_date": "2023/05/30 (Tue) 23:40", "haystack_dates": ["2023/05/20 (Sat) 02:21"],
                "haystack_session_ids": ["s"], "answer_session_ids": ["s"], "haystack_sessions": [[
                    {{"role": "user", "content": "Today I ran.", "has_answer": true}},
                    {{"role": "assistant", "content": "Great.", "has_answer": false}}]]}}"#
            )
        };
        let file = written(&format!("[{}, {}]", entry("q1"), entry("q2_abs")))?;
        let corpora = longmemeval(file.path())?;
        let [asked, abstention] = &corpora[..] else { return Err("two haystacks".into()) };
        assert_eq!(asked.questions[0].evidence, BTreeSet::from(["s#0:0".to_owned()]));
        assert_eq!(asked.questions[0].sessions, BTreeSet::from(["s#0".to_owned()]));
        assert_eq!(asked.sessions[0].at.to_rfc3339(), "2023-05-20T02:21:00+00:00");
        assert!(abstention.questions[0].evidence.is_empty() && abstention.questions[0].sessions.is_empty());
        Ok(())
    }
}
