//! From the rules taken to a release: the model with its supports, audited.

use super::candidates::Candidate;
use super::params::Items;
use super::select::{Selection, Why};
use super::task::Task;
use super::watch::Opened;
use super::{LeftOut, MinedRule, MinedRules, RuleSummary};
use incrowd_core::audit::audit_model;
use incrowd_core::guarantee::{Guarantee, SeveralRows};
use incrowd_core::model::{Domain, Item, Model, Rule, Rules};
use incrowd_core::printed::required_holders;
use incrowd_core::span::channels::{Cell, MOST_ITEMS};
use incrowd_core::table::People;
use incrowd_core::words::counted;
use incrowd_core::{Error, Result};

/// Makes the release and audits it. Its rules are in the order of their items: the order of usefulness would reveal
/// more than the rules do.
///
/// # Errors
/// When the audit could not be done or found a breach.
pub(super) fn release(
    task: &Task<'_>,
    guarantee: &Guarantee,
    candidates: &[Candidate],
    selection: &Selection,
    sets: u64,
) -> Result<MinedRules> {
    let taken: Vec<&Candidate> = selection.taken.iter().map(|&place| &candidates[place]).collect();
    let rules = model(task, &taken, required_holders(guarantee))?;
    let model = Model::Rules(rules);
    let report = audit_model(task.table, task.policy, &model, guarantee)?;
    let Model::Rules(rules) = model else { return Err(Error::internal("rules became another model")) };
    // The strict reading looks at all spans of an individual at once, which the check of a single rule does not.
    if !report.holds && guarantee.several_rows() == SeveralRows::Strict && task.table.has_several_rows() {
        return Err(Error::unsatisfiable(
            "the rules do not meet k counted over all rows of an individual: too few individuals have all their rows in the same groups",
        )
        .help("choose fewer rules or a smaller k, put the items of each individual into one row, or set several-rows = \"counted\""));
    }
    if !report.holds {
        return Err(Error::internal("the audit of the rules found a breach that their miner did not find")
            .help("nothing was released; this is a bug in incrowd, please report it"));
    }
    let warnings = task.warnings.iter().chain(&report.warnings).cloned().collect();
    let left_out = |(place, why): &(usize, Why)| {
        let rule = named(task, &candidates[*place]);
        LeftOut { rule, why: reason(task, why) }
    };
    Ok(MinedRules {
        rules,
        useful: taken.iter().map(|rule| named(task, rule)).collect(),
        left_out: selection.left_out.iter().map(left_out).collect(),
        summary: RuleSummary {
            rows: report.rows,
            individuals: report.individuals,
            sets,
            candidates: candidates.len() as u64,
            rules: taken.len() as u64,
            left_out: selection.left_out.len() as u64,
            spans: report.spans,
            k: report.k,
            exposed: report.exposed,
            max_confidence: report.max_confidence,
        },
        report,
        warnings,
    })
}

/// The rules as a model: only attributes of the rules are named, and only supports that make up a rule are stated.
fn model(task: &Task<'_>, taken: &[&Candidate], required: u64) -> Result<Rules> {
    let mut taken = taken.to_vec();
    taken.sort_unstable_by(|a, b| (&a.left, &a.right).cmp(&(&b.left, &b.right)));
    let items = || taken.iter().flat_map(|rule| rule.left.iter().chain(&rule.right));
    let mut asked: Vec<usize> = items().map(|&item| task.items[item as usize].attribute).collect();
    asked.sort_unstable();
    asked.dedup();
    let known = task.policy.knowledge();
    let printed: Vec<Vec<bool>> =
        asked.iter().map(|&attribute| task.attributes[attribute].printed(task, &known, required)).collect();
    let side = |items: &[u32]| -> Vec<Item> {
        let item = |&item: &u32| {
            let item = &task.items[item as usize];
            let attribute = asked.partition_point(|&other| other < item.attribute);
            let before = printed[attribute][..item.value as usize].iter().filter(|&&printed| printed);
            Item { attribute, value: before.count() as u32 }
        };
        items.iter().map(item).collect()
    };
    let rule = |rule: &&Candidate| Rule {
        antecedent: side(&rule.left),
        consequent: side(&rule.right),
        antecedent_count: Some(rule.counts.antecedent),
        both_count: Some(rule.counts.both),
    };
    let attribute = |(&attribute, printed): (&usize, &Vec<bool>)| {
        let mut model = task.attributes[attribute].model.clone();
        if let Domain::Values(values) = &mut model.domain {
            let mut printed = printed.iter();
            values.retain(|_| printed.next().copied().unwrap_or(true));
        }
        model
    };
    let attributes = asked.iter().zip(&printed).map(attribute).collect();
    Rules::new(attributes, taken.iter().map(rule).collect())
}

/// A rule by the names of its items.
pub(super) fn named(task: &Task<'_>, rule: &Candidate) -> MinedRule {
    let (antecedent, consequent) = (names(task, &rule.left), names(task, &rule.right));
    MinedRule { antecedent, consequent, counts: rule.counts }
}

fn names(task: &Task<'_>, items: &[u32]) -> Vec<String> {
    items.iter().map(|&item| name(task, item)).collect()
}

/// An item as it is displayed: a product by its name, others as *attribute = value*.
fn name(task: &Task<'_>, item: u32) -> String {
    let item = &task.items[item as usize];
    let attribute = &task.attributes[item.attribute].model;
    match &attribute.domain {
        Domain::Values(values) if task.kind_of_items == Items::Values => {
            format!("{} = {}", attribute.name, values[item.value as usize])
        }
        _ => attribute.name.clone(),
    }
}

fn reason(task: &Task<'_>, why: &Why) -> String {
    match why {
        Why::Span(broken) => {
            let individuals = counted(broken.individuals, "individual");
            format!("it would distinguish a group of {individuals}, which breaks {}", broken.requirement)
        }
        Why::Rare(required) => {
            format!(
                "it names a private value that fewer than {required} individuals have and that the policy does not \
                 declare"
            )
        }
        Why::Opened(Opened::Channel(cell)) => channel(task, cell),
        Why::Opened(Opened::TooLong) => {
            format!("what sets of more than {MOST_ITEMS} items reveal cannot be computed")
        }
        Why::Opened(Opened::Unproven(least)) => {
            format!("it could not be proven that no group of fewer than {least} individuals can be derived")
        }
        Why::Opened(Opened::SeveralRows) => {
            "individuals have several rows: it cannot be ruled out that all supports together reveal a small group"
                .to_owned()
        }
    }
}

fn channel(task: &Task<'_>, cell: &Cell) -> String {
    let people = if cell.low == cell.high {
        counted(cell.low, "individual")
    } else {
        format!("{} to {}", cell.low, counted(cell.high, "individual"))
    };
    let side = |word: &str, items: &[u32]| match items {
        [] => String::new(),
        items => format!(" {word} {}", names(task, items).join(", ")),
    };
    let sides = [side("with", &cell.present), side("without", &cell.absent)].concat();
    match task.table.people() {
        // With several rows that is only an assumption on the safe side.
        People::Subjects { .. } => {
            format!("it would reveal a group of {people}{sides} (if each had one row)")
        }
        _ => format!("it would reveal a group of {people}{sides}"),
    }
}
