use super::*;
use crate::random::Random;
use crate::samples::{clinic, clinic_with_ids, mortgage_of_six, tic_tac_toe};
use crate::table::{Codes, People, Values};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn texts(name: &str, cells: &[&str]) -> Column {
    Column::from_texts(name, &cells.iter().map(|cell| (*cell != "?").then_some(*cell)).collect::<Vec<_>>())
}

fn codes(name: &str, codes: &[u32]) -> Column {
    let count = codes.iter().max().map_or(0, |code| code + 1);
    let values = Values::Numeric((0..count).map(f64::from).collect());
    Column::new(name, values, Codes::collect(count as usize, codes.iter().copied())).expect("valid")
}

fn of_rows(columns: Vec<Column>) -> Table {
    Table::new(columns, People::Rows).expect("valid")
}

fn guess_of<'a>(profile: &'a Profile, name: &str) -> &'a Guess {
    &profile.columns.iter().find(|column| column.name == name).expect("a column").guess
}

fn arrows(found: &[FoundDependency]) -> Vec<String> {
    found.iter().map(|d| format!("{}→{}", d.from.join("+"), d.to)).collect()
}

/// Adult without rows that have a missing value.
fn adult() -> Option<Table> {
    let text = std::fs::read_to_string(incrowd_testkit::data("adult/adult.data")?).expect("Adult");
    let names = "age workclass fnlwgt education education-num marital-status occupation relationship race sex \
                 capital-gain capital-loss hours-per-week native-country class";
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| !line.is_empty() && !line.contains('?'))
        .map(|line| line.split(", ").collect())
        .collect();
    let column = |(i, name): (usize, &str)| {
        let cells: Vec<&str> = rows.iter().map(|row| row[i]).collect();
        let numbers: Option<Vec<Option<f64>>> =
            cells.iter().map(|cell| cell.parse().ok().map(Some)).collect();
        match numbers {
            Some(numbers) => Column::from_numbers(name, &numbers).expect("finite"),
            None => texts(name, &cells),
        }
    };
    Some(of_rows(names.split_whitespace().enumerate().map(column).collect()))
}

#[test]
fn adult_flags_education_both_ways_and_nothing_by_accident() {
    let Some(table) = adult() else { return };
    let profile = profile(&table, &ProfileOptions::default());
    assert_eq!((profile.rows, profile.individuals), (30_162, 30_162));
    assert_eq!(arrows(&profile.dependencies), ["education→education-num", "education-num→education"]);
    assert!(profile.dependencies.iter().all(|d| d.is_exact() && d.both_ways));
    let class = guess_of(&profile, "class");
    assert_eq!((class.role, class.class), (Role::Private, true));
    assert_eq!(guess_of(&profile, "education-num").role, Role::Public);
    assert!(profile.search.exhaustive);
    // Gains and losses of capital are money.
    assert_eq!(profile.search.columns, 12);
    // Of two columns that follow from each other, only the first is combined.
    let combined = |name: &str| {
        let of_more = profile.combinations.iter().filter(|c| c.columns.len() > 1);
        of_more.filter(|c| c.columns.iter().any(|column| column == name)).count()
    };
    assert!(combined("education") > 0 && combined("education-num") == 0);
    let best = profile.combinations.iter().rfind(|c| c.columns.len() == 1).expect("single columns");
    assert!(best.unique <= profile.combinations[0].unique);
    assert_eq!(profile.combinations[0].columns, ["fnlwgt"]);
}

#[test]
fn a_clinic_has_a_district_for_each_zip() {
    let profile = profile(&clinic_with_ids(20_000, 1), &ProfileOptions::default());
    assert_eq!(arrows(&profile.dependencies), ["zip→district"]);
    let district = &profile.dependencies[0];
    assert!(district.is_exact() && !district.both_ways && district.baseline > 0.5);
    assert_eq!(guess_of(&profile, "patient").role, Role::Identifier);
    assert!(guess_of(&profile, "diagnosis").class);
    for name in ["age", "sex", "zip", "occupation", "birth-country", "marital-status"] {
        assert_eq!(guess_of(&profile, name).reason, "demographic: others can know it");
    }
    assert_eq!(guess_of(&profile, "bmi").role, Role::Private);
}

