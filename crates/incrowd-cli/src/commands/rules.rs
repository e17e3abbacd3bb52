//! `incrowd rules`: association rules nobody can be linked through.

use super::exposure::Exposure;
use super::guarantee::guarantee;
use super::{figures, warn_left_out};
use crate::Outcome;
use crate::args::{Common, Rules as Arguments, UsefulnessFlag};
use crate::console::Console;
use crate::progress::Bar;
use crate::text;
use incrowd::Result;
use incrowd::audit::ExposedTo;
use incrowd::files::Reading;
use incrowd::io::KeepItems;
use incrowd::io::policy::PolicyFile;
use incrowd::io::release::{ModelRelease, Origin, Release, write_release};
use incrowd::io::write::refuse_existing;
use incrowd::mine::rules::{
    CheckedRuleParams, Items, MinedRule, MinedRules, RuleParams, RuleSummary, Usefulness, mine_rules,
};
use incrowd::model::Model;
use incrowd::table::RowsLeftOut;
use serde::Serialize;
use std::time::Instant;

/// The document of `--json`. What it says of single rules beyond the release is for the owner alone.
#[derive(Serialize)]
pub(crate) struct Document {
    /// What the rules were asked to guarantee.
    pub(crate) guarantee: Vec<String>,
    /// Which rules went first.
    pub(crate) first: &'static str,
    #[serde(flatten)]
    pub(crate) summary: RuleSummary,
    pub(crate) rows_left_out: RowsLeftOut,
    /// Who is exposed to what; the summary has the totals.
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
    /// The population of the smallest cell that follows from the supports, where a smallest bin was asked for.
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
    /// Infinite, and so `null`, for a rule that is never wrong.
    pub(crate) conviction: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, common: &Common, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    refuse_existing(&arguments.out, common.force)?;
    let policy = PolicyFile::read(&arguments.policy)?;
    let params = params(arguments, &policy)?;
    let bar = Bar::new(common.quiet);
    let reading = Reading { threads: common.threads, progress: &bar };
    let data = reading.data(&arguments.data, &policy, KeepItems::Share(params.min_support))?;
    data.warnings.iter().for_each(|warning| console.warn(warning));
    warn_left_out(console, &data.rows_left_out);
    let mined = mine_rules(&data.table, &data.policy, &params, &bar)
        .map_err(|error| error.in_file(&arguments.data))?;
    mined.warnings.iter().for_each(|warning| console.warn(warning));
    let document = document(&params, &mined, data.rows_left_out, start);
    let is_safe = !document.released.is_empty();
    if is_safe {
        write_release(&arguments.out, &release(mined, &document)?, common.force)?;
    }
    console.result(&document, || text::rules::render(&document, &arguments.out))?;
    Ok(if is_safe { Outcome::Done } else { Outcome::Breach })
}

fn params(arguments: &Arguments, policy: &PolicyFile) -> Result<CheckedRuleParams> {
    let guarantee = guarantee(&policy.policy.guarantee, &arguments.guarantee)?;
    let mut params = RuleParams::new(guarantee, arguments.min_support, arguments.min_confidence);
    params.max_length = arguments.max_length;
    params.max_consequent = arguments.max_consequent;
    params.most = arguments.most;
    params.keep_channels = arguments.keep_channels;
    params.items = if policy.items.is_some() { Items::Baskets } else { Items::Values };
    params.first = match arguments.first {
        UsefulnessFlag::Leverage => Usefulness::Leverage,
        UsefulnessFlag::Lift => Usefulness::Lift,
        UsefulnessFlag::Support => Usefulness::Support,
        UsefulnessFlag::Confidence => Usefulness::Confidence,
    };
    params.check()
}

fn document(
    params: &CheckedRuleParams,
    mined: &MinedRules,
    rows_left_out: RowsLeftOut,
    start: Instant,
) -> Document {
    let rule = |rule: &MinedRule, why: Option<&String>| RuleDocument {
        antecedent: rule.antecedent.clone(),
        consequent: rule.consequent.clone(),
        count: rule.counts.both,
        support: rule.counts.support(),
        confidence: rule.counts.confidence(),
        lift: rule.counts.lift(),
        leverage: rule.counts.leverage(),
        conviction: rule.counts.conviction(),
        why: why.cloned(),
    };
    Document {
        guarantee: mined.report.guarantee(),
        first: params.first.name(),
        summary: mined.summary.clone(),
        rows_left_out,
        exposed_to: mined.report.exposed_to.clone(),
        excluded: mined.report.excluded,
        at_most: mined.report.at_most,
        rare_values: mined.report.rare_values,
        confidence_of: mined.report.confidence_of.clone(),
        exposure: Exposure::of(&mined.report),
        smallest_bin: mined.report.smallest_bin,
        seconds: start.elapsed().as_secs_f64(),
        released: mined.useful.iter().map(|mined| rule(mined, None)).collect(),
        not_released: mined.left_out.iter().map(|left| rule(&left.rule, Some(&left.why))).collect(),
    }
}

/// The release, with what its audit measured. Not how many rules were left out, nor the thresholds: what is not there would tell.
fn release(mined: MinedRules, document: &Document) -> Result<Release> {
    let measured = serde_json::json!({
        "spans": document.summary.spans,
        "k": document.summary.k,
        "exposed": document.exposure.exposed,
        "at_most": document.exposure.at_most,
        "max_confidence": document.exposure.max_confidence,
    });
    let measured = figures(measured)?;
    let origin = Origin {
        method: Some("eclat".to_owned()),
        guarantee: document.guarantee.clone(),
        measured,
        ..Origin::default()
    };
    Ok(Release::Model(ModelRelease {
        model: Model::Rules(mined.rules),
        individuals: Some(document.summary.individuals),
        origin,
    }))
}
