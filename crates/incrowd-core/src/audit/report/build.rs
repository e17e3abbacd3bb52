//! Builds a report from counts.

use super::{Channel, ExposedTo, Group, Report, RequirementResult, SizeClass};
use crate::audit::LISTED;
use crate::audit::census::Census;
use crate::audit::certainty::{CertainIndividuals, Certainty};
use crate::audit::measures::AttributeMeasures;
use crate::audit::risk::Risk;
use crate::guarantee::{Distance, Guarantee, Requirement, ResolvedScope, Scope, SeveralRows, SingleBin};
use crate::span::channels::{Cell, Limits};
use crate::span::{Cells, Derived, Linking, Sensitive};
use crate::table::{People, RowsLeftOut, Table};
use crate::words::count;

/// The report of an audit with these counts.
pub(in crate::audit) fn build(
    family: &'static str,
    table: &Table,
    linking: &Linking<'_>,
    guarantee: &Guarantee,
    scope: &ResolvedScope,
    census: Census,
    warnings: Vec<String>,
) -> Report {
    let of_spans = |chosen: &dyn Fn(usize) -> bool| individuals(table, linking, &census, chosen);
    let exposed: Vec<&CertainIndividuals> =
        census.certain.iter().map(|certainty| &certainty.exposed).collect();
    let excluded: Vec<&CertainIndividuals> =
        census.certain.iter().map(|certainty| &certainty.excluded).collect();
    let at_most = census.alike.is_some() || linking.sensitive.iter().any(|one| one.judged.is_unknown());
    let sure: Vec<&CertainIndividuals> = census.certain.iter().map(|certainty| &certainty.sure).collect();
    let frequent: Vec<f64> =
        linking.sensitive.iter().map(|attribute| most_frequent(table, linking, attribute)).collect();
    let of_each = |certain: &[&CertainIndividuals]| -> Vec<ExposedTo> {
        let of_one =
            |((attribute, &one), &most_frequent): ((&Sensitive, &&CertainIndividuals), &f64)| ExposedTo {
                attribute: attribute.name.clone(),
                individuals: concerned(&census, &[one]),
                at_least: None,
                most_frequent,
            };
        linking.sensitive.iter().zip(certain).zip(&frequent).map(of_one).collect()
    };
    let asked = guarantee.requirements().iter().zip(&census.broken_by);
    let spans = first_parts(linking);
    let breaches = spans.iter().filter(|&&span| census.broken[span]).count() as u64;
    let confidence = census.measures.iter().zip(&scope.applies);
    let confidence = confidence.filter(|&(measures, &asked)| asked && measures.is_measured());
    let warnings = warnings.into_iter().chain(absent(scope, guarantee)).chain(uncovered(scope, guarantee));
    let warnings = warnings.chain(unordered(scope, guarantee, &census.measures));
    let warnings = warnings.chain(spelled_differently(table, linking, guarantee, scope));
    let warnings = warnings.chain(unasked(guarantee, &census)).chain(bounded(guarantee, &census));
    let warnings = warnings.chain(unsearched(guarantee, &census)).collect();
    let unproven = if is_proven(&census) { 0 } else { unsearched_rules(&census) };
    let unsearched_rules = |requirement: &Requirement| match requirement {
        Requirement::SmallestBin(least) if least.n() > 1 => unproven,
        _ => 0,
    };
    let is_proven = guarantee.requirements().iter().all(|requirement| unsearched_rules(requirement) == 0);
    Report {
        family,
        table_file: None,
        detail: None,
        holds: breaches == 0 && is_proven,
        presets: Vec::new(),
        asked: asked
            .map(|(r, &breaches)| RequirementResult {
                requirement: scope.statement(r),
                breaches: Some(breaches),
                rare_values: 0,
                unsearched_rules: unsearched_rules(r),
            })
            .collect(),
        stated: Vec::new(),
        rows: table.rows() as u64,
        rows_left_out: RowsLeftOut { of: table.rows() as u64, ..RowsLeftOut::default() },
        individuals: table.individuals(),
        k: largest_k(table, linking, guarantee, &census),
        column_breaches: Vec::new(),
        not_judged: Vec::new(),
        spans: linking.joint_spans() as u64,
        breaches: Some(breaches),
        in_breach: Some(of_spans(&|span| census.broken[span])),
        exposed: concerned(&census, &exposed),
        exposed_at_least: at_most.then(|| concerned(&census, &sure)),
        exposed_to: with_bounds(of_each(&exposed), &census, at_most),
        excluded: concerned(&census, &excluded),
        excluded_to: of_each(&excluded),
        at_most,
        alone_over_rows: census.alone_over_rows,
        k_over_rows: census.alike.as_ref().and_then(|alike| alike.iter().copied().min()),
        strict_k_at_most: table.individuals_by_rows().and_then(|by_rows| by_rows.into_values().min()),
        max_confidence: confidence.clone().map(|(measures, _)| measures.max_confidence).reduce(f64::max),
        confidence_of: confidence.map(|(measures, _)| measures.name.clone()).collect(),
        smallest_bin: census.smallest_bin,
        rare_values: 0,
        channels: census.derived.as_ref().map_or(0, |derived| derived.channels.len() as u64),
        smallest_channels: census.derived.as_ref().map_or_else(Vec::new, channels),
        sizes: size_classes(spans.iter().map(|&span| census.joint[span])),
        risk: Risk::of_sizes(spans.iter().map(|&span| census.joint[span])),
        groups: groups(linking, &census, spans, table.has_several_rows()),
        attributes: census.measures,
        sets: Vec::new(),
        all_attributes: None,
        claims_blind: false,
        first_trees: linking.first_trees.clone(),
        warnings,
    }
}