#[test]
fn a_nearly_exact_dependency_has_its_error() {
    let table = clinic(4000, 2);
    let mut district: Vec<u32> = table.column("district").expect("a column").codes().iter().collect();
    for row in (0..4000).step_by(400) {
        district[row] = (district[row] + 1) % 8;
    }
    let columns = vec![table.columns()[2].clone(), codes("district", &district)];
    let found = find_dependencies(&of_rows(columns), &["zip"], &["district"], &DependencyRule::default());
    let found = found.expect("the columns are there");
    assert_eq!(found.len(), 1);
    assert!((5..=10).contains(&found[0].left_out), "{}", found[0].left_out);
    assert!((found[0].error - found[0].left_out as f64 / 4000.0).abs() < 1e-12);
}

#[test]
fn accidents_are_not_dependencies() {
    let mut random = Random::of(1, 0);
    let mut draw = |below: u32| (0..600).map(|_| random.below(below)).collect::<Vec<_>>();
    // Nearly a key: hardly any group supports anything. Nearly constant: easily guessed.
    let (key, coin) = (draw(2_000), draw(2));
    let constant: Vec<u32> = (0..600).map(|row| u32::from(row % 100 == 0)).collect();
    let table = of_rows(vec![codes("key", &key), codes("coin", &coin), codes("constant", &constant)]);
    assert_eq!(profile(&table, &ProfileOptions::default()).dependencies, []);
    // The six individuals of a paper: too few to support anything.
    assert_eq!(profile(&mortgage_of_six().table, &ProfileOptions::default()).dependencies, []);
}

#[test]
fn what_follows_from_two_columns_is_found_on_demand() {
    let (a, b): (Vec<u32>, Vec<u32>) = (0..900).map(|row| (row % 3, row / 3 % 3)).unzip();
    let sum: Vec<u32> = a.iter().zip(&b).map(|(a, b)| (a + b) % 3).collect();
    let table = of_rows(vec![codes("a", &a), codes("b", &b), codes("sum", &sum)]);
    let find = |rule: &DependencyRule| {
        arrows(&find_dependencies(&table, &["a", "b"], &["sum"], rule).expect("the columns are there"))
    };
    assert_eq!(find(&DependencyRule::default()), Vec::<String>::new());
    assert_eq!(find(&DependencyRule { pairs: true, ..DependencyRule::default() }), ["a+b→sum"]);
    assert!(find_dependencies(&table, &["c"], &["sum"], &DependencyRule::default()).is_err());
}

#[test]
fn subjects_count_once() {
    // Two visits each of 40 individuals; a visit's ward follows from the person's room but for one visit.
    let visits = 80_u32;
    let of_row: Vec<u32> = (0..visits).map(|row| row / 2).collect();
    let room: Vec<u32> = of_row.iter().map(|person| person % 4).collect();
    let ward: Vec<u32> =
        room.iter().enumerate().map(|(row, room)| if row == 6 { 3 - room } else { *room }).collect();
    let columns = vec![codes("room", &room), codes("ward", &ward)];
    let table = Table::new(columns, People::Subjects { of_row, count: 40 }).expect("valid");
    let rule = DependencyRule { error: 0.03, ..DependencyRule::default() };
    let found = find_dependencies(&table, &["room"], &["ward"], &rule).expect("the columns are there");
    assert_eq!((found[0].left_out, found[0].both_ways), (1, true));
    let profile = profile(&table, &ProfileOptions::default());
    assert_eq!((profile.rows, profile.individuals), (80, 40));
    assert!((profile.columns[0].unique).abs() < 1e-12 && profile.columns[0].smallest == 10);
}

#[test]
fn columns_are_described() {
    let column = texts("size", &["s", "s", "m", "?", "xl", "s"]);
    let table = Table::new(vec![column], People::Weights(vec![4, 1, 1, 3, 2, 1])).expect("valid");
    let profile = profile(&table, &ProfileOptions::default());
    let size = &profile.columns[0];
    assert_eq!((size.distinct, size.missing, size.smallest), (3, 3, 1));
    assert!((size.unique - 1.0 / 12.0).abs() < 1e-12 && (size.few - 0.5).abs() < 1e-12);
    assert_eq!(profile.rows, 12);
}

