//! The demo's clusters: patients by age and blood pressure.

use incrowd::Result;
use incrowd::audit::Report;
use incrowd::guarantee::Guarantee;
use incrowd::mine::clusters::{ClusterParams, Method, mine_clusters};
use incrowd::model::Clusters;
use incrowd::policy::Policy;
use incrowd::progress::Silent;
use incrowd::table::Table;
use serde::Serialize;

/// The most clusters, so that they fit the story.
const CLUSTERS: u32 = 5;

/// What everybody knows a blood pressure can be.
const PRESSURE: (f64, f64) = (60.0, 260.0);

/// Clusters found under the guarantee.
#[derive(Serialize)]
pub(crate) struct ClusterStory {
    /// Their audit.
    pub(crate) report: Report,
    #[serde(skip)]
    pub(crate) clusters: Clusters,
}

pub(crate) fn story(table: &Table, policy: &Policy, guarantee: &Guarantee) -> Result<ClusterStory> {
    let mut policy = policy.clone();
    let pressure = policy.attributes.iter_mut().filter(|attribute| attribute.name == "blood-pressure");
    pressure.for_each(|attribute| attribute.range = Some(PRESSURE));
    let mut params = ClusterParams::new(Method::KMeans, guarantee.clone());
    params.clusters = CLUSTERS;
    params.attributes = vec!["age".to_owned(), "blood-pressure".to_owned()];
    let mined = mine_clusters(table, &policy, &params.check()?, &Silent)?;
    Ok(ClusterStory { report: mined.report, clusters: mined.clusters })
}
