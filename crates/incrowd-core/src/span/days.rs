//! Dates as models measure and compare them: numbers of days.
//!
//! A table stores dates as ordered names. A model that tests or measures an attribute by the calendar declares this
//! (`dates`), and is bound to the same table with days since 1970-01-01 in place of those names: codes are unchanged.
//! To an attacker a date is then a whole number, within the range that the policy declares.

use crate::error::{Error, Result};
use crate::model::Model;
use crate::policy::Policy;
use crate::table::{Column, Kind, Table};
use std::borrow::Cow;

/// A table and a policy whose dates are numbers.
pub type InDays<'a> = (Cow<'a, Table>, Cow<'a, Policy>);

/// The table and the policy as a model sees them: attributes that are dates in it are numbers of days.
///
/// # Errors
/// When an attribute is a date in the model and not in the table or the policy.
pub fn in_days<'a>(table: &'a Table, policy: &'a Policy, model: &Model) -> Result<InDays<'a>> {
    let names = model.dates();
    Ok((table_in_days(table, &names)?, policy_in_days(policy, &names)?))
}

/// The table and the policy with every date of a public or private attribute as a number of days.
///
/// # Errors
/// Never for a table that is valid.
pub fn all_in_days<'a>(table: &'a Table, policy: &'a Policy) -> Result<InDays<'a>> {
    // An order that the policy declares is one of names.
    let has_no_names = |column: &&Column| {
        policy.attribute(column.name()).is_some_and(|attribute| attribute.values.is_empty())
    };
    let is_class = |column: &&Column| policy.class.as_deref() == Some(column.name());
    let columns = table.columns().iter().filter(has_no_names).filter(|column| !is_class(column));
    let dates = columns.filter(|column| column.kind() == Kind::Ordered && column.in_days().is_some());
    let names: Vec<&str> = dates.map(Column::name).collect();
    Ok((table_in_days(table, &names)?, policy_in_days(policy, &names)?))
}

/// The table with these columns as numbers of days.
pub(crate) fn table_in_days<'a>(table: &'a Table, names: &[&str]) -> Result<Cow<'a, Table>> {
    let is_named = |column: &Column| names.contains(&column.name());
    let is_ready = |column: &Column| !is_named(column) || column.is_in_days();
    if table.columns().iter().all(is_ready) {
        return Ok(Cow::Borrowed(table));
    }
    let of_column = |column: &Column| match column.in_days() {
        _ if is_ready(column) => Ok(column.clone()),
        Some(days) => Ok(days),
        None => Err(not_dates(column.name())),
    };
    let columns = table.columns().iter().map(of_column).collect::<Result<_>>()?;
    Ok(Cow::Owned(Table::new(columns, table.people().clone())?))
}

/// The policy with these attributes as whole numbers.
fn policy_in_days<'a>(policy: &'a Policy, names: &[&str]) -> Result<Cow<'a, Policy>> {
    if names.is_empty() {
        return Ok(Cow::Borrowed(policy));
    }
    let mut policy = policy.clone();
    for attribute in policy.attributes.iter_mut().filter(|attribute| names.contains(&&*attribute.name)) {
        if !attribute.values.is_empty() {
            return Err(not_dates(&attribute.name));
        }
        (attribute.kind, attribute.whole) = (Some(Kind::Numeric), true);
    }
    Ok(Cow::Owned(policy))
}

fn not_dates(name: &str) -> Error {
    Error::input("this attribute is a date in the release, but not in the table or the policy")
        .of_attribute(name)
        .help("set `kind = \"date\"` in the policy, or check that the release belongs to this table")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Codes, People, Texts, Values};

    #[test]
    fn dates_become_days_and_names_do_not() {
        let column = |name: &str, values: [&str; 2]| {
            let texts: Texts = values.iter().collect();
            Column::new(name, Values::Ordered(texts), Codes::collect(3, [1, 0, 2])).expect("valid")
        };
        let days = column("day", ["1969-12-31", "2000-03-01"]).in_days().expect("dates");
        assert_eq!(days.values().numbers(), Some([-1.0, 11_017.0].as_slice()));
        assert_eq!(days.codes().iter().collect::<Vec<_>>(), [1, 0, 2]);
        assert!(days.is_in_days() && days.has_missing());
        assert_eq!(column("size", ["small", "large"]).in_days(), None);
        assert_eq!(column("day", ["2000-03-01", "1969-12-31"]).in_days(), None);

        let table =
            Table::new(vec![column("day", ["1969-12-31", "2000-03-01"])], People::Rows).expect("valid");
        assert!(table_in_days(&table, &["day"]).expect("dates").columns()[0].is_in_days());
        let names = Table::new(vec![column("day", ["small", "large"])], People::Rows).expect("valid");
        assert!(table_in_days(&names, &["day"]).is_err());
    }
}
