//! Names and values cannot become part of a query, whatever they contain.

use crate::{Folder, write};
use incrowd_sql::{Cell, CellCounts, CellRange, Classes, Dialect, Part, Remote, Source};
use proptest::prelude::*;
use std::path::Path;

/// What quoting may get wrong.
const ODD: &str =
    "(?s)(['\"`;\\\\$%?{}()*,/ \n\t-]|--|/\\*|''|DROP TABLE t|NULL|[a-zäß☃\u{1F600}]|\u{202E}){1,12}";

fn source(file: &Path) -> Source {
    Source::parse(&format!("duckdb:{}?table=t", file.display())).expect("an address")
}

/// A table whose columns have these names, with one row for each value in all columns.
fn table(names: &[String], values: &[String]) -> Option<Vec<String>> {
    let sql = Dialect::DuckDb;
    let columns: Vec<String> = names
        .iter()
        .map(|name| Some(format!("{} VARCHAR", sql.identifier(name).ok()?)))
        .collect::<Option<_>>()?;
    let mut statements = vec![format!("CREATE TABLE t ({})", columns.join(", "))];
    for value in values {
        let value = sql.text(value).ok()?;
        statements.push(format!("INSERT INTO t VALUES ({})", vec![value; names.len()].join(", ")));
    }
    Some(statements)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 64, ..ProptestConfig::default() })]

    #[test]
    fn names_and_values_come_back_as_they_are(name in ODD, values in proptest::collection::vec(ODD, 1..6)) {
        let Some(library) = incrowd_testkit::duckdb() else { return Ok(()) };
        let folder = Folder::new("quoting");
        let file = folder.0.join("t.db");
        let names = [name, "other".to_owned()];
        let Some(statements) = table(&names, &values) else { return Ok(()) };
        write(&library, &file, &statements);

        let mut remote = Remote::open(&source(&file)).expect("a table");
        let found: Vec<&str> = remote.columns().iter().map(|column| column.name.as_str()).collect();
        prop_assert_eq!(found, names.each_ref().map(String::as_str));
        prop_assert_eq!(remote.rows(), values.len() as u64);

        let dictionary = remote.dictionary(0).expect("values");
        let mut keys: Vec<&String> = dictionary.keys.iter().flatten().collect();
        let mut expected: Vec<&String> = values.iter().collect();
        keys.sort();
        expected.sort();
        expected.dedup();
        prop_assert_eq!(&keys, &expected);

        // Each value is a class of its own, or the first is one and the others are another.
        for classes in [(0..keys.len() as u32).collect::<Vec<_>>(), (0..keys.len()).map(|key| u32::from(key > 0)).collect()] {
            let part = Part::Classes(Classes { column: 0, keys: &dictionary.keys, of_key: &classes });
            let counted = remote.counted(&[part, Part::Values(1)]).expect("counts");
            for (class, value) in counted.parts[0].iter().zip(&counted.parts[1]) {
                let place = dictionary.keys.iter().position(|key| key == value).expect("a value");
                let number = class.as_ref().and_then(|class| class.parse::<u32>().ok());
                prop_assert_eq!(number, Some(classes[place]));
            }
        }

        // Each value is a cell of its own.
        let number: Vec<u32> = (0..keys.len() as u32).collect();
        let numbers = Classes { column: 0, keys: &dictionary.keys, of_key: &number };
        let cells: Vec<Cell<'_>> =
            number.iter().map(|&key| vec![CellRange { numbers, ranges: std::iter::once(key..key + 1).collect() }]).collect();
        let pairs = [[Part::Values(0), Part::Values(1)]];
        let wanted: Vec<(usize, usize)> = (0..cells.len()).map(|cell| (cell, 0)).collect();
        let counts = CellCounts { cells: &cells, pairs: &pairs, wanted: &wanted };
        for (counted, key) in remote.counted_in_cells(&counts).expect("counts").iter().zip(&dictionary.keys) {
            prop_assert_eq!(&counted.parts, &vec![vec![key.clone()], vec![key.clone()]]);
        }
    }
}
