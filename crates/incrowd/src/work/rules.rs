//! Mining association rules.

use crate::audited::Audited;
use crate::dataset::Dataset;
use crate::job::Job;
use crate::ledger::mine_under;
use crate::publication::Publication;
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_io::KeepItems;
use incrowd_mine::rules::{Items, MinedRules, RuleParams, Usefulness, mine_rules};

/// The default minimum support.
const MIN_SUPPORT: f64 = 0.1;

/// The default minimum confidence.
const MIN_CONFIDENCE: f64 = 0.8;

/// A builder for association rules.
#[derive(Debug, Clone)]
pub struct RuleWork<'d> {
    data: &'d Dataset,
    params: RuleParams,
}

impl<'d> RuleWork<'d> {
    pub(crate) fn new(data: &'d Dataset) -> Self {
        let mut params = RuleParams::new(Guarantee::default(), MIN_SUPPORT, MIN_CONFIDENCE);
        params.items = if data.policy_file().items.is_some() { Items::Baskets } else { Items::Values };
        Self { data, params }
    }
}

impl Job<RuleWork<'_>> {
    /// Sets the minimum share of individuals that have all items of a rule. The default is 0.1.
    pub fn min_support(self, share: f64) -> Self {
        self.with(|params| params.min_support = share)
    }

    /// Sets the minimum share of individuals with the left side of a rule that also have the right side. The default is
    /// 0.8.
    pub fn min_confidence(self, share: f64) -> Self {
        self.with(|params| params.min_confidence = share)
    }

    /// Sets the maximum number of items in a rule, both sides together.
    pub fn max_length(self, items: usize) -> Self {
        self.with(|params| params.max_length = items)
    }

    /// Sets the measure that decides which rules are preferred if not all can be released.
    pub fn first(self, usefulness: Usefulness) -> Self {
        self.with(|params| params.first = usefulness)
    }

    /// Changes any parameter. The guarantee is not a parameter: set it with the methods of [`Job`].
    pub fn with(self, change: impl FnOnce(&mut RuleParams)) -> Self {
        self.with_work(|work| change(&mut work.params))
    }

    /// Mines the rules and audits them. There may be none. The result lists the rules left out, and why, for the owner.
    ///
    /// # Errors
    /// When a parameter is out of its range, the table and the policy do not fit, or there are too many rules.
    pub fn mine(self) -> Result<Audited<MinedRules>> {
        let raised = self.raised()?;
        let RuleWork { data, params } = &self.work;
        // A share that is out of its range must not be read with.
        let mut first = params.clone();
        first.guarantee = raised.guarantee.clone();
        first.check()?;
        let source = data.data(KeepItems::Share(params.min_support), &self.options)?;
        let attempt = self.attempt(data, &raised, &source.table, &source.policy);
        mine_under(&attempt, |table, policy, guarantee| {
            let mut params = params.clone();
            params.guarantee = guarantee.clone();
            let params = params.check()?;
            let mut mined = mine_rules(table, policy, &params, self.options.receiver())
                .map_err(|error| data.located(error))?;
            mined.warnings.splice(0..0, source.warnings.iter().cloned());
            let publication = Publication::of_rules(&mined, raised.weakened.clone());
            Ok(Audited::new(mined, publication, source.rows_left_out.clone(), ()))
        })
    }
}
