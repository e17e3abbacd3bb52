//! The values of Arrow arrays as cells.

// One macro body for all widths: what is lossless for one type is a conversion of bits for another.
#![allow(clippy::cast_lossless)]

use super::super::cells::Span;
use super::super::form::{Form, Style, put_bool};
use super::{check_length, span_of};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    BinaryType, ByteArrayType, Date32Type, Date64Type, Decimal128Type, DurationMicrosecondType,
    DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, LargeBinaryType, LargeUtf8Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type, Utf8Type,
};
use arrow_array::{Array, ArrowPrimitiveType, GenericByteArray};
use arrow_buffer::ArrowNativeType;
use arrow_schema::{DataType, TimeUnit};
use incrowd_core::table::Kind;
use incrowd_core::{Error, Result};
use std::ops::Range;

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// How the values of a type are written, and of what kind they are; or why they cannot be read.
pub(super) fn style(data_type: &DataType) -> Result<(Style, Kind), &'static str> {
    use DataType as T;
    match data_type {
        T::Boolean => Ok((Style::Plain, Kind::Categorical)),
        T::Null | T::Int8 | T::Int16 | T::Int32 | T::Int64 | T::Float32 | T::Float64 | T::Duration(_) => {
            Ok((Style::Plain, Kind::Numeric))
        }
        T::UInt8 | T::UInt16 | T::UInt32 | T::UInt64 => Ok((Style::Unsigned, Kind::Numeric)),
        T::Float16 => Ok((Style::Half, Kind::Numeric)),
        T::Date32 | T::Date64 => Ok((Style::Date, Kind::Date)),
        T::Time32(unit) | T::Time64(unit) => Ok((Style::Time(parts(*unit)), Kind::Categorical)),
        T::Timestamp(unit, zone) => {
            Ok((Style::Timestamp { parts: parts(*unit), utc: zone.is_some() }, Kind::Categorical))
        }
        T::Decimal128(_, scale) => match usize::try_from(*scale) {
            Ok(scale) if scale <= 38 => Ok((Style::Decimal { scale }, Kind::Numeric)),
            _ => Err("decimals of more than 38 digits cannot be read"),
        },
        T::Decimal256(..) => Err("decimals of more than 38 digits cannot be read"),
        T::Utf8 | T::LargeUtf8 | T::Utf8View | T::Binary | T::LargeBinary | T::BinaryView => {
            Ok((Style::Plain, Kind::Categorical))
        }
        T::Dictionary(_, values) if !matches!(**values, T::Dictionary(..)) => style(values),
        T::List(_) | T::LargeList(_) | T::FixedSizeList(..) | T::Struct(_) | T::Map(..) => {
            Err("nested columns cannot be read")
        }
        T::Interval(_) => Err("intervals cannot be read"),
        _ => Err("columns of this type cannot be read"),
    }
}

fn parts(unit: TimeUnit) -> i128 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

/// Calls a macro with the Arrow type of every data type that is stored as whole numbers.
macro_rules! whole {
    ($data_type:expr, $each:ident, $otherwise:expr) => {
        match $data_type {
            DataType::Int8 => $each!(Int8Type),
            DataType::Int16 => $each!(Int16Type),
            DataType::Int32 => $each!(Int32Type),
            DataType::Int64 => $each!(Int64Type),
            DataType::UInt8 => $each!(UInt8Type),
            DataType::UInt16 => $each!(UInt16Type),
            DataType::UInt32 => $each!(UInt32Type),
            DataType::UInt64 => $each!(UInt64Type),
            DataType::Date32 => $each!(Date32Type),
            DataType::Date64 => $each!(Date64Type),
            DataType::Time32(TimeUnit::Second) => $each!(Time32SecondType),
            DataType::Time32(_) => $each!(Time32MillisecondType),
            DataType::Time64(TimeUnit::Microsecond) => $each!(Time64MicrosecondType),
            DataType::Time64(_) => $each!(Time64NanosecondType),
            DataType::Timestamp(TimeUnit::Second, _) => $each!(TimestampSecondType),
            DataType::Timestamp(TimeUnit::Millisecond, _) => $each!(TimestampMillisecondType),
            DataType::Timestamp(TimeUnit::Microsecond, _) => $each!(TimestampMicrosecondType),
            DataType::Timestamp(TimeUnit::Nanosecond, _) => $each!(TimestampNanosecondType),
            DataType::Duration(TimeUnit::Second) => $each!(DurationSecondType),
            DataType::Duration(TimeUnit::Millisecond) => $each!(DurationMillisecondType),
            DataType::Duration(TimeUnit::Microsecond) => $each!(DurationMicrosecondType),
            DataType::Duration(TimeUnit::Nanosecond) => $each!(DurationNanosecondType),
            _ => $otherwise,
        }
    };
}

