//! The engine's values, which are texts, as Arrow arrays of the types that a Parquet file would have.

use crate::table::Date;
use crate::{Error, Result};
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int64Array,
    StringArray, new_null_array,
};
use arrow_schema::DataType;
use incrowd_sql::{EngineColumn, SqlKind};
use std::sync::Arc;

/// The digits of the longest decimal.
const DIGITS: u8 = 38;

/// The values of a column; none for a null.
///
/// # Errors
/// When a value is outside the range of its type here.
pub(super) fn array(column: &EngineColumn, keys: &[Option<String>]) -> Result<ArrayRef> {
    let array: Option<ArrayRef> = match column.kind {
        None => Some(absent(column, keys.len())),
        Some(SqlKind::Boolean) => collected(keys, |key| match key {
            "true" | "t" => Some(true),
            "false" | "f" => Some(false),
            _ => None,
        })
        .map(|values| Arc::new(BooleanArray::from(values)) as ArrayRef),
        Some(SqlKind::Whole) => collected(keys, |key| key.parse().ok())
            .map(|values| Arc::new(Int64Array::from(values)) as ArrayRef),
        Some(SqlKind::Single) => collected(keys, |key| key.parse().ok())
            .map(|values| Arc::new(Float32Array::from(values)) as ArrayRef),
        Some(SqlKind::Double) => collected(keys, |key| key.parse().ok())
            .map(|values| Arc::new(Float64Array::from(values)) as ArrayRef),
        Some(SqlKind::Decimal) => decimals(keys),
        Some(SqlKind::Date) => {
            collected(keys, day).map(|values| Arc::new(Date32Array::from(values)) as ArrayRef)
        }
        Some(_) => Some(Arc::new(keys.iter().map(Option::as_deref).collect::<StringArray>())),
    };
    array.ok_or_else(|| {
        Error::input(format!(
            "a value of the type {} is outside the range that can be read",
            column.type_name
        ))
        .of_attribute(&column.name)
        .help("read a view that converts the column to text, or give it the role `ignored`")
    })
}

/// An array of a column that is not read. Where its type cannot be read, neither can the array's.
pub(super) fn absent(column: &EngineColumn, rows: usize) -> ArrayRef {
    let data_type = match column.kind {
        None => DataType::FixedSizeBinary(1),
        Some(SqlKind::Boolean) => DataType::Boolean,
        Some(SqlKind::Text) => DataType::Utf8,
        Some(SqlKind::Date) => DataType::Date32,
        Some(_) => DataType::Int64,
    };
    new_null_array(&data_type, rows)
}

/// Each value read; none if one cannot be.
fn collected<T>(keys: &[Option<String>], read: impl Fn(&str) -> Option<T>) -> Option<Vec<Option<T>>> {
    let read = |key: &Option<String>| match key {
        Some(key) => read(key).map(Some),
        None => Some(None),
    };
    keys.iter().map(read).collect()
}

fn day(key: &str) -> Option<i32> {
    // Years of four digits: others are not written alike everywhere.
    let is_plain = key.len() == 10 && key.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    Date::parse(key, None).filter(|_| is_plain).map(Date::days)
}

/// Decimals with as many digits behind the point as any of them has.
fn decimals(keys: &[Option<String>]) -> Option<ArrayRef> {
    let behind = |key: &String| key.split_once('.').map_or(0, |(_, digits)| digits.len());
    let scale = keys.iter().flatten().map(behind).max().unwrap_or(0);
    let value = |key: &str| {
        let (whole, digits) = key.split_once('.').unwrap_or((key, ""));
        format!("{whole}{digits:0<scale$}").parse::<i128>().ok()
    };
    let array = Decimal128Array::from(collected(keys, value)?);
    let array = array.with_precision_and_scale(DIGITS, i8::try_from(scale).ok()?).ok()?;
    array.validate_decimal_precision(DIGITS).ok()?;
    Some(Arc::new(array))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Date32Type, Decimal128Type};

    fn read(kind: SqlKind, keys: &[&str]) -> Result<ArrayRef> {
        let column = EngineColumn { name: "a".to_owned(), kind: Some(kind), type_name: "T".to_owned() };
        array(&column, &keys.iter().map(|key| (*key != "-").then(|| (*key).to_owned())).collect::<Vec<_>>())
    }

    #[test]
    fn texts_become_values() {
        let decimals = read(SqlKind::Decimal, &["1.50", "-2", "-", "-0.5"]).expect("decimals");
        assert_eq!(decimals.as_primitive::<Decimal128Type>().values()[..2], [150, -200]);
        assert_eq!(decimals.as_primitive::<Decimal128Type>().value(3), -50);
        assert!(decimals.is_null(2));
        let days = read(SqlKind::Date, &["1970-01-02", "1969-12-31"]).expect("days");
        assert_eq!(days.as_primitive::<Date32Type>().values()[..], [1, -1]);
        assert_eq!(read(SqlKind::Boolean, &["t", "false", "-"]).expect("booleans").null_count(), 1);
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for (kind, key) in [
            (SqlKind::Whole, "9223372036854775808"),
            (SqlKind::Date, "0044-03-15 BC"),
            (SqlKind::Date, "infinity"),
            (SqlKind::Decimal, "NaN"),
            (SqlKind::Boolean, "maybe"),
        ] {
            let error = read(kind, &[key]).expect_err("out of range");
            assert!(!error.to_string().contains(key), "{error}");
        }
        let long = "1".repeat(39);
        assert!(read(SqlKind::Decimal, &[&long]).is_err());
    }
}
