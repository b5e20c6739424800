//! The embedded model file: its sections, and the values of a row. Nothing is copied but the few small arrays.
//!
//! Layout, little-endian, sections one after the other without gaps (`distill/distill.py` writes it):
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | magic `memcstat` |
//! | 4 × 5 | version of the layout, dimensions D (even), pieces N, folded characters F, bytes L of the lexicon |
//! | 4 | f32: the length of an unknown word's vector |
//! | 8 F | u32 pairs: a character and the one that it is read as, sorted |
//! | L | the pieces as an fst map from UTF-8 to the row, in byte order |
//! | N | u8: the cost of each piece, 1/8 nat |
//! | 2 N | bfloat16: the scale of each row |
//! | N D/2 | the rows: 4-bit codes, the even dimension in the low half; a value is (code - 8) × the row's scale |

use std::collections::HashMap;

use crate::error::BuiltinError;
use crate::lexicon::Lexicon;

const MAGIC: &[u8] = b"memcstat";
const LAYOUT: u32 = 1;

/// The parsed model file.
pub(crate) struct Table {
    /// The pieces and their costs.
    pub(crate) lexicon: Lexicon,
    /// Characters that are read as another: traditional Chinese as simplified, letters that no decomposition
    /// reduces to ASCII.
    pub(crate) folds: HashMap<char, char>,
    /// The length of an unknown word's vector, in the units of the rows.
    pub(crate) unknown_length: f32,
    dimensions: usize,
    row_scales: &'static [u8],
    rows: &'static [u8],
}

impl Table {
    /// Parses a whole file.
    pub(crate) fn parse(file: &'static [u8]) -> Result<Self, BuiltinError> {
        let mut sections = Sections { rest: file };
        if sections.take(MAGIC.len())? != MAGIC {
            return Err(BuiltinError::BadTable("it has another magic"));
        }
        if sections.u32()? != LAYOUT {
            return Err(BuiltinError::BadTable("it has another layout"));
        }
        let dimensions = sections.count()?;
        let pieces = sections.count()?;
        let folds = sections.count()?;
        let lexicon_bytes = sections.count()?;
        if dimensions == 0 || dimensions % 2 != 0 || pieces == 0 {
            return Err(BuiltinError::BadTable("its sizes make no sense"));
        }
        let unknown_length = sections.f32()?;
        let folds = (0..folds)
            .map(|_| Ok((sections.char()?, sections.char()?)))
            .collect::<Result<HashMap<_, _>, BuiltinError>>()?;
        let lexicon = sections.take(lexicon_bytes)?;
        let costs = sections.take(pieces)?;
        let row_scales = sections.take(pieces * 2)?;
        let rows = sections.take(pieces * (dimensions / 2))?;
        if !sections.rest.is_empty() {
            return Err(BuiltinError::BadTable("it is longer than its sections"));
        }
        let lexicon = Lexicon::new(lexicon, costs)?;
        Ok(Self { lexicon, folds, unknown_length, dimensions, row_scales, rows })
    }

    /// Values per row.
    pub(crate) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Adds the row of a piece to `sum`; a row that does not exist adds nothing.
    pub(crate) fn add_row(&self, row: usize, sum: &mut [f32]) {
        let width = self.dimensions / 2;
        let Some(codes) = self.rows.get(row * width..(row + 1) * width) else { return };
        let Some(&[low, high]) = self.row_scales.get(row * 2..row * 2 + 2) else { return };
        // A bfloat16 is the upper half of an f32.
        let scale = f32::from_bits(u32::from(u16::from_le_bytes([low, high])) << 16);
        let levels: [f32; 16] = std::array::from_fn(|code| (code as f32 - 8.0) * scale);
        for (pair, codes) in sum.chunks_exact_mut(2).zip(codes) {
            pair[0] += levels[usize::from(codes & 15)];
            pair[1] += levels[usize::from(codes >> 4)];
        }
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table")
            .field("dimensions", &self.dimensions())
            .field("pieces", &self.lexicon.len())
            .finish_non_exhaustive()
    }
}

/// What is left to read of the file.
struct Sections {
    rest: &'static [u8],
}

impl Sections {
    fn take(&mut self, bytes: usize) -> Result<&'static [u8], BuiltinError> {
        let (section, rest) = self.rest.split_at_checked(bytes).ok_or(BuiltinError::BadTable("it ends early"))?;
        self.rest = rest;
        Ok(section)
    }

    fn array(&mut self) -> Result<[u8; 4], BuiltinError> {
        self.take(4)?.try_into().map_err(|_| BuiltinError::BadTable("it ends early"))
    }

    fn u32(&mut self) -> Result<u32, BuiltinError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// A number of things, small enough that no product of two of them overflows.
    fn count(&mut self) -> Result<usize, BuiltinError> {
        let count = self.u32()?;
        if count > 1 << 24 {
            return Err(BuiltinError::BadTable("its sizes make no sense"));
        }
        usize::try_from(count).map_err(|_| BuiltinError::BadTable("its sizes make no sense"))
    }

    fn f32(&mut self) -> Result<f32, BuiltinError> {
        let value = f32::from_le_bytes(self.array()?);
        if value.is_finite() { Ok(value) } else { Err(BuiltinError::BadTable("a scale is not finite")) }
    }

    fn char(&mut self) -> Result<char, BuiltinError> {
        char::from_u32(self.u32()?).ok_or(BuiltinError::BadTable("a folded character is none"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static MODEL: &[u8] = include_bytes!("../data/model.bin");

    #[test]
    fn the_embedded_file_parses() {
        let table = Table::parse(MODEL).unwrap();
        assert!(table.dimensions() >= 128 && table.lexicon.len() > 10_000, "{table:?}");
    }

    #[test]
    fn every_row_is_finite_and_none_is_all_zero() {
        let table = Table::parse(MODEL).unwrap();
        for row in 0..table.lexicon.len() {
            let mut sum = vec![0.0; table.dimensions()];
            table.add_row(row, &mut sum);
            assert!(sum.iter().all(|value| value.is_finite()) && sum.iter().any(|value| *value != 0.0), "row {row}");
        }
    }

    #[test]
    fn a_damaged_file_is_an_error_and_never_a_panic() {
        assert!(Table::parse(b"").is_err());
        assert!(Table::parse(b"memcstat").is_err());
        for cut in [7, 11, 20, 100, 5_000, MODEL.len() / 2, MODEL.len() - 1] {
            assert!(Table::parse(&MODEL[..cut]).is_err(), "cut at {cut}");
        }
        for byte in 0..28 {
            let mut file = MODEL.to_vec();
            file[byte] ^= 0x40;
            assert!(Table::parse(file.leak()).is_err(), "flipped byte {byte}");
        }
    }
}
