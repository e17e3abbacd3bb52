//! Clusters by k-means, merged until the guarantee holds and divided again while it does.
//!
//! Centres are drawn by k-means++, then Lloyd's iterations run until no individual moves. If the released centroids
//! break the guarantee, two clusters are merged: the smallest, if it is too small, with the one that is cheapest to
//! merge with (Ward 1963), otherwise the two that are cheapest to merge. Lloyd's iterations continue from there. At the
//! latest, one cluster is left.
//!
//! Where that leaves fewer clusters than requested, they are divided: the one with the highest inertia first, by
//! 2-means among its own individuals. The proposal is judged as a whole after some of Lloyd's iterations with all
//! individuals and, if it breaks the guarantee, also without them. A proposal that meets the guarantee is kept. A
//! cluster is given up after [`DRAWS`] draws of the 2-means' centres, so that at most twice as many clusters are tried
//! as are requested.
//!
//! Every mean is taken over enough individuals for the smallest bin, and as many are nearest to the released centroid.
//! The judge sees every proposal as a whole: earlier results are not reused. Time: that of Lloyd's iterations, and for
//! each merge or division tried that of a judgement, linear in the rows.

use super::judge::{Judge, Verdict};
use super::lloyd::{Cluster, FEW_ITERATIONS, ITERATIONS, Partition, seeds, settled};
use super::metric::square;
use super::near::Near;
use super::params::CheckedClusterParams;
use super::points::Points;
use incrowd_core::Result;
use incrowd_core::group::Grouping;
use incrowd_core::model::Clusters;
use incrowd_core::progress::Progress;
use incrowd_core::random::Random;
use incrowd_core::table::{People, Table};

/// The number of times that the division of a cluster is tried.
const DRAWS: u32 = 4;

pub(super) fn mine(
    table: &Table,
    points: &Points,
    judge: &Judge<'_>,
    params: &CheckedClusterParams,
    progress: &dyn Progress,
) -> Result<Option<Clusters>> {
    let _stage = progress.stage("clustering", None);
    let near = Near::new(points);
    let method = KMeans { table, points: (points, &near), judge, params, progress };
    match method.merged()? {
        Some((partition, safe)) => method.divided(partition, safe).map(Some),
        None => Ok(None),
    }
}

struct KMeans<'a> {
    table: &'a Table,
    points: (&'a Points, &'a Near),
    judge: &'a Judge<'a>,
    params: &'a CheckedClusterParams,
    progress: &'a dyn Progress,
}

impl KMeans<'_> {
    /// Merges clusters until they are safe; `None` if not even one is.
    fn merged(&self) -> Result<Option<(Partition, Clusters)>> {
        let random = &mut Random::of(self.params.seed, 0);
        let mut clusters = seeds(self.points.0, self.params.clusters as usize, random);
        loop {
            let mut partition = settled(self.points, clusters, ITERATIONS, self.progress);
            self.progress.check()?;
            self.progress.figures(&[("clusters", partition.clusters.len() as u64)]);
            match self.judged(&partition)? {
                Verdict::Safe(safe) => return Ok(Some((partition, safe))),
                Verdict::Small | Verdict::Breach if partition.clusters.len() == 1 => return Ok(None),
                Verdict::Small => merge(&mut partition.clusters, true),
                Verdict::Breach => merge(&mut partition.clusters, false),
            }
            clusters = partition.clusters;
        }
    }

    /// Divides clusters while that is safe and there are fewer than requested.
    fn divided(&self, mut partition: Partition, mut safe: Clusters) -> Result<Clusters> {
        let mut draws = vec![0_u32; partition.clusters.len()];
        let mut stream = 0;
        while partition.clusters.len() < self.params.clusters as usize {
            self.progress.check()?;
            let Some(widest) = widest(&partition.inertias(self.points.0), &draws) else { break };
            draws[widest] += 1;
            stream += 1;
            let random = &mut Random::of(self.params.seed, stream);
            let Some(parts) = partition.divided(self.points, widest, random) else {
                draws[widest] = DRAWS;
                continue;
            };
            if let Some((more, clusters)) = self.safe_division(parts)? {
                (partition, safe) = (more, clusters);
                draws[widest] = 0;
                draws.push(0);
                self.progress.figures(&[("clusters", partition.clusters.len() as u64)]);
            }
        }
        Ok(safe)
    }

    /// A division after Lloyd's iterations, or before them, whichever is safe first.
    fn safe_division(&self, parts: Partition) -> Result<Option<(Partition, Clusters)>> {
        if !self.has_enough(&parts) {
            return Ok(None);
        }
        let moved = settled(self.points, parts.clusters.clone(), FEW_ITERATIONS, self.progress);
        let as_many = moved.clusters.len() == parts.clusters.len();
        for partition in [as_many.then_some(moved), Some(parts)].into_iter().flatten() {
            if let Verdict::Safe(clusters) = self.judged(&partition)? {
                return Ok(Some((partition, clusters)));
            }
        }
        Ok(None)
    }

    fn judged(&self, partition: &Partition) -> Result<Verdict> {
        if !self.has_enough(partition) {
            return Ok(Verdict::Small);
        }
        self.judge.judge(&partition.clusters, self.points.0, |point| partition.of_point[point])
    }

    /// Whether every mean is one of enough individuals. There are never more individuals than rows.
    fn has_enough(&self, partition: &Partition) -> bool {
        let smallest = self.params.smallest();
        if partition.clusters.iter().any(|cluster| cluster.rows < smallest) {
            return false;
        }
        if !matches!(self.table.people(), People::Subjects { .. }) {
            return true;
        }
        let of_row = self.points.0.of_row.iter().map(|&point| partition.of_point[point as usize]).collect();
        let sets = Grouping { of_row, count: partition.clusters.len() as u32 };
        sets.sizes(self.table).iter().all(|&individuals| individuals >= smallest)
    }
}

/// The cluster of highest inertia that is not given up yet, the first one on a tie.
fn widest(inertias: &[f64], draws: &[u32]) -> Option<usize> {
    let left = (0..inertias.len()).filter(|&i| draws[i] < DRAWS && inertias[i] > 0.0);
    left.max_by(|&a, &b| inertias[a].total_cmp(&inertias[b]).then(b.cmp(&a)))
}

/// Merges two clusters: the smallest with its cheapest partner, or the cheapest two.
fn merge(clusters: &mut Vec<Cluster>, smallest: bool) {
    let small = (0..clusters.len()).min_by_key(|&i| clusters[i].rows).unwrap_or(0);
    let pairs = (0..clusters.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
    let asked = pairs.filter(|&(j, i)| !smallest || i == small || j == small);
    let Some((j, i)) = asked.min_by(|&a, &b| cost(clusters, a).total_cmp(&cost(clusters, b))) else { return };
    let gone = clusters.remove(i);
    let kept = &mut clusters[j];
    let (own, others) = (kept.rows as f64, gone.rows as f64);
    let mix = |(x, y): (&mut f64, f64)| *x = (*x * own + y * others) / (own + others);
    kept.center.iter_mut().zip(gone.center).for_each(mix);
    kept.rows += gone.rows;
}

/// By how much the sum of squared distances grows when two clusters become one.
fn cost(clusters: &[Cluster], (j, i): (usize, usize)) -> f64 {
    let (a, b) = (&clusters[j], &clusters[i]);
    let (own, others) = (a.rows as f64, b.rows as f64);
    own * others / (own + others) * square(&a.center, &b.center)
}
