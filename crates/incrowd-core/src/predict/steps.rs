//! A tree prepared to route the rows of one table.

use crate::error::Result;
use crate::model::{ModelAttribute, Node, Split, Test, Tree};
use crate::span::bind::{domain_codes, not_numeric};
use crate::table::{Column, Table};
use std::sync::Arc;

/// Where a row goes that goes nowhere.
const STOP: u32 = u32::MAX;

/// What is done at each node.
pub(super) struct Steps<'a> {
    steps: Vec<Step<'a>>,
}

enum Step<'a> {
    /// Here a row ends.
    End,
    /// By number: branch i takes codes below cut i and not below the cut before.
    Numbers { column: &'a Column, cuts: Vec<u32>, children: &'a [u32], missing: u32 },
    /// By value: the place of each code's value among the test's values, the last places for none of them and for a
    /// missing one.
    Values { column: &'a Column, place_of_code: Arc<Vec<u32>>, child_of_place: Vec<u32> },
}

impl<'a> Steps<'a> {
    pub(super) fn new(table: &'a Table, tree: &'a Tree) -> Result<Self> {
        let mut places: Vec<Option<Arc<Vec<u32>>>> = vec![None; tree.attributes().len()];
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
        match self {
            Self::End => STOP,
            Self::Numbers { column, cuts, children, missing } => {
                let code = column.code(row);
                if code == column.missing_code() {
                    return *missing;
                }
                children[cuts.partition_point(|&cut| cut <= code)]
            }
            Self::Values { column, place_of_code, child_of_place } => {
                child_of_place[place_of_code[column.code(row) as usize] as usize]
            }
        }
    }
}

fn by_number<'a>(test: &'a Test, thresholds: &[f64], column: &'a Column) -> Result<Step<'a>> {
    let numbers = column.values().numbers().ok_or_else(|| not_numeric(column))?;
    let cut = |&threshold: &f64| numbers.partition_point(|&number| number <= threshold) as u32;
    let cuts = thresholds.iter().map(cut).collect();
    Ok(Step::Numbers { column, cuts, children: &test.children, missing: child(test, test.missing_branch()) })
}

fn by_value<'a>(
    test: &'a Test,
    of_value: &[Option<u32>],
    column: &'a Column,
    place_of_code: Arc<Vec<u32>>,
) -> Step<'a> {
    let routes = of_value.iter().map(|own| own.or(test.otherwise));
    let routes = routes.chain([test.otherwise, test.missing_branch()]);
    let child_of_place = routes.map(|branch| child(test, branch)).collect();
    Step::Values { column, place_of_code, child_of_place }
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

fn child(test: &Test, branch: Option<u32>) -> u32 {
    branch.map_or(STOP, |branch| test.children[branch as usize])
}
