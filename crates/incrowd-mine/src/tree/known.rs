//! What is known of a table whose rows are elsewhere, such as in a database: counts of individuals in cells.
//!
//! A *cell* is a set of individuals: those whose codes of some columns are in given ranges. The individuals of a node
//! are a cell, and so are those of a span. Cells are numbered, and a number stands where a table in memory has a range
//! of rows (as `number..number + 1`, or an empty range for no individuals).
//!
//! What is looked up and not known yet is noted. The tree is then grown as if the node were a leaf, all that was noted
//! is counted at once, and the tree is grown again from its root (`counted`). Nothing is guessed: a tree is finished
//! only if it was grown without anything missing, and is then the tree of the table in memory.

use super::counted::{CellTest, CountedBy, CountedValue, Wanted};
use super::histogram::Histogram;
use super::judge::changed;
use super::split::Split;
use super::task::{Attribute, ClassColumn};
use hashbrown::{HashMap, HashSet};
use incrowd_core::Result;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Ranges of codes, ascending.
type Codes = Vec<Range<u32>>;

/// The individuals whose codes of some columns are in ranges: by the place of the column, ascending.
type Tests = Vec<(usize, Codes)>;

/// A question about a cell.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Question {
    cell: u32,
    /// The place of the column whose codes are counted.
    column: usize,
    /// The number of its codes.
    codes: usize,
    by: By,
}

/// What else is counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum By {
    Class,
    /// Classes of the codes of another column, by its place, and how many these are.
    Classes(usize, Arc<[u32]>, usize),
}

/// What is known.
pub(crate) struct Known {
    /// The place of the class, and the number of its values.
    class: (usize, usize),
    /// For each column that was put into bins the bin of each code: codes here are bins then.
    bins: Vec<Option<Arc<[u32]>>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    cells: Vec<Cell>,
    number: HashMap<Tests, u32>,
    found: HashMap<Question, Arc<Histogram>>,
    wanted: Vec<Question>,
    /// The same as a set.
    is_wanted: HashSet<Question>,
}

struct Cell {
    tests: Tests,
    /// The individuals by class.
    by_class: Vec<u64>,
}

