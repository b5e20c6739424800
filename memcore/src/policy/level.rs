//! How far a memory reaches, by what it is about.

use memcore_core::{Kind, Level};

/// The level of a kind where neither the words nor the host say otherwise.
///
/// What describes a person holds in all their projects; what describes the work belongs to the project in which it was
/// said. Outside of any project the latter falls back to the user (see `Scope::at_level`).
#[must_use]
pub fn default_level(kind: &Kind) -> Level {
    match kind {
        Kind::Profile | Kind::Preference | Kind::Constraint | Kind::Emotion => Level::User,
        _ => Level::Project,
    }
}
