//! Invalid files: the error, its place, and that it never quotes a cell.

use super::{Scratch, gzip, read, small, with_columns};
use crate::plan::{ColumnPlan, Format, MissingRows, Quote, ReadPlan, Reading, Unlisted};
use crate::read::{line_of_row, read_sized, read_table};
use incrowd_core::Error;
use incrowd_core::progress::Silent;
use incrowd_core::table::Kind;
use std::path::Path;

/// Reads a CSV and expects an error with this text, line and column (0 for none).
#[track_caller]
fn check(text: impl AsRef<[u8]>, plan: &ReadPlan, what: &str, line: u64, column: u64) -> Error {
    let error = read("t.csv", text, plan).unwrap_err();
    assert!(error.what.contains(what), "{error}");
    let place = (error.place.line.unwrap_or(0), error.place.column.unwrap_or(0));
    assert_eq!(place, (line, column), "{error}");
    assert!(!error.to_string().contains("secret"), "{error}");
    error
}

fn header() -> ReadPlan {
    ReadPlan { header: Some(true), delimiter: Some(b','), ..ReadPlan::default() }
}

fn numeric(name: &'static str) -> ReadPlan {
    let plan = ColumnPlan { kind: Some(Kind::Numeric), ..ColumnPlan::default() };
    ReadPlan { ..with_columns([(name, plan)]) }
}

#[test]
fn ragged_rows() {
    check("a,b\n1,2\n\n1,2,secret\n", &header(), "expected 2 cells, found 3", 4, 3);
    check("a,b\n1,2\n\"x\ny\",2\n3\n", &header(), "expected 2 cells, found 1", 5, 1);
}

#[test]
fn wrong_quotes() {
    let help = check("a,b\nx,\"1\"secret\n", &header(), "text follows a closing quote", 2, 2).help;
    assert!(help.unwrap().contains("quote = \"none\""));
    check("a,b\nx,1\n5\"secret,2\n", &header(), "an unquoted cell contains a quote", 3, 1);
    check("a,b\nx,1\ny,\"secret\n1,2\n", &header(), "never closed", 3, 2);
    check("a,b\nx,\"1\" \"2\"\n", &header(), "text follows a closing quote", 2, 2);
    let plan = ReadPlan { quote: Quote::None, ..header() };
    assert_eq!(read("t.csv", "a,b\nx,5\"\n", &plan).unwrap().table.rows(), 1);
}

/// The first line may be someone's row, divided wrongly because of the quote.
#[test]
fn errors_of_layout_do_not_show_the_first_line() {
    let error = check("Ada;1.5\nx;\"2\n3;4\n", &header(), "an unquoted cell contains a quote", 2, 1);
    assert_eq!(error.place.attribute, None);
    let error =
        check("a,b\nx,1\ny,\"secret\n1,2\n", &with_columns([("b", ColumnPlan::default())]), "never", 3, 2);
    assert_eq!(error.place.attribute.as_deref(), Some("b"));
}

/// A quote where none may be does not hide the delimiter, so the error is in the right column.
#[test]
fn stray_quotes_leave_the_delimiter() {
    let plan = ReadPlan { header: Some(true), ..ReadPlan::default() };
    let rest = "2;1,5;x\n".repeat(9);
    let stray = format!("id;height;link\n1;1,5;x\n2;1,5;=A(\"secret\")\n{rest}");
    check(&stray, &plan, "an unquoted cell contains a quote", 3, 3);
    check(format!("id;height;link\n1;1,5;x\n\"2;1,5;secret\n{rest}"), &plan, "never closed", 3, 1);
    // Quotes that are right count, as before.
    let table = read("t.csv", "a,b\n1,\"x;y\"\n2,\"x;z\"\n", &plan).unwrap().table;
    assert_eq!(table.columns().len(), 2);
    assert!(table.column("b").is_some());
}

#[test]
fn other_files_are_not_tables() {
    let of = |name: &str, bytes: &[u8]| read(name, bytes, &ReadPlan::default()).unwrap_err();
    assert!(of("t.json", b"{\n  \"secret\": 1\n}\n").what.contains("not JSON lines"));
    assert!(of("t.json", b"[{\"secret\": 1}]\n").what.contains("not JSON lines"));
    assert!(of("t", b"\x7FELF\x02\x01\n\xFF").what.contains("a program"));
    assert!(of("t.csv", b"%PDF-1.7\n\xFF").what.contains("a PDF"));
    let empty = [&b"PK\x05\x06"[..], &[0; 18]].concat();
    assert!(of("t.zip", &empty).what.contains("the ZIP archive has no file"));
    assert!(read("t.csv", "[id],[town]\n1,x\n2,y\n", &ReadPlan::default()).is_ok());
}

#[test]
fn not_utf8() {
    check(b"a,b\n1,2\n3,\xFF\n", &header(), "not UTF-8", 3, 2);
    check(b"a,b\n1,2\n\xFF,3\n", &header(), "not UTF-8", 3, 1);
    check(b"a,b\n1,2,3\n\xFF,3\n", &header(), "expected 2 cells", 2, 3);
    check(b"a,b\n1,\"2\n\n\xFF\",3\n", &header(), "not UTF-8", 4, 2);
    check(b"\xFF\xFEa\0,\0", &ReadPlan::default(), "UTF-16", 1, 0);
}

