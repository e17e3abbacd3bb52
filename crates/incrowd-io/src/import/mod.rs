//! Foreign models: trees from scikit-learn (as JSON), PMML and ONNX, to be audited, shown, used and exported like
//! releases; ensembles of trees (scikit-learn as JSON, the files of `LightGBM`, `XGBoost` and `CatBoost`, PMML and
//! ONNX); centroids of scikit-learn; rules of arules and mlxtend.
//!
//! A file is untrusted input: it is read within bounds, nothing recurses along a tree, and its content passes the same
//! checks as a release. The formats are recognized by their content. `docs/foreign-models.md` describes how to write
//! them and what is supported.

mod arules;
mod binary;
mod catboost;
mod columns;
mod csv;
mod ensemble;
mod fit;
mod lightgbm;
mod mlxtend;
mod onnx;
mod pmml;
mod proto;
mod rules;
mod scored;
mod single;
mod sklearn;
mod sklearn_clusters;
mod spelling;
#[cfg(test)]
mod tests;
mod ubjson;
mod xgboost;

pub use fit::{Compared, check_commas, check_numbers, check_values, read_as_maker};
pub use rules::{is_item_of_table, rules_over_table};
pub use spelling::check_spelling;

use crate::bounds::{check_bytes, check_json};
use crate::release::{ModelRelease, Release, parse_release, read_bytes};
use incrowd_core::model::{Ensemble, Model, Rules, Tree};
use incrowd_core::{Error, Result};
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::path::Path;

/// Reads a release, or a model made by other programs.
///
/// # Errors
/// When it cannot be read, has no known format, or is invalid.
pub fn read_model(path: &Path) -> Result<Release> {
    parse_model(read_bytes(path)?, path)
}

/// Reads a release, or a model made by other programs, from the bytes of its file; `path` is named in errors.
///
/// # Errors
/// When it has no known format, or invalid.
pub fn parse_model(bytes: Vec<u8>, path: &Path) -> Result<Release> {
    parse_any(bytes, path).map(|(release, _)| release)
}

/// The origin of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Maker {
    /// incrowd: it is a release.
    Incrowd,
    /// Another program.
    Elsewhere(Elsewhere),
}

/// Facts about a foreign model besides the model itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Elsewhere {
    /// Names that items with commas would have, where the file does not distinguish these from several items and states
    /// no counts to check.
    pub names_with_commas: Vec<String>,
    /// Columns whose values the model lists as names and compares as numbers.
    pub numbers_as_names: Vec<String>,
    /// Whether the model's program takes no number beyond single precision.
    pub single_only: bool,
    /// Columns that the model takes as whole numbers.
    pub whole: Vec<String>,
    /// Whether the file does not name the class and numbers its values.
    pub unnamed_class: bool,
    /// Columns whose smallest and largest number the file contains.
    pub extremes: Vec<String>,
    /// Whether the file contains figures of nodes that pruning has cut off.
    pub pruned: bool,
}

/// Reads a release or a foreign model, and returns which it is.
///
/// # Errors
/// As [`read_model`].
pub fn read_any_model(path: &Path) -> Result<(Release, Maker)> {
    parse_any(read_bytes(path)?, path)
}

/// Reads a release or a foreign model from the bytes of its file, and returns which it is.
///
/// # Errors
/// As [`read_model`].
pub fn parse_any_model(bytes: Vec<u8>) -> Result<(Release, Maker)> {
    parse_any(bytes, Path::new("")).map_err(|mut error| {
        error.place.file = None;
        error
    })
}

