//! Which private attributes of a release the guarantee limits, and which it does not.

use super::content::Content;
use incrowd_core::audit::{AttributeMeasures, Report};
use incrowd_core::guarantee::Guarantee;
use incrowd_core::words::{all, counted};
use incrowd_eval::words::percent;
use incrowd_io::dossier::DossierForm;

/// More attributes than this are counted and not named.
const NAMED: usize = 12;

/// The private attributes that requirements on private values apply to.
pub(super) fn limited<'a>(report: &'a Report, guarantee: &Guarantee) -> &'a [String] {
    if guarantee.looks_at_values() { &report.confidence_of } else { &[] }
}

/// The private attributes about which the release reveals something, and no requirement limits what.
pub(super) fn unlimited(report: &Report, guarantee: &Guarantee) -> Vec<String> {
    let limited = limited(report, guarantee);
    let is_revealed = |own: &&AttributeMeasures| own.is_measured() || is_exposed(report, &own.name);
    let names = report.attributes.iter().filter(is_revealed).map(|own| own.name.clone());
    names.filter(|name| !limited.contains(name)).collect()
}

fn is_exposed(report: &Report, name: &str) -> bool {
    report.exposed_to.iter().any(|own| own.attribute == name && own.individuals > 0)
}

/// Names of attributes in a sentence.
pub(super) fn listed(names: &[String]) -> String {
    if names.len() <= NAMED { all(names) } else { counted(names.len() as u64, "private attribute") }
}

/// The sentence about attributes that nothing limits. The public is not told the items of rules: they can be private.
pub(super) fn warning(content: &Content) -> Option<String> {
    let is_told = content.form == DossierForm::Owner || content.release.family != "rules";
    let words = if is_told { unlimited_words(&content.unlimited) } else { UNNAMED.to_owned() };
    (!content.unlimited.is_empty()).then_some(words)
}

/// Whether rules were not searched as a whole for small groups that follow from several of them. The audit states this as
/// a warning.
pub(super) fn is_unsearched(report: &Report) -> bool {
    let is_of_search = |warning: &String| {
        warning.starts_with("the search for groups of fewer than") && warning.contains("is incomplete")
    };
    report.family == "rules" && report.warnings.iter().any(is_of_search)
}

/// The sentence about a search that was not complete.
pub(super) const UNSEARCHED: &str = "The search for small groups that can be derived by combining several rules was not \
    complete: there may be some that were not found.";

/// The sentence about attributes that nothing limits, without their names.
pub(super) const UNNAMED: &str = "No requirement limits what can be inferred about some of the private attributes or \
    items of the release.";

/// The sentence about attributes that nothing limits.
pub(super) fn unlimited_words(names: &[String]) -> String {
    format!("No requirement limits what can be inferred about {}, which the release contains.", listed(names))
}

/// The highest confidence in a value of any private attribute of the release, and a label that names the attribute.
pub(super) fn highest(content: &Content, report: &Report) -> (String, String) {
    let is_unlimited = |own: &AttributeMeasures| content.unlimited.contains(&own.name);
    let measured = report.attributes.iter().filter(|own| own.is_measured());
    // Of equal ones, an attribute that nothing limits comes before the others.
    let highest = measured.max_by(|a, b| {
        let by_share = a.max_confidence.total_cmp(&b.max_confidence);
        by_share.then_with(|| is_unlimited(a).cmp(&is_unlimited(b)))
    });
    let is_unmeasured = |own: &&AttributeMeasures| !own.is_measured() && is_exposed(report, &own.name);
    let unmeasured: Vec<String> =
        report.attributes.iter().filter(is_unmeasured).map(|own| own.name.clone()).collect();
    let of = highest.map(|own| {
        let limited = if is_unlimited(own) { "not limited" } else { "limited" };
        format!("{}, {limited}", own.name)
    });
    let not_measured = (!unmeasured.is_empty()).then(|| format!("not measured for {}", listed(&unmeasured)));
    let details: Vec<String> = of.into_iter().chain(not_measured).collect();
    let label = "highest confidence in a private value";
    (
        highest.map_or_else(|| "–".to_owned(), |own| percent(own.max_confidence)),
        if details.is_empty() { label.to_owned() } else { format!("{label} ({})", details.join("; ")) },
    )
}
