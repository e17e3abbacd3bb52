//! Taxonomies against their definitions.

mod builders;
mod decimal;
mod trees;

use super::*;

/// The labels from a code's leaf up to the root.
fn path(taxonomy: &Taxonomy, code: u32) -> Vec<String> {
    std::iter::successors(Some(taxonomy.leaf(code)), |node| taxonomy.parent(*node))
        .map(|node| taxonomy.label(node).to_owned())
        .collect()
}

fn tree(lines: &[&str]) -> Result<TreeSpec> {
    TreeSpec::from_lines((1..).zip(lines).map(|(number, line)| (number, line.split(';').collect::<Vec<_>>())))
}

fn texts(cells: &[&str]) -> Column {
    let cells: Vec<Option<&str>> = cells.iter().map(|cell| (*cell != "?").then_some(*cell)).collect();
    Column::from_texts("a", &cells)
}

fn numbers(cells: &[f64]) -> Column {
    let cells: Vec<Option<f64>> = cells.iter().map(|cell| Some(*cell)).collect();
    Column::from_numbers("a", &cells).expect("finite numbers")
}
