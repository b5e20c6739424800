//! From tokens to one vector: the sum of their rows in text order. Normalising the sum is normalising
//! the mean, so nothing is divided.

use memcore_core::{Embedding, Result};

use crate::segment::Token;
use crate::table::Table;
use crate::unknown::add_unknown;

/// The vector of `tokens`.
///
/// # Errors
/// `NotEmbeddable` where there is none, or they cancel out.
pub(crate) fn pool(tokens: &[Token], table: &Table) -> Result<Embedding> {
    let mut sum = vec![0.0; table.dimensions()];
    for token in tokens {
        match token {
            Token::Piece(row) => table.add_row(*row, &mut sum),
            Token::Unknown(word) => add_unknown(word, table.unknown_length, &mut sum),
        }
    }
    Embedding::new(sum)
}