/// A warning about attributes that the guarantee names but the release does not contain.
fn absent(scope: &ResolvedScope, guarantee: &Guarantee) -> Option<String> {
    let looks = guarantee.requirements().iter().any(Requirement::looks_at_values);
    let names: Vec<String> = scope.absent.iter().map(|name| format!("`{name}`")).collect();
    let them = if names.len() == 1 { "it" } else { "them" };
    (looks && !names.is_empty()).then(|| {
        format!(
            "the release does not contain {}, so there is nothing to check about {them}",
            names.join(", ")
        )
    })
}

/// A warning about what the release contains and the guarantee leaves out.
fn uncovered(scope: &ResolvedScope, guarantee: &Guarantee) -> Option<String> {
    let looks = guarantee.requirements().iter().any(Requirement::looks_at_values);
    let names: Vec<String> = scope.uncovered.iter().map(|name| format!("`{name}`")).collect();
    // Who names attributes has decided.
    let why = if let Scope::Named(_) = guarantee.scope() {
        let them = if names.len() == 1 { "it" } else { "them" };
        format!(": the guarantee leaves {them} out (`of` without {them}, or `except`)")
    } else {
        "; of = \"tested\" under [guarantee] covers all private attributes of the release, and `except` leaves out those \
         that no release can meet the requirement for"
            .to_owned()
    };
    (looks && !names.is_empty()).then(|| {
        format!(
            "no requirement limits what can be inferred about {}, which the release contains{why}",
            names.join(", ")
        )
    })
}

/// A warning about attributes without an order, for which t-closeness with the ordered distance uses the equal one.
fn unordered(scope: &ResolvedScope, guarantee: &Guarantee, measures: &[AttributeMeasures]) -> Option<String> {
    let is_ordered = |requirement: &&Requirement| matches!(requirement, Requirement::TCloseness(t) if t.distance() == Distance::Ordered);
    let asked = guarantee.requirements().iter().find(is_ordered)?;
    let in_scope = measures.iter().zip(&scope.applies).filter(|&(_, &applies)| applies);
    let without = in_scope.filter(|(measures, _)| measures.is_measured() && measures.t_ordered.is_none());
    let names: Vec<String> = without.map(|(measures, _)| format!("`{}`", measures.name)).collect();
    let (has, its) = if names.len() == 1 { ("has", "its") } else { ("have", "their") };
    (!names.is_empty()).then(|| {
        format!(
            "{asked}: {} {has} no order, so the equal distance is used for {its} values",
            names.join(", ")
        )
    })
}

/// A warning about private attributes with values that differ only in spelling: such values count as different, so that
/// requirements on private values can hold although all individuals of a group have the same value.
fn spelled_differently(
    table: &Table,
    linking: &Linking<'_>,
    guarantee: &Guarantee,
    scope: &ResolvedScope,
) -> Option<String> {
    if !guarantee.looks_at_values() {
        return None;
    }
    let applies = linking.sensitive.iter().zip(&scope.applies).filter(|&(_, &applies)| applies);
    let mut names: Vec<&String> = applies.flat_map(|(sensitive, _)| &sensitive.about).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| table.column(name).is_some_and(|column| column.values().are_spelled_differently()));
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| {
        format!(
            "some values of {} differ only in case or in spaces around them and count as different values, so the \
             guarantee may hold only because one value is spelled in two ways: use one spelling",
            names.join(", ")
        )
    })
}

/// The share of individuals who have the most frequent value of an attribute; of the cluster, the largest cluster's.
fn most_frequent(table: &Table, linking: &Linking<'_>, attribute: &Sensitive) -> f64 {
    match (table.column(&attribute.name), &linking.bins, &attribute.source) {
        (_, Some(bins), Cells::Bin) => table.most_frequent_of(bins.of_row.iter().copied()),
        (Some(column), ..) => table.most_frequent_share(column),
        _ => 0.0,
    }
}

/// A warning about small cells that follow from several rules but break nothing.
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
        format!("{more} {sets} of fewer than {k} individuals {follow} from the combined rules; no individual is linked through them; a smallest bin of {k} would forbid them")
    })
}

