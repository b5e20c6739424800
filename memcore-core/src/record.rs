//! The memory record: one self-contained statement and all that is known about it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Error, Fingerprint, Kind, Language, Level, MemoryId, Provenance, Result, Scope, Slot, Timestamp, Trust};

/// The longest content of a record, in bytes of UTF-8.
pub const MAX_CONTENT_BYTES: usize = 1024 * 1024;

/// How much a memory matters: 1 (a trifle) to 10 (never to be lost).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Importance(u8);

impl Importance {
    /// The middle of the scale.
    pub const DEFAULT: Self = Self(5);

    /// Checks the range.
    ///
    /// # Errors
    /// `InvalidInput` outside of 1..=10.
    pub fn new(importance: u8) -> Result<Self> {
        if (1..=10).contains(&importance) {
            Ok(Self(importance))
        } else {
            Err(Error::invalid(format!("importance is 1 to 10, not {importance}")))
        }
    }

    /// The nearest value in range.
    #[must_use]
    pub fn clamped(importance: u8) -> Self {
        Self(importance.clamp(1, 10))
    }

    /// The number, 1..=10.
    #[must_use]
    pub fn value(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Importance {
    type Error = Error;
    fn try_from(importance: u8) -> Result<Self> {
        Self::new(importance)
    }
}

impl From<Importance> for u8 {
    fn from(importance: Importance) -> Self {
        importance.0
    }
}

/// How sure the extractor was: 0 (a guess) to 1 (stated in so many words).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f32", into = "f32")]
pub struct Confidence(f32);

impl Confidence {
    /// Stated in so many words.
    pub const FULL: Self = Self(1.0);

    /// Checks the range.
    ///
    /// # Errors
    /// `InvalidInput` outside of 0..=1, and for NaN.
    pub fn new(confidence: f32) -> Result<Self> {
        if (0.0..=1.0).contains(&confidence) {
            Ok(Self(confidence))
        } else {
            Err(Error::invalid(format!("confidence is 0 to 1, not {confidence}")))
        }
    }

    /// The nearest value in range; NaN becomes 0.
    #[must_use]
    pub fn clamped(confidence: f32) -> Self {
        Self(if confidence.is_nan() { 0.0 } else { confidence.clamp(0.0, 1.0) })
    }

    /// The number, 0..=1.
    #[must_use]
    pub fn value(self) -> f32 {
        self.0
    }
}

impl TryFrom<f32> for Confidence {
    type Error = Error;
    fn try_from(confidence: f32) -> Result<Self> {
        Self::new(confidence)
    }
}

impl From<Confidence> for f32 {
    fn from(confidence: Confidence) -> Self {
        confidence.0
    }
}

/// Where a record stands in its life. Forgotten records have no status: they are gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// In use.
    Active,
    /// Found only by explicit search.
    Archived,
    /// Overturned by a newer one: kept, readable, restorable, never recalled as current.
    Superseded,
    /// Became part of another record.
    Merged,
    /// Held back for lack of trust.
    Quarantined,
}

impl Status {
    /// All statuses.
    pub const ALL: [Self; 5] = [Self::Active, Self::Archived, Self::Superseded, Self::Merged, Self::Quarantined];

    /// The status's name in snake case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
            Self::Superseded => "superseded",
            Self::Merged => "merged",
            Self::Quarantined => "quarantined",
        }
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for Status {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == name)
            .ok_or_else(|| Error::invalid("a status is one of active, archived, superseded, merged, quarantined"))
    }
}

/// One memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MemoryRecord {
    /// Its id, time-ordered.
    pub id: MemoryId,
    /// Where it lives, cut to its level.
    pub scope: Scope,
    /// What it is about.
    pub kind: Kind,
    /// A statement that can be understood alone; 1 to [`MAX_CONTENT_BYTES`] bytes.
    pub content: String,
    /// The question that it answers, where a newer answer should replace it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<Slot>,
    /// How much it matters.
    pub importance: Importance,
    /// How sure the extractor was.
    pub confidence: Confidence,
    /// How far it is believed.
    pub trust: Trust,
    /// Where it comes from.
    pub provenance: Provenance,
    /// The language of the content.
    pub language: Language,
    /// Free labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether a person pinned it: always in the core block, never archived by age.
    #[serde(default)]
    pub pinned: bool,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When it was last changed; a mere access is no change.
    pub updated_at: Timestamp,
    /// Since when it is true in the world; by default, when it was said.
    pub valid_from: Timestamp,
    /// Until when it is true (exclusive), where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// When it was last injected or returned to a host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_accessed_at: Option<Timestamp>,
    /// How often it was injected or returned to a host.
    #[serde(default)]
    pub access_count: u64,
    /// How often it was stated: 1 for a single statement.
    pub evidence_count: u32,
    /// Where it stands in its life.
    pub status: Status,
    /// The record that took its place, for `Superseded` and `Merged`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<MemoryId>,
    /// Records that may contradict it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts_with: Vec<MemoryId>,
    /// Which embedding model made its vectors; none while it waits for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Fingerprint>,
}

impl MemoryRecord {
    /// An active record with the required parts; the rest takes its default. Trust follows from the provenance's
    /// source, and it is valid from when it was said.
    ///
    /// # Errors
    /// `InvalidInput` where the content is empty, blank, or over [`MAX_CONTENT_BYTES`].
    pub fn new(
        id: MemoryId,
        scope: Scope,
        kind: Kind,
        content: impl Into<String>,
        provenance: Provenance,
        now: Timestamp,
    ) -> Result<Self> {
        let content = content.into();
        check_content(&content)?;
        Ok(Self {
            id,
            scope,
            kind,
            language: crate::text::language(&content),
            content,
            slot: None,
            importance: Importance::DEFAULT,
            confidence: Confidence::FULL,
            trust: provenance.source.trust(),
            valid_from: provenance.at,
            provenance,
            tags: Vec::new(),
            pinned: false,
            created_at: now,
            updated_at: now,
            valid_until: None,
            last_accessed_at: None,
            access_count: 0,
            evidence_count: 1,
            status: Status::Active,
            superseded_by: None,
            conflicts_with: Vec::new(),
            embedding: None,
        })
    }

    /// How far it reaches.
    #[must_use]
    pub fn level(&self) -> Level {
        self.scope.level()
    }

    /// Whether it is true at `at`: `valid_from <= at < valid_until`.
    #[must_use]
    pub fn is_valid_at(&self, at: Timestamp) -> bool {
        self.valid_from <= at && self.valid_until.is_none_or(|until| at < until)
    }

    /// SHA-256 of all that a silent change must not touch: everything but the access figures and the embedding.
    ///
    /// Stores keep it beside the record, and `verify` computes it again.
    #[must_use]
    pub fn content_hash(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        let stable = Self { last_accessed_at: None, access_count: 0, embedding: None, ..self.clone() };
        part(b"memcore-record/1");
        part(self.content.as_bytes());
        // Field order is that of the struct, so the JSON is canonical for one version of it.
        part(&serde_json::to_vec(&stable).unwrap_or_default());
        hash.finalize().into()
    }
}

/// Checks the rules for a record's content.
pub(crate) fn check_content(content: &str) -> Result<()> {
    if content.trim().is_empty() {
        return Err(Error::invalid("a memory's content must not be empty"));
    }
    if content.len() > MAX_CONTENT_BYTES {
        return Err(Error::invalid(format!(
            "a memory's content has at most {MAX_CONTENT_BYTES} bytes, this one has {}",
            content.len()
        ))
        .with_hint("store a summary, and keep the document elsewhere"));
    }
    Ok(())
}
