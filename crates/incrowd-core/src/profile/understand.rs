//! A table as its first policy will read it: which cells stand for a missing value, column by column, and who has several rows.
//!
//! A mark is never a frequent value and never a value of the class, so that what a policy leaves out for missing values is little. Among numbers, where a
//! text cannot be a value, a mark may be frequent; such rows are kept ([`Understood::keeps_rows`]).

use super::guess::{class_of, subject_of};
use super::words::is_among;
use super::{ProfileOptions, each};
use crate::error::Result;
use crate::group::crowds;
use crate::table::{Column, Date, DateOrder, People, RowsLeftOut, Table, Values};
use std::collections::BTreeMap;

/// What often stands for a missing number.
const AMONG_NUMBERS: [&str; 17] = [
    "", "?", "NA", "N/A", "n/a", "na", "NaN", "nan", "null", "NULL", "None", "none", "-", "--", ".", "#N/A",
    "unknown",
];

/// What often stands for a missing name. A dash is not among them: it often is a value, such as a negative result.
const AMONG_NAMES: [&str; 9] = ["", "?", "NA", "N/A", "n/a", "NaN", "null", "NULL", "#N/A"];

/// A table, understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Understood {
    /// The table, where marks are missing values, columns of numbers are numbers, and individuals are told apart.
    pub table: Table,
    /// What marks a missing value, by column.
    pub marks: BTreeMap<String, Vec<String>>,
    /// The columns that are dates, and what comes first in them where that has to be said.
    pub dates: BTreeMap<String, Option<DateOrder>>,
    /// The column that tells individuals with several rows apart.
    pub subject: Option<String>,
}

/// Understands a table whose rows were all kept. Takes time linear in its cells.
///
/// # Errors
/// When a value of it cannot be one, which no file that was read has.
pub fn understand(table: Table) -> Result<Understood> {
    let few = ProfileOptions::default().few;
    let sizes = each(&table, table.columns(), |column| crowds(&table, &[column], few));
    let class = class_of(&table, &sizes);
    let is_of_rows = *table.people() == People::Rows;
    let subject = subject_of(&table, &sizes).filter(|_| is_of_rows);
    let people = match subject {
        Some(at) => People::from_subject(&table.columns()[at]),
        None => table.people().clone(),
    };
    let subject = subject.map(|at| table.columns()[at].name().to_owned());
    let (mut marks, mut dates) = (BTreeMap::new(), BTreeMap::new());
    let mut columns = Vec::with_capacity(table.columns().len());
    for (at, column) in table.into_columns().into_iter().enumerate() {
        let keeps_marks = Some(at) == class || Some(column.name()) == subject.as_deref();
        let (column, of_column) = if keeps_marks { (column, Vec::new()) } else { marked(column)? };
        if !of_column.is_empty() {
            marks.insert(column.name().to_owned(), of_column);
        }
        let notation = if keeps_marks { None } else { date_notation(&column) };
        let order = notation.map(|notation| notation.order);
        if let Some(order) = order {
            dates.insert(column.name().to_owned(), order);
        }
        columns.push(match order {
            Some(order) => column.with_dates(|text| Date::parse(text, order))?,
            None => column,
        });
    }
    Ok(Understood { table: Table::new(columns, people)?, marks, dates, subject })
}

impl Understood {
    /// The rows that would be left out for a missing value in one of these columns.
    pub fn left_out(&self, is_read: impl Fn(&str) -> bool) -> RowsLeftOut {
        let table = &self.table;
        let mut left_out = RowsLeftOut { of: table.rows() as u64, ..RowsLeftOut::default() };
        let mut is_left_out = vec![false; table.rows()];
        for column in table.columns().iter().filter(|c| c.has_missing() && is_read(c.name())) {
            let missing = column.missing_code();
            let rows = column.codes().iter().zip(&mut is_left_out).filter(|(code, _)| *code == missing);
            let count = rows.map(|(_, is_left_out)| *is_left_out = true).count();
            left_out.columns.insert(column.name().to_owned(), count as u64);
        }
        left_out.total = is_left_out.iter().filter(|&&is| is).count() as u64;
        left_out
    }

    /// Whether rows with a missing value are kept, because leaving them out would cost many.
    pub fn keeps_rows(left_out: &RowsLeftOut) -> bool {
        left_out.share() > RowsLeftOut::MANY
    }
}

/// A column with its marks understood.
fn marked(column: Column) -> Result<(Column, Vec<String>)> {
    let Values::Categorical(texts) = column.values() else {
        // An empty cell of a column of numbers is missing without a mark, and a policy has to name it.
        let marks = if column.has_missing() { vec![String::new()] } else { Vec::new() };
        return Ok((column, marks));
    };
    let is_mark = |text: &str| AMONG_NUMBERS.contains(&text);
    let marks: Vec<String> = texts.iter().filter(|text| is_mark(text)).map(str::to_owned).collect();
    let are_numbers =
        texts.len() > marks.len() && texts.iter().all(|text| is_mark(text) || number(text).is_some());
    if are_numbers && !marks.is_empty() {
        return Ok((column.with_numbers(number)?, marks));
    }
    let rare = rare_marks(&column);
    if rare.is_empty() {
        return Ok((column, rare));
    }
    let column = column.without_values(|text| rare.iter().any(|mark| mark == text))?;
    Ok((column, rare))
}

/// How the dates of a column are written.
#[derive(Debug, Clone, Copy)]
struct DateNotation {
    /// What comes first, where that has to be said.
    order: Option<DateOrder>,
}

