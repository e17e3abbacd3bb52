//! Divides the rows of a tree test by test: into spans by the tests that an attacker can follow, into leaves by all
//! tests.
//!
//! Rows are processed in parallel, in blocks small enough for a core's cache. If all tests can be followed, a span is a
//! leaf and one division gives both.

use super::allowance::Allowance;
use super::tied::Tied;
use super::tree::Bound;
use crate::error::Result;
use crate::group::{in_many, in_two};
use crate::model::{Node, Split, Test};
use crate::table::{Code, Codes, Column};
use crate::with_codes;
use hashbrown::HashMap;
use rayon::prelude::*;
use std::ops::Range;

/// Rows of a block. Fixed, so that results do not depend on the number of threads.
const BLOCK: usize = 1 << 16;

/// A span: the leaves its individuals can reach, and their class value if it is public.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Span {
    pub(super) leaves: Vec<u32>,
    pub(super) class: Option<u32>,
    /// What relations leave of it, where there are any.
    pub(super) tied: Option<Tied>,
}

/// The rows of a table by span and by leaf.
pub(super) struct Groups {
    /// The span of each row.
    pub(super) of_row: Vec<u32>,
    /// The leaf of each row.
    pub(super) leaf_of_row: Vec<u32>,
    /// The spans in order of first appearance, block by block.
    pub(super) spans: Vec<Span>,
    /// A row of each span.
    pub(super) example: Vec<u32>,
}

impl Groups {
    /// Works block by block, then joins equal spans.
    ///
    /// # Errors
    /// When the spans reach more leaves than can be judged.
    pub(super) fn find(bound: &Bound<'_>, rows: usize) -> Result<Self> {
        Self::find_within(bound, rows, &Allowance::of_divisions(), true)
    }

    /// The spans alone, with the steps that are left, which the trees of an ensemble share. Leaves are not found.
    pub(super) fn spans_within(bound: &Bound<'_>, rows: usize, of_divisions: &Allowance) -> Result<Self> {
        Self::find_within(bound, rows, of_divisions, false)
    }

    fn find_within(bound: &Bound<'_>, rows: usize, steps: &Allowance, with_leaves: bool) -> Result<Self> {
        let of_leaves = Allowance::of_leaves();
        let (mut of_row, mut leaf_of_row) = (vec![0; rows], vec![0; rows]);
        let of_block = |(block, (spans, leaves)): (usize, (&mut [u32], &mut [u32]))| {
            let mut block = Block::new(bound, block * BLOCK, spans.len());
            let (found, told_by_spans) = block.divide(spans, leaves, (&of_leaves, steps))?;
            if with_leaves && !told_by_spans {
                block.find_leaves(leaves);
            }
            Ok(found)
        };
        let blocks = of_row.par_chunks_mut(BLOCK).zip(leaf_of_row.par_chunks_mut(BLOCK));
        let found: Vec<Vec<(Span, u32)>> = blocks.enumerate().map(of_block).collect::<Result<_>>()?;
        let mut number: HashMap<Span, u32> = HashMap::new();
        let (mut spans, mut example) = (Vec::new(), Vec::new());
        let mut join = |(span, row): (Span, u32)| {
            *number.entry(span).or_insert_with_key(|span| {
                spans.push(span.clone());
                example.push(row);
                spans.len() as u32 - 1
            })
        };
        let numbers: Vec<Vec<u32>> =
            found.into_iter().map(|spans| spans.into_iter().map(&mut join).collect()).collect();
        of_row.par_chunks_mut(BLOCK).zip(&numbers).for_each(|(rows, number)| {
            rows.iter_mut().for_each(|span| *span = number[*span as usize]);
        });
        Ok(Self { of_row, leaf_of_row, spans, example })
    }
}

/// How a test sends the codes of its column to branches.
#[derive(Clone)]
pub(super) enum Route {
    /// Codes from this one on to the second of two branches, the others to the first.
    From(u32),
    /// The branch of each code.
    Each(Vec<u32>),
}

