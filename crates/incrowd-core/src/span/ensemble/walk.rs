//! Which leaf each row of a table reaches in each tree of an ensemble, by codes alone.

use super::super::groups::Route;
use super::super::tree::Bound;
use crate::bits::Bits;
use crate::group::{Descent, Divided, in_many, in_two};
use crate::model::Node;
use crate::table::{Code, Column};
use crate::with_codes;

/// Rows that are followed in one go: their codes stay in a core's cache.
pub(super) const NEAR: usize = 1 << 12;

/// The trees of an ensemble, prepared to be followed.
#[derive(Default)]
pub(super) struct Walks<'a> {
    /// The columns that are tested.
    columns: Vec<&'a Column>,
    pub(super) trees: Vec<Walk>,
}

/// One tree, prepared to be followed.
pub(super) struct Walk {
    steps: Vec<Step>,
    /// For each node its place among the leaves.
    pub(super) leaf_of_node: Vec<u32>,
    /// The number of leaves.
    pub(super) leaves: u32,
}

/// What happens at a node.
enum Step {
    Leaf,
    /// Codes from this one on go to the second child.
    From {
        column: u32,
        first: u32,
        children: [u32; 2],
    },
    /// Codes of a set go to the second child.
    Set {
        column: u32,
        second: Bits,
        children: [u32; 2],
    },
    /// The branch of each code.
    Each {
        column: u32,
        of_code: Vec<u32>,
        children: Vec<u32>,
    },
}

/// The codes of some rows, column after column, and what it takes to follow them.
#[derive(Default)]
pub(super) struct Near {
    codes: Vec<u32>,
    rows: usize,
    descent: Descent,
}

impl<'a> Walks<'a> {
    /// Adds a tree.
    pub(super) fn add(&mut self, bound: &Bound<'a>) {
        let nodes = bound.tree.nodes();
        let mut leaf_of_node = vec![0; nodes.len()];
        let (mut steps, mut leaves) = (Vec::with_capacity(nodes.len()), 0);
        for (place, (node, test)) in nodes.iter().zip(&bound.test).enumerate() {
            if let (Node::Test(own), Some((column, route))) = (node, test) {
                steps.push(step(self.place(column), route, &own.children));
            } else {
                leaf_of_node[place] = leaves;
                leaves += 1;
                steps.push(Step::Leaf);
            }
        }
        self.trees.push(Walk { steps, leaf_of_node, leaves });
    }

    /// The place of a column among those that are tested.
    fn place(&mut self, column: &'a Column) -> u32 {
        let known = self.columns.iter().position(|other| std::ptr::eq(*other, column));
        known.unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        }) as u32
    }

    /// Reads the codes of consecutive rows.
    pub(super) fn read(&self, near: &mut Near, from: usize, rows: usize) {
        near.codes.clear();
        near.rows = rows;
        for column in &self.columns {
            with_codes!(column.codes(), codes => {
                near.codes.extend(codes[from..from + rows].iter().map(|code| code.wide()));
            });
        }
    }

    /// Reads the codes of some rows.
    pub(super) fn pick(&self, near: &mut Near, rows: &[u32]) {
        near.codes.clear();
        near.rows = rows.len();
        for column in &self.columns {
            with_codes!(column.codes(), codes => {
                near.codes.extend(rows.iter().map(|&row| codes[row as usize].wide()));
            });
        }
    }
}

impl Walk {
    /// Writes down the node that each row ends in.
    pub(super) fn ends(&self, near: &mut Near, ends: &mut [u32]) {
        let (codes, count) = (&near.codes, near.rows);
        let codes = |column: u32| &codes[column as usize * count..(column as usize + 1) * count];
        near.descent.run(&mut ends[..count], |node, rows, scratch| match &self.steps[node as usize] {
            Step::Leaf => Divided::End,
            Step::From { column, first, children } => {
                let codes = codes(*column);
                Divided::Two(*children, in_two(rows, scratch, |row| codes[row as usize] >= *first))
            }
            Step::Set { column, second, children } => {
                let codes = codes(*column);
                let goes = |row: u32| second.contains(codes[row as usize] as usize);
                Divided::Two(*children, in_two(rows, scratch, goes))
            }
            Step::Each { column, of_code, children } => {
                let (codes, nowhere) = (codes(*column), children.len() as u32);
                let branch = |row: u32| of_code[codes[row as usize] as usize].min(nowhere);
                Divided::Many(children, in_many(rows, scratch, branch, children.len() + 1))
            }
        });
    }
}

fn step(column: u32, route: &Route, children: &[u32]) -> Step {
    match (route, children) {
        (Route::From(first), &[one, two]) => Step::From { column, first: *first, children: [one, two] },
        (Route::Each(of_code), &[one, two]) => {
            let second = Bits::of(of_code.len(), |code| of_code[code] == 1);
            Step::Set { column, second, children: [one, two] }
        }
        (Route::From(first), _) => {
            // A test with one branch, or none that a code takes.
            let child = |branch: usize| children.get(branch).or(children.first()).copied().unwrap_or(0);
            Step::From { column, first: *first, children: [child(0), child(1)] }
        }
        (Route::Each(of_code), _) => {
            Step::Each { column, of_code: of_code.clone(), children: children.to_vec() }
        }
    }
}
