//! Trees as PMML 4.4.
//!
//! The branch for other values comes last and takes everything (`True`); a comparison with a missing value is false
//! (`missingValueStrategy` is `none`), and a row that no branch takes gets the node's own score
//! (`returnLastPrediction`). Values that are not listed are passed unchanged (`asIs`) and so reach that branch.
//!
//! A leaf with rounded shares has a `ScoreDistribution` with the shares as its `recordCount`s, which PMML cannot omit,
//! and no `recordCount` of its own: readers that divide by the sum get the shares. A leaf with only a label has no
//! distribution.

mod scored;

pub(super) use scored::write as write_ensemble;

use super::{Piece, label, values_of_branches, write_nested};
use crate::release::attribute_values;
use crate::tested;
use incrowd_core::model::{Class, Domain, ModelAttribute, Node, Split, Test, Tree};
use incrowd_core::predict::{Outcome, outcomes};
use incrowd_core::table::Date;
use incrowd_core::xml::{can_say, escape};
use incrowd_core::{Error, Result};

pub(super) fn write(tree: &Tree) -> Result<String> {
    let attributes: Vec<&ModelAttribute> =
        tree.attributes().iter().zip(tested(tree)).filter(|(_, tested)| *tested).map(|(a, _)| a).collect();
    check(&attributes, tree.class())?;
    let outcomes = outcomes(tree);
    let nodes = nodes(tree, tree.attributes(), 0, |node, predicate, indent| {
        open(tree, node, &outcomes[node as usize], predicate, indent)
    })?;
    let split = if is_binary(tree) { "binarySplit" } else { "multiSplit" };
    let model = format!(
        " <TreeModel functionName=\"classification\" missingValueStrategy=\"none\" \
         noTrueChildStrategy=\"returnLastPrediction\" splitCharacteristic=\"{split}\">\n"
    );
    let schema = schema(Some(&tree.class().name), attributes.iter().map(|attribute| attribute.name.as_str()));
    Ok(format!("{}{model}{schema}{nodes} </TreeModel>\n</PMML>\n", head(&attributes, tree.class())))
}

/// The nodes of a tree over these attributes, within `outer` elements; `open` writes a node up to its branches.
fn nodes(
    tree: &Tree,
    attributes: &[ModelAttribute],
    outer: usize,
    open: impl Fn(u32, &str, &str) -> String,
) -> Result<String> {
    let mut predicates = vec!["<True/>".to_owned(); tree.nodes().len()];
    write_nested(0, |node, depth| {
        let predicate = std::mem::take(&mut predicates[node as usize]);
        let indent = " ".repeat((outer + depth).min(60) + 2);
        let mut pieces = vec![Piece::Text(open(node, &predicate, &indent))];
        if let Node::Test(test) = &tree.nodes()[node as usize] {
            for (branch, predicate) in branches(attributes, test) {
                let child = test.children[branch];
                predicates[child as usize] = predicate;
                pieces.push(Piece::Node { node: child, depth: depth + 1 });
            }
        }
        pieces.push(Piece::Text(format!("{indent}</Node>\n")));
        Ok(pieces)
    })
}

fn check(attributes: &[&ModelAttribute], class: &Class) -> Result<()> {
    let names = attributes.iter().map(|attribute| &attribute.name).chain([&class.name]);
    let values = attributes.iter().flat_map(|attribute| attribute_values(attribute));
    let mut all = names.chain(values).chain(&class.values);
    if all.all(|text| can_say(text)) {
        return Ok(());
    }
    Err(Error::input("a name or value contains a control character, which XML cannot represent")
        .help("rename it, or export to another format"))
}

/// The document up to its model.
fn head(attributes: &[&ModelAttribute], class: &Class) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">\n \
         <Header><Application name=\"incrowd\" version=\"{}\"/></Header>\n <DataDictionary numberOfFields=\"{}\">\n",
        env!("CARGO_PKG_VERSION"),
        attributes.len() + 1
    );
    attributes
        .iter()
        .for_each(|attribute| text += &field(&attribute.name, &attribute.domain, attribute.dates));
    text += &field(&class.name, &Domain::Values(class.values.clone()), false);
    text + " </DataDictionary>\n"
}

/// The fields that a model uses, and predicts.
fn schema<'a>(target: Option<&str>, active: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::from("  <MiningSchema>\n");
    if let Some(class) = target {
        text += &format!("   <MiningField name=\"{}\" usageType=\"target\"/>\n", escape(class));
    }
    for name in active {
        text += &format!(
            "   <MiningField name=\"{}\" usageType=\"active\" invalidValueTreatment=\"asIs\"/>\n",
            escape(name)
        );
    }
    text + "  </MiningSchema>\n"
}

fn is_binary(tree: &Tree) -> bool {
    tree.nodes().iter().all(|node| !matches!(node, Node::Test(test) if test.children.len() != 2))
}

fn field(name: &str, domain: &Domain, dates: bool) -> String {
    let name = escape(name);
    match domain {
        Domain::Numbers { .. } => {
            let kind = if dates { "date" } else { "double" };
            format!("  <DataField name=\"{name}\" optype=\"continuous\" dataType=\"{kind}\"/>\n")
        }
        Domain::Values(values) => {
            let value = |value: &String| format!("<Value value=\"{}\"/>", escape(value));
            let values: String = values.iter().map(value).collect();
            format!(
                "  <DataField name=\"{name}\" optype=\"categorical\" dataType=\"string\">{values}</DataField>\n"
            )
        }
    }
}