#[test]
fn names_and_values_are_guessed_from() {
    use Role::{Identifier as I, Private as S, Public as P};
    let unique: Vec<String> = (0..40).map(|row| format!("t{row}")).collect();
    let unique: Vec<&str> = unique.iter().map(String::as_str).collect();
    let decimals: Vec<Option<f64>> = (0..40).map(|row| Some(f64::from(row % 7) + 0.5)).collect();
    let some = |below: u32| (0..40).map(|row| row % below).collect::<Vec<_>>();
    let table = of_rows(vec![
        texts("note", &unique),
        codes("row", &(0..40).collect::<Vec<_>>()),
        codes("customer-age", &(0..40).map(|row| row * 2).collect::<Vec<_>>()),
        codes("CustomerID", &(0..40).map(|row| row * 3).collect::<Vec<_>>()),
        texts("First Name", &["Ann", "Bob"].repeat(20)),
        codes("HomeZip", &some(9)),
        Column::from_numbers("glucose", &decimals).expect("finite"),
        codes("salary", &(0..40).map(|row| row * 10).collect::<Vec<_>>()),
        codes("same", &[0; 40]),
        codes("colour", &some(3)),
    ]);
    let profile = profile(&table, &ProfileOptions::default());
    let roles: Vec<Role> = profile.columns.iter().map(|column| column.guess.role).collect();
    assert_eq!(roles, [I, I, P, I, I, P, S, S, P, S]);
    assert_eq!(guess_of(&profile, "HomeZip").kind, Kind::Categorical);
    assert!(guess_of(&profile, "colour").class && !guess_of(&profile, "salary").class);
    let undecided = profile.columns.iter().filter(|column| column.guess.undecided);
    assert!(undecided.map(|column| column.name.as_str()).eq(["same"]));
    assert!(guess_of(&profile, "same").reason.starts_with("nothing suggests a role; all individuals"));
}

/// Bands of a private number are predicted only if nothing else is a class.
#[test]
fn bands_are_no_class_beside_a_better_one() {
    let some = |below: u32| (0..40).map(|row| row % below).collect::<Vec<_>>();
    let class = |names: &[&str]| {
        let table = of_rows(names.iter().map(|name| codes(name, &some(3))).collect());
        let profile = profile(&table, &ProfileOptions::default());
        profile.columns.iter().find(|column| column.guess.class).map(|column| column.name.clone())
    };
    assert_eq!(class(&["attrition", "salary_band"]).as_deref(), Some("attrition"));
    assert_eq!(class(&["outcome", "income"]).as_deref(), Some("outcome"));
    assert_eq!(class(&["salary_band", "promoted"]).as_deref(), Some("promoted"));
    assert_eq!(class(&["salary_band", "diagnosis", "town"]).as_deref(), Some("diagnosis"));
    assert_eq!(class(&["salary_band", "town"]).as_deref(), Some("salary_band"));
}

#[test]
fn no_people_no_panic() {
    for table in [of_rows(vec![]), of_rows(vec![texts("a", &[]), texts("b", &[])])] {
        let profile = profile(&table, &ProfileOptions::default());
        assert_eq!((profile.individuals, profile.dependencies.len()), (0, 0));
    }
}

#[test]
fn a_small_budget_is_kept_and_admitted() {
    let options = ProfileOptions { budget: 958 * 40, ..ProfileOptions::default() };
    let small = profile(&tic_tac_toe(), &options);
    assert!(!small.search.exhaustive && small.search.looked_at <= 60, "{}", small.search.looked_at);
    let whole = profile(&tic_tac_toe(), &ProfileOptions::default());
    assert!(whole.search.exhaustive);
    assert_eq!(whole.search.looked_at, 9 + 36 + 84 + 126);
}

