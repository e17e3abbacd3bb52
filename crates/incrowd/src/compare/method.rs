//! The methods that can be compared, by name.

use crate::{Error, Result};
use incrowd_mine::{table, tree};
use std::fmt;
use std::str::FromStr;

/// A method that makes a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedMethod {
    /// A tree, which is a classifier itself.
    Tree(tree::TreeMethod),
    /// Boosted trees, which are a classifier themselves.
    Boost,
    /// A table, which inducers learn from.
    Table(table::TableMethod),
}

impl ComparedMethod {
    /// Returns all methods, classifiers first.
    pub fn all() -> Vec<Self> {
        let trees = tree::TreeMethod::ALL.into_iter().map(Self::Tree);
        trees.chain([Self::Boost]).chain(table::TableMethod::ALL.into_iter().map(Self::Table)).collect()
    }

    /// Returns the name of the method, as in the command that makes such a release, except that the table `best` is
    /// `best-table`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tree(method) => method.name(),
            Self::Boost => "boost",
            Self::Table(table::TableMethod::Best) => "best-table",
            Self::Table(method) => method.name(),
        }
    }

    /// Returns whether its release predicts the class itself, without a learner.
    pub fn is_classifier(self) -> bool {
        !matches!(self, Self::Table(_))
    }

    /// Returns the method with this name.
    ///
    /// # Errors
    /// When the name is unknown.
    pub fn named(name: &str) -> Result<Self> {
        let names = || Self::all().into_iter().map(Self::name).collect::<Vec<_>>().join(", ");
        Self::all().into_iter().find(|method| method.name() == name).ok_or_else(|| {
            Error::parameters(format!("unknown method `{name}`"))
                .help(format!("the methods are: {}", names()))
        })
    }
}

impl FromStr for ComparedMethod {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::named(name)
    }
}

impl fmt::Display for ComparedMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
