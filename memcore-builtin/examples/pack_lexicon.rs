//! Packs sorted lines (standard input) into the fst map of the model file (standard output): the step of
//! `distill/distill.py` that needs the same library as the reader.

use std::error::Error;
use std::io::{self, BufWriter, Write as _};

use fst::raw::Builder;

fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = Builder::new(BufWriter::new(io::stdout().lock()))?;
    for (row, line) in (0..).zip(io::stdin().lines()) {
        builder.insert(line?, row)?;
    }
    builder.into_inner()?.flush()?;
    Ok(())
}
