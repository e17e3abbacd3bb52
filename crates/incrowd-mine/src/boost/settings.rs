//! How large trees are, how many features each may test and how much of their corrections is added, by cross-validation with the cells and the folds that
//! rounds are chosen with.
//!
//! The usual setting is kept unless another one has a lower loss on the rows held out of every fold. One that is not
//! better in truth passes once in eight times, and then it costs nothing. So a setting is dropped at its first fold without
//! a lower loss, and there as soon as its loss is higher and falls too slowly. Leaves are compared first, then shares of
//! features with the leaves that were chosen, then learning rates with both. A lower rate needs more rounds by as much, and is tried if so many are allowed.

use super::fit::{Boosting, lowest};
use super::params::{CheckedBoostParams, Setting};
use incrowd_core::Result;
use incrowd_core::progress::Progress;
use rayon::prelude::*;

/// The leaves that are tried instead of the usual ones.
const OTHER_LEAVES: [u32; 2] = [8, 31];

/// The share of features that is tried instead of the usual one.
const OTHER_COLUMNS: f64 = 0.3;

/// The learning rate that is tried instead of the usual one, as a share of it.
const OTHER_RATE: f64 = 0.5;

/// A setting that was tried in every fold.
pub(crate) struct Trial {
    pub(crate) setting: Setting,
    /// What was learned from the rows of all folds but one; nothing if there are none.
    pub(crate) folds: Vec<Option<Boosting>>,
}

impl Trial {
    /// The number of rounds with the lowest mean loss, and that loss.
    pub(crate) fn rounds(&self) -> (usize, f64) {
        let losses = mean(&self.folds);
        let rounds = lowest(&losses);
        (rounds, losses.get(rounds).copied().unwrap_or(f64::INFINITY))
    }

    /// The best setting among this one and those that the parameters leave open.
    pub(crate) fn settled(self, params: &CheckedBoostParams, progress: &dyn Progress) -> Result<Self> {
        let mut best = self;
        if params.leaves.is_none() {
            let others = OTHER_LEAVES.map(|leaves| Setting { leaves, ..best.setting });
            best = best.improved(&others, params, progress)?;
        }
        if params.columns.is_none() {
            let other = Setting { columns: OTHER_COLUMNS, ..best.setting };
            best = best.improved(&[other], params, progress)?;
        }
        let needed = best.rounds().0 as f64 / OTHER_RATE;
        if params.learning_rate.is_none() && needed <= f64::from(params.rounds) {
            let learning_rate = best.setting.learning_rate * OTHER_RATE;
            let other = Setting { learning_rate, ..best.setting };
            best = best.improved(&[other], params, progress)?;
        }
        Ok(best)
    }

    /// The best of the others that are better in every fold, the first of several; this one if there are none.
    pub(crate) fn improved(
        self,
        others: &[Setting],
        params: &CheckedBoostParams,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let try_other = |&setting: &Setting| self.better(setting, params, progress);
        let tried: Vec<Option<Self>> = others.par_iter().map(try_other).collect::<Result<_>>()?;
        let lower = |best: Self, other: Self| if other.rounds().1 < best.rounds().1 { other } else { best };
        Ok(tried.into_iter().flatten().fold(self, lower))
    }

    /// Another setting, if it is better in every fold.
    fn better(
        &self,
        setting: Setting,
        params: &CheckedBoostParams,
        progress: &dyn Progress,
    ) -> Result<Option<Self>> {
        let mut folds = Vec::with_capacity(self.folds.len());
        for own in &self.folds {
            progress.check()?;
            let Some(own) = own else {
                folds.push(None);
                continue;
            };
            let mut other = own.again(params.plan(setting));
            if !other.gets_below(own, params.rounds) {
                return Ok(None);
            }
            folds.push(Some(other));
        }
        Ok(folds.iter().any(Option::is_some).then_some(Self { setting, folds }))
    }
}

/// The mean loss of each number of rounds. A fold that stopped keeps its last loss.
pub(crate) fn mean(folds: &[Option<Boosting>]) -> Vec<f64> {
    let losses: Vec<&[f64]> = folds.iter().flatten().map(Boosting::losses).collect();
    let longest = losses.iter().map(|own| own.len()).max().unwrap_or(0);
    let at = |rounds: usize| {
        let of_fold = |own: &&[f64]| own.get(rounds).or(own.last()).copied().unwrap_or(0.0);
        losses.iter().map(of_fold).sum::<f64>() / losses.len().max(1) as f64
    };
    (0..longest).map(at).collect()
}
