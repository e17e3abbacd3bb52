//! Values that the policy declares possible.

use super::{Attribute, Policy, Role};
use crate::error::{Error, Result};
use crate::table::{Column, Date, Kind, Table};
use hashbrown::HashSet;

impl Policy {
    /// Checks that public and private columns have only values that the policy declares, if it declares any.
    ///
    /// # Errors
    /// When a column has another value; the error names the row, counted from 1, and not the value.
    pub fn check_declared(&self, table: &Table) -> Result<()> {
        let plays = |attribute: &&Attribute| matches!(attribute.role, Role::Public | Role::Private);
        for attribute in self.attributes.iter().filter(plays) {
            if let Some(column) = table.column(&attribute.name) {
                attribute.check_values(column, |_| false)?;
            }
        }
        Ok(())
    }
}

impl Attribute {
    /// Checks that a column has only values that the policy declares or that `passes` accepts.
    ///
    /// # Errors
    /// As [`Policy::check_declared`].
    pub fn check_values(&self, column: &Column, passes: impl Fn(&str) -> bool) -> Result<()> {
        let values = column.values();
        let names: HashSet<&str> = self.values.iter().map(String::as_str).collect();
        let listed = self.values.iter().filter_map(|value| value.trim().parse::<f64>().ok());
        let listed: HashSet<u64> = listed.map(|number| (number + 0.0).to_bits()).collect();
        let (low, high) = self.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let is_number = |number: f64| {
            let is_listed = names.is_empty() || listed.contains(&(number + 0.0).to_bits());
            is_listed && (low..=high).contains(&number) && (number.fract() == 0.0 || !self.whole)
        };
        let has_bounds = self.range.is_some() || self.whole;
        let wants_numbers = self.kind.map_or(has_bounds, |kind| kind == Kind::Numeric);
        // Dates are names in a table, and their range is one of days.
        let wants_days = self.kind == Some(Kind::Date) && self.range.is_some();
        let is_day = |text: &str| {
            Date::parse(text, None).is_some_and(|date| (low..=high).contains(&f64::from(date.days())))
        };
        let is_name = |text: &str| {
            !wants_numbers && (names.is_empty() || names.contains(text)) && (!wants_days || is_day(text))
        };
        let is_possible = |code: usize| match values.numbers() {
            Some(numbers) => is_number(numbers[code]),
            None => is_name(&values.text(code)) || passes(&values.text(code)),
        };
        let possible: Vec<bool> = (0..values.len()).map(is_possible).collect();
        if possible.iter().all(|&possible| possible) {
            return Ok(());
        }
        let is_other = |code: u32| possible.get(code as usize).is_some_and(|&possible| !possible);
        match column.codes().iter().position(is_other) {
            Some(row) => Err(not_allowed("value", row).of_attribute(&self.name)),
            None => Ok(()),
        }
    }
}

/// The error of a row, counted from 0, whose value (or cell) the policy rules out.
pub(crate) fn not_allowed(what: &str, row: usize) -> Error {
    Error::input(format!("row {} of the table has a {what} that the policy does not allow", row + 1))
        .help("correct the attribute's `values`, `order`, `range` or `whole` in the policy, or the table")
}
