//! The files of incrowd: tables in (CSV, UCI data, ARFF, Parquet, JSON lines, Excel), policies, taxonomies and releases.
//!
//! Every file is untrusted: errors name the file, the line and the column, state what to do, and never quote a cell.

pub mod bounds;
pub mod data;
pub mod dossier;
pub mod export;
pub mod import;
pub mod ledger;
pub mod plan;
pub mod policy;
mod predictions;
pub mod read;
mod recoded;
pub mod release;
mod table_out;
pub mod write;
mod zip;

pub use export::{Target, export};
pub use import::{
    Compared, Elsewhere, Maker, check_commas, check_numbers, check_spelling, check_values, is_item_of_table,
    parse_any_model, read_any_model, read_as_maker, read_model, read_tree, rules_over_table, tree_of,
};
pub use plan::{ColumnPlan, Decimal, Encoding, Format, MissingRows, Quote, ReadPlan, Reading, Unlisted};
pub use policy::{PolicyDraft, PolicyFile, Purpose, read_taxonomy};
pub use predictions::{
    cluster_plan, prediction_plan, prediction_plan_of, tested, write_cluster_numbers, write_predictions,
    write_scores,
};
pub use read::{
    BasketCounts, BasketsRead, KeepItems, RepeatedIdentifier, STANDARD_INPUT, TableRead, check_left_out,
    count_baskets, files_of, line_of_row, looks_like_baskets, looks_like_table, names_of_columns,
    path_of_files, read_baskets, read_table, repeated_identifiers,
};
#[cfg(feature = "arrow")]
pub use read::{Frame, NumberedWords, cell_texts, number_words, read_frame};
pub use recoded::{recoding_plan, recoding_plan_of, released_cells_plan};
pub use release::{Release, read_release, write_release};
#[cfg(feature = "arrow")]
pub use table_out::to_batch;
pub use table_out::{format_of_name, prepare_table, write_csv, write_table};