fn parse_any(bytes: Vec<u8>, path: &Path) -> Result<(Release, Maker)> {
    let plain = |release: Release| (release, Maker::Elsewhere(Elsewhere::default()));
    // Whatever is wrong with a model from elsewhere, it can be made again.
    let elsewhere = |error: Error| match error.help {
        Some(_) => error.in_file(path),
        None => error
            .in_file(path)
            .help("export the model again; docs/foreign-models.md describes what is supported"),
    };
    check_bytes(bytes.len() as u64).map_err(elsewhere)?;
    if bytes.first() == Some(&onnx::FIRST_BYTE) {
        let (model, whole) = onnx::read(&bytes).map_err(elsewhere)?;
        let maker = Maker::Elsewhere(Elsewhere { whole, ..Elsewhere::default() });
        return Ok((Release::of_model(model), maker));
    }
    let bytes =
        if ubjson::is_one(&bytes) { ubjson::to_json(&bytes).map_err(elsewhere)?.into_bytes() } else { bytes };
    let text = crate::release::utf8(bytes).map_err(|error| error.in_file(path))?;
    let look = text.trim_start_matches('\u{feff}').trim_start();
    if look.starts_with('<') {
        let (model, numbers_as_names) = pmml::read(look).map_err(elsewhere)?;
        let maker = Maker::Elsewhere(Elsewhere { numbers_as_names, ..Elsewhere::default() });
        return Ok((Release::of_model(model), maker));
    }
    if look.starts_with(['{', '[']) {
        check_json(look).map_err(elsewhere)?;
    }
    let of_ensemble = |(ensemble, elsewhere): (Ensemble, Elsewhere)| {
        (Release::of_model(Model::Ensemble(ensemble)), Maker::Elsewhere(elsewhere))
    };
    if lightgbm::is_one(look) {
        return lightgbm::read(look).map(of_ensemble).map_err(elsewhere);
    }
    match sklearn::format(look).as_deref() {
        Some(sklearn::FORMAT) => {
            let tree = sklearn::read(look).map_err(elsewhere)?;
            let maker = Maker::Elsewhere(Elsewhere { single_only: true, ..Elsewhere::default() });
            return Ok((of_tree(tree), maker));
        }
        Some(ensemble::FORMAT) => {
            let (ensemble, single_only) = ensemble::read(look).map_err(elsewhere)?;
            return Ok(of_ensemble((ensemble, Elsewhere { single_only, ..Elsewhere::default() })));
        }
        Some(sklearn_clusters::FORMAT) => {
            let clusters = sklearn_clusters::read(look).map_err(elsewhere)?;
            return Ok(plain(Release::of_model(Model::Clusters(clusters))));
        }
        None if look.starts_with('{') => {
            if let Some(read) = json_ensemble(look) {
                return read(look).map(of_ensemble).map_err(elsewhere);
            }
        }
        _ => {}
    }
    let of_rules =
        |rules: Result<Rules>| rules.map(|rules| Release::of_model(Model::Rules(rules))).map_err(elsewhere);
    if mlxtend::is_json(look) {
        return of_rules(mlxtend::read_json(look)).map(plain);
    }
    if mlxtend::is_csv(look) {
        return of_rules(mlxtend::read_csv(look)).map(plain);
    }
    if arules::is_one(look) {
        let (rules, names_with_commas) = arules::read(look).map_err(elsewhere)?;
        let maker = Maker::Elsewhere(Elsewhere { names_with_commas, ..Elsewhere::default() });
        return Ok((Release::of_model(Model::Rules(rules)), maker));
    }
    if !look.is_empty() && !look.starts_with(['{', '[']) {
        return Err(not_a_model().in_file(path));
    }
    parse_release(&text, path).map(|release| (release, Maker::Incrowd))
}

/// A reader of ensembles.
type EnsembleReader = fn(&str) -> Result<(Ensemble, Elsewhere)>;

/// The reader of a JSON file that is not a release, by the names at its top level.
#[expect(clippy::zero_sized_map_values, reason = "serde reads names of members only into maps")]
fn json_ensemble(text: &str) -> Option<EnsembleReader> {
    let names: HashMap<String, IgnoredAny> = serde_json::from_str(text).ok()?;
    let has = |all: &[&str]| all.iter().all(|name| names.contains_key(*name));
    match () {
        () if has(&xgboost::KEYS) => Some(xgboost::read),
        () if has(&lightgbm::json::KEYS) => Some(lightgbm::json::read),
        () if has(&catboost::KEYS) => Some(catboost::read),
        () => None,
    }
}

/// Reads a tree: a release, or one made by other programs.
///
/// # Errors
/// As [`read_model`], or when it is not a tree.
pub fn read_tree(path: &Path) -> Result<(Tree, ModelRelease)> {
    tree_of(read_model(path)?).map_err(|error| error.in_file(path))
}

/// The tree of a release.
///
/// # Errors
/// When it is not a tree.
pub fn tree_of(release: Release) -> Result<(Tree, ModelRelease)> {
    match release {
        Release::Model(release) => match &release.model {
            Model::Tree(tree) => Ok((tree.clone(), release)),
            other => Err(not_a_tree(other.family())),
        },
        Release::Table(_) => Err(not_a_tree("table")),
    }
}

fn of_tree(tree: Tree) -> Release {
    Release::of_model(Model::Tree(tree))
}

fn not_a_tree(family: &str) -> Error {
    Error::input(format!("expected a tree, found {family}")).help("name the release of a decision tree")
}

fn not_a_model() -> Error {
    Error::input("the file is neither a release nor a model: it is not JSON, PMML, ONNX or a model of LightGBM, and contains no rules from arules or mlxtend")
        .help("name the release file of a model or a table, or a model from another program, but not a table")
}

/// The help of every error about a file from elsewhere.
const HELP: &str = "docs/foreign-models.md describes what is supported";
