//! What an audit found.

use super::LISTED;
use super::census::Census;
use super::certainty::Certain;
use super::columns::{ColumnBreach, NotJudged};
use super::measures::AttributeMeasures;
use crate::guarantee::{Guarantee, Requirement, ResolvedScope, SeveralRows, SingleBin};
use crate::model::Detail;
use crate::printed::{few_share, required_holders};
use crate::span::channels::Cell;
use crate::span::{Derived, Linking, Sensitive};
use crate::table::{People, RowsLeftOut, Table};
use serde::Serialize;

/// What an audit found. Nothing in it is a private value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// What was audited: tree, clusters, rules or table.
    pub family: &'static str,
    /// How much a tree reveals about the individuals in its leaves; `None` for other families. Figures are those of a
    /// release of counts, the worst case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// Whether every requirement holds.
    pub holds: bool,
    /// The requirements, in words.
    pub asked: Vec<RequirementResult>,
    /// The rows of the table.
    pub rows: u64,
    /// The rows of its file that were left out, and because of which columns; set by the code that reads the file.
    pub rows_left_out: RowsLeftOut,
    /// The individuals they are about.
    pub individuals: u64,
    /// The largest k that holds: the smallest population of a span that counts.
    pub k: u64,
    /// Columns of a table that name individuals and must not be released. Any is a breach, whatever the spans are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub column_breaches: Vec<ColumnBreach>,
    /// Columns of a table that the policy ignores or does not list: released, and not judged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_judged: Vec<NotJudged>,
    /// The number of non-empty spans.
    pub spans: u64,
    /// The number of them that break the guarantee.
    pub breaches: u64,
    /// The individuals in those.
    pub in_breach: u64,
    /// The individuals exposed to certain inference of some private attribute.
    pub exposed: u64,
    /// The same for each attribute.
    pub exposed_to: Vec<ExposedTo>,
    /// The individuals for whom the release rules out a value of some private attribute that was possible before, those
    /// exposed included.
    pub excluded: u64,
    /// The same for each attribute.
    pub excluded_to: Vec<ExposedTo>,
    /// Whether `exposed` and `excluded` are upper bounds: individuals have several rows, or a tree contains less than
    /// counts.
    pub at_most: bool,
    /// The individuals whose groups over all of their rows no other individual has: k counted over all rows is 1 for
    /// them. `None` where every individual has one row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone_over_rows: Option<u64>,
    /// The largest k over all rows that any release of the table can have: the fewest individuals with the same number
    /// of rows, which no release hides. `None` where every individual has one row or the number is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict_k_at_most: Option<u64>,
    /// The highest confidence an attacker can have in a private value, over the attributes that the guarantee covers;
    /// `None` where the release contains none of them, so that nothing was measured.
    pub max_confidence: Option<f64>,
    /// The attributes it was measured for.
    pub confidence_of: Vec<String>,
    /// The population of the smallest bin, where bins were counted, or of the smallest cell below the required smallest
    /// bin that can be computed; for rules, of the latter alone.
    pub smallest_bin: Option<u64>,
    /// The printed private values that someone has, fewer individuals than k and the smallest bin require, and that the
    /// policy does not declare. With a smallest bin they are a breach.
    pub rare_values: u64,
    /// The number of small cells that anyone can derive from the supports of rules: those below the required smallest
    /// bin, and those below k that no single rule publishes. Only the former are breaches.
    pub channels: u64,
    /// The smallest of them.
    pub smallest_channels: Vec<Channel>,
    /// The measures of each private attribute of the release.
    pub attributes: Vec<AttributeMeasures>,
    /// The distribution of span sizes.
    pub sizes: Vec<SizeClass>,
    /// The linking attack: the smallest groups, those in breach first.
    pub groups: Vec<Group>,
    /// What else the owner should know.
    pub warnings: Vec<String>,
}

impl Report {
    /// The requirements, in words: a sentence for each requirement.
    pub fn guarantee(&self) -> Vec<String> {
        self.asked.iter().map(|asked| asked.requirement.clone()).collect()
    }

    /// Whether individuals have several rows.
    pub fn has_several_rows(&self) -> bool {
        self.alone_over_rows.is_some()
    }

