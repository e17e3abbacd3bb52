//! The presets of a guarantee: whether a release meets them, and which figures of the audit answer which question.

mod dates;
mod printed;
mod safe_harbor;

pub(super) use printed::{Printed, of_columns, of_model};
pub use safe_harbor::{SafeHarborIdentifier, safe_harbor_breaks, safe_harbor_identifier};

use super::Report;
use crate::guarantee::{Guarantee, Preset, Requirement};
use crate::words::{count, counted};
use serde::Serialize;

/// What an audit found about a preset. It contains no private value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PresetReport {
    /// The name of the preset.
    pub preset: &'static str,
    /// Whether everything that the preset checks holds. This does not make a release lawful.
    pub holds: bool,
    /// Where the preset comes from.
    pub source: &'static str,
    /// What it covers.
    pub covers: &'static str,
    /// What it does not cover.
    pub omits: &'static str,
    /// The questions of the preset, and the figures that answer them.
    pub answers: Vec<PresetAnswer>,
}

/// A question of a preset, and what the audit says about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PresetAnswer {
    /// The question.
    pub question: &'static str,
    /// What the audit says.
    pub answer: String,
    /// Whether that is enough; `None` if the preset states no threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
}

impl PresetReport {
    /// The answers that break the preset.
    pub fn broken(&self) -> impl Iterator<Item = &PresetAnswer> {
        self.answers.iter().filter(|answer| answer.holds == Some(false))
    }
}

/// Adds what an audit found about the presets of a guarantee. Of what a release prints, only names of attributes are
/// stated, and no value.
pub(super) fn with_presets(mut report: Report, guarantee: &Guarantee, printed: &[Printed]) -> Report {
    let judge = |&preset: &Preset| {
        let answers = answers(preset, &report, guarantee, printed);
        PresetReport {
            preset: preset.name(),
            holds: answers.iter().all(|answer| answer.holds != Some(false)),
            source: preset.source(),
            covers: preset.covers(),
            omits: preset.omits(),
            answers,
        }
    };
    let presets: Vec<PresetReport> = guarantee.presets().iter().map(judge).collect();
    report.holds &= presets.iter().all(|preset| preset.holds);
    report.presets = presets;
    report
}

fn answers(preset: Preset, report: &Report, guarantee: &Guarantee, printed: &[Printed]) -> Vec<PresetAnswer> {
    match preset {
        Preset::CmsSmallCells => cms(report, guarantee),
        Preset::Ema0070 => vec![max_risk(report, guarantee)],
        Preset::HipaaSafeHarbor => safe_harbor::answers(printed),
        Preset::Wp216 => wp216(report, guarantee),
    }
}

fn answer(question: &'static str, answer: String, holds: Option<bool>) -> PresetAnswer {
    PresetAnswer { question, answer, holds }
}

/// The fewest individuals whom an attacker cannot tell apart who knows all rows of everyone.
fn fewest(report: &Report) -> u64 {
    report.k_over_rows.map_or(report.k, |over_rows| over_rows.min(report.k))
}

/// Whether that is the k of a preset, whatever was required.
fn has_k(report: &Report, preset: Preset) -> bool {
    let asked = preset.requirements().into_iter().fold(Guarantee::default(), Guarantee::with);
    fewest(report) >= asked.asked_k().unwrap_or(1)
}

/// What is said of individuals with several rows, where these say more about them than one row.
fn over_rows(report: &Report) -> String {
    match report.k_over_rows {
        Some(over_rows) if over_rows < report.k => format!(
            "; that counts one row of everyone: someone who knows all rows of an individual finds as few as {} (require \
             several-rows = \"strict\")",
            counted(over_rows, "individual")
        ),
        _ => String::new(),
    }
}

/// Whether a smallest bin of CMS was required, holds, and everything was searched.
fn has_cells(report: &Report, guarantee: &Guarantee) -> bool {
    let required =
        Preset::CmsSmallCells.requirements().into_iter().fold(Guarantee::default(), Guarantee::with);
    let results = report.asked.iter().zip(guarantee.requirements());
    let mut of_bins = results.filter(|(_, own)| matches!(own, Requirement::SmallestBin(_)));
    guarantee.asked_smallest_bin() >= required.asked_smallest_bin()
        && of_bins.all(|(own, _)| !own.is_broken_by_spans() && own.rare_values == 0 && !own.is_unproven())
}

fn cms(report: &Report, guarantee: &Guarantee) -> Vec<PresetAnswer> {
    let required = guarantee.asked_smallest_bin().unwrap_or(0);
    let groups = format!(
        "the smallest of {} has {}{}",
        counted(report.spans, "group"),
        counted(report.k, "individual"),
        over_rows(report)
    );
    let cells = match report.smallest_bin {
        Some(smallest) => format!(
            "the smallest cell has {}; {} are required",
            counted(smallest, "individual"),
            count(required)
        ),
        None => format!("no smaller cell than {} was found", count(required)),
    };
    vec![
        answer(
            "Does every group that can be told apart have at least 11 individuals?",
            groups,
            Some(has_k(report, Preset::CmsSmallCells)),
        ),
        answer(
            "Does every cell that is published or can be derived have 0 or at least 11 individuals?",
            cells,
            Some(has_cells(report, guarantee)),
        ),
    ]
}

fn max_risk(report: &Report, guarantee: &Guarantee) -> PresetAnswer {
    let required = guarantee.asked_k().unwrap_or(0);
    let risk = format!(
        "1/{} = {:.4}, by the smallest group; at least {} individuals are required{}",
        count(report.k),
        1.0 / report.k.max(1) as f64,
        count(required),
        over_rows(report)
    );
    answer(
        "Is the highest risk of re-identification at most 0.09?",
        risk,
        Some(has_k(report, Preset::Ema0070)),
    )
}

fn wp216(report: &Report, guarantee: &Guarantee) -> Vec<PresetAnswer> {
    let alone = report.sizes.iter().filter(|size| size.to == 1).map(|size| size.individuals).sum();
    let singled = format!(
        "k = {}; {} in a group of their own (at least {} are required per group){}",
        count(report.k),
        counted(alone, "individual"),
        count(guarantee.asked_k().unwrap_or(0)),
        over_rows(report)
    );
    let linked = format!(
        "someone who links public attributes to this release is right with a probability of at most 1/{}; links between \
         releases are answered by an audit of all of them together, or by a ledger",
        count(fewest(report))
    );
    // All private attributes of the release, whether or not a requirement applies to them.
    let measured = report.attributes.iter().filter(|own| own.is_measured());
    let highest = measured.max_by(|a, b| a.max_confidence.total_cmp(&b.max_confidence));
    let confidence = match highest {
        Some(own) => format!(
            "a private value is held by at most {:.1} % of a group (`{}`)",
            100.0 * own.max_confidence,
            own.name
        ),
        None => "no private value was measured".to_owned(),
    };
    let inferred =
        format!("{confidence}; {} exposed to certain inference", counted(report.exposed, "individual"));
    vec![
        answer(
            "Singling out: is it possible to isolate an individual?",
            singled,
            Some(has_k(report, Preset::Wp216)),
        ),
        answer("Linkability: is it possible to link records about an individual?", linked, None),
        answer("Inference: can information about an individual be inferred?", inferred, None),
    ]
}
