//! Trees followed by masks (`QuickScorer`: Lucchese and others, SIGIR 2015): for each column that a tree tests, and each
//! cell of it, the leaves that the column leaves open are the bits of a word. What all columns leave open is one leaf,
//! found without going from node to node.

use super::walk::{Step, Walk};
use crate::bits::Bits;

/// The most cells of all columns that a tree tests: their masks stay in a core's cache.
const MOST_CELLS: usize = 1 << 12;

/// The most masks of all trees.
const MOST_MASKS: usize = 1 << 22;

/// Rows that are followed in one go.
const FEW: usize = 1 << 10;

/// The codes of a column in runs that no test divides; each run is a cell.
pub(super) struct Runs {
    /// The codes that begin a run.
    begins: Bits,
    codes: usize,
    /// The first code of each run, when all tests are known.
    first: Vec<u32>,
    /// The cell of each code.
    cell: Vec<u32>,
}

impl Runs {
    /// One run of so many codes.
    pub(super) fn new(codes: usize) -> Self {
        Self { begins: Bits::new(codes), codes, first: Vec::new(), cell: Vec::new() }
    }

    /// Begins a run at a code.
    pub(super) fn begin(&mut self, code: usize) {
        if code < self.codes {
            self.begins.insert(code);
        }
    }

    /// Begins a run at each code that differs from the one before it.
    pub(super) fn begin_where<T: PartialEq>(&mut self, of_code: impl Fn(usize) -> T) {
        for code in 1..self.codes {
            if of_code(code) != of_code(code - 1) {
                self.begins.insert(code);
            }
        }
    }

    /// Numbers the runs.
    pub(super) fn number(&mut self) {
        for code in 0..self.codes {
            if code == 0 || self.begins.contains(code) {
                self.first.push(code as u32);
            }
            self.cell.push(self.first.len() as u32 - 1);
        }
    }

    /// The number of cells.
    pub(super) fn cells(&self) -> usize {
        self.first.len()
    }

    /// The cell of a code.
    pub(super) fn cell(&self, code: u32) -> u32 {
        self.cell[code as usize]
    }

    /// The first code of a cell.
    pub(super) fn code(&self, cell: usize) -> usize {
        self.first[cell] as usize
    }

    /// The first cell whose codes are not below this one, which begins a run unless it is behind all codes.
    pub(super) fn first_cell(&self, code: u32) -> u32 {
        self.first.partition_point(|&first| first < code) as u32
    }
}

/// The masks of a tree.
pub(super) struct Masks {
    /// For each column that it tests the leaves that each cell leaves open.
    of_columns: Vec<(u32, Vec<u64>)>,
    /// The node of each leaf.
    nodes: Vec<u32>,
}

impl Masks {
    /// How many masks all trees may have.
    pub(super) fn room() -> usize {
        MOST_MASKS
    }

    /// The masks of a tree whose tests are of cells; `None` if it has more leaves than a word has bits, tests with more
    /// than two branches, or too many cells.
    pub(super) fn new(walk: &Walk, runs: &[Runs], room: &mut usize) -> Option<Self> {
        if walk.leaves > u64::BITS {
            return None;
        }
        let mut columns: Vec<u32> = Vec::new();
        for step in &walk.steps {
            match step {
                Step::Leaf => {}
                Step::From { column, .. } | Step::Set { column, .. } => columns.push(*column),
                Step::Each { .. } => return None,
            }
        }
        columns.sort_unstable();
        columns.dedup();
        let cells: usize = columns.iter().map(|&column| runs[column as usize].cells()).sum();
        *room = room.checked_sub(cells).filter(|_| cells <= MOST_CELLS)?;
        let (nodes, below) = below(walk);
        let mut of_columns: Vec<(u32, Vec<u64>)> =
            columns.iter().map(|&column| (column, vec![u64::MAX; runs[column as usize].cells()])).collect();
        for (node, step) in walk.steps.iter().enumerate() {
            let mut close = |column: u32, children: [u32; 2], is_second: &dyn Fn(usize) -> bool| {
                let Ok(place) = columns.binary_search(&column) else { return };
                for (cell, open) in of_columns[place].1.iter_mut().enumerate() {
                    let child = children[usize::from(is_second(cell))];
                    *open &= !(below[node] & !below[child as usize]);
                }
            };
            match step {
                Step::From { column, first, children } => {
                    close(*column, *children, &|cell| cell >= *first as usize);
                }
                Step::Set { column, second, children } => {
                    close(*column, *children, &|cell| second.contains(cell));
                }
                Step::Leaf | Step::Each { .. } => {}
            }
        }
        Some(Self { of_columns, nodes })
    }

    /// Writes down the node that each row ends in, given the cells of the rows in each column.
    pub(super) fn ends<'c>(&self, cells: impl Fn(u32) -> &'c [u32], ends: &mut [u32]) {
        let mut open = [u64::MAX; FEW];
        for (place, ends) in ends.chunks_mut(FEW).enumerate() {
            let open = &mut open[..ends.len()];
            open.fill(u64::MAX);
            for (column, masks) in &self.of_columns {
                let cells = &cells(*column)[place * FEW..][..ends.len()];
                open.iter_mut().zip(cells).for_each(|(open, &cell)| *open &= masks[cell as usize]);
            }
            for (end, open) in ends.iter_mut().zip(open) {
                *end = self.nodes[open.trailing_zeros() as usize];
            }
        }
    }
}

/// The node of each leaf, and for each node the leaves below it. Parents come before children.
fn below(walk: &Walk) -> (Vec<u32>, Vec<u64>) {
    let (mut nodes, mut below) = (vec![0; walk.leaves as usize], vec![0_u64; walk.steps.len()]);
    for (node, step) in walk.steps.iter().enumerate().rev() {
        below[node] = match step {
            Step::From { children, .. } | Step::Set { children, .. } => {
                children.iter().map(|&child| below[child as usize]).fold(0, |all, own| all | own)
            }
            Step::Leaf | Step::Each { .. } => {
                let leaf = walk.leaf_of_node[node];
                nodes[leaf as usize] = node as u32;
                1 << leaf
            }
        };
    }
    (nodes, below)
}
