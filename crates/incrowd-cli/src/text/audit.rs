//! The report of an audit.

use super::{Grid, bar, claim, clean, count, counted, percent, risk};
use crate::console::{BAD, CARE, FAINT, GOOD, paint};
use crate::documents::Exposure;
use incrowd::audit::{AttributeMeasures, Naming, PresetReport, Report, SizeClass, Unjudged};
use std::cmp::Reverse;

/// The width of the chart of group sizes.
const CHART: usize = 32;
/// The maximum length of a group's rule.
const RULE: usize = 90;

pub(crate) fn render(report: &Report) -> String {
    let parts = [
        verdict(report),
        figures(report),
        columns(report),
        asked(report),
        presets(report),
        attributes(&report.attributes),
        channels(report),
        first_trees(report),
        risk::render(&report.risk),
        sizes(report),
        attack(report),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What the presets ask, and what the audit answers.
fn presets(report: &Report) -> String {
    let of = |preset: &PresetReport| {
        let state =
            if preset.holds { paint(GOOD, "nothing found that breaks it") } else { paint(BAD, "broken") };
        let mut lines = vec![format!("preset {}: {state}", preset.preset)];
        for own in &preset.answers {
            let mark = match own.holds {
                Some(true) => paint(GOOD, "holds"),
                Some(false) => paint(BAD, "broken"),
                None => paint(FAINT, "-"),
            };
            lines.push(format!("  {mark}  {} {}", own.question, clean(&own.answer)));
        }
        lines.push(format!("  source: {}", preset.source));
        lines.push(format!("  covers: {}", preset.covers));
        lines.push(format!("  does not cover: {}", preset.omits));
        lines.push("  These answers do not make a release lawful.\n".to_owned());
        lines.join("\n")
    };
    report.presets.iter().map(of).collect::<Vec<_>>().join("\n")
}

fn verdict(report: &Report) -> String {
    format!("{}{}\n", spans_verdict(report), not_judged(report))
}

/// The verdict on the spans, and the columns that must not be in the table.
fn spans_verdict(report: &Report) -> String {
    let people = counted(report.individuals, "individual");
    let asked: Vec<String> = report.asked.iter().map(|asked| asked.requirement.clone()).collect();
    let exposure = Exposure::of(report);
    let fails = does_not_hold(report);
    if !report.holds {
        let broken = names_people(report).into_iter().chain(fails).chain(prints_rare(report));
        let broken: Vec<String> = broken.chain(breaks_presets(report)).collect();
        let what = paint(BAD, if broken.is_empty() { "not proven" } else { "fails" });
        let parts: Vec<String> = broken.into_iter().chain(claim::unproven(&report.unproven())).collect();
        return format!("{what} ({}): {}; {}", report.family, parts.join("; "), claim::remains(&exposure));
    }
    if report.asked.is_empty() {
        let (family, remains) = (claim::family(report.family), claim::remains(&exposure));
        return format!("{family} k = {} for {people} (no guarantee to check); {remains}", count(report.k));
    }
    let claim = claim::holds(&asked, report.individuals, &exposure);
    format!("{} {claim}", claim::family(report.family))
}

/// The requirements that spans break, and for how many individuals.
fn does_not_hold(report: &Report) -> Option<String> {
    let broken = report.asked.iter().filter(|asked| asked.is_broken_by_spans());
    let broken: Vec<&str> = broken.map(|asked| asked.requirement.as_str()).collect();
    let verb = if broken.len() == 1 { "does" } else { "do" };
    let people = counted(report.individuals, "individual");
    let some = match report.in_breach {
        Some(some) => format!("{} of {people}", count(some)),
        None => format!("some of {people} ({NOT_STATED})"),
    };
    (!broken.is_empty()).then(|| format!("{} {verb} not hold for {some}", claim::listed(&broken)))
}

/// The presets that do not hold.
fn breaks_presets(report: &Report) -> Vec<String> {
    let broken = report.presets.iter().filter(|preset| !preset.holds);
    broken.map(|preset| format!("the preset {} does not hold", preset.preset)).collect()
}

/// What is said where a released table does not show how many individuals are concerned.
const NOT_STATED: &str = "the release file does not state how many";

/// The columns that must not be released.
fn names_people(report: &Report) -> Option<String> {
    let columns: Vec<String> =
        report.column_breaches.iter().map(|breach| format!("`{}`", clean(&breach.column))).collect();
    let (column, names) = if columns.len() == 1 { ("column", "identifies") } else { ("columns", "identify") };
    (!columns.is_empty())
        .then(|| format!("{column} {} {names} individuals and must not be released", columns.join(", ")))
}

/// The part of a breach that concerns printed private values.
fn prints_rare(report: &Report) -> Option<String> {
    report.prints_too_rare().then(|| {
        let values = counted(report.rare_values, "private value");
        let (is, shares) = if report.rare_values == 1 { ("is", "it") } else { ("are", "each of them") };
        format!("{values} {is} shown although fewer individuals have {shares} than the smallest bin requires")
    })
}

/// Columns that single individuals out and that the verdict does not cover.
fn not_judged(report: &Report) -> String {
    let most = report.not_judged.iter().max_by_key(|column| (column.singled_out, Reverse(&column.column)));
    let most = most.and_then(|column| Some((&column.column, column.singled_out.filter(|&most| most > 0)?)));
    match most {
        Some((column, most)) => format!(
            "; {} not checked (`{}` singles out {})",
            counted(report.not_judged.len() as u64, "column"),
            clean(column),
            counted(most, "individual")
        ),
        None => String::new(),
    }
}

/// The released columns that the guarantee does not cover.
fn columns(report: &Report) -> String {
    if report.column_breaches.is_empty() && report.not_judged.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["column", "", ">values", ">singled out"]);
    for breach in &report.column_breaches {
        let role = match breach.role {
            Naming::Subject => "subject: must not be released",
            _ => "identifier: must not be released",
        };
        grid.line([clean(&breach.column), paint(BAD, role), String::new(), String::new()]);
    }
    for column in &report.not_judged {
        let why = match column.why {
            Unjudged::Ignored => "ignored: not checked",
            _ => "unlisted: not checked",
        };
        let figure = |figure: Option<u64>| figure.map_or_else(|| "unknown".to_owned(), count);
        let figures = [figure(column.values), figure(column.singled_out)];
        let [values, singled_out] = figures;
        grid.line([clean(&column.column), paint(CARE, why), values, singled_out]);
    }
    grid.render()
}

fn figures(report: &Report) -> String {
    let mut grid = Grid::new(&["", ""]);
    if let Some(file) = &report.table_file {
        grid.line(["table", &clean(file)]);
    }
    grid.line(["individuals", &format!("{} in {}", count(report.individuals), counted(report.rows, "row"))]);
    claim::left_out(&mut grid, &report.rows_left_out);
    claim::k(&mut grid, report.k, report.spans, &report.guarantee());
    if let Some(all) = &report.all_attributes {
        let (k, groups) = (count(all.k), counted(all.spans, "group"));
        grid.line([
            "all attributes",
            &format!(
                "k = {k} of {groups} for someone who knows all public attributes; {} alone",
                counted(all.alone, "individual")
            ),
        ]);
    }
    if !report.asked.is_empty() {
        let failing = match (report.in_breach, report.breaches) {
            (Some(people), Some(spans)) => {
                format!("{} in {}", counted(people, "individual"), counted(spans, "group"))
            }
            _ => format!("some; {NOT_STATED}"),
        };
        grid.line(["failing", &failing]);
    }
    if let Some(detail) = report.detail {
        grid.line(["detail", &detail.to_string()]);
    }
    if report.claims_blind {
        grid.line(["structure", "blind, as the release states; an audit cannot check this"]);
    }
    let exposure = Exposure::of(report);
    claim::figures(&mut grid, &exposure);
    grid.render() + &claim::exposed_to(&exposure, report.individuals)
}

fn asked(report: &Report) -> String {
    if report.asked.is_empty() && report.stated.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["requirement", ""]);
    for asked in &report.asked {
        let spans = asked.is_broken_by_spans().then(|| match asked.breaches {
            Some(spans) => counted(spans, "group"),
            None => "some groups".to_owned(),
        });
        let rare = (asked.rare_values > 0).then(|| counted(asked.rare_values, "rare value"));
        let broken: Vec<String> = spans.into_iter().chain(rare).collect();
        let verdict = match broken.as_slice() {
            [] if asked.is_unproven() => paint(BAD, "not proven: nothing found that breaks it"),
            [] => paint(GOOD, "holds"),
            broken => paint(BAD, format!("broken by {}", broken.join(" and "))),
        };
        match claim::idle(&asked.requirement) {
            Some(bare) => grid.line([bare, "nothing to check"]),
            None => grid.line([claim::worded(&asked.requirement), verdict]),
        }
    }
    for stated in &report.stated {
        let verdict = match stated.holds {
            Some(true) => paint(GOOD, "holds"),
            Some(false) => paint(CARE, "does not hold"),
            None => "not checked: add it to the guarantee to check it".to_owned(),
        };
        grid.line([
            clean(&format!("stated by the release: {}", claim::worded(&stated.requirement))),
            verdict,
        ]);
    }
    grid.render()
}

