//! The commands, one file per command: each turns its arguments into a plan and runs it.

pub(crate) mod audit;
pub(crate) mod boost;
pub(crate) mod clusters;
pub(crate) mod compare;
pub(crate) mod data;
pub(crate) mod database;
pub(crate) mod demo;
pub(crate) mod demo_clusters;
pub(crate) mod export;
mod flags;
pub(crate) mod generate;
pub(crate) mod ledger;
mod markdown;
mod mining;
pub(crate) mod policy;
pub(crate) mod predict;
pub(crate) mod predict_clusters;
pub(crate) mod profile;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod show;
mod show_clusters;
mod show_ensemble;
mod show_table;
pub(crate) mod table;
pub(crate) mod transform;
pub(crate) mod tree;
pub(crate) mod verify;

use crate::console::Console;
use incrowd::table::RowsLeftOut;

/// Warns if many rows are left out because of missing values.
fn warn_left_out(console: &Console, rows: &RowsLeftOut) {
    rows.warning().iter().for_each(|warning| console.warn(warning));
}
