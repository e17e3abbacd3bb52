//! Reading released tables of any origin, whose cells may be sets of values.

use crate::files::FileReader;
use crate::policy::{Attribute, Role};
use crate::span::is_recoded_cell;
use crate::table::{Column, Date, Kind, Table};
use crate::{Error, Result};
use incrowd_core::words::some;
use incrowd_io::policy::PolicyFile;
use incrowd_io::{Decimal, Format, ReadPlan, TableRead, line_of_row, read_table};
use std::path::Path;

/// Reads a table of any origin. Private columns that are numbers, dates or ordered in the policy may have cells that
/// are sets of values; such columns are read as text.
pub(crate) fn read_released(
    path: &Path,
    policy: &PolicyFile,
    plan: &mut ReadPlan,
    reading: FileReader<'_>,
) -> Result<TableRead> {
    policy.refuse_baskets()?;
    let read = |plan: &ReadPlan| read_table(path, plan, reading.threads, reading.progress);
    let line_of_row = |plan: &ReadPlan, row: u64| line_of_row(path, plan, row).ok().flatten();
    read_with_sets(policy, plan, read, line_of_row).map_err(|error| error.in_file(path))
}

/// Reads a table with `read`. Columns whose cells are sets of values are read again, as text. `line_of_row` is the line
/// of a row, if there is one.
pub(crate) fn read_with_sets(
    policy: &PolicyFile,
    plan: &mut ReadPlan,
    mut read: impl FnMut(&ReadPlan) -> Result<TableRead>,
    line_of_row: impl Fn(&ReadPlan, u64) -> Option<u64>,
) -> Result<TableRead> {
    let (mut first, mut as_text): (Option<Error>, Vec<String>) = (None, Vec::new());
    loop {
        let error = match (read(plan), first) {
            // The cells that are not numbers are not sets either.
            (Ok(read), Some(first)) if !has_sets(&read.table, policy, &first) => return Err(first),
            (Ok(read), _) => {
                return with_points(read, plan, &as_text, |row| line_of_row(plan, row));
            }
            (Err(error), _) => error,
        };
        let column = error.place.attribute.as_ref().and_then(|name| plan.columns.get_mut(name));
        let is_numbers =
            |kind: Option<Kind>| matches!(kind, Some(Kind::Numeric | Kind::Ordered | Kind::Date));
        match column.filter(|column| is_numbers(column.kind)) {
            Some(column) => column.kind = Some(Kind::Categorical),
            None => return Err(error),
        }
        as_text.extend(error.place.attribute.clone());
        first = Some(error);
    }
}

/// Whether the column that an error is about has a cell that is a set of values.
fn has_sets(table: &Table, policy: &PolicyFile, error: &Error) -> bool {
    let Some(name) = &error.place.attribute else { return false };
    let (Some(attribute), Some(column)) = (policy.policy.attribute(name), table.column(name)) else {
        return false;
    };
    let is_set = |text: &str| {
        // A number behind a sign may have a decimal comma.
        let is_bound = text.starts_with(['<', '>']) && is_recoded_cell(attribute, &text.replace(',', "."));
        is_bound || is_recoded_cell(attribute, text)
    };
    column.values().texts().is_some_and(|texts| texts.iter().any(is_set))
}

/// The decimal separator of a column.
fn decimal(plan: &ReadPlan, name: &str) -> Decimal {
    plan.columns.get(name).and_then(|column| column.decimal).unwrap_or(plan.decimal)
}

/// The table with a point in numbers that have a comma, in columns that were read as text.
fn with_points(
    mut read: TableRead,
    plan: &ReadPlan,
    as_text: &[String],
    line_of_row: impl Fn(u64) -> Option<u64>,
) -> Result<TableRead> {
    let has_comma = |column: &Column| {
        as_text.iter().any(|name| name == column.name()) && decimal(plan, column.name()) == Decimal::Comma
    };
    if !read.table.columns().iter().any(has_comma) {
        return Ok(read);
    }
    let of_column = |column: &Column| {
        if has_comma(column) { with_point(column, &line_of_row) } else { Ok(column.clone()) }
    };
    let columns = read.table.columns().iter().map(of_column).collect::<Result<_>>()?;
    read.table = Table::new(columns, read.table.people().clone())?;
    Ok(read)
}

