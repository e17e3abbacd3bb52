//! k-anonymous clustering.
//!
//! [`mine_clusters`] finds centroids in a table so that every span meets a guarantee. The release is a function of the
//! domain: every individual belongs to the nearest centroid. An attacker who knows every individual's public attributes
//! knows which centroids an individual can be nearest to, and cannot link anything more to fewer individuals than
//! required. After Friedman, Wolff and Schuster (VLDB Journal 2008, sections 4.2 and 5.2).
//!
//! | method | how |
//! | --- | --- |
//! | [`Mst`](ClusterMethod::Mst) | the longest edges of a minimum spanning tree are cut while the guarantee holds |
//! | [`KMeans`](ClusterMethod::KMeans) | Lloyd's iterations, clusters merged until the guarantee holds and divided again while it does |
//!
//! **Distance.** Euclidean, each attribute divided by a scale that the release states. A number is a coordinate, and so
//! is a date, as days since 1970-01-01. A name is one coordinate for each value, 1 in its own and 0 in the others;
//! ordered names are treated as names. The scale is the root of the attribute's variance, rounded to two digits, so
//! that two randomly chosen individuals are, on average, equally far apart in every attribute.
//!
//! **What centroids reveal.** A centroid is the mean of the individuals it was made from, at least as many as the
//! guarantee's smallest bin (k, unless it requires another one), rounded: numbers to a tenth to a hundredth of the
//! standard deviation (a power of ten), shares of names to whole percent. The rounded model is judged and audited.
//! `docs/proofs.md` states what remains.
//!
//! **Running time.** The tree takes n² distances up to 20,000 different points, and about n log n steps beyond where
//! there are few attributes; every cut that is tried is linear in the rows at the worst, and mostly in blocks of
//! neighbouring rows. The result depends on the table and the parameters alone: not on threads, and not on the order of
//! rows.

mod axes;
mod cutting;
mod forest;
mod judge;
mod k_means;
mod lloyd;
mod metric;
mod mst;
mod near;
mod params;
mod points;
#[cfg(test)]
mod tests;

pub use params::{CheckedClusterParams, ClusterMethod, ClusterParams, Scaling};

use crate::alike::unmet_by_rows;
use crate::refused::breaks_preset;
use axes::Axes;
use incrowd_core::audit::{Report, audit_model};
use incrowd_core::guarantee::{SingleBin, unmet};
use incrowd_core::model::{Centroid, Clusters, Domain, Model};
use incrowd_core::policy::Policy;
use incrowd_core::predict::nearest_centroids;
use incrowd_core::progress::Progress;
use incrowd_core::span::all_in_days;
use incrowd_core::table::Table;
use incrowd_core::{Error, Result};
use judge::Judge;
use points::Points;

/// Clusters that passed their audit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MinedClusters {
    /// The centroids, with their populations.
    pub clusters: Clusters,
    /// Their figures.
    pub summary: ClusterSummary,
    /// The audit they passed.
    pub report: Report,
    /// What the owner should know.
    pub warnings: Vec<String>,
}

/// The figures of mined clusters.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct ClusterSummary {
    /// The rows of the table.
    pub rows: u64,
    /// The individuals they are about.
    pub individuals: u64,
    /// The number of clusters.
    pub clusters: u64,
    /// The number of non-empty spans.
    pub spans: u64,
    /// The largest k that holds.
    pub k: u64,
    /// The individuals exposed to certain inference of their cluster.
    pub exposed: u64,
    /// The highest confidence an attacker can have in someone's cluster; `None` where nothing was measured.
    pub max_confidence: Option<f64>,
    /// The sum of squared scaled distances from the rows to the nearest centroid.
    pub inertia: f64,
}

