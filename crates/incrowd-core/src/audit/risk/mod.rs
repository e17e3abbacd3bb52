//! Re-identification risk as the field measures it: prosecutor, journalist and marketer risk, k-map, delta-presence,
//! sample and population uniques.
//!
//! All figures follow from the sizes of groups. f is the number of individuals of a group in the table, F the number in
//! the population that the table is a sample of, n and N are the sums of f and F over the groups of the table and over
//! all groups, and J is the number of groups of the table (El Emam, Guide to the De-Identification of Personal Health
//! Information, 2013; the definitions of ARX and, for estimates of 1/F, of sdcMicro):
//!
//! | figure | the attacker | highest | average | above a threshold t |
//! | --- | --- | --- | --- | --- |
//! | prosecutor | knows that the target is in the table | max 1/f | J/n | share with 1/f > t |
//! | journalist | does not know it | max 1/F | max(J/ΣF, Σ(f/F)/n), both sums over groups of the table | share with 1/F > t |
//! | marketer | links as many as possible | | Σ(f/F)/n | |
//!
//! Without a population, the table counts as the population: F = f. With a declared size of the population, 1/F is its
//! expectation under the negative binomial model ([`estimated`]).
//!
//! For a model, groups are spans. An individual with rows in several groups counts in each of them.

mod estimated;
mod gamma;
mod population;

pub use population::{PopulationGroups, population_of_model, population_of_table};

use crate::error::{Error, Result};
use serde::Serialize;
use std::collections::BTreeMap;

/// The threshold of risks that are counted if no other is set: groups of fewer than five individuals.
pub const DEFAULT_THRESHOLD: f64 = 0.2;

/// The risk of re-identification, by the measures of the field.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Risk {
    /// The threshold of `above_threshold`.
    pub threshold: f64,
    /// The individuals who are alone in their group of the table (sample uniques).
    pub sample_uniques: u64,
    /// For an attacker who knows that the target is in the table.
    pub prosecutor: RiskFigures,
    /// For an attacker who does not know this. Without a population, as if the table were the population.
    pub journalist: RiskFigures,
    /// The share of individuals that an attacker re-identifies who links as many as possible. Without a population, as
    /// if the table were the population.
    pub marketer: f64,
    /// Figures on the population, if it is known or its size is declared.
    pub population: Option<PopulationFigures>,
    /// The number of groups of each size.
    #[serde(skip)]
    groups: BTreeMap<u64, u64>,
    /// The groups in the table and in the population, if it is known.
    #[serde(skip)]
    known: Option<PopulationGroups>,
    /// The declared size of the population.
    #[serde(skip)]
    declared: Option<u64>,
}

/// The risk for one kind of attacker.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct RiskFigures {
    /// The highest risk of an individual.
    pub highest: f64,
    /// The average risk.
    pub average: f64,
    /// The share of individuals with a risk above the threshold.
    pub above_threshold: f64,
}

/// Where figures on the population come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PopulationSource {
    /// Counted in a table of the population.
    Table,
    /// Estimated from a declared number of individuals.
    DeclaredSize,
}

/// Figures on the population that a table is a sample of.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PopulationFigures {
    /// Whether they were counted or estimated.
    pub source: PopulationSource,
    /// The individuals of the population.
    pub individuals: u64,
    /// The individuals of the table, as a share of the population.
    pub sampling_fraction: f64,
    /// k-map: the smallest number of individuals in the population who share the group of an individual of the table.
    /// `None` if only the size of the population is known; it is then at least k.
    pub k_map: Option<u64>,
    /// delta-presence: between these shares of a group of the population are in the table. `None` if only the size of
    /// the population is known.
    pub presence: Option<Presence>,
    /// The individuals who are alone in their group of the population.
    pub uniques: PopulationUniques,
}

/// The lowest and highest share of a group of the population that is in the table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Presence {
    /// The lowest share; 0 if the table has no one of some group.
    pub lowest: f64,
    /// The highest share: with 1, it is certain of someone in the population that they are in the table.
    pub highest: f64,
}

/// The number of individuals who are alone in their group of the population, counted or estimated.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PopulationUniques {
    /// `counted`, or the name of the estimator: `pitman` or `zayatz`.
    pub estimator: &'static str,
    /// Their number.
    pub individuals: f64,
    /// The standard error from sampling alone, if the estimator's model were exact; 0 if they were counted.
    pub sampling_error: f64,
    /// What the other estimator gives: the difference shows how much depends on the model.
    pub other: Option<OtherEstimate>,
}

/// The result of an estimator that was not selected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherEstimate {
    /// The name of the estimator.
    pub estimator: &'static str,
    /// Its estimate.
    pub individuals: f64,
}

