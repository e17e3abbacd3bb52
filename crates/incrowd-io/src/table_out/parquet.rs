//! Writes a table as Parquet: numbers as doubles, everything else as text, missing values as nulls.

use ::parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as PhysicalType};
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::Type;
use incrowd_core::table::{Column, Table, Values};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Rows are written in groups of this many.
const ROWS: usize = 1 << 20;

pub(super) fn fill(file: &mut (dyn Write + Send), table: &Table) -> io::Result<()> {
    write(file, table).map_err(|error| match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) => *inner,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    })
}

fn write(file: &mut (dyn Write + Send), table: &Table) -> Result<(), ParquetError> {
    let fields = table.columns().iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("incrowd").with_fields(fields).build()?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
    for start in (0..table.rows()).step_by(ROWS) {
        let rows = start..table.rows().min(start + ROWS);
        let mut group = writer.next_row_group()?;
        for column in table.columns() {
            write_column(&mut group, column, table, rows.clone())?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let repetition = if column.has_missing() { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let numeric = column.values().numbers().is_some();
    let physical = if numeric { PhysicalType::DOUBLE } else { PhysicalType::BYTE_ARRAY };
    let mut builder = Type::primitive_type_builder(column.name(), physical).with_repetition(repetition);
    if !numeric {
        builder =
            builder.with_logical_type(Some(LogicalType::String)).with_converted_type(ConvertedType::UTF8);
    }
    builder.build().map(Arc::new)
}

fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: &Column,
    table: &Table,
    rows: Range<usize>,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else { return Ok(()) };
    let missing = column.missing_code();
    let codes = rows.flat_map(|row| std::iter::repeat_n(column.code(row), table.weight(row) as usize));
    let codes: Vec<u32> = codes.collect();
    let levels: Vec<i16> = codes.iter().map(|&code| i16::from(code != missing)).collect();
    let levels = column.has_missing().then_some(levels.as_slice());
    let there = codes.iter().copied().filter(|&code| code != missing);
    match column.values() {
        Values::Numeric(numbers) => {
            let values: Vec<f64> = there.map(|code| numbers[code as usize]).collect();
            writer.typed::<DoubleType>().write_batch(&values, levels, None)?;
        }
        Values::Categorical(texts) | Values::Ordered(texts) => {
            let bytes: Vec<ByteArray> =
                texts.iter().map(|text| ByteArray::from(text.as_bytes().to_vec())).collect();
            let values: Vec<ByteArray> = there.map(|code| bytes[code as usize].clone()).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, levels, None)?;
        }
    }
    writer.close()
}
