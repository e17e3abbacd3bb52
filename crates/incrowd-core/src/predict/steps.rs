//! A tree prepared to route the rows of one table.

use crate::error::Result;
use crate::group::{Descent, Divided, in_many, in_two};
use crate::model::{ModelAttribute, Node, Split, Test, Tree};
use crate::span::bind::{domain_codes, not_numeric};
use crate::table::{Code, Column, Table};
use crate::with_codes;
use std::sync::Arc;

/// The branch of a row that goes nowhere, and the node it goes to.
const STOP: u32 = u32::MAX;

/// What is done at each node.
pub(super) struct Steps<'a> {
    steps: Vec<Step<'a>>,
}

enum Step<'a> {
    /// Here a row ends.
    End,
    /// By one cut: codes below it go to the first child, others to the second. No code is that of missing values.
    Cut { column: &'a Column, cut: u32, children: [u32; 2] },
    /// By number: branch i takes codes below cut i and not below the cut before.
    Numbers { column: &'a Column, cuts: Vec<u32>, children: &'a [u32], missing: u32 },
    /// By value: the place of each code's value among the test's values, the last places for none of them and for a
    /// missing one.
    Values {
        column: &'a Column,
        place_of_code: Arc<Vec<u32>>,
        branch_of_place: Vec<u32>,
        children: &'a [u32],
    },
}

/// For each attribute the place of each code's value in its domain, if it has been looked up: the trees of an ensemble
/// share their attributes.
#[derive(Default)]
pub(super) struct KnownPlaces(Vec<Option<Arc<Vec<u32>>>>);

impl<'a> Steps<'a> {
    pub(super) fn new(table: &'a Table, tree: &'a Tree) -> Result<Self> {
        Self::of_member(table, tree, &mut KnownPlaces::default())
    }

    /// The same for a tree whose attributes are those of other trees.
    pub(super) fn of_member(table: &'a Table, tree: &'a Tree, places: &mut KnownPlaces) -> Result<Self> {
        let places = &mut places.0;
        places.resize(tree.attributes().len(), None);
        let mut steps = Vec::with_capacity(tree.nodes().len());
        for node in tree.nodes() {
            steps.push(match node {
                Node::Leaf(_) => Step::End,
                Node::Test(test) => {
                    let attribute = &tree.attributes()[test.attribute];
                    let column = table.require(&attribute.name)?;
                    match &test.split {
                        Split::Thresholds(thresholds) => by_number(test, thresholds, column)?,
                        Split::Values(of_value) => {
                            let place = places[test.attribute]
                                .get_or_insert_with(|| Arc::new(place_of_code(attribute, column)));
                            by_value(test, of_value, column, place.clone())
                        }
                    }
                }
            });
        }
        Ok(Self { steps })
    }

    /// Writes down the node that each of some consecutive rows ends in.
    pub(super) fn ends(&self, descent: &mut Descent, from: usize, ends: &mut [u32]) {
        descent.run(ends, |node, rows, scratch| match &self.steps[node as usize] {
            Step::End => Divided::End,
            Step::Cut { column, cut, children } => with_codes!(column.codes(), codes => {
                let goes = |row: u32| codes[from + row as usize].wide() >= *cut;
                Divided::Two(*children, in_two(rows, scratch, goes))
            }),
            Step::Values { column, place_of_code, branch_of_place, children: [one, two] }
                if !branch_of_place.contains(&STOP) =>
            {
                with_codes!(column.codes(), codes => {
                    let goes = |row: u32| {
                        let place = place_of_code[codes[from + row as usize].wide() as usize];
                        branch_of_place[place as usize] == 1
                    };
                    Divided::Two([*one, *two], in_two(rows, scratch, goes))
                })
            }
            step @ (Step::Numbers { children, .. } | Step::Values { children, .. }) => {
                let nowhere = children.len() as u32;
                let branch = |row: u32| step.branch(from + row as usize).min(nowhere);
                Divided::Many(children, in_many(rows, scratch, branch, children.len() + 1))
            }
        });
    }

    /// The node a row ends in.
    pub(super) fn end(&self, row: usize) -> u32 {
        let mut node = 0;
        loop {
            match self.steps[node as usize].next(row) {
                STOP => return node,
                next => node = next,
            }
        }
    }
}

impl Step<'_> {
    fn next(&self, row: usize) -> u32 {
        let children: &[u32] = match self {
            Self::End => return STOP,
            Self::Cut { children, .. } => children,
            Self::Numbers { children, .. } | Self::Values { children, .. } => children,
        };
        children.get(self.branch(row) as usize).copied().unwrap_or(STOP)
    }

    /// The branch of a row, [`STOP`] if it takes none.
    #[inline]
    fn branch(&self, row: usize) -> u32 {
        match self {
            Self::End => STOP,
            Self::Cut { column, cut, .. } => u32::from(column.code(row) >= *cut),
            Self::Numbers { column, cuts, missing, .. } => {
                let code = column.code(row);
                if code == column.missing_code() {
                    return *missing;
                }
                cuts.partition_point(|&cut| cut <= code) as u32
            }
            Self::Values { column, place_of_code, branch_of_place, .. } => {
                branch_of_place[place_of_code[column.code(row) as usize] as usize]
            }
        }
    }
}

fn by_number<'a>(test: &'a Test, thresholds: &[f64], column: &'a Column) -> Result<Step<'a>> {
    let numbers = column.values().numbers().ok_or_else(|| not_numeric(column))?;
    let cut = |&threshold: &f64| numbers.partition_point(|&number| number <= threshold) as u32;
    let cuts: Vec<u32> = thresholds.iter().map(cut).collect();
    if let ([cut], [one, two, ..], false) = (&*cuts, &*test.children, column.has_missing()) {
        return Ok(Step::Cut { column, cut: *cut, children: [*one, *two] });
    }
    Ok(Step::Numbers {
        column,
        cuts,
        children: &test.children,
        missing: test.missing_branch().unwrap_or(STOP),
    })
}

fn by_value<'a>(
    test: &'a Test,
    of_value: &[Option<u32>],
    column: &'a Column,
    place_of_code: Arc<Vec<u32>>,
) -> Step<'a> {
    let routes = of_value.iter().map(|own| own.or(test.otherwise));
    let routes = routes.chain([test.otherwise, test.missing_branch()]);
    let branch_of_place = routes.map(|branch| branch.unwrap_or(STOP)).collect();
    Step::Values { column, place_of_code, branch_of_place, children: &test.children }
}

/// The place of each code's value in the attribute's domain; one past the last for other values, two for a missing one.
fn place_of_code(attribute: &ModelAttribute, column: &Column) -> Vec<u32> {
    let none = match &attribute.domain {
        crate::model::Domain::Values(values) => values.len() as u32,
        crate::model::Domain::Numbers { .. } => 0,
    };
    let places = domain_codes(&attribute.domain, column.values());
    places.into_iter().map(|place| place.unwrap_or(none)).chain([none + 1]).collect()
}
