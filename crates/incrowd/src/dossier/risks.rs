//! The risks that remain, from the audit.

use super::covered::{UNSEARCHED, is_unsearched};
use super::page::{Block, Cell, Mood, Table};
use super::plots;
use incrowd_core::audit::{AttributeMeasures, ExposedTo, Group, Naming, Report, RiskFigures, Unjudged};
use incrowd_core::words::{bounds, count, counted};
use incrowd_eval::words::percent;

/// The risks. The attributes `in_ranges` are shown in ranges or sets of values.
pub(super) fn risks(report: &Report, in_ranges: &[String]) -> Vec<Block> {
    let parts = [
        groups(report),
        inference(report, in_ranges),
        printed(report),
        several_rows(report),
        first_trees(report),
        channels(report),
        reidentification(report),
        columns(report),
        warnings(report),
    ];
    parts.concat()
}

fn heading(text: &str) -> Block {
    Block::Heading(text.to_owned())
}

fn groups(report: &Report) -> Vec<Block> {
    let mut blocks = vec![
        heading("Being singled out"),
        Block::Text(
            "A group is a set of individuals who look alike to the attacker. The larger it is, the harder it is to single \
             someone out. The picture shows how many individuals are in groups of each size; the table lists the smallest \
             groups by their public attributes."
                .to_owned(),
        ),
    ];
    let counted_in: u64 = report.sizes.iter().map(|class| class.individuals).sum();
    blocks.extend(plots::sizes(&report.sizes).map(|picture| Block::Pictures(vec![picture])));
    if counted_in > report.individuals {
        blocks.push(Block::Note(
            "An individual with several rows is counted in each of their groups.".to_owned(),
        ));
    }
    let mut table = Table::new(
        "groups",
        "The smallest groups",
        &[">individuals", "who is in it", "guarantee", "certain for all"],
    );
    for group in &report.groups {
        table.row([
            count(group.individuals).into(),
            group.rule.clone().into(),
            verdict(group),
            certain(group),
        ]);
    }
    if !report.groups.is_empty() {
        blocks.push(Block::Table(table));
    }
    let left = report.spans.saturating_sub(report.groups.len() as u64);
    if left > 0 {
        let (are, them) = if left == 1 { ("is", "it is not") } else { ("are", "none of them is") };
        blocks
            .push(Block::Note(format!("{} {are} not listed; {them} smaller.", counted(left, "other group"))));
    }
    blocks
}

fn verdict(group: &Group) -> Cell {
    if group.breach { Cell::new("broken", Mood::Bad) } else { "met".into() }
}

fn certain(group: &Group) -> Cell {
    if group.exposed_to.is_empty() {
        "–".into()
    } else {
        Cell::new(group.exposed_to.join(", "), Mood::Care)
    }
}

fn inference(report: &Report, in_ranges: &[String]) -> Vec<Block> {
    let mut blocks = vec![heading("Private values that can be inferred"), Block::Text(INFERENCE.to_owned())];
    blocks.extend(
        plots::confidence(&report.attributes, &report.exposed_to, in_ranges)
            .map(|picture| Block::Pictures(vec![picture])),
    );
    let heads = [
        "private attribute",
        ">most frequent value, whole table",
        ">highest confidence in a group",
        ">individuals with a certain value",
        ">with a value ruled out",
    ];
    let mut table = Table::new("inferred", "What an attacker can infer", &heads);
    for own in &report.exposed_to {
        table.row(inferred(report, own, in_ranges.contains(&own.attribute)));
    }
    if report.exposed_to.is_empty() {
        blocks.push(Block::Text("The release contains no private attribute.".to_owned()));
    } else {
        blocks.push(Block::Table(table));
    }
    if report.at_most {
        let least = if report.surely_exposed() > 0 { AT_LEAST } else { "" };
        blocks.push(Block::Note(format!("{BOUND}{least}")));
        if report.has_several_rows() {
            let warned = report
                .warnings
                .iter()
                .any(|warning| warning.contains("the same in all rows of each individual"));
            let named = if warned { "; a warning below names such attributes." } else { "." };
            blocks.push(Block::Note(format!("{UNCHANGING}{named}")));
        }
    }
    blocks
}

const INFERENCE: &str = "A release is meant to teach something about groups. It becomes a risk to a person if a \
    private value is nearly or entirely certain for everyone in a group. Compare the highest confidence in a group \
    with the share of the most frequent value in the whole table (the base rate): someone who has never seen the \
    release can guess that well. If the release shows only ranges or sets of an attribute's values, the confidence is \
    that in such a range or set; the share of a single value is not comparable with it and is left out. A value is \
    certain for an individual if it is the same in every way to assign the individuals to the published counts. A \
    value is ruled out if no such way gives it to them.";

const BOUND: &str = "In the last two columns, ≤ marks an upper bound, and two numbers are a lower and an upper bound. Exact \
    numbers need one row per individual and a release of counts.";

const AT_LEAST: &str =
    " The lower bound counts the individuals of groups in which every row must have the same value.";

