//! Association rules: the summary of mined rules, and the table of released rules.

use super::{Grid, claim, clean, count, counted, percent};
use crate::console::{BAD, CARE, FAINT, GOOD, paint};
use crate::documents::{MinedRuleDocument, RulesDocument};
use incrowd::show::RuleLine;
use std::path::Path;

/// The maximum number of released rules, and of rules left out, in a summary.
const SHOWN: usize = 10;

pub(crate) fn render(mined: &RulesDocument, out: &Path) -> String {
    let parts = [verdict(mined, out), figures(mined), released(mined), left_out(mined)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

fn verdict(mined: &RulesDocument, out: &Path) -> String {
    let asked = claim::listed(&mined.guarantee);
    if mined.released.is_empty() {
        return format!(
            "{} rule: each of {} breaks {asked}; nothing is written\n",
            paint(BAD, "no safe"),
            counted(mined.summary.candidates, "rule")
        );
    }
    format!(
        "{} {}\nthe rules passed their audit; {} written to {}\n",
        claim::family("rules"),
        claim::holds(&mined.guarantee, mined.summary.individuals, &mined.exposure),
        counted(mined.summary.rules, "rule"),
        out.display()
    )
}

fn figures(mined: &RulesDocument) -> String {
    let summary = &mined.summary;
    let mut grid = Grid::new(&["", ""]);
    let people = format!("{} in {}", count(summary.individuals), counted(summary.rows, "row"));
    grid.line(["individuals", &people]);
    claim::left_out(&mut grid, &mined.rows_left_out);
    grid.line(["rules", &format!("{} of {}", count(summary.rules), count(summary.candidates))]);
    grid.line(["rules left out", &count(summary.left_out)]);
    claim::k(&mut grid, summary.k, summary.spans, &mined.guarantee);
    claim::ledger(&mut grid, mined.raised_k, mined.together.as_ref());
    claim::figures(&mut grid, &mined.exposure);
    grid.render() + &claim::exposed_to(&mined.exposure, summary.individuals)
}

fn released(mined: &RulesDocument) -> String {
    if mined.released.is_empty() {
        return String::new();
    }
    let heading = format!("released, by {}", mined.first);
    let mut grid = Grid::new(&[&heading, "", "", ">count", ">confidence", ">lift", ">leverage"]);
    for rule in mined.released.iter().take(SHOWN) {
        let [left, arrow, right] = sides(&rule.antecedent, &rule.consequent);
        let figures =
            [percent(rule.confidence), format!("{:.2}", rule.lift), format!("{:.4}", rule.leverage)];
        grid.line([left, arrow, right, count(rule.count)].into_iter().chain(figures));
    }
    grid.render() + &more(mined.released.len()) + &notes(mined)
}

/// What the figures of the rules count.
fn notes(mined: &RulesDocument) -> String {
    let has_several_rows = mined.exposure.has_several_rows();
    let several_rows = has_several_rows.then_some(SEVERAL_ROWS_OF_RULES);
    footnotes([Some(LIFT), two_confidences(&mined.guarantee), several_rows])
}

fn footnotes<const N: usize>(notes: [Option<&str>; N]) -> String {
    notes.into_iter().flatten().map(|note| format!("  {}\n", paint(FAINT, note))).collect()
}

/// The note on the two kinds of confidence, if a guarantee limits one of them.
fn two_confidences(guarantee: &[String]) -> Option<&'static str> {
    let has_cap = guarantee.iter().any(|asked| asked.starts_with("confidence <= "));
    has_cap.then_some(TWO_CONFIDENCES)
}

/// The confidence of a rule is not the one that a guarantee limits.
const TWO_CONFIDENCES: &str = "confidence of a rule: the share of the individuals with its left side who also have its \
    right side; the guarantee limits the confidence in a private value of an individual";

/// What rules count if individuals have several rows.
const SEVERAL_ROWS_OF_RULES: &str = "individuals have several rows: an individual counts once for a rule, or for a side of \
    it, if one of their rows has all of its items; the figures count individuals, not rows";

fn left_out(mined: &RulesDocument) -> String {
    if mined.not_released.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(&["rules left out (not in the release)", "", "", "why"]);
    for rule in mined.not_released.iter().take(SHOWN) {
        let [left, arrow, right] = sides(&rule.antecedent, &rule.consequent);
        grid.line([left, arrow, right, why(rule)]);
    }
    grid.render() + &more(mined.not_released.len())
}

fn why(rule: &MinedRuleDocument) -> String {
    rule.why.as_ref().map_or_else(String::new, |why| paint(CARE, clean(why)))
}

fn more(all: usize) -> String {
    match all.saturating_sub(SHOWN) {
        0 => String::new(),
        left => format!("  {}\n", paint(FAINT, format!("and {} more; --json lists all", count(left as u64)))),
    }
}

fn sides(antecedent: &[String], consequent: &[String]) -> [String; 3] {
    let side =
        |items: &[String]| if items.is_empty() { "(any)".to_owned() } else { clean(&items.join(", ")) };
    [side(antecedent), paint(FAINT, "=>"), side(consequent)]
}

/// What the lift of a rule is.
const LIFT: &str = "lift: the confidence divided by the share of all individuals who have the right side; above 1, the \
    left side makes the right side more likely";

/// Why some rules have no lift.
const NO_LIFT: &str =
    "-: unknown, because the release does not state how many individuals have the right side";

/// Rules as a table, with the figures that their release contains and the guarantee that it claims.
pub(crate) fn table(lines: &[RuleLine], guarantee: &[String], several_rows: bool) -> String {
    let has_lift = |line: &RuleLine| line.lift.is_some();
    // A column without figures says nothing.
    let shows_lift = lines.iter().any(has_lift);
    let mut headings = vec!["if", "", "then", ">count", ">support", ">confidence"];
    headings.extend(shows_lift.then_some(">lift"));
    let mut grid = Grid::new(&headings);
    let told = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), percent);
    for line in lines {
        let [left, arrow, right] = sides(&line.antecedent, &line.consequent);
        let confidence = match line.confidence {
            Some(share) if share >= 0.8 => paint(GOOD, percent(share)),
            share => told(share),
        };
        let number = line.count.map_or_else(|| "-".to_owned(), count);
        let lift = line.lift.map_or_else(|| "-".to_owned(), |lift| format!("{lift:.2}"));
        let figures = [left, arrow, right, number, told(line.support), confidence];
        grid.line(figures.into_iter().chain(shows_lift.then_some(lift)));
    }
    let notes = footnotes([
        shows_lift.then_some(LIFT),
        (shows_lift && !lines.iter().all(has_lift)).then_some(NO_LIFT),
        two_confidences(guarantee),
        several_rows.then_some(SEVERAL_ROWS_OF_RULES),
    ]);
    format!("{}\n\n{}{notes}", counted(lines.len() as u64, "rule"), grid.render())
}
