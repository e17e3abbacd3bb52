//! The requirements of a guarantee in plain words, and whether they hold.

use super::content::{RequirementFacts, RequirementState};
use super::covered::{UNNAMED, limited, listed, unlimited, unlimited_words};
use super::opening::one_of;
use incrowd_core::audit::{Report, RequirementResult};
use incrowd_core::guarantee::{Guarantee, NOTHING_TO_CHECK, Requirement, SeveralRows, SingleBin};
use incrowd_eval::words::{count, percent};

/// The requirements that an audit checked.
pub(super) fn asked(report: &Report, guarantee: &Guarantee) -> Vec<RequirementFacts> {
    let rows_apart = rows_apart(report, guarantee);
    let (limited, unlimited) = (limited(report, guarantee), unlimited(report, guarantee));
    let of_sets = if report.sets.is_empty() { String::new() } else { format!(" {}", one_of(&report.sets)) };
    let one = |(result, requirement): (&RequirementResult, &Requirement)| RequirementFacts {
        requirement: result
            .requirement
            .strip_suffix(NOTHING_TO_CHECK)
            .map_or_else(|| named(result, requirement, report.family), |bare| bare.trim_end().to_owned()),
        meaning: meaning(requirement, rows_apart)
            + &applies(requirement, limited, &unlimited, report.family)
            + &of_sets,
        result: state(result),
        k: match requirement {
            Requirement::K(k) => Some(k.k()),
            _ => None,
        },
        bare: requirement.to_string(),
        bare_meaning: if requirement.looks_at_values() && !unlimited.is_empty() {
            format!("{} {UNNAMED}{of_sets}", meaning(requirement, rows_apart))
        } else {
            meaning(requirement, rows_apart) + &of_sets
        },
    };
    report.asked.iter().zip(guarantee.requirements()).map(one).collect()
}

/// A requirement by what was checked: of clusters, the cluster, and not the attributes that it depends on.
fn named(result: &RequirementResult, requirement: &Requirement, family: &str) -> String {
    let own = result.requirement.split_once(" of ").filter(|_| requirement.looks_at_values());
    match own.filter(|_| family == "clusters") {
        Some((what, "cluster")) => format!("{what} of the cluster"),
        Some((what, names)) => format!("{what} of the cluster (which depends on {names})"),
        None => result.requirement.clone(),
    }
}

/// What a requirement on private values applies to, and what it does not apply to, after its meaning.
fn applies(requirement: &Requirement, limited: &[String], unlimited: &[String], family: &str) -> String {
    if !requirement.looks_at_values() {
        return String::new();
    }
    let mut words = String::new();
    if !limited.is_empty() && family == "clusters" {
        words += " This applies to the cluster that an individual is in, not to the attributes that it depends on.";
    } else if !limited.is_empty() {
        words += &format!(" This applies to {}.", listed(limited));
    }
    if !unlimited.is_empty() {
        words += &format!(" {}", unlimited_words(unlimited));
    }
    words
}

fn state(result: &RequirementResult) -> RequirementState {
    if result.is_broken_by_spans() || result.rare_values > 0 {
        RequirementState::Broken
    } else if result.is_unproven() {
        RequirementState::NotProven
    } else if result.requirement.ends_with(NOTHING_TO_CHECK) {
        RequirementState::NothingToCheck
    } else {
        RequirementState::Holds
    }
}

/// Whether individuals have several rows, and the guarantee considers each row apart from the others.
pub(super) fn rows_apart(report: &Report, guarantee: &Guarantee) -> bool {
    report.has_several_rows() && guarantee.several_rows() == SeveralRows::Counted
}

/// What a requirement means, for readers who do not know the field's words.
fn meaning(requirement: &Requirement, rows_apart: bool) -> String {
    match requirement {
        Requirement::K(k) => of_k(k.k(), k.single_bin(), k.several_rows(), rows_apart),
        Requirement::DistinctL(l) => format!(
            "In every group, the private attribute has at least {} different values (distinct l-diversity).",
            l.l()
        ),
        Requirement::EntropyL(l) => format!(
            "In every group, the private values are spread at least as evenly as {} equally frequent values (entropy \
             l-diversity).",
            l.l()
        ),
        Requirement::RecursiveL(cl) => format!(
            "In every group, the most frequent private value occurs less than {} times as often as the values from \
             the {} most frequent one on together (recursive diversity).",
            cl.c(),
            ordinal(cl.l())
        ),
        Requirement::Confidence(cap) => format!(
            "In every group, at most {} of the individuals have the same private value. Always guessing \
             the most frequent value of a group is right for at most this share of it.",
            percent(cap.cap())
        ),
        Requirement::TCloseness(t) => format!(
            "In every group, the private values are distributed nearly as in the whole table: the distance is at most \
             {} on a scale from 0 to 1 (t-closeness).",
            t.t()
        ),
        Requirement::Alpha(alpha) => format!(
            "In every group, no private value has a share above {} of all values (alpha of (alpha,k)-anonymity).",
            percent(alpha.alpha())
        ),
        Requirement::Beta(beta) => format!(
            "In every group, the share of a private value exceeds its share in the whole table by at most {} (beta \
             times that share; beta-likeness).",
            percent(beta.beta())
        ),
        Requirement::SmallestBin(smallest) => format!(
            "No count from 1 to {} is published or can be derived from what is published, and no private value is \
             printed that fewer than {} individuals have, unless the policy declares it.",
            count(smallest.n().saturating_sub(1)),
            count(smallest.n())
        ),
        _ => "See the documentation of this requirement.".to_owned(),
    }
}

fn of_k(k: u64, single_bin: SingleBin, several_rows: SeveralRows, rows_apart: bool) -> String {
    let k = count(k);
    let mut meaning = if rows_apart {
        format!(
            "Every row looks like rows of at least {k} different individuals. Someone who knows all rows of an individual may find fewer."
        )
    } else {
        format!(
            "Every individual is in a group of at least {k} individuals who cannot be told apart by their public \
             attributes (k-anonymity)."
        )
    };
    if several_rows == SeveralRows::Strict {
        meaning += " All rows of an individual are considered together.";
    }
    if single_bin == SingleBin::Exempt {
        meaning += " Groups about which the release states nothing private may be smaller.";
    }
    meaning
}

fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (1, other) if other != 11 => "st",
        (2, other) if other != 12 => "nd",
        (3, other) if other != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
