//! Ensembles in PMML: a `MiningModel` for classification whose segments are trees.
//!
//! - `average` of the shares of the leaves of trees for classification, or their `majorityVote`.
//! - `modelChain`: for each score a model that adds up trees for regression (`sum`), and a `RegressionModel` that turns
//!   the scores into shares (`logit` of two class values, `softmax`, or `none`).
//!
//! Every segment applies to every row (`True`). Everything else is refused.

use super::fields::Fields;
use super::{
    Element, Reader, ask, attributes_only, check_model, child, elements_only, leaves, named, refuse, target,
};
use incrowd_core::model::{Class, Combination, Ensemble, Link, Member, Node, Scoring, TieRule};
use incrowd_core::{Error, Result};
use std::collections::HashMap;
use std::rc::Rc;

/// The elements of a `MiningModel`, besides its segments, that change nothing in what it predicts.
const HARMLESS: [&str; 5] = ["MiningSchema", "Output", "ModelStats", "ModelExplanation", "ModelVerification"];

/// The ensemble, and the fields whose numbers are compared as names.
pub(super) fn read<'a>(root: Element<'a, 'a>, model: Element<'a, 'a>) -> Result<(Ensemble, Vec<String>)> {
    check_mining(model, "classification", &["LocalTransformations"])?;
    let target = target(model)?;
    let (mut fields, values) = Fields::new(root, model, &target)?;
    let plan = Plan::read(model, &values)?;
    Ensemble::check_size(plan.trees.len(), 0, plan.scoring.base.len())?;
    for tree in &plan.trees {
        let node = child(tree.model, "Node").ok_or_else(|| Error::input("a tree has no nodes"))?;
        ask(node, &mut fields)?;
    }
    let (codes, class) = (fields.codes(), Class { name: target, values });
    let (attributes, places) = fields.attributes();
    let shared = Shared {
        labels: Rc::new(class.values.iter().cloned().zip(0..).collect()),
        class: class.clone(),
        fields: Rc::new(fields),
        places: places.into(),
    };
    let (mut members, mut cells, mut nodes) = (Vec::with_capacity(plan.trees.len()), 0, 0);
    for (number, tree) in plan.trees.iter().enumerate() {
        let member = tree.member(&shared, plan.scoring.base.len(), &mut cells);
        let member = member.map_err(|error| error.about(format_args!("tree {number}")))?;
        nodes += member.nodes.len();
        Ensemble::check_size(plan.trees.len(), nodes, plan.scoring.base.len())?;
        members.push(member);
    }
    Ok((Ensemble::new(attributes, class, members, plan.scoring)?, codes))
}

/// What all trees have in common.
struct Shared {
    fields: Rc<Fields>,
    class: Class,
    labels: Rc<HashMap<String, u32>>,
    places: Rc<[usize]>,
}

/// What a tree contributes.
enum Contribution {
    /// The shares of its leaves.
    Shares,
    /// Its label.
    Vote,
    /// Its score, multiplied, to one of the sums.
    Score { output: u32, factor: f64 },
}

/// A tree of the file.
struct Segment<'a> {
    model: Element<'a, 'a>,
    contribution: Contribution,
}

/// The trees and how their scores become predictions.
struct Plan<'a> {
    trees: Vec<Segment<'a>>,
    scoring: Scoring,
}

impl<'a> Plan<'a> {
    fn read(model: Element<'a, 'a>, classes: &[String]) -> Result<Self> {
        let (method, models) = segments(model)?;
        let vote = match method {
            "average" => false,
            "majorityVote" => true,
            "modelChain" => return Self::chain(&models, classes),
            _ => return Err(refuse("this multipleModelMethod")),
        };
        let segment = |&model: &Element<'a, 'a>| {
            check_tree(model, "classification")?;
            let contribution = if vote { Contribution::Vote } else { Contribution::Shares };
            Ok(Segment { model, contribution })
        };
        let trees = models.iter().map(segment).collect::<Result<_>>()?;
        let (base, link) = (vec![0.0; classes.len()], Link::Identity);
        Ok(Self {
            trees,
            scoring: Scoring { combination: Combination::Mean, base, link, tie: TieRule::First },
        })
    }

    /// Sums of trees, and what becomes of them.
    fn chain(models: &[Element<'a, 'a>], classes: &[String]) -> Result<Self> {
        let Some((&last, sums)) = models.split_last() else {
            return Err(Error::input("the model has no segments"));
        };
        let mut sums = sums.iter().map(|&model| Sum::read(model)).collect::<Result<Vec<_>>>()?;
        let (link, tables) = regression(last, classes)?;
        let outputs = tables.len();
        let (mut trees, mut base) = (Vec::new(), Vec::with_capacity(outputs));
        for (output, table) in (0..).zip(tables) {
            let place = sums.iter().position(|sum| sum.name == table.field);
            let sum = place.map(|place| sums.swap_remove(place));
            let sum = sum
                .ok_or_else(|| Error::input("the last model uses a score that is not computed, or twice"))?;
            base.push(table.coefficient * sum.constant + table.intercept);
            let contribution = |model| Segment {
                model,
                contribution: Contribution::Score { output, factor: table.coefficient * sum.factor },
            };
            trees.extend(sum.trees.into_iter().map(contribution));
        }
        if !sums.is_empty() {
            return Err(Error::input("a score is computed that the last model does not use"));
        }
        Ok(Self {
            trees,
            scoring: Scoring { combination: Combination::Sum, base, link, tie: TieRule::First },
        })
    }
}