    /// The same with the rare private values that are printed, which a smallest bin forbids.
    pub(super) fn with_rare_values(mut self, rare_values: u64, guarantee: &Guarantee) -> Self {
        for (asked, requirement) in self.asked.iter_mut().zip(guarantee.requirements()) {
            if matches!(requirement, Requirement::SmallestBin(_)) {
                asked.rare_values = rare_values;
                self.holds &= rare_values == 0;
            }
        }
        let warned = rare_values > 0 && !self.prints_too_rare();
        self.warnings.extend(warned.then(|| few_share(rare_values, required_holders(guarantee))));
        Self { rare_values, ..self }
    }

    /// Whether printed private values are part of a breach.
    pub fn prints_too_rare(&self) -> bool {
        self.asked.iter().any(|asked| asked.rare_values > 0)
    }

    /// The audits of one table for several attackers as one report: the first, with the worst of all figures on
    /// anonymity and exposure.
    pub fn of_several(reports: Vec<Self>) -> Option<Self> {
        let mut reports = reports.into_iter();
        let mut all = reports.next()?;
        for report in reports {
            all.holds &= report.holds;
            all.k = all.k.min(report.k);
            all.rare_values = all.rare_values.max(report.rare_values);
            all.breaches += report.breaches;
            all.in_breach = all.in_breach.max(report.in_breach);
            all.exposed = all.exposed.max(report.exposed);
            all.excluded = all.excluded.max(report.excluded);
            all.at_most |= report.at_most;
            all.alone_over_rows = all.alone_over_rows.max(report.alone_over_rows);
            let both = all.max_confidence.into_iter().chain(report.max_confidence);
            all.max_confidence = both.reduce(f64::max);
            for (all, one) in all.asked.iter_mut().zip(&report.asked) {
                all.breaches += one.breaches;
                all.rare_values = all.rare_values.max(one.rare_values);
            }
        }
        Some(all)
    }
}

/// A small set of individuals about whom anyone can derive what they have: an inference channel of a set of rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Channel {
    /// At least this many individuals.
    pub at_least: u64,
    /// At most this many.
    pub at_most: u64,
    /// The items they have.
    pub with: Vec<String>,
    /// The items they do not have.
    pub without: Vec<String>,
}

/// A requirement and how many spans break it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequirementResult {
    /// The requirement in words, with the private attributes it applies to.
    pub requirement: String,
    /// The spans that break it.
    pub breaches: u64,
    /// The printed private values that break it: those of too few individuals, which only a smallest bin forbids.
    #[serde(skip_serializing_if = "is_none")]
    pub rare_values: u64,
}

// Serde passes a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// The number of individuals who are exposed to certain inference of an attribute, or have a value of it excluded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExposedTo {
    /// The attribute.
    pub attribute: String,
    /// The individuals.
    pub individuals: u64,
    /// The share of individuals who have the most frequent value of the attribute in the whole table: exposure to a
    /// value that nearly every individual has reveals little about anyone.
    pub most_frequent: f64,
}

/// The spans of a range of sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SizeClass {
    /// The smallest population.
    pub from: u64,
    /// The largest.
    pub to: u64,
    /// The number of spans.
    pub spans: u64,
    /// The number of individuals who are in them.
    pub individuals: u64,
}

/// One group of the linking attack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The number of individuals who are in it.
    pub individuals: u64,
    /// Who is in it, by public attributes.
    pub rule: String,
    /// Whether it breaks the guarantee.
    pub breach: bool,
    /// The private attributes its individuals are exposed to.
    pub exposed_to: Vec<String>,
}

