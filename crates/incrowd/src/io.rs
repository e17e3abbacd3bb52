//! Files: tables and policies in, predictions and exports out, public data sets.
//!
//! Releases are written by [`Audited`](crate::Audited) alone.

pub use incrowd_io::{
    BasketCounts, ColumnPlan, Decimal, Format, KeepItems, MissingRows, PolicyFile, Quote, ReadPlan, Reading,
    TableRead, Target, Unlisted, count_baskets, looks_like_baskets, read_baskets, read_table, read_taxonomy,
    write_cluster_numbers, write_csv, write_predictions, write_table,
};

/// Policies as files, and drafts of them.
pub mod policy {
    pub use incrowd_io::policy::{
        DraftAttribute, DraftDependency, ItemRoles, PolicyDraft, PolicyFile, Purpose,
    };
}

/// Public data sets: what there is, and fetching it.
pub mod data {
    pub use incrowd_io::data::{
        DataSet, Getting, Got, POLICY, Placed, Source, default_cache, is_cached, place_file, place_policy,
        sets,
    };
}

/// Writing files whole or not at all.
pub mod write {
    pub use incrowd_io::write::{abandon, failure, make_folder, refuse_existing, refuse_input, write_new};
}