/// A model that adds up trees.
struct Sum<'a> {
    /// The field that other models know it by.
    name: &'a str,
    trees: Vec<Element<'a, 'a>>,
    factor: f64,
    constant: f64,
}

impl<'a> Sum<'a> {
    fn read(model: Element<'a, 'a>) -> Result<Self> {
        if model.tag_name().name() != "MiningModel" {
            return Err(refuse("a chain of anything but sums of trees and a regression"));
        }
        check_mining(model, "regression", &["Targets"])?;
        inner_schema(model)?;
        let ("sum", trees) = segments(model)? else { return Err(refuse("this multipleModelMethod")) };
        trees.iter().try_for_each(|&tree| check_tree(tree, "regression"))?;
        let mut outputs = child(model, "Output").into_iter().flat_map(|output| named(output, "OutputField"));
        let (Some(output), None) = (outputs.next(), outputs.next()) else {
            return Err(Error::input("a sum of trees needs one output"));
        };
        attributes_only(output, &["name", "displayName", "optype", "dataType", "feature", "isFinalResult"])?;
        if !matches!(output.attribute("feature"), None | Some("predictedValue"))
            || !matches!(output.attribute("dataType"), None | Some("double"))
        {
            return Err(refuse("the output of a sum of trees"));
        }
        let (factor, constant) = rescaled(model)?;
        Ok(Self { name: output.attribute("name").unwrap_or_default(), trees, factor, constant })
    }
}

/// What a sum is multiplied by, and what is added.
fn rescaled(model: Element<'_, '_>) -> Result<(f64, f64)> {
    let mut targets = child(model, "Targets").into_iter().flat_map(|targets| named(targets, "Target"));
    let (target, None) = (targets.next(), targets.next()) else { return Err(refuse("several targets")) };
    let Some(target) = target else { return Ok((1.0, 0.0)) };
    attributes_only(target, &["field", "rescaleConstant", "rescaleFactor"])?;
    elements_only(target, &[])?;
    Ok((number(target, "rescaleFactor", 1.0)?, number(target, "rescaleConstant", 0.0)?))
}

/// A score of the last model: intercept + coefficient · field.
struct Table<'a> {
    field: &'a str,
    coefficient: f64,
    intercept: f64,
}

/// The last model of a chain: its scores in the order of the class values.
fn regression<'a>(model: Element<'a, 'a>, classes: &[String]) -> Result<(Link, Vec<Table<'a>>)> {
    if model.tag_name().name() != "RegressionModel" {
        return Err(refuse("a chain that does not end with a RegressionModel"));
    }
    attributes_only(model, &["modelName", "functionName", "algorithmName", "normalizationMethod"])?;
    elements_only(model, &[&HARMLESS[..], &["RegressionTable"]].concat())?;
    let mut by_class: HashMap<&str, Option<Table<'a>>> = HashMap::new();
    let mut first = None;
    for element in named(model, "RegressionTable") {
        let value = element.attribute("targetCategory").unwrap_or_default();
        first = first.or(Some(value));
        if by_class.insert(value, table(element)?).is_some() {
            return Err(Error::input("a class value has two regressions"));
        }
    }
    if by_class.len() != classes.len() || !classes.iter().all(|value| by_class.contains_key(value.as_str())) {
        return Err(Error::input("the regressions do not match the class values"));
    }
    let mut of = |value: &str| by_class.remove(value).flatten();
    let incomplete = || Error::input("a class value has no score");
    match (model.attribute("normalizationMethod"), classes) {
        (Some("logit"), [a, b]) => {
            let first = first.unwrap_or_default();
            let sign = if first == b { 1.0 } else { -1.0 };
            let listed = of(first).ok_or_else(incomplete)?;
            if of(if first == b { a } else { b }).is_some() {
                return Err(refuse("a logit of two scores"));
            }
            let table = Table {
                coefficient: sign * listed.coefficient,
                intercept: sign * listed.intercept,
                ..listed
            };
            Ok((Link::Logistic, vec![table]))
        }
        (Some(method @ ("softmax" | "none")), _) => {
            let link = if method == "softmax" { Link::Softmax } else { Link::Identity };
            let tables =
                classes.iter().map(|value| of(value).ok_or_else(incomplete)).collect::<Result<_>>()?;
            Ok((link, tables))
        }
        _ => Err(refuse("the normalizationMethod")),
    }
}

