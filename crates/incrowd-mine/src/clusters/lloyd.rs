//! Lloyd's iterations (1982), from centres drawn as k-means++ does (Arthur and Vassilvitskii 2007).

use super::near::Near;
use super::points::Points;
use incrowd_core::progress::{Progress, Silent};
use incrowd_core::random::Random;
use rayon::prelude::*;

/// The maximum number of consecutive Lloyd iterations.
pub(super) const ITERATIONS: usize = 100;

/// The same where a proposal is only to be tried: most of the way is made in the first ones.
pub(super) const FEW_ITERATIONS: usize = 16;

/// Points are worked on in blocks of this many, whatever the number of threads, so that sums do not depend on it.
const BLOCK: usize = 1 << 12;

/// A cluster on the way.
#[derive(Clone)]
pub(super) struct Cluster {
    pub(super) center: Vec<f64>,
    pub(super) rows: u64,
}

/// All points in clusters, and the means of those.
#[derive(Clone)]
pub(super) struct Partition {
    pub(super) clusters: Vec<Cluster>,
    /// The cluster of each point.
    pub(super) of_point: Vec<u32>,
}

/// Centres to start with: each drawn in proportion to the squared distance from those before.
pub(super) fn seeds(points: &Points, count: usize, random: &mut Random) -> Vec<Cluster> {
    let mut chances: Vec<f64> = points.weights.iter().map(|&weight| weight as f64).collect();
    let mut centers: Vec<Cluster> = Vec::new();
    let mut nearest = vec![f64::INFINITY; points.len()];
    while centers.len() < count {
        let Some(point) = draw(&chances, random.unit()) else { break };
        nearest.par_iter_mut().zip(&mut chances).enumerate().for_each(|(i, (nearest, chance))| {
            *nearest = nearest.min(points.square(i, point));
            *chance = *nearest * points.weights[i] as f64;
        });
        centers.push(Cluster { center: points.mean(std::iter::once(point)), rows: 0 });
    }
    centers
}

/// The place where the running sum of chances passes a share of their total; `None` if all are zero.
fn draw(chances: &[f64], share: f64) -> Option<usize> {
    let total: f64 = chances.iter().sum();
    let mut sum = 0.0;
    let passes = |chance: &f64| {
        sum += chance;
        *chance > 0.0 && sum >= share * total
    };
    chances.iter().position(passes).or_else(|| chances.iter().rposition(|&chance| chance > 0.0))
}

/// Lloyd's iterations until no individual moves, at most `iterations`, or until cancelled; clusters that lose every
/// individual are left out.
pub(super) fn settled(
    (points, near): (&Points, &Near),
    mut clusters: Vec<Cluster>,
    iterations: usize,
    progress: &dyn Progress,
) -> Partition {
    let mut of_point: Vec<u32> = Vec::new();
    let mut left = iterations;
    loop {
        let nearest = near.assigned(points, &clusters);
        clusters = means(points, &nearest, clusters.len());
        if clusters.iter().any(|cluster| cluster.rows == 0) {
            clusters.retain(|cluster| cluster.rows > 0);
            of_point.clear();
            continue;
        }
        left = left.saturating_sub(1);
        let is_settled = nearest == of_point;
        of_point = nearest;
        if is_settled || left == 0 || progress.is_cancelled() {
            return Partition { clusters, of_point };
        }
    }
}

/// The means of the clusters.
fn means(points: &Points, of_point: &[u32], count: usize) -> Vec<Cluster> {
    let empty = || vec![Cluster { center: vec![0.0; points.metric.width], rows: 0 }; count];
    let of_block = |(block, of_point): (usize, &[u32])| {
        let mut sums = empty();
        for (point, &cluster) in (block * BLOCK..).zip(of_point) {
            let sum = &mut sums[cluster as usize];
            let weight = points.weights[point];
            sum.rows += weight;
            points.metric.add(&mut sum.center, points.at(point), weight as f64);
        }
        sums
    };
    let blocks: Vec<Vec<Cluster>> = of_point.par_chunks(BLOCK).enumerate().map(of_block).collect();
    let mut clusters = blocks.into_iter().fold(empty(), |mut all, block| {
        for (sum, part) in all.iter_mut().zip(block) {
            sum.rows += part.rows;
            sum.center.iter_mut().zip(part.center).for_each(|(sum, x)| *sum += x);
        }
        all
    });
    for cluster in &mut clusters {
        let rows = cluster.rows as f64;
        cluster.center.iter_mut().for_each(|x| *x /= rows);
    }
    clusters
}

impl Partition {
    /// The sum of squared distances from the points of each cluster to its mean.
    pub(super) fn inertias(&self, points: &Points) -> Vec<f64> {
        let rests: Vec<f64> = self.clusters.iter().map(|c| points.metric.rest(&c.center)).collect();
        let of_block = |(block, of_point): (usize, &[u32])| {
            let mut sums = vec![0.0; self.clusters.len()];
            for (point, &cluster) in (block * BLOCK..).zip(of_point) {
                let cluster = cluster as usize;
                let center = &self.clusters[cluster].center;
                let distance = points.metric.to_center(points.at(point), center, rests[cluster]).max(0.0);
                sums[cluster] += distance * points.weights[point] as f64;
            }
            sums
        };
        let blocks: Vec<Vec<f64>> = self.of_point.par_chunks(BLOCK).enumerate().map(of_block).collect();
        blocks.into_iter().fold(vec![0.0; self.clusters.len()], |mut all, block| {
            all.iter_mut().zip(block).for_each(|(sum, part)| *sum += part);
            all
        })
    }

    /// The same with one cluster divided by 2-means; `None` if all its points are one.
    pub(super) fn divided(
        &self,
        (points, near): (&Points, &Near),
        cluster: usize,
        random: &mut Random,
    ) -> Option<Self> {
        let is_in = |point: &usize| self.of_point[*point] as usize == cluster;
        let members: Vec<usize> = (0..points.len()).filter(is_in).collect();
        let own = points.select(&members);
        let near = near.select(&own, &members);
        let halves = settled((&own, &near), seeds(&own, 2, random), FEW_ITERATIONS, &Silent);
        let [first, second] = <[Cluster; 2]>::try_from(halves.clusters).ok()?;
        let mut parts = self.clone();
        let new = parts.clusters.len() as u32;
        parts.clusters[cluster] = first;
        parts.clusters.push(second);
        let seconds = members.into_iter().zip(halves.of_point).filter(|&(_, half)| half == 1);
        seconds.for_each(|(point, _)| parts.of_point[point] = new);
        Some(parts)
    }
}
