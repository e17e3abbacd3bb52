//! Private values that a release prints.
//!
//! A printed name can expose an individual before any linking: a diagnosis that only one patient has reveals that this
//! patient is in the table. So a release prints a private value only if the policy declares it (`values`, `order`, a
//! taxonomy given value by value) or if enough individuals have it: as many as k and the smallest bin require. Rarer
//! names take the branch for all other values. A threshold of a private number is never the value of an individual, and
//! has as many individuals on each side; in an ensemble, which has many thresholds, at least [`FEWEST_BESIDE`] or k.
//!
//! Cells of tables are checked by the same rule. A number within a declared range counts as declared there, and so do
//! intervals of such numbers and sets of declared values. `*` and missing cells reveal nothing.
//!
//! Class values are printed unchanged, since a classifier without one of them would be a different classifier; the
//! audit counts the rare ones.
//!
//! [`rare_in_model`] and [`rare_in_table`] count what breaks the rule; miners call [`Holders`], [`is_declared`] and
//! [`is_declared_cell`].

mod rare;
#[cfg(test)]
mod tests;

pub use rare::RareValues;

use crate::group::code_sizes;
use crate::guarantee::{Guarantee, Requirement};
use crate::model::{
    ABSENT, Axis, Clusters, Domain, Model, ModelAttribute, Node, PRESENT, Rule, Rules, Split, Tree,
};
use crate::policy::{Policy, Role};
use crate::span::bind::domain_codes;
use crate::span::{canonical, days_of_cell, is_interval, values_of_set};
use crate::table::{Column, Date, Kind, People, Table};
use crate::taxonomy::{ANY, MISSING, TaxonomySpec};
use hashbrown::HashSet;
use std::borrow::Cow;

/// The number of individuals who must have a private value that a release prints.
pub fn required_holders(guarantee: &Guarantee) -> u64 {
    let asked = |requirement: &Requirement| match requirement {
        Requirement::K(k) => k.k(),
        Requirement::SmallestBin(smallest) => smallest.n(),
        _ => 1,
    };
    guarantee.requirements().iter().map(asked).max().unwrap_or(1)
}

/// The number of individuals that suffices on each side of a threshold of an ensemble, if k is larger.
pub const FEWEST_BESIDE: u64 = 20;

/// The number of individuals who must be on each side of a threshold of a private number in an ensemble. k does not
/// depend on it (docs/guarantees.md), a smallest bin does.
pub fn required_beside(guarantee: &Guarantee) -> u64 {
    let asked = |requirement: &Requirement| match requirement {
        Requirement::K(k) => k.k().min(FEWEST_BESIDE),
        Requirement::SmallestBin(smallest) => smallest.n(),
        _ => 1,
    };
    guarantee.requirements().iter().map(asked).max().unwrap_or(1)
}

/// Whether the policy declares a value of an attribute.
pub fn is_declared(policy: &Policy, attribute: &str, value: &str) -> bool {
    let Some(attribute) = policy.attribute(attribute) else { return false };
    let in_taxonomy = match &attribute.taxonomy {
        Some(TaxonomySpec::Tree(tree)) => tree.values().any(|declared| declared == value),
        _ => false,
    };
    in_taxonomy || attribute.values.iter().any(|declared| declared == value)
}

