//! Names and numbers in pictures.

pub use incrowd_core::words::{between, bounds};
pub use incrowd_eval::words::{count, counted, percent};
pub(super) use incrowd_eval::words::{plain, shortened, width};

/// What the figures of a tree count if individuals have several rows.
pub const SEVERAL_ROWS: &str = "individuals have several rows: each counts once for every leaf and class value they \
    have, and shares are shares of these counts";

/// What the figures of clusters count if individuals have several rows.
pub const SEVERAL_ROWS_OF_CLUSTERS: &str =
    "individuals have several rows: each counts once in every cluster in which they have a row";

/// What the centroid and the population of a cluster describe.
pub const OF_CENTROIDS: &str = "individuals are counted in the cluster of the nearest centroid; a centroid is the rounded \
    mean of the group that the method found; these are not exactly the same individuals";

/// "1 leaf", "2 leaves".
pub(super) fn leaves(number: u32) -> String {
    if number == 1 { "1 leaf".to_owned() } else { format!("{} leaves", count(u64::from(number))) }
}