pub(super) fn build(
    family: &'static str,
    table: &Table,
    linking: &Linking<'_>,
    guarantee: &Guarantee,
    scope: &ResolvedScope,
    census: Census,
    warnings: Vec<String>,
) -> Report {
    let of_spans = |chosen: &dyn Fn(usize) -> bool| individuals(table, linking, &census, chosen);
    let exposed: Vec<&Certain> = census.certain.iter().map(|certainty| &certainty.exposed).collect();
    let excluded: Vec<&Certain> = census.certain.iter().map(|certainty| &certainty.excluded).collect();
    let of_each = |certain: &[&Certain]| -> Vec<ExposedTo> {
        let of_one = |(attribute, &one): (&Sensitive, &&Certain)| ExposedTo {
            attribute: attribute.name.clone(),
            individuals: concerned(&census, &[one]),
            most_frequent: table
                .column(&attribute.name)
                .map_or(0.0, |column| table.most_frequent_share(column)),
        };
        linking.sensitive.iter().zip(certain).map(of_one).collect()
    };
    let asked = guarantee.requirements().iter().zip(&census.broken_by);
    let spans = first_parts(linking);
    let breaches = spans.iter().filter(|&&span| census.broken[span]).count() as u64;
    let confidence = census.measures.iter().zip(&scope.applies);
    let confidence = confidence.filter(|&(measures, &asked)| asked && measures.is_measured());
    let warnings = warnings.into_iter().chain(unasked(guarantee, &census)).collect();
    Report {
        family,
        detail: None,
        holds: breaches == 0,
        asked: asked
            .map(|(r, &breaches)| RequirementResult {
                requirement: scope.statement(r),
                breaches,
                rare_values: 0,
            })
            .collect(),
        rows: table.rows() as u64,
        rows_left_out: RowsLeftOut { of: table.rows() as u64, ..RowsLeftOut::default() },
        individuals: table.individuals(),
        k: largest_k(table, linking, guarantee, &census),
        column_breaches: Vec::new(),
        not_judged: Vec::new(),
        spans: linking.joint_spans() as u64,
        breaches,
        in_breach: of_spans(&|span| census.broken[span]),
        exposed: concerned(&census, &exposed),
        exposed_to: of_each(&exposed),
        excluded: concerned(&census, &excluded),
        excluded_to: of_each(&excluded),
        at_most: census.alike.is_some(),
        alone_over_rows: census.alone_over_rows,
        strict_k_at_most: table.individuals_by_rows().and_then(|by_rows| by_rows.into_values().min()),
        max_confidence: confidence.clone().map(|(measures, _)| measures.max_confidence).reduce(f64::max),
        confidence_of: confidence.map(|(measures, _)| measures.name.clone()).collect(),
        smallest_bin: census.smallest_bin,
        rare_values: 0,
        channels: census.derived.as_ref().map_or(0, |derived| derived.channels.len() as u64),
        smallest_channels: census.derived.as_ref().map_or_else(Vec::new, channels),
        sizes: size_classes(spans.iter().map(|&span| census.joint[span])),
        groups: groups(linking, &census, spans),
        attributes: census.measures,
        warnings,
    }
}

/// A warning about small cells that follow from several rules, where they break nothing.
fn unasked(guarantee: &Guarantee, census: &Census) -> Option<String> {
    let k = guarantee.asked_k()?;
    if let Some(error) = &census.not_derived {
        return Some(format!(
            "sets of fewer than {k} individuals that follow from the combined rules were not searched for: {}",
            error.what
        ));
    }
    let smallest = guarantee.asked_smallest_bin();
    let channels = census.derived.as_ref().map_or(&[][..], |derived| &derived.channels);
    let more = channels.iter().filter(|cell| cell.high >= smallest.unwrap_or(0)).count();
    (more > 0).then(|| {
        let (sets, follow) = if more == 1 { ("set", "follows") } else { ("sets", "follow") };
        format!("{more} {sets} of fewer than {k} individuals {follow} from the combined rules; no individual is linked through them; a smallest bin of {k} would count them as breaches")
    })
}

fn channels(derived: &Derived) -> Vec<Channel> {
    let named = |side: &[u32]| side.iter().map(|&item| derived.items[item as usize].clone()).collect();
    let channel = |cell: &Cell| Channel {
        at_least: cell.low,
        at_most: cell.high,
        with: named(&cell.present),
        without: named(&cell.absent),
    };
    derived.channels.iter().take(LISTED).map(channel).collect()
}

/// The individuals of whom something is certain with respect to one of some attributes.
fn concerned(census: &Census, certain: &[&Certain]) -> u64 {
    let by_subject = certain.iter().any(|certain| !certain.of_subject.is_empty());
    let any = |of: &dyn Fn(&Certain) -> bool| certain.iter().any(|certain| of(certain));
    if by_subject {
        let subjects = certain.first().map_or(0, |certain| certain.of_subject.len());
        return (0..subjects).filter(|&subject| any(&|certain| certain.of_subject[subject])).count() as u64;
    }
    let spans = (0..census.populations.len()).filter(|&span| any(&|certain| certain.of_span[span]));
    spans.map(|span| census.populations[span]).sum()
}

