//! Rows recoded like a released table.

use super::{Grid, clean, counted};
use crate::console::{STRONG, paint};
use crate::documents::TransformDocument;
use std::path::Path;

pub(crate) fn render(document: &TransformDocument, out: &Path) -> String {
    let counts = &document.counts;
    let mut grid = Grid::new(&["", ""]);
    if document.rows_left_out.total > 0 {
        grid.line(["rows left out", &clean(&document.rows_left_out.to_string())]);
    }
    grid.line([
        "covered",
        &format!("{} whose values are covered by the cells they get", counted(counts.covered, "row")),
    ]);
    let nearest = format!(
        "{} that no group covers: they get the cells of the nearest group, some of which do not match their values",
        counted(counts.nearest, "row")
    );
    grid.line(["nearest", &nearest]);
    for unseen in &counts.unseen {
        let rows = format!("{} with a value that no cell of the table covers", counted(unseen.rows, "row"));
        grid.line(["unseen", &format!("{}: {rows}", clean(&unseen.attribute))]);
    }
    let names = |names: &[String]| names.iter().map(|name| clean(name)).collect::<Vec<_>>().join(", ");
    grid.line(["columns", &names(&document.columns)]);
    if !document.columns_left_out.is_empty() {
        grid.line(["columns left out", &names(&document.columns_left_out)]);
    }
    format!(
        "{} {} like the released table: {}\n\n{}",
        paint(STRONG, "recoded"),
        counted(counts.rows, "row"),
        out.display(),
        grid.render()
    )
}
