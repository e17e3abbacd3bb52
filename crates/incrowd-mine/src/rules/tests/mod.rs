//! Rules of the papers, and of random small tables.

mod papers;
mod random;

use super::*;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::policy::{Attribute, Role};
use incrowd_core::progress::Silent;

fn policy(public: &[&str], private: &[&str]) -> Policy {
    let with = |role: Role| move |name: &&str| Attribute::new(*name, role);
    Policy::new(
        public.iter().map(with(Role::Public)).chain(private.iter().map(with(Role::Private))).collect(),
    )
}

fn baskets(guarantee: Guarantee, support: f64, confidence: f64) -> RuleParams {
    RuleParams { items: Items::Baskets, ..RuleParams::new(guarantee, support, confidence) }
}

fn mine(table: &Table, policy: &Policy, params: RuleParams) -> MinedRules {
    mine_rules(table, policy, &params.check().unwrap(), &Silent).unwrap()
}

/// Rules as `a, b => c`, the most useful first.
fn texts<'a>(rules: impl IntoIterator<Item = &'a MinedRule>) -> Vec<String> {
    let text = |rule: &MinedRule| format!("{} => {}", rule.antecedent.join(", "), rule.consequent.join(", "));
    rules.into_iter().map(text).collect()
}
