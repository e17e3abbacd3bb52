//! How fine the cells are and how many rounds are made, by cross-validation on the training rows.
//!
//! Cells are grown again in each fold, from its training rows, under a k that is smaller by the share of the rows that
//! are held out. Folds are dealt from rows sorted by class and features, so that neither the order of rows nor a seed
//! matters; all rows of an individual are in one fold.

use super::Task;
use super::cells::{CellTask, Grain};
use super::fit::{Rows, fit, lowest};
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::progress::{Progress, Silent};
use incrowd_core::table::People;
use rayon::prelude::*;

/// The number of folds.
pub(crate) const FOLDS: u32 = 3;

/// The most leaves of trees of cells.
const LEAVES: [u32; 4] = [16, 48, 144, 432];

/// The rounds by which grains are compared. How many are made is chosen for the best grain alone.
const FIRST: u32 = 80;

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    pub(crate) grain: Grain,
    pub(crate) rounds: u32,
}

/// The grains that are tried: no more leaves than there is room for.
pub(crate) fn grains(task: &Task<'_>) -> Vec<Grain> {
    let k = task.params.guarantee.asked_k().unwrap_or(1).max(1);
    let most = task.table.individuals() / k;
    let room = LEAVES.into_iter().filter(|&leaves| leaves == LEAVES[0] || u64::from(leaves) <= 2 * most);
    [Grain::Pruned].into_iter().chain(room.map(Grain::Leaves)).collect()
}

/// Tries every grain in every fold, and the best one for as many rounds as it takes.
pub(crate) fn choose(task: &Task<'_>, progress: &dyn Progress) -> Result<Choice> {
    let fold_of_row = folds(task);
    let grains = grains(task);
    let first = tried(task, &fold_of_row, &grains, task.params.rounds.min(FIRST), progress)?;
    // The first of several.
    let best = first.into_iter().reduce(|best, next| if next.0 < best.0 { next } else { best });
    let Some((_, first)) = best else { return Ok(Choice { grain: Grain::One, rounds: 0 }) };
    let all = tried(task, &fold_of_row, &[first.grain], task.params.rounds, progress)?;
    Ok(all.first().map_or(first, |(_, choice)| *choice))
}

/// For each grain the lowest loss within some rounds, and the rounds that have it.
fn tried(
    task: &Task<'_>,
    fold_of_row: &[u32],
    grains: &[Grain],
    rounds: u32,
    progress: &dyn Progress,
) -> Result<Vec<(f64, Choice)>> {
    let pairs: Vec<(Grain, u32)> =
        grains.iter().flat_map(|&grain| (0..FOLDS).map(move |fold| (grain, fold))).collect();
    let guarantee = in_fold(&task.of_cells)?;
    let try_one = |&(grain, fold): &(Grain, u32)| -> Result<Vec<f64>> {
        progress.check()?;
        let rows = |held: bool| -> Vec<u32> {
            let is_own = |row: &u32| (fold_of_row[*row as usize] == fold) == held;
            (0..task.table.rows() as u32).filter(is_own).collect()
        };
        let (learned, held) = (rows(false), rows(true));
        if held.is_empty() || learned.is_empty() {
            return Ok(vec![0.0]);
        }
        let cells = CellTask { guarantee: &guarantee, ..task.cells() };
        // A fold can lack a class value, or be too small for the guarantee: then it has one cell.
        let cells =
            cells.grow(grain, Some(&learned), &Silent).or_else(|_| cells.grow(Grain::One, None, &Silent))?;
        let features = task.features(&cells);
        let balanced = task.params.balanced;
        let (learned, held) = (
            Rows::new(&task.source, &features, &learned, balanced),
            Rows::new(&task.source, &features, &held, balanced),
        );
        Ok(fit(&learned, rounds, task.params, Some(&held)).losses)
    };
    let losses: Vec<Vec<f64>> = pairs.par_iter().map(try_one).collect::<Result<_>>()?;
    let of_grain = |(grain, losses): (&Grain, &[Vec<f64>])| {
        let mean = mean(losses);
        let rounds = lowest(&mean);
        (mean[rounds], Choice { grain: *grain, rounds: rounds as u32 })
    };
    Ok(grains.iter().zip(losses.chunks(FOLDS as usize)).map(of_grain).collect())
}

/// The mean loss of each number of rounds. A fold that stopped keeps its last loss.
fn mean(losses: &[Vec<f64>]) -> Vec<f64> {
    let longest = losses.iter().map(Vec::len).max().unwrap_or(0);
    let at = |rounds: usize| {
        let of_fold = |own: &Vec<f64>| own.get(rounds).or(own.last()).copied().unwrap_or(0.0);
        losses.iter().map(of_fold).sum::<f64>() / losses.len().max(1) as f64
    };
    (0..longest).map(at).collect()
}

/// The guarantee of the cells of a fold.
fn in_fold(guarantee: &Guarantee) -> Result<Guarantee> {
    match guarantee.is_only_k() {
        Some(k) => Guarantee::k_anonymity((k * u64::from(FOLDS - 1)).div_ceil(u64::from(FOLDS)).max(1)),
        None => Ok(guarantee.clone()),
    }
}

/// The fold of each row.
fn folds(task: &Task<'_>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..task.table.rows() as u32).collect();
    let columns: Vec<_> =
        task.table.columns().iter().filter(|column| task.policy.attribute(column.name()).is_some()).collect();
    order.par_sort_by_cached_key(|&row| {
        let codes: Vec<u32> = columns.iter().map(|column| column.code(row as usize)).collect();
        (task.source.class_of_row[row as usize], codes)
    });
    let mut fold_of_row = vec![0; order.len()];
    if let People::Subjects { of_row, count } = task.table.people() {
        let mut fold_of_subject = vec![None; *count as usize];
        let mut next = 0;
        for row in order {
            let fold = fold_of_subject[of_row[row as usize] as usize].get_or_insert_with(|| {
                next += 1;
                (next - 1) % FOLDS
            });
            fold_of_row[row as usize] = *fold;
        }
        return fold_of_row;
    }
    (0..).zip(order).for_each(|(place, row): (u32, u32)| fold_of_row[row as usize] = place % FOLDS);
    fold_of_row
}
