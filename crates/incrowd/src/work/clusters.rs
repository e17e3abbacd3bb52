//! Mining clusters.

use crate::audited::Audited;
use crate::dataset::Dataset;
use crate::job::Job;
use crate::ledger::mine_under;
use crate::publication::Publication;
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_mine::clusters::{ClusterMethod, ClusterParams, MinedClusters, mine_clusters};

/// A builder for clusters.
#[derive(Debug, Clone)]
pub struct ClusterWork<'d> {
    data: &'d Dataset,
    params: ClusterParams,
}

impl<'d> ClusterWork<'d> {
    pub(crate) fn new(data: &'d Dataset) -> Self {
        Self { data, params: ClusterParams::new(ClusterMethod::Mst, Guarantee::default()) }
    }
}

impl Job<ClusterWork<'_>> {
    /// Sets the clustering method.
    pub fn method(self, method: ClusterMethod) -> Self {
        self.with(|params| params.method = method)
    }

    /// Sets the maximum number of clusters.
    pub fn clusters(self, most: u32) -> Self {
        self.with(|params| params.clusters = most)
    }

    /// Sets the attributes to cluster by. The default is all public and private attributes except the class.
    pub fn attributes<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        self.with(|params| params.attributes = names.into_iter().map(Into::into).collect())
    }

    /// Sets the random seed.
    pub fn seed(self, seed: u64) -> Self {
        self.with(|params| params.seed = seed)
    }

    /// Changes any parameter. The guarantee is not a parameter: set it with the methods of [`Job`].
    pub fn with(self, change: impl FnOnce(&mut ClusterParams)) -> Self {
        self.with_work(|work| change(&mut work.params))
    }

    /// Finds the clusters and audits them.
    ///
    /// # Errors
    /// When a parameter is out of its range, the table and the policy do not fit, or no clusters can meet the
    /// guarantee.
    pub fn mine(self) -> Result<Audited<MinedClusters>> {
        let raised = self.raised()?;
        let ClusterWork { data, params } = &self.work;
        let attempt = self.attempt(data, &raised, data.source()?, data.policy());
        mine_under(&attempt, |table, policy, guarantee| {
            let mut params = params.clone();
            params.guarantee = guarantee.clone();
            let params = params.check()?;
            let mined = mine_clusters(table, policy, &params, self.options.receiver())
                .map_err(|error| data.located(error))?;
            let publication = Publication::of_clusters(&mined, &params, raised.weakened.clone());
            Ok(Audited::new(mined, publication, data.rows_left_out(), ()))
        })
    }
}