const UNCHANGING: &str = "These numbers assume that an individual can have another value in each row. If an attribute is the \
    same in all rows of each individual, someone who knows this can learn more";

fn inferred(report: &Report, own: &ExposedTo, in_ranges: bool) -> Vec<Cell> {
    let is_own = |measures: &&AttributeMeasures| measures.name == own.attribute && measures.is_measured();
    let confidence = report.attributes.iter().find(is_own).map(|measures| measures.max_confidence);
    let ruled_out = report.excluded_to.iter().find(|other| other.attribute == own.attribute);
    let out = |out: &ExposedTo| bounds(if report.at_most { 0 } else { out.individuals }, out.individuals);
    let confidence = match confidence {
        None => Cell::from("not measured"),
        Some(share) if share >= 1.0 => Cell::new(percent(share), Mood::Care),
        Some(share) => percent(share).into(),
    };
    let exposed = if own.individuals > 0 {
        Cell::new(bounds(own.surely(), own.individuals), Mood::Care)
    } else {
        Cell::from("0")
    };
    vec![
        own.attribute.clone().into(),
        if in_ranges { "shown in ranges or sets".into() } else { percent(own.most_frequent).into() },
        confidence,
        exposed,
        ruled_out.map_or_else(|| "–".to_owned(), out).into(),
    ]
}

fn printed(report: &Report) -> Vec<Block> {
    let text = if report.rare_values == 0 {
        "Apart from values and ranges that the policy declares as generally known, the release prints no private value that \
         fewer individuals have than the guarantee requires. Numbers within a declared range are not counted here, however \
         rare they are."
            .to_owned()
    } else {
        format!(
            "The release prints {} that fewer individuals have than the guarantee requires, and that the policy does not \
             declare. That such a value is printed reveals that someone has it.",
            counted(report.rare_values, "private value")
        )
    };
    let block = if report.rare_values == 0 { Block::Text(text) } else { Block::Warning(vec![text]) };
    vec![heading("Rare private values"), block]
}

fn several_rows(report: &Report) -> Vec<Block> {
    let Some(alone) = report.alone_over_rows else { return Vec::new() };
    let text = if alone == 0 {
        "Individuals have several rows. Even someone who knows all public attributes in all rows of an individual finds \
         another individual with as many rows in the same groups."
            .to_owned()
    } else {
        format!(
            "Individuals have several rows. Someone who knows all rows of an individual can tell {} apart from all others: \
             no other individual has as many rows in each of the same groups. The requirement several-rows = \"strict\" \
             prevents this.",
            if alone == 1 { "1 individual".to_owned() } else { format!("{} individuals", count(alone)) }
        )
    };
    let block = if alone == 0 { Block::Text(text) } else { Block::Warning(vec![text]) };
    vec![heading("Rows that belong together"), block]
}

/// What the first trees of an ensemble reveal.
fn first_trees(report: &Report) -> Vec<Block> {
    let curve = &report.first_trees;
    let Some(last) = curve.last().filter(|_| curve.len() > 1) else { return Vec::new() };
    let is_shown = |trees: u64| trees.is_power_of_two() || trees == last.trees;
    let heads = [">trees", ">smallest group", ">groups", ">individuals alone"];
    let mut table = Table::new("trees", "What a reader of the first trees can tell apart", &heads);
    for first in curve.iter().filter(|first| is_shown(first.trees)) {
        table.row([first.trees, first.k, first.spans, first.alone].map(count));
    }
    vec![heading("Tree by tree"), Block::Table(table)]
}

/// Small cells that follow from the supports of rules. Their items are private, so only sizes are stated.
fn channels(report: &Report) -> Vec<Block> {
    if report.family != "rules" {
        return Vec::new();
    }
    let is_unsearched = is_unsearched(report);
    let text = if report.channels == 0 && is_unsearched {
        UNSEARCHED.to_owned()
    } else if report.channels == 0 {
        "No small group was found that follows from the counts of several rules together.".to_owned()
    } else {
        let smallest = report.smallest_channels.iter().map(|channel| channel.at_most).min();
        let smallest = smallest.map_or_else(String::new, |most| format!(" The smallest has at most {most}."));
        format!(
            "{} of individuals can be derived from the counts of several rules together.{smallest}",
            counted(report.channels, "small group")
        )
    };
    let is_good = report.channels == 0 && !is_unsearched;
    let block = if is_good { Block::Text(text) } else { Block::Warning(vec![text]) };
    vec![heading("Groups that follow from several rules"), block]
}

