//! Scores of ensembles.

use super::cells::with_cells;
use super::steps::{KnownPlaces, Steps};
use crate::error::{Error, Result};
use crate::group::Descent;
use crate::model::{Combination, Ensemble, Link, Node, ScoredTree, Scoring, TieRule};
use crate::span::table_in_days;
use crate::table::Table;
use rayon::prelude::*;

/// Rows that are followed through all trees in one go.
const BLOCK: usize = 1 << 12;

/// The scores of each row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct EnsemblePredictions {
    /// The class value predicted for each row.
    pub label_of_row: Vec<u32>,
    /// The share of each class value for each row, row after row.
    pub shares: Vec<f64>,
    /// The combined scores of each row before they become shares, row after row.
    pub scores: Vec<f64>,
}

/// Predicts the class of every row by the combined scores of all trees: they are added up in the order of the trees, in
/// double precision, starting from the base scores.
///
/// # Errors
/// When the table lacks a column that a tree tests, a column that is numeric in the ensemble is not numeric in the
/// table, or a row has a value for which a test has no branch.
pub fn predict_scores(table: &Table, ensemble: &Ensemble) -> Result<EnsemblePredictions> {
    let days = table_in_days(table, &ensemble.dates())?;
    let with_cells = ensemble.cells().map(|cells| with_cells(&days, cells)).transpose()?;
    let table = with_cells.as_ref().unwrap_or(&days);
    let (outputs, scoring) = (ensemble.outputs(), ensemble.scoring());
    let sums = match scoring.combination {
        Combination::Sum => scoring.base.clone(),
        Combination::Mean => vec![0.0; outputs],
    };
    let mut scores: Vec<f64> = sums.repeat(table.rows());
    add_scores(table, ensemble, &mut scores)?;
    if scoring.combination == Combination::Mean {
        let trees = ensemble.trees().len() as f64;
        let mean = |sums: &mut [f64]| {
            sums.iter_mut().zip(&scoring.base).for_each(|(sum, base)| *sum = *sum / trees + base);
        };
        scores.par_chunks_mut(outputs).for_each(mean);
    }
    let label_of_row = scores.par_chunks(outputs).map(|scores| label(scoring, scores)).collect();
    let shares = scores.par_chunks(outputs).flat_map_iter(|scores| shares(scoring.link, scores)).collect();
    Ok(EnsemblePredictions { label_of_row, shares, scores })
}

/// Adds the scores of all trees to those of each row, tree by tree. Rows are followed through all trees block by block,
/// while their codes are in a core's cache.
fn add_scores(table: &Table, ensemble: &Ensemble, scores: &mut [f64]) -> Result<()> {
    let (outputs, mut places) = (ensemble.outputs(), KnownPlaces::default());
    let trees = ensemble.trees().iter().map(ScoredTree::tree);
    let steps: Vec<Steps<'_>> =
        trees.map(|tree| Steps::of_member(table, tree, &mut places)).collect::<Result<_>>()?;
    let of_block = |(block, sums): (usize, &mut [f64])| {
        let (mut descent, mut ends) = (Descent::default(), vec![0; sums.len() / outputs]);
        for (scored, steps) in ensemble.trees().iter().zip(&steps) {
            steps.ends(&mut descent, block * BLOCK, &mut ends);
            let first = scored.output().unwrap_or(0) as usize;
            for (place, (sums, &node)) in sums.chunks_mut(outputs).zip(&ends).enumerate() {
                if let Node::Test(test) = &scored.tree().nodes()[node as usize] {
                    let attribute = &ensemble.attributes()[test.attribute];
                    return Err(no_branch(block * BLOCK + place, &attribute.name));
                }
                sums[first..].iter_mut().zip(scored.scores(node)).for_each(|(sum, score)| *sum += score);
            }
        }
        Ok(())
    };
    // Of several blocks with an error, the first one's is returned.
    let blocks: Vec<Result<()>> = scores.par_chunks_mut(BLOCK * outputs).enumerate().map(of_block).collect();
    blocks.into_iter().collect()
}

pub(super) fn no_branch(row: usize, attribute: &str) -> Error {
    Error::input(format!("the model predicts nothing for row {}", row + 1))
        .of_attribute(attribute)
        .help("leave out rows with missing values or with values that the model does not contain")
}

/// The class value that is predicted.
fn label(scoring: &Scoring, scores: &[f64]) -> u32 {
    let beats = |score: f64, other: f64| match scoring.tie {
        TieRule::First => score > other,
        TieRule::Last => score >= other,
    };
    if scoring.link == Link::Logistic {
        return u32::from(beats(scores[0], 0.0));
    }
    let better = |best: usize, class: usize| if beats(scores[class], scores[best]) { class } else { best };
    (1..scores.len()).fold(0, better) as u32
}

fn shares(link: Link, scores: &[f64]) -> Vec<f64> {
    match link {
        Link::Identity => scores.to_vec(),
        Link::Logistic => {
            let second = 1.0 / (1.0 + (-scores[0]).exp());
            vec![1.0 - second, second]
        }
        Link::Softmax => {
            let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let powers: Vec<f64> = scores.iter().map(|score| (score - highest).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.into_iter().map(|power| power / sum).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scoring(link: Link, tie: TieRule) -> Scoring {
        Scoring { combination: Combination::Sum, base: Vec::new(), link, tie }
    }

    #[test]
    fn ties_go_to_the_side_that_is_stated() {
        let logistic = |tie, score| label(&scoring(Link::Logistic, tie), &[score]);
        assert_eq!([logistic(TieRule::First, 0.0), logistic(TieRule::Last, 0.0)], [0, 1]);
        assert_eq!([logistic(TieRule::First, 1e-9), logistic(TieRule::Last, -1e-9)], [1, 0]);
        let highest = |tie| label(&scoring(Link::Identity, tie), &[0.4, 0.2, 0.4]);
        assert_eq!([highest(TieRule::First), highest(TieRule::Last)], [0, 2]);
    }

    #[test]
    fn shares_add_up_to_one() {
        for (link, scores) in [(Link::Logistic, vec![700.0]), (Link::Softmax, vec![1000.0, 0.0, 999.0])] {
            assert!((shares(link, &scores).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}
