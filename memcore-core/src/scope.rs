//! Scopes: whose memories are meant, and which of them are visible from where.

use serde::{Deserialize, Serialize};

use crate::{ProjectId, Result, SessionId, UserId};

/// How far a memory reaches: the narrowest part that its scope names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// All of a user's conversations.
    User,
    /// One project of a user.
    Project,
    /// One conversation.
    Session,
}

/// Whose memories are meant: always a user, perhaps a project, perhaps a session.
///
/// As a *place to look from*, a scope sees its own level and those above it. As a *place where a record lives*, it is
/// cut to the record's level: a user-level record has neither project nor session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Scope {
    user: UserId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    project: Option<ProjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<SessionId>,
}

impl Scope {
    /// The scope of everything that belongs to one user.
    ///
    /// # Errors
    /// `InvalidInput` where the id is empty, too long, or holds control characters.
    pub fn user(id: impl Into<String>) -> Result<Self> {
        Ok(Self::of_user(UserId::new(id)?))
    }

    /// The scope of a user whose id has been checked before.
    #[must_use]
    pub fn of_user(user: UserId) -> Self {
        Self { user, project: None, session: None }
    }

    /// Narrows to a project.
    ///
    /// # Errors
    /// As [`Scope::user`].
    pub fn project(self, id: impl Into<String>) -> Result<Self> {
        Ok(self.with_project(Some(ProjectId::new(id)?)))
    }

    /// Narrows to a session.
    ///
    /// # Errors
    /// As [`Scope::user`].
    pub fn session(self, id: impl Into<String>) -> Result<Self> {
        Ok(self.with_session(Some(SessionId::new(id)?)))
    }

    /// The same scope with this project, or with none.
    #[must_use]
    pub fn with_project(mut self, project: Option<ProjectId>) -> Self {
        self.project = project;
        self
    }

    /// The same scope with this session, or with none.
    #[must_use]
    pub fn with_session(mut self, session: Option<SessionId>) -> Self {
        self.session = session;
        self
    }

    /// The user.
    #[must_use]
    pub fn user_id(&self) -> &UserId {
        &self.user
    }

    /// The project, where the scope names one.
    #[must_use]
    pub fn project_id(&self) -> Option<&ProjectId> {
        self.project.as_ref()
    }

    /// The session, where the scope names one.
    #[must_use]
    pub fn session_id(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// The narrowest level that this scope names.
    #[must_use]
    pub fn level(&self) -> Level {
        match (&self.project, &self.session) {
            (_, Some(_)) => Level::Session,
            (Some(_), None) => Level::Project,
            (None, None) => Level::User,
        }
    }

    /// Where a record of `level` lives when it is written from this scope.
    ///
    /// A level that this scope does not name falls back to the next wider one: a project-level fact said outside
    /// any project belongs to the user.
    #[must_use]
    pub fn at_level(&self, level: Level) -> Self {
        match level {
            Level::User => Self::of_user(self.user.clone()),
            Level::Project => self.clone().with_session(None),
            Level::Session => self.clone(),
        }
    }

    /// Whether a record that lives in `owner` is visible from here: the same user, and no project or session of its
    /// own but ours.
    #[must_use]
    pub fn sees(&self, owner: &Scope) -> bool {
        self.user == owner.user
            && (owner.project.is_none() || owner.project == self.project)
            && (owner.session.is_none() || owner.session == self.session)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(user: &str, project: &str, session: &str) -> Scope {
        let mut scope = Scope::user(user).unwrap();
        if !project.is_empty() {
            scope = scope.project(project).unwrap();
        }
        if !session.is_empty() {
            scope = scope.session(session).unwrap();
        }
        scope
    }

    #[test]
    fn a_scope_sees_itself_and_what_is_above_never_a_sibling() {
        let here = scope("ada", "billing", "s1");
        for (owner, visible) in [
            (scope("ada", "", ""), true),
            (scope("ada", "billing", ""), true),
            (scope("ada", "billing", "s1"), true),
            (scope("ada", "billing", "s2"), false),
            (scope("ada", "other", ""), false),
            (scope("ada", "", "s1"), true),
            (scope("bob", "", ""), false),
            (scope("bob", "billing", "s1"), false),
        ] {
            assert_eq!(here.sees(&owner), visible, "{owner:?}");
        }
        assert!(!scope("ada", "", "").sees(&scope("ada", "billing", "")));
    }

    #[test]
    fn ids_with_separators_make_different_scopes() {
        assert_ne!(scope("team/a", "b", ""), scope("team", "a/b", ""));
    }
}
