//! Ensembles of `XGBoost`, as its `save_model` writes them (JSON, or UBJSON converted to it).
//!
//! Numbers are of single precision, and a number equal to the threshold goes right. The class is not in the file; its
//! values are numbered. Nodes that pruning has cut off are in the file, too; they are left out.

mod tree;

use super::columns::{Columns, RawColumn};
use super::scored::{of_tree, unnamed_class};
use super::{Elsewhere, HELP};
use crate::bounds::check_columns;
use incrowd_core::model::{Combination, Ensemble, Link, Scoring, TieRule};
use incrowd_core::{Error, Result};
use serde::Deserialize;
use tree::RawTree;

#[derive(Deserialize)]
struct RawModel {
    learner: RawLearner,
}

#[derive(Deserialize)]
struct RawLearner {
    #[serde(default)]
    feature_names: Vec<String>,
    #[serde(default)]
    feature_types: Vec<String>,
    gradient_booster: RawBooster,
    learner_model_param: RawParameters,
    objective: RawObjective,
}

#[derive(Deserialize)]
struct RawBooster {
    name: String,
    model: Option<RawTrees>,
}

#[derive(Deserialize)]
struct RawTrees {
    trees: Vec<RawTree>,
    /// The score that each tree adds to.
    tree_info: Vec<u32>,
    cats: Option<RawCategories>,
}

/// The categories of every column, as of version 3.1.
#[derive(Deserialize)]
struct RawCategories {
    #[serde(default)]
    enc: Vec<RawEncoding>,
}

/// The categories of a column: the characters of texts with the place where each text starts, or numbers.
#[derive(Deserialize)]
struct RawEncoding {
    offsets: Option<Vec<usize>>,
    values: Vec<serde_json::Number>,
}

#[derive(Deserialize)]
struct RawParameters {
    base_score: String,
    num_class: String,
}

#[derive(Deserialize)]
struct RawObjective {
    name: String,
}

/// The name that only such a file has at its top level.
pub(super) const KEYS: [&str; 1] = ["learner"];

/// Reads an ensemble, and what else is known about it.
pub(super) fn read(text: &str) -> Result<(Ensemble, Elsewhere)> {
    let RawModel { learner } =
        serde_json::from_str(text).map_err(|error| crate::release::json_error(&error).help(HELP))?;
    let RawLearner { feature_names, feature_types, gradient_booster, learner_model_param, objective } =
        learner;
    let trees = gradient_booster.model.filter(|_| gradient_booster.name == "gbtree");
    let Some(RawTrees { trees, tree_info, cats }) = trees else {
        return Err(Error::input("an XGBoost model with a booster other than gbtree is not supported")
            .help("train a classifier with booster=\"gbtree\""));
    };
    let (classes, scoring) = scoring(&objective.name, &learner_model_param, trees.len())?;
    if tree_info.len() != trees.len() {
        return Err(fault("`tree_info` does not have one entry per tree"));
    }
    let nodes = trees.iter().map(RawTree::len).sum();
    Ensemble::check_size(trees.len(), nodes, scoring.base.len())?;
    let categories = cats.map(|cats| cats.enc).unwrap_or_default();
    let columns = columns(feature_names, &feature_types, categories)?;
    let (mut cells, mut members, mut pruned) = (0, Vec::with_capacity(trees.len()), false);
    for (number, (tree, output)) in trees.into_iter().zip(tree_info).enumerate() {
        let read = tree.read((scoring.base.len() > 1).then_some(output));
        let member = read.and_then(|(nodes, is_pruned)| {
            pruned |= is_pruned;
            nodes.member(&columns, &mut cells)
        });
        members.push(member.map_err(of_tree(number))?);
    }
    let class = unnamed_class(&columns, classes);
    let ensemble = Ensemble::new(columns.attributes, class, members, scoring)?;
    Ok((ensemble, Elsewhere { unnamed_class: true, single_only: true, pruned, ..Elsewhere::default() }))
}

