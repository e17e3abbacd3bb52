//! Rows to clusters.

use crate::error::Result;
use crate::model::Clusters;
use crate::span::{ClusterSpace, table_in_days};
use crate::table::Table;
use rayon::prelude::*;

/// Rows are added up in blocks of this many, whatever the number of threads.
const BLOCK: usize = 1 << 14;

/// The cluster of each row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterPredictions {
    /// The nearest centroid of each row, counted from 0, the first one on a tie.
    pub cluster_of_row: Vec<u32>,
    /// The sum of squared scaled distances from the rows to their centroids; a row counts as often as its weight.
    pub inertia: f64,
}

/// Finds the nearest centroid of every row. A name that an axis does not list is 0 on each coordinate of the axis, as
/// if it were one more name that no centroid has. Takes time in rows × centroids × attributes.
///
/// # Errors
/// When the table lacks a column of the clustering or misses a value.
pub fn nearest_centroids(table: &Table, clusters: &Clusters) -> Result<ClusterPredictions> {
    let table = &table_in_days(table, &clusters.dates())?;
    let space = ClusterSpace::of_all(table, clusters.axes())?;
    let centers: Vec<&[f64]> = clusters.centroids().iter().map(|c| c.center.as_slice()).collect();
    let cluster_of_row = space.nearest(&centers);
    let of_block = |(block, cells): (usize, &[u32])| -> f64 {
        let squares = (block * BLOCK..)
            .zip(cells)
            .map(|(row, &cell)| space.square(row, centers[cell as usize]) * f64::from(table.weight(row)));
        squares.sum()
    };
    let blocks: Vec<f64> = cluster_of_row.par_chunks(BLOCK).enumerate().map(of_block).collect();
    Ok(ClusterPredictions { cluster_of_row, inertia: blocks.iter().sum() })
}
