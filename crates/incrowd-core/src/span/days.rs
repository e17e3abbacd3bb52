//! Dates as numbers of days, as models measure and compare them.
//!
//! A table stores dates as ordered names. A model that tests or measures an attribute by the calendar declares this
//! (`dates`), and is bound to the same table with days since 1970-01-01 in place of those names: codes are unchanged.
//! To an attacker a date is then a whole number, within the range that the policy declares.

use crate::error::{Error, Result};
use crate::model::Model;
use crate::policy::{Attribute, Policy, Role};
use crate::table::{Column, Date, Kind, Table};
use crate::taxonomy::{ANY, MISSING, TaxonomySpec};
use std::borrow::Cow;

/// The text of a cell that any date is true of, and a missing one is not.
pub const ANY_DATE: &str = "any date";

/// A table and a policy whose dates are numbers.
pub type InDays<'a> = (Cow<'a, Table>, Cow<'a, Policy>);

/// The table and the policy as a model sees them: attributes that are dates in the model are numbers of days. So are
/// dates that the model does not contain but that dependencies tie to its attributes, as for a miner.
///
/// # Errors
/// When an attribute is a date in the model and not in the table or the policy.
pub fn in_days<'a>(table: &'a Table, policy: &'a Policy, model: &Model) -> Result<InDays<'a>> {
    let (mut names, contained) = (model.dates(), model.attribute_names());
    let is_tied = |name: &str| {
        let mut dependencies = policy.dependencies.iter();
        dependencies
            .any(|dependency| dependency.to == name || dependency.from.iter().any(|from| from == name))
    };
    names.extend(dates(table, policy).filter(|name| is_tied(name) && !contained.contains(name)));
    Ok((table_in_days(table, &names)?, policy_in_days(policy, &names)?))
}

/// The attributes of a policy whose columns are dates, except for the class.
fn dates<'a>(table: &'a Table, policy: &Policy) -> impl Iterator<Item = &'a str> {
    // An order that the policy declares is one of names.
    let has_no_names = |column: &&Column| {
        policy.attribute(column.name()).is_some_and(|attribute| attribute.values.is_empty())
    };
    let is_class = |column: &&Column| policy.class.as_deref() == Some(column.name());
    let columns = table.columns().iter().filter(has_no_names).filter(move |column| !is_class(column));
    let dates = columns.filter(|column| column.kind() == Kind::Ordered && column.in_days().is_some());
    dates.map(Column::name)
}

/// The table and the policy with every date of a public or private attribute as a number of days.
///
/// # Errors
/// Never for a table that is valid.
pub fn all_in_days<'a>(table: &'a Table, policy: &'a Policy) -> Result<InDays<'a>> {
    let names: Vec<&str> = dates(table, policy).collect();
    Ok((table_in_days(table, &names)?, policy_in_days(policy, &names)?))
}

/// The table and the policy with private dates as numbers of days, except for the class.
///
/// # Errors
/// Never for a table that is valid.
pub fn private_in_days<'a>(table: &'a Table, policy: &'a Policy) -> Result<InDays<'a>> {
    let known = policy.known();
    let is_private = |name: &&str| {
        policy.attribute(name).is_some_and(|attribute| attribute.role == Role::Private)
            && !known.iter().any(|known| known == name)
    };
    let names: Vec<&str> = dates(table, policy).filter(is_private).collect();
    Ok((table_in_days(table, &names)?, policy_in_days(policy, &names)?))
}

