//! Models as functions of the domain, and what an attacker sees of them.
//!
//! After Friedman, Wolff and Schuster (VLDB Journal 2008): a *model* maps every possible individual to a *bin*, an
//! equivalence class of individuals that the model does not distinguish. The *span* of an individual's public
//! attributes is the set of bins that can be reached by varying everything private. A *release* is a model with the
//! *populations* of its bins.
//!
//! | family | bin | reached by varying |
//! | --- | --- | --- |
//! | [tree](Tree) | a class value in a leaf | private tests, and the class if it is private |
//! | [ensemble](Ensemble) | a class value with a leaf of each tree | private tests, and the class if it is private |
//! | [clusters](Clusters) | the nearest centroid | private coordinates within their declared ranges |
//! | [rules](Rules) | an outcome of every rule (not met, antecedent only, all of it) | private items |
//! | table | a combination of private values within a group of equal public values | private values |
//!
//! A model is checked when it is made: whatever file it came from, it is a total function with disjoint bins. Roles are
//! deliberately *not* part of a model: the policy decides whether an attribute is public, not the release.

mod cells;
mod clusters;
mod detail;
mod domain;
mod ensemble;
mod rules;
mod tree;

pub use cells::{CellPlan, CellTree, CellValue};
pub use clusters::{Axis, Centroid, Clusters};
pub use detail::{Detail, LeafContents, Shares};
pub use domain::{Domain, ModelAttribute};
pub use ensemble::{Combination, Ensemble, Link, Member, ScoredTree, Scoring, TieRule};
pub use rules::{ABSENT, Item, PRESENT, Rule, Rules};
pub use tree::{Class, Leaf, MissingRoute, Node, Split, Test, Tree};

/// A model of any family.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Model {
    /// A decision tree.
    Tree(Tree),
    /// Trees whose scores add up or are averaged.
    Ensemble(Ensemble),
    /// A clustering by nearest centroid.
    Clusters(Clusters),
    /// A set of association rules.
    Rules(Rules),
}

impl Model {
    /// The family's name, as in release files.
    pub fn family(&self) -> &'static str {
        match self {
            Self::Tree(_) => "tree",
            Self::Ensemble(_) => "ensemble",
            Self::Clusters(_) => "clusters",
            Self::Rules(_) => "rules",
        }
    }

    /// The trees of a tree or an ensemble; none for other families.
    pub fn trees(&self) -> Vec<&Tree> {
        match self {
            Self::Tree(tree) => vec![tree],
            Self::Ensemble(ensemble) => ensemble.trees().iter().map(ScoredTree::tree).collect(),
            Self::Clusters(_) | Self::Rules(_) => Vec::new(),
        }
    }

    /// The names of the attributes whose numbers are dates: days since 1970-01-01.
    pub fn dates(&self) -> Vec<&str> {
        match self {
            Self::Tree(tree) => tree.dates(),
            Self::Ensemble(ensemble) => ensemble.dates(),
            Self::Clusters(clusters) => clusters.dates(),
            Self::Rules(_) => Vec::new(),
        }
    }

    /// The names of the attributes that the model uses, the class included.
    pub fn attribute_names(&self) -> Vec<&str> {
        match self {
            Self::Tree(tree) => with_class(tree.attributes(), tree.class()),
            Self::Ensemble(ensemble) => with_class(ensemble.sources(), ensemble.class()),
            Self::Clusters(clusters) => clusters.axes().iter().map(|axis| axis.name.as_str()).collect(),
            Self::Rules(rules) => rules.attributes().iter().map(|a| a.name.as_str()).collect(),
        }
    }
}

/// The names of attributes, and of the class.
fn with_class<'m>(attributes: &'m [ModelAttribute], class: &'m Class) -> Vec<&'m str> {
    attributes.iter().map(|attribute| &attribute.name).chain([&class.name]).map(String::as_str).collect()
}