#[test]
fn missing_values_are_refused() {
    let plan = ReadPlan { missing: vec!["?".into()], ..header() };
    let error = check("a,b\n1,2\n3,?\n?,1\n", &plan, "a value is missing", 3, 2);
    assert_eq!(error.place.attribute.as_deref(), Some("b"));
    assert!(error.help.unwrap().contains("missing-rows"));
    check("a,b\n1,2\n,3\n", &header(), "a value is missing", 3, 1);
    // In a column that turns out to be text further down an empty cell is a value.
    let text = "a,b\n1,2\n,3\nx,4\n";
    let file = Scratch::new("t.csv", text.as_bytes());
    let table = read_sized(file.path(), &header(), 2, small(1), &Silent).unwrap().table;
    assert_eq!(super::texts(&table, "a"), ["1", "", "x"]);
}

#[test]
fn the_lowest_line_wins() {
    let plan = ReadPlan { missing: vec!["?".into()], ..numeric("a") };
    let plan = ReadPlan { header: Some(true), ..plan };
    let text = "a,b\n1,x\n1,?\nsecret,x\n1,2,3\n";
    for block in [1, 4, 9, 30, 1 << 16] {
        let file = Scratch::new("t.csv", text.as_bytes());
        let error = read_sized(file.path(), &plan, 8, small(block), &Silent).unwrap_err();
        assert_eq!(error.place.line, Some(3), "{error}");
    }
}

#[test]
fn numbers_that_are_none() {
    let plan = ReadPlan { header: Some(true), ..numeric("a") };
    let error = check("a,b\n1,2\nsecret,2\n", &plan, "not a finite number", 3, 1);
    assert_eq!(error.place.attribute.as_deref(), Some("a"));
    check("a,b\n1,2\ninf,2\n", &plan, "not a finite number", 3, 1);
}

/// A first line that is taken for names may be someone's row.
#[test]
fn a_row_in_the_place_of_names_is_not_quoted() {
    let plan = ReadPlan { header: Some(true), ..numeric("c") };
    for (text, said, column) in [
        ("Alice,secret\nBob,flu\n", "no such column", 0),
        ("secret,secret\nBob,flu\n", "duplicate column name", 2),
    ] {
        let error = check(text, &plan, said, 0, column);
        assert!(error.help.as_ref().is_some_and(|help| help.contains("header = false")), "{error}");
        assert!(
            !format!("{error:?}").contains("secret") && !format!("{error:?}").contains("Alice"),
            "{error:?}"
        );
    }
}

#[test]
fn columns_and_names() {
    let listed = with_columns([("a", ColumnPlan::default()), ("c", ColumnPlan::default())]);
    let plan = ReadPlan { header: Some(true), ..listed };
    let error = check("a,b\n1,2\n", &plan, "no such column", 0, 0);
    assert_eq!(error.place.attribute.as_deref(), Some("c"));
    // A name that is not expected may be a cell of a row.
    assert!(error.help.unwrap().contains("its columns are: a, and 1 other column that is not shown,"));
    // A line with most of the expected names is one of names.
    let named = [("a", ColumnPlan::default()), ("d", ColumnPlan::default()), ("c", ColumnPlan::default())];
    let named = ReadPlan { header: Some(true), ..with_columns(named) };
    assert!(
        check("a,b,d\n1,2,3\n", &named, "no such column", 0, 0)
            .help
            .is_some_and(|help| help.ends_with("its columns are: a, b, d"))
    );
    let given = ReadPlan { names: Some(vec!["a".into(), "b".into()]), ..plan.clone() };
    assert!(
        check("a,b\n1,2\n", &given, "no such column", 0, 0).help.unwrap().contains("its columns are: a, b")
    );
    check("a,b,a\n1,2,3\n", &header(), "duplicate column name", 0, 3);
    check("a,b,a\n1,2,3\n", &ReadPlan::default(), "duplicate column name", 0, 3);
    let names = ReadPlan { names: Some(vec!["x".into()]), ..header() };
    check("a,b\n1,2\n", &names, "1 name is given for 2 columns", 0, 0);
    let refuse = ReadPlan { unlisted: Unlisted::Refuse, ..header() };
    let error = check("a,b\n1,2\n", &refuse, "does not mention this column", 0, 1);
    assert!(error.place.attribute.is_none(), "{error:?}");
    let skip = ReadPlan { unlisted: Unlisted::Skip, ..header() };
    check("a,b\n1,2\n", &skip, "every column of the file is ignored", 0, 0);
    let subject = || ColumnPlan { reading: Reading::Subject, ..ColumnPlan::default() };
    let two = ReadPlan { header: Some(true), ..with_columns([("a", subject()), ("b", subject())]) };
    check("a,b\n1,2\n", &two, "there are two subject columns", 0, 0);
}

