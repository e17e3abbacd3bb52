//! Binding a model to a table: which branch each code of a column takes, and which cells a private attribute falls
//! into.

use super::allowance::Allowance;
use super::possible::Possible;
use super::{Interval, occurring_first};
use crate::error::{Error, Result};
use crate::model::{Domain, ModelAttribute, Split, Test};
use crate::table::{Column, Values};

/// A code without a branch.
pub(super) const NOWHERE: u32 = u32::MAX;

/// For each value of a column its place in an attribute's domain, computed once for all tests of the attribute.
pub(super) struct Places(Vec<Option<u32>>);

impl Places {
    pub(super) fn new(attribute: &ModelAttribute, column: &Column) -> Self {
        Self(domain_codes(&attribute.domain, column.values()))
    }
}

/// The branch each code of `column` takes at a test, a missing value's last; fails if a code that occurs has none.
pub(super) fn branches(test: &Test, places: &Places, column: &Column) -> Result<Vec<u32>> {
    let otherwise = test.otherwise.unwrap_or(NOWHERE);
    let mut of_code: Vec<u32> = match (&test.split, column.values()) {
        (Split::Thresholds(thresholds), Values::Numeric(numbers)) => {
            numbers.iter().map(|&number| Test::branch_of_number(thresholds, number)).collect()
        }
        (Split::Values(of_value), _) => {
            let branch = |value: &Option<u32>| value.and_then(|v| of_value[v as usize]).unwrap_or(otherwise);
            places.0.iter().map(branch).collect()
        }
        (Split::Thresholds(_), _) => return Err(not_numeric(column)),
    };
    of_code.push(test.missing_branch().unwrap_or(NOWHERE));
    if of_code.contains(&NOWHERE) && column.codes().iter().any(|code| of_code[code as usize] == NOWHERE) {
        return Err(outside(column.name()));
    }
    Ok(of_code)
}

/// The branch that a code of `column` takes at a test, as [`branches`] has it for all codes.
pub(super) fn branch_of_code(test: &Test, places: &Places, column: &Column, code: u32) -> Option<u32> {
    if code == column.missing_code() {
        return test.missing_branch();
    }
    match (&test.split, column.values()) {
        (Split::Thresholds(thresholds), Values::Numeric(numbers)) => {
            Some(Test::branch_of_number(thresholds, numbers[code as usize]))
        }
        (Split::Values(of_value), _) => {
            places.0[code as usize].and_then(|value| of_value[value as usize]).or(test.otherwise)
        }
        (Split::Thresholds(_), _) => None,
    }
}

/// For each value of a column its place in the attribute's declared domain.
pub(crate) fn domain_codes(domain: &Domain, values: &Values) -> Vec<Option<u32>> {
    let Domain::Values(domain) = domain else { return vec![None; values.len()] };
    let place: hashbrown::HashMap<&str, u32> = domain.iter().map(String::as_str).zip(0..).collect();
    let number: hashbrown::HashMap<u64, u32> = match values {
        Values::Numeric(_) => domain.iter().zip(0..).filter_map(|(v, i)| Some((parse_bits(v)?, i))).collect(),
        Values::Categorical(_) | Values::Ordered(_) => hashbrown::HashMap::new(),
    };
    (0..values.len())
        .map(|code| match values {
            Values::Numeric(numbers) => number.get(&numbers[code].to_bits()).copied(),
            Values::Categorical(_) | Values::Ordered(_) => place.get(values.text(code).as_ref()).copied(),
        })
        .collect()
}

pub(super) fn parse_bits(text: &str) -> Option<u64> {
    text.trim().parse::<f64>().ok().map(|number| (number + 0.0).to_bits())
}

/// The elementary cells of a private attribute: sets of values that no single test of the tree distinguishes.
pub(super) struct CellMap {
    /// For each cell and test the branch it takes, by node number; [`CellMap::OUTSIDE`] where it has none.
    branch: hashbrown::HashMap<u32, Vec<u32>>,
    /// The number of cells.
    pub(super) cells: usize,
    /// The cell of each code of the column, [`CellMap::OUTSIDE`] if its value is not possible.
    pub(super) cell_of_code: Vec<u32>,
    /// The cells from the lowest value to the highest.
    pub(super) order: Vec<u32>,
    /// For each cell of numbers the numbers in it, if cells are intervals.
    pub(super) intervals: Vec<Interval>,
}

impl CellMap {
    /// A value outside the domain.
    pub(super) const OUTSIDE: u32 = u32::MAX;

    /// The cells of one attribute of a tree, for the tests of it (by node number).
    pub(super) fn new(
        possible: &Possible,
        tests: &[(u32, &Test)],
        column: &Column,
        allowance: &Allowance,
    ) -> Result<Self> {
        let cells = match &possible.attribute.domain {
            Domain::Values(_) => possible.values(),
            Domain::Numbers { .. } => {
                let cuts = tests.iter().flat_map(|(_, test)| thresholds(test));
                cuts.map(|cut| cut.to_bits()).collect::<hashbrown::HashSet<u64>>().len()
            }
        };
        take(cells, tests, column, allowance)?;
        match possible.attribute.domain {
            Domain::Values(_) => Ok(Self::of_values(possible, tests, column)),
            Domain::Numbers { low, high } => Self::of_numbers(possible, (low, high), tests, column),
        }
    }

    /// The branch each cell takes at a test.
    pub(super) fn branches(&self, node: u32) -> &[u32] {
        &self.branch[&node]
    }

