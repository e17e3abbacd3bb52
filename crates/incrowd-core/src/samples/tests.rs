use super::*;
use crate::group::{group_rows, smallest_group};
use crate::policy::Role;
use crate::random::Random;
use std::collections::BTreeSet;

/// A file of the benchmark data.
fn data(file: &str) -> Option<String> {
    incrowd_testkit::data(file).map(|path| std::fs::read_to_string(path).expect("a text file"))
}

fn row(table: &Table, row: usize) -> Vec<String> {
    let cell = |column: &Column| column.values().text(column.code(row) as usize).into_owned();
    table.columns().iter().map(cell).collect()
}

fn individuals(table: &Table, wanted: &[(&str, &str)]) -> u64 {
    let holds = |row: usize| {
        wanted.iter().all(|(name, value)| {
            let column = table.column(name).expect("a column");
            column.values().find(value) == Some(column.code(row))
        })
    };
    (0..table.rows()).filter(|&row| holds(row)).map(|row| u64::from(table.weight(row))).sum()
}

fn k(table: &Table, names: &[&str]) -> u64 {
    let columns: Vec<&Column> = names.iter().map(|name| table.column(name).expect("a column")).collect();
    smallest_group(table, &columns)
}

#[test]
fn mortgage_tables() {
    let twelve = mortgage_of_twelve();
    let donna = twelve.row_of("Donna").expect("Donna");
    assert_eq!(row(&twelve.table, donna), ["Female", "Yes", "Young", "No", "Bad"]);
    // The leaves of Figure 1.
    let count = |wanted: &[(&str, &str)]| individuals(&twelve.table, wanted);
    assert_eq!(count(&[("Gender", "Male"), ("Age", "Young"), ("Loan Risk", "Good")]), 3);
    assert_eq!(count(&[("Gender", "Male"), ("Age", "Old"), ("Loan Risk", "Bad")]), 2);
    assert_eq!(count(&[("Gender", "Female"), ("Married", "Yes"), ("Loan Risk", "Bad")]), 3);
    assert_eq!(count(&[("Gender", "Female"), ("Married", "No"), ("Loan Risk", "Good")]), 2);
    let public = ["Gender", "Married", "Age", "Sports Car"];
    assert_eq!((k(&twelve.table, &public), k(&mortgage_anonymized().table, &public)), (1, 3));
    let six = mortgage_of_six();
    assert_eq!(row(&six.table, six.row_of("Lisa").expect("Lisa")), ["Unmarried", "Yes", "Good"]);
    assert_eq!(k(&six.table, &["Marital Status"]), 3);
    assert_eq!(k(&six.table, &["Marital Status", "Sports Car"]), 1);
}

#[test]
fn zip_tables() {
    assert_eq!((k(&zip_original().table, &["Zipcode"]), k(&zip_anonymized().table, &["Zipcode"])), (1, 2));
    assert_eq!(zip_public().table.column("Zipcode"), zip_original().table.column("Zipcode"));
    let five = zip_and_income();
    assert_eq!(row(&five.table, five.row_of("Lisa").expect("Lisa")), ["15013", "100000"]);
}

#[test]
fn baskets_have_the_papers_supports() {
    let baskets = cherries_and_candles();
    let count = |wanted: &[(&str, &str)]| individuals(&baskets, wanted);
    assert_eq!(baskets.individuals(), 1000);
    assert_eq!(count(&[("cherries", "yes")]), 112);
    assert_eq!(count(&[("cherries", "yes"), ("viagra", "yes")]), 84);
    assert_eq!(count(&[("cherries", "yes"), ("candles", "yes")]), 30);
    assert_eq!(count(&[("cherries", "yes"), ("candles", "yes"), ("tylenol", "yes")]), 24);
    assert_eq!(count(&[("cherries", "no")]), 888);
    assert_eq!(k(&baskets, &["cherries", "candles"]), 30);
}

#[test]
fn tic_tac_toe_has_958_boards() {
    let boards = tic_tac_toe();
    assert_eq!(boards.rows(), 958);
    assert_eq!(individuals(&boards, &[("class", "positive")]), 626);
    assert_eq!(individuals(&boards, &[("middle-middle-square", "b")]), 160);
    let rows: BTreeSet<String> = (0..boards.rows()).map(|i| row(&boards, i).join(",")).collect();
    assert_eq!(rows.len(), 958);
    if let Some(text) = data("tic-tac-toe/tic-tac-toe.data") {
        assert_eq!(rows, text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect());
    }
}

/// The mean of each of the 40 attributes by class, from rows of 41 numbers.
fn means(rows: &[Vec<f64>], class: f64) -> Vec<f64> {
    let mine: Vec<&Vec<f64>> = rows.iter().filter(|row| row[40].to_bits() == class.to_bits()).collect();
    (0..40).map(|i| mine.iter().map(|row| row[i]).sum::<f64>() / mine.len() as f64).collect()
}

