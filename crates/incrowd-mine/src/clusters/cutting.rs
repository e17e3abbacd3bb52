//! Clusters from a minimum spanning tree, cut from the longest edge on.
//!
//! After section 5.2 of the VLDB paper, with three differences. A cluster in the tree is a set of individuals, not a
//! function of the domain; the means of these sets are released, and an individual belongs to the cluster of the
//! nearest mean. Spans are derived again from the released centroids for every proposed cut, because the paper's
//! three-way update misses changes in the spans of other clusters (`docs/proofs.md`). And no cluster may have fewer
//! individuals than the guarantee's smallest bin, which is k unless stated otherwise.
//!
//! Each edge is tried once. An edge whose cut would leave too few individuals on one side costs nothing: it could not
//! be cut later either, since the sides only shrink. Other edges cost time linear in the rows.

use super::forest::Forest;
use super::judge::{Judge, Verdict};
use super::lloyd::Cluster;
use super::mst::{Edge, spanning_tree};
use super::params::CheckedClusterParams;
use super::points::{Points, individuals};
use incrowd_core::Result;
use incrowd_core::model::Clusters;
use incrowd_core::progress::Progress;
use incrowd_core::table::{People, Table};

pub(super) fn mine(
    table: &Table,
    points: &Points,
    judge: &Judge<'_>,
    params: &CheckedClusterParams,
    progress: &dyn Progress,
) -> Result<Option<Clusters>> {
    let stage = progress.stage("spanning", None);
    let mut edges = spanning_tree(points, progress);
    edges.sort_unstable_by(|a, b| b.order(a));
    stage.finish()?;
    let _stage = progress.stage("cutting", Some(u64::from(params.clusters)));
    let mut cutting = Cutting {
        table,
        points,
        judge,
        params,
        forest: Forest::new(points, &edges),
        clusters: Vec::new(),
        tries: 0,
    };
    cutting.run(&edges, progress)
}

struct Cutting<'a> {
    table: &'a Table,
    points: &'a Points,
    judge: &'a Judge<'a>,
    params: &'a CheckedClusterParams,
    forest: Forest<'a>,
    /// The clusters of the forest.
    clusters: Vec<Cluster>,
    tries: u32,
}

impl Cutting<'_> {
    fn run(&mut self, edges: &[Edge], progress: &dyn Progress) -> Result<Option<Clusters>> {
        let rows = self.points.weights.iter().sum();
        self.clusters = vec![Cluster { center: self.points.mean(0..self.points.len()), rows }];
        let Verdict::Safe(mut clusters) = self.judge.judge(&self.clusters, self.points, |_| 0)? else {
            return Ok(None);
        };
        for edge in edges {
            if self.forest.clusters() >= self.params.clusters as usize || self.tries >= self.params.tries {
                break;
            }
            progress.check()?;
            if let Some(more) = self.cut(edge)? {
                clusters = more;
                progress.advance(1);
                progress.figures(&[("clusters", self.forest.clusters() as u64)]);
            }
        }
        Ok(Some(clusters))
    }

    /// Cuts an edge if that is safe.
    fn cut(&mut self, edge: &Edge) -> Result<Option<Clusters>> {
        let place = self.forest.lower(edge);
        if !self.is_large_enough(place) {
            return Ok(None);
        }
        self.tries += 1;
        let (below, rest) = self.forest.sides(place);
        let side = |side: bool, rows: u64| Cluster { center: self.forest.mean_of(place, side), rows };
        let mut clusters = self.clusters.clone();
        clusters[self.forest.cluster_at(place) as usize] = side(false, rest);
        clusters.push(side(true, below));
        let of_point = |point: usize| match self.forest.side(point, place) {
            Some(true) => self.forest.clusters() as u32,
            _ => self.forest.cluster_of(point),
        };
        let Verdict::Safe(released) = self.judge.judge(&clusters, self.points, of_point)? else {
            return Ok(None);
        };
        self.forest.cut(place);
        self.clusters = clusters;
        Ok(Some(released))
    }

    /// Whether both sides of a cut have enough individuals for a mean. There are never more individuals than rows.
    fn is_large_enough(&self, place: u32) -> bool {
        let smallest = self.params.smallest();
        let (below, rest) = self.forest.sides(place);
        if below.min(rest) < smallest {
            return false;
        }
        let has = |side: bool| {
            let is_in = |point: usize| self.forest.side(point, place) == Some(side);
            individuals(self.table, self.points, is_in) >= smallest
        };
        !matches!(self.table.people(), People::Subjects { .. }) || (has(true) && has(false))
    }
}
