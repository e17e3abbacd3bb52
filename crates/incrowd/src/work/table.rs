//! Making anonymized tables.

use crate::audited::{Audited, TableWriting};
use crate::dataset::Dataset;
use crate::job::Job;
use crate::ledger::mine_under;
use crate::publication::Publication;
use crate::work::blind::check_left_out;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::{Error, Result};
use incrowd_mine::Structure;
use incrowd_mine::table::{MinedTable, TableMethod, TableParams, mine_table};
use std::sync::Arc;

/// The warning for a policy with sets of attributes.
/// A builder for an anonymized table.
#[derive(Debug, Clone)]
pub struct TableWork<'d> {
    data: &'d Dataset,
    params: TableParams,
}

impl<'d> TableWork<'d> {
    pub(crate) fn new(data: &'d Dataset) -> Self {
        let mut params = TableParams::new(TableMethod::Best, Guarantee::default());
        params.sets.clone_from(&data.policy_file().sets);
        Self { data, params }
    }
}

impl Job<TableWork<'_>> {
    /// Sets the anonymization method.
    pub fn method(self, method: TableMethod) -> Self {
        self.with(|params| params.method = method)
    }

    /// Lets at most this share of the individuals be left out of the table where that lowers its loss
    /// ([`TableParams::max_suppressed`]).
    pub fn max_suppressed(self, share: f64) -> Self {
        self.with(|params| params.max_suppressed = share)
    }

    /// Makes the table agree with its recoding: recoding the source's rows gives the released table
    /// ([`TableParams::closed`]).
    pub fn closed(self) -> Self {
        self.with(|params| params.closed = true)
    }

    /// Lets the release state what stands for the cells of each group in front of a learner: means of numbers, most
    /// frequent names. The table agrees with its recoding ([`TableParams::representatives`]).
    pub fn representatives(self) -> Self {
        self.with(|params| (params.closed, params.representatives) = (true, true))
    }

    /// Sets what the groups may depend on. With [`Structure::Blind`], not even an attacker who knows the algorithm
    /// learns more than the table contains.
    pub fn structure(self, structure: Structure) -> Self {
        self.with(|params| params.structure = structure)
    }

    /// Sets the random seed.
    pub fn seed(self, seed: u64) -> Self {
        self.with(|params| params.seed = seed)
    }

    /// Changes any parameter. The guarantee is not a parameter: set it with the methods of [`Job`].
    pub fn with(self, change: impl FnOnce(&mut TableParams)) -> Self {
        self.with_work(|work| change(&mut work.params))
    }

    /// Makes the table and audits it.
    ///
    /// # Errors
    /// When a parameter is out of its range, the table and the policy do not fit, or no table can meet the guarantee.
    pub fn mine(self) -> Result<Audited<MinedTable>> {
        let raised = self.raised()?;
        let TableWork { data, params } = &self.work;
        check_left_out(params.structure, data)?;
        let attempt = self.attempt(data, &raised, data.source()?, data.policy()).once(params.structure);
        mine_under(&attempt, |table, policy, guarantee| {
            let mut params = params.clone();
            params.guarantee = guarantee.clone();
            // Who is in which group is known to later releases only if the table agrees with its recoding.
            params.closed |= self.ledger.is_some();
            if self.ledger.is_some() && params.method == TableMethod::Spans {
                return Err(Error::parameters("tables of this method generalize private values, so a ledger cannot check later releases together with them")
                    .of_parameter("method")
                    .help("choose another method"));
            }
            let params = params.check()?;
            let mined = mine_table(table, policy, &params, self.options.receiver())
                .map_err(|error| data.located(error))?;
            let publication = Publication::of_table(&mined, &params, raised.weakened.clone());
            let options = self.options.clone();
            let writing = TableWriting { params, policy: Arc::clone(data.policy_file()), options };
            Ok(Audited::new(mined, publication, data.rows_left_out(), writing))
        })
    }
}
