//! Checks proposed centroids in the form they would have in a release: rounded, in their final order, with exact spans.

use super::axes::Axes;
use super::lloyd::Cluster;
use super::params::CheckedClusterParams;
use super::points::Points;
use incrowd_core::audit::holds;
use incrowd_core::group::Grouping;
use incrowd_core::model::{Axis, Centroid, Clusters};
use incrowd_core::policy::Policy;
use incrowd_core::span::ClusterSpace;
use incrowd_core::table::Table;
use incrowd_core::{Error, Result};

/// Judges proposals. What they have in common, such as who shares public coordinates, is computed once.
pub(super) struct Judge<'a> {
    table: &'a Table,
    policy: &'a Policy,
    params: &'a CheckedClusterParams,
    axes: &'a Axes<'a>,
    of_model: Vec<Axis>,
    space: ClusterSpace<'a>,
}

/// The judgement of a proposal.
pub(super) enum Verdict {
    /// It meets the guarantee; the centroids as they would be released.
    Safe(Clusters),
    /// Some cluster has too few individuals, or none.
    Small,
    /// Some span breaks the guarantee.
    Breach,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        table: &'a Table,
        policy: &'a Policy,
        params: &'a CheckedClusterParams,
        axes: &'a Axes<'a>,
    ) -> Result<Self> {
        let of_model = axes.of_model();
        let space = ClusterSpace::new(table, policy, &of_model)?.in_blocks();
        Ok(Self { table, policy, params, axes, of_model, space })
    }

    /// Judges centres in scaled space, each the mean of the points that `of_point` gives its number. Takes time linear
    /// in the rows, except for sorting individuals with several rows.
    pub(super) fn judge(
        &self,
        clusters: &[Cluster],
        points: &Points,
        of_point: impl Fn(usize) -> u32,
    ) -> Result<Verdict> {
        let least = self.params.smallest();
        let cluster_of_row = |row: usize| of_point(points.of_row[row] as usize);
        let holders = self.axes.holders(self.table, clusters.len(), cluster_of_row);
        let of_cluster = |(number, cluster): (usize, &Cluster)| {
            self.axes.released(cluster, least, holders.as_ref().map(|holders| holders[number].as_slice()))
        };
        let mut released: Vec<Vec<f64>> = clusters.iter().enumerate().map(of_cluster).collect();
        // The order decides ties, so it must not depend on how the centres were found.
        released.sort_by(|a, b| {
            a.iter()
                .zip(b)
                .map(|(x, y)| x.total_cmp(y))
                .find(|o| o.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        if released.iter().flatten().any(|coordinate| !coordinate.is_finite()) {
            return Err(Error::limit("the means of some clusters are too large for 64-bit numbers")
                .help("use larger units for the attributes"));
        }
        let centers: Vec<&[f64]> = released.iter().map(Vec::as_slice).collect();
        let nearest = self.space.nearest(&centers);
        let cells = Grouping { of_row: nearest, count: centers.len() as u32 };
        let populations = cells.sizes(self.table);
        if populations.iter().any(|&population| population < self.params.smallest().max(1)) {
            return Ok(Verdict::Small);
        }
        let linking = self.space.link(&centers, &cells.of_row)?;
        if !holds(self.table, self.policy, &linking, &self.params.guarantee)? {
            return Ok(Verdict::Breach);
        }
        let with = |(center, population)| Centroid { center, population: Some(population) };
        let centroids = released.into_iter().zip(populations).map(with).collect();
        Ok(Verdict::Safe(Clusters::new(self.of_model.clone(), centroids)?))
    }
}