impl Route {
    /// By the branch of each code, `codes` of which can occur.
    pub(super) fn new(of_code: Vec<u32>, codes: usize, branches: usize) -> Self {
        let occurring = &of_code[..codes];
        if branches == 2 && occurring.is_sorted() {
            return Self::From(occurring.partition_point(|&branch| branch == 0) as u32);
        }
        Self::Each(of_code)
    }

    /// By a single threshold, in a column of numbers without missing values: codes ascend with their numbers.
    pub(super) fn at_threshold(test: &Test, column: &Column) -> Option<Self> {
        match (&test.split, column.values().numbers()) {
            (Split::Thresholds(thresholds), Some(numbers))
                if !column.has_missing() && thresholds.len() == 1 =>
            {
                Some(Self::From(numbers.partition_point(|&number| number <= thresholds[0]) as u32))
            }
            _ => None,
        }
    }

    /// The branch of a code.
    pub(super) fn branch(&self, code: u32) -> u32 {
        match self {
            Self::From(first) => u32::from(code >= *first),
            Self::Each(of_code) => of_code[code as usize],
        }
    }
}

/// A group of rows that is to be divided by more tests.
struct Pending {
    rows: Range<usize>,
    tests: Vec<u32>,
    leaves: Vec<u32>,
}

/// Consecutive rows, and their order so far.
struct Block<'b> {
    bound: &'b Bound<'b>,
    /// The first of them.
    from: usize,
    /// All of them, counted from the first.
    order: Vec<u32>,
    scratch: Vec<u32>,
}

impl<'b> Block<'b> {
    fn new(bound: &'b Bound<'b>, from: usize, rows: usize) -> Self {
        Self { bound, from, order: (0..rows as u32).collect(), scratch: vec![0; rows] }
    }

    /// Writes down the span of each row, and its leaf if the span has only one. Returns the spans, each with a row, and
    /// whether all have only one.
    fn divide(
        &mut self,
        span_of_row: &mut [u32],
        leaf_of_row: &mut [u32],
        (of_leaves, of_divisions): (&Allowance, &Allowance),
    ) -> Result<(Vec<(Span, u32)>, bool)> {
        let mut spans = Vec::new();
        let mut told_by_spans = true;
        let root =
            self.pending(0, Pending { rows: 0..self.order.len(), tests: Vec::new(), leaves: Vec::new() });
        let mut work = vec![root];
        while let Some(mut group) = work.pop() {
            if let Some(node) = group.tests.pop() {
                for (child, rows) in self.parts(node, &group.rows) {
                    of_divisions.take(group.tests.len() + group.leaves.len())?;
                    let (tests, leaves) = (group.tests.clone(), group.leaves.clone());
                    work.push(self.pending(child, Pending { rows, tests, leaves }));
                }
                continue;
            }
            group.leaves.sort_unstable();
            let rows = &mut self.order[group.rows];
            match group.leaves[..] {
                [leaf] => rows.iter().for_each(|&row| leaf_of_row[row as usize] = leaf),
                _ => told_by_spans = false,
            }
            for (class, rows) in by_class(self.bound, self.from, rows) {
                of_leaves.take(group.leaves.len())?;
                let number = spans.len() as u32;
                rows.iter().for_each(|&row| span_of_row[row as usize] = number);
                spans.push((
                    Span { leaves: group.leaves.clone(), class, tied: None },
                    self.from as u32 + rows[0],
                ));
            }
        }
        Ok((spans, told_by_spans))
    }

    /// The leaf of each row, by all tests.
    fn find_leaves(&mut self, leaf_of_row: &mut [u32]) {
        self.order.iter_mut().zip(0..).for_each(|(place, row)| *place = row);
        let mut work = vec![(0, 0..self.order.len())];
        while let Some((node, rows)) = work.pop() {
            match &self.bound.tree.nodes()[node as usize] {
                Node::Leaf(_) => {
                    self.order[rows].iter().for_each(|&row| leaf_of_row[row as usize] = node);
                }
                Node::Test(_) => work.extend(self.parts(node, &rows)),
            }
        }
    }