impl Risk {
    /// The risk for groups of these sizes, without a population.
    pub fn of_sizes(sizes: impl IntoIterator<Item = u64>) -> Self {
        let mut groups = BTreeMap::new();
        sizes.into_iter().filter(|&size| size > 0).for_each(|size| *groups.entry(size).or_insert(0) += 1);
        Self::new(groups, None, None, DEFAULT_THRESHOLD)
    }

    /// The same with another threshold.
    ///
    /// # Errors
    /// When the threshold is not between 0 and 1.
    pub fn with_threshold(self, threshold: f64) -> Result<Self> {
        if !(0.0..=1.0).contains(&threshold) {
            return Err(Error::parameters("a threshold of risks must be between 0 and 1")
                .of_parameter("risk_threshold")
                .help("give a probability, such as 0.09"));
        }
        Ok(Self::new(self.groups, self.known, self.declared, threshold))
    }

    /// The same for a population of this size.
    ///
    /// # Errors
    /// When the table has more individuals.
    pub fn with_population_size(self, individuals: u64) -> Result<Self> {
        if individuals < self.individuals() {
            return Err(Error::parameters("the population is smaller than the table")
                .of_parameter("population_size")
                .help("give the number of individuals that the table is a sample of"));
        }
        Ok(Self::new(self.groups, None, Some(individuals), self.threshold))
    }

    /// The same for a population that was counted.
    #[must_use]
    pub fn with_population(self, groups: PopulationGroups) -> Self {
        let sizes = groups.sizes.iter().map(|&(in_table, _)| in_table).filter(|&size| size > 0);
        let mut counts = BTreeMap::new();
        sizes.for_each(|size| *counts.entry(size).or_insert(0) += 1);
        Self::new(counts, Some(groups), None, self.threshold)
    }

    /// The one of two with the higher prosecutor risk.
    pub(super) fn worse(self, other: Self) -> Self {
        let key = |risk: &Self| (risk.prosecutor.highest, risk.prosecutor.average);
        if key(&other) > key(&self) { other } else { self }
    }

    fn individuals(&self) -> u64 {
        individuals(&self.groups)
    }

    fn new(
        groups: BTreeMap<u64, u64>,
        known: Option<PopulationGroups>,
        declared: Option<u64>,
        threshold: f64,
    ) -> Self {
        let own = groups.iter().map(|(&size, &groups)| Likeness::of_table(size, groups));
        let prosecutor = summary(own, threshold);
        let all = individuals(&groups);
        let (journalist, population) = match (&known, declared) {
            (Some(known), _) => (known.summary(threshold), Some(known.figures(&groups))),
            (None, Some(size)) => {
                (estimated::summary(&groups, size, threshold), Some(estimated::figures(&groups, size)))
            }
            (None, None) => (prosecutor, None),
        };
        Self {
            threshold,
            sample_uniques: groups.get(&1).copied().unwrap_or(0),
            prosecutor: prosecutor.figures(all),
            journalist: journalist.figures(all),
            marketer: journalist.linked(all),
            population,
            groups,
            known,
            declared,
        }
    }
}

fn individuals(groups: &BTreeMap<u64, u64>) -> u64 {
    groups.iter().map(|(size, groups)| size * groups).sum()
}

/// Some groups of equal size: how many they are, and the risk of each individual in them.
struct Likeness {
    /// The individuals of each group in the table.
    size: u64,
    /// The number of groups.
    groups: u64,
    /// 1/F, or its expectation.
    risk: f64,
    /// F, or its expectation.
    in_population: f64,
}

impl Likeness {
    fn of_table(size: u64, groups: u64) -> Self {
        Self { size, groups, risk: 1.0 / size as f64, in_population: size as f64 }
    }
}

/// Sums over the groups of a table.
#[derive(Clone, Copy)]
struct Sums {
    highest: f64,
    above: u64,
    /// J.
    groups: u64,
    /// ΣF.
    in_population: f64,
    /// Σ f/F.
    linked: f64,
}

fn summary(groups: impl Iterator<Item = Likeness>, threshold: f64) -> Sums {
    let mut sums = Sums { highest: 0.0, above: 0, groups: 0, in_population: 0.0, linked: 0.0 };
    for group in groups {
        let people = group.size * group.groups;
        sums.highest = sums.highest.max(group.risk);
        sums.above += if group.risk > threshold { people } else { 0 };
        sums.groups += group.groups;
        sums.in_population += group.in_population * group.groups as f64;
        sums.linked += group.risk * people as f64;
    }
    sums
}

impl Sums {
    fn figures(self, individuals: u64) -> RiskFigures {
        if individuals == 0 {
            return RiskFigures::default();
        }
        RiskFigures {
            highest: self.highest,
            average: self.linked(individuals).max(self.groups as f64 / self.in_population),
            above_threshold: self.above as f64 / individuals as f64,
        }
    }

    /// The share of the table that is linked on average.
    fn linked(self, individuals: u64) -> f64 {
        if individuals == 0 { 0.0 } else { self.linked / individuals as f64 }
    }
}

#[cfg(test)]
mod tests;
