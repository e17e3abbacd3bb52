//! A released table as text for a terminal.

use super::{Grid, bar, clean, count, counted, percent};
use crate::console::{STRONG, paint};
use incrowd::show::{ColumnOutline, TableOutline};

/// The number of blocks of the longest bar.
const BAR: usize = 24;

pub(crate) fn render(outline: &TableOutline) -> String {
    let before = outline.rows_before.map(|rows| format!(" of {} in the source", count(rows)));
    format!(
        "{} {}: {}{} in {} of {} rows (median {})\n{}\n{}\n{}{}",
        paint(STRONG, "table"),
        clean(&outline.file),
        counted(outline.rows, "row"),
        before.unwrap_or_default(),
        counted(outline.groups, "group"),
        outline.sizes_in_words(),
        count(outline.median),
        outline.untrue_cells.map(untrue).unwrap_or_default(),
        sizes(outline),
        columns(&outline.columns),
        outline.columns.iter().filter(|column| !column.bins.is_empty()).map(distribution).collect::<String>(),
    )
}

/// A line on cells that are not true of their row.
fn untrue(share: f64) -> String {
    format!(
        "  {} of the public cells are not true of their row: it shows the cells of another group\n",
        percent(share)
    )
}

fn sizes(outline: &TableOutline) -> String {
    let largest = outline.sizes.iter().map(|class| class.rows).max().unwrap_or(1).max(1) as f64;
    let mut grid = Grid::new(&["rows of a group", ">groups", ">rows", ""]);
    for class in &outline.sizes {
        let range = format!("{} to {}", count(class.from), count(class.to));
        let bar = bar(class.rows as f64 / largest, BAR);
        grid.line([range, count(class.groups), count(class.rows), bar]);
    }
    grid.render()
}

fn columns(columns: &[ColumnOutline]) -> String {
    let is_compared = columns.iter().any(|column| column.distance.is_some());
    let change = if is_compared { ">change" } else { "" };
    let mut grid = Grid::new(&["column", "kind", ">cells", ">suppressed", ">width", change, "most frequent"]);
    for column in columns {
        let figure = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.3}"));
        let suppressed = if column.recoded { percent(column.suppressed) } else { "unchanged".to_owned() };
        let frequent: Vec<String> = column
            .most_frequent
            .iter()
            .take(3)
            .map(|(cell, share)| format!("{} {}", clean(cell), percent(*share)))
            .collect();
        grid.line([
            clean(&column.name),
            column.kind.to_owned(),
            count(column.cells),
            suppressed,
            if column.recoded && column.width.is_none() {
                "unknown".to_owned()
            } else {
                figure(column.width)
            },
            figure(column.distance),
            frequent.join(", "),
        ]);
    }
    grid.render()
}

fn distribution(column: &ColumnOutline) -> String {
    let mut grid = Grid::new(&[&clean(&column.name), ">before", ">after"]);
    for (label, before, after) in &column.bins {
        grid.line([clean(label), percent(*before), percent(*after)]);
    }
    format!("\n{}", grid.render())
}
