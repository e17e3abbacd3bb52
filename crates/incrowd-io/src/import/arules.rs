//! Rules of R's arules, written by `write(rules, "rules.csv", sep = ",")`: a column `rules` with `{a,b} => {c}`, and
//! the measures; or by `write.csv(DATAFRAME(rules))`, with the sides in separate columns.

use super::HELP;
use super::csv::records;
use super::rules::{StatedRule, rules};
use incrowd_core::model::Rules;
use incrowd_core::{Error, Result};
use std::collections::BTreeSet;

/// The maximum number of names with commas that are tried.
const MOST_NAMES: usize = 1 << 20;

/// Measures from which, with support and confidence, nothing more follows.
const HARMLESS: [&str; 7] = ["rules", "LHS", "RHS", "support", "confidence", "coverage", "count"];

/// Whether text looks like such a file: its first cell is `rules`, or `LHS`.
pub(super) fn is_one(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let first = first.trim_start_matches(['"', ',']);
    ["rules", "LHS"]
        .iter()
        .filter_map(|name| first.strip_prefix(name))
        .any(|rest| rest.trim_start_matches('"').starts_with(',') || rest.trim_matches('"').is_empty())
}

/// The rules, and, without counts, the names that items with commas would have.
pub(super) fn read(text: &str) -> Result<(Rules, Vec<String>)> {
    let mut lines = records(text)?.into_iter();
    let (_, mut header) = lines.next().unwrap_or_default();
    // With row names, R writes one name less than there are cells, or an empty one.
    let numbered = header.first().is_some_and(String::is_empty);
    if numbered {
        header.remove(0);
    }
    let place = |name: &str| header.iter().position(|other| other == name);
    let (of_rule, of_sides, count) = (place("rules"), place("LHS").zip(place("RHS")), place("count"));
    if of_rule.is_none() && of_sides.is_none() {
        return Err(Error::input("the file has neither a column `rules` nor the columns `LHS` and `RHS`")
            .at_line(1)
            .help(HELP));
    }
    let rule = |cells: &[String]| match (of_rule, of_sides) {
        (Some(rule), _) => sides(&cells[rule]),
        (None, Some((left, right))) => sides(&format!("{} => {}", cells[left], cells[right])),
        (None, None) => None,
    };
    let tells_consequent = header.iter().any(|name| !HARMLESS.contains(&name.as_str()));
    let (mut told, mut with_commas) = (Vec::new(), BTreeSet::new());
    for (line, mut cells) in lines {
        if cells.len() == header.len() + 1 {
            cells.remove(0);
        }
        if cells.len() != header.len() {
            return Err(Error::input("this line and the first have different numbers of cells")
                .at_line(line)
                .help(HELP));
        }
        let (left, right) = rule(&cells).ok_or_else(|| {
            Error::input("this is not a rule of the form {a,b} => {c}").at_line(line).help(HELP)
        })?;
        let count = match count {
            Some(count) => Some(
                cells[count]
                    .trim()
                    .parse()
                    .map_err(|_| Error::input("the count is not a whole number").at_line(line).help(HELP))?,
            ),
            None => None,
        };
        if count.is_none() {
            [&left, &right].into_iter().try_for_each(|side| add_joined(side, &mut with_commas))?;
        }
        told.push(StatedRule { antecedent: left, consequent: right, count, tells_consequent });
    }
    Ok((rules(&told)?, with_commas.into_iter().collect()))
}

/// Adds the names that neighbours have together, if the comma between them belongs to a name.
fn add_joined(side: &[String], names: &mut BTreeSet<String>) -> Result<()> {
    for start in 0..side.len() {
        let mut name = side[start].clone();
        for next in &side[start + 1..] {
            name = format!("{name},{next}");
            names.extend([name.clone(), name.replace(',', ", ")]);
        }
    }
    if names.len() > MOST_NAMES {
        return Err(
            Error::limit("the rules have too many items without counts").help("write them with `count`")
        );
    }
    Ok(())
}

fn sides(rule: &str) -> Option<(Vec<String>, Vec<String>)> {
    let (left, right) = rule.split_once("} => {")?;
    let items = |side: &str| -> Vec<String> {
        side.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
    };
    Some((items(left.trim().strip_prefix('{')?), items(right.trim().strip_suffix('}')?)))
}
