//! A map from byte offsets of a derived text back to the text that it was made from.
//!
//! Two derived texts exist here: the folded copy that rules match on, and the masked copy of the last round.

/// Which source bytes a stretch of the derived text stands for.
#[derive(Debug, Clone, Copy)]
struct Piece {
    derived: usize,
    source: usize,
    /// `None`: copied byte by byte. `Some(end)`: stands as a whole for the source bytes up to `end`.
    replaced_until: Option<usize>,
}

/// Offsets of a derived text, each with its place in the source. Empty means that both texts are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct OffsetMap {
    pieces: Vec<Piece>,
}

impl OffsetMap {
    /// From `derived` on, bytes are copied from `source` on.
    pub(super) fn copied(&mut self, derived: usize, source: usize) {
        self.pieces.push(Piece { derived, source, replaced_until: None });
    }

    /// From `derived` on, text stands for the source bytes `source..source_end`.
    pub(super) fn replaced(&mut self, derived: usize, source: usize, source_end: usize) {
        self.pieces.push(Piece { derived, source, replaced_until: Some(source_end) });
    }

    /// Where the character that starts at `at` starts in the source.
    pub(super) fn start(&self, at: usize) -> usize {
        match self.piece_of(at) {
            None => at,
            Some(piece) if piece.replaced_until.is_some() => piece.source,
            Some(piece) => piece.source + (at - piece.derived),
        }
    }

    /// Where the character that ends before `at` ends in the source.
    pub(super) fn end(&self, at: usize) -> usize {
        let Some(last) = at.checked_sub(1) else { return 0 };
        match self.piece_of(last) {
            None => at,
            Some(Piece { replaced_until: Some(end), .. }) => end,
            Some(piece) => piece.source + (at - piece.derived),
        }
    }

    fn piece_of(&self, at: usize) -> Option<Piece> {
        let after = self.pieces.partition_point(|piece| piece.derived <= at);
        self.pieces.get(after.checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_map_is_the_identity() {
        let map = OffsetMap::default();
        assert_eq!((map.start(7), map.end(9), map.end(0)), (7, 9, 0));
    }

    #[test]
    fn a_replaced_stretch_maps_to_its_whole_source() {
        // Source "ab" + 3-byte character + "cd" became "ab" + "X" + "cd".
        let mut map = OffsetMap::default();
        map.copied(0, 0);
        map.replaced(2, 2, 5);
        map.copied(3, 5);
        assert_eq!((map.start(2), map.end(3)), (2, 5));
        assert_eq!((map.start(3), map.end(5)), (5, 7));
        assert_eq!((map.start(1), map.end(2)), (1, 2));
    }
}