/// The number of class values, and how scores become predictions.
fn scoring(objective: &str, parameters: &RawParameters, trees: usize) -> Result<(usize, Scoring)> {
    let number = || parameters.num_class.parse::<usize>().map_err(|_| fault("`num_class` is not a number"));
    let (classes, outputs, link) = match objective {
        "binary:logistic" => (2, 1, Link::Logistic),
        "multi:softprob" | "multi:softmax" => (number()?, number()?, Link::Softmax),
        _ => {
            return Err(Error::input(
                "an XGBoost model with an objective other than binary:logistic or multi:softprob is not supported",
            )
            .help("train a classifier"));
        }
    };
    // Every round adds a tree for each score, so a small file cannot state many class values.
    if classes < 2 || outputs > trees {
        return Err(fault("the number of trees does not match the number of class values"));
    }
    let base = base(&parameters.base_score, outputs)?;
    let base = match link {
        Link::Logistic => base.into_iter().map(|share| -(1.0 / share - 1.0).ln()).collect::<Vec<f32>>(),
        _ => base,
    };
    let base = base.into_iter().map(f64::from).collect();
    Ok((classes, Scoring { combination: Combination::Sum, base, link, tie: TieRule::First }))
}

/// The base score: a number for all scores, or a list of them.
fn base(text: &str, outputs: usize) -> Result<Vec<f32>> {
    let wrong = || fault("`base_score` does not have one number per score");
    if text.len() > 32 * (outputs + 1) {
        return Err(wrong());
    }
    let numbers: Vec<f32> = match text.parse() {
        Ok(number) => vec![number],
        Err(_) => serde_json::from_str(text).map_err(|_| wrong())?,
    };
    match numbers.as_slice() {
        &[number] => Ok(vec![number; outputs]),
        all if all.len() == outputs => Ok(numbers),
        _ => Err(wrong()),
    }
}

/// The columns as attributes. Those that are categories need their values.
fn columns(names: Vec<String>, types: &[String], categories: Vec<RawEncoding>) -> Result<Columns> {
    check_columns(names.len())?;
    if names.is_empty() {
        return Err(Error::input("the file does not name the columns of the model")
            .help("train the model on a data frame"));
    }
    let mut categories = categories.into_iter();
    let column = |(place, name): (usize, String)| {
        let values = categories.next().map_or_else(|| Ok(Vec::new()), |own| own.values(&name))?;
        let is_coded = types.get(place).is_some_and(|own| own == "c") || !values.is_empty();
        match is_coded {
            true if values.is_empty() => Err(Error::input("the file does not contain the categories of this column")
                .of_attribute(name)
                .help("train the model with XGBoost 3.1 or later on a data frame, or write it with Python's incrowd.write_model")),
            true => Ok(RawColumn::coded(name, values)),
            false => Ok(RawColumn::numeric(name)),
        }
    };
    Columns::new(names.into_iter().enumerate().map(column).collect::<Result<_>>()?, true)
}

impl RawEncoding {
    fn values(self, name: &str) -> Result<Vec<String>> {
        let Some(offsets) = self.offsets else {
            return Ok(self.values.into_iter().map(|number| number.to_string()).collect());
        };
        // XGBoost 3.1 counts characters, not bytes, so that other texts are cut in the wrong places.
        let ascii = |number: &serde_json::Number| {
            number.as_u64().and_then(|byte| u8::try_from(byte).ok()).filter(u8::is_ascii).map(char::from)
        };
        let characters: Option<Vec<char>> = self.values.iter().map(ascii).collect();
        let characters = characters.ok_or_else(|| {
            Error::input("XGBoost does not reliably store categories with characters other than ASCII")
                .of_attribute(name)
                .help("write the model with Python's incrowd.write_model")
        })?;
        // Each text starts where the one before it ends, so they take no more memory than the file.
        let text = |ends: &[usize]| characters.get(ends[0]..ends[1]).map(|text| text.iter().collect());
        let texts: Option<Vec<String>> = offsets.windows(2).map(text).collect();
        texts.ok_or_else(|| fault("the categories are not texts").of_attribute(name))
    }
}

fn fault(what: impl Into<String>) -> Error {
    Error::input(what.into()).help(HELP)
}