/// The notation of a column all of whose values are dates. Where day and month could be either, they are not taken for dates.
fn date_notation(column: &Column) -> Option<DateNotation> {
    let values = column.values();
    let is_named = super::words::words(column.name()).iter().any(|word| is_among(word, super::words::DATES));
    let may_be = values.numbers().is_none() || is_named;
    let all = |order| (0..values.len()).all(|code| Date::parse(&values.text(code), order).is_some());
    if values.is_empty() || !may_be {
        return None;
    }
    match (all(None), all(Some(DateOrder::DayFirst)), all(Some(DateOrder::MonthFirst))) {
        (true, ..) => Some(DateNotation { order: None }),
        (_, true, false) => Some(DateNotation { order: Some(DateOrder::DayFirst) }),
        (_, false, true) => Some(DateNotation { order: Some(DateOrder::MonthFirst) }),
        _ => None,
    }
}

/// A finite number, as the reader reads it.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The marks among names that few rows have.
fn rare_marks(column: &Column) -> Vec<String> {
    let most = (column.len() as f64 * RowsLeftOut::MANY) as usize;
    let rows_with = |code: u32| column.codes().iter().filter(|&other| other == code).count();
    let is_rare = |mark: &&str| column.values().find(mark).is_some_and(|code| rows_with(code) <= most);
    AMONG_NAMES.iter().filter(|mark| is_rare(mark)).map(|mark| (*mark).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Role;
    use crate::profile::profile;

    fn column(name: &str, cell: impl Fn(u32) -> String) -> Column {
        Column::from_texts(name, &(0..200).map(|row| Some(cell(row))).collect::<Vec<_>>())
    }

    fn numbers(name: &str, cell: impl Fn(u32) -> u32) -> Column {
        let cells: Vec<Option<f64>> = (0..200).map(|row| Some(f64::from(cell(row)))).collect();
        Column::from_numbers(name, &cells).expect("finite")
    }

    fn of(columns: Vec<Column>) -> Understood {
        understand(Table::new(columns, People::Rows).expect("valid")).expect("understood")
    }

    #[test]
    fn marks_are_of_columns_and_never_frequent_or_of_the_class() {
        let understood = of(vec![
            column("age", |row| if row % 3 == 0 { "?".into() } else { (20 + row % 40).to_string() }),
            column("weight", |row| if row % 30 == 0 { "heavy".into() } else { "?".into() }),
            column("town", |row| if row == 7 { String::new() } else { ["a", "b"][row as usize % 2].into() }),
            column("rhesus", |row| if row == 9 { "-".into() } else { "+".into() }),
            column("class", |row| if row < 5 { "NA".into() } else { "yes".into() }),
        ]);
        assert_eq!(understood.marks["age"], ["?"]);
        assert_eq!(understood.marks["town"], [""]);
        assert_eq!(understood.marks.len(), 2, "{:?}", understood.marks);
        assert!(understood.table.column("age").expect("there").values().numbers().is_some());
        let left_out = understood.left_out(|_| true);
        assert_eq!((left_out.total, left_out.columns["age"], left_out.columns["town"]), (68, 67, 1));
        assert!(Understood::keeps_rows(&left_out));
        assert_eq!(understood.left_out(|name| name == "town").total, 1);
    }

    #[test]
    fn a_number_with_two_rows_each_tells_individuals_apart() {
        for name in ["patient_nbr", "PatientID", "mrn", "case no", "nr"] {
            let understood = of(vec![
                numbers(name, |row| 100_000 + row / 2 * 37),
                numbers("age", |row| 20 + row % 40),
                column("ill", |row| ["yes", "no"][row as usize % 2].into()),
            ]);
            assert_eq!(understood.subject.as_deref(), Some(name));
            assert_eq!(understood.table.individuals(), 100);
            let options = ProfileOptions { subject: understood.subject.clone(), ..ProfileOptions::default() };
            let guess = &profile(&understood.table, &options).columns[0].guess;
            assert!(guess.role == Role::Identifier && guess.subject, "{guess:?}");
        }
    }

    #[test]
    fn dates_are_found_with_their_order() {
        let understood = of(vec![
            column("iso", |row| format!("2024-{:02}-{:02}", 1 + row % 12, 1 + row % 28)),
            column("german", |row| format!("{:02}.{:02}.2024", 1 + row % 28, 1 + row % 12)),
            column("us", |row| format!("{:02}/{:02}/2024", 1 + row % 12, 1 + row % 28)),
            column("either", |row| format!("{:02}/{:02}/2024", 1 + row % 12, 1 + row % 12)),
            column("ill", |row| ["yes", "no"][row as usize % 2].into()),
        ]);
        let dates: Vec<(&str, Option<DateOrder>)> =
            understood.dates.iter().map(|(n, o)| (n.as_str(), *o)).collect();
        assert_eq!(dates, [("german", None), ("iso", None), ("us", Some(DateOrder::MonthFirst))]);
        let guesses = profile(&understood.table, &ProfileOptions::default());
        assert_eq!(guesses.columns[1].guess.kind, crate::table::Kind::Date);
        assert_eq!(guesses.columns[1].guess.taxonomy, Some(crate::taxonomy::TaxonomySpec::Calendar));
    }

    #[test]
    fn what_is_measured_tells_nobody_apart() {
        let understood = of(vec![
            numbers("salary", |row| 100_000 + row / 2 * 37),
            numbers("zip", |row| 10_000 + row / 3),
            numbers("age", |row| row / 2),
            numbers("visits", |row| row % 9),
        ]);
        assert_eq!(understood.subject, None);
    }
}
