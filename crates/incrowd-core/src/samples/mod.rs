//! Built-in data: the papers' small tables, and generated tables of any size.
//!
//! Everything here is computed; nothing is read from a file. Random values depend on the seed alone.

mod clinic;
mod papers;
#[cfg(test)]
mod tests;
mod tic_tac_toe;
mod waveform;

pub use clinic::{careful_tree, careless_tree, clinic, clinic_policy, clinic_with_ids};
pub use papers::{
    PaperTable, cherries_and_candles, mortgage_anonymized, mortgage_of_six, mortgage_of_twelve,
    zip_and_income, zip_anonymized, zip_original, zip_public,
};
pub use tic_tac_toe::tic_tac_toe;
pub use waveform::waveform;

use crate::error::Result;
use crate::table::{Column, People, Table};

/// A table from columns that were made to fit.
fn table(columns: Vec<Column>) -> Table {
    sure(Table::new(columns, People::Rows))
}

/// What was made by rule keeps the rules of tables.
fn sure<T>(made: Result<T>) -> T {
    made.expect("built-in data keeps the rules of tables")
}
