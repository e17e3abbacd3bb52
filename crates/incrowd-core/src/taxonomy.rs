//! Taxonomies.

/// How the values of an attribute generalize, as the policy says it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TaxonomySpec {
    /// Every value under one root.
    Flat,
}