/// The table and the policy with the dates that an attacker knows as numbers of days, except for the class and for dates
/// that the policy generalizes by names: by a taxonomy other than the calendar.
///
/// # Errors
/// Never for a table that is valid.
pub fn known_in_days<'a>(table: &'a Table, policy: &'a Policy) -> Result<InDays<'a>> {
    let known = policy.known();
    let is_by_calendar = |name: &str| {
        let declared = policy.attribute(name);
        declared.is_some_and(|attribute| matches!(attribute.taxonomy, None | Some(TaxonomySpec::Calendar)))
    };
    let is_ours = |name: &&str| known.iter().any(|known| known == name) && is_by_calendar(name);
    let names: Vec<&str> = dates(table, policy).filter(is_ours).collect();
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

/// A released table and its policy with private dates as numbers of days, where the cells are sets of dates or the
/// policy declares a range of them. Cells that are not dates stay as they are.
pub(crate) fn released_in_days<'a>(table: &'a Table, policy: &'a Policy) -> Result<InDays<'a>> {
    let known = policy.known();
    let is_private = |attribute: &&Attribute| {
        attribute.role == Role::Private && !known.contains(&attribute.name) && attribute.values.is_empty()
    };
    let (mut columns, mut names) = (table.columns().to_vec(), Vec::new());
    for attribute in policy.attributes.iter().filter(is_private) {
        let Some(column) = columns.iter_mut().find(|column| column.name() == attribute.name) else {
            continue;
        };
        if let Some(days) = released_column(column, attribute) {
            *column = days;
            names.push(attribute.name.as_str());
        }
    }
    if names.is_empty() {
        return Ok((Cow::Borrowed(table), Cow::Borrowed(policy)));
    }
    Ok((Cow::Owned(Table::new(columns, table.people().clone())?), policy_in_days(policy, &names)?))
}

fn released_column(column: &Column, attribute: &Attribute) -> Option<Column> {
    let is_dates = attribute.kind == Some(Kind::Date);
    if let Some(days) = column.in_days() {
        return (is_dates && attribute.range.is_some()).then_some(days);
    }
    let texts = column.values().texts()?;
    let cells: Vec<Option<String>> = texts.iter().map(days_of_cell).collect();
    let says_something = |text: &str| ![ANY, MISSING, ""].contains(&text);
    let mut telling = texts.iter().zip(&cells).filter(|(text, _)| says_something(text));
    // Without a kind, cells are dates if all of them can be read as such and some are sets. Single dates may stay
    // names.
    let is_set = |text: &str| says_something(text) && Date::parse(text, None).is_none();
    let is_detected = attribute.kind.is_none()
        && !(attribute.whole || attribute.range.is_some())
        && texts.iter().any(is_set)
        && telling.all(|(_, days)| days.is_some());
    let own = |code: usize| cells[code].clone().unwrap_or_else(|| texts.get(code).to_owned());
    let cell = |code: u32| ((code as usize) < texts.len()).then(|| own(code as usize));
    let of_row = || column.codes().iter().map(cell).collect::<Vec<_>>();
    (is_dates || is_detected).then(|| Column::from_texts(column.name(), &of_row()))
}

/// A cell of dates with days since 1970-01-01 in their place: a date, a set of dates or an interval.
pub(crate) fn days_of_cell(cell: &str) -> Option<String> {
    let day = |text: &str| Date::parse(text, None).map(|date| date.days().to_string());
    let part = |text: &str| match text.trim() {
        text @ (ANY | MISSING) => Some(text.to_owned()),
        text => day(text),
    };
    if let Some(inside) = cell.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return Some(format!("{{{}}}", inside.split(',').map(part).collect::<Option<Vec<_>>>()?.join(", ")));
    }
    let (dates, rest) = cell.strip_suffix("or ?").map_or((cell, ""), |dates| (dates.trim_end(), " or ?"));
    for sign in ["<=", ">=", "<", ">"] {
        if let Some(bound) = dates.strip_prefix(sign) {
            return Some(format!("{sign} {}{rest}", day(bound)?));
        }
    }
    if dates == ANY_DATE {
        return Some(format!("any number{rest}"));
    }
    let ends = (dates.chars().next()?, dates.chars().next_back()?);
    if let (open @ ('[' | '('), close @ (']' | ')')) = ends {
        let (low, high) = dates[1..dates.len() - 1].split_once(',')?;
        return Some(format!("{open}{}, {}{close}{rest}", day(low)?, day(high)?));
    }
    day(cell)
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
    fn cells_of_dates() {
        let days = |cell: &str| days_of_cell(cell).unwrap_or_default();
        assert_eq!(days("1970-01-11"), "10");
        assert_eq!(days("{1970-01-02, 1970-01-03,?}"), "{1, 2, ?}");
        assert_eq!(days("[1970-01-02, 1970-02-01)"), "[1, 31)");
        assert_eq!(days("(1970-01-02,1970-02-01] or ?"), "(1, 31] or ?");
        assert_eq!([days("any date"), days("any date or ?")], ["any number", "any number or ?"]);
        assert_eq!([days("<= 1970-01-02"), days(">1969-12-31 or ?")], ["<= 1", "> -1 or ?"]);
        for cell in ["", "x", "[1, 2]", "{1970-01-02, x}", "[1970-01-02]", "<= x", "(", "[é]", "1970-01"] {
            assert_eq!(days_of_cell(cell), None, "{cell}");
        }
    }

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

        // Of a released table, dates become days if the policy calls them dates and declares a range.
        let of = |kind: Option<Kind>, range: Option<(f64, f64)>, column: &Column| {
            let attribute = Attribute { kind, range, ..Attribute::new("day", Role::Private) };
            released_column(column, &attribute).is_some()
        };
        let (dates, range) = (column("day", ["1969-12-31", "2000-03-01"]), Some((-9.0, 20_000.0)));
        assert!(of(Some(Kind::Date), range, &dates));
        assert!(!of(Some(Kind::Date), None, &dates) && !of(None, range, &dates) && !of(None, None, &dates));
        // Without a kind, they are detected by sets of dates, unless numbers are declared.
        let sets = Column::from_texts("day", &[Some("<= 1970-01-02"), Some("*")]);
        assert!(of(None, None, &sets) && of(Some(Kind::Date), None, &sets) && !of(None, range, &sets));
        let whole = Attribute { whole: true, ..Attribute::new("day", Role::Private) };
        assert!(released_column(&sets, &whole).is_none());

        let table =
            Table::new(vec![column("day", ["1969-12-31", "2000-03-01"])], People::Rows).expect("valid");
        assert!(table_in_days(&table, &["day"]).expect("dates").columns()[0].is_in_days());
        let names = Table::new(vec![column("day", ["small", "large"])], People::Rows).expect("valid");
        assert!(table_in_days(&names, &["day"]).is_err());
    }
}
