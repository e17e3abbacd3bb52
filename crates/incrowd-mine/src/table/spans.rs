//! A table with the information of a tree: attributes that a span does not test become `*`, tested ones the branch.
//!
//! Paper: Friedman, Wolff, Schuster, VLDB Journal 17 (2008), sections 3 and 6.2.
//!
//! Guarantee: that of the tree. A group of the table is a span of the tree: two individuals have the same public cells
//! exactly if they take the same branch at every public test that someone like them could reach, whatever their private
//! values (docs/proofs.md). Numbers show the interval between the tree's thresholds, never themselves (a threshold test
//! reveals no more).
//!
//! Private attributes that the tree tests show the row's own branch, others are left out (a column of `*` would contain
//! nothing); the class is unchanged. A requirement on private values is checked on the released cells, where
//! overlapping ones count as one value; if that fails, the tested private attributes are left out as well.
//!
//! Running time: that of the tree, one pass over the rows, and a walk over the reachable nodes for each span.

use super::branches::{RemainingValues, everything, left_of_nodes, listed_text};
use super::cell::Cell;
use super::draft::{Draft, Private};
use super::params::CheckedTableParams;
use super::task::{Attribute, Task};
use crate::tree::{TreeParams, mine_tree_of_names};
use incrowd_core::Result;
use incrowd_core::model::{Domain, Model, ModelAttribute, Node, Split, Test, Tree};
use incrowd_core::policy::Policy;
use incrowd_core::predict::predict;
use incrowd_core::printed::{is_declared_cell, required_holders};
use incrowd_core::progress::Progress;
use incrowd_core::span::{link, private_in_days};
use incrowd_core::table::{Column, Date, Table};
use incrowd_core::taxonomy::{ANY, MISSING};
use std::collections::{HashMap, HashSet};

pub(crate) fn draft(task: &Task<'_>, params: &CheckedTableParams, progress: &dyn Progress) -> Result<Draft> {
    let tree_params = TreeParams::new(params.tree, params.guarantee.clone()).check()?;
    // Private dates are tested by day: which other days are possible is not known of names, and days that too few
    // individuals have cannot be summed up as other names.
    let (table, policy) = &private_in_days(task.table, task.policy)?;
    let mined = mine_tree_of_names(table, policy, &tree_params, progress)?;
    of_tree(task, (table, policy), mined.tree)
}

/// The table that is equivalent to a tree made from the task's own table, perhaps with dates as days.
pub(super) fn of_tree(task: &Task<'_>, (table, policy): (&Table, &Policy), tree: Tree) -> Result<Draft> {
    let model = Model::Tree(tree);
    let linking = link(table, policy, &model)?;
    let Model::Tree(tree) = &model else { return Err(incrowd_core::Error::input("not a tree")) };
    let mut draft = Draft::new(task.table.rows(), task.attributes.len());
    let mut first = vec![u32::MAX; linking.spans];
    (0..).zip(&linking.span_of_row).for_each(|(row, &span)| {
        let slot = &mut first[span as usize];
        *slot = (*slot).min(row);
    });
    let walk = Walk::new(task, table, tree)?;
    // Groups are numbered by what they show, so that the order of rows does not matter.
    let cells: Vec<Vec<Cell>> = first.iter().map(|&row| walk.public_cells(row)).collect();
    let shown = |cells: &Vec<Cell>| -> Vec<String> {
        cells.iter().zip(&task.attributes).map(|(cell, attribute)| cell.text(attribute)).collect()
    };
    let mut by_cells: Vec<usize> = (0..cells.len()).collect();
    by_cells.sort_by_cached_key(|&span| shown(&cells[span]));
    let mut group_of_span = vec![0; cells.len()];
    for span in by_cells {
        group_of_span[span] = draft.add_group(cells[span].iter().cloned());
    }
    draft.group_of_row = linking.span_of_row.iter().map(|&span| group_of_span[span as usize]).collect();
    draft.private = walk.private_cells()?;
    Ok(draft)
}

/// Ways through a tree.
struct Walk<'t> {
    task: &'t Task<'t>,
    /// The task's table as the tree sees it.
    table: &'t Table,
    tree: &'t Tree,
    /// For each attribute of the tree its place in the table, and whether the attacker knows it.
    asked: Vec<(usize, bool)>,
    /// The leaf of each row.
    leaf_of_row: Vec<u32>,
}

impl<'t> Walk<'t> {
    fn new(task: &'t Task<'t>, table: &'t Table, tree: &'t Tree) -> Result<Self> {
        let place = |name: &str| task.table.columns().iter().position(|column| column.name() == name);
        let (mut asked, known) = (Vec::new(), task.policy.knowledge());
        for attribute in tree.attributes() {
            task.table.require(&attribute.name)?;
            asked.push((place(&attribute.name).unwrap_or(0), known.knows(&attribute.name)?));
        }
        Ok(Self { task, table, tree, asked, leaf_of_row: predict(table, tree)?.node_of_row })
    }

