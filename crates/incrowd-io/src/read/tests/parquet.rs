//! Parquet: every type written with the crate's writer and read back.

use super::{Scratch, read, small, texts, with_columns};
use crate::plan::{ColumnPlan, MissingRows, ReadPlan, Reading, Unlisted};
use crate::read::read_sized;
use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type, Int96, Int96Type,
};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::parser::parse_message_type;
use incrowd_core::progress::Silent;
use incrowd_core::table::Kind;
use std::sync::Arc;

const SCHEMA: &str = "message m {
    required boolean yes;
    required int32 n;
    optional int64 big;
    required int32 day (DATE);
    required int64 moment (TIMESTAMP(MICROS, true));
    required int32 money (DECIMAL(9, 2));
    required fixed_len_byte_array(3) price (DECIMAL(6, 1));
    required int32 short (INTEGER(32, false));
    required float small;
    optional double wide;
    optional binary text (UTF8);
    required int96 old;
}";

type Group<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

fn put<T: DataType>(group: &mut Group<'_>, values: &[T::T], levels: Option<&[i16]>) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, levels, None).unwrap();
    column.close().unwrap();
}

fn file(schema: &str, groups: usize, mut write: impl FnMut(&mut Group<'_>)) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(WriterProperties::default())).unwrap();
    for _ in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        write(&mut group);
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

pub(super) fn sample() -> Vec<u8> {
    file(SCHEMA, 2, |group| {
        let text = |text: &str| ByteArray::from(text.as_bytes().to_vec());
        put::<BoolType>(group, &[true, false], None);
        put::<Int32Type>(group, &[5, -7], None);
        put::<Int64Type>(group, &[9], Some(&[0, 1]));
        put::<Int32Type>(group, &[0, -1], None);
        put::<Int64Type>(group, &[1_709_251_199_500_000, -1], None);
        put::<Int32Type>(group, &[12_345, -5], None);
        let bytes = [vec![0xFF, 0xFF, 0xFF], vec![0, 1, 0]];
        put::<FixedLenByteArrayType>(
            group,
            &bytes.map(|b| FixedLenByteArray::from(ByteArray::from(b))),
            None,
        );
        put::<Int32Type>(group, &[-1, 1], None);
        put::<FloatType>(group, &[0.1, 2.5], None);
        put::<DoubleType>(group, &[f64::NAN, 0.25], Some(&[1, 1]));
        put::<ByteArrayType>(group, &[text("é x")], Some(&[1, 0]));
        put::<Int96Type>(
            group,
            &[Int96::from(vec![0, 0, 2_440_588]), Int96::from(vec![0, 0, 2_440_589])],
            None,
        );
    })
}

fn keep() -> ReadPlan {
    ReadPlan { missing_rows: MissingRows::Keep, ..ReadPlan::default() }
}

#[test]
fn every_type() {
    let table = read("t.parquet", sample(), &keep()).unwrap().table;
    assert_eq!(table.rows(), 4);
    let first = |name: &str| texts(&table, name)[..2].to_vec();
    assert_eq!(first("yes"), ["true", "false"]);
    assert_eq!(first("n"), ["5", "-7"]);
    assert_eq!(first("big"), ["NA", "9"]);
    assert_eq!(first("day"), ["1970-01-01", "1969-12-31"]);
    assert_eq!(first("moment"), ["2024-02-29T23:59:59.5Z", "1969-12-31T23:59:59.999999Z"]);
    assert_eq!(first("money"), ["123.45", "-0.05"]);
    assert_eq!(first("price"), ["-0.1", "25.6"]);
    assert_eq!(first("short"), ["4294967295", "1"]);
    assert_eq!(first("small"), ["0.1", "2.5"]);
    assert_eq!(first("wide"), ["NA", "0.25"]);
    assert_eq!(first("text"), ["é x", "NA"]);
    assert_eq!(first("old"), ["1970-01-01T00:00:00", "1970-01-02T00:00:00"]);
    assert_eq!(table.require("money").unwrap().kind(), Kind::Numeric);
    assert_eq!(table.require("day").unwrap().kind(), Kind::Ordered);
}

#[test]
fn the_plan_decides() {
    let sample = sample();
    let error = read("t.parquet", &sample, &ReadPlan::default()).unwrap_err();
    assert!(error.what.contains("a value is missing in row 1"), "{error}");
    let drop = ReadPlan { missing_rows: MissingRows::Drop, ..ReadPlan::default() };
    assert!(read("t.parquet", &sample, &drop).unwrap_err().what.contains("every row"));
    let text = ColumnPlan { reading: Reading::Text, ..ColumnPlan::default() };
    let plan = ReadPlan { missing_rows: MissingRows::Keep, ..with_columns([("n", text)]) };
    let table = read("t.parquet", &sample, &plan).unwrap().table;
    assert_eq!(table.require("n").unwrap().kind(), Kind::Categorical);
}

#[test]
fn nested_columns_must_be_skipped() {
    let schema = "message m { required int32 n; required group g { required int32 x; repeated int32 y; } }";
    let bytes = file(schema, 1, |group| {
        put::<Int32Type>(group, &[1, 2], None);
        put::<Int32Type>(group, &[3, 4], None);
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(&[7], Some(&[1, 0]), Some(&[0, 0])).unwrap();
        column.close().unwrap();
    });
    let error = read("t.parquet", &bytes, &ReadPlan::default()).unwrap_err();
    assert!(error.what.contains("nested") && error.help.is_some(), "{error}");
    let skip = ColumnPlan { reading: Reading::Skip, ..ColumnPlan::default() };
    let table = read("t.parquet", &bytes, &with_columns([("g", skip)])).unwrap().table;
    assert_eq!((table.columns().len(), texts(&table, "n")), (1, vec!["1".to_owned(), "2".to_owned()]));
}

#[test]
fn bytes_that_are_no_text() {
    let bytes = file("message m { required binary b; }", 1, |group| {
        put::<ByteArrayType>(group, &[ByteArray::from(vec![0xFF])], None);
    });
    let error = read("t.parquet", &bytes, &ReadPlan::default()).unwrap_err();
    assert!(error.what.contains("not UTF-8"), "{error}");
}

#[test]
fn long_files_for_any_number_of_threads() {
    let numbers: Vec<i64> = (0..300_000).map(|i| i * 7919 % 10_007).collect();
    let bytes = file("message m { required int64 n; }", 3, |group| put::<Int64Type>(group, &numbers, None));
    let path = Scratch::new("t.parquet", &bytes);
    let table = |threads| read_sized(path.path(), &keep(), threads, small(1), &Silent).unwrap().table;
    let one = table(1);
    assert_eq!((one.rows(), one.columns()[0].values().len()), (900_000, 10_007));
    assert_eq!(
        one.columns()[0].values().text(one.columns()[0].code(300_005) as usize),
        numbers[5].to_string()
    );
    assert!(one == table(2) && one == table(8));
}

/// `NaN` and null are different cells of a file; so are texts with and without spaces, and a column of a type that
/// cannot be read does not prevent reading.
#[test]
fn a_table_that_is_given_away_is_told_apart_as_its_file_tells_it_apart() {
    let schema = "message m { optional double x; optional binary t (UTF8); repeated int32 list; }";
    let bytes = file(schema, 1, |group| {
        put::<DoubleType>(group, &[f64::NAN, 1.0, 0.0, -0.0], Some(&[0, 1, 1, 1, 1]));
        let text = |text: &str| ByteArray::from(text.as_bytes().to_vec());
        put::<ByteArrayType>(group, &[text(""), text("a"), text("a "), text("?")], Some(&[1, 0, 1, 1, 1]));
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(&[], Some(&[0; 5]), Some(&[0; 5])).unwrap();
        column.close().unwrap();
    });
    let exact = ColumnPlan { reading: Reading::Exact, ..ColumnPlan::default() };
    let mut plan = with_columns([("x", exact.clone()), ("t", exact)]);
    (plan.missing_rows, plan.unlisted) = (MissingRows::Keep, Unlisted::Bystander);
    let read = read("t.parquet", &bytes, &plan).unwrap();
    assert_eq!(texts(&read.table, "x"), ["NA", "NaN", "1", "0", "-0"]);
    assert_eq!(texts(&read.table, "t"), ["", "NA", "a", "a ", "?"]);
    assert_eq!((read.names.len(), read.table.columns().len()), (3, 2));
}