/// Finds clusters in a table under the guarantee of `params`, and audits them.
///
/// # Errors
/// When the table and the policy do not match, even one cluster of all individuals would break the guarantee, or the
/// audit does not pass the clusters: unsafe ones are never returned.
pub fn mine_clusters(
    table: &Table,
    policy: &Policy,
    params: &CheckedClusterParams,
    progress: &dyn Progress,
) -> Result<MinedClusters> {
    if table.rows() == 0 {
        return Err(Error::input("the table has no rows to learn from"));
    }
    if let Some(error) = impossible(table, params) {
        return Err(error);
    }
    let (table, policy) = &all_in_days(table, policy)?;
    let axes = Axes::new(table, policy, params)?;
    let points = Points::new(table, &axes);
    let judge = Judge::new(table, policy, params, &axes)?;
    let clusters = match params.method {
        ClusterMethod::Mst => cutting::mine(table, &points, &judge, params, progress)?,
        ClusterMethod::KMeans => k_means::mine(table, &points, &judge, params, progress)?,
    };
    let clusters = clusters.ok_or_else(nothing_safe)?;
    let _stage = progress.stage("auditing", None);
    audited(table, policy, params, clusters, axes.warnings)
}

fn audited(
    table: &Table,
    policy: &Policy,
    params: &CheckedClusterParams,
    clusters: Clusters,
    warnings: Vec<String>,
) -> Result<MinedClusters> {
    let model = Model::Clusters(clusters.clone());
    let report = audit_model(table, policy, &model, &params.guarantee)?;
    if let Some(error) = breaks_preset(&report) {
        return Err(error);
    }
    if !report.holds {
        return Err(Error::internal(
            "the audit of the clusters found a breach that their miner did not find",
        )
        .help("nothing was released; this is a bug in incrowd, please report it"));
    }
    let summary = ClusterSummary {
        rows: report.rows,
        individuals: report.individuals,
        clusters: clusters.centroids().len() as u64,
        spans: report.spans,
        k: report.k,
        exposed: report.exposed,
        max_confidence: report.max_confidence,
        inertia: nearest_centroids(table, &clusters)?.inertia,
    };
    let warnings =
        warnings.into_iter().chain(undivided(&clusters)).chain(report.warnings.iter().cloned()).collect();
    Ok(MinedClusters { clusters, summary, report, warnings })
}

/// Axes with fewer names than this may well have one that is the most frequent in every cluster.
const MANY_NAMES: usize = 20;

/// Warnings about axes of many names on which all centroids have the same most frequent name.
fn undivided(clusters: &Clusters) -> Vec<String> {
    let mut from = 0;
    let mut found = Vec::new();
    for axis in clusters.axes() {
        let Domain::Values(names) = &axis.domain else {
            from += 1;
            continue;
        };
        let most_frequent = |centroid: &Centroid| {
            let shares = &centroid.center[from..from + names.len()];
            (0..shares.len()).rev().max_by(|&a, &b| shares[a].total_cmp(&shares[b]))
        };
        let mut all = clusters.centroids().iter().map(most_frequent);
        let first = all.next();
        if names.len() >= MANY_NAMES && clusters.centroids().len() > 1 && all.all(|own| Some(own) == first) {
            found.push(format!(
                "all {} clusters have the same most frequent one of the {} names of `{}`: it hardly divides the clusters; \
                 leave it out, or use fewer names (such as parts of codes)",
                clusters.centroids().len(),
                names.len(),
                axis.name
            ));
        }
        from += names.len();
    }
    found
}

/// The error of a guarantee that no release of the table can meet.
fn impossible(table: &Table, params: &CheckedClusterParams) -> Option<Error> {
    let individuals = table.individuals();
    let are_counted = params.guarantee.single_bin() == SingleBin::Counted;
    let too_large = params.guarantee.too_large_k(individuals).filter(|_| are_counted);
    let too_large = too_large.map(|broken| unmet("clusters", broken, individuals, (table, &[])));
    too_large.or_else(|| unmet_by_rows("clusters", table, &params.guarantee))
}

fn nothing_safe() -> Error {
    Error::unsatisfiable("no clusters can meet the guarantee: a single cluster of all individuals breaks it")
        .help("choose a weaker guarantee, or add individuals")
}
