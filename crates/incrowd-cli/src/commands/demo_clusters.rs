//! The demo's clusters: patients by age and blood pressure.

use crate::documents::ClusterStory;
use incrowd::mine::clusters::ClusterMethod;
use incrowd::policy::Policy;
use incrowd::table::Table;
use incrowd::{Dataset, Result};

/// The maximum number of clusters, so that all of them can be displayed.
const CLUSTERS: u32 = 5;

/// The range of blood pressures, which is common knowledge.
const PRESSURE: (f64, f64) = (60.0, 260.0);

pub(crate) fn story(table: &Table, policy: &Policy, k: u64) -> Result<ClusterStory> {
    let mut policy = policy.clone();
    let pressure = policy.attributes.iter_mut().filter(|attribute| attribute.name == "blood-pressure");
    pressure.for_each(|attribute| attribute.range = Some(PRESSURE));
    let data = Dataset::of_table(table.clone(), policy);
    let clusters = data.clusters().k(k).method(ClusterMethod::KMeans).clusters(CLUSTERS);
    let mined = clusters.attributes(["age", "blood-pressure"]).mine()?.into_mined();
    Ok(ClusterStory { report: mined.report, clusters: mined.clusters })
}