/// Whether a cell of a table states no more about a private attribute than the policy: a declared value, a number of a
/// declared range, a set of either, or nothing at all.
pub fn is_declared_cell(policy: &Policy, attribute: &str, cell: &str, number: Option<f64>) -> bool {
    let declared = policy.attribute(attribute);
    let range = declared.and_then(|attribute| attribute.range);
    let is_dates = declared.is_some_and(|attribute| attribute.kind == Some(Kind::Date));
    let days = if is_dates && range.is_some() { days_of_cell(cell) } else { None };
    let cell = days.as_deref().unwrap_or(cell);
    let is_within = |number: f64| range.is_some_and(|(low, high)| low <= number && number <= high);
    // Beside cells that are sets, numbers are texts. An interval without a number of the range is refused elsewhere.
    let in_range = match number {
        Some(number) => is_within(number),
        None => range.is_some() && is_interval(cell),
    };
    let says_nothing = |text: &str| [ANY, MISSING, OTHER_VALUES].contains(&text);
    // A masked code stands for declared values only, where some are declared.
    let is_masked = |text: &str| {
        declared.is_some_and(|own| match &own.taxonomy {
            Some(TaxonomySpec::Prefix(prefix)) => !own.values.is_empty() && text.ends_with(prefix.mask()),
            _ => false,
        })
    };
    let is_declared = |text: &str| {
        is_declared(policy, attribute, text) || text.trim().parse().is_ok_and(is_within) || is_masked(text)
    };
    let is_set = || {
        let parts = declared.and_then(|attribute| values_of_set(attribute, cell));
        parts.is_some_and(|parts| parts.iter().all(|part| says_nothing(part) || is_declared(part)))
    };
    in_range || [ANY, MISSING, ""].contains(&cell) || is_declared(cell) || (cell != OTHER_VALUES && is_set())
}

/// The common name of the values of a private attribute that are not printed.
pub const OTHER_VALUES: &str = "other values";

/// The number of individuals who have each value of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holders {
    of_code: Vec<u64>,
    /// For each code the individuals whose lowest code is up to it, and those whose highest is.
    lowest_up_to: Vec<u64>,
    highest_up_to: Vec<u64>,
}

impl Holders {
    /// Counts. Takes time linear in the rows.
    pub fn new(table: &Table, column: &Column) -> Self {
        if let People::Subjects { of_row, count } = table.people() {
            return Self::of_subjects(column, of_row, *count as usize, vec![0; column.code_count()]);
        }
        let of_code = code_sizes(table, column).unwrap_or_default();
        let up_to = running_sums(&of_code[..column.values().len()]);
        Self { of_code, lowest_up_to: up_to.clone(), highest_up_to: up_to }
    }

