//! The summary of a mined tree.

use super::{Grid, claim, count, counted, percent};
use crate::documents::TreeDocument;
use std::path::Path;

pub(crate) fn render(tree: &TreeDocument, out: &Path) -> String {
    let mut grid = Grid::new(&["", ""]);
    grid.line(["method", tree.method]);
    grid.line(["individuals", &format!("{} in {}", count(tree.individuals), counted(tree.rows, "row"))]);
    claim::left_out(&mut grid, &tree.rows_left_out);
    let only = if tree.leaves == 1 { " (no tests: the leaf is the whole table)" } else { "" };
    grid.line(["leaves", &format!("{}{only}", count(tree.leaves))]);
    grid.line(["detail", &tree.detail.to_string()]);
    claim::k(&mut grid, tree.k, tree.spans, &tree.guarantee);
    claim::ledger(&mut grid, tree.raised_k, tree.together.as_ref());
    grid.line(["error", &format!("{} of the training rows", percent(tree.error))]);
    claim::figures(&mut grid, &tree.exposure);
    let each = if tree.rows > tree.individuals { ", counted once per group and class" } else { "" };
    grid.line([
        "minority",
        &format!("{} outside the most frequent class of their group{each}", counted(tree.cm, "individual")),
    ]);
    format!(
        "{} {}\nthe tree passed its audit; written to {}\n\n{}{}",
        claim::family("tree"),
        claim::holds(&tree.guarantee, tree.individuals, &tree.exposure),
        out.display(),
        grid.render(),
        claim::exposed_to(&tree.exposure, tree.individuals)
    )
}