fn reidentification(report: &Report) -> Vec<Block> {
    let risk = &report.risk;
    let above = format!(">above {}", percent(risk.threshold));
    let heads = ["attacker", ">highest", ">average", &above, "what it means"];
    let mut table = Table::new("risk", "The risk of being recognized (re-identification)", &heads);
    let line = |name: &str, figures: &RiskFigures, means: &str| -> Vec<Cell> {
        vec![
            name.into(),
            share(figures.highest).into(),
            share(figures.average).into(),
            share(figures.above_threshold).into(),
            means.into(),
        ]
    };
    table.row(line("prosecutor", &risk.prosecutor, "knows that the person is in the data"));
    if risk.population.is_some() {
        table.row(line("journalist", &risk.journalist, "does not know whether the person is in the data"));
        let marketer =
            ["marketer", "–", &share(risk.marketer), "–", "tries to recognize as many people as possible"];
        table.row(marketer);
    }
    let mut blocks = vec![
        heading("The risk of being recognized"),
        Block::Text(RECOGNIZED.to_owned()),
        Block::Table(table),
        Block::Text(format!("{} alone in a group.{}", people_are(risk.sample_uniques), of_sets(report))),
    ];
    // With several rows, the smallest group can be that of someone who knows all rows of everyone.
    let fewest = report.k_over_rows.unwrap_or(report.k).min(report.k);
    let is_higher = 1.0 / fewest.max(1) as f64 > risk.prosecutor.highest + 1e-9;
    if report.has_several_rows() && is_higher {
        blocks.push(Block::Warning(vec![format!(
            "These figures are for someone who knows one row of everyone. For someone who knows all rows of an individual, \
             the highest chance is 1 in {}, and {} alone.",
            count(fewest),
            people_are(report.alone_over_rows.unwrap_or(0)).to_lowercase()
        )]));
    }
    match &risk.population {
        None => blocks.push(Block::Note(
            "No population was given, so the figures are those of an attacker who knows who is in the data."
                .to_owned(),
        )),
        Some(population) => {
            let uniques = count(population.uniques.individuals.round() as u64);
            let how = if population.uniques.estimator == "counted" {
                "counted".to_owned()
            } else if risk.sample_uniques == 0 {
                "nothing can be estimated from data in which no one is alone: there may be some".to_owned()
            } else {
                format!(
                    "estimated by the estimator {}; standard error {}",
                    population.uniques.estimator,
                    count(population.uniques.sampling_error.round() as u64)
                )
            };
            let k_map = population.k_map.map_or_else(String::new, |k| {
                format!(" Everyone in the data shares their group with at least {} people of the population (k-map).", count(k))
            });
            blocks.push(Block::Text(format!(
                "The data are a sample of {} of a population of {}. {uniques} of the population are alone in their group \
                 ({how}).{k_map}",
                share(population.sampling_fraction),
                counted(population.individuals, "individual"),
            )));
        }
    }
    blocks
}

/// For whom figures of groups are, if the guarantee is about sets of attributes.
fn of_sets(report: &Report) -> String {
    if report.sets.is_empty() {
        return String::new();
    }
    let all = report.all_attributes.as_ref().map_or_else(String::new, |all| {
        format!(
            " For someone who knows all public attributes, {} alone.",
            people_are(all.alone).to_lowercase()
        )
    });
    format!(" These figures are for someone who knows one of the sets of attributes.{all}")
}

const RECOGNIZED: &str = "If a group has n individuals, someone who looks for one of them picks the right one with a chance of \
    1 in n. The highest chance is that of the smallest group.";

/// A share in percent; one that is not 0 is not called 0.
fn share(share: f64) -> String {
    if share > 0.0 && share < 0.0005 { "under 0.1 %".to_owned() } else { percent(share) }
}

fn people_are(number: u64) -> String {
    match number {
        0 => "No individual is".to_owned(),
        1 => "1 individual is".to_owned(),
        many => format!("{} individuals are", count(many)),
    }
}

/// Released columns that the guarantee does not cover.
fn columns(report: &Report) -> Vec<Block> {
    if report.column_breaches.is_empty() && report.not_judged.is_empty() {
        return Vec::new();
    }
    let heads = ["column", "why", ">different values", ">individuals with a value of their own"];
    let mut table = Table::new("columns", "Released columns that the guarantee does not cover", &heads);
    for breach in &report.column_breaches {
        let why = match breach.role {
            Naming::Subject => "identifies individuals: must not be released",
            _ => "identifier: must not be released",
        };
        table.row([breach.column.clone().into(), Cell::new(why, Mood::Bad), "–".into(), "–".into()]);
    }
    let figure = |figure: Option<u64>| figure.map_or_else(|| "unknown".to_owned(), count);
    for column in &report.not_judged {
        let why = match column.why {
            Unjudged::Ignored => "ignored in the policy: not checked",
            _ => "not in the policy: not checked",
        };
        table.row([
            column.column.clone().into(),
            Cell::new(why, Mood::Care),
            figure(column.values).into(),
            figure(column.singled_out).into(),
        ]);
    }
    vec![heading("Columns that are not judged"), Block::Table(table)]
}

fn warnings(report: &Report) -> Vec<Block> {
    let undeclared = "None. No attribute was found that follows from another one without being declared.";
    let block = if report.warnings.is_empty() {
        Block::Text(undeclared.to_owned())
    } else {
        Block::Warning(report.warnings.iter().map(|warning| sentence(warning)).collect())
    };
    vec![heading("Warnings of the audit"), block]
}

/// A message as a sentence.
pub(super) fn sentence(message: &str) -> String {
    let message = message.replace('`', "\"");
    let mut characters = message.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).chain((!message.ends_with('.')).then_some('.')).collect()
}
