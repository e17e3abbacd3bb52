//! `incrowd rules`: finds k-anonymous association rules.

use super::exposure::Exposure;
use super::mining;
use crate::Outcome;
use crate::args::{Common, Rules as Arguments};
use crate::console::Console;
use crate::text;
use incrowd::audit::ExposedTo;
use incrowd::mine::rules::{MinedRule, MinedRules, RuleSummary, Usefulness};
use incrowd::table::RowsLeftOut;
use incrowd::{Audited, Result};
use serde::Serialize;
use std::time::Instant;

/// The document of `--json`. Figures of single rules that are not in the release are for the owner only.
#[derive(Serialize)]
pub(crate) struct Document {
    /// The requirements of the guarantee.
    pub(crate) guarantee: Vec<String>,
    /// Requirements of the policy that were given up with `--weaken`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) weakened: Vec<String>,
    /// The measure by which rules were preferred.
    pub(crate) first: &'static str,
    #[serde(flatten)]
    pub(crate) summary: RuleSummary,
    pub(crate) rows_left_out: RowsLeftOut,
    /// The exposed individuals per attribute; the summary has the totals.
    pub(crate) exposed_to: Vec<ExposedTo>,
    /// The individuals for whom a value of some private attribute is ruled out, those exposed included.
    pub(crate) excluded: u64,
    /// Whether the numbers of individuals exposed and excluded are upper bounds.
    pub(crate) at_most: bool,
    /// The private values in print that too few individuals share and that the policy does not declare.
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
    pub(crate) released: Vec<RuleDocument>,
    /// The rules left out, the most useful first, and why.
    pub(crate) not_released: Vec<RuleDocument>,
}

#[derive(Serialize)]
pub(crate) struct RuleDocument {
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

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let data = mining::open(&arguments.files, &arguments.guarantee, common, console)?;
    let rules = data
        .rules()
        .request(arguments.guarantee.request())
        .min_support(arguments.min_support)
        .min_confidence(arguments.min_confidence)
        .max_length(arguments.max_length)
        .first(arguments.first)
        .with(|params| {
            params.max_consequent = arguments.max_consequent;
            params.most = arguments.most;
            params.keep_channels = arguments.keep_channels;
        })
        .mine()?;
    mining::warn(&rules, console);
    let is_safe = !rules.useful.is_empty();
    if is_safe {
        rules.write_as(&arguments.files.out, mining::existing(common))?;
    }
    let document = document(arguments.first, &rules, start);
    console.result(&document, || text::rules::render(&document, &arguments.files.out))?;
    Ok(if is_safe { Outcome::Done } else { Outcome::Breach })
}

fn document(first: Usefulness, rules: &Audited<MinedRules>, start: Instant) -> Document {
    let report = rules.report();
    Document {
        guarantee: rules.guarantee().to_vec(),
        weakened: rules.weakened().to_vec(),
        first: first.name(),
        summary: rules.summary.clone(),
        rows_left_out: rules.rows_left_out().clone(),
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

fn rule(rule: &MinedRule, why: Option<&String>) -> RuleDocument {
    RuleDocument {
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
