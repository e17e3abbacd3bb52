//! Mining decision trees.

use crate::audited::Audited;
use crate::dataset::Dataset;
use crate::job::Job;
use crate::ledger::mine_under;
use crate::publication::Publication;
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::model::Detail;
use incrowd_mine::tree::{MinedTree, TreeMethod, TreeParams, mine_tree};

/// A builder for a decision tree.
#[derive(Debug, Clone)]
pub struct TreeWork<'d> {
    data: &'d Dataset,
    params: TreeParams,
}

impl<'d> TreeWork<'d> {
    pub(crate) fn new(data: &'d Dataset) -> Self {
        Self { data, params: TreeParams::new(TreeMethod::Best, Guarantee::default()) }
    }
}

impl Job<TreeWork<'_>> {
    /// Sets the method that grows the tree. Parameters that were not set get the defaults of the method.
    pub fn method(self, method: TreeMethod) -> Self {
        self.with(|params| {
            let before = TreeParams::new(params.method, Guarantee::default());
            let usual = TreeParams::new(method, Guarantee::default());
            if params.min_rows == before.min_rows {
                params.min_rows = usual.min_rows;
            }
            params.method = method;
        })
    }

    /// Sets the maximum number of leaves before pruning.
    pub fn max_leaves(self, leaves: u32) -> Self {
        self.with(|params| params.max_leaves = leaves)
    }

    /// Sets whether subtrees are replaced by leaves after growing.
    pub fn prune(self, prune: bool) -> Self {
        self.with(|params| params.prune = prune)
    }

    /// Sets what the leaves of the release contain. The audit always assumes that counts are released.
    pub fn detail(self, detail: Detail) -> Self {
        self.with(|params| params.detail = detail)
    }

    /// Changes any parameter. The guarantee is not a parameter: set it with the methods of [`Job`].
    pub fn with(self, change: impl FnOnce(&mut TreeParams)) -> Self {
        self.with_work(|work| change(&mut work.params))
    }

    /// Mines the tree and audits it.
    ///
    /// # Errors
    /// When a parameter is out of its range, the table and the policy do not fit, or no tree can meet the guarantee.
    pub fn mine(self) -> Result<Audited<MinedTree>> {
        let raised = self.raised()?;
        let TreeWork { data, params } = &self.work;
        let attempt = self.attempt(data, &raised, data.source()?, data.policy());
        mine_under(&attempt, |table, policy, guarantee| {
            let mut params = params.clone();
            params.guarantee = guarantee.clone();
            let params = params.check()?;
            let mined = mine_tree(table, policy, &params, self.options.receiver())
                .map_err(|error| data.located(error))?;
            let publication = Publication::of_tree(&mined, &params, raised.weakened.clone());
            Ok(Audited::new(mined, publication, data.rows_left_out(), ()))
        })
    }
}