/// The values of an array as words that are equal where the values are.
pub(super) struct Words<'a>(&'a dyn Array);

impl<'a> Words<'a> {
    /// None for texts and other values that are no words.
    pub(super) fn of(array: &'a dyn Array) -> Option<Self> {
        use DataType as T;
        let array = match array.data_type() {
            DataType::Dictionary(..) => array.as_any_dictionary().keys(),
            _ => array,
        };
        let other = || match array.data_type() {
            T::Null | T::Boolean | T::Float16 | T::Float32 | T::Float64 => Some(Self(array)),
            _ => None,
        };
        macro_rules! words {
            ($type:ty) => {
                Some(Self(array))
            };
        }
        whole!(array.data_type(), words, other())
    }

    /// Appends the words of some rows; any word for a null.
    pub(super) fn put(&self, rows: Range<usize>, to: &mut Vec<u64>) {
        let array = self.0;
        macro_rules! put {
            ($type:ty) => {
                numbers::<$type>(array, rows, |value| value as u64, to)
            };
        }
        match array.data_type() {
            DataType::Boolean => to.extend(rows.map(|row| u64::from(array.as_boolean().value(row)))),
            DataType::Float16 => {
                numbers::<Float16Type>(array, rows, |value| u64::from(value.to_bits()), to);
            }
            DataType::Float32 => {
                numbers::<Float32Type>(array, rows, |value| u64::from(value.to_bits()), to);
            }
            DataType::Float64 => numbers::<Float64Type>(array, rows, f64::to_bits, to),
            // The writer finds no value in any row.
            other => whole!(other, put, to.extend(rows.map(|_| 0))),
        }
    }
}

fn numbers<T: ArrowPrimitiveType>(
    array: &dyn Array,
    rows: Range<usize>,
    word: impl Fn(T::Native) -> u64,
    to: &mut Vec<u64>,
) {
    to.extend(array.as_primitive::<T>().values()[rows].iter().map(|&value| word(value)));
}

/// Whether the values of an array are numbers that [`number_of`] returns.
pub(super) fn has_numbers(array: &dyn Array) -> bool {
    array.data_type().is_integer() || *array.data_type() == DataType::Float64
}

/// The finite number of a row that has a value, for types whose numbers are the same as those that their texts
/// represent.
pub(super) fn number_of(array: &dyn Array, row: usize) -> Option<f64> {
    macro_rules! number {
        ($type:ty) => {
            array.as_primitive::<$type>().value(row) as f64
        };
    }
    let number = match array.data_type() {
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float64 => number!(Float64Type),
        _ => return None,
    };
    // Zero is positive, as in texts.
    number.is_finite().then_some(number + 0.0)
}