/// A node up to its branches.
fn open(tree: &Tree, node: u32, outcome: &Outcome, predicate: &str, indent: &str) -> String {
    let count = outcome.population().map(|count| format!(" recordCount=\"{count}\"")).unwrap_or_default();
    let score = escape(label(tree, outcome.label));
    let mut text = format!("{indent}<Node id=\"{node}\" score=\"{score}\"{count}>{predicate}\n");
    let shares = outcome.shares();
    for (class, count) in distribution(outcome).iter().enumerate() {
        let share = shares.as_ref().map(|shares| format!(" confidence=\"{}\"", shares[class]));
        text += &format!(
            "{indent} <ScoreDistribution value=\"{}\" recordCount=\"{count}\"{}/>\n",
            escape(label(tree, class as u32)),
            share.unwrap_or_default()
        );
    }
    text
}

/// The number used for each class value: its population or, where this is not released, its share.
fn distribution(outcome: &Outcome) -> Vec<String> {
    match outcome.counts() {
        Some(counts) => counts.iter().map(ToString::to_string).collect(),
        None => outcome.shares().iter().flatten().map(ToString::to_string).collect(),
    }
}

/// The branches with their predicates, the one for other values last.
fn branches(attributes: &[ModelAttribute], test: &Test) -> Vec<(usize, String)> {
    let attribute = &attributes[test.attribute];
    let name = escape(&attribute.name);
    let predicates: Vec<String> = match &test.split {
        Split::Thresholds(thresholds) => {
            let text = |number: f64| {
                if attribute.dates { Date::text_of_days(number) } else { number.to_string() }
            };
            let texts: Vec<String> = thresholds.iter().copied().map(text).collect();
            (0..=thresholds.len()).map(|branch| interval(&name, &texts, branch)).collect()
        }
        Split::Values(_) => {
            let names = values_of_branches(test, attribute_values(attribute));
            names.iter().map(|names| one_of(&name, names)).collect()
        }
    };
    // No number is without a branch, so the last one can take what is missing.
    let missing = test.missing_branch().map(|branch| branch as usize);
    let rest = match &test.split {
        Split::Thresholds(_) => missing,
        Split::Values(_) => test.otherwise.map(|branch| branch as usize),
    };
    let or_missing = |(branch, predicate): (usize, String)| match missing {
        Some(missing) if missing == branch => (branch, or_is_missing(&name, &predicate)),
        _ => (branch, predicate),
    };
    let last = match rest {
        Some(_) if missing == rest => "<True/>".to_owned(),
        _ => format!("<SimplePredicate field=\"{name}\" operator=\"isNotMissing\"/>"),
    };
    let own = predicates.into_iter().enumerate().filter(|(branch, _)| Some(*branch) != rest);
    own.map(or_missing).chain(rest.map(|branch| (branch, last))).collect()
}

fn or_is_missing(name: &str, predicate: &str) -> String {
    let missing = format!("<SimplePredicate field=\"{name}\" operator=\"isMissing\"/>");
    if predicate == "<False/>" {
        return missing;
    }
    format!("<CompoundPredicate booleanOperator=\"or\">{missing}{predicate}</CompoundPredicate>")
}

fn interval(name: &str, thresholds: &[String], branch: usize) -> String {
    let simple = |operator: &str, value: &str| {
        format!("<SimplePredicate field=\"{name}\" operator=\"{operator}\" value=\"{value}\"/>")
    };
    let above = branch.checked_sub(1).map(|before| simple("greaterThan", &thresholds[before]));
    let up_to = thresholds.get(branch).map(|threshold| simple("lessOrEqual", threshold));
    match (above, up_to) {
        (Some(above), Some(up_to)) => {
            format!("<CompoundPredicate booleanOperator=\"and\">{above}{up_to}</CompoundPredicate>")
        }
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => format!("<SimplePredicate field=\"{name}\" operator=\"isNotMissing\"/>"),
    }
}

fn one_of(name: &str, values: &[&str]) -> String {
    let equal = |value: &&str| {
        format!("<SimplePredicate field=\"{name}\" operator=\"equal\" value=\"{}\"/>", escape(value))
    };
    match values {
        [] => "<False/>".to_owned(),
        [one] => equal(one),
        // Readers differ in how they take quotes, backslashes and odd spaces in arrays.
        _ if values
            .iter()
            .any(|value| value.is_empty() || value.contains(['"', '\'', '\\', '\n', '\r', '\t'])) =>
        {
            let values: String = values.iter().map(equal).collect();
            format!("<CompoundPredicate booleanOperator=\"or\">{values}</CompoundPredicate>")
        }
        _ => {
            let quoted: Vec<String> = values.iter().map(|value| format!("\"{}\"", escape(value))).collect();
            format!(
                "<SimpleSetPredicate field=\"{name}\" booleanOperator=\"isIn\"><Array type=\"string\" n=\"{}\">{}</Array></SimpleSetPredicate>",
                values.len(),
                quoted.join(" ")
            )
        }
    }
}
