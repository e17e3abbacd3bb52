//! The effect of each public attribute on the class in an additive model, boosted stumps (Lou, Caruana and Gehrke, KDD
//! 2012): each tree has one test, so the score of a row is a sum of functions of one attribute each.
//!
//! Private attributes are in the model, too, so that public ones have the effects that private ones do not explain.

use super::divide::Scale;
use super::fit::{Boosting, Fitted, Plan, Scored};
use super::grow::{Grown, Limits};
use super::rows::Rows;
use incrowd_core::random::scattered;
use rayon::prelude::*;

/// The number of stumps for each score.
const ROUNDS: u32 = 150;

const LEARNING_RATE: f64 = 0.2;

/// The fewest individuals of a side of a stump.
const FEWEST: u64 = 20;

/// The most rows that effects are learned from, about.
const SAMPLE: usize = 100_000;

/// The scales of the first features of some rows: for each of their bins its effects on all scores.
pub(crate) fn scales(rows: Rows, features: usize) -> Vec<Scale> {
    let outputs = rows.outputs();
    let counts: Vec<usize> = rows.examples.features[..features].iter().map(|feature| feature.count).collect();
    let limits = Limits { leaves: 2, individuals: FEWEST };
    let plan =
        Plan { limits, learning_rate: LEARNING_RATE, columns: 1.0, votes: false, digits: 6, balanced: false };
    let mut boosting = Boosting::new(sampled(rows), None, plan);
    boosting.advance(ROUNDS);
    let Fitted { trees, .. } = boosting.fitted();
    let mut points: Vec<Vec<Vec<f64>>> =
        counts.iter().map(|&count| vec![vec![0.0; outputs]; count]).collect();
    for tree in &trees {
        add(&mut points, tree);
    }
    points.into_iter().map(Scale::Points).collect()
}

/// Some of many rows, drawn by their bins and classes: the order of rows does not matter.
fn sampled(rows: Rows) -> Rows {
    let every = (rows.len() / SAMPLE) as u64;
    if every < 2 {
        return rows;
    }
    let mark = |row: usize| {
        let bins = rows.examples.bins.iter().map(|bins| u64::from(bins[row]));
        bins.fold(u64::from(rows.class_of_row[row]), |mark, bin| {
            scattered(mark.wrapping_mul(257).wrapping_add(bin))
        })
    };
    let weight = |row: usize| if mark(row) % every == 0 { rows.weight_of_row[row] } else { 0 };
    let weights: Vec<u64> = (0..rows.len()).into_par_iter().map(weight).collect();
    rows.weighted(&weights)
}

fn add(points: &mut [Vec<Vec<f64>>], stump: &Scored) {
    let Some(Grown::Test(division, children)) = stump.nodes.first() else { return };
    let Some(points) = points.get_mut(division.feature) else { return };
    for (point, &first) in points.iter_mut().zip(&division.first) {
        let child = children[usize::from(!first)] as usize;
        point[stump.output] += stump.scores[child];
    }
}