fn with_point(column: &Column, line_of_row: impl Fn(u64) -> Option<u64>) -> Result<Column> {
    let Some(texts) = column.values().texts() else { return Ok(column.clone()) };
    let mut cells = Vec::with_capacity(column.len());
    for (row, code) in column.codes().iter().enumerate() {
        let text = ((code as usize) < texts.len()).then(|| texts.get(code as usize));
        let is_cell_of_several = text.is_some_and(|text| text.starts_with(['{', '[', '(']));
        if is_cell_of_several && text.is_some_and(has_decimal_comma) {
            let what = "a comma may be part of a number or separate two numbers";
            let error = match line_of_row(row as u64) {
                Some(line) => Error::input(format!("in this cell, {what}")).at_line(line),
                None => Error::input(format!("in a cell of row {}, {what}", row + 1)),
            };
            return Err(error
            .of_attribute(column.name())
            .help("put a space after each comma that separates values, and write numbers without decimals in cells \
                with several values"));
        }
        let number = |text: &str| text.replace(',', ".");
        cells.push(text.map(|text| if is_cell_of_several { text.to_owned() } else { number(text) }));
    }
    Ok(Column::from_texts(column.name(), &cells))
}

/// Whether there is a comma between two digits.
fn has_decimal_comma(text: &str) -> bool {
    let is_comma = |part: &[u8]| part[0].is_ascii_digit() && part[1] == b',' && part[2].is_ascii_digit();
    text.as_bytes().windows(3).any(is_comma)
}

/// A note on private columns that the table does not contain, besides those in `noted`.
pub(crate) fn absent_private(
    read: &TableRead,
    without: &[String],
    policy: &PolicyFile,
    noted: &[String],
) -> Option<String> {
    let known = policy.policy.known();
    let is_noted = |name: &str| noted.iter().any(|note| note.contains(&format!("not contain `{name}`")));
    let is_absent = |name: &&str| {
        let is_there =
            [read.names.as_slice(), without].iter().any(|names| names.iter().any(|own| own == name));
        !is_there && !known.iter().any(|own| own == name) && !is_noted(name)
    };
    let absent: Vec<&str> = policy.policy.with_role(Role::Private).filter(is_absent).collect();
    let (columns, them) = if absent.len() == 1 { ("column", "it") } else { ("columns", "them") };
    (!absent.is_empty()).then(|| {
        let absent = some(&absent);
        format!("the table does not contain the private {columns} {absent}: it reveals nothing about {them}")
    })
}

/// Fails if a public cell of a table of any origin is neither recoded nor a value that the policy declares. Numbers
/// need not be whole, since they may be means.
pub(crate) fn check_public(read: &TableRead, policy: &PolicyFile, plan: &ReadPlan) -> Result<()> {
    // Other formats write numbers in their own way.
    let is_public = |attribute: &&Attribute| attribute.role == Role::Public && attribute.taxonomy.is_none();
    for attribute in policy.policy.attributes.iter().filter(|_| read.format == Format::Csv).filter(is_public)
    {
        let Some(column) = read.table.column(&attribute.name) else { continue };
        let marks = policy.missing.get(&attribute.name).unwrap_or(&plan.missing);
        let is_mark = |cell: &str| ["", "?"].contains(&cell) || marks.iter().any(|mark| mark == cell);
        let passes = |text: &str| {
            let cell = text.trim().trim_matches('"');
            is_mark(cell) || is_recoded_cell(attribute, cell) || is_declared(attribute, policy, cell)
        };
        Attribute { whole: false, ..attribute.clone() }.check_values(column, passes)?;
    }
    Ok(())
}

/// Whether a public cell is a value that the policy allows.
fn is_declared(attribute: &Attribute, policy: &PolicyFile, cell: &str) -> bool {
    if !attribute.values.is_empty() {
        return attribute.values.iter().any(|value| value == cell);
    }
    let (low, high) = attribute.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let number = || {
        let decimal = policy.decimals.get(&attribute.name).copied().unwrap_or(policy.file.decimal);
        let number = if decimal == Decimal::Comma { cell.replace(',', ".") } else { cell.to_owned() };
        number.parse::<f64>().ok()
    };
    let day = || {
        let date = Date::parse(cell, policy.date_orders.get(&attribute.name).copied());
        date.map(|date| f64::from(date.days()))
    };
    // Means of public numbers and groups of dates are written without a range as well.
    let at = if attribute.kind == Some(Kind::Date) { day() } else { number() };
    attribute.range.is_none() || at.is_some_and(|at| (low..=high).contains(&at))
}
