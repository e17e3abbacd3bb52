//! A list of rules: the first one whose conditions an individual satisfies predicts their class.

use crate::tree::split::Split;
use crate::tree::task::Task;
use incrowd_core::model::{self, Class, Domain, ModelAttribute};
use incrowd_core::table::{Column, Table};
use incrowd_core::{Error, Result};
use rayon::prelude::*;
use std::collections::HashMap;

/// Rows worked on in one go.
const BLOCK: usize = 1 << 12;

/// Rules, tried one after the other. The last one has no conditions.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionList {
    attributes: Vec<ModelAttribute>,
    class: Class,
    rules: Vec<ListRule>,
}

/// A rule.
#[derive(Debug, Clone, PartialEq)]
pub struct ListRule {
    /// The conditions, all of which must be satisfied.
    pub conditions: Vec<Condition>,
    /// The rows that satisfy it and no rule before, by class.
    pub counts: Vec<u64>,
}

/// A condition on one attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// Which of the list's attributes.
    pub attribute: usize,
    /// What satisfies it.
    pub met: ConditionValues,
    /// Whether missing values do, and names that are not listed.
    pub otherwise: bool,
}

/// What satisfies a condition.
#[derive(Debug, Clone, PartialEq)]
pub enum ConditionValues {
    /// For each name of the attribute whether it does.
    Names(Vec<bool>),
    /// Numbers up to this one.
    UpTo(f64),
    /// Numbers above this one.
    Above(f64),
}

impl Condition {
    /// The condition of taking a branch.
    pub(super) fn of(task: &Task<'_>, split: &Split, branch: u32) -> Self {
        let names = task.attributes[split.attribute].column.values().len();
        let met = match &split.told {
            model::Split::Values(of_value) => ConditionValues::Names(
                of_value[..names].iter().map(|own| own.unwrap_or(split.otherwise) == branch).collect(),
            ),
            model::Split::Thresholds(thresholds) => match thresholds.get(branch as usize) {
                Some(&end) => ConditionValues::UpTo(end),
                None => ConditionValues::Above(thresholds.last().copied().unwrap_or(f64::NEG_INFINITY)),
            },
        };
        Self { attribute: split.attribute, met, otherwise: split.otherwise == branch }
    }
}

impl DecisionList {
    /// A list without rules.
    pub(super) fn new(task: &Task<'_>) -> Self {
        let values = task.class.column.values();
        let values = (0..values.len()).map(|code| values.text(code).into_owned()).collect();
        Self {
            attributes: task.attributes.iter().map(|attribute| attribute.model.clone()).collect(),
            class: Class { name: task.class.column.name().to_owned(), values },
            rules: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, rule: ListRule) {
        self.rules.push(rule);
    }

    /// The attributes of the conditions.
    pub fn attributes(&self) -> &[ModelAttribute] {
        &self.attributes
    }

    /// The class.
    pub fn class(&self) -> &Class {
        &self.class
    }

    /// The rules, in the order they are tried in.
    pub fn rules(&self) -> &[ListRule] {
        &self.rules
    }

    /// The first rule that each row of a table satisfies.
    ///
    /// # Errors
    /// When the table lacks a column a condition is about, or a column that was numeric in training contains names.
    pub fn first_met(&self, table: &Table) -> Result<Vec<u32>> {
        let mut columns: Vec<Option<ConditionColumn<'_>>> = self.attributes.iter().map(|_| None).collect();
        for condition in self.rules.iter().flat_map(|rule| &rule.conditions) {
            if columns[condition.attribute].is_none() {
                columns[condition.attribute] =
                    Some(ConditionColumn::new(table, &self.attributes[condition.attribute])?);
            }
        }
        let bind =
            |condition: &Condition| columns[condition.attribute].as_ref().map(|asked| asked.bind(condition));
        let rules: Vec<Vec<Test<'_>>> =
            self.rules.iter().map(|rule| rule.conditions.iter().filter_map(bind).collect()).collect();
        let last = self.rules.len().saturating_sub(1);
        let first = |row: usize| {
            rules.iter().position(|tests| tests.iter().all(|test| test.met(row))).unwrap_or(last)
        };
        let mut met = vec![0; table.rows()];
        met.par_chunks_mut(BLOCK).enumerate().for_each(|(block, met)| {
            (block * BLOCK..).zip(met).for_each(|(row, met)| *met = first(row) as u32);
        });
        Ok(met)
    }
}

/// A column that conditions are about.
struct ConditionColumn<'t> {
    column: &'t Column,
    /// For each code the place of its name in the attribute; none for numbers.
    places: Vec<Option<usize>>,
}

impl<'t> ConditionColumn<'t> {
    fn new(table: &'t Table, attribute: &ModelAttribute) -> Result<Self> {
        let column = table.require(&attribute.name)?;
        let values = column.values();
        match &attribute.domain {
            Domain::Numbers { .. } if values.numbers().is_none() && !values.is_empty() => {
                Err(Error::input("the column was numeric in training and contains text")
                    .of_attribute(column.name())
                    .help("give it the same kind as in the training table"))
            }
            Domain::Numbers { .. } => Ok(Self { column, places: Vec::new() }),
            Domain::Values(names) => {
                let place: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
                let places = (0..values.len()).map(|code| place.get(&*values.text(code)).copied()).collect();
                Ok(Self { column, places })
            }
        }
    }

    fn bind(&self, condition: &Condition) -> Test<'t> {
        let below =
            |end: f64| self.column.values().numbers().unwrap_or(&[]).partition_point(|&n| n <= end) as u32;
        let met = match &condition.met {
            ConditionValues::UpTo(end) => Codes::Below(below(*end)),
            ConditionValues::Above(end) => Codes::From(below(*end)),
            ConditionValues::Names(met) => {
                let of_place = |place: &Option<usize>| {
                    place.and_then(|place| met.get(place).copied()).unwrap_or(condition.otherwise)
                };
                Codes::Of(self.places.iter().map(of_place).collect())
            }
        };
        Test { column: self.column, met, otherwise: condition.otherwise }
    }
}

/// A condition, in codes of a column.
struct Test<'t> {
    column: &'t Column,
    met: Codes,
    otherwise: bool,
}

enum Codes {
    Below(u32),
    From(u32),
    Of(Vec<bool>),
}

impl Test<'_> {
    fn met(&self, row: usize) -> bool {
        let code = self.column.code(row);
        if code == self.column.missing_code() {
            return self.otherwise;
        }
        match &self.met {
            Codes::Below(end) => code < *end,
            Codes::From(start) => code >= *start,
            Codes::Of(met) => met[code as usize],
        }
    }
}
