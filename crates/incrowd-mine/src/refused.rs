//! The errors of miners whose result fails its audit.

use incrowd_core::audit::Report;
use incrowd_core::{Error, ErrorKind};

/// The error where rare printed private values are all that a smallest bin forbids: class values and cells of tables
/// are printed as they are.
pub(crate) fn prints_rare(report: &Report) -> Option<Error> {
    if report.breaches == Some(0)
        && let Some(error) = breaks_preset(report)
    {
        return Some(error);
    }
    let is_reason = report.breaches == Some(0) && report.prints_too_rare();
    is_reason.then(|| {
        let values = if report.rare_values == 1 { "value" } else { "values" };
        Error::unsatisfiable(format!(
            "the release would show {} private {values} that fewer individuals have than the smallest bin requires",
            report.rare_values
        ))
        .help("declare the `values` in the policy if they may be known, group rare ones, or omit the smallest bin")
    })
}

/// The error where what the release prints breaks a preset.
pub(crate) fn breaks_preset(report: &Report) -> Option<Error> {
    let preset = report.presets.iter().find(|preset| !preset.holds)?;
    let answers: Vec<String> =
        preset.broken().map(|own| format!("{} {}", own.question, own.answer)).collect();
    Some(
        Error::unsatisfiable(format!("the release would break the preset {}: {}", preset.preset, answers.join("; ")))
            .of_parameter("preset")
            .help("ignore these attributes in the policy, generalize or top-code them in the data, or leave the preset out"),
    )
}

/// A breach that the audit found and the miner did not see is a defect of the miner.
pub(crate) fn unseen(mut error: Error) -> Error {
    if error.kind == ErrorKind::Breach {
        error.kind = ErrorKind::Internal;
    }
    error
}
