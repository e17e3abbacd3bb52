//! Guarantees: what must hold for every span.
//!
//! A [`Guarantee`] is a list of [`Requirement`]s, freely combined, each defined in a separate file. A requirement is
//! checked on one span at a time, as a [`Crowd`]; a miner or an audit only calls [`Guarantee::broken_by`] and never
//! sees a formula.
//!
//! All requirements are closed under merging spans: if two spans satisfy one, so does their union, as long as the union
//! distinguishes the same private values. So pruning keeps k, the smallest bin, and every requirement on the class. If
//! pruning also removes a *private* test, the values of that attribute merge too, and only a new audit can decide; the
//! same is true if individuals have several rows (`docs/proofs.md`; tested in `tests.rs`).

pub mod alpha;
pub mod beta;
pub mod closeness;
pub mod confidence;
mod crowd;
pub mod distinct;
pub mod entropy;
pub mod k;
mod preset;
pub mod recursive;
mod request;
mod scope;
pub mod smallest_bin;
#[cfg(test)]
mod tests;
mod unmet;

pub use closeness::Distance;
pub use crowd::{Crowd, Histogram, ValueCounts, Whole};
pub use k::{SeveralRows, SingleBin};
pub use preset::Preset;
pub use request::{GuaranteeRequest, RaisedGuarantee};
pub use scope::{NOTHING_TO_CHECK, PrivateItem, ResolvedScope, Scope};
pub use unmet::{cap_above, unmet};

use crate::error::{Error, Result};
use std::fmt;

/// One requirement that must hold for every span. Only checked constructors create it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Requirement {
    /// At least k individuals: see [`k`].
    K(k::K),
    /// At least l different private values: see [`distinct`].
    DistinctL(distinct::DistinctL),
    /// Entropy of at least log l: see [`entropy`].
    EntropyL(entropy::EntropyL),
    /// A bound on the most frequent value compared with the rare ones: see [`recursive`].
    RecursiveL(recursive::RecursiveL),
    /// A cap on the share of a span with the same value: see [`confidence`].
    Confidence(confidence::Confidence),
    /// Values distributed as in the whole table: see [`closeness`].
    TCloseness(closeness::TCloseness),
    /// No value above a share: see [`alpha`].
    Alpha(alpha::Alpha),
    /// A bound on how much a value's share may grow: see [`beta`].
    Beta(beta::Beta),
    /// No small cell: see [`smallest_bin`].
    SmallestBin(smallest_bin::SmallestBin),
}

impl Requirement {
    /// At least `k` individuals in every span.
    ///
    /// # Errors
    /// When `k` is zero.
    pub fn k(k: u64, single_bin: SingleBin) -> Result<Self> {
        Self::k_over(k, single_bin, SeveralRows::default())
    }

    /// At least `k` individuals in every span, with the given rule for individuals with several rows.
    ///
    /// # Errors
    /// When `k` is zero.
    pub fn k_over(k: u64, single_bin: SingleBin, several_rows: SeveralRows) -> Result<Self> {
        k::K::new(k, single_bin, several_rows).map(Self::K)
    }

    /// At least `l` different private values in every span.
    ///
    /// # Errors
    /// When `l` is zero.
    pub fn distinct_l(l: u32) -> Result<Self> {
        distinct::DistinctL::new(l).map(Self::DistinctL)
    }

    /// Entropy of the private values of at least log `l` in every span.
    ///
    /// # Errors
    /// When `l` is below 1 or not finite.
    pub fn entropy_l(l: f64) -> Result<Self> {
        entropy::EntropyL::new(l).map(Self::EntropyL)
    }

    /// Recursive (`c`,`l`)-diversity.
    ///
    /// # Errors
    /// When `c` is not a positive number or `l` is zero.
    pub fn recursive_l(c: f64, l: u32) -> Result<Self> {
        recursive::RecursiveL::new(c, l).map(Self::RecursiveL)
    }

