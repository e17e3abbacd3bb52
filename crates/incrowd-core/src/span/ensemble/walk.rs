//! Which leaf each row of a table reaches in each tree of an ensemble, by codes alone.
//!
//! Codes that no test of any tree tells apart are one cell of their column. Trees with few leaves are followed by masks
//! ([`super::masks`]), others test by test.

use super::super::groups::Route;
use super::super::tree::Bound;
use super::masks::{Masks, Runs};
use crate::bits::Bits;
use crate::group::{Descent, Divided, in_many, in_two};
use crate::model::Node;
use crate::table::{Code, Codes, Column};
use crate::with_codes;
use rayon::prelude::*;

/// Rows that are followed in one go: their cells stay in a core's cache.
pub(super) const NEAR: usize = 1 << 12;

/// The trees of an ensemble, prepared to be followed.
#[derive(Default)]
pub(super) struct Walks<'a> {
    /// The columns that are tested.
    columns: Vec<&'a Column>,
    /// For each of them the cell of each row, when all trees are added.
    cells: Vec<Codes>,
    pub(super) trees: Vec<Walk>,
}

/// One tree, prepared to be followed.
pub(super) struct Walk {
    pub(super) steps: Vec<Step>,
    masks: Option<Masks>,
    /// For each node its place among the leaves.
    pub(super) leaf_of_node: Vec<u32>,
    /// The number of leaves.
    pub(super) leaves: u32,
}

/// What happens at a node. Tests are of codes until all trees are added, then of cells.
pub(super) enum Step {
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

/// The cells of some rows, column after column, and what it takes to follow them.
#[derive(Default)]
pub(super) struct Near {
    cells: Vec<u32>,
    rows: usize,
    descent: Descent,
}

impl<'a> Walks<'a> {
    /// Adds a tree.
    pub(super) fn add(&mut self, bound: &Bound<'a>) {
        let mut steps = Vec::with_capacity(bound.tree.nodes().len());
        for (node, test) in bound.tree.nodes().iter().zip(&bound.test) {
            steps.push(match (node, test) {
                (Node::Test(own), Some((column, route))) => step(self.place(column), route, &own.children),
                _ => Step::Leaf,
            });
        }
        self.push(steps);
    }

    fn push(&mut self, steps: Vec<Step>) {
        let mut leaves = 0;
        let leaf = |step: &Step| {
            let is_leaf = matches!(step, Step::Leaf);
            leaves += u32::from(is_leaf);
            if is_leaf { leaves - 1 } else { 0 }
        };
        let leaf_of_node = steps.iter().map(leaf).collect();
        self.trees.push(Walk { steps, masks: None, leaf_of_node, leaves });
    }

    /// The place of a column among those that are tested.
    fn place(&mut self, column: &'a Column) -> u32 {
        let known = self.columns.iter().position(|other| std::ptr::eq(*other, column));
        known.unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        }) as u32
    }

    /// Replaces codes by cells. No tree can be added any more.
    pub(super) fn prepare(&mut self) {
        let mut runs: Vec<Runs> = self.columns.iter().map(|c| Runs::new(c.values().len() + 1)).collect();
        let steps = self.trees.iter().flat_map(|tree| &tree.steps);
        steps.for_each(|step| step.divide(&mut runs));
        runs.par_iter_mut().for_each(Runs::number);
        self.cells = self
            .columns
            .par_iter()
            .zip(&runs)
            .map(|(column, runs)| {
                with_codes!(column.codes(), codes => {
                    Codes::collect(runs.cells(), codes.iter().map(|code| runs.cell(code.wide())))
                })
            })
            .collect();
        let mut room = Masks::room();
        for tree in &mut self.trees {
            tree.steps.iter_mut().for_each(|step| step.take_cells(&runs));
            tree.masks = Masks::new(tree, &runs, &mut room);
        }
    }

    /// Reads the cells of some rows.
    pub(super) fn pick(&self, near: &mut Near, rows: &[u32]) {
        near.cells.clear();
        near.rows = rows.len();
        for cells in &self.cells {
            with_codes!(cells, cells => {
                near.cells.extend(rows.iter().map(|&row| cells[row as usize].wide()));
            });
        }
    }
}

impl Step {
    /// Divides codes of its column as the test does.
    fn divide(&self, runs: &mut [Runs]) {
        match self {
            Self::Leaf => {}
            Self::From { column, first, .. } => runs[*column as usize].begin(*first as usize),
            Self::Set { column, second, .. } => {
                runs[*column as usize].begin_where(|code| second.contains(code));
            }
            Self::Each { column, of_code, .. } => runs[*column as usize].begin_where(|code| of_code[code]),
        }
    }

    /// Tests cells instead of codes.
    fn take_cells(&mut self, runs: &[Runs]) {
        match self {
            Self::Leaf => {}
            Self::From { column, first, .. } => *first = runs[*column as usize].first_cell(*first),
            Self::Set { column, second, .. } => {
                let runs = &runs[*column as usize];
                *second = Bits::of(runs.cells(), |cell| second.contains(runs.code(cell)));
            }
            Self::Each { column, of_code, .. } => {
                let runs = &runs[*column as usize];
                *of_code = (0..runs.cells()).map(|cell| of_code[runs.code(cell)]).collect();
            }
        }
    }
}