fn numbers(table: &Table) -> Vec<Vec<f64>> {
    (0..table.rows())
        .map(|i| row(table, i).iter().map(|cell| cell.parse().expect("a number")).collect())
        .collect()
}

#[test]
fn waves_look_like_the_published_ones() {
    let waves = waveform(6000, 1);
    for class in ["0", "1", "2"] {
        let share = individuals(&waves, &[("class", class)]) as f64 / 6000.0;
        assert!((share - 1.0 / 3.0).abs() < 0.025, "class {class} has a share of {share}");
    }
    let Some(text) = data("waveform/waveform-+noise.data") else { return };
    let parse = |line: &str| line.split(',').map(|cell| cell.trim().parse().expect("a number")).collect();
    let published: Vec<Vec<f64>> = text.lines().filter(|line| !line.is_empty()).map(parse).collect();
    let made = numbers(&waves);
    for class in 0..3 {
        let pairs = means(&made, f64::from(class)).into_iter().zip(means(&published, f64::from(class)));
        for (i, (a, b)) in pairs.enumerate() {
            // No attribute's standard deviation within a class is above 1.7: five standard errors of the difference.
            assert!(
                (a - b).abs() < 5.0 * 1.7 * (2.0_f64 / 1650.0).sqrt(),
                "x{} of class {class}: {a}, {b}",
                i + 1
            );
        }
    }
}

#[test]
fn waves_are_the_same_for_the_same_seed() {
    assert_eq!(waveform(100, 3), waveform(100, 3));
    assert_ne!(waveform(100, 3), waveform(100, 4));
}

#[test]
fn random_numbers_spread_evenly() {
    let mut random = Random::of(7, 0);
    let (mut counts, mut sum, mut squares) = ([0; 5], 0.0, 0.0);
    for _ in 0..50_000 {
        counts[random.weighted(&[1, 2, 3, 0, 4])] += 1;
        let bell = random.bell();
        sum += bell;
        squares += bell * bell;
    }
    for (count, expected) in counts.into_iter().zip([5_000, 10_000, 15_000, 0, 20_000]) {
        assert!(i32::abs_diff(count, expected) < 500, "{counts:?}");
    }
    assert!(f64::abs(sum) < 1_200.0 && f64::abs(squares - 50_000.0) < 1_500.0);
}

#[test]
fn a_clinic_is_the_same_for_any_number_of_threads() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| clinic(3000, 5))
    };
    assert_eq!(run(1), run(3));
    assert_ne!(clinic(50, 5), clinic(50, 6));
    let first = clinic(10, 5);
    (0..10).for_each(|i| assert_eq!(row(&first, i), row(&clinic(3000, 5), i)));
}

#[test]
fn a_clinic_tells_what_it_should() {
    let table = clinic(20_000, 1);
    let pick =
        |names: &[&str]| names.iter().map(|name| table.column(name).expect("a column")).collect::<Vec<_>>();
    let groups = |names: &[&str]| group_rows(table.rows(), &pick(names)).count;
    assert_eq!(groups(&["zip"]), groups(&["zip", "district"]));
    assert!(groups(&["district"]) < groups(&["zip"]));
    let public: Vec<String> = clinic_policy().with_role(Role::Public).map(str::to_owned).collect();
    assert_eq!(smallest_group(&table, &pick(&public.iter().map(String::as_str).collect::<Vec<_>>())), 1);
    let share = |of: &[(&str, &str)], among: &[(&str, &str)]| {
        individuals(&table, &[of, among].concat()) as f64 / individuals(&table, among) as f64
    };
    let lung = [("diagnosis", "lung disease")];
    assert!(share(&lung, &[("smoker", "yes")]) > 2.0 * share(&lung, &[("smoker", "no")]));
    assert!(individuals(&table, &[("diagnosis", "childbirth"), ("sex", "male")]) == 0);
    let diagnoses = table.column("diagnosis").expect("a column").values();
    assert_eq!(diagnoses.len(), 8);
    for code in 0..8 {
        let diagnosis = diagnoses.text(code);
        let share = share(&[("diagnosis", &diagnosis)], &[]);
        assert!((0.03..0.35).contains(&share), "{diagnosis}: {share}");
    }
}

#[test]
fn the_clinics_policy_names_its_columns() {
    let (table, policy) = (clinic_with_ids(100, 1), clinic_policy());
    let named: Vec<&str> = policy.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
    let columns: Vec<&str> = table.columns().iter().map(Column::name).collect();
    assert_eq!(named, columns);
    for column in table.columns() {
        assert_eq!(policy.attribute(column.name()).and_then(|attribute| attribute.kind), Some(column.kind()));
    }
    assert_eq!(policy.attribute("diagnosis").map(|attribute| attribute.role), Some(Role::Private));
    assert_eq!(policy.known().len(), 9);
    assert_eq!(row(&table, 99)[0], "P00000100");
}
