//! The part of the demo on clusters.

use super::{count, counted};
use crate::console::{GOOD, paint};
use crate::documents::ClusterStory;

/// The text under the heading.
pub(crate) fn render(story: &ClusterStory) -> String {
    let report = &story.report;
    format!(
        "  {}: each patient belongs to the nearest of {} centroids. An attacker who knows a patient's age can rule out\n  \
         some of them, and distinguishes {}. The smallest has {} patients; {} are exposed.\n\n{}",
        paint(GOOD, "k = 10 holds"),
        story.clusters.centroids().len(),
        counted(report.spans, "group"),
        count(report.k),
        match report.exposed {
            0 => "none".to_owned(),
            n => count(n),
        },
        super::clusters::centroids(&story.clusters, false)
    )
}
