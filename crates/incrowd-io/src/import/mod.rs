//! Models made elsewhere.

use crate::release::{ModelRelease, Release, read_release};
use incrowd_core::model::{Model, Tree};
use incrowd_core::{Error, Result};
use std::path::Path;

/// Reads a release, or a model made elsewhere.
///
/// # Errors
/// When it cannot be read, is of no known format, or is not sound.
pub fn read_model(path: &Path) -> Result<Release> {
    read_release(path)
}

/// Reads a tree: a release, or one made elsewhere.
///
/// # Errors
/// As [`read_model`], or when it is not a tree.
pub fn read_tree(path: &Path) -> Result<(Tree, ModelRelease)> {
    match read_model(path)? {
        Release::Model(release) => match &release.model {
            Model::Tree(tree) => Ok((tree.clone(), release)),
            other => Err(not_a_tree(other.family()).in_file(path)),
        },
        Release::Table(_) => Err(not_a_tree("table").in_file(path)),
    }
}

fn not_a_tree(family: &str) -> Error {
    Error::new(format!("the release is of the family \"{family}\", and a tree is needed"))
        .help("name the release of a decision tree")
}