    /// What is left of public attributes for someone like this row, over every path that their private values could
    /// lead to.
    fn public_cells(&self, row: u32) -> Vec<Cell> {
        let mut left = everything(self.tree);
        let mut next = vec![0_u32];
        while let Some(node) = next.pop() {
            let Node::Test(test) = &self.tree.nodes()[node as usize] else { continue };
            let (place, known) = self.asked[test.attribute];
            if known {
                let branch = self.branch(test, place, row);
                left[test.attribute].behind(test, branch);
                next.push(test.children[branch as usize]);
            } else {
                next.extend(&test.children);
            }
        }
        let cell = |attribute: &Attribute<'_>| {
            let asked = self.asked.iter().position(|&(place, _)| place == attribute.place);
            if attribute.column.name() == self.tree.class().name {
                return Cell::Value(attribute.code(row));
            }
            asked.map_or(Cell::Any, |asked| left[asked].cell(attribute.column, attribute.taxonomy.as_ref()))
        };
        self.task.attributes.iter().map(cell).collect()
    }

    /// The branch of a row.
    fn branch(&self, test: &Test, place: usize, row: u32) -> u32 {
        let column = &self.table.columns()[place];
        let code = column.code(row as usize);
        let (otherwise, missing) = (test.otherwise.unwrap_or(0), test.missing_branch().unwrap_or(0));
        match (&test.split, column.values().numbers()) {
            (Split::Thresholds(thresholds), Some(numbers)) => match numbers.get(code as usize) {
                Some(number) => thresholds.partition_point(|threshold| threshold < number) as u32,
                None => missing,
            },
            // The first values of a domain of names are the column's, in its order.
            (Split::Values(of_value), _) if code < column.missing_code() => {
                of_value.get(code as usize).copied().flatten().unwrap_or(otherwise)
            }
            _ => missing,
        }
    }

    /// What each row's own path reveals about private attributes; the class is released unchanged.
    fn private_cells(&self) -> Result<Vec<(usize, Private)>> {
        let of_leaf = left_of_nodes(self.tree);
        let class = self.task.table.require(&self.tree.class().name)?.name();
        let columns = self.table.columns();
        let private = self.task.private.iter().filter(|&&place| columns[place].name() != class);
        let cells = |&place: &usize| {
            let asked = self.asked.iter().position(|&(other, _)| other == place);
            let Some(asked) = asked else { return (place, Private::LeftOut) };
            let names = listed(&self.tree.attributes()[asked], &columns[place]);
            let mut texts: Vec<String> = Vec::new();
            let mut number: HashMap<String, u32> = HashMap::new();
            let mut of_left = |left: &Vec<RemainingValues>| {
                let text = private_text(&left[asked], &columns[place], names);
                *number.entry(text).or_insert_with_key(|text| {
                    texts.push(text.clone());
                    texts.len() as u32 - 1
                })
            };
            let of_node: Vec<u32> = of_leaf.iter().map(&mut of_left).collect();
            let of_row: Vec<u32> = self.leaf_of_row.iter().map(|&leaf| of_node[leaf as usize]).collect();
            self.hide_rare(place, &mut texts, &of_row);
            (place, Private::Generalized { texts, of_row })
        };
        Ok(private.map(cells).collect())
    }

    /// Cells that too few individuals share to be printed are suppressed instead. This merges bins and never splits
    /// them.
    fn hide_rare(&self, place: usize, texts: &mut [String], of_row: &[u32]) {
        let mut rows = vec![Vec::new(); texts.len()];
        (0..).zip(of_row).for_each(|(row, &text)| rows[text as usize].push(row));
        let required = required_holders(self.task.guarantee);
        let name = self.task.table.columns()[place].name();
        for (text, rows) in texts.iter_mut().zip(&rows) {
            let is_rare = self.task.table.individuals_among(rows) < required;
            if is_rare && !is_declared_cell(self.task.policy, name, text, None) {
                ANY.clone_into(text);
            }
        }
    }
}

/// The names that a tree lists of an attribute, if they are not all that the column has.
fn listed<'m>(declared: &'m ModelAttribute, column: &Column) -> Option<&'m [String]> {
    let Domain::Values(names) = &declared.domain else { return None };
    let known: HashSet<&str> = names.iter().map(String::as_str).collect();
    let values = column.values();
    let is_all = (0..values.len()).all(|code| known.contains(values.text(code).as_ref()));
    (!is_all).then_some(names)
}

/// A private attribute's cell in words. Names that the tree does not list must not be printed.
fn private_text(left: &RemainingValues, column: &Column, listed: Option<&[String]>) -> String {
    if left.is_empty(column) {
        return MISSING.to_owned();
    }
    if let (RemainingValues::Numbers(above, up_to, missing), true) = (left, column.is_in_days()) {
        return dates_text((*above, *up_to), *missing && column.has_missing());
    }
    if let (RemainingValues::Names(left), Some(names)) = (left, listed) {
        return listed_text(left, names);
    }
    let attribute = Attribute { column, place: 0, taxonomy: None, range: (0.0, 0.0), weight: 1.0 };
    left.cell(column, None).text(&attribute)
}

/// The dates after one day, up to another one.
fn dates_text((above, up_to): (f64, f64), or_missing: bool) -> String {
    let date = Date::text_of_days;
    let dates = match (above.is_finite(), up_to.is_finite()) {
        (false, false) => return ANY.to_owned(),
        (false, true) => format!("<= {}", date(up_to)),
        (true, false) => format!("> {}", date(above)),
        (true, true) => format!("({}, {}]", date(above), date(up_to)),
    };
    if or_missing { dates + " or ?" } else { dates }
}
