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

fn of(columns: Vec<Column>) -> RecognizedTable {
    understand(Table::new(columns, People::Rows).expect("valid"), None).expect("understood")
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
    let like_marks: Vec<(&str, &str)> =
        understood.values_like_marks.iter().map(|(name, texts)| (name.as_str(), texts[0].as_str())).collect();
    assert_eq!(like_marks, [("class", "NA"), ("rhesus", "-"), ("weight", "?")]);
    assert!(understood.table.column("age").expect("there").values().numbers().is_some());
    let left_out = understood.left_out(|_| true);
    assert_eq!((left_out.total, left_out.columns["age"], left_out.columns["town"]), (68, 67, 1));
    assert!(RecognizedTable::keeps_rows(&left_out));
    assert_eq!(understood.left_out(|name| name == "town").total, 1);
}

#[test]
fn marks_among_dates_and_empty_cells_are_missing() {
    let date = |row: u32| format!("{:02}.{:02}.2024", 1 + row % 28, 1 + row % 12);
    let understood =
        of(vec![
            column("born", |row| if row % 3 == 0 { "-".into() } else { date(row) }),
            column("admitted", |row| if row % 50 == 0 { "Unknown".into() } else { date(row) }),
            column("procedure", |row| if row % 4 == 0 { String::new() } else { format!("p{}", row % 7) }),
            column("job", |row| {
                if row % 40 == 0 { "-".into() } else { ["clerk", "nurse"][row as usize % 2].into() }
            }),
            column("debts", |row| ["-", "-", "bank"][row as usize % 3].into()),
            column("ill", |row| if row % 50 == 0 { "-".into() } else { "yes".into() }),
        ]);
    let marks = |name: &str| understood.marks.get(name).cloned().unwrap_or_default();
    assert_eq!((marks("born"), marks("admitted")), (vec!["-".to_owned()], vec!["Unknown".to_owned()]));
    assert_eq!((marks("procedure"), marks("job")), (vec![String::new()], vec!["-".to_owned()]));
    assert!(marks("debts").is_empty() && marks("ill").is_empty(), "a frequent value, and the class");
    assert_eq!(understood.dates.keys().collect::<Vec<_>>(), ["admitted", "born"]);
    let guesses = profile(&understood.table, &ProfileOptions::default());
    assert_eq!(guesses.columns[0].guess.kind, crate::table::Kind::Date);
    assert_eq!(guesses.columns[0].missing, 67);
}

#[test]
fn decimal_commas_are_numbers() {
    let understood = of(vec![
        column("weight", |row| format!("{},{}", 50 + row % 40, row % 10)),
        column("distance", |row| if row == 3 { "?".into() } else { format!("{},{:03}", 1 + row % 40, row) }),
        column("pair", |row| format!("{row},{row},{row}")),
        column("ill", |row| ["yes", "no"][row as usize % 2].into()),
    ]);
    assert_eq!(understood.decimal_commas.iter().collect::<Vec<_>>(), ["distance", "weight"]);
    assert_eq!(understood.marks["distance"], ["?"]);
    let numbers = |name: &str| understood.table.column(name).expect("there").values().numbers().is_some();
    assert!(numbers("weight") && numbers("distance") && !numbers("pair"));
    // Thousands may be separated by commas; nothing in this table contradicts this.
    let thousands = of(vec![
        column("price", |row| format!("{},{:03}", 1 + row % 40, row)),
        column("ill", |row| ["yes", "no"][row as usize % 2].into()),
    ]);
    assert!(thousands.decimal_commas.is_empty());
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
fn dates_called_like_numbered_events_are_dates() {
    for (name, date) in [("admission", "."), ("visit", "/")] {
        let understood = of(vec![
            column(name, |row| {
                format!("{:02}{date}{:02}{date}20{}", 1 + row % 12, 1 + row % 11, 20 + row % 3)
            }),
            column("encounter", |row| format!("20{:02}0{}{:02}", row % 20, 1 + row % 9, 1 + row % 28)),
            numbers("age", |row| 20 + row % 40),
            column("ill", |row| ["yes", "no"][row as usize % 2].into()),
        ]);
        assert_eq!(understood.subject, None, "{name}");
        let guesses = profile(&understood.table, &ProfileOptions::default());
        let roles: Vec<Role> = guesses.columns.iter().map(|column| column.guess.role).collect();
        assert_eq!(roles[..2], [Role::Public; 2], "{name}: {guesses:?}");
    }
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

#[test]
fn a_few_cells_that_are_not_dates_or_numbers_are_counted() {
    let date = |row: u32| format!("{:02}/{:02}/1970", 1 + row % 28, 1 + row % 12);
    let understood = of(vec![
        column("born", |row| if row == 99 { "30/02/1970".into() } else { date(row) }),
        column("weight", |row| if row % 50 == 20 { "heavy".into() } else { (50 + row % 40).to_string() }),
        column("height", |row| if row % 10 == 3 { "tall".into() } else { (150 + row % 40).to_string() }),
        column("town", |row| ["a", "b"][row as usize % 2].into()),
        column("ill", |row| ["yes", "no"][row as usize % 2].into()),
    ]);
    let said: Vec<(&str, String)> =
        understood.strays.iter().map(|(name, strays)| (name.as_str(), strays.to_string())).collect();
    assert_eq!(
        said,
        [
            ("born", "1 of 200 cells is not a date (first in row 100)".to_owned()),
            ("weight", "4 of 200 cells are not numbers (first in row 21)".to_owned()),
        ]
    );
}

#[test]
fn leading_zeros_make_codes() {
    let understood = of(vec![
        column("district", |row| if row == 5 { "?".into() } else { format!("{:05}", 1700 + row % 9 * 2111) }),
        column("ill", |row| ["yes", "no"][row as usize % 2].into()),
    ]);
    assert_eq!(understood.marks["district"], ["?"]);
    let guess = profile(&understood.table, &ProfileOptions::default()).columns.remove(0).guess;
    assert_eq!(guess.kind, crate::table::Kind::Categorical);
    assert!(matches!(guess.taxonomy, Some(crate::taxonomy::TaxonomySpec::Prefix(_))), "{guess:?}");
}
