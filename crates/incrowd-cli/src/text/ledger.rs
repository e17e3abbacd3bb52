//! The result of `incrowd ledger`, and notes on releases that were recorded.

use super::{Grid, clean, counted};
use crate::console::{BAD, GOOD, paint};
use incrowd::{LedgerReport, ListedRelease, ReleaseState};
use std::path::Path;

pub(crate) fn render(found: &LedgerReport) -> String {
    let wrong = found.releases.iter().filter(|own| own.state != ReleaseState::Same).count() as u64;
    let releases = counted(found.releases.len() as u64, "release");
    let headline = if found.has_head == Some(false) {
        paint(
            BAD,
            "no line of the ledger has this digest: its last lines were removed or replaced, or it is another digest",
        )
    } else if wrong > 0 {
        paint(BAD, format!("{wrong} of {releases} cannot be checked"))
    } else if found.releases.is_empty() {
        paint(BAD, "the ledger is empty: if a release was recorded in it, its lines were removed")
    } else {
        paint(GOOD, format!("{releases}, all as recorded"))
    };
    let mut grid = Grid::new(&[">", "date", "kind", "file", "guarantee", ""]);
    found.releases.iter().for_each(|own| grid.line(line(own)));
    let head =
        found.head.as_ref().map_or_else(String::new, |head| format!("digest of the last line: {head}\n"));
    format!("{headline}\n{}{head}", grid.render())
}

fn line(own: &ListedRelease) -> [String; 6] {
    let record = &own.record;
    let state = match &own.problem {
        None => paint(GOOD, "same"),
        Some(problem) => paint(BAD, clean(problem)),
    };
    let file = &record.table.as_ref().unwrap_or(&record.release).file;
    [
        record.number.to_string(),
        clean(&record.date),
        record.family.to_string(),
        clean(file),
        clean(&record.guarantee.join(", ")),
        state,
    ]
}

/// A line about a release that was recorded.
pub(crate) fn recorded(path: &Path, found: &LedgerReport) -> String {
    let (number, file) = (found.releases.len(), clean(&path.display().to_string()));
    let head = found.head.as_deref().unwrap_or_default();
    format!(
        "recorded as release {number} of {file} (digest {head})\nstore this digest elsewhere: without it, no one can tell \
         whether the last lines were removed or replaced (`incrowd ledger {file} --head DIGEST`)",
    )
}