/// Writes the value of a row; returns whether there is one.
pub(super) fn put_cell(array: &dyn Array, row: usize, form: &Form, text: &mut Vec<u8>) -> Result<bool> {
    macro_rules! put {
        ($type:ty) => {
            form.put_int64(array.as_primitive::<$type>().value(row) as i64, text)
        };
    }
    if array.is_null(row) {
        return Ok(false);
    }
    match array.data_type() {
        DataType::Null => Ok(false),
        DataType::Boolean => put_bool(array.as_boolean().value(row), text),
        DataType::Date64 => {
            form.put_int64(array.as_primitive::<Date64Type>().value(row).div_euclid(DAY), text)
        }
        DataType::Float16 => {
            form.put_bytes(&array.as_primitive::<Float16Type>().value(row).to_le_bytes(), text)
        }
        DataType::Float32 => form.put_float(array.as_primitive::<Float32Type>().value(row), text),
        DataType::Float64 => form.put_float(array.as_primitive::<Float64Type>().value(row), text),
        DataType::Decimal128(..) => {
            form.put_bytes(&array.as_primitive::<Decimal128Type>().value(row).to_be_bytes(), text)
        }
        DataType::Utf8 => form.put_bytes(array.as_string::<i32>().value(row).as_bytes(), text),
        DataType::LargeUtf8 => form.put_bytes(array.as_string::<i64>().value(row).as_bytes(), text),
        DataType::Utf8View => form.put_bytes(array.as_string_view().value(row).as_bytes(), text),
        DataType::Binary => form.put_bytes(array.as_binary::<i32>().value(row), text),
        DataType::LargeBinary => form.put_bytes(array.as_binary::<i64>().value(row), text),
        DataType::BinaryView => form.put_bytes(array.as_binary_view().value(row), text),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            match key(dictionary.keys(), row).filter(|key| *key < dictionary.values().len()) {
                Some(key) => put_cell(&**dictionary.values(), key, form, text),
                None => Err(Error::input("a dictionary of the frame lacks a value")),
            }
        }
        other => whole!(other, put, Err(Error::internal("a type without cells"))),
    }
}

fn key(keys: &dyn Array, row: usize) -> Option<usize> {
    macro_rules! get {
        ($type:ty) => {
            usize::try_from(keys.as_primitive::<$type>().value(row)).ok()
        };
    }
    match keys.data_type() {
        DataType::Int8 => get!(Int8Type),
        DataType::Int16 => get!(Int16Type),
        DataType::Int32 => get!(Int32Type),
        DataType::Int64 => get!(Int64Type),
        DataType::UInt8 => get!(UInt8Type),
        DataType::UInt16 => get!(UInt16Type),
        DataType::UInt32 => get!(UInt32Type),
        DataType::UInt64 => get!(UInt64Type),
        _ => None,
    }
}

/// Copies the texts of an array behind `text` and returns where they are.
pub(super) fn texts_of(array: &dyn Array, form: &Form, text: &mut Vec<u8>) -> Result<Vec<Span>> {
    match array.data_type() {
        DataType::Utf8 => ranges::<Utf8Type>(array, text),
        DataType::LargeUtf8 => ranges::<LargeUtf8Type>(array, text),
        DataType::Binary => ranges::<BinaryType>(array, text),
        DataType::LargeBinary => ranges::<LargeBinaryType>(array, text),
        _ => {
            let span = |row| {
                let start = text.len();
                let has_value = put_cell(array, row, form, text)?;
                if has_value { span_of(start, text.len()) } else { Ok(Span::NULL) }
            };
            (0..array.len()).map(span).collect()
        }
    }
}

/// The same for texts that are next to each other in memory, copied at once.
fn ranges<T: ByteArrayType>(array: &dyn Array, text: &mut Vec<u8>) -> Result<Vec<Span>> {
    let array: &GenericByteArray<T> = array.as_bytes::<T>();
    let offsets = array.value_offsets();
    let first = offsets.first().map_or(0, |offset| offset.as_usize());
    let last = offsets.last().map_or(0, |offset| offset.as_usize());
    let bytes = array.value_data().get(first..last).unwrap_or_default();
    let base = text.len();
    span_of(base, base.saturating_add(bytes.len()))?;
    if std::str::from_utf8(bytes).is_err() {
        return Err(Error::input("a text is not UTF-8")
            .help("write the column as text, or exclude it: give it the role `ignored`"));
    }
    text.extend_from_slice(bytes);
    let span = |row: usize| {
        if array.is_null(row) {
            return Ok(Span::NULL);
        }
        let (start, end) = (offsets[row].as_usize() - first, offsets[row + 1].as_usize() - first);
        check_length(end - start)?;
        span_of(base + start, base + end)
    };
    (0..array.len()).map(span).collect()
}