impl Known {
    /// Nothing but how many individuals each class value has. `place` is that of the class column.
    pub(crate) fn new(class: &ClassColumn<'_>, place: usize, bins: Vec<Option<Arc<[u32]>>>) -> Self {
        let mut by_class = vec![0; class.count];
        for (row, code) in class.column.codes().iter().enumerate() {
            by_class[code as usize] += u64::from(class.table.weight(row));
        }
        let known = Self { class: (place, class.count), bins, state: Mutex::default() };
        known.state().number_of(Vec::new(), by_class);
        known
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cell of all individuals, and how many have each class value.
    pub(crate) fn root(&self) -> (Range<u32>, Vec<u64>) {
        (0..1, self.by_class(&(0..1)))
    }

    /// The cells of the spans before any test: one for each class value that occurs, if the class is known.
    pub(crate) fn first_parts(&self, class_is_known: bool) -> Vec<(Option<u32>, Range<u32>)> {
        if !class_is_known {
            return vec![(None, 0..1)];
        }
        let by_class = self.by_class(&(0..1));
        let occurs = (0..).zip(&by_class).filter(|&(_, &n)| n > 0);
        let cell = |(class, &n): (u32, &u64)| {
            let mut own = vec![0; by_class.len()];
            own[class as usize] = n;
            let number = self.state().number_of(vec![(self.class.0, one(class))], own);
            (Some(class), number..number + 1)
        };
        occurs.map(cell).collect()
    }

    /// The individuals of a cell by class.
    pub(crate) fn by_class(&self, part: &Range<u32>) -> Vec<u64> {
        if part.is_empty() {
            return vec![0; self.class.1];
        }
        self.state().cells[part.start as usize].by_class.clone()
    }

    /// The number of individuals of a cell.
    pub(crate) fn size(&self, part: &Range<u32>) -> u64 {
        self.by_class(part).iter().sum()
    }

    /// The counts of an attribute by class in a cell; none if they are not known yet.
    pub(crate) fn counts(&self, part: &Range<u32>, attribute: &Attribute<'_>) -> Option<Arc<Histogram>> {
        self.found(part, attribute, By::Class, self.class.1)
    }

    /// The counts of an attribute by classes of another one's codes, which are so many.
    pub(crate) fn counts_by(
        &self,
        part: &Range<u32>,
        attribute: &Attribute<'_>,
        other: &Attribute<'_>,
        (of_code, classes): (&[u32], usize),
    ) -> Option<Arc<Histogram>> {
        self.found(part, attribute, By::Classes(other.place, of_code.into(), classes), classes)
    }

    fn found(
        &self,
        part: &Range<u32>,
        attribute: &Attribute<'_>,
        by: By,
        labels: usize,
    ) -> Option<Arc<Histogram>> {
        if part.is_empty() {
            return Some(Arc::new(Histogram::empty(labels)));
        }
        let codes = attribute.column.code_count();
        let question = Question { cell: part.start, column: attribute.place, codes, by };
        let mut state = self.state();
        let found = state.found.get(&question).cloned();
        if found.is_none() && state.is_wanted.insert(question.clone()) {
            state.wanted.push(question);
        }
        found
    }

    /// The cells of the branches of a split of a cell, whose counts are known.
    pub(crate) fn divide(
        &self,
        part: &Range<u32>,
        attribute: &Attribute<'_>,
        split: &Split,
    ) -> Vec<Range<u32>> {
        let Some(counts) = self.counts(part, attribute).filter(|_| !part.is_empty()) else {
            return vec![part.start..part.start; split.branches as usize];
        };
        let by_branch = counts.by_branch(&split.branch_of_code, split.branches);
        let mut state = self.state();
        let parts = (0..).zip(by_branch.chunks_exact(self.class.1)).map(|(branch, by_class)| {
            if by_class.iter().all(|&n| n == 0) {
                return part.start..part.start;
            }
            let tests = behind(&state.cells[part.start as usize].tests, attribute.place, split, branch);
            let number = state.number_of(tests, by_class.to_vec());
            number..number + 1
        });
        parts.collect()
    }

    /// What was looked up since the last time and is not known.
    pub(crate) fn wanted(&self) -> Vec<Wanted> {
        let state = self.state();
        let wanted = |question: &Question| {
            let tests = &state.cells[question.cell as usize].tests;
            let test = |(column, codes): &(usize, Codes)| CellTest {
                column: *column,
                codes: self.codes_of(*column, codes),
            };
            let by = match &question.by {
                By::Class => CountedBy::Values(self.class.0),
                By::Classes(column, of_code, _) => match self.binned(*column) {
                    Some(bins) => {
                        let of_code = bins.iter().map(|&bin| of_code[bin as usize]);
                        CountedBy::Classes(*column, of_code.collect())
                    }
                    None => CountedBy::Classes(*column, Arc::clone(of_code)),
                },
            };
            Wanted {
                cell: question.cell,
                tests: tests.iter().map(test).collect(),
                of: self.values(question.column),
                by,
            }
        };
        state.wanted.iter().map(wanted).collect()
    }

    /// The values of a column, or its bins.
    fn values(&self, column: usize) -> CountedBy {
        match self.binned(column) {
            Some(bins) => CountedBy::Classes(column, Arc::clone(bins)),
            None => CountedBy::Values(column),
        }
    }

    fn binned(&self, column: usize) -> Option<&Arc<[u32]>> {
        self.bins.get(column)?.as_ref()
    }

    /// Ranges of codes of the source.
    fn codes_of(&self, column: usize, codes: &Codes) -> Codes {
        let Some(bins) = self.binned(column) else { return codes.clone() };
        let end = |code: u32| bins.partition_point(|&bin| bin < code) as u32;
        codes.iter().map(|codes| end(codes.start)..end(codes.end)).collect()
    }

    /// Learns the answers to everything that was wanted.
    ///
    /// # Errors
    /// When they do not agree with what is known.
    pub(crate) fn learn(&self, answers: Vec<Vec<CountedValue>>) -> Result<()> {
        let mut state = self.state();
        let wanted = std::mem::take(&mut state.wanted);
        state.is_wanted.clear();
        if answers.len() != wanted.len() {
            return Err(changed());
        }
        for (question, answer) in wanted.into_iter().zip(answers) {
            let labels = match &question.by {
                By::Class => self.class.1,
                By::Classes(_, _, labels) => *labels,
            };
            let is_in = |value: &CountedValue| {
                (value.code as usize) < question.codes && (value.label as usize) < labels
            };
            if !answer.iter().all(is_in) {
                return Err(changed());
            }
            let cells = answer.iter().map(|value| ((value.code, value.label), value.individuals));
            let counts = Histogram::of_cells(cells.collect(), labels);
            let mut together = Vec::new();
            counts.append_together(&mut together);
            let expected = &state.cells[question.cell as usize].by_class;
            let agrees = match &question.by {
                By::Class => together == *expected,
                By::Classes(..) => together.iter().sum::<u64>() == expected.iter().sum(),
            };
            if !agrees {
                return Err(changed());
            }
            state.found.insert(question, Arc::new(counts));
        }
        Ok(())
    }
}

impl State {
    fn number_of(&mut self, tests: Tests, by_class: Vec<u64>) -> u32 {
        if let Some(&number) = self.number.get(&tests) {
            return number;
        }
        let number = self.cells.len() as u32;
        self.number.insert(tests.clone(), number);
        self.cells.push(Cell { tests, by_class });
        number
    }
}

/// One code.
fn one(code: u32) -> Codes {
    std::iter::once(code..code + 1).collect()
}

/// The tests of a cell with the codes of a branch.
fn behind(tests: &Tests, column: usize, split: &Split, branch: u32) -> Tests {
    let mut tests = tests.clone();
    let all = 0..split.branch_of_code.len() as u32;
    let place = tests.partition_point(|(other, _)| *other < column);
    if tests.get(place).is_none_or(|(other, _)| *other != column) {
        tests.insert(place, (column, std::iter::once(all.clone()).collect()));
    }
    let mut left = Codes::new();
    let codes = tests[place].1.iter().cloned().flatten();
    for code in codes.filter(|&code| split.branch_of_code[code as usize] == branch) {
        match left.last_mut() {
            Some(last) if last.end == code => last.end += 1,
            _ => left.push(code..code + 1),
        }
    }
    if left == [all] {
        tests.remove(place);
    } else {
        tests[place].1 = left;
    }
    tests
}