/// The individuals of some spans. Someone with rows in several of them counts once.
fn individuals(table: &Table, linking: &Linking<'_>, census: &Census, chosen: &dyn Fn(usize) -> bool) -> u64 {
    match table.people() {
        People::Subjects { of_row, count } => {
            let mut seen = vec![false; *count as usize];
            for (&subject, &span) in of_row.iter().zip(&linking.span_of_row) {
                seen[subject as usize] |= chosen(span as usize);
            }
            seen.iter().filter(|&&seen| seen).count() as u64
        }
        People::Rows | People::Weights(_) => {
            (0..linking.spans).filter(|&span| chosen(span)).map(|span| census.populations[span]).sum()
        }
    }
}

/// The smallest population among the spans that count; every individual, if none does.
fn largest_k(table: &Table, linking: &Linking<'_>, guarantee: &Guarantee, census: &Census) -> u64 {
    let populations = match (&census.alike, guarantee.several_rows()) {
        (Some(alike), SeveralRows::Strict) => alike,
        _ => &census.joint,
    };
    let exempt = guarantee
        .requirements()
        .iter()
        .any(|requirement| matches!(requirement, Requirement::K(k) if k.single_bin() == SingleBin::Exempt));
    let counts = |span: usize| !(exempt && linking.single_bin.get(span).copied().unwrap_or(false));
    let smallest = (0..populations.len()).filter(|&span| counts(span)).map(|span| populations[span]).min();
    smallest.unwrap_or_else(|| table.individuals())
}

/// Sizes 1, 2, 3–4, 5–9, 10–19, 20–49, 50–99 and so on, without the empty classes at the ends.
pub(super) fn size_classes(populations: impl Iterator<Item = u64>) -> Vec<SizeClass> {
    let mut starts = vec![1, 2, 3];
    let mut unit = 1_u64;
    while let Some(next) = unit.checked_mul(10).filter(|_| starts[starts.len() - 1] < u64::MAX / 20) {
        starts.extend([unit * 5, next, next * 2]);
        unit = next;
    }
    let mut classes: Vec<SizeClass> = starts
        .iter()
        .enumerate()
        .map(|(i, &from)| {
            let to = starts.get(i + 1).map_or(u64::MAX, |next| next - 1);
            SizeClass { from, to, spans: 0, individuals: 0 }
        })
        .collect();
    for population in populations {
        let class = starts.partition_point(|&from| from <= population).saturating_sub(1);
        classes[class].spans += 1;
        classes[class].individuals += population;
    }
    let last = classes.iter().rposition(|class| class.spans > 0).map_or(0, |last| last + 1);
    let first = classes.iter().position(|class| class.spans > 0).unwrap_or(0);
    classes[first..last.max(first)].to_vec()
}

/// The first part of each span.
fn first_parts(linking: &Linking<'_>) -> Vec<usize> {
    let mut seen = vec![false; linking.joint_spans()];
    (0..linking.spans).filter(|&part| !std::mem::replace(&mut seen[linking.joint_of(part)], true)).collect()
}

fn groups(linking: &Linking<'_>, census: &Census, mut spans: Vec<usize>) -> Vec<Group> {
    let key = |&span: &usize| (!census.broken[span], census.joint[span], span);
    if spans.len() > LISTED {
        spans.select_nth_unstable_by_key(LISTED - 1, key);
        spans.truncate(LISTED);
    }
    spans.sort_unstable_by_key(key);
    let exposed = |span: usize| {
        let same = |part: &usize| linking.joint_of(*part) == linking.joint_of(span);
        let parts: Vec<usize> =
            if linking.joint.is_some() { (0..linking.spans).filter(same).collect() } else { vec![span] };
        let told = census.certain.iter().zip(&linking.sensitive);
        let told = told.filter(|(certainty, _)| parts.iter().any(|&part| certainty.exposed.of_span[part]));
        told.map(|(_, attribute)| attribute.name.clone()).collect()
    };
    let group = |span: usize| Group {
        individuals: census.joint[span],
        rule: (linking.rules)(span),
        breach: census.broken[span],
        exposed_to: exposed(span),
    };
    spans.into_iter().map(group).collect()
}
