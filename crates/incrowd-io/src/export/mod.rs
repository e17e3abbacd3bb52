//! Trees and ensembles of trees for other programs: PMML, ONNX, SQL, Python and incrowd's own JSON.
//!
//! Every export predicts exactly what [`incrowd_core::predict`] does, including for missing values and values that the
//! tree does not list; scores of ensembles up to the rounding of the program that adds them. Names and values are untrusted: they are quoted as each language requires, and what it cannot
//! represent is an error. Nothing here recurses along a tree, so any depth works here; other programs may have limits.

mod onnx;
mod pmml;
pub(crate) mod proto;
mod python;
mod sql;
#[cfg(test)]
pub(crate) mod tests;

use crate::release::{ModelRelease, Release};
use incrowd_core::model::{
    CellTree, Domain, Ensemble, Model, ModelAttribute, Node, ScoredTree, Split, Test, Tree,
};
use incrowd_core::table::Date;
use incrowd_core::{Error, Result, choice};

/// A format to export to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// PMML 4.4: a `TreeModel`, or a `MiningModel` for an ensemble.
    Pmml,
    /// ONNX, a `TreeEnsembleClassifier` that takes the raw columns.
    Onnx,
    /// Standard SQL: one `CASE` expression. Not for ensembles.
    Sql,
    /// A Python module without dependencies.
    Python,
    /// A release file.
    Json,
}

choice!(Target, "language" {
    Pmml => "pmml", "PMML 4.4.";
    Onnx => "onnx", "ONNX; takes the raw columns.";
    Sql => "sql", "One SQL expression.";
    Python => "python", "A Python module.";
    Json => "json", "A release file.";
});

/// A released tree or ensemble in another language, as the bytes of a file.
///
/// # Errors
/// When the release is neither, or the language cannot represent it or one of its names or values.
pub fn export(release: &ModelRelease, target: Target) -> Result<Vec<u8>> {
    release.model.trees().iter().try_for_each(|tree| check_dates(tree))?;
    if let Model::Ensemble(ensemble) = &release.model {
        check_length(ensemble)?;
        ensemble.cells().map_or(Ok(()), |cells| check_dates(cells.tree()))?;
    }
    match (&release.model, target) {
        (Model::Tree(_) | Model::Ensemble(_), Target::Json) => {
            Release::Model(release.clone()).to_text().map(String::into_bytes)
        }
        (Model::Tree(tree), Target::Pmml) => pmml::write(tree).map(String::into_bytes),
        (Model::Tree(tree), Target::Onnx) => onnx::write(tree),
        (Model::Tree(tree), Target::Sql) => sql::write(tree).map(String::into_bytes),
        (Model::Tree(tree), Target::Python) => Ok(python::write(tree).into_bytes()),
        (Model::Ensemble(ensemble), Target::Pmml) => pmml::write_ensemble(ensemble).map(String::into_bytes),
        (Model::Ensemble(ensemble), Target::Onnx) => onnx::write_ensemble(ensemble),
        (Model::Ensemble(ensemble), Target::Python) => Ok(python::write_ensemble(ensemble).into_bytes()),
        (Model::Ensemble(_), Target::Sql) => Err(Error::input("an ensemble cannot be one SQL expression")
            .help("export to ONNX, PMML or Python, or train a single tree")),
        _ => Err(Error::input("only trees and ensembles of trees can be exported")
            .help("other releases are available as JSON only")),
    }
}

/// The most bytes that the names in all tests may take.
const LONGEST: usize = 256 << 20;

/// Refuses an ensemble whose tests would spell out too many names.
fn check_length(ensemble: &Ensemble) -> Result<()> {
    let attributes = ensemble.attributes();
    let bytes = |attribute: &ModelAttribute| match &attribute.domain {
        Domain::Values(names) => names.iter().map(|name| name.len() + 64).sum(),
        Domain::Numbers { .. } => 64_usize,
    };
    let of_attribute: Vec<usize> = attributes.iter().map(bytes).collect();
    let trees = ensemble.trees().iter().map(ScoredTree::tree).chain(ensemble.cells().map(CellTree::tree));
    let mut all = 0_usize;
    for node in trees.flat_map(Tree::nodes) {
        if let Node::Test(test) = node {
            all = all.saturating_add(of_attribute[test.attribute]);
        }
    }
    if all <= LONGEST {
        return Ok(());
    }
    Err(Error::limit("the tests of the ensemble list too many names to be written out")
        .help("export to JSON, or make a smaller ensemble"))
}

/// Refuses thresholds of dates that no calendar of other programs has.
fn check_dates(tree: &Tree) -> Result<()> {
    for node in tree.nodes() {
        let Node::Test(Test { attribute, split: Split::Thresholds(thresholds), .. }) = node else { continue };
        let attribute = &tree.attributes()[*attribute];
        let is_day = |day: &f64| day.abs() < 1e7 && Date::from_days(day.floor() as i32 + 1).is_some();
        if attribute.dates && !thresholds.iter().all(is_day) {
            return Err(Error::input("a threshold is not a date in the years 1 to 9999")
                .of_attribute(&attribute.name)
                .help("correct the release"));
        }
    }
    Ok(())
}

/// A text in the making, with nodes still to be written in place.
enum Piece {
    Text(String),
    Node { node: u32, depth: usize },
}

/// Writes a text from a node on; `pieces` returns the parts of a node.
fn write_nested(root: u32, mut pieces: impl FnMut(u32, usize) -> Result<Vec<Piece>>) -> Result<String> {
    let mut text = String::new();
    let mut waiting = vec![Piece::Node { node: root, depth: 0 }];
    while let Some(piece) = waiting.pop() {
        match piece {
            Piece::Text(more) => text.push_str(&more),
            Piece::Node { node, depth } => waiting.extend(pieces(node, depth)?.into_iter().rev()),
        }
    }
    Ok(text)
}

/// The values of each branch, in the order of the domain; none for a test by numbers.
fn values_of_branches<'a>(test: &Test, domain: &'a [String]) -> Vec<Vec<&'a str>> {
    let mut names = vec![Vec::new(); test.children.len()];
    if let Split::Values(of_value) = &test.split {
        for (branch, name) in of_value.iter().zip(domain) {
            branch.iter().for_each(|&branch| names[branch as usize].push(name.as_str()));
        }
    }
    names
}

/// Whether a row can end at the node: it is a leaf, or a test without a branch for other values or missing ones.
fn is_end(node: &Node) -> bool {
    match node {
        Node::Leaf(_) => true,
        Node::Test(test) => test.otherwise.is_none() || test.missing_branch().is_none(),
    }
}

/// The label of each class value's place.
fn label(tree: &Tree, label: u32) -> &str {
    &tree.class().values[label as usize]
}
