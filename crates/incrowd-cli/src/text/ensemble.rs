//! An ensemble as text for a terminal.

use super::tree::{lines, short};
use super::{Grid, count, counted};
use crate::console::{STRONG, paint};
use incrowd::model::{Combination, Ensemble, Link};
use incrowd::policy::Role;
use incrowd::show::{CellOutline, EnsembleOutline, TestedAttribute, TreeOutline};

/// The maximum number of class values that are displayed.
const VALUES: usize = 12;

pub(crate) fn render(ensemble: &Ensemble, outline: &EnsembleOutline, individuals: Option<u64>) -> String {
    let people = individuals.map(|people| format!(", {}", counted(people, "individual")));
    format!(
        "{} {}, {}{}; class {}: {}\n{}\n\n{}{}\n{}{}",
        paint(STRONG, "ensemble:"),
        counted(outline.trees, "tree"),
        if outline.leaves == 1 { "1 leaf".to_owned() } else { format!("{} leaves", count(outline.leaves)) },
        people.unwrap_or_default(),
        short(&ensemble.class().name),
        values(&ensemble.class().values),
        scoring(ensemble),
        attributes(&outline.attributes),
        roles(outline),
        outline.cells.as_ref().map(cells).unwrap_or_default(),
        outline
            .first
            .iter()
            .enumerate()
            .map(|(place, tree)| first(ensemble, place, tree))
            .collect::<String>(),
    )
}

/// How much the attributes of each role matter.
fn roles(outline: &EnsembleOutline) -> String {
    let names = ["public", "private", "others"];
    if outline.attributes.iter().all(|own| own.role.is_none()) {
        return String::new();
    }
    let shares = names.iter().zip(outline.by_role()).filter(|(_, share)| *share > 0.0);
    let shares: Vec<String> = shares.map(|(name, share)| format!("{name} {:.1} %", share * 100.0)).collect();
    format!("importance by role: {}\n", shares.join(", "))
}

/// The cells.
fn cells(cells: &CellOutline) -> String {
    format!(
        "{} {}, divided by {}\n{}\n",
        paint(STRONG, "cells:"),
        count(cells.cells),
        values(&cells.divided_by),
        lines(&cells.tree)
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

/// How much each attribute matters, and how often it is tested.
fn attributes(attributes: &[TestedAttribute]) -> String {
    let has_roles = attributes.iter().any(|attribute| attribute.role.is_some());
    let headings: &[&str] = &["attribute", ">importance", ">trees", ">tests", "role"];
    let mut grid = Grid::new(if has_roles { headings } else { &headings[..4] });
    for attribute in attributes {
        let role = has_roles.then(|| {
            if attribute.of_cells {
                "public, by cells".to_owned()
            } else {
                attribute.role.map_or("", word).to_owned()
            }
        });
        let importance = format!("{:.1} %", attribute.importance * 100.0);
        let figures = [short(&attribute.name), importance, count(attribute.trees), count(attribute.tests)];
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

/// One of the first trees.
fn first(ensemble: &Ensemble, place: usize, tree: &TreeOutline) -> String {
    let output = tree.output.filter(|_| ensemble.scoring().link != Link::Logistic);
    let of = output.map(|output| format!(" of {}", short(&ensemble.class().values[output as usize])));
    let heading = format!("tree {} (leaves: scores{}):", place + 1, of.unwrap_or_default());
    format!("{}\n{}", paint(STRONG, heading), lines(&tree.tree))
}