    /// At most this share of a span's individuals have the same private value.
    ///
    /// # Errors
    /// When `cap` is not above 0 and at most 1.
    pub fn confidence(cap: f64) -> Result<Self> {
        confidence::Confidence::new(cap).map(Self::Confidence)
    }

    /// The distribution of private values in every span is at most `t` away from that in the whole table.
    ///
    /// # Errors
    /// When `t` is not between 0 and 1.
    pub fn t_closeness(t: f64, distance: Distance) -> Result<Self> {
        closeness::TCloseness::new(t, distance).map(Self::TCloseness)
    }

    /// The alpha of (alpha,k)-anonymity: no private value above this share of a span.
    ///
    /// # Errors
    /// When `alpha` is not above 0 and at most 1.
    pub fn alpha(alpha: f64) -> Result<Self> {
        alpha::Alpha::new(alpha).map(Self::Alpha)
    }

    /// Basic beta-likeness.
    ///
    /// # Errors
    /// When `beta` is not a positive number.
    pub fn beta(beta: f64) -> Result<Self> {
        beta::Beta::new(beta).map(Self::Beta)
    }

    /// No published or derivable cell with 1 to `n` − 1 individuals.
    ///
    /// # Errors
    /// When `n` is zero.
    pub fn smallest_bin(n: u64) -> Result<Self> {
        smallest_bin::SmallestBin::new(n).map(Self::SmallestBin)
    }

    /// Whether it depends on private values (and so on the attributes in scope).
    pub fn looks_at_values(&self) -> bool {
        !matches!(self, Self::K(_) | Self::SmallestBin(_))
    }

    /// Whether it limits the confidence of inferences.
    pub fn is_confidence_cap(&self) -> bool {
        matches!(self, Self::Confidence(_))
    }

    /// Whether it compares the values of a span with those of the whole table.
    fn compares_with_table(&self) -> bool {
        matches!(self, Self::TCloseness(_) | Self::Beta(_))
    }

    fn holds(&self, crowd: &Crowd<'_>) -> bool {
        let every = |holds: &dyn Fn(&Histogram<'_>) -> bool| crowd.histograms.iter().all(holds);
        match self {
            Self::K(k) => k.holds(crowd),
            Self::SmallestBin(smallest) => smallest.holds(crowd),
            Self::DistinctL(l) => every(&|values| l.holds(values)),
            Self::EntropyL(l) => every(&|values| l.holds(values)),
            Self::RecursiveL(cl) => every(&|values| cl.holds(values)),
            Self::Confidence(cap) => every(&|values| cap.holds(values)),
            Self::TCloseness(t) => every(&|values| t.holds(values)),
            Self::Alpha(alpha) => every(&|values| alpha.holds(values)),
            Self::Beta(beta) => every(&|values| beta.holds(values)),
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::K(k) => k.fmt(f),
            Self::DistinctL(l) => l.fmt(f),
            Self::EntropyL(l) => l.fmt(f),
            Self::RecursiveL(cl) => cl.fmt(f),
            Self::Confidence(cap) => cap.fmt(f),
            Self::TCloseness(t) => t.fmt(f),
            Self::Alpha(alpha) => alpha.fmt(f),
            Self::Beta(beta) => beta.fmt(f),
            Self::SmallestBin(smallest) => smallest.fmt(f),
        }
    }
}

/// What must hold for every span: all of its requirements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Guarantee {
    requirements: Vec<Requirement>,
    scope: Scope,
    presets: Vec<Preset>,
}

impl Guarantee {
    /// Combines requirements.
    ///
    /// # Errors
    /// When two of them are of the same kind: one would have no effect, and it is not clear which was meant.
    pub fn new(requirements: Vec<Requirement>, scope: Scope) -> Result<Self> {
        let sort = |requirement: &Requirement| std::mem::discriminant(requirement);
        for (i, requirement) in requirements.iter().enumerate() {
            if requirements[..i].iter().any(|other| sort(other) == sort(requirement)) {
                return Err(Error::input(format!(
                    "the guarantee states the same requirement twice: {requirement}"
                )));
            }
        }
        Ok(Self { requirements, scope, presets: Vec::new() })
    }

