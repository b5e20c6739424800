//! What to do with each class of finding.

use std::collections::BTreeMap;

use memcore_core::RedactionAction;

use super::class;

/// The action for each class: [`RedactionAction::Mask`] for all but e-mail addresses, which are allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Policy {
    actions: BTreeMap<String, RedactionAction>,
}

impl Default for Policy {
    fn default() -> Self {
        Self { actions: BTreeMap::from([(class::EMAIL.to_owned(), RedactionAction::Allow)]) }
    }
}

impl Policy {
    pub(super) fn set(&mut self, class: String, action: RedactionAction) {
        self.actions.insert(class, action);
    }

    pub(super) fn action(&self, class: &str) -> RedactionAction {
        self.actions.get(class).copied().unwrap_or(RedactionAction::Mask)
    }
}
