//! Binding a model to a table: which branch each code of a column takes, and which cells a private attribute falls into.

use crate::error::{Error, Result};
use crate::model::{Domain, ModelAttribute, Split, Test, Tree};
use crate::table::{Column, Values};

/// A code without a branch.
const NOWHERE: u32 = u32::MAX;

/// The branch each code of `column` takes at a test; fails if a code that occurs has none.
pub(super) fn branches(test: &Test, attribute: &ModelAttribute, column: &Column) -> Result<Vec<u32>> {
    let otherwise = test.otherwise.unwrap_or(NOWHERE);
    let mut of_code: Vec<u32> = match (&test.split, column.values()) {
        (Split::Thresholds(thresholds), Values::Numeric(numbers)) => {
            numbers.iter().map(|&number| Test::branch_of_number(thresholds, number)).collect()
        }
        (Split::Values(of_value), values) => {
            let domain = domain_codes(&attribute.domain, values);
            let branch = |value: Option<u32>| value.and_then(|v| of_value[v as usize]).unwrap_or(otherwise);
            domain.into_iter().map(branch).collect()
        }
        (Split::Thresholds(_), _) => return Err(not_numeric(column)),
    };
    of_code.push(test.missing_branch().unwrap_or(NOWHERE));
    if of_code.contains(&NOWHERE) && column.codes().iter().any(|code| of_code[code as usize] == NOWHERE) {
        return Err(outside(column.name()));
    }
    Ok(of_code)
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

/// The cells of a domain, `cells` in all, from the lowest to the highest value as the column orders them. A release may list
/// values in any order, but the distance of two ordered values is the column's to say; values it does not have come last.
pub(super) fn cell_order(attribute: &ModelAttribute, column: &Column, cells: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..cells as u32).collect();
    let Domain::Values(domain) = &attribute.domain else { return order };
    let rank = |cell: &u32| match (domain.get(*cell as usize), column.values()) {
        (None, _) => f64::INFINITY,
        (Some(name), Values::Numeric(_)) => {
            name.trim().parse().ok().filter(|n: &f64| n.is_finite()).unwrap_or(f64::MAX)
        }
        (Some(name), values) => values.find(name).map_or(f64::MAX, f64::from),
    };
    order.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    order
}

fn parse_bits(text: &str) -> Option<u64> {
    text.trim().parse::<f64>().ok().map(|number| (number + 0.0).to_bits())
}

/// The elementary cells of a private attribute: sets of values that no test of the tree tells apart by itself.
pub(super) struct CellMap {
    /// For each cell and test the branch it takes, by node number.
    branch: hashbrown::HashMap<u32, Vec<u32>>,
    /// How many cells there are.
    pub(super) cells: usize,
    /// The cell of each code of the column, [`CellMap::OUTSIDE`] if its value is not in the domain.
    pub(super) cell_of_code: Vec<u32>,
}

impl CellMap {
    /// A value outside the declared domain.
    pub(super) const OUTSIDE: u32 = u32::MAX;

    /// The cells of one attribute of a tree, for the tests that ask it (by node number). If only whole numbers are possible, each
    /// cell of numbers has one.
    pub(super) fn new(
        tree: &Tree,
        attribute: usize,
        tests: &[(u32, &Test)],
        column: &Column,
        whole: bool,
    ) -> Result<Self> {
        let attribute = &tree.attributes()[attribute];
        match &attribute.domain {
            Domain::Values(values) => Ok(Self::of_values(attribute, values.len(), tests, column)),
            Domain::Numbers { low, high } => {
                let range = if whole { (low.ceil(), high.floor()) } else { (*low, *high) };
                Self::of_numbers(attribute, range, tests, column, whole)
            }
        }
    }

    /// The branch a cell takes at a test.
    pub(super) fn branch(&self, node: u32, cell: usize) -> u32 {
        self.branch[&node][cell]
    }

    fn of_values(attribute: &ModelAttribute, values: usize, tests: &[(u32, &Test)], column: &Column) -> Self {
        let branch_of = |test: &Test| -> Vec<u32> {
            let Split::Values(of_value) = &test.split else { return Vec::new() };
            let otherwise = test.otherwise.unwrap_or(NOWHERE);
            let missing = attribute.missing.then(|| test.missing_branch().unwrap_or(NOWHERE));
            of_value.iter().map(|branch| branch.unwrap_or(otherwise)).chain(missing).collect()
        };
        let branch = tests.iter().map(|&(node, test)| (node, branch_of(test))).collect();
        let mut cell_of_code: Vec<u32> = domain_codes(&attribute.domain, column.values())
            .into_iter()
            .map(|v| v.unwrap_or(Self::OUTSIDE))
            .collect();
        cell_of_code.push(if attribute.missing { values as u32 } else { Self::OUTSIDE });
        Self { branch, cells: values + usize::from(attribute.missing), cell_of_code }
    }

    fn of_numbers(
        attribute: &ModelAttribute,
        (low, high): (f64, f64),
        tests: &[(u32, &Test)],
        column: &Column,
        whole: bool,
    ) -> Result<Self> {
        let Values::Numeric(numbers) = column.values() else { return Err(not_numeric(column)) };
        let mut cuts: Vec<f64> = tests.iter().flat_map(|(_, test)| thresholds(test)).copied().collect();
        // Whole numbers are at most a threshold iff they are at most the whole number below it; so every cell has one.
        if whole {
            cuts.iter_mut().for_each(|cut| *cut = cut.floor());
        }
        cuts.sort_unstable_by(f64::total_cmp);
        cuts.dedup();
        // Cells that the declared range does not touch cannot be reached: a cut at or above the range's end divides
        // nothing, and neither does one below its start.
        cuts.retain(|&cut| low <= cut && cut < high);
        let intervals = cuts.len() + 1;
        let cell_of = |number: f64| {
            if number < low || number > high { Self::OUTSIDE } else { Test::branch_of_number(&cuts, number) }
        };
        let mut cell_of_code: Vec<u32> = numbers.iter().map(|&number| cell_of(number)).collect();
        cell_of_code.push(if attribute.missing { intervals as u32 } else { Self::OUTSIDE });
        let branch_of = |test: &Test| -> Vec<u32> {
            // Every number of a cell takes the same branch; its upper end speaks for it.
            let ends = cuts.iter().copied().chain([high]);
            let missing = attribute.missing.then(|| test.missing_branch().unwrap_or(NOWHERE));
            ends.map(|end| Test::branch_of_number(thresholds(test), end)).chain(missing).collect()
        };
        let branch = tests.iter().map(|&(node, test)| (node, branch_of(test))).collect();
        Ok(Self { branch, cells: intervals + usize::from(attribute.missing), cell_of_code })
    }
}

fn thresholds(test: &Test) -> &[f64] {
    match &test.split {
        Split::Thresholds(thresholds) => thresholds,
        Split::Values(_) => &[],
    }
}

pub(crate) fn not_numeric(column: &Column) -> Error {
    Error::new("the release takes this attribute for numeric, the table does not")
        .of_attribute(column.name())
        .help("say `kind = \"numeric\"` in the policy, or check that the release belongs to this table")
}

pub(super) fn outside(name: &str) -> Error {
    Error::new("the table holds a value that is not in the domain the release declares")
        .of_attribute(name)
        .help("check that the release was made from this table, and how missing values are read")
}
