//! Tables whose private cells differ but may be the same value.
//!
//! Such cells of a group count as one value. This never makes a group look better than it is, because the true values
//! divide the counted values further. This is true of distinct and recursive l and of caps, and of entropy if every
//! individual has one row (`docs/proofs.md`). Other requirements are refused.

use crate::error::{Error, Result};
use crate::guarantee::{Guarantee, Requirement};
use crate::span::{CellContents, Sensitive};

/// Fails if a requirement cannot be judged: one that compares with the shares of values in the whole table, or one that
/// weighs how many values individuals with several rows have.
pub(super) fn refuse_blurred(
    sensitive: &[Sensitive],
    guarantee: &Guarantee,
    in_scope: &[bool],
    several_rows: bool,
) -> Result<()> {
    let is_open = |requirement: &&Requirement| match requirement {
        Requirement::TCloseness(_) | Requirement::Beta(_) => true,
        Requirement::EntropyL(_) => several_rows,
        _ => false,
    };
    let Some(requirement) = guarantee.requirements().iter().find(is_open) else { return Ok(()) };
    let is_blurred = |sensitive: &Sensitive| sensitive.said.as_deref().is_some_and(CellContents::overlaps);
    let mut asked = sensitive.iter().zip(in_scope).filter(|(_, asked)| **asked);
    let Some((blurred, _)) = asked.find(|(sensitive, _)| is_blurred(sensitive)) else { return Ok(()) };
    Err(Error::input(format!(
        "private cells overlap, such as a value and a set that contains it, so `{requirement}` cannot be checked"
    ))
    .of_attribute(&blurred.name)
    .help("generalize the column to sets that do not overlap, or require distinct l or a cap on confidence"))
}
