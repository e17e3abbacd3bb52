//! Which line of a file a row of its table is in.

use super::block::{Block, lines_before};
use super::cells::{self, Width};
use super::source::{BlockSource, Records, Sizes};
use super::{Reader, sniff};
use crate::plan::ReadPlan;
use incrowd_core::Result;
use incrowd_core::progress::Silent;
use std::path::Path;

/// The line, from 1, in which a row of delimited text begins; `row` counts all rows of the file from 0. `None` for
/// other formats, for several files, for pipes, whose bytes come once, and without such a row. Reads the file up to the row.
///
/// # Errors
/// When the file cannot be read.
pub fn line_of_row(path: &Path, plan: &ReadPlan, row: u64) -> Result<Option<u64>> {
    let job = Reader::new(path, plan, 1, Sizes::default(), &Silent)?;
    if !job.is_rereadable_text() {
        return Ok(None);
    }
    let mut text = job.text(0, plan.skip_lines)?;
    let found = sniff::find(&mut text, job.format(), plan)?;
    let width = Width::Exactly(found.columns.len());
    let mut before = row + u64::from(found.header);
    let mut records = Records::new(text, found.dialect.clone());
    let mut block = Block::default();
    while records.fill(&mut block)? {
        let (mut rows, mut at) = (0_u64, None);
        // Whatever is wrong further down does not matter here.
        let _ = cells::cut(&mut block.text, block.end, &found.dialect, width, &mut Vec::new(), |_, start| {
            if rows == before {
                at = Some(start);
            }
            rows += 1;
        });
        if let Some(at) = at {
            return Ok(Some(block.line + lines_before(&block.text, at)));
        }
        before -= rows.min(before);
        block.reset();
    }
    Ok(None)
}
