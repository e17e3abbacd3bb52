//! Mining a release that holds together with those of a ledger.

use super::LedgerRequest;
use super::earlier::NEW;
use super::recording::Recording;
use super::together::FiguresTogether;
use crate::audited::{Audited, Recorded};
use crate::dataset::{Dataset, OpenOptions};
use incrowd_core::audit::{JointFinding, JointReport, refuse_contradicted};
use incrowd_core::guarantee::{Guarantee, RaisedGuarantee};
use incrowd_core::policy::Policy;
use incrowd_core::table::Table;
use incrowd_core::words::all;
use incrowd_core::{Error, Result};
use incrowd_mine::Structure;

/// How often a miner tries again under a larger k.
const TRIES: u32 = 6;

/// What is mined, and how.
pub(crate) struct Attempt<'a> {
    pub(crate) ledger: Option<&'a LedgerRequest>,
    pub(crate) data: &'a Dataset,
    pub(crate) options: &'a OpenOptions,
    pub(crate) raised: &'a RaisedGuarantee,
    pub(crate) table: &'a Table,
    pub(crate) policy: &'a Policy,
    /// Whether a coarser release may be tried if one fails. The structure of a blind release must not depend on that.
    pub(crate) again: bool,
}

impl Attempt<'_> {
    /// The same without a second try if the structure of the release is blind.
    pub(crate) fn once(self, structure: Structure) -> Self {
        Self { again: structure != Structure::Blind, ..self }
    }
}

/// Mines a release with `mine`; with a ledger, one that holds together with its releases.
///
/// The miner starts from the joint spans of the earlier releases and the result is audited together with them. What the
/// miner cannot foresee (what releases reveal together about an attribute that only the earlier ones contain, joint
/// spans with clusters) can still fail; then it tries again under twice the k, some times.
///
/// # Errors
/// When the earlier releases cannot be found, are of other data or break the guarantee already; when no release is found
/// that holds together with them.
pub(crate) fn mine_under<T: Recorded>(
    attempt: &Attempt<'_>,
    mine: impl Fn(&Table, &Policy, &Guarantee) -> Result<Audited<T>>,
) -> Result<Audited<T>> {
    let Attempt { data, options, raised, table, policy, .. } = *attempt;
    let guarantee = &raised.guarantee;
    refuse_contradicted(table, policy).map_err(|error| data.located(error))?;
    let Some(request) = attempt.ledger else { return mine(table, policy, guarantee) };
    let recording = Recording::begin(request, data, options, raised, T::FAMILY)?;
    if recording.is_first() {
        let earlier = recording.earlier()?;
        let mined = mine(table, policy, guarantee)?;
        let new = mined.new_release(table)?;
        earlier.check_groups(&new)?;
        return Ok(mined.recorded(recording.of(new)));
    }
    let earlier = recording.earlier()?;
    // What a release prints is a question about one release, which its own audit answers.
    let together = &guarantee.clone().with_presets_of_groups();
    let alone = earlier.audit(None, together)?;
    if !alone.holds {
        return Err(broken_before(&alone).in_file(&request.path));
    }
    let (start, start_policy) = earlier.start(table, policy)?;
    let (mut stricter, mut refused) = (guarantee.clone(), None);
    for _ in 0..=if attempt.again { TRIES } else { 0 } {
        let mined = match mine(&start, &start_policy, &stricter) {
            Err(error) if error.is_about_the_guarantee() => {
                return Err(
                    refused.unwrap_or_else(|| error.about("together with the releases of the ledger"))
                );
            }
            mined => mined?,
        };
        let new = mined.new_release(table)?;
        let report = earlier.audit(Some(&new), together)?;
        if report.holds {
            let mined = mined.mined_under(guarantee, &stricter);
            let mined = mined.together_with_ledger(FiguresTogether::of(&report));
            return Ok(mined.recorded(recording.of(new)));
        }
        refused.get_or_insert_with(|| conflict(&report).in_file(&request.path));
        let Some(k) = twice(&stricter, table.individuals()) else { break };
        stricter = stricter.with_k(k);
    }
    Err(refused.unwrap_or_else(|| Error::internal("a release was not audited")))
}

/// Twice the required k, while two groups of so many individuals are possible.
fn twice(guarantee: &Guarantee, individuals: u64) -> Option<u64> {
    let k = guarantee.asked_k()?.checked_mul(2)?;
    (k <= individuals / 2).then_some(k)
}

/// The error if a new release breaks the guarantee together with earlier ones.
pub(super) fn conflict(report: &JointReport) -> Error {
    let broken: Vec<&JointFinding> = report.pairs.iter().filter(|pair| !pair.holds).collect();
    let others = |pair: &JointFinding| pair.releases.iter().find(|name| *name != NEW).cloned();
    let names: Vec<String> =
        broken.iter().filter_map(|pair| others(pair)).map(|name| format!("`{name}`")).collect();
    let requirements = broken.first().map_or_else(
        || {
            report
                .together
                .asked
                .iter()
                .filter(|own| own.is_broken_by_spans())
                .map(|own| own.requirement.clone())
                .chain(report.together.broken_presets())
                .collect()
        },
        |pair| pair.broken.clone(),
    );
    let with = if names.is_empty() { "all earlier releases of the ledger".to_owned() } else { all(&names) };
    let k = broken.iter().map(|pair| pair.k).min().unwrap_or(report.together.k);
    let is_k = requirements.iter().any(|requirement| requirement.starts_with("k = "));
    let k = if is_k { format!(" (the largest k that holds is {k})") } else { String::new() };
    Error::unsatisfiable(format!(
        "together with {with}, the release would break the guarantee{k}: {}",
        requirements.join("; ")
    ))
    .help(
        "use fewer public attributes, leave private attributes out of this release, or withhold it; requiring less than \
         the ledger promises is not possible",
    )
}

/// The error if earlier releases break the guarantee before there is a new one.
fn broken_before(report: &JointReport) -> Error {
    let broken = report.releases.iter().find(|own| !own.holds);
    let requirement = |own: &JointFinding| all(&own.broken);
    let what = match broken {
        Some(own) => format!(
            "`{}`, a release of the ledger, breaks {} already",
            own.releases.concat(),
            requirement(own)
        ),
        None => "the releases of the ledger together break the guarantee already".to_owned(),
    };
    Error::unsatisfiable(what)
        .help("require no more than the earlier releases meet together: they cannot be taken back")
}
