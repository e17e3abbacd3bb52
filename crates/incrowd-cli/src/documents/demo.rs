//! The document of `incrowd demo`.

use incrowd::Audited;
use incrowd::audit::Report;
use incrowd::mine::rules::MinedRules;
use incrowd::mine::tree::MinedTree;
use incrowd::model::Clusters;
use incrowd::profile::Profile;
use serde::Serialize;

/// The results that the demo displays.
#[derive(Serialize)]
pub(crate) struct Story {
    /// How identifying the table is.
    pub(crate) profile: Profile,
    /// The audit of the table without names.
    pub(crate) table: Report,
    /// The audit of a tree with too many tests.
    pub(crate) careless: Report,
    /// The audit of a tree grown under the guarantee.
    pub(crate) mined: Report,
    /// Its error on other patients.
    pub(crate) error: f64,
    /// The error of always predicting the most frequent diagnosis.
    pub(crate) baseline: f64,
    /// Clusters found under the guarantee.
    pub(crate) clusters: ClusterStory,
    /// The audit of a shop's rules, mined under a guarantee.
    pub(crate) rules: Report,
    #[serde(skip)]
    pub(crate) tree: Audited<MinedTree>,
    #[serde(skip)]
    pub(crate) shop: Audited<MinedRules>,
    pub(crate) seconds: f64,
}

/// Clusters found under the guarantee.
#[derive(Serialize)]
pub(crate) struct ClusterStory {
    /// Their audit.
    pub(crate) report: Report,
    #[serde(skip)]
    pub(crate) clusters: Clusters,
}
