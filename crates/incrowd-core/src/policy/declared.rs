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
        let number_fault = |number: f64| {
            let is_listed = names.is_empty() || listed.contains(&(number + 0.0).to_bits());
            if !is_listed {
                Some(Fault::Unlisted)
            } else if !(low..=high).contains(&number) {
                Some(Fault::Outside)
            } else {
                (self.whole && number.fract() != 0.0).then_some(Fault::NotWhole)
            }
        };
        let has_bounds = self.range.is_some() || self.whole;
        let wants_numbers = self.kind.map_or(has_bounds, |kind| kind == Kind::Numeric);
        // Dates are names in a table, and their range is one of days.
        let wants_days = self.kind == Some(Kind::Date) && self.range.is_some();
        let is_day = |text: &str| {
            Date::parse(text, None).is_some_and(|date| (low..=high).contains(&f64::from(date.days())))
        };
        let name_fault = |text: &str| {
            if wants_numbers {
                Some(Fault::NotANumber)
            } else if !names.is_empty() && !names.contains(text) {
                Some(Fault::Unlisted)
            } else {
                (wants_days && !is_day(text)).then_some(Fault::Outside)
            }
        };
        let fault = |code: usize| match values.numbers() {
            Some(numbers) => number_fault(numbers[code]),
            None => name_fault(&values.text(code)).filter(|_| !passes(&values.text(code))),
        };
        let faults: Vec<Option<Fault>> = (0..values.len()).map(fault).collect();
        if faults.iter().all(Option::is_none) {
            return Ok(());
        }
        let of_code = |code: u32| faults.get(code as usize).copied().flatten();
        let first = column.codes().iter().enumerate().find_map(|(row, code)| Some((row, of_code(code)?)));
        match first {
            Some((row, fault)) => Err(fault.error(row).of_attribute(&self.name)),
            None => Ok(()),
        }
    }
}

/// Why the policy does not allow a value.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Unlisted,
    Outside,
    NotWhole,
    NotANumber,
}

impl Fault {
    fn error(self, row: usize) -> Error {
        let (what, key) = match self {
            Self::Unlisted => {
                ("the value is not among those that the policy allows", "`values` (or `order`)")
            }
            Self::Outside => ("the value is outside the range that the policy allows", "`range`"),
            Self::NotWhole => {
                ("the value is not a whole number, which is all that the policy allows", "`whole`")
            }
            Self::NotANumber => ("the value is not a number, which is all that the policy allows", "`kind`"),
        };
        Error::input(what)
            .at_row(row)
            .help(format!("correct {key} of the attribute in the policy, or the table"))
    }
}

/// The error of a row, counted from 0, whose value (or cell) the policy rules out.
pub(crate) fn not_allowed(what: &str, row: usize) -> Error {
    Error::input(format!("row {} of the table has a {what} that the policy does not allow", row + 1))
        .help("correct the attribute's `values`, `order`, `range` or `whole` in the policy, or the table")
}
