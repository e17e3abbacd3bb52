//! The audit of several releases of one table together.
//!
//! Two releases, each k-anonymous, can single people out together. [`audit_together`] derives the joint spans
//! ([`crate::span`]) of each pair of releases and of all of them, and checks the guarantee for each.
//!
//! A smallest bin is refused: which small cells follow from several releases is not searched. Exposure is an upper
//! bound; if individuals have several rows, everyone counts.

use super::preset::with_presets;
use super::{ExposedTo, Report, finish, populations, states_populations, undeclared};
use crate::error::{Error, Result};
use crate::group::sizes;
use crate::guarantee::Guarantee;
use crate::model::Model;
use crate::policy::Policy;
use crate::span::{InDays, JointPart, as_model_sees, in_days, joined, link, link_source_groups};
use crate::table::Table;
use serde::Serialize;
use std::borrow::Cow;

/// One of several releases of a table.
#[derive(Debug, Clone)]
pub struct JointRelease<'a> {
    /// What it is called in the report.
    pub name: String,
    /// Its contents.
    pub content: JointContent<'a>,
}

/// The contents of one of several releases.
#[derive(Debug, Clone)]
pub enum JointContent<'a> {
    /// A model.
    Model(&'a Model),
    /// A table: for each row of the source the number of its group, counted from 0, and the cells and private columns of
    /// the released table.
    Table {
        /// The group of each row.
        group_of_row: Vec<u32>,
        /// For each group its released public cells, in words ([`described_cells`](crate::span::described_cells)).
        cells: Vec<String>,
        /// The private columns.
        private: Vec<String>,
    },
}

/// The result of an audit of several releases together. It contains no private value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JointReport {
    /// Whether every requirement holds for all releases together.
    pub holds: bool,
    /// Each release alone.
    pub releases: Vec<JointFinding>,
    /// Each pair of releases, if there are more than two.
    pub pairs: Vec<JointFinding>,
    /// The audit of all releases together.
    pub together: Report,
}

/// What the audit of some of the releases found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JointFinding {
    /// The names of these releases.
    pub releases: Vec<String>,
    /// Whether every requirement holds.
    pub holds: bool,
    /// The largest k that holds.
    pub k: u64,
    /// The number of joint spans.
    pub spans: u64,
    /// The individuals in spans that break a requirement.
    pub in_breach: Option<u64>,
    /// The requirements that are broken.
    pub broken: Vec<String>,
}

/// Audits several releases of a table together.
///
/// # Errors
/// When one of them cannot be checked, as in [`audit_model`](super::audit_model), or a smallest bin is required.
pub fn audit_together(
    table: &Table,
    policy: &Policy,
    releases: &[JointRelease<'_>],
    guarantee: &Guarantee,
) -> Result<JointReport> {
    audit_pairs(table, policy, releases, guarantee, |count, _| {
        let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| [first, second]));
        if count > 2 { pairs.collect() } else { Vec::new() }
    })
}

