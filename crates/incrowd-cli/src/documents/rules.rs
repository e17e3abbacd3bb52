//! The documents of `incrowd rules`, and of `incrowd show` with rules.

use super::Exposure;
use incrowd::audit::ExposedTo;
use incrowd::mine::rules::{MinedRule, MinedRules, RuleSummary, Usefulness};
use incrowd::show::RuleLine;
use incrowd::table::RowsLeftOut;
use incrowd::{Audited, FiguresTogether, RaisedK};
use serde::Serialize;
use std::time::Instant;

/// Mined rules. Figures of single rules that are not in the release are for the owner only.
#[derive(Serialize)]
pub(crate) struct RulesDocument {
    /// The requirements of the guarantee.
    pub(crate) guarantee: Vec<String>,
    /// Requirements of the policy that were given up with `--weaken`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) weakened: Vec<String>,
    /// The k that was required and the larger one that a release of a ledger was mined under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) raised_k: Option<RaisedK>,
    /// What the release reveals together with the earlier ones of its ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) together: Option<FiguresTogether>,
    /// The measure by which rules were preferred.
    pub(crate) first: &'static str,
    #[serde(flatten)]
    pub(crate) summary: RuleSummary,
    pub(crate) rows_left_out: RowsLeftOut,
    /// If the number of exposed individuals is an upper bound: at least so many are exposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exposed_at_least: Option<u64>,
    /// The exposed individuals per attribute; the summary has the totals.
    pub(crate) exposed_to: Vec<ExposedTo>,
    /// The individuals for whom a value of some private attribute is ruled out, those exposed included.
    pub(crate) excluded: u64,
    /// Whether the numbers of individuals exposed and excluded are upper bounds.
    pub(crate) at_most: bool,
    /// The printed private values that too few individuals have and that the policy does not declare.
    pub(crate) rare_values: u64,
    /// The attributes that confidence was measured for.
    pub(crate) confidence_of: Vec<String>,
    #[serde(skip)]
    pub(crate) exposure: Exposure,
    /// The population of the smallest cell that can be derived from the supports, if a smallest bin is required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) smallest_bin: Option<u64>,
    pub(crate) seconds: f64,
    /// The rules released, the most useful first.
    pub(crate) released: Vec<MinedRuleDocument>,
    /// The rules left out, the most useful first, and why.
    pub(crate) not_released: Vec<MinedRuleDocument>,
}

/// A rule that was released or left out.
#[derive(Serialize)]
pub(crate) struct MinedRuleDocument {
    pub(crate) antecedent: Vec<String>,
    pub(crate) consequent: Vec<String>,
    pub(crate) count: u64,
    pub(crate) support: f64,
    pub(crate) confidence: f64,
    pub(crate) lift: f64,
    pub(crate) leverage: f64,
    /// Infinite, and therefore `null`, for a rule that is never wrong.
    pub(crate) conviction: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

impl RulesDocument {
    pub(crate) fn new(first: Usefulness, rules: &Audited<MinedRules>, start: Instant) -> Self {
        let report = rules.report();
        Self {
            guarantee: rules.guarantee().to_vec(),
            weakened: rules.weakened().to_vec(),
            raised_k: rules.raised_k(),
            together: rules.together().cloned(),
            first: first.name(),
            summary: rules.summary.clone(),
            rows_left_out: rules.rows_left_out().clone(),
            exposed_at_least: report.exposed_at_least,
            exposed_to: report.exposed_to.clone(),
            excluded: report.excluded,
            at_most: report.at_most,
            rare_values: report.rare_values,
            confidence_of: report.confidence_of.clone(),
            exposure: Exposure::of(report),
            smallest_bin: report.smallest_bin,
            seconds: start.elapsed().as_secs_f64(),
            released: rules.useful.iter().map(|mined| rule(mined, None)).collect(),
            not_released: rules.left_out.iter().map(|left| rule(&left.rule, Some(&left.why))).collect(),
        }
    }
}

fn rule(rule: &MinedRule, why: Option<&String>) -> MinedRuleDocument {
    MinedRuleDocument {
        antecedent: rule.antecedent.clone(),
        consequent: rule.consequent.clone(),
        count: rule.counts.both,
        support: rule.counts.support(),
        confidence: rule.counts.confidence(),
        lift: rule.counts.lift(),
        leverage: rule.counts.leverage(),
        conviction: rule.counts.conviction(),
        why: why.cloned(),
    }
}

/// Rules from a file.
#[derive(Serialize)]
pub(crate) struct ShownRules<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    individuals: Option<u64>,
    rules: Vec<ShownRule<'a>>,
}

#[derive(Serialize)]
struct ShownRule<'a> {
    antecedent: &'a [String],
    consequent: &'a [String],
    count: Option<u64>,
    support: Option<f64>,
    confidence: Option<f64>,
    lift: Option<f64>,
}

impl<'a> ShownRules<'a> {
    pub(crate) fn new(lines: &'a [RuleLine], individuals: Option<u64>) -> Self {
        Self { individuals, rules: lines.iter().map(shown).collect() }
    }
}

fn shown(line: &RuleLine) -> ShownRule<'_> {
    let RuleLine { antecedent, consequent, count, support, confidence, lift } = line;
    let (count, support, confidence, lift) = (*count, *support, *confidence, *lift);
    ShownRule { antecedent, consequent, count, support, confidence, lift }
}
