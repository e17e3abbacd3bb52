//! What a release prints of its attributes: names of values and numbers.

use super::super::ReleasedTable;
use crate::model::{CellTree, CellValue, Domain, Model, ModelAttribute, Node, Split, Tree};
use crate::policy::Policy;
use crate::recoding::{AttributeLegend, Representatives};
use crate::table::{Column, Date, Kind};
use std::collections::BTreeMap;

/// What a release prints of an attribute.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in super::super) struct Printed {
    pub(super) name: String,
    pub(super) texts: Vec<String>,
    pub(super) numbers: Vec<f64>,
    /// The thresholds of tests, which are among the numbers as well: numbers up to one are told from higher ones.
    pub(super) cuts: Vec<f64>,
    /// Whether it has dates.
    pub(super) dates: bool,
    /// Whether its values are unknown: it is released, and was not read.
    pub(super) unread: bool,
}

/// What a model prints.
pub(in super::super) fn of_model(model: &Model) -> Vec<Printed> {
    let mut all = Collection::default();
    model.trees().into_iter().for_each(|tree| all.of_tree(tree));
    match model {
        Model::Tree(tree) => all.of_class(&tree.class().name, &tree.class().values),
        Model::Ensemble(ensemble) => {
            all.of_class(&ensemble.class().name, &ensemble.class().values);
            ensemble.cells().into_iter().for_each(|cells| all.of_cells(cells));
        }
        Model::Clusters(clusters) => {
            let mut place = 0;
            for axis in clusters.axes() {
                let own = all.entry(&axis.name, axis.dates);
                own.texts.extend(axis.names().iter().cloned());
                if axis.names().is_empty() {
                    own.numbers.extend(clusters.centroids().iter().map(|centroid| centroid.center[place]));
                }
                place += axis.width();
            }
        }
        Model::Rules(rules) => rules.attributes().iter().for_each(|attribute| all.of_attribute(attribute)),
    }
    all.0.into_values().collect()
}

/// What a table prints.
pub(in super::super) fn of_columns(released: &ReleasedTable<'_>, policy: &Policy) -> Vec<Printed> {
    let of = |name: &str| {
        let Some(column) = released.table.column(name) else {
            return Printed { name: name.to_owned(), unread: true, ..Printed::default() };
        };
        let is_date = policy.attribute(name).is_some_and(|own| own.kind == Some(Kind::Date));
        of_column(column, is_date || column.is_in_days() || column.kind() == Kind::Date)
    };
    let mut all: Vec<Printed> = released.names().map(of).collect();
    for legend in released.legend.iter().flat_map(|legend| &legend.attributes) {
        let known = all.iter_mut().find(|own| own.name == legend.name);
        add_legend(known, legend);
    }
    all
}

/// Adds what a release file prints about the cells of a column.
fn add_legend(printed: Option<&mut Printed>, legend: &AttributeLegend) {
    let Some(printed) = printed else { return };
    let is_date = legend.kind == Kind::Date || printed.dates;
    let mut numbers = Vec::new();
    for (cell, extent) in &legend.cells {
        printed.texts.push(cell.clone());
        printed.texts.extend(extent.names.iter().cloned());
        let bounds = extent.ranges.iter().flat_map(|range| [range.low, range.high]).flatten();
        numbers.extend(bounds.filter(|day| !is_date || !is_turn_of_year(*day)));
    }
    match &legend.representatives {
        Some(Representatives::Numbers(means)) => numbers.extend(means.iter().flatten()),
        Some(Representatives::Names(names)) => printed.texts.extend(names.iter().flatten().cloned()),
        None => {}
    }
    if is_date {
        // A day, or the mean of some, says more than a year.
        printed.texts.extend(numbers.into_iter().map(Date::text_of_days));
    } else {
        printed.numbers.extend(numbers);
    }
}

/// Whether a number of days is the first or the last day of a year.
fn is_turn_of_year(day: f64) -> bool {
    let text = Date::text_of_days(day);
    day.fract() == 0.0 && (text.ends_with("-01-01") || text.ends_with("-12-31"))
}

pub(super) fn of_column(column: &Column, dates: bool) -> Printed {
    let mut occurs = vec![false; column.code_count()];
    column.codes().iter().for_each(|code| occurs[code as usize] = true);
    let codes = (0..column.values().len()).filter(|&code| occurs[code]);
    let numbers = column.values().numbers();
    let mut printed = Printed { name: column.name().to_owned(), dates, ..Printed::default() };
    for code in codes {
        match numbers {
            Some(numbers) => printed.numbers.push(numbers[code]),
            None => printed.texts.push(column.values().text(code).into_owned()),
        }
    }
    printed
}

/// What is printed, by attribute.
#[derive(Default)]
struct Collection(BTreeMap<String, Printed>);

impl Collection {
    fn entry(&mut self, name: &str, dates: bool) -> &mut Printed {
        let new = || Printed { name: name.to_owned(), ..Printed::default() };
        let own = self.0.entry(name.to_owned()).or_insert_with(new);
        own.dates |= dates;
        own
    }

    fn of_attribute(&mut self, attribute: &ModelAttribute) {
        let own = self.entry(&attribute.name, attribute.dates);
        if let Domain::Values(names) = &attribute.domain {
            own.texts.extend(names.iter().cloned());
        }
    }

    fn of_class(&mut self, name: &str, values: &[String]) {
        self.entry(name, false).texts.extend(values.iter().cloned());
    }

    fn of_tree(&mut self, tree: &Tree) {
        tree.attributes().iter().for_each(|attribute| self.of_attribute(attribute));
        for node in tree.nodes() {
            if let Node::Test(test) = node
                && let Split::Thresholds(thresholds) = &test.split
            {
                let attribute = &tree.attributes()[test.attribute];
                let own = self.entry(&attribute.name, attribute.dates);
                own.numbers.extend(thresholds);
                own.cuts.extend(thresholds);
            }
        }
    }

    /// What stands for cells, and the tests that make them.
    fn of_cells(&mut self, cells: &CellTree) {
        self.of_tree(cells.tree());
        for (place, attribute) in cells.attributes().iter().enumerate() {
            self.of_attribute(attribute);
            let numbers = cells.values().iter().filter_map(|values| match values.get(place) {
                Some(CellValue::Number(number)) => Some(*number),
                _ => None,
            });
            let numbers: Vec<f64> = numbers.collect();
            self.entry(&attribute.name, attribute.dates).numbers.extend(numbers);
        }
    }
}
