//! DuckDB: types, classes, missing values, errors.

use crate::{Folder, write};
use incrowd_core::ErrorKind;
use incrowd_sql::{Cell, CellCounts, CellRange, Classes, Missing, Part, Remote, Source, SqlKind};

/// A table with a column of every kind.
const TYPES: &str = "CREATE TABLE t AS SELECT * FROM (VALUES \
    (true, 1::TINYINT, 0.1::FLOAT, -0.0::DOUBLE, 1.50::DECIMAL(9, 2), 'a', DATE '2020-02-29', [1]), \
    (false, 3::TINYINT, 0.2::FLOAT, 0.0::DOUBLE, -2.00::DECIMAL(9, 2), 'A', DATE '1969-12-31', [2]), \
    (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), \
    (true, 2::TINYINT, 0.2::FLOAT, 1e300::DOUBLE, 10.25::DECIMAL(9, 2), 'a ', DATE '2021-01-01', [3])) \
    AS v(b, w, s, d, n, t, y, l)";

fn remote(name: &str, statements: &[&str], address: &str) -> Option<(Folder, Remote)> {
    let library = incrowd_testkit::duckdb()?;
    let folder = Folder::new(name);
    let file = folder.0.join("t.db");
    let statements: Vec<String> = statements.iter().map(|sql| (*sql).to_owned()).collect();
    write(&library, &file, &statements);
    let address = format!("duckdb:{}?{address}", file.display());
    let remote = Remote::open(&Source::parse(&address).expect("an address")).expect("a table");
    Some((folder, remote))
}