    fn of_subjects(column: &Column, of_row: &[u32], count: usize, mut of_code: Vec<u64>) -> Self {
        let mut pairs: Vec<(u32, u32)> = column.codes().iter().zip(of_row.iter().copied()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let values = column.values().len();
        let (mut lowest, mut highest) = (vec![None; count], vec![None; count]);
        for (code, subject) in pairs {
            of_code[code as usize] += 1;
            if (code as usize) < values {
                lowest[subject as usize].get_or_insert(code);
                highest[subject as usize] = Some(code);
            }
        }
        let sums = |ends: Vec<Option<u32>>| {
            let mut counts = vec![0; values];
            ends.into_iter().flatten().for_each(|code: u32| counts[code as usize] += 1);
            running_sums(&counts)
        };
        Self { of_code, lowest_up_to: sums(lowest), highest_up_to: sums(highest) }
    }

    /// The number of individuals who have the value of a code.
    pub fn of(&self, code: u32) -> u64 {
        self.of_code[code as usize]
    }

    /// The number of individuals who have a number among the first codes, up to a given number, and how many have one
    /// behind them.
    pub fn sides(&self, codes: usize) -> (u64, u64) {
        let up_to = |sums: &[u64]| codes.checked_sub(1).map_or(0, |last| sums[last]);
        let all = self.highest_up_to.last().copied().unwrap_or(0);
        (up_to(&self.lowest_up_to), all - up_to(&self.highest_up_to))
    }
}

fn running_sums(counts: &[u64]) -> Vec<u64> {
    let add = |sum: &mut u64, &count: &u64| {
        *sum += count;
        Some(*sum)
    };
    counts.iter().scan(0, add).collect()
}

/// The number of private values that a model prints, that someone has, but fewer individuals than required, and that
/// the policy does not declare.
pub fn rare_in_model(table: &Table, policy: &Policy, model: &Model, guarantee: &Guarantee) -> RareValues {
    rare_in_columns(&[table], policy, model, guarantee)
}

/// The same, given each column of a table by itself, with the number of individuals of each value.
pub(crate) fn rare_in_columns(
    tables: &[&Table],
    policy: &Policy,
    model: &Model,
    guarantee: &Guarantee,
) -> RareValues {
    let known = policy.known();
    let required = required_holders(guarantee);
    let is_ensemble = matches!(model, Model::Ensemble(_));
    let beside = if is_ensemble { required_beside(guarantee) } else { required };
    let counter = Counter { tables, policy, known: &known, required, beside };
    match model {
        Model::Tree(_) | Model::Ensemble(_) => counter.in_trees(&model.trees()),
        Model::Clusters(clusters) => counter.in_clusters(clusters),
        Model::Rules(rules) => counter.in_rules(rules),
    }
}

/// The same for a table, whose private columns are printed unchanged, except those left out.
pub fn rare_in_table(table: &Table, policy: &Policy, left_out: &[String], required: u64) -> RareValues {
    // A table that contradicts its policy is refused elsewhere.
    let spelled = canonical(table, policy).unwrap_or(Cow::Borrowed(table));
    let table = &*spelled;
    let known = policy.known();
    let counter = Counter { tables: &[table], policy, known: &known, required, beside: required };
    let of_column = |column: &Column| {
        let holders = Holders::new(table, column);
        let values = column.values();
        let is_rare = |code: &u32| counter.is_rare(holders.of(*code));
        let is_declared_one = |code: &u32| {
            let number = values.numbers().map(|numbers| numbers[*code as usize]);
            is_declared_cell(policy, column.name(), &values.text(*code as usize), number)
        };
        let rare: Vec<u32> = (0..values.len() as u32).filter(is_rare).collect();
        let (declared, undeclared): (Vec<u32>, Vec<u32>) = rare.into_iter().partition(is_declared_one);
        let in_range = declared.iter().filter(|&&code| is_inside_range(policy, column, code)).count();
        (undeclared.len() as u64, in_range as u64)
    };
    let is_printed = |column: &&Column| {
        counter.is_private(column.name()) && !left_out.iter().any(|name| name == column.name())
    };
    let mut rare = RareValues::default();
    let printed = table.columns().iter().filter(is_printed);
    for column in printed {
        let (undeclared, in_range) = of_column(column);
        rare.add(column.name(), undeclared);
        rare.add_in_range(column.name(), in_range);
    }
    rare
}

/// Whether a value is a single number or day that only a declared range covers, and not one of its ends.
fn is_inside_range(policy: &Policy, column: &Column, code: u32) -> bool {
    let Some(attribute) = policy.attribute(column.name()) else { return false };
    let Some((low, high)) = attribute.range else { return false };
    let text = column.values().text(code as usize);
    let number = match column.values().numbers() {
        Some(numbers) => Some(numbers[code as usize]),
        None if attribute.kind == Some(Kind::Date) => {
            Date::parse(&text, None).map(|date| f64::from(date.days()))
        }
        None => text.trim().parse().ok(),
    };
    number.is_some_and(|number| low < number && number < high) && !is_declared(policy, column.name(), &text)
}

struct Counter<'a> {
    /// The table, or its columns one by one.
    tables: &'a [&'a Table],
    policy: &'a Policy,
    known: &'a [String],
    required: u64,
    /// The number of individuals required on each side of a threshold.
    beside: u64,
}