fn attributes(attributes: &[AttributeMeasures]) -> String {
    if !attributes.iter().any(AttributeMeasures::is_measured) {
        return String::new();
    }
    let headings = [
        "private attribute",
        ">distinct l",
        ">entropy l",
        ">recursive c,l",
        ">confidence",
        ">t equal",
        ">t ordered",
        ">beta",
    ];
    let mut grid = Grid::new(&headings);
    for measures in attributes.iter().filter(|measures| measures.is_measured()) {
        let recursive = if measures.recursive.c.is_finite() {
            format!("{:.2}, {}", measures.recursive.c, measures.recursive.l)
        } else {
            format!("none, {}", measures.recursive.l)
        };
        grid.line([
            clean(&measures.name),
            measures.distinct_l.to_string(),
            format!("{:.2}", measures.entropy_l),
            recursive,
            percent(measures.max_confidence),
            format!("{:.3}", measures.t_equal),
            measures.t_ordered.map_or_else(|| "-".to_owned(), |t| format!("{t:.3}")),
            format!("{:.2}", measures.beta),
        ]);
    }
    grid.render()
}

/// Small cells that can be derived from the supports of rules.
fn channels(report: &Report) -> String {
    if report.smallest_channels.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&[">individuals", "derived group has", "and does not have"]);
    for channel in &report.smallest_channels {
        let people = if channel.at_least == channel.at_most {
            count(channel.at_least)
        } else {
            format!("{}-{}", count(channel.at_least), count(channel.at_most))
        };
        let side = |items: &[String]| shortened(&clean(&items.join(", ")));
        let style = if report.holds { CARE } else { BAD };
        grid.line([paint(style, people), side(&channel.with), side(&channel.without)]);
    }
    let left = report.channels.saturating_sub(report.smallest_channels.len() as u64);
    let more = if left == 0 { String::new() } else { format!("  and {} more\n", count(left)) };
    grid.render() + &more
}