#[test]
fn types_are_read() {
    let Some((_folder, mut remote)) = remote("types", &[TYPES], "table=t") else { return };
    let kinds: Vec<Option<SqlKind>> = remote.columns().iter().map(|column| column.kind).collect();
    let expected = [
        SqlKind::Boolean,
        SqlKind::Whole,
        SqlKind::Single,
        SqlKind::Double,
        SqlKind::Decimal,
        SqlKind::Text,
        SqlKind::Date,
    ];
    assert_eq!(kinds[..7], expected.map(Some));
    assert_eq!(kinds[7], None, "lists are not read");
    let mut keys = |column: usize| {
        let found = remote.dictionary(column).expect("values");
        let mut keys: Vec<(String, u64)> =
            found.keys.iter().map(|key| key.clone().unwrap_or("-".to_owned())).zip(found.counts).collect();
        keys.sort();
        keys.iter().map(|(key, count)| format!("{key}:{count}")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(keys(0), "-:1 false:1 true:2");
    assert_eq!(keys(2), "-:1 0.1:1 0.2:2");
    assert_eq!(keys(3), "-:1 0.0:2 1e+300:1", "the two zeros are one number");
    assert_eq!(keys(4), "-:1 -2.00:1 1.50:1 10.25:1");
    assert_eq!(keys(5), "-:1 A:1 a:1 a :1", "case and spaces distinguish texts");
    assert_eq!(keys(6), "-:1 1969-12-31:1 2020-02-29:1 2021-01-01:1");
    assert_eq!(remote.dictionary(7).expect_err("a list").kind, ErrorKind::Input);
}

/// Every column, divided into classes in every way that the order of its values allows and in one that it does not.
#[test]
fn classes_are_those_of_values() {
    let Some((_folder, mut remote)) = remote("classes", &[TYPES], "table=t") else { return };
    for column in 0..7 {
        let dictionary = remote.dictionary(column).expect("values");
        let keys = &dictionary.keys;
        for pattern in 0..1_u32 << keys.len() {
            let of_key: Vec<u32> = (0..keys.len()).map(|key| pattern >> key & 1).collect();
            let part = Part::Classes(Classes { column, keys, of_key: &of_key });
            let counted = remote.counted(&[part]).expect("counts");
            let mut expected = [0, 0];
            of_key
                .iter()
                .zip(&dictionary.counts)
                .for_each(|(&class, count)| expected[class as usize] += count);
            for (class, count) in counted.parts[0].iter().zip(&counted.counts) {
                let class: usize = class.as_ref().expect("a class").parse().expect("a number");
                assert_eq!(*count, expected[class], "column {column}, pattern {pattern:b}");
            }
        }
    }
}

/// Every column, divided into two cells in every way, and a third cell of all rows.
#[test]
fn cells_are_those_of_values() {
    let Some((_folder, mut remote)) = remote("cells", &[TYPES], "table=t") else { return };
    for column in 0..7 {
        let dictionary = remote.dictionary(column).expect("values");
        let number: Vec<u32> = (0..dictionary.keys.len() as u32).collect();
        let numbers = Classes { column, keys: &dictionary.keys, of_key: &number };
        for pattern in 0..1_u32 << dictionary.keys.len() {
            let of = |side: u32| {
                let own = number.iter().filter(|&&key| pattern >> key & 1 == side);
                vec![CellRange { numbers, ranges: own.map(|&key| key..key + 1).collect() }]
            };
            let cells: [Cell<'_>; 3] = [of(0), of(1), Vec::new()];
            let pairs = [[Part::Values(column), Part::Values(0)], [Part::Classes(numbers), Part::Values(5)]];
            let wanted = [(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)];
            let counts = CellCounts { cells: &cells, pairs: &pairs, wanted: &wanted };
            let counted = remote.counted_in_cells(&counts).expect("counts");
            for ((cell, pair), counted) in wanted.iter().zip(counted) {
                let is_in = |key: u32| *cell == 2 || pattern >> key & 1 == *cell as u32;
                let all =
                    number.iter().filter(|&&key| is_in(key)).map(|&key| dictionary.counts[key as usize]);
                assert_eq!(
                    counted.counts.iter().sum::<u64>(),
                    all.sum::<u64>(),
                    "column {column}, {pattern:b}"
                );
                for own in &counted.parts[0] {
                    let place = dictionary.keys.iter().position(|key| key == own);
                    let key = if *pair == 0 {
                        place.expect("a key")
                    } else {
                        own.as_ref().expect("a number").parse().expect("a number")
                    };
                    assert!(is_in(key as u32), "column {column}, {pattern:b}, {own:?}");
                }
            }
        }
    }
}

#[test]
fn rows_without_a_value_are_left_out() {
    let Some((_folder, mut remote)) = remote("missing", &[TYPES], "table=t") else { return };
    let missing = [
        Missing { column: 1, keys: vec![None, Some("2".to_owned())] },
        Missing { column: 5, keys: vec![Some("A".to_owned())] },
    ];
    assert_eq!(remote.leave_out(&missing).expect("counts"), (3, vec![2, 1]));
    assert_eq!((remote.rows(), remote.kept()), (4, 1));
    assert_eq!(remote.dictionary(5).expect("values").keys, [Some("a".to_owned())]);
    assert_eq!(remote.repeats(2, &["0.1".to_owned()]).expect("counts"), (1, 2), "of all rows");
}

#[test]
fn parquet_files_are_one_table() {
    let Some(library) = incrowd_testkit::duckdb() else { return };
    let folder = Folder::new("parquet");
    let copy = |number: u32| {
        let file = folder.0.join(format!("part-{number}.parquet"));
        format!("COPY (SELECT {number} AS n, 'x''y' AS t) TO '{}' (FORMAT parquet)", file.display())
    };
    write(&library, &folder.0.join("t.db"), &[copy(1), copy(2)]);
    let mut remote =
        Remote::open(&Source::parquet(folder.0.join("*.parquet").display().to_string())).expect("files");
    assert_eq!(remote.rows(), 2);
    assert_eq!(remote.dictionary(1).expect("values").keys, [Some("x'y".to_owned())]);
    let none = Source::parquet(folder.0.join("*.none").display().to_string());
    assert_eq!(Remote::open(&none).expect_err("no file").kind, ErrorKind::Io);
    let leftovers = std::fs::read_dir(&folder.0).expect("a folder").count();
    assert_eq!(leftovers, 3, "nothing is written");
}

#[test]
fn a_table_that_changes_is_an_error() {
    let statements = [
        "CREATE TABLE u AS SELECT range AS a FROM range(1000)",
        "CREATE VIEW t AS SELECT * FROM u WHERE random() < 0.5",
    ];
    let Some((_folder, mut remote)) = remote("changing", &statements, "table=t") else { return };
    let error = remote.dictionary(0).expect_err("other rows");
    assert!(error.what.contains("changed"), "{error}");
}

#[test]
fn errors_say_what_to_do() {
    let Some((folder, _)) = remote("errors", &["CREATE TABLE t AS SELECT 1 AS a"], "table=t") else { return };
    let open = |address: &str| {
        let address = format!("duckdb:{}/{address}", folder.0.display());
        Remote::open(&Source::parse(&address).expect("an address")).expect_err("an error")
    };
    assert!(open("t.db?table=u").what.contains("no such table"));
    assert!(open("none.db?table=t").what.contains("no such database file"));
    assert!(!folder.0.join("none.db").exists(), "nothing is created");
    std::fs::write(folder.0.join("text.db"), "not a database at all, but some text").expect("a file");
    assert_eq!(open("text.db?table=t").kind, ErrorKind::Io);
}
