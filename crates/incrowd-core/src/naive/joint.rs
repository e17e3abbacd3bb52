//! Several models together: the vector of their bins, by trying every combination of private values.

use super::enumerate::{self, Argument, Mention};
use super::known::knows;
use super::linked::{Bin, individuals};
use super::tree::{argument, route, thresholds};
use super::value::Value;
use super::{cells, rules, tree};
use crate::error::{Error, Result};
use crate::model::{Axis, Clusters, Domain, Model, ModelAttribute};
use crate::policy::Policy;
use crate::table::{Column, Table};

/// For each row the individuals that share its joint span under all models.
///
/// Numbers that clusters measure must be public, or whole numbers of a declared range, all of which are tried.
///
/// # Errors
/// When the table, the policy and a model do not fit, or the private domain cannot be tried.
pub fn joint_population_of_rows(table: &Table, policy: &Policy, models: &[&Model]) -> Result<Vec<u64>> {
    policy.check_whole(table)?;
    let (mut table, mut policy) = (table.clone(), policy.clone());
    for model in models {
        (table, policy) = cells::with_cells(&table, &policy, model)?;
    }
    let (table, policy) = (&table, &policy);
    let mut arguments: Vec<Argument<'_>> = Vec::new();
    let mut places = Vec::new();
    for model in models {
        let mut own = Vec::new();
        for attribute in attributes(model) {
            let name = attribute.name.as_str();
            let known = arguments.iter().position(|argument| argument.column.name() == name);
            if known.is_none() {
                arguments.push(joint_argument(table, policy, name, models)?);
            }
            own.push(known.unwrap_or(arguments.len() - 1));
        }
        places.push(own);
    }
    let (arguments, relations) = enumerate::with_relations(table, policy, arguments)?;
    let columns: Vec<&Column> = arguments.iter().map(|argument| argument.column).collect();
    let function = |values: &[&Value]| -> Option<Bin> {
        let mut bins = Vec::new();
        for (model, places) in models.iter().zip(&places) {
            let own: Vec<&Value> = places.iter().map(|&place| values[place]).collect();
            let columns: Vec<&Column> = places.iter().map(|&place| columns[place]).collect();
            bins.extend(bin(model, policy, &columns, &own)?);
        }
        Some(bins)
    };
    let spans = enumerate::link(table, &arguments, &relations, &function)?.spans;
    Ok(spans.iter().map(|own| individuals(table, |row| spans[row] == *own)).collect())
}

/// The attributes of a model, its class last.
fn attributes(model: &Model) -> Vec<ModelAttribute> {
    match model {
        Model::Tree(_) | Model::Ensemble(_) => {
            let tree = model.trees()[0];
            let class = ModelAttribute::categorical(&tree.class().name, tree.class().values.clone());
            tree.attributes().iter().cloned().chain([class]).collect()
        }
        Model::Rules(rules) => rules.attributes().to_vec(),
        Model::Clusters(clusters) => {
            let of_axis = |axis: &Axis| ModelAttribute {
                name: axis.name.clone(),
                domain: axis.domain.clone(),
                missing: false,
                dates: axis.dates,
            };
            clusters.axes().iter().map(of_axis).collect()
        }
    }
}

/// An attribute with every value that some model makes worth trying.
fn joint_argument<'a>(
    table: &'a Table,
    policy: &Policy,
    name: &str,
    models: &[&Model],
) -> Result<Argument<'a>> {
    let column = table.require(name)?;
    let (known, mut values) = (knows(policy, name)?, Vec::new());
    // A cut of one model may lie between the values that are tried for another.
    let cuts: Vec<f64> = models.iter().flat_map(|model| cuts(model, name)).collect();
    for model in models {
        let Some(attribute) = attributes(model).into_iter().find(|attribute| attribute.name == name) else {
            continue;
        };
        values.extend(argument(table, policy, &attribute, &cuts)?.values().to_vec());
        if let (Model::Clusters(_), Domain::Numbers { .. }, false) = (model, &attribute.domain, known) {
            values.extend(whole_numbers(policy, name)?);
        }
    }
    let mut argument = Argument::new(column, known, values);
    argument.mention = Mention::InRelease;
    Ok(argument)
}

fn cuts(model: &Model, name: &str) -> Vec<f64> {
    let trees = model.trees();
    let of_tree = |tree: &&crate::model::Tree| {
        let place = tree.attributes().iter().position(|attribute| attribute.name == name);
        place.map_or_else(Vec::new, |place| thresholds(tree, place))
    };
    trees.iter().flat_map(of_tree).collect()
}

/// All whole numbers of a declared range.
fn whole_numbers(policy: &Policy, name: &str) -> Result<Vec<Value>> {
    let range = policy.attribute(name).filter(|attribute| attribute.whole).and_then(|own| own.range);
    let (low, high) = range.filter(|(low, high)| high - low < 50.0).ok_or_else(|| {
        Error::input("only few whole numbers of a declared range can be tried").of_attribute(name)
    })?;
    Ok((low.ceil() as i64..=high.floor() as i64).map(|number| Value::Number(number as f64)).collect())
}

fn bin(model: &Model, policy: &Policy, columns: &[&Column], values: &[&Value]) -> Option<Bin> {
    match model {
        Model::Tree(_) | Model::Ensemble(_) => {
            let trees = model.trees();
            let declared = policy.attribute(&trees[0].class().name).map_or(&[][..], |class| &class.values);
            route(&trees, declared, columns, values)
        }
        Model::Rules(rules) => {
            let knows = |place: usize| tree::is_known(policy, &rules.attributes()[place].name);
            Some(rules::told_outcomes(rules, columns, values, &knows))
        }
        Model::Clusters(clusters) => Some(vec![nearest(clusters, values)?]),
    }
}

/// The nearest centroid, the first on a tie. Exact for small numbers and scales that are powers of two.
fn nearest(clusters: &Clusters, values: &[&Value]) -> Option<u32> {
    let mut best: Option<(f64, u32)> = None;
    for (number, centroid) in (0..).zip(clusters.centroids()) {
        let (mut distance, mut at) = (0.0, 0);
        for (axis, value) in clusters.axes().iter().zip(values) {
            let point: Vec<f64> = match (&axis.domain, value) {
                (Domain::Numbers { .. }, Value::Number(number)) => vec![*number],
                (Domain::Values(names), Value::Text(text)) => {
                    names.iter().map(|name| f64::from(u8::from(name == text))).collect()
                }
                _ => return None,
            };
            for coordinate in point {
                let difference = (coordinate - centroid.center[at]) / axis.scale;
                distance += difference * difference;
                at += 1;
            }
        }
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, number));
        }
    }
    best.map(|(_, number)| number)
}
