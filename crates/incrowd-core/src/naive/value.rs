//! Cells of a table as values, without codes.

use crate::table::{Column, Kind, Values};
use std::cmp::Ordering;

/// The content of a cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Number(f64),
    Text(String),
    Missing,
}

impl Value {
    /// The cell of a row.
    pub(super) fn of_row(column: &Column, row: usize) -> Self {
        let code = column.code(row) as usize;
        match column.values() {
            _ if code == column.values().len() => Self::Missing,
            Values::Numeric(numbers) => Self::Number(numbers[code]),
            Values::Categorical(texts) | Values::Ordered(texts) => Self::Text(texts.get(code).to_owned()),
        }
    }

    /// The number it is, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) | Self::Missing => None,
        }
    }

    /// A value that a release names, as this column would write it.
    pub(super) fn of_name(column: &Column, name: &str) -> Self {
        let number = (column.kind() == Kind::Numeric).then(|| name.trim().parse().ok()).flatten();
        number.map_or_else(|| Self::Text(name.to_owned()), Self::Number)
    }

    /// Which of two values of a column comes first, where they have an order; a missing one is the last.
    pub(super) fn order(&self, other: &Self, column: &Column) -> Ordering {
        let place = |value: &Self| match (value, column.values()) {
            (Self::Missing, _) => f64::INFINITY,
            (Self::Number(number), _) => *number,
            (Self::Text(text), Values::Ordered(texts)) => texts.position(text).unwrap_or(texts.len()) as f64,
            (Self::Text(_), Values::Numeric(_)) => f64::MAX,
            (Self::Text(_), Values::Categorical(_)) => 0.0,
        };
        place(self).total_cmp(&place(other))
    }
}
