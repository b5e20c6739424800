//! `review`: a language model checks what is known against what was said lately.

use super::{Run, capture::Tally};
use crate::{exit::Failure, output::Answer};

pub(crate) async fn perform(run: &Run) -> Result<Answer, Failure> {
    let opened = run.to_capture().await?;
    let mut tally = Tally::default();
    let report = opened.mine.review().await?;
    tally.pending = report.pending;
    tally.captured(report);
    Ok(tally.into_answer())
}