/// A warning about joint spans that may be too many spans together, so that only bounds were checked.
fn bounded(guarantee: &Guarantee, census: &Census) -> Option<String> {
    let is_bound =
        |asked: &Requirement| asked.looks_at_values() && !matches!(asked, Requirement::DistinctL(_));
    (census.bounded > 0 && guarantee.requirements().iter().any(is_bound)).then(|| {
        "individuals have several rows, and too many groups have individuals in common for all of their unions to be \
         checked: figures on private values are bounds there, and what could not be proven counts as broken"
            .to_owned()
    })
}

fn unsearched_rules(census: &Census) -> u64 {
    census.derived.as_ref().map_or(0, |derived| derived.unsearched)
}

/// Whether no cell below the smallest bin can follow from rules but those found.
fn is_proven(census: &Census) -> bool {
    census.derived.as_ref().is_none_or(|derived| derived.is_proven)
}

/// How rules can be mined so that the search for small cells is more likely to be complete.
const SMALLER_SEARCH: &str = "use shorter rules, a higher minimum support or fewer attributes";

/// A warning that small cells may follow from the rules which the search did not look at.
fn unsearched(guarantee: &Guarantee, census: &Census) -> Option<String> {
    let rules = unsearched_rules(census);
    let found = !census.derived.as_ref()?.channels.is_empty();
    let most = Limits::asked(guarantee)?.most();
    let what = if found { "there may be more" } else { "none was found in the part that was searched" };
    let meaning = match guarantee.asked_smallest_bin() {
        Some(n) if n > 1 && is_proven(census) => {
            format!("no group of fewer than {n} individuals can be derived, and k is not affected")
        }
        Some(n) if n > 1 => format!("a smallest bin of {n} is not proven"),
        _ => "k is not affected".to_owned(),
    };
    let connected = match rules {
        1 => "a rule has too many items".to_owned(),
        many => format!("{} connected rules have too many items", count(many)),
    };
    // What is proven for every cell that is required to be large needs no search.
    let is_proven = is_proven(census) && guarantee.asked_smallest_bin() == Some(most);
    (rules > 0 && most > 1 && !is_proven).then(|| {
        format!("the search for groups of fewer than {most} individuals that can be derived by combining rules is incomplete ({connected}): {what}; {meaning}; {SMALLER_SEARCH}")
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

/// The individuals about whom something is certain for at least one of some attributes.
fn concerned(census: &Census, certain: &[&CertainIndividuals]) -> u64 {
    let by_subject = certain.iter().any(|certain| !certain.of_subject.is_empty());
    let any = |of: &dyn Fn(&CertainIndividuals) -> bool| certain.iter().any(|certain| of(certain));
    if by_subject {
        let subjects = certain.first().map_or(0, |certain| certain.of_subject.len());
        return (0..subjects).filter(|&subject| any(&|certain| certain.of_subject[subject])).count() as u64;
    }
    let spans = (0..census.populations.len()).filter(|&span| any(&|certain| certain.of_span[span]));
    spans.map(|span| census.populations[span]).sum()
}

/// The individuals of some spans. An individual with rows in several of them counts once.
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
pub(in crate::audit) fn size_classes(populations: impl Iterator<Item = u64>) -> Vec<SizeClass> {
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

/// The figures with their lower bounds, if they are upper bounds.
fn with_bounds(exposed_to: Vec<ExposedTo>, census: &Census, at_most: bool) -> Vec<ExposedTo> {
    let bounded = |(to, certainty): (ExposedTo, &Certainty)| ExposedTo {
        at_least: at_most.then(|| concerned(census, &[&certainty.sure])),
        ..to
    };
    exposed_to.into_iter().zip(&census.certain).map(bounded).collect()
}

/// The smallest groups. With several rows, a group is exposed to the attributes of which all of its rows must have the
/// same value; what else is certain depends on all rows of an individual and is not one of a group.
fn groups(
    linking: &Linking<'_>,
    census: &Census,
    mut spans: Vec<usize>,
    has_several_rows: bool,
) -> Vec<Group> {
    let key = |span: usize| (!census.broken[span], census.joint[span]);
    let order = |&a: &usize, &b: &usize| {
        key(a).cmp(&key(b)).then_with(|| (linking.order)(a, b)).then_with(|| a.cmp(&b))
    };
    if spans.len() > LISTED {
        spans.select_nth_unstable_by(LISTED - 1, order);
        spans.truncate(LISTED);
    }
    spans.sort_unstable_by(order);
    let exposed = |span: usize| {
        let same = |part: &usize| linking.joint_of(*part) == linking.joint_of(span);
        let parts: Vec<usize> =
            if linking.joint.is_some() { (0..linking.spans).filter(same).collect() } else { vec![span] };
        let told = census.certain.iter().zip(&linking.sensitive);
        let is_certain = |certainty: &Certainty| {
            if has_several_rows {
                parts.iter().all(|&part| certainty.sure.of_span[part])
            } else {
                parts.iter().any(|&part| certainty.exposed.of_span[part])
            }
        };
        let told = told.filter(|(certainty, _)| is_certain(certainty));
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
