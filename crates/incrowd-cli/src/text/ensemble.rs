//! An ensemble as text for a terminal.

use super::tree::{lines, short};
use super::{Grid, count, counted};
use crate::console::{STRONG, paint};
use incrowd::model::{Combination, Ensemble, Link};
use incrowd::policy::Role;
use incrowd::show::{EnsembleOutline, TestedAttribute};

/// The maximum number of class values that are displayed.
const VALUES: usize = 12;

pub(crate) fn render(ensemble: &Ensemble, outline: &EnsembleOutline, individuals: Option<u64>) -> String {
    let people = individuals.map(|people| format!(", {}", counted(people, "individual")));
    format!(
        "{} {}, {}{}; class {}: {}\n{}\n\n{}\n{}\n{}",
        paint(STRONG, "ensemble:"),
        counted(outline.trees, "tree"),
        if outline.leaves == 1 { "1 leaf".to_owned() } else { format!("{} leaves", count(outline.leaves)) },
        people.unwrap_or_default(),
        short(&ensemble.class().name),
        values(&ensemble.class().values),
        scoring(ensemble),
        attributes(&outline.attributes),
        paint(STRONG, first(ensemble)),
        lines(&outline.first)
    )
}

fn values(values: &[String]) -> String {
    let more = if values.len() > VALUES { ", …" } else { "" };
    let shown: Vec<String> = values.iter().take(VALUES).map(|value| short(value)).collect();
    shown.join(", ") + more
}

/// How scores become predictions.
fn scoring(ensemble: &Ensemble) -> String {
    let values = &ensemble.class().values;
    let combined = match ensemble.scoring().combination {
        Combination::Sum => "the sum",
        Combination::Mean => "the mean",
    };
    match ensemble.scoring().link {
        Link::Identity => format!("{combined} of the scores is the share of each class value"),
        Link::Logistic => format!("{combined} of the scores is the log-odds of {}", short(&values[1])),
        Link::Softmax => {
            format!(
                "{combined} of the scores is the logarithm of the share of each class value, up to a constant"
            )
        }
    }
}

/// How often each attribute is tested.
fn attributes(attributes: &[TestedAttribute]) -> String {
    let has_roles = attributes.iter().any(|attribute| attribute.role.is_some());
    let headings: &[&str] = &["attribute", ">trees", ">tests", "role"];
    let mut grid = Grid::new(if has_roles { headings } else { &headings[..3] });
    for attribute in attributes {
        let role = has_roles.then(|| attribute.role.map_or("", word).to_owned());
        let figures = [short(&attribute.name), count(attribute.trees), count(attribute.tests)];
        grid.line(figures.into_iter().chain(role));
    }
    grid.render()
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Public => "public",
        Role::Private => "private",
        Role::Identifier => "identifier",
        Role::Ignored => "ignored",
    }
}

/// The heading of the first tree.
fn first(ensemble: &Ensemble) -> String {
    match ensemble.trees()[0].output().filter(|_| ensemble.scoring().link != Link::Logistic) {
        Some(output) => {
            format!("first tree (leaves: scores of {}):", short(&ensemble.class().values[output as usize]))
        }
        None => "first tree (leaves: scores):".to_owned(),
    }
}
