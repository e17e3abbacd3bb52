//! Clusters by k-means, merged until the guarantee holds.
//!
//! Seeds are drawn as k-means++ does (Arthur and Vassilvitskii 2007), then Lloyd's iterations run until nobody moves. If the released centroids break the
//! guarantee, two clusters become one: the smallest, if it is too small, with the one it costs least to be merged with (Ward 1963), else the two that
//! cost least. Lloyd's iterations go on from there. One cluster is left at the latest.

use super::judge::{Judge, Verdict};
use super::params::CheckedClusterParams;
use super::points::{Points, square};
use incrowd_core::Result;
use incrowd_core::model::Clusters;
use incrowd_core::progress::Progress;
use incrowd_core::samples::Random;
use rayon::prelude::*;

/// The most of Lloyd's iterations in a row.
const ITERATIONS: usize = 100;

/// Points are worked on in blocks of this many, whatever the number of threads, so that sums do not depend on it.
const BLOCK: usize = 1 << 12;

pub(super) fn mine(
    points: &Points,
    judge: &Judge<'_>,
    params: &CheckedClusterParams,
    progress: &dyn Progress,
) -> Result<Option<Clusters>> {
    progress.begin("clustering", None);
    let mut clusters = seeds(points, params.clusters as usize, params.seed);
    let mined = loop {
        clusters = settled(points, clusters);
        progress.figures(&[("clusters", clusters.len() as u64)]);
        let centers: Vec<Vec<f64>> = clusters.iter().map(|cluster| cluster.center.clone()).collect();
        let verdict = judge.judge(&centers)?;
        match verdict {
            Verdict::Safe(safe) => break Some(safe),
            Verdict::Small | Verdict::Breach if clusters.len() == 1 => break None,
            Verdict::Small => merge(&mut clusters, true),
            Verdict::Breach => merge(&mut clusters, false),
        }
    };
    progress.end();
    Ok(mined)
}

/// A cluster on the way.
#[derive(Clone)]
struct Cluster {
    center: Vec<f64>,
    rows: u64,
}

/// Centres to start with: each drawn in proportion to the squared distance from those before.
fn seeds(points: &Points, count: usize, seed: u64) -> Vec<Cluster> {
    let mut random = Random::of(seed, 0);
    let mut chances: Vec<f64> = points.weights.iter().map(|&weight| weight as f64).collect();
    let mut centers: Vec<Cluster> = Vec::new();
    let mut nearest = vec![f64::INFINITY; points.len()];
    while centers.len() < count {
        let Some(point) = draw(&chances, random.unit()) else { break };
        let center = points.at(point).to_vec();
        nearest.par_iter_mut().zip(&mut chances).enumerate().for_each(|(i, (nearest, chance))| {
            *nearest = nearest.min(square(points.at(i), &center));
            *chance = *nearest * points.weights[i] as f64;
        });
        centers.push(Cluster { center, rows: 0 });
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

/// Lloyd's iterations until nobody moves; clusters that lose everybody are left out.
fn settled(points: &Points, mut clusters: Vec<Cluster>) -> Vec<Cluster> {
    let mut of_point: Vec<u32> = Vec::new();
    for _ in 0..ITERATIONS {
        let nearest = assigned(points, &clusters);
        clusters = moved(points, &nearest, clusters.len());
        if nearest == of_point {
            break;
        }
        of_point = nearest;
        clusters.retain(|cluster| cluster.rows > 0);
    }
    clusters.retain(|cluster| cluster.rows > 0);
    clusters
}

/// The nearest cluster of every point, the first one on a tie.
fn assigned(points: &Points, clusters: &[Cluster]) -> Vec<u32> {
    let nearest = |point: usize| {
        let mut best = (f64::INFINITY, 0);
        for (i, cluster) in (0..).zip(clusters) {
            let distance = square(points.at(point), &cluster.center);
            if distance < best.0 {
                best = (distance, i);
            }
        }
        best.1
    };
    (0..points.len()).into_par_iter().map(nearest).collect()
}

/// The means of the clusters.
fn moved(points: &Points, of_point: &[u32], count: usize) -> Vec<Cluster> {
    let empty = || vec![Cluster { center: vec![0.0; points.width], rows: 0 }; count];
    let of_block = |(block, of_point): (usize, &[u32])| {
        let mut sums = empty();
        for (point, &cluster) in (block * BLOCK..).zip(of_point) {
            let sum = &mut sums[cluster as usize];
            let weight = points.weights[point];
            sum.rows += weight;
            sum.center.iter_mut().zip(points.at(point)).for_each(|(sum, x)| *sum += x * weight as f64);
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