impl Counter<'_> {
    fn is_private(&self, name: &str) -> bool {
        self.policy.attribute(name).is_some_and(|attribute| attribute.role == Role::Private)
            && !self.known.iter().any(|known| known == name)
    }

    fn is_rare(&self, holders: u64) -> bool {
        holders > 0 && holders < self.required
    }

    /// The rare values of trees over the same attributes.
    fn in_trees(&self, trees: &[&Tree]) -> RareValues {
        let Some(tree) = trees.first() else { return RareValues::default() };
        let class = ModelAttribute::categorical(&tree.class().name, tree.class().values.clone());
        let mut thresholds: Vec<HashSet<u64>> = vec![HashSet::new(); tree.attributes().len()];
        for node in trees.iter().flat_map(|tree| tree.nodes()) {
            if let Node::Test(test) = node
                && let Split::Thresholds(own) = &test.split
            {
                thresholds[test.attribute].extend(own.iter().map(|threshold| threshold.to_bits()));
            }
        }
        let mut rare = RareValues::default();
        rare.add(&class.name, self.in_domain(&class.name, &class.domain, &[]));
        for (attribute, thresholds) in tree.attributes().iter().zip(&thresholds) {
            let thresholds: Vec<f64> = thresholds.iter().map(|&bits| f64::from_bits(bits)).collect();
            rare.add(&attribute.name, self.in_domain(&attribute.name, &attribute.domain, &thresholds));
        }
        rare
    }

    fn in_clusters(&self, clusters: &Clusters) -> RareValues {
        let mut rare = RareValues::default();
        let of_axis = |axis: &Axis| self.in_domain(&axis.name, &axis.domain, &[]);
        clusters.axes().iter().for_each(|axis| rare.add(&axis.name, of_axis(axis)));
        rare
    }

    fn in_rules(&self, rules: &Rules) -> RareValues {
        let used: HashSet<(usize, u32)> =
            rules.rules().iter().flat_map(Rule::items).map(|item| (item.attribute, item.value)).collect();
        let of_attribute = |(place, attribute): (usize, &ModelAttribute)| match &attribute.domain {
            // Whether a product is in a basket: the names of the two are the format's.
            Domain::Values(values) if values.iter().eq([ABSENT, PRESENT]) => {
                let used = (0..).zip(values).filter(|&(value, _)| used.contains(&(place, value)));
                let used = Domain::Values(used.map(|(_, value)| value.clone()).collect());
                self.in_domain(&attribute.name, &used, &[])
            }
            domain => self.in_domain(&attribute.name, domain, &[]),
        };
        let mut rare = RareValues::default();
        for (place, attribute) in rules.attributes().iter().enumerate() {
            rare.add(&attribute.name, of_attribute((place, attribute)));
        }
        rare
    }

    /// The rare values among the names of a domain, the ends of a range and thresholds.
    fn in_domain(&self, name: &str, domain: &Domain, thresholds: &[f64]) -> u64 {
        let mut found = self.tables.iter().filter_map(|table| Some((table, table.column(name)?)));
        let Some((table, column)) = found.next().filter(|_| self.is_private(name)) else { return 0 };
        let holders = Holders::new(table, column);
        match (domain, column.values().numbers()) {
            (Domain::Values(names), _) => {
                let codes = (0..).zip(domain_codes(domain, column.values()));
                let listed = codes.filter_map(|(code, place)| Some((code, &names[place? as usize])));
                let rare = listed.filter(|(code, _)| self.is_rare(holders.of(*code)));
                rare.filter(|(_, value)| !is_declared(self.policy, name, value)).count() as u64
            }
            (Domain::Numbers { low, high }, Some(numbers)) => {
                let range = self.policy.attribute(name).and_then(|attribute| attribute.range);
                let is = |a: f64, b: f64| (a + 0.0).total_cmp(&(b + 0.0)).is_eq();
                let declared =
                    |end: &&f64| range.is_some_and(|(low, high)| is(**end, low) || is(**end, high));
                let ends = [low, high].into_iter().filter(|end| !declared(end));
                let is_someones = |number: f64| {
                    let code = numbers.binary_search_by(|other| other.total_cmp(&(number + 0.0)));
                    code.is_ok_and(|code| self.is_rare(holders.of(code as u32)))
                };
                let parts_few = |threshold: f64| {
                    let (low, high) = holders.sides(numbers.partition_point(|&number| number <= threshold));
                    [low, high].iter().any(|&side| side > 0 && side < self.beside)
                };
                let thresholds = thresholds.iter().filter(|&&t| is_someones(t) || parts_few(t)).count();
                (ends.filter(|end| is_someones(**end)).count() + thresholds) as u64
            }
            (Domain::Numbers { .. }, None) => 0,
        }
    }
}
