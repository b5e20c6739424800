//! The pieces of the table: which of them start at a place in a text, and what each costs.

use fst::raw::{Fst, Output};

use crate::error::BuiltinError;

/// All pieces, as a map from UTF-8 bytes to a row, and the cost of each.
pub(crate) struct Lexicon {
    pieces: Fst<&'static [u8]>,
    costs: &'static [u8],
}

/// A piece that starts at the place asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Match {
    /// Its length in bytes.
    pub(crate) bytes: usize,
    /// Its row in the table.
    pub(crate) row: usize,
    /// Its negative log-probability in 1/8 nat: whole numbers, so that every platform segments alike.
    pub(crate) cost: u32,
}

impl Lexicon {
    /// Takes the two sections of the model file.
    pub(crate) fn new(pieces: &'static [u8], costs: &'static [u8]) -> Result<Self, BuiltinError> {
        let pieces = Fst::new(pieces).map_err(BuiltinError::BadLexicon)?;
        if pieces.len() != costs.len() {
            return Err(BuiltinError::BadTable("it has not one cost for each piece"));
        }
        Ok(Self { pieces, costs })
    }

    /// How many pieces there are.
    pub(crate) fn len(&self) -> usize {
        self.costs.len()
    }

    /// Calls `found` with every piece that `text` starts with, the shortest first.
    pub(crate) fn prefixes(&self, text: &[u8], mut found: impl FnMut(Match)) {
        let mut node = self.pieces.root();
        let mut output = Output::zero();
        for (at, byte) in text.iter().enumerate() {
            let Some(index) = node.find_input(*byte) else { return };
            let transition = node.transition(index);
            output = output.cat(transition.out);
            node = self.pieces.node(transition.addr);
            if node.is_final() {
                let row = usize::try_from(output.cat(node.final_output()).value()).unwrap_or(usize::MAX);
                if let Some(cost) = self.costs.get(row) {
                    found(Match { bytes: at + 1, row, cost: u32::from(*cost) });
                }
            }
        }
    }
}