#[test]
fn orders() {
    let ordered = |order: &[&str]| {
        let order = order.iter().map(|&value| value.to_owned()).collect();
        let plan = ColumnPlan { kind: Some(Kind::Ordered), order, ..ColumnPlan::default() };
        ReadPlan { header: Some(true), ..with_columns([("a", plan)]) }
    };
    check("a,b\nlow,2\nsecret,3\n", &ordered(&["low", "high"]), "not in the declared order", 3, 1);
    check("a,b\nlow,2\n", &ordered(&[]), "needs its values", 0, 0);
    check("a,b\nlow,2\n", &ordered(&["low", "low"]), "contains a value twice", 0, 0);
}

#[test]
fn nothing_to_read() {
    check("", &ReadPlan::default(), "the file is empty", 0, 0);
    check("\n\n", &ReadPlan::default(), "no rows", 0, 0);
    check("\u{FEFF}", &ReadPlan::default(), "no rows", 0, 0);
    check("a,b\n", &header(), "a header and no rows", 1, 0);
    check("a,b\n", &ReadPlan { skip_lines: 9, ..header() }, "ends before", 0, 0);
    let drop = ReadPlan { missing: vec!["?".into()], missing_rows: MissingRows::Drop, ..header() };
    check("a,b\n?,1\n", &drop, "every row has a missing value", 0, 0);
}

#[test]
fn wrong_paths() {
    let read = |path: &Path| read_table(path, &ReadPlan::default(), 1, &Silent).unwrap_err();
    let error = read(Path::new("no-such-file.csv"));
    assert!(error.what.contains("no such file") && error.help.is_some());
    assert_eq!(error.place.file.as_deref(), Some(Path::new("no-such-file.csv")));
    assert!(read(&std::env::temp_dir()).what.contains("folder"));
}

#[test]
fn damaged_gzip() {
    let lines: Vec<String> = (0..50_000).map(|i| format!("{i},{}", i * 7919 % 1009)).collect();
    let text = lines.join("\n");
    let packed = gzip(text.as_bytes());
    let plan = ReadPlan { header: Some(false), ..ReadPlan::default() };
    let error = read("t.csv.gz", &packed[..packed.len() / 2], &plan).unwrap_err();
    assert!(error.what.contains("truncated"), "{error}");
    let mut broken = packed.clone();
    broken.truncate(packed.len() - 8);
    broken.extend_from_slice(&[7; 8]);
    assert!(read("t.csv.gz", &broken, &plan).unwrap_err().what.contains("damaged"));
}

#[test]
fn records_that_never_end() {
    let sizes = super::Sizes { block: 64, record: 1024 };
    let plain = format!("a,b\n1,2\n3,{}", "x".repeat(5000));
    let quoted = format!("a,b\n1,2\n3,\"{}", "x\n".repeat(5000));
    for text in [plain, quoted] {
        let file = Scratch::new("t.csv", text.as_bytes());
        let error = read_sized(file.path(), &header(), 2, sizes, &Silent).unwrap_err();
        assert!(error.what.contains("too long"), "{error}");
        assert_eq!(error.place.line, Some(3));
    }
}

#[test]
fn old_line_ends() {
    check("a,b\r1,2\r", &header(), "carriage returns", 1, 0);
    assert!(read("t.csv", "1,2\r", &ReadPlan { header: Some(false), ..ReadPlan::default() }).is_ok());
}

#[test]
fn wrong_delimiters() {
    for delimiter in [b'"', b'\n', 0, 200] {
        check(
            "a\n1\n",
            &ReadPlan { delimiter: Some(delimiter), ..ReadPlan::default() },
            "cannot be a delimiter",
            0,
            0,
        );
    }
}

#[test]
fn not_parquet() {
    let plan = ReadPlan { format: Some(Format::Parquet), ..ReadPlan::default() };
    check("a,b\n1,2\n", &plan, "damaged", 0, 0);
    check("PAR1", &ReadPlan::default(), "damaged", 0, 0);
    check("", &plan, "empty", 0, 0);
}

/// Rows are named by the lines of the file: behind a header, comments, empty lines and cells of several lines.
#[test]
fn rows_are_found_in_their_lines() {
    let file = Scratch::new("t.csv", b"a;b\n1;x\n\n2;\"y\nz\"\n# no row\n3;u\n");
    let plan = ReadPlan { comment: Some("#".to_owned()), ..ReadPlan::default() }.with_delimiter(b';');
    let line = |row: u64| line_of_row(file.path(), &plan, row).unwrap();
    assert_eq!([line(0), line(1), line(2), line(3)], [Some(2), Some(4), Some(7), None]);
    let bare = plan.clone().with_header(false);
    assert_eq!(line_of_row(file.path(), &bare, 0).unwrap(), Some(1));
    // Behind the first block.
    let rows: String = (0..300_000).map(|row| format!("{row};x\n")).collect();
    let long = Scratch::new("t.csv", format!("a;b\n{rows}").as_bytes());
    assert_eq!(line_of_row(long.path(), &plan, 299_999).unwrap(), Some(300_001));
}
