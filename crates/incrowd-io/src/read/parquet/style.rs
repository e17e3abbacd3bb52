//! What a Parquet file states about the types of its columns.

use super::super::form::{LONGEST_DECIMAL, Style};
use super::super::rules::DeclaredColumn;
use ::parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use ::parquet::schema::types::ColumnDescriptor;
use incrowd_core::table::Kind;

/// What the file states about a column.
pub(super) fn declared(column: &ColumnDescriptor) -> DeclaredColumn {
    let mut declared = DeclaredColumn::named(column.path().string());
    declared.unfit = unfit(column).map(str::to_owned);
    let numeric = match (column.physical_type(), style(column)) {
        (Type::BOOLEAN | Type::INT96, _) => false,
        (Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY, style) => {
            matches!(style, Style::Decimal { .. } | Style::Half)
        }
        (_, style) => matches!(style, Style::Plain | Style::Unsigned | Style::Decimal { .. }),
    };
    declared.kind = Some(match style(column) {
        Style::Date => Kind::Date,
        _ if numeric => Kind::Numeric,
        _ => Kind::Categorical,
    });
    declared
}

/// Why a column cannot be read.
fn unfit(column: &ColumnDescriptor) -> Option<&'static str> {
    let length = if column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY { column.type_length() } else { 0 };
    let decimal = matches!(style(column), Style::Decimal { .. });
    if column.path().parts().len() > 1 || column.max_rep_level() > 0 {
        Some("nested columns cannot be read")
    } else if column.converted_type() == ConvertedType::INTERVAL {
        Some("intervals cannot be read")
    } else if decimal && (length > LONGEST_DECIMAL || !(0..=38).contains(&column.type_scale())) {
        Some("decimals of more than 38 digits cannot be read")
    } else {
        None
    }
}

pub(super) fn style(column: &ColumnDescriptor) -> Style {
    match column.logical_type_ref() {
        Some(LogicalType::Decimal(_)) => decimal(column),
        Some(LogicalType::Date) => Style::Date,
        Some(LogicalType::Time(time)) => Style::Time(parts(time.unit)),
        Some(LogicalType::Timestamp(time)) => {
            Style::Timestamp { parts: parts(time.unit), utc: time.is_adjusted_to_u_t_c }
        }
        Some(LogicalType::Integer(integer)) if !integer.is_signed => Style::Unsigned,
        Some(LogicalType::Uuid) => Style::Uuid,
        Some(LogicalType::Float16) => Style::Half,
        _ => old_style(column),
    }
}

/// The same by the older annotations.
fn old_style(column: &ColumnDescriptor) -> Style {
    match column.converted_type() {
        ConvertedType::DECIMAL => decimal(column),
        ConvertedType::DATE => Style::Date,
        ConvertedType::TIME_MILLIS => Style::Time(1_000),
        ConvertedType::TIME_MICROS => Style::Time(1_000_000),
        ConvertedType::TIMESTAMP_MILLIS => Style::Timestamp { parts: 1_000, utc: true },
        ConvertedType::TIMESTAMP_MICROS => Style::Timestamp { parts: 1_000_000, utc: true },
        ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64 => {
            Style::Unsigned
        }
        _ => Style::Plain,
    }
}

fn decimal(column: &ColumnDescriptor) -> Style {
    Style::Decimal { scale: usize::try_from(column.type_scale()).unwrap_or(0) }
}

fn parts(unit: TimeUnit) -> i128 {
    match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    }
}
