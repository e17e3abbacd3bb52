//! Files: reading tables and policies, writing predictions and exports, public data sets.
//!
//! Only [`Audited`](crate::Audited) writes releases.

pub use incrowd_io::{
    BasketCounts, ColumnPlan, Decimal, Encoding, Format, KeepItems, MissingRows, PolicyFile, Quote, ReadPlan,
    Reading, STANDARD_INPUT, TableRead, Target, Unlisted, count_baskets, files_of, format_of_name,
    looks_like_baskets, path_of_files, read_baskets, read_table, read_taxonomy, write_cluster_numbers,
    write_csv, write_predictions, write_scores, write_table,
};

pub use incrowd_io::plan::Spelling;
pub use incrowd_io::release::{parse_recoding, recoding_text};

#[cfg(feature = "arrow")]
pub use incrowd_io::{Frame, NumberedWords, cell_texts, number_words, read_frame, to_batch};

/// Policy files, and drafts of policies.
pub mod policy {
    pub use incrowd_io::policy::{
        DossierFields, DraftAttribute, DraftDependency, ItemRoles, PolicyDraft, PolicyFile, Purpose,
    };
}

/// Public data sets: the list, and downloading.
pub mod data {
    pub use incrowd_io::data::{
        CachedFile, DataSet, DownloadSource, Getting, POLICY, Placement, default_cache, is_cached,
        place_file, place_policy, sets,
    };
}

/// Ledgers of releases.
pub mod ledger {
    pub use incrowd_io::ledger::{Family, Ledger, LedgerRecord, RecordedFile};
}

/// Writing files atomically.
pub mod write {
    pub use incrowd_io::write::{abandon, failure, make_folder, refuse_existing, refuse_input, write_new};
}
