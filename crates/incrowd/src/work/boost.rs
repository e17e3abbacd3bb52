//! Mining boosted trees.

use crate::audited::Audited;
use crate::dataset::Dataset;
use crate::job::Job;
use crate::ledger::mine_under;
use crate::publication::Publication;
use crate::work::blind::check_left_out;
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_mine::Structure;
use incrowd_mine::boost::{BoostParams, MinedEnsemble, ScoreDetail, mine_boost};

/// A builder for boosted trees.
#[derive(Debug, Clone)]
pub struct BoostWork<'d> {
    data: &'d Dataset,
    params: BoostParams,
}

impl<'d> BoostWork<'d> {
    pub(crate) fn new(data: &'d Dataset) -> Self {
        Self { data, params: BoostParams::new(Guarantee::default()) }
    }
}

impl Job<BoostWork<'_>> {
    /// Sets the maximum number of rounds; cross-validation chooses how many are made.
    pub fn rounds(self, rounds: u32) -> Self {
        self.with(|params| params.rounds = rounds)
    }

    /// Sets the maximum number of leaves per tree. By default, cross-validation chooses it.
    pub fn leaves(self, leaves: impl Into<Option<u32>>) -> Self {
        self.with(|params| params.leaves = leaves.into())
    }

    /// Sets the learning rate. By default, cross-validation chooses it.
    pub fn learning_rate(self, rate: impl Into<Option<f64>>) -> Self {
        self.with(|params| params.learning_rate = rate.into())
    }

    /// Sets the share of the features that each tree may test. By default, cross-validation chooses it.
    pub fn columns(self, share: impl Into<Option<f64>>) -> Self {
        self.with(|params| params.columns = share.into())
    }

    /// Sets what the structure of the trees may depend on. With [`Structure::Blind`], not even an attacker who knows
    /// the algorithm learns more than the release contains.
    pub fn structure(self, structure: Structure) -> Self {
        self.with(|params| params.structure = structure)
    }

    /// Sets the smallest number of individuals per leaf. The default is the k of the guarantee, or 20 if that is larger.
    pub fn min_leaf(self, individuals: Option<u64>) -> Self {
        self.with(|params| params.min_leaf = individuals)
    }

    /// Sets what leaves state: scores, or votes alone.
    pub fn detail(self, detail: ScoreDetail) -> Self {
        self.with(|params| params.detail = detail)
    }

    /// Sets the number of decimal digits of a score. Scores are rounded while the trees are learned, so that later trees
    /// make up for it.
    pub fn digits(self, digits: u8) -> Self {
        self.with(|params| params.digits = digits)
    }

    /// Sets whether class values count as if they were equally frequent.
    pub fn balanced(self, balanced: bool) -> Self {
        self.with(|params| params.balanced = balanced)
    }

    /// Changes any parameter. The guarantee is not a parameter: set it with the methods of [`Job`].
    pub fn with(self, change: impl FnOnce(&mut BoostParams)) -> Self {
        self.with_work(|work| change(&mut work.params))
    }

    /// Trains the ensemble and audits it.
    ///
    /// # Errors
    /// When a parameter is out of its range, the table and the policy do not fit, or no ensemble can meet the
    /// guarantee.
    pub fn mine(self) -> Result<Audited<MinedEnsemble>> {
        let raised = self.raised()?;
        let BoostWork { data, params } = &self.work;
        check_left_out(params.structure, data)?;
        let attempt = self.attempt(data, &raised, data.source()?, data.policy()).once(params.structure);
        mine_under(&attempt, |table, policy, guarantee| {
            let mut params = params.clone();
            params.guarantee = guarantee.clone();
            let params = params.check()?;
            let mined = mine_boost(table, policy, &params, self.options.receiver())
                .map_err(|error| data.located(error))?;
            let publication = Publication::of_ensemble(&mined, &params, raised.weakened.clone());
            Ok(Audited::new(mined, publication, data.rows_left_out(), ()))
        })
    }
}