    /// k-anonymity and nothing else.
    ///
    /// # Errors
    /// When `k` is zero.
    pub fn k_anonymity(k: u64) -> Result<Self> {
        Self::new(vec![Requirement::k(k, SingleBin::Counted)?], Scope::default())
    }

    /// The requirements.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// Which private attributes they apply to.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Whether nothing is required.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// The requirement for k, if any.
    pub fn requirement_of_k(&self) -> Option<&Requirement> {
        self.requirements.iter().find(|requirement| matches!(requirement, Requirement::K(_)))
    }

    /// The requirement on bins, if there is one.
    pub fn requirement_of_smallest_bin(&self) -> Option<&Requirement> {
        self.requirements.iter().find(|requirement| matches!(requirement, Requirement::SmallestBin(_)))
    }

    fn k(&self) -> Option<k::K> {
        self.requirements.iter().find_map(|requirement| match requirement {
            Requirement::K(k) => Some(*k),
            _ => None,
        })
    }

    /// The k that is required, if any.
    pub fn asked_k(&self) -> Option<u64> {
        self.k().map(k::K::k)
    }

    /// What k counts if individuals have several rows.
    pub fn several_rows(&self) -> SeveralRows {
        self.k().map(k::K::several_rows).unwrap_or_default()
    }

    /// Whether spans with a single bin count towards k.
    pub fn single_bin(&self) -> SingleBin {
        self.k().map(k::K::single_bin).unwrap_or_default()
    }

    /// The k, if nothing else is required.
    pub fn is_only_k(&self) -> Option<u64> {
        self.asked_k().filter(|_| self.requirements.len() == 1)
    }

    /// Whether every possible span meets it.
    pub fn is_idle(&self) -> bool {
        self.requirements.iter().all(|requirement| matches!(requirement, Requirement::K(k) if k.k() <= 1))
    }

    /// Whether some requirement looks at private values.
    pub fn looks_at_values(&self) -> bool {
        self.requirements.iter().any(Requirement::looks_at_values)
    }

    /// Whether some requirement compares the values of a span with those of the whole table.
    pub fn compares_with_table(&self) -> bool {
        self.requirements.iter().any(Requirement::compares_with_table)
    }

    /// Whether every requirement is about numbers of individuals in spans and bins.
    pub fn only_counts(&self) -> bool {
        !self.looks_at_values() && self.single_bin() == SingleBin::Counted
    }

    /// Returns the guarantee with another k, counted in the same way; unchanged if no k is required or `k` is zero.
    #[must_use]
    pub fn with_k(self, k: u64) -> Self {
        let changed = self.k().and_then(|old| k::K::new(k, old.single_bin(), old.several_rows()).ok());
        match changed {
            Some(k) => self.with(Requirement::K(k)),
            None => self,
        }
    }

    /// The required smallest bin, if any.
    pub fn asked_smallest_bin(&self) -> Option<u64> {
        self.requirements.iter().find_map(|requirement| match requirement {
            Requirement::SmallestBin(smallest) => Some(smallest.n()),
            _ => None,
        })
    }

    /// Returns the guarantee with `requirement` in place of the one of its kind.
    #[must_use]
    pub fn with(mut self, requirement: Requirement) -> Self {
        let sort = std::mem::discriminant(&requirement);
        // In its place, so that requirements are stated in the same order whatever replaces them.
        match self.requirements.iter_mut().find(|other| std::mem::discriminant(*other) == sort) {
            Some(other) => *other = requirement,
            None => self.requirements.push(requirement),
        }
        self
    }

    /// Returns the guarantee applied to other attributes.
    #[must_use]
    pub fn of(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Returns the requirements that a span breaks. It allocates nothing, and the requirements outlive the crowd.
    pub fn broken_by<'g, 'c>(
        &'g self,
        crowd: &'c Crowd<'c>,
    ) -> impl Iterator<Item = &'g Requirement> + use<'g, 'c> {
        self.requirements.iter().filter(move |requirement| !requirement.holds(crowd))
    }
}
