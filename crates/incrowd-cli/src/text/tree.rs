//! A tree as text for a terminal.

use super::{bar, clean, count, counted, percent};
use crate::console::{FAINT, STRONG, paint};
use anstyle::{AnsiColor, Style};
use incrowd::show::{LineContent, Outline, OutlineLine, SEVERAL_ROWS};

/// The width of the bar of all individuals.
const BAR: usize = 30;
/// The maximum length of a name.
const NAME: usize = 36;
/// The rightmost column in which the bars can start.
const WIDEST: usize = 76;

/// The colours of class values, in their order.
const COLOURS: [AnsiColor; 6] = [
    AnsiColor::Blue,
    AnsiColor::Yellow,
    AnsiColor::Green,
    AnsiColor::Magenta,
    AnsiColor::Cyan,
    AnsiColor::Red,
];

pub(crate) fn render(outline: &Outline) -> String {
    head(outline) + &lines(outline)
}

/// The nodes, one line each.
pub(super) fn lines(outline: &Outline) -> String {
    let stems = stems(outline);
    let words: Vec<(String, String)> = outline.lines.iter().map(words).collect();
    let widths: Vec<usize> = stems
        .iter()
        .zip(&words)
        .map(|(stem, (branch, name))| [stem, branch, name].iter().map(|text| text.chars().count()).sum())
        .collect();
    let indent = widths.iter().max().map_or(0, |&widest| widest.min(WIDEST)) + 2;
    let mut text = String::new();
    for (((line, stem), (branch, name)), width) in outline.lines.iter().zip(&stems).zip(&words).zip(widths) {
        let name = match &line.shown {
            LineContent::Test(_) => paint(STRONG, name),
            _ => paint(of_class(line), name),
        };
        let pad = " ".repeat(indent.saturating_sub(width));
        let chart = outline.share(line).map(|share| paint(of_bar(line), bar(share, BAR)));
        let figures = format!("{} {}", figures(line), chart.unwrap_or_default());
        let line = format!("{}{branch}{name}{pad}{}", paint(FAINT, stem), figures.trim_end());
        text += &format!("{}\n", line.trim_end());
    }
    text
}

fn head(outline: &Outline) -> String {
    let people = outline.individuals.map(|people| format!(", {}", counted(people, "individual")));
    let leaves = if outline.leaves == 1 {
        "1 leaf".to_owned()
    } else {
        format!("{} leaves", count(u64::from(outline.leaves)))
    };
    let several = if outline.several_rows { format!("{SEVERAL_ROWS}\n") } else { String::new() };
    format!(
        "{} {leaves}, depth {}{}; class {}: {}\n{several}",
        paint(STRONG, "tree:"),
        outline.depth,
        people.unwrap_or_default(),
        short(&outline.class),
        legend(&outline.values)
    )
}

/// The class values in their colours.
fn legend(values: &[String]) -> String {
    let values = values.iter().enumerate().take(COLOURS.len() * 2);
    let legend: Vec<String> =
        values.map(|(class, value)| paint(colour(class), format!("■ {}", short(value)))).collect();
    legend.join("  ")
}

/// The prefix of each line: `│  ├─ `.
fn stems(outline: &Outline) -> Vec<String> {
    let mut below: Vec<String> = Vec::with_capacity(outline.lines.len());
    let mut stems = Vec::with_capacity(outline.lines.len());
    for line in &outline.lines {
        let before = line.parent.map(|parent| below[parent].clone());
        let (own, next) = match (&before, line.last) {
            (None, _) => ("", ""),
            (Some(_), true) => ("└─ ", "   "),
            (Some(_), false) => ("├─ ", "│  "),
        };
        let before = before.unwrap_or_default();
        stems.push(format!("{before}{own}"));
        below.push(format!("{before}{next}"));
    }
    stems
}

/// The branch, and the node that it leads to.
fn words(line: &OutlineLine) -> (String, String) {
    let branch = if line.branch.is_empty() { String::new() } else { format!("{}  ", short(&line.branch)) };
    let name = match &line.shown {
        LineContent::Test(name) => format!("{}?", short(name)),
        LineContent::Leaf(name) => format!("→ {}", short(name)),
        LineContent::Folded(name) => {
            format!("→ {} ({} leaves folded)", short(name), count(u64::from(line.outcome.leaves)))
        }
    };
    (branch, name)
}

fn figures(line: &OutlineLine) -> String {
    let population = line.outcome.population().map(count);
    let share = line.outcome.shares().and_then(|shares| shares.get(line.outcome.label as usize).copied());
    let share =
        share.filter(|_| !matches!(line.shown, LineContent::Test(_))).map_or_else(String::new, percent);
    if population.is_none() && share.is_empty() {
        return String::new();
    }
    format!("{:>10} {share:>8}", population.unwrap_or_default())
}

fn of_class(line: &OutlineLine) -> Style {
    colour(line.outcome.label as usize)
}

fn of_bar(line: &OutlineLine) -> Style {
    if matches!(line.shown, LineContent::Test(_)) { FAINT } else { of_class(line) }
}

fn colour(class: usize) -> Style {
    COLOURS.get(class).map_or_else(Style::new, |colour| colour.on_default())
}

pub(super) fn short(name: &str) -> String {
    let name = clean(name);
    if name.chars().count() <= NAME {
        return name;
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}
