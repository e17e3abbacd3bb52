//! Random tables, written out and read back: the reader, the twin and every number of threads agree.

use super::naive::Naive;
use super::{Scratch, gzip, small};
use crate::plan::{ColumnPlan, MissingRows, ReadPlan};
use crate::read::read_sized;
use incrowd_core::progress::Silent;
use proptest::prelude::*;

/// How a random table is written.
#[derive(Debug, Clone)]
struct Style {
    delimiter: char,
    line_end: &'static str,
    mark: bool,
    last_line_end: bool,
    blank_lines: bool,
    name: &'static str,
}

fn style() -> impl Strategy<Value = Style> {
    let delimiter = prop::sample::select(vec![',', ';', '\t', '|']);
    let line_end = prop::sample::select(vec!["\n", "\r\n"]);
    (delimiter, line_end, any::<[bool; 4]>()).prop_map(|(delimiter, line_end, flags)| Style {
        delimiter,
        line_end,
        mark: flags[0],
        last_line_end: flags[1],
        blank_lines: flags[2],
        name: if flags[3] { "t.csv.gz" } else { "t.csv" },
    })
}

/// A cell's text and whether it is quoted though it need not be.
fn cell(numeric: bool) -> BoxedStrategy<(String, bool)> {
    let number = prop_oneof![
        (-20_i32..20).prop_map(|n| n.to_string()),
        (0_u32..500).prop_map(|n| format!("{}.{:02}", n / 100, n % 100)),
        prop::sample::select(vec!["-0", "0", "1e3", "1000", "2.50", "2.5", " 7 ", "123456789012345678"])
            .prop_map(str::to_owned),
    ];
    let gap = prop::sample::select(vec!["?", "NA", "", " ? "]).prop_map(str::to_owned);
    let text = prop::sample::select(vec![
        "a",
        "b",
        "b c",
        "x,y",
        "x;y",
        "q\"q",
        "\"",
        "two\nlines",
        "two\r\nlines",
        "é",
        " lead",
        "tab\tbed",
        "nan",
        "inf",
        "a text that is longer than sixteen bytes",
        "a text that is longer than sixteen bytez",
        "12",
        "|",
    ])
    .prop_map(str::to_owned);
    let any_text = if numeric {
        prop_oneof![40 => number, 2 => gap].boxed()
    } else {
        prop_oneof![2 => number, 1 => gap, 4 => text].boxed()
    };
    (any_text, any::<bool>()).boxed()
}

fn rows() -> impl Strategy<Value = Vec<Vec<(String, bool)>>> {
    prop::collection::vec(any::<bool>(), 1..6).prop_flat_map(|kinds| {
        let row: Vec<_> = kinds.into_iter().map(cell).collect();
        prop::collection::vec(row, 1..60)
    })
}

fn write(rows: &[Vec<(String, bool)>], style: &Style) -> String {
    let names: Vec<String> = (0..rows[0].len()).map(|i| format!("n{i}")).collect();
    let mut text = if style.mark { "\u{FEFF}".to_owned() } else { String::new() };
    text += &names.join(&style.delimiter.to_string());
    for (i, row) in rows.iter().enumerate() {
        text += style.line_end;
        if style.blank_lines && i % 3 == 0 {
            text += style.line_end;
        }
        let cells: Vec<String> =
            row.iter().map(|(cell, quoted)| quote(cell, *quoted, style.delimiter)).collect();
        text += &cells.join(&style.delimiter.to_string());
    }
    if style.last_line_end { text + style.line_end } else { text }
}

fn quote(cell: &str, quoted: bool, delimiter: char) -> String {
    let must = cell.contains([delimiter, '"', '\n', '\r', '\t']);
    if must || quoted { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

fn rule() -> impl Strategy<Value = MissingRows> {
    prop::sample::select(vec![MissingRows::Refuse, MissingRows::Drop, MissingRows::Keep])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn reads_like_the_twin(
        rows in rows(),
        style in style(),
        missing in prop::sample::subsequence(vec!["?", "NA", ""], 0..3),
        missing_rows in rule(),
        of_columns in prop::collection::vec(prop::option::of(rule()), 6),
        block in 1_usize..400,
    ) {
        let text = write(&rows, &style);
        let missing: Vec<String> = missing.into_iter().map(str::to_owned).collect();
        let rules = of_columns.iter().map(|own| own.unwrap_or(missing_rows)).collect();
        let naive = Naive { delimiter: style.delimiter, missing: missing.clone(), missing_rows: rules };
        let of_column = |(i, &missing_rows)| (format!("n{i}"), ColumnPlan { missing_rows, ..ColumnPlan::default() });
        let columns = of_columns.iter().enumerate().take(rows[0].len()).map(of_column).collect();
        let plan = ReadPlan {
            header: Some(true), delimiter: Some(style.delimiter as u8), missing, missing_rows, columns, ..ReadPlan::default()
        };
        let packed = style.name.ends_with("gz");
        let bytes = if packed { gzip(text.as_bytes()) } else { text.clone().into_bytes() };
        let file = Scratch::new(style.name, &bytes);
        let expected = naive.read(&text);
        for (threads, sizes) in [(1, small(block)), (2, small(block)), (8, small(block / 4 + 1)), (2, small(1 << 20))] {
            let read = read_sized(file.path(), &plan, threads, sizes, &Silent);
            match (&expected, read) {
                (Err(line), Err(error)) => prop_assert_eq!(error.place.line, Some(*line), "{}", error),
                (Ok((table, _)), Err(error)) => prop_assert!(table.rows() == 0, "{}", error),
                (Ok((table, dropped)), Ok(read)) => {
                    prop_assert_eq!(&read.table, table);
                    prop_assert_eq!(read.rows_left_out.total, *dropped);
                    prop_assert_eq!(read.rows_read, table.rows() as u64 + dropped);
                }
                (Err(line), Ok(_)) => prop_assert!(false, "the twin refuses line {}", line),
            }
        }
    }
}