/// Audits releases together, alone, and the pairs that are chosen by the number of releases and whether they hold
/// together.
fn audit_pairs(
    table: &Table,
    policy: &Policy,
    releases: &[JointRelease<'_>],
    guarantee: &Guarantee,
    chosen: impl Fn(usize, bool) -> Vec<[usize; 2]>,
) -> Result<JointReport> {
    if guarantee.asked_smallest_bin().is_some_and(|n| n > 1) {
        return Err(Error::parameters(
            "a smallest bin cannot be checked for several releases together: small cells may follow from their combination",
        )
        .of_parameter("smallest_bin")
        .help("audit the releases one by one for it, and together for the other requirements"));
    }
    if let Some(preset) = guarantee.presets().iter().find(|preset| !preset.is_about_groups()) {
        return Err(Error::parameters(format!(
            "the preset {preset} is about what a release prints, so it is checked for each release, not for several together"
        ))
        .of_parameter("preset")
        .help("audit the releases one by one for this preset, and together for the other requirements"));
    }
    let days = Days::of(table, policy, releases)?;
    let parts = days.parts(releases)?;
    let each = (0..parts.len())
        .map(|part| {
            let report = judge_alone(&days, &parts, part, guarantee)?;
            let published = match &releases[part].content {
                JointContent::Model(model) => states_populations(model),
                JointContent::Table { .. } => true,
            };
            Ok(if published { report } else { report.without_populations() })
        })
        .collect::<Result<Vec<_>>>()?;
    let judge = |chosen: &[usize]| {
        let report = judge(&days, &parts, chosen, guarantee, releases)?;
        let alone: Vec<(&str, &Report)> =
            chosen.iter().map(|&part| (parts[part].name.as_str(), &each[part])).collect();
        Ok(with_lower_bounds(report, &alone))
    };
    let all: Vec<usize> = (0..parts.len()).collect();
    let mut together = judge(&all)?;
    let pairs = chosen(parts.len(), together.holds).into_iter();
    let pairs = pairs.map(|pair| Ok(finding(releases, &pair, &judge(&pair)?))).collect::<Result<Vec<_>>>()?;
    together.warnings =
        undeclared_of(table, policy, releases)?.into_iter().chain(together.warnings).collect();
    together.warnings.extend((!together.holds).then(|| bounds_of_clusters(releases)).flatten());
    Ok(JointReport {
        holds: together.holds && each.iter().all(|report| report.holds),
        releases: each.iter().enumerate().map(|(part, report)| finding(releases, &[part], report)).collect(),
        pairs,
        together,
    })
}

/// A word on joint audits with clusters, whose spans may be divided more than an attacker can.
fn bounds_of_clusters(releases: &[JointRelease<'_>]) -> Option<String> {
    let is_clusters =
        |release: &JointRelease<'_>| matches!(release.content, JointContent::Model(Model::Clusters(_)));
    (releases.len() > 1 && releases.iter().any(is_clusters)).then(|| {
        "together with clusters, individuals are counted as alike only if every private value leads them to the same \
         clusters: the true k may be larger than the one reported, and there may be fewer groups"
            .to_owned()
    })
}

/// Audits the last of several releases together with the others: like [`audit_together`], but its pairs with the others
/// are audited only if all together break the guarantee.
///
/// # Errors
/// As [`audit_together`].
pub fn audit_last(
    table: &Table,
    policy: &Policy,
    releases: &[JointRelease<'_>],
    guarantee: &Guarantee,
) -> Result<JointReport> {
    audit_pairs(table, policy, releases, guarantee, |count, holds| {
        let last = count.saturating_sub(1);
        if holds { Vec::new() } else { (0..last).map(|first| [first, last]).collect() }
    })
}

/// For each row the number of its joint span.
///
/// # Errors
/// As [`audit_together`].
pub fn joint_spans(table: &Table, policy: &Policy, releases: &[JointRelease<'_>]) -> Result<Vec<u32>> {
    let days = Days::of(table, policy, releases)?;
    let parts = days.parts(releases)?;
    let all: Vec<&JointPart<'_>> = parts.iter().collect();
    Ok(joined(&days.table, &days.policy, &all)?.0.span_of_row)
}

/// For each row the individuals who share its joint span.
///
/// # Errors
/// As [`audit_together`].
pub fn joint_populations(table: &Table, policy: &Policy, releases: &[JointRelease<'_>]) -> Result<Vec<u64>> {
    let span_of_row = joint_spans(table, policy, releases)?;
    let spans = span_of_row.iter().max().map_or(0, |&last| last as usize + 1);
    let sizes = sizes(&span_of_row, spans, table);
    Ok(span_of_row.iter().map(|&span| sizes[span as usize]).collect())
}

/// The table and the policy as each model sees them (with what its cells define), and with all of their dates as days.
struct Days<'a> {
    of_release: Vec<Option<InDays<'a>>>,
    table: Cow<'a, Table>,
    policy: Cow<'a, Policy>,
    source: (&'a Table, &'a Policy),
}

impl<'a> Days<'a> {
    fn of(table: &'a Table, policy: &'a Policy, releases: &[JointRelease<'_>]) -> Result<Self> {
        let (mut all, mut under) = (Cow::Borrowed(table), Cow::Borrowed(policy));
        let mut of_release = Vec::new();
        for release in releases {
            let JointContent::Model(model) = release.content else {
                of_release.push(None);
                continue;
            };
            of_release.push(Some(as_model_sees(table, policy, model)?));
            let (table, policy) = in_days(&all, &under, model)?;
            let (table, policy) = (table.into_owned(), policy.into_owned());
            (all, under) = (Cow::Owned(table), Cow::Owned(policy));
        }
        Ok(Self { of_release, table: all, policy: under, source: (table, policy) })
    }

    fn parts<'p>(&'p self, releases: &'p [JointRelease<'_>]) -> Result<Vec<JointPart<'p>>> {
        let part = |(release, days): (&'p JointRelease<'_>, &'p Option<InDays<'a>>)| {
            let name = release.name.clone();
            match (&release.content, days) {
                (JointContent::Model(model), Some((table, policy))) => {
                    let linking = link(table, policy, model)?;
                    populations::check(table, &linking, model)?;
                    Ok(JointPart { name, linking, clusters_by: public_axes(policy, model)? })
                }
                (JointContent::Table { group_of_row, cells, private }, _) => {
                    let (table, policy) = self.source;
                    let linking = link_source_groups(table, policy, group_of_row, cells, private)?;
                    Ok(JointPart { name, linking, clusters_by: None })
                }
                (JointContent::Model(_), None) => Err(Error::internal("a model was not linked")),
            }
        };
        releases.iter().zip(&self.of_release).map(part).collect()
    }
}

/// The attributes of a clustering that an attacker knows; `None` for other models.
fn public_axes(policy: &Policy, model: &Model) -> Result<Option<Vec<String>>> {
    let Model::Clusters(clusters) = model else { return Ok(None) };
    let known = policy.knowledge();
    let mut names = Vec::new();
    for axis in clusters.axes() {
        if known.knows(&axis.name)? {
            names.push(axis.name.clone());
        }
    }
    Ok(Some(names))
}

/// One release, with its own spans.
fn judge_alone(
    days: &Days<'_>,
    parts: &[JointPart<'_>],
    part: usize,
    guarantee: &Guarantee,
) -> Result<Report> {
    let (table, policy) = match &days.of_release[part] {
        Some((table, policy)) => (&**table, &**policy),
        None => days.source,
    };
    let report = finish("release", table, policy, &parts[part].linking, guarantee, Vec::new())?;
    Ok(with_presets(report, guarantee, &[]))
}

fn judge(
    days: &Days<'_>,
    parts: &[JointPart<'_>],
    chosen: &[usize],
    guarantee: &Guarantee,
    releases: &[JointRelease<'_>],
) -> Result<Report> {
    let chosen: Vec<&JointPart<'_>> = chosen.iter().map(|&part| &parts[part]).collect();
    let (linking, table) = joined(&days.table, &days.policy, &chosen)?;
    let family = if releases.len() == 1 { "release" } else { "releases" };
    let report = finish(family, &table, &days.policy, &linking, guarantee, Vec::new())?;
    let mut report = with_presets(report, guarantee, &[]);
    report.at_most = true;
    if table.has_several_rows() {
        everyone_may_be_exposed(&mut report);
    }
    Ok(report)
}

/// Whom one release alone exposes, all of them expose: its exact figure, or its lower bound, is a lower bound.
fn with_lower_bounds(report: Report, alone: &[(&str, &Report)]) -> Report {
    let all = alone.iter().map(|(_, alone)| alone.surely_exposed()).max().unwrap_or(0);
    let of = |attribute: &str| {
        let of_release = |&(name, alone): &(&str, &Report)| {
            let is_same = |own: &&ExposedTo| {
                own.attribute == attribute || format!("{} of {name}", own.attribute) == attribute
            };
            alone.exposed_to.iter().filter(is_same).map(ExposedTo::surely).max()
        };
        alone.iter().filter_map(of_release).max().unwrap_or(0)
    };
    report.with_surely_exposed(all, of)
}

/// What the rows of one individual reveal together over several releases is not derived: the bound is everyone.
fn everyone_may_be_exposed(report: &mut Report) {
    (report.exposed, report.excluded) = (report.individuals, report.individuals);
    let all = report.exposed_to.iter_mut().chain(&mut report.excluded_to);
    all.for_each(|one| one.individuals = report.individuals);
    report.groups.iter_mut().for_each(|group| group.exposed_to.clear());
}

fn finding(releases: &[JointRelease<'_>], chosen: &[usize], report: &Report) -> JointFinding {
    let broken = report.asked.iter().filter(|asked| asked.is_broken_by_spans());
    JointFinding {
        releases: chosen.iter().map(|&release| releases[release].name.clone()).collect(),
        holds: report.holds,
        k: report.k,
        spans: report.spans,
        in_breach: report.in_breach,
        broken: broken.map(|asked| asked.requirement.clone()).chain(report.broken_presets()).collect(),
    }
}

/// Warnings about undeclared dependencies between attributes of any of the releases.
fn undeclared_of(table: &Table, policy: &Policy, releases: &[JointRelease<'_>]) -> Result<Vec<String>> {
    let mut names: Vec<&str> = Vec::new();
    for release in releases {
        match &release.content {
            JointContent::Model(model) => names.extend(model.attribute_names()),
            JointContent::Table { private, .. } => names.extend(private.iter().map(String::as_str)),
        }
    }
    names.sort_unstable();
    names.dedup();
    undeclared(table, policy, &names)
}
