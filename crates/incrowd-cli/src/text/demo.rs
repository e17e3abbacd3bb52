//! The text of the demo.

use super::audit::sizes;
use super::{count, counted, percent};
use crate::console::{BAD, GOOD, STRONG, paint};
use crate::documents::Story;
use incrowd::audit::{Group, Report};
use incrowd::mine::rules::{MinedRule, MinedRules};
use incrowd::show::Outline;
use std::path::Path;

pub(crate) fn render(story: &Story, out: Option<&Path>) -> String {
    let parts = [
        opening(story),
        identifying(story),
        raw(&story.table),
        careless(&story.careless),
        mined(story),
        clusters(story),
        shop(&story.shop),
        ending(out),
    ];
    parts.join("\n")
}

fn heading(text: &str) -> String {
    format!("{}\n", paint(STRONG, text))
}

fn opening(story: &Story) -> String {
    heading("A clinic wants to release what can be learned from its table")
        + &format!(
            "  {} patients, none of them real. Their names are removed. Public: what a neighbour can know\n  \
             (age, sex, zip code, occupation ...). Private: smoking, measurements, costs, the diagnosis.\n",
            count(story.table.individuals)
        )
}

fn identifying(story: &Story) -> String {
    let mut text = heading("1. People can be identified without names");
    for size in 1..=4 {
        let best = story.profile.combinations.iter().find(|found| found.columns.len() == size);
        if let Some(best) = best {
            text +=
                &format!("  {:>7} are unique by their {}\n", percent(best.unique), best.columns.join(" + "));
        }
    }
    for found in &story.profile.dependencies {
        text += &format!("  and {} reveals {}\n", found.from.join(" + "), found.to);
    }
    text
}

fn raw(report: &Report) -> String {
    heading("2. The table without names")
        + &format!(
            "  {}: an attacker who knows the public attributes finds groups of {}. {} of {} patients are in\n  \
             groups below k = 10, and for {} the diagnosis is certain.\n",
            paint(BAD, "fails"),
            count(report.k),
            count(report.in_breach.unwrap_or(0)),
            count(report.individuals),
            count(exposed(report, "diagnosis"))
        )
}

fn exposed(report: &Report, attribute: &str) -> u64 {
    report.exposed_to.iter().find(|exposed| exposed.attribute == attribute).map_or(0, |e| e.individuals)
}

fn careless(report: &Report) -> String {
    let example = report.groups.iter().find(|group| !group.exposed_to.is_empty());
    let example = example.map_or_else(String::new, |Group { individuals, rule, .. }| {
        format!(
            "  For example: {rule}.\n  That is {}, and the diagnosis is certain.\n",
            counted(*individuals, "patient")
        )
    });
    heading("3. A decision tree instead of the table: age in steps of ten years, sex, district, occupation")
        + &format!(
            "  {}: a model is a release too. Its leaves link {} patients to groups of fewer than 10.\n{example}{}",
            paint(BAD, "fails"),
            count(report.in_breach.unwrap_or(0)),
            sizes(report)
        )
}

fn mined(story: &Story) -> String {
    let report = &story.mined;
    let exposed = match report.exposed {
        0 => "no private value can be inferred with certainty".to_owned(),
        n => format!("for {} patients, a private value can be inferred with certainty", count(n)),
    };
    heading("4. A tree with k = 10")
        + &format!(
            "  {}: an attacker who knows the public attributes distinguishes {}. The smallest has {} patients,\n  \
             and {exposed}.\n  On {} other patients the error of the tree is {} (always guessing the\n  most \
             frequent diagnosis: {}).\n\n",
            paint(GOOD, "k = 10 holds"),
            counted(report.spans, "group"),
            count(report.k),
            count(report.individuals),
            percent(story.error),
            percent(story.baseline),
        )
        + &indented(&super::tree::render(&Outline::new(story.tree.model(), None)))
        + "\n"
        + &attack(&report.groups)
}

fn clusters(story: &Story) -> String {
    heading("5. Clusters instead of classes: age (public) and blood pressure (private)")
        + &super::demo_clusters::render(&story.clusters)
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// The result of the attack on the safe tree.
fn attack(groups: &[Group]) -> String {
    let mut text = "  The same attack on this tree finds no smaller group:\n".to_owned();
    for group in groups.iter().take(3) {
        text += &format!("  {:>7}  {}\n", count(group.individuals), group.rule);
    }
    text
}

fn shop(mined: &MinedRules) -> String {
    let side = |items: &[String]| items.join(" and ");
    let rule = |rule: &MinedRule| format!("{} => {}", side(&rule.antecedent), side(&rule.consequent));
    let mut text = heading(
        "6. Rules are releases too: anyone can see cherries and candles, only the shop knows the pharmacy items",
    ) + &format!(
        "  {}: of {}, {} can be released together at k = 31. For example:\n",
        paint(GOOD, "k = 31 holds"),
        counted(mined.summary.candidates, "rule"),
        count(mined.summary.rules)
    );
    for taken in mined.useful.iter().take(2) {
        let share = percent(taken.counts.confidence());
        text += &format!("  {:>7}  {} ({share})\n", count(taken.counts.both), rule(taken));
    }
    text += "  Left out, shown to the shop only:\n";
    for left in mined.left_out.iter().take(2) {
        text += &format!("  {:>7}  {}: {}\n", count(left.rule.counts.both), rule(&left.rule), left.why);
    }
    text
}

fn ending(out: Option<&Path>) -> String {
    let next = match out {
        Some(folder) => {
            let folder = folder.display();
            format!(
                "  incrowd audit {folder}/tree.json --data {folder}/patients.csv --policy {folder}/policy.toml\n  \
                 incrowd show {folder}/tree.json\n  \
                 incrowd tree --data {folder}/patients.csv --policy {folder}/policy.toml --k 50 --out {folder}/tree-50.json\n  \
                 incrowd audit --table {folder}/patients.csv --policy {folder}/policy.toml\n  \
                 incrowd profile {folder}/patients.csv\n"
            )
        }
        None => "  incrowd demo --out clinic     writes the table, its policy and the release\n  \
                 incrowd profile FILE          profiles your own table\n"
            .to_owned(),
    };
    heading("Next steps") + &next
}
