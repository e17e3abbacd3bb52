//! Parameters of the boosting miner: as given, and checked.

use super::fit::Plan;
use super::grow::Limits;
use crate::Structure;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::printed::FEWEST_BESIDE;
use incrowd_core::{Error, Result, choice};

/// What the leaves of an ensemble state. The guarantee is the same for both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScoreDetail {
    /// A score, rounded.
    #[default]
    Scores,
    /// A vote for or against a class value, or none. All votes of an ensemble weigh the same.
    Labels,
}

choice!(ScoreDetail, "detail" {
    Scores => "scores", "A score, rounded to --digits.";
    Labels => "labels", "A vote for or against a class value, or none; all votes weigh the same.";
});

/// The usual number of leaves.
const USUAL_LEAVES: u32 = 15;

/// The usual learning rate.
pub(crate) const USUAL_RATE: f64 = 0.1;

/// The usual share of the features that each tree may test.
pub(crate) const USUAL_COLUMNS: f64 = 0.5;

/// Parameters of the boosting miner, as given. Only [checked](BoostParams::check) parameters can be used.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BoostParams {
    /// What must hold for every span.
    pub guarantee: Guarantee,
    /// The most rounds; how many are made is chosen by cross-validation.
    pub rounds: u32,
    /// The most leaves of a tree; chosen by cross-validation if not given.
    pub leaves: Option<u32>,
    /// How much of a tree's correction is added; chosen by cross-validation if not given.
    pub learning_rate: Option<f64>,
    /// The share of the features that each tree may test; chosen by cross-validation if not given.
    pub columns: Option<f64>,
    /// The fewest individuals of a leaf; k if not given, or 20 if k is larger.
    pub min_leaf: Option<u64>,
    /// What the cells may depend on.
    pub structure: Structure,
    /// Whether class values count as if they were equally frequent.
    pub balanced: bool,
    /// What leaves state.
    pub detail: ScoreDetail,
    /// The decimal digits of a score.
    pub digits: u8,
}

impl BoostParams {
    /// The usual parameters under a guarantee.
    pub fn new(guarantee: Guarantee) -> Self {
        Self {
            guarantee,
            rounds: 300,
            leaves: None,
            learning_rate: None,
            columns: None,
            min_leaf: None,
            structure: Structure::default(),
            balanced: false,
            detail: ScoreDetail::default(),
            digits: 6,
        }
    }

    /// What is given, and else what is usual.
    pub(crate) fn setting(&self) -> Setting {
        Setting {
            leaves: self.leaves.unwrap_or(USUAL_LEAVES),
            learning_rate: self.learning_rate.unwrap_or(USUAL_RATE),
            columns: self.columns.unwrap_or(USUAL_COLUMNS),
        }
    }

    /// Checks every parameter.
    ///
    /// # Errors
    /// When nothing is to be guaranteed, or a parameter is out of its range.
    pub fn check(self) -> Result<CheckedBoostParams> {
        if self.guarantee.is_empty() {
            return Err(Error::parameters("no guarantee is given").help(
                "set k under [guarantee] in the policy, or give a k, such as 10; k = 1 guarantees nothing",
            ));
        }
        let setting = self.setting();
        let fault = match () {
            () if !(1..=5000).contains(&self.rounds) => {
                Some(("rounds must be from 1 to 5000", "300 is the default"))
            }
            () if !(2..=1024).contains(&setting.leaves) => Some(("leaves must be from 2 to 1024", "give 15")),
            () if !(setting.learning_rate > 0.0 && setting.learning_rate <= 1.0) => {
                Some(("the learning rate must be above 0 and at most 1", "give a share such as 0.1"))
            }
            () if !(setting.columns > 0.0 && setting.columns <= 1.0) => {
                Some(("the share of features must be above 0 and at most 1", "give 0.5"))
            }
            () if self.min_leaf == Some(0) => {
                Some(("a leaf needs at least one individual", "give 1 or more"))
            }
            () if !(1..=9).contains(&self.digits) => Some(("scores have from 1 to 9 digits", "give 6")),
            () => None,
        };
        match fault {
            Some((what, help)) => Err(Error::parameters(what).help(help)),
            None => Ok(CheckedBoostParams(self)),
        }
    }
}

/// How large trees are, how many features they may test, and how much of their corrections is added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Setting {
    pub(crate) leaves: u32,
    pub(crate) learning_rate: f64,
    pub(crate) columns: f64,
}

/// Checked parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedBoostParams(BoostParams);

impl CheckedBoostParams {
    /// The fewest individuals of a leaf.
    pub(crate) fn smallest_leaf(&self) -> u64 {
        self.min_leaf.unwrap_or_else(|| self.guarantee.asked_k().unwrap_or(1).min(FEWEST_BESIDE))
    }

    /// The same for a share of the rows: k is smaller by as much.
    pub(crate) fn of_sample(&self, share: f64) -> Result<Self> {
        let fewer = |k: u64| ((k as f64 * share).ceil() as u64).max(1);
        let guarantee = match self.guarantee.asked_k() {
            Some(k) => self.guarantee.clone().with_k(fewer(k)),
            None => self.guarantee.clone(),
        };
        BoostParams { guarantee, min_leaf: Some(self.smallest_leaf()), ..self.0.clone() }.check()
    }

    /// How the ensemble is learned.
    pub(crate) fn plan(&self, Setting { leaves, learning_rate, columns }: Setting) -> Plan {
        let limits = Limits { leaves: leaves as usize, individuals: self.smallest_leaf() };
        let votes = self.detail == ScoreDetail::Labels;
        Plan { limits, learning_rate, columns, votes, digits: self.digits, balanced: self.balanced }
    }
}

impl std::ops::Deref for CheckedBoostParams {
    type Target = BoostParams;

    fn deref(&self) -> &BoostParams {
        &self.0
    }
}
