//! The report of an audit.

use super::{Grid, bar, clean, count, counted, percent};
use crate::console::{BAD, CARE, FAINT, GOOD, STRONG, paint};
use incrowd::audit::{AttributeMeasures, Report, SizeClass};
use incrowd::model::Detail;

/// How wide the chart of span sizes is.
const CHART: usize = 32;
/// How much of a group's rule is shown.
const RULE: usize = 90;

pub(crate) fn render(report: &Report) -> String {
    let parts = [
        verdict(report),
        figures(report),
        asked(report),
        attributes(&report.attributes),
        channels(report),
        sizes(&report.sizes),
        attack(report),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

fn verdict(report: &Report) -> String {
    let people = counted(report.individuals, "individual");
    if report.asked.is_empty() {
        return format!(
            "{} {}: {people}, k = {}\n",
            paint(STRONG, "measured"),
            report.family,
            count(report.k)
        );
    }
    let asked: Vec<&str> = report.asked.iter().map(|asked| asked.requirement.as_str()).collect();
    if report.holds {
        format!("{} {}: {} holds for all {people}\n", paint(GOOD, "safe"), report.family, asked.join(", "))
    } else {
        format!(
            "{} {}: {} does not hold for {} of {people}\n",
            paint(BAD, "breach"),
            report.family,
            asked.join(", "),
            count(report.in_breach)
        )
    }
}

fn figures(report: &Report) -> String {
    let mut grid = Grid::new(&["", ""]);
    grid.line(["individuals", &format!("{} in {}", count(report.individuals), counted(report.rows, "row"))]);
    grid.line(["k", &format!("{}, the smallest of {}", count(report.k), counted(report.spans, "span"))]);
    if !report.asked.is_empty() {
        let breach = format!("{} in {}", count(report.in_breach), counted(report.breaches, "span"));
        grid.line(["in breach", &breach]);
    }
    if let Some(detail) = report.detail {
        grid.line(["leaves tell", &detail.to_string()]);
    }
    let to: Vec<String> = report
        .exposed_to
        .iter()
        .filter(|exposed| exposed.individuals > 0)
        .map(|exposed| format!("{} of {}", count(exposed.individuals), clean(&exposed.attribute)))
        .collect();
    let to = if to.is_empty() { String::new() } else { format!(": {}", to.join(", ")) };
    // What is told in less detail is audited as if it were told whole.
    let exposed = if report.detail.is_none_or(|detail| detail == Detail::Counts) { "" } else { "at most " };
    grid.line(["exposed", &format!("{exposed}{} to certain inference{to}", count(report.exposed))]);
    grid.line(["confidence", &format!("up to {}", percent(report.max_confidence))]);
    if let Some(smallest) = report.smallest_bin {
        grid.line(["smallest bin", &count(smallest)]);
    }
    grid.render()
}

fn asked(report: &Report) -> String {
    if report.asked.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["asked for", ""]);
    for asked in &report.asked {
        let verdict = match asked.breaches {
            0 => paint(GOOD, "holds"),
            n => paint(BAD, format!("broken by {}", counted(n, "span"))),
        };
        grid.line([asked.requirement.clone(), verdict]);
    }
    grid.render()
}

fn attributes(attributes: &[AttributeMeasures]) -> String {
    if attributes.is_empty() {
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
    for measures in attributes {
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

/// Small cells that follow from the supports of rules.
fn channels(report: &Report) -> String {
    if report.smallest_channels.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&[">individuals", "what anybody can work out: they are with", "and without"]);
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

pub(super) fn sizes(classes: &[SizeClass]) -> String {
    let most = classes.iter().map(|class| class.individuals).max().unwrap_or(0).max(1);
    let mut grid = Grid::new(&[">span size", ">spans", ">individuals", ""]);
    for class in classes {
        let size = if class.from == class.to {
            count(class.from)
        } else {
            format!("{}-{}", count(class.from), count(class.to))
        };
        let chart = bar(class.individuals as f64 / most as f64, CHART);
        grid.line([size, count(class.spans), count(class.individuals), chart]);
    }
    grid.render()
}

fn attack(report: &Report) -> String {
    let mut grid =
        Grid::new(&[">individuals", "", "who: the smallest groups of the linking attack", "exposed to"]);
    for group in &report.groups {
        let mark = if group.breach { paint(BAD, "breach") } else { paint(FAINT, "ok") };
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