/// What is listed was measured on all rows, and is what a search on all rows finds as well.
#[test]
fn combinations_chosen_on_some_rows_are_measured_on_all() {
    let whole = profile(&tic_tac_toe(), &ProfileOptions::default());
    let options = ProfileOptions { searched_rows: 200, listed: 1000, ..ProfileOptions::default() };
    let some = profile(&tic_tac_toe(), &options);
    assert_eq!((some.search.chosen_on, some.search.exhaustive), (Some(192), false));
    assert_eq!((whole.search.chosen_on, whole.search.exhaustive), (None, true));
    let listed = some.combinations.iter().filter(|one| whole.combinations.contains(one)).count();
    assert_eq!(listed, whole.combinations.len());
    let sizes: Vec<usize> = some.combinations.iter().map(|one| one.columns.len()).collect();
    assert!(sizes.is_sorted() && some.combinations.iter().all(|one| one.few > 0.0));
}

fn any_table() -> impl Strategy<Value = Table> {
    (1_usize..40, 1_usize..6).prop_flat_map(|(rows, columns)| {
        let column = (1_u32..9).prop_flat_map(move |below| proptest::collection::vec(0..below, rows));
        let weights = proptest::option::of(proptest::collection::vec(1_u32..4, rows));
        (proptest::collection::vec(column, columns), weights).prop_map(|(columns, weights)| {
            let columns =
                columns.iter().enumerate().map(|(i, cells)| codes(&format!("c{i}"), cells)).collect();
            Table::new(columns, weights.map_or(People::Rows, People::Weights)).expect("valid")
        })
    })
}

/// The individuals with each combination of values in some columns.
fn naive_groups(table: &Table, names: &[String]) -> BTreeMap<Vec<u32>, u32> {
    let mut sizes: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    for row in 0..table.rows() {
        let key = names.iter().map(|name| table.column(name).expect("a column").code(row)).collect();
        *sizes.entry(key).or_default() += table.weight(row);
    }
    sizes
}

fn naive_alone(table: &Table, names: &[String]) -> u64 {
    naive_groups(table, names).values().filter(|&&size| size == 1).count() as u64
}

/// The fewest individuals to leave out so that `to` follows from `from`, by definition.
fn naive_left_out(table: &Table, from: &Column, to: &Column) -> u64 {
    let mut counts: BTreeMap<u32, BTreeMap<u32, u64>> = BTreeMap::new();
    for row in 0..table.rows() {
        *counts.entry(from.code(row)).or_default().entry(to.code(row)).or_default() +=
            u64::from(table.weight(row));
    }
    counts.values().map(|parts| parts.values().sum::<u64>() - parts.values().max().expect("a part")).sum()
}

proptest! {
    #[test]
    fn the_best_of_each_size_is_best(table in any_table()) {
        let names: Vec<String> = table.columns().iter().map(|column| column.name().to_owned()).collect();
        let options = ProfileOptions { columns: names.clone(), listed: 1, ..ProfileOptions::default() };
        let profile = profile(&table, &options);
        for found in &profile.combinations {
            let alone = naive_alone(&table, &found.columns);
            prop_assert!((found.unique - alone as f64 / table.individuals() as f64).abs() < 1e-12);
            // Each of its columns makes a group smaller, and without it not every individual is alone yet.
            for without in &found.columns {
                let less: Vec<String> = found.columns.iter().filter(|name| *name != without).cloned().collect();
                prop_assert!(naive_groups(&table, &less).len() < found.groups as usize);
                prop_assert!(naive_alone(&table, &less) < table.individuals() || less.is_empty());
            }
        }
        // A combination of a size, or a smaller one that identifies as many, is listed.
        for subset in 1_u32..1 << names.len() {
            let chosen = (0..names.len()).filter(|i| subset >> i & 1 == 1);
            let chosen: Vec<String> = chosen.map(|i| names[i].clone()).collect();
            let share = naive_alone(&table, &chosen) as f64 / table.individuals() as f64;
            let best = profile.combinations.iter().filter(|c| c.columns.len() <= chosen.len());
            let best = best.map(|c| c.unique).fold(0.0, f64::max);
            prop_assert!(chosen.len() > 4 || share <= best + 1e-12 || table.rows() == 1, "{chosen:?} {share} {best}");
        }
    }

    #[test]
    fn left_out_is_g3(table in any_table()) {
        let rule = DependencyRule { group: 1, support: 0.0, baseline: 0.0, error: 1.0, remainder: 1.0, pairs: false };
        let names: Vec<&str> = table.columns().iter().map(Column::name).collect();
        let found = find_dependencies(&table, &names, &names, &rule).expect("the columns are there");
        let mut expected = BTreeSet::new();
        for from in table.columns() {
            for to in table.columns().iter().filter(|to| to.name() != from.name()) {
                let varies = (0..table.rows()).any(|row| to.code(row) != to.code(0));
                let left_out = naive_left_out(&table, from, to);
                if varies {
                    expected.insert((from.name().to_owned(), to.name().to_owned(), left_out));
                }
            }
        }
        let found = found.into_iter().map(|d| (d.from.concat(), d.to, d.left_out)).collect();
        prop_assert_eq!(expected, found);
    }
}

