//! The demo's clusters, told.

use super::{count, counted};
use crate::commands::demo_clusters::ClusterStory;
use crate::console::{GOOD, paint};

/// What there is to say under the heading.
pub(crate) fn render(story: &ClusterStory) -> String {
    let report = &story.report;
    format!(
        "  {}: everybody belongs to the nearest of {} centroids. Who knows a patient's age can rule some of them out:\n  \
         that makes {}, the smallest of {} patients; {} are exposed.\n\n{}",
        paint(GOOD, "k = 10 holds"),
        story.clusters.centroids().len(),
        counted(report.spans, "span"),
        count(report.k),
        match report.exposed {
            0 => "none".to_owned(),
            n => count(n),
        },
        super::clusters::centroids(&story.clusters)
    )
}