/// What the first trees of an ensemble reveal: for 1, 2, 5, 10, 20, 50, … trees, for the first number with k = 1, and
/// for all trees.
fn first_trees(report: &Report) -> String {
    let curve = &report.first_trees;
    let Some(last) = curve.last().filter(|_| curve.len() > 1) else { return String::new() };
    let is_round = |trees: u64| {
        let digits = trees.to_string();
        matches!(digits.as_bytes(), [b'1' | b'2' | b'5', rest @ ..] if rest.iter().all(|&digit| digit == b'0'))
    };
    let alone = curve.iter().find(|first| first.k == 1).map(|first| first.trees);
    let mut grid = Grid::new(&[">first trees", ">k", ">groups", ">alone", ""]);
    for first in curve {
        if is_round(first.trees) || Some(first.trees) == alone || first.trees == last.trees {
            let chart = bar(first.alone as f64 / report.individuals.max(1) as f64, CHART);
            grid.line([count(first.trees), count(first.k), count(first.spans), count(first.alone), chart]);
        }
    }
    grid.render()
}

pub(super) fn sizes(report: &Report) -> String {
    let classes: &[SizeClass] = &report.sizes;
    let most = classes.iter().map(|class| class.individuals).max().unwrap_or(0).max(1);
    let mut grid = Grid::new(&[">group size", ">groups", ">individuals", ""]);
    for class in classes {
        let size = if class.from == class.to {
            count(class.from)
        } else {
            format!("{}-{}", count(class.from), count(class.to))
        };
        let chart = bar(class.individuals as f64 / most as f64, CHART);
        grid.line([size, count(class.spans), count(class.individuals), chart]);
    }
    let counted: u64 = classes.iter().map(|class| class.individuals).sum();
    let several = if counted > report.individuals { SEVERAL_SPANS } else { "" };
    grid.render() + several
}

/// Why the sizes of spans add up to more than all individuals.
const SEVERAL_SPANS: &str = "  an individual with several rows is counted in each of their groups\n";

fn attack(report: &Report) -> String {
    // With several rows, more may be certain of someone by all of their rows.
    let is_some = report.groups.iter().any(|group| !group.exposed_to.is_empty());
    let exposed_to = match report.has_several_rows() {
        true if is_some => "certain for all",
        true => "",
        false => "exposed to",
    };
    let mut grid = Grid::new(&[">individuals", "", "smallest groups in the linking attack", exposed_to]);
    for group in &report.groups {
        let mark = if group.breach { paint(BAD, "fails") } else { paint(FAINT, "ok") };
        let exposed = clean(&group.exposed_to.join(", "));
        let exposed = if exposed.is_empty() { exposed } else { paint(CARE, exposed) };
        grid.line([count(group.individuals), mark, shortened(&clean(&group.rule)), exposed]);
    }
    let left = report.spans.saturating_sub(report.groups.len() as u64);
    let more = if left == 0 { String::new() } else { format!("  and {} more\n", count(left)) };
    grid.render() + &more
}

fn shortened(rule: &str) -> String {
    if rule.chars().count() <= RULE {
        return rule.to_owned();
    }
    rule.chars().take(RULE - 1).chain(['…']).collect()
}