/// Health, money and law by the beginnings of words in other languages.
#[test]
fn compounds_of_other_languages_are_private() {
    let cells: Vec<&str> = (0..60).map(|i| ["a", "b", "c"][i % 3]).collect();
    let names = [
        "health_status",
        "Gesundheitszustand",
        "Diagnose",
        "Gehaltswunsch",
        "Monatsgehalt",
        "Kosten",
        "Vorstrafen",
    ];
    let columns = ["Geschlecht"].iter().chain(&names).map(|name| texts(name, &cells)).collect();
    let profile = profile(&of_rows(columns), &ProfileOptions::default());
    for name in names {
        assert_eq!(guess_of(&profile, name).role, Role::Private, "{name}");
    }
    assert_eq!(guess_of(&profile, "Geschlecht").role, Role::Public);
}

/// A name that suggests money wins over values that nearly all differ; codes that differ are still numbers of records.
#[test]
fn salaries_with_separated_thousands_are_private() {
    let column = |name: &str, cell: fn(u32) -> String| {
        Column::from_texts(name, &(0..300).map(|row| Some(cell(row))).collect::<Vec<_>>())
    };
    let table = of_rows(vec![
        column("Bruttogehalt (€)", |row| format!("{}.{:03},67", 2 + row % 7, row)),
        column("payment_hash", |row| format!("x{:05}", row * 7919 % 99_991)),
        Column::from_numbers(
            "reach",
            &(0..300).map(|row| Some(f64::from(row % 40) / 8.0)).collect::<Vec<_>>(),
        )
        .expect("finite"),
    ]);
    let profile = profile(&table, &ProfileOptions::default());
    let salary = guess_of(&profile, "Bruttogehalt (€)");
    assert!(salary.role == Role::Private && salary.reason.contains("money"), "{salary:?}");
    assert_eq!(guess_of(&profile, "payment_hash").role, Role::Identifier);
    let reach = guess_of(&profile, "reach");
    assert!(reach.role == Role::Public && reach.reason.contains("decimals"), "{reach:?}");
}

/// A column with the values of a private one is private, too, unless these are few.
#[test]
fn values_of_a_private_column_are_private_elsewhere() {
    let column = |name: &str, cell: fn(u32) -> String| {
        Column::from_texts(name, &(0..400).map(|row| Some(cell(row))).collect::<Vec<_>>())
    };
    let table = of_rows(vec![
        column("diagnosis", |row| format!("L{}.x", row % 60)),
        column("second", |row| format!("L{}.x", 20 + row * 7 % 50)),
        column("hiv", |row| ["yes", "no"][row as usize % 2].into()),
        column("member", |row| ["yes", "no"][row as usize / 2 % 2].into()),
        column("office", |row| format!("room {}", row % 50)),
        column("ill", |row| ["yes", "no"][row as usize / 3 % 2].into()),
    ]);
    let profile = profile(&table, &ProfileOptions::default());
    let second = guess_of(&profile, "second");
    assert!(second.role == Role::Private && !second.undecided, "{second:?}");
    assert!(second.reason.contains("values of diagnosis"), "{}", second.reason);
    for name in ["member", "office"] {
        assert_eq!(guess_of(&profile, name).role, Role::Public, "{name}");
    }
}