impl Walk {
    /// Writes down the node that each row ends in.
    pub(super) fn ends(&self, near: &mut Near, ends: &mut [u32]) {
        let (all, count) = (&near.cells, near.rows);
        let cells = |column: u32| &all[column as usize * count..(column as usize + 1) * count];
        if let Some(masks) = &self.masks {
            masks.ends(cells, &mut ends[..count]);
            return;
        }
        near.descent.run(&mut ends[..count], |node, rows, scratch| match &self.steps[node as usize] {
            Step::Leaf => Divided::End,
            Step::From { column, first, children } => {
                let own = cells(*column);
                Divided::Two(*children, in_two(rows, scratch, |row| own[row as usize] >= *first))
            }
            Step::Set { column, second, children } => {
                let own = cells(*column);
                let goes = |row: u32| second.contains(own[row as usize] as usize);
                Divided::Two(*children, in_two(rows, scratch, goes))
            }
            Step::Each { column, of_code, children } => {
                let (own, nowhere) = (cells(*column), children.len() as u32);
                let branch = |row: u32| of_code[own[row as usize] as usize].min(nowhere);
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

#[cfg(test)]
mod tests {
    use super::super::vectors::Vectors;
    use super::*;
    use crate::random::Random;
    use crate::table::Values;
    use hashbrown::HashMap;

    /// A tree with at most so many tests, the columns of which have so many codes.
    fn steps(random: &mut Random, tests: u32, codes: &[u32]) -> Vec<Step> {
        let (mut steps, mut open) = (vec![Step::Leaf], vec![0_usize]);
        for _ in 0..random.below(tests + 1) {
            let node = open.swap_remove(random.below(open.len() as u32) as usize);
            let column = random.below(codes.len() as u32);
            let (all, next) = (codes[column as usize], steps.len() as u32);
            let children = [next, next + 1];
            steps[node] = match random.below(8) {
                0 => {
                    let of_code = (0..all).map(|_| random.below(3)).collect();
                    Step::Each { column, of_code, children: vec![next, next + 1, next + 2] }
                }
                1..4 => {
                    let second: Vec<bool> = (0..all).map(|_| random.below(2) == 1).collect();
                    Step::Set { column, second: Bits::of(all as usize, |code| second[code]), children }
                }
                // One of them is behind all codes, and one in eight tests has a single child.
                4 => Step::From { column, first: random.below(all + 1), children: [next; 2] },
                _ => Step::From { column, first: random.below(all + 1), children },
            };
            let count = match &steps[node] {
                Step::Each { .. } => 3,
                Step::From { children: [one, two], .. } if one == two => 1,
                _ => 2,
            };
            (0..count).for_each(|_| {
                open.push(steps.len());
                steps.push(Step::Leaf);
            });
        }
        steps
    }

    /// The node that a row ends in, test by test.
    fn end(steps: &[Step], codes: impl Fn(u32) -> u32) -> u32 {
        let mut node = 0;
        loop {
            node = match &steps[node as usize] {
                Step::Leaf => return node,
                Step::From { column, first, children } => children[usize::from(codes(*column) >= *first)],
                Step::Set { column, second, children } => {
                    children[usize::from(second.contains(codes(*column) as usize))]
                }
                Step::Each { column, of_code, children } => {
                    children[of_code[codes(*column) as usize] as usize]
                }
            };
        }
    }

    #[test]
    fn rows_end_where_each_test_sends_them_and_share_a_vector_iff_they_share_all_leaves() {
        let (mut with_masks, mut without) = (0, 0);
        for seed in 0..60 {
            let random = &mut Random::of(seed, 5);
            let rows = 1 + random.below(if seed % 10 == 0 { 9000 } else { 60 }) as usize;
            let codes: Vec<u32> = (0..3).map(|_| 2 + random.below(40)).collect();
            let column = |(place, &codes): (usize, &u32)| {
                let own = Codes::collect(codes as usize, (0..rows).map(|_| random.below(codes)));
                let numbers = (0..codes - 1).map(f64::from).collect();
                Column::new(place.to_string(), Values::Numeric(numbers), own).unwrap()
            };
            let columns: Vec<Column> = codes.iter().enumerate().map(column).collect();
            let tests = if seed % 4 == 0 { 100 } else { 12 };
            let trees: Vec<Vec<Step>> = (0..12).map(|_| steps(random, tests, &codes)).collect();
            let code = |row: usize| {
                let columns = &columns;
                move |column: u32| columns[column as usize].code(row)
            };
            let naive: Vec<Vec<u32>> =
                (0..rows).map(|row| trees.iter().map(|steps| end(steps, code(row))).collect()).collect();
            let mut walks = Walks { columns: columns.iter().collect(), ..Walks::default() };
            trees.into_iter().for_each(|steps| walks.push(steps));
            walks.prepare();
            let all: Vec<u32> = (0..rows as u32).collect();
            let (mut near, mut ends) = (Near::default(), vec![0; rows]);
            walks.pick(&mut near, &all);
            for (tree, walk) in walks.trees.iter().enumerate() {
                walk.ends(&mut near, &mut ends);
                assert!(
                    ends.iter().zip(&naive).all(|(end, own)| *end == own[tree]),
                    "seed {seed}, tree {tree}"
                );
                *(if walk.masks.is_some() { &mut with_masks } else { &mut without }) += 1;
            }
            let vectors = Vectors::new(&walks, rows);
            let mut number = HashMap::new();
            let expected: Vec<u32> = naive
                .iter()
                .map(|own| {
                    let next = number.len() as u32;
                    *number.entry(own).or_insert(next)
                })
                .collect();
            assert_eq!(vectors.of_row, expected, "seed {seed}");
            assert_eq!(vectors.first.len(), number.len());
            assert!((0..).zip(&vectors.first).all(|(vector, &row)| vectors.of_row[row as usize] == vector));
        }
        assert!(with_masks > 50 && without > 50, "{with_masks} {without}");
    }
}