/// A regression of one score; none if it is of nothing and always 0.
fn table<'a>(element: Element<'a, 'a>) -> Result<Option<Table<'a>>> {
    attributes_only(element, &["intercept", "targetCategory"])?;
    elements_only(element, &["NumericPredictor"])?;
    let intercept = number(element, "intercept", 0.0)?;
    let mut predictors = named(element, "NumericPredictor");
    match (predictors.next(), predictors.next()) {
        (None, _) if intercept == 0.0 => Ok(None),
        (Some(predictor), None) => {
            attributes_only(predictor, &["name", "coefficient", "exponent"])?;
            if !matches!(predictor.attribute("exponent"), None | Some("1" | "1.0")) {
                return Err(refuse("an exponent"));
            }
            let coefficient = number(predictor, "coefficient", f64::NAN)?;
            let field = predictor.attribute("name").unwrap_or_default();
            Ok(Some(Table { field, coefficient, intercept }))
        }
        _ => Err(refuse("a regression of anything but one score")),
    }
}

fn number(element: Element<'_, '_>, name: &str, default: f64) -> Result<f64> {
    let parsed = element.attribute(name).map_or(Some(default), |text| text.trim().parse().ok());
    parsed
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| Error::input(format!("`{name}` is not a finite number")))
}

/// How segments are combined, and their models.
fn segments<'a>(model: Element<'a, 'a>) -> Result<(&'a str, Vec<Element<'a, 'a>>)> {
    let mut all = named(model, "Segmentation");
    let (Some(segmentation), None) = (all.next(), all.next()) else {
        return Err(Error::input("the model does not have exactly one Segmentation"));
    };
    attributes_only(segmentation, &["multipleModelMethod", "missingPredictionTreatment"])?;
    elements_only(segmentation, &["Segment"])?;
    let kinds = ["TreeModel", "MiningModel", "RegressionModel"];
    let segment = |segment: Element<'a, 'a>| {
        attributes_only(segment, &["id"])?;
        elements_only(segment, &[&["True"][..], &kinds].concat())?;
        let mut models = segment.children().filter(|child| kinds.contains(&child.tag_name().name()));
        match (child(segment, "True"), models.next(), models.next()) {
            (Some(_), Some(model), None) => Ok(model),
            _ => Err(refuse("a segment that does not apply to every row")),
        }
    };
    let models = named(segmentation, "Segment").map(segment).collect::<Result<Vec<_>>>()?;
    if models.is_empty() {
        return Err(Error::input("the model has no segments"));
    }
    Ok((segmentation.attribute("multipleModelMethod").unwrap_or_default(), models))
}

fn check_mining(model: Element<'_, '_>, function: &str, more: &[&str]) -> Result<()> {
    attributes_only(model, &["modelName", "functionName", "algorithmName", "isScorable"])?;
    elements_only(model, &[&HARMLESS[..], &["Segmentation"], more].concat())?;
    if model.attribute("functionName") != Some(function) {
        return Err(Error::input(format!("the model is not for {function}")));
    }
    if model.attribute("isScorable") == Some("false") {
        return Err(refuse("a model that is not for predicting (isScorable)"));
    }
    Ok(())
}

fn check_tree(model: Element<'_, '_>, function: &str) -> Result<()> {
    if model.tag_name().name() != "TreeModel" {
        return Err(refuse("a segment that is not a tree"));
    }
    check_model(model, function)?;
    if child(model, "LocalTransformations").is_some() {
        return Err(refuse("a transformation within a segment"));
    }
    inner_schema(model)
}

/// Fields of inner models are those of the outer one, unchanged.
fn inner_schema(model: Element<'_, '_>) -> Result<()> {
    for field in child(model, "MiningSchema").into_iter().flat_map(|schema| named(schema, "MiningField")) {
        attributes_only(field, &["name", "usageType", "importance", "invalidValueTreatment"])?;
        let treatment = field.attribute("invalidValueTreatment");
        if !matches!(treatment, None | Some("asIs")) {
            return Err(refuse("the invalidValueTreatment of a field within a segment"));
        }
    }
    Ok(())
}

impl Segment<'_> {
    fn member(&self, shared: &Shared, outputs: usize, cells: &mut usize) -> Result<Member> {
        let reader =
            Reader::of(self.model, shared.fields.clone(), shared.class.clone(), shared.labels.clone())?;
        let (nodes, ends) = reader.nodes(shared.places.clone(), cells)?;
        let mut scores = vec![Vec::new(); nodes.len()];
        for (place, (element, _)) in ends {
            debug_assert!(matches!(nodes[place], Node::Leaf(_)), "an end is a leaf");
            scores[place] = match self.contribution {
                Contribution::Shares => leaves::shares(element, &shared.labels, outputs)?,
                Contribution::Vote => leaves::vote(element, &shared.labels, outputs)?,
                Contribution::Score { factor, .. } => {
                    vec![factor * number(element, "score", f64::NAN)?]
                }
            };
        }
        let output = match self.contribution {
            Contribution::Score { output, .. } => Some(output),
            _ => None,
        };
        Ok(Member { nodes, output, scores })
    }
}
