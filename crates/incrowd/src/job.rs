//! Work on a dataset under a guarantee: the policy's, and added requirements.

use crate::dataset::{Dataset, OpenOptions};
use crate::ledger::{Attempt, LedgerRequest};
use crate::work::{BoostWork, ClusterWork, RuleWork, TableWork, TreeWork};
use incrowd_core::Result;
use incrowd_core::guarantee::{
    Distance, GuaranteeRequest, Preset, RaisedGuarantee, Scope, SeveralRows, SingleBin,
};
use incrowd_core::policy::Policy;
use incrowd_core::progress::Progress;
use incrowd_core::table::Table;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A builder for work on a dataset: mining a release, auditing one, or comparing methods.
///
/// The guarantee starts from the policy's. The methods here add to it. Requiring less than the policy is an error
/// unless [`Job::weaken`] is called; the release then lists the weakened requirements.
#[derive(Debug, Clone)]
#[must_use = "nothing happens until it is mined or run"]
pub struct Job<W> {
    policy: Policy,
    request: GuaranteeRequest,
    pub(crate) options: OpenOptions,
    pub(crate) ledger: Option<LedgerRequest>,
    pub(crate) work: W,
}

/// Work that makes a release.
pub trait MiningWork {}

impl MiningWork for TreeWork<'_> {}
impl MiningWork for BoostWork<'_> {}
impl MiningWork for TableWork<'_> {}
impl MiningWork for ClusterWork<'_> {}
impl MiningWork for RuleWork<'_> {}

impl<W: MiningWork> Job<W> {
    /// Makes a release that holds together with all earlier releases of a ledger, and records it there when it is
    /// written. A file that does not exist is begun.
    ///
    /// The miner starts from the joint spans of the earlier releases; the release is audited together with them under
    /// the guarantee of this job. The table and the policy must be those of files.
    pub fn ledger(mut self, path: impl AsRef<Path>) -> Self {
        path.as_ref().clone_into(&mut self.ledger.get_or_insert_default().path);
        self
    }

    /// Names files of earlier releases that are not where the ledger says.
    pub fn earlier<P: Into<PathBuf>>(mut self, files: impl IntoIterator<Item = P>) -> Self {
        self.ledger.get_or_insert_default().moved.extend(files.into_iter().map(Into::into));
        self
    }

    /// What is mined, under which guarantee.
    pub(crate) fn attempt<'a>(
        &'a self,
        data: &'a Dataset,
        raised: &'a RaisedGuarantee,
        table: &'a Table,
        policy: &'a Policy,
    ) -> Attempt<'a> {
        let ledger = self.ledger.as_ref().filter(|ledger| !ledger.path.as_os_str().is_empty());
        Attempt { ledger, data, options: &self.options, raised, table, policy, again: true }
    }
}

impl<W> Job<W> {
    pub(crate) fn new(policy: &Policy, options: &OpenOptions, work: W) -> Self {
        let (policy, options) = (policy.clone(), options.clone());
        Self { policy, request: GuaranteeRequest::default(), options, ledger: None, work }
    }

    /// Sets the receiver of this job's progress reports, instead of the dataset's. It can also stop the job: if
    /// [`is_cancelled`](Progress::is_cancelled) returns true, the job fails with an error of kind
    /// [`Cancelled`](crate::ErrorKind::Cancelled). [`Cancel`](crate::progress::Cancel) is a handle that only stops.
    pub fn progress(mut self, progress: Arc<dyn Progress + Send>) -> Self {
        self.options = self.options.progress(progress);
        self
    }

    fn asking(mut self, ask: impl FnOnce(&mut GuaranteeRequest)) -> Self {
        ask(&mut self.request);
        self
    }

    pub(crate) fn with_work(mut self, change: impl FnOnce(&mut W)) -> Self {
        change(&mut self.work);
        self
    }

    /// Returns the guarantee, and the requirements of the policy that were weakened.
    pub(crate) fn raised(&self) -> Result<RaisedGuarantee> {
        self.request.on(&self.policy)
    }

    /// Whether a k was requested.
    pub(crate) fn requests_k(&self) -> bool {
        self.request.k.is_some()
    }

    /// Requires at least `k` individuals in every span.
    pub fn k(self, k: u64) -> Self {
        self.asking(|request| request.k = Some(k))
    }

    /// Sets whether spans with a single bin count towards k.
    pub fn single_bin(self, single_bin: SingleBin) -> Self {
        self.asking(|request| request.single_bin = Some(single_bin))
    }

    /// Sets how individuals with several rows are counted for k.
    pub fn several_rows(self, several_rows: SeveralRows) -> Self {
        self.asking(|request| request.several_rows = Some(several_rows))
    }

    /// Requires at least `l` distinct private values in every span.
    pub fn distinct_l(self, l: u32) -> Self {
        self.asking(|request| request.distinct_l = Some(l))
    }

    /// Requires an entropy of private values of at least log `l` in every span.
    pub fn entropy_l(self, l: f64) -> Self {
        self.asking(|request| request.entropy_l = Some(l))
    }

    /// Requires recursive (`c`,`l`)-diversity.
    pub fn recursive_l(self, c: f64, l: u32) -> Self {
        self.asking(|request| request.recursive_l = Some((c, l)))
    }

    /// Caps the share of a span's individuals with the same private value.
    pub fn confidence(self, cap: f64) -> Self {
        self.asking(|request| request.confidence = Some(cap))
    }

    /// Requires t-closeness: in every span, the distance between the distribution of private values and that in the
    /// whole table is at most `t`.
    pub fn t_closeness(self, t: f64, distance: Distance) -> Self {
        self.asking(|request| (request.t_closeness, request.t_distance) = (Some(t), Some(distance)))
    }

    /// Requires (alpha,k)-anonymity with this alpha.
    pub fn alpha(self, alpha: f64) -> Self {
        self.asking(|request| request.alpha = Some(alpha))
    }

    /// Requires basic beta-likeness.
    pub fn beta(self, beta: f64) -> Self {
        self.asking(|request| request.beta = Some(beta))
    }

    /// Requires that no published or derivable cell has 1 to `n` − 1 individuals.
    pub fn smallest_bin(self, n: u64) -> Self {
        self.asking(|request| request.smallest_bin = Some(n))
    }

    /// Requires what a preset requires: see [`Preset`].
    pub fn preset(self, preset: Preset) -> Self {
        self.asking(|request| request.presets.push(preset))
    }

    /// Sets which private attributes the requirements on private values apply to.
    pub fn of(self, scope: Scope) -> Self {
        self.asking(|request| request.of = Some(scope))
    }

    /// Allows requiring less than the policy's guarantee. The release lists the weakened requirements.
    pub fn weaken(self) -> Self {
        self.asking(|request| request.weaken = true)
    }

    /// Replaces all requirements added so far.
    pub fn request(mut self, request: GuaranteeRequest) -> Self {
        self.request = request;
        self
    }
}
