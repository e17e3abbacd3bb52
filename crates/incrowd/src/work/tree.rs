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
    from: TreeSource<'d>,
    params: TreeParams,
}

/// Where the rows are.
#[derive(Debug, Clone)]
enum TreeSource<'d> {
    Dataset(&'d Dataset),
    #[cfg(feature = "engines")]
    Engine(crate::engines::Source, std::sync::Arc<incrowd_io::policy::PolicyFile>),
}

impl<'d> TreeWork<'d> {
    pub(crate) fn new(data: &'d Dataset) -> Self {
        let from = TreeSource::Dataset(data);
        Self { from, params: TreeParams::new(TreeMethod::Best, Guarantee::default()) }
    }
}

/// Mining in a database.
#[cfg(feature = "engines")]
impl crate::OpenOptions {
    /// Trains a k-anonymous decision tree of a table in a database. Rows stay in the database, so a method must not choose
    /// on a sample of them: `best` needs [`sample(false)`](Job::sample).
    pub fn tree_in_engine(
        &self,
        source: crate::engines::Source,
        policy: incrowd_io::policy::PolicyFile,
    ) -> Job<TreeWork<'static>> {
        let stated = policy.policy.clone();
        let from = TreeSource::Engine(source, std::sync::Arc::new(policy));
        let params = TreeParams::new(TreeMethod::Best, Guarantee::default());
        Job::new(&stated, self, TreeWork { from, params })
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

    /// Sets whether `best` chooses its impurity and its pruning by cross-validation, on a sample where rows are many.
    pub fn sample(self, sample: bool) -> Self {
        self.with(|params| params.sample = sample)
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
        let TreeWork { from, params } = &self.work;
        #[cfg_attr(not(feature = "engines"), allow(clippy::infallible_destructuring_match))]
        let data = match from {
            TreeSource::Dataset(data) => *data,
            #[cfg(feature = "engines")]
            TreeSource::Engine(source, policy) => return self.mine_in_engine(&raised, source, policy),
        };
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

    #[cfg(feature = "engines")]
    fn mine_in_engine(
        &self,
        raised: &incrowd_core::guarantee::RaisedGuarantee,
        source: &crate::engines::Source,
        policy: &incrowd_io::policy::PolicyFile,
    ) -> Result<Audited<MinedTree>> {
        if self.ledger.is_some() {
            return Err(incrowd_core::Error::parameters(
                "a ledger states a digest of all rows, which stay in the database",
            )
            .of_parameter("ledger")
            .help("export the table to a file where that is allowed, or leave the ledger out"));
        }
        let mut params = self.work.params.clone();
        params.guarantee = raised.guarantee.clone();
        let params = params.check()?;
        let (mined, left_out) = crate::engines::mine_tree_in_engine(source, policy, &params, &self.options)?;
        let publication = Publication::of_tree(&mined, &params, raised.weakened.clone());
        Ok(Audited::new(mined, publication, left_out, ()))
    }
}
