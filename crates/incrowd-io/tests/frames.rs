//! Frames: what a record batch becomes, and a table as a record batch.

#![cfg(feature = "arrow")]
#![allow(clippy::unwrap_used, reason = "tests")]

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray,
};
use incrowd_core::progress::Silent;
use incrowd_core::table::{Column, Kind, People, Table};
use incrowd_io::{ColumnPlan, Frame, MissingRows, ReadPlan, TableRead, read_frame, to_batch};
use proptest::prelude::*;
use std::sync::Arc;

fn frame(columns: Vec<(&str, ArrayRef)>) -> Frame {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    Frame::of_batches(batch.schema(), vec![batch])
}

fn read(frame: Frame, plan: &ReadPlan) -> incrowd_core::Result<TableRead> {
    read_frame(frame, plan, 2, &Silent)
}

fn keeping() -> ReadPlan {
    ReadPlan::default().with_missing_rows(MissingRows::Keep)
}

#[test]
fn kinds_of_columns() {
    let names: DictionaryArray<Int8Type> = vec![Some("b"), None, Some("a")].into_iter().collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("whole", Arc::new(Int64Array::from(vec![Some(7), None, Some(-1)]))),
        ("single", Arc::new(Float32Array::from(vec![0.1, f32::NAN, -0.0]))),
        ("name", Arc::new(names)),
    ];
    let table = read(frame(columns), &keeping()).unwrap().table;
    let expected = vec![
        Column::from_numbers("whole", &[Some(7.0), None, Some(-1.0)]).unwrap(),
        // The number that its shortest text names, as in a Parquet file.
        Column::from_numbers("single", &[Some(0.1), None, Some(0.0)]).unwrap(),
        Column::from_texts("name", &[Some("b"), None, Some("a")]),
    ];
    assert_eq!(table, Table::new(expected, People::Rows).unwrap());
}

#[test]
fn numbers_declared_as_names() {
    let (mut plan, mut column) = (ReadPlan::default(), ColumnPlan::default());
    column.kind = Some(Kind::Categorical);
    plan.columns.insert("x".to_owned(), column);
    let table = read(frame(vec![("x", Arc::new(Float64Array::from(vec![1.0, 2.5])))]), &plan).unwrap().table;
    assert_eq!(table.columns()[0], Column::from_texts("x", &[Some("1"), Some("2.5")]));
}

#[test]
fn errors_speak_of_a_frame_and_its_rows() {
    let x = || -> (&str, ArrayRef) { ("x", Arc::new(Int64Array::from(vec![Some(1), None]))) };
    let error = read(frame(vec![x()]), &ReadPlan::default()).unwrap_err();
    assert_eq!(error.to_string().split(" (").next(), Some("attribute `x`: a value is missing in row 2"));
    let mut plan = ReadPlan::default();
    plan.columns.insert("y".to_owned(), ColumnPlan::default());
    let error = read(frame(vec![x()]), &plan).unwrap_err();
    assert_eq!(error.what, "the frame has no such column");
    assert_eq!(error.help.as_deref(), Some("its columns are: x"));
    let none = frame(vec![("x", Arc::new(Int64Array::from(Vec::<i64>::new())))]);
    assert_eq!(read(none, &ReadPlan::default()).unwrap_err().what, "the frame has no rows");
}

#[test]
fn weights_are_individuals() {
    let columns = |weights: Vec<f64>| -> Vec<(&str, ArrayRef)> {
        let name: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c"]));
        vec![("name", name), ("weight", Arc::new(Float64Array::from(weights)))]
    };
    let weighted = |weights| read(frame(columns(weights)).weighted_by("weight"), &ReadPlan::default());
    let table = weighted(vec![2.0, 0.0, 3.0]).unwrap().table;
    let expected = Column::from_texts("name", &[Some("a"), Some("c")]);
    assert_eq!(table, Table::new(vec![expected], People::Weights(vec![2, 3])).unwrap());
    for wrong in [vec![1.0, 2.5, 1.0], vec![1.0, -1.0, 1.0], vec![0.0; 3]] {
        assert_eq!(weighted(wrong).unwrap_err().place.attribute.as_deref(), Some("weight"));
    }
}

proptest! {
    #[test]
    fn a_table_comes_back_from_its_batch(
        cells in prop::collection::vec((prop::option::of(-3_i32..4), prop::option::of("[ab,\" é]{0,3}")), 1..60),
        cut in 0_usize..60,
    ) {
        let numbers: Vec<Option<f64>> = cells.iter().map(|(number, _)| number.map(|n| f64::from(n) / 2.0)).collect();
        let texts: Vec<Option<String>> = cells.iter().map(|(_, text)| text.clone()).collect();
        let columns = vec![Column::from_numbers("x", &numbers).unwrap(), Column::from_texts("y", &texts)];
        let table = Table::new(columns, People::Rows).unwrap();
        let batch = to_batch(&table).unwrap();
        let cut = cut.min(batch.num_rows());
        let parts = vec![batch.slice(0, cut), batch.slice(cut, batch.num_rows() - cut)];
        let read = read(Frame::of_batches(batch.schema(), parts), &keeping()).unwrap();
        prop_assert_eq!(read.table, table);
    }
}