    /// The cells of an attribute in a relation: the values that occur, `codes`, each for itself.
    pub(super) fn of_codes(
        attribute: &ModelAttribute,
        codes: &[u32],
        tests: &[(u32, &Test)],
        column: &Column,
        allowance: &Allowance,
    ) -> Result<Self> {
        take(codes.len(), tests, column, allowance)?;
        let places = Places::new(attribute, column);
        let mut branch = hashbrown::HashMap::new();
        for &(node, test) in tests {
            let of_code = branches(test, &places, column)?;
            branch.insert(node, codes.iter().map(|&code| of_code[code as usize]).collect());
        }
        let mut cell_of_code = vec![Self::OUTSIDE; column.values().len() + 1];
        (0..).zip(codes).for_each(|(cell, &code)| cell_of_code[code as usize] = cell);
        let order = (0..codes.len() as u32).collect();
        Ok(Self { branch, cells: codes.len(), cell_of_code, order, intervals: Vec::new() })
    }

    fn of_values(possible: &Possible, tests: &[(u32, &Test)], column: &Column) -> Self {
        let branch_of = |test: &Test| -> Vec<u32> {
            let Split::Values(of_value) = &test.split else { return Vec::new() };
            // What the release does not list goes where it sends all others.
            let own = |cell: usize| of_value.get(cell).copied().flatten().or(test.otherwise);
            let missing = possible.attribute.missing.then(|| test.missing_branch());
            let values = (0..possible.values() - usize::from(missing.is_some())).map(own);
            values.chain(missing).map(|branch| branch.unwrap_or(NOWHERE)).collect()
        };
        let branch = tests.iter().map(|&(node, test)| (node, branch_of(test))).collect();
        let (cell_of_code, order) = (possible.cell_of_code(column), possible.order(column));
        Self { branch, cells: possible.values(), cell_of_code, order, intervals: Vec::new() }
    }

    /// Intervals between thresholds, of those that contain a possible number.
    fn of_numbers(
        possible: &Possible,
        (low, high): (f64, f64),
        tests: &[(u32, &Test)],
        column: &Column,
    ) -> Result<Self> {
        let Values::Numeric(numbers) = column.values() else { return Err(not_numeric(column)) };
        let mut cuts: Vec<f64> = tests.iter().flat_map(|(_, test)| thresholds(test)).copied().collect();
        // Whole numbers are at most a threshold iff they are at most the whole number below it; so every cell has one.
        if possible.whole {
            cuts.iter_mut().for_each(|cut| *cut = cut.floor());
        }
        cuts.sort_unstable_by(f64::total_cmp);
        cuts.dedup();
        // Every number of an interval takes the same branch; its upper end represents it.
        let ends: Vec<f64> = cuts.iter().copied().chain([f64::INFINITY]).collect();
        let starts = [f64::NEG_INFINITY].into_iter().chain(cuts.iter().copied());
        let mut number = vec![Self::OUTSIDE; ends.len()];
        let (mut kept, mut intervals) = (Vec::new(), Vec::new());
        // Of real numbers, the lowest possible one is above the number before it.
        let below = if possible.whole { low - 1.0 } else { low.next_down() };
        for (place, (start, &end)) in starts.zip(&ends).enumerate() {
            let holds = |point: &f64| start < *point && *point <= end;
            let touches = low <= high && low <= end && (start < high || start == f64::NEG_INFINITY);
            if touches || possible.points.iter().any(holds) {
                number[place] = kept.len() as u32;
                kept.push(end);
                intervals.push(Interval { start: start.max(below), end: end.min(high) });
            }
        }
        let missing = possible.attribute.missing;
        let inside = |x: f64| (low <= x && x <= high) || possible.points.contains(&x);
        let cell_of = |&x: &f64| {
            if inside(x) { number[Test::branch_of_number(&cuts, x) as usize] } else { Self::OUTSIDE }
        };
        let mut cell_of_code: Vec<u32> = numbers.iter().map(cell_of).collect();
        cell_of_code.push(if missing { kept.len() as u32 } else { Self::OUTSIDE });
        let branch_of = |test: &Test| -> Vec<u32> {
            let missing = missing.then(|| test.missing_branch().unwrap_or(NOWHERE));
            kept.iter().map(|&end| Test::branch_of_number(thresholds(test), end)).chain(missing).collect()
        };
        let branch = tests.iter().map(|&(node, test)| (node, branch_of(test))).collect();
        let cells = kept.len() + usize::from(missing);
        let order = occurring_first((0..cells as u32).collect(), &cell_of_code, column);
        Ok(Self { branch, cells, cell_of_code, order, intervals })
    }
}

/// Takes the bytes that the cells of an attribute's tests need: four for each cell at a test, and one for each at a
/// branch.
fn take(cells: usize, tests: &[(u32, &Test)], column: &Column, allowance: &Allowance) -> Result<()> {
    let at_cell: usize = tests.iter().map(|(_, test)| 4 + test.children.len()).sum();
    allowance.take(cells.saturating_mul(at_cell)).map_err(|error| error.of_attribute(column.name()))
}

fn thresholds(test: &Test) -> &[f64] {
    match &test.split {
        Split::Thresholds(thresholds) => thresholds,
        Split::Values(_) => &[],
    }
}

pub(crate) fn not_numeric(column: &Column) -> Error {
    Error::input("this attribute is numeric in the release and not in the table")
        .of_attribute(column.name())
        .help("set `kind = \"numeric\"` in the policy, or check that the release belongs to this table")
}

pub(super) fn outside(name: &str) -> Error {
    Error::input("the table contains a value that is not in the domain declared by the release")
        .of_attribute(name)
        .help("check that the release was made from this table, and how missing values are read")
}

/// A release that has no place for a value that an attacker considers possible.
pub(super) fn not_total(name: &str) -> Error {
    Error::input("the release has no branch for a value that is possible")
        .of_attribute(name)
        .help("a test needs a branch for values it does not list, or the release must list all values of the policy and the table")
}