    /// The group with the tests and leaves behind a node that its rows go to.
    fn pending(&self, node: u32, mut group: Pending) -> Pending {
        self.bound.expand(node, &mut group.tests, &mut group.leaves);
        group
    }

    /// Divides rows by the branch they take at a test, keeping their order; the child of each part that is not empty.
    fn parts(&mut self, node: u32, rows: &Range<usize>) -> Vec<(u32, Range<usize>)> {
        let Some((column, route)) = &self.bound.test[node as usize] else { return Vec::new() };
        let children = self.bound.children(node);
        let order = &mut self.order[rows.clone()];
        let ends = divide(order, &mut self.scratch, column.codes(), self.from, route, children.len());
        let parts = children.iter().zip(ends.windows(2)).filter(|(_, ends)| ends[0] < ends[1]);
        parts.map(|(&child, ends)| (child, rows.start + ends[0]..rows.start + ends[1])).collect()
    }
}

/// Sorts rows (counted from `from`) by branch, stably; where each branch begins, and the end.
fn divide(
    rows: &mut [u32],
    scratch: &mut [u32],
    codes: &Codes,
    from: usize,
    route: &Route,
    branches: usize,
) -> Vec<usize> {
    with_codes!(codes, codes => {
        let code = |row: u32| codes[from + row as usize].wide();
        match route {
            Route::From(first) => vec![0, in_two(rows, scratch, |row| code(row) >= *first), rows.len()],
            Route::Each(of_code) if branches == 2 => {
                vec![0, in_two(rows, scratch, |row| of_code[code(row) as usize] == 1), rows.len()]
            }
            Route::Each(of_code) => in_many(rows, scratch, |row| of_code[code(row) as usize], branches),
        }
    })
}

/// The rows of a finished group, divided by class where the attacker knows it.
fn by_class<'r>(bound: &Bound<'_>, from: usize, rows: &'r mut [u32]) -> Vec<(Option<u32>, &'r [u32])> {
    if !bound.class_public {
        return vec![(None, &*rows)];
    }
    let class = |row: u32| bound.class_of(from + row as usize);
    rows.sort_by_key(|&row| class(row));
    rows.chunk_by(|&a, &b| class(a) == class(b)).map(|part| (Some(class(part[0])), part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn routes_send_codes_as_they_are_told() {
        for (of_code, codes) in
            [(vec![0, 0, 1, 1], 4), (vec![0, 1, 0], 3), (vec![0, 0, 1, 0], 3), (vec![1, 1, 1], 3)]
        {
            let is_sorted = of_code[..codes].is_sorted();
            let route = Route::new(of_code.clone(), codes, 2);
            assert_eq!(matches!(route, Route::From(_)), is_sorted);
            (0..codes).for_each(|code| assert_eq!(route.branch(code as u32), of_code[code]));
        }
        let three = Route::new(vec![0, 0, 1], 3, 3);
        assert!(matches!(three, Route::Each(_)) && three.branch(2) == 1);
    }

    /// Rows by branch, in the order they had.
    #[test]
    fn rows_are_divided_stably() {
        let random = &mut Random::of(3, 0);
        for branches in [2, 3, 5] {
            let of_row: Vec<u32> = (0..50).map(|_| random.below(branches)).collect();
            let mut expected: Vec<u32> = (0..50).rev().collect();
            let start = expected.clone();
            expected.sort_by_key(|&row| of_row[row as usize]);
            let starts: Vec<usize> =
                (0..=branches).map(|branch| of_row.iter().filter(|&&own| own < branch).count()).collect();
            let (mut rows, mut scratch) = (start.clone(), vec![0; 60]);
            assert_eq!(
                in_many(&mut rows, &mut scratch, |row| of_row[row as usize], branches as usize),
                starts
            );
            assert_eq!(rows, expected);
            if branches == 2 {
                let mut rows = start;
                assert_eq!(in_two(&mut rows, &mut scratch, |row| of_row[row as usize] == 1), starts[1]);
                assert_eq!(rows, expected);
            }
        }
    }
}
