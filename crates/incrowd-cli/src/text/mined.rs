//! The summary of a mined tree.

use super::{Grid, count, counted, percent};
use crate::commands::tree::Document;
use crate::console::{GOOD, paint};
use incrowd::model::Detail;
use std::path::Path;

pub(crate) fn render(tree: &Document, out: &Path) -> String {
    let mut grid = Grid::new(&["", ""]);
    grid.line(["method", tree.method]);
    grid.line(["individuals", &format!("{} in {}", count(tree.individuals), counted(tree.rows, "row"))]);
    grid.line(["leaves", &count(tree.leaves)]);
    grid.line(["they tell", &tree.detail.to_string()]);
    grid.line(["k", &format!("{}, the smallest of {}", count(tree.k), counted(tree.spans, "span"))]);
    grid.line(["error", &format!("{} of the training rows", percent(tree.error))]);
    let exposed = if tree.detail == Detail::Counts { "" } else { "at most " };
    grid.line(["exposed", &format!("{exposed}{} to certain inference", count(tree.exposed))]);
    grid.line(["confidence", &format!("up to {}", percent(tree.max_confidence))]);
    grid.line(["cm", &count(tree.cm)]);
    format!(
        "{} tree: {} holds, by its own audit; written to {}\n\n{}",
        paint(GOOD, "safe"),
        tree.guarantee.join(", "),
        out.display(),
        grid.render()
    )
}
