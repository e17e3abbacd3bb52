//! A table as an Arrow record batch: numbers as doubles, everything else as dictionaries of text, missing values as
//! nulls.

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;
use incrowd_core::table::{Column, Table, Values};
use incrowd_core::{Error, Result};
use std::sync::Arc;

/// Returns a table as a record batch; a row is repeated as often as its weight.
///
/// # Errors
/// When the table is too large for a batch.
pub fn to_batch(table: &Table) -> Result<RecordBatch> {
    let arrays =
        table.columns().iter().map(|column| array(column, table).map(|array| (column.name(), array)));
    let arrays = arrays.collect::<Result<Vec<_>>>()?;
    RecordBatch::try_from_iter_with_nullable(arrays.into_iter().map(|(name, array)| (name, array, true)))
        .map_err(too_large)
}

fn array(column: &Column, table: &Table) -> Result<ArrayRef> {
    let missing = column.missing_code();
    let rows = (0..table.rows()).flat_map(|row| std::iter::repeat_n(row, table.weight(row) as usize));
    let codes = rows.map(|row| Some(column.code(row)).filter(|&code| code != missing));
    match column.values() {
        Values::Numeric(numbers) => {
            let array: Float64Array = codes.map(|code| code.map(|code| numbers[code as usize])).collect();
            Ok(Arc::new(array))
        }
        Values::Categorical(texts) | Values::Ordered(texts) => {
            let keys: Int32Array = codes.map(|code| code.map(u32::cast_signed)).collect();
            let values = StringArray::from_iter_values(texts.iter());
            DictionaryArray::<Int32Type>::try_new(keys, Arc::new(values))
                .map(|array| Arc::new(array) as ArrayRef)
                .map_err(too_large)
        }
    }
}

fn too_large(_: ArrowError) -> Error {
    Error::limit("the table is too large for a record batch").help("write it to a file")
}
