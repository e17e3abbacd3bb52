//! Risks against their definitions, computed from every individual.

use super::*;
use crate::policy::{Attribute, Policy, Role};
use crate::table::{Column, People, Table};
use proptest::prelude::*;

fn near(one: f64, other: f64) {
    assert!((one - other).abs() <= 1e-9 * other.abs().max(1e-9), "{one} is not {other}");
}

/// The figures for the risks of each individual.
fn of_individuals(risks: &[f64], threshold: f64) -> RiskFigures {
    let n = risks.len() as f64;
    RiskFigures {
        highest: risks.iter().copied().fold(0.0, f64::max),
        average: risks.iter().sum::<f64>() / n,
        above_threshold: risks.iter().filter(|&&risk| risk > threshold).count() as f64 / n,
    }
}

fn same(one: RiskFigures, other: RiskFigures) {
    near(one.highest, other.highest);
    near(one.average, other.average);
    near(one.above_threshold, other.above_threshold);
}

proptest! {
    #[test]
    fn prosecutor_risk_is_that_of_every_individual(sizes in prop::collection::vec(1_u64..20, 1..30), t in 0.0..1.0) {
        let risk = Risk::of_sizes(sizes.iter().copied()).with_threshold(t).unwrap();
        let each: Vec<f64> =
            sizes.iter().flat_map(|&size| std::iter::repeat_n(1.0 / size as f64, size as usize)).collect();
        same(risk.prosecutor, of_individuals(&each, t));
        prop_assert_eq!(risk.sample_uniques, sizes.iter().filter(|&&size| size == 1).count() as u64);
        // Without a population, the table counts as one.
        same(risk.journalist, risk.prosecutor);
        near(risk.marketer, risk.prosecutor.average);
    }

    #[test]
    fn a_population_is_counted_row_by_row(
        sample in prop::collection::vec(0_u16..5, 1..20),
        others in prop::collection::vec(0_u16..7, 0..40),
    ) {
        let population: Vec<u16> = sample.iter().chain(&others).copied().collect();
        let risk = against(&sample, &population);
        let size = |all: &[u16], value: u16| all.iter().filter(|&&one| one == value).count() as f64;
        let each: Vec<f64> = sample.iter().map(|&value| 1.0 / size(&population, value)).collect();
        let naive = of_individuals(&each, DEFAULT_THRESHOLD);
        near(risk.journalist.highest, naive.highest);
        near(risk.journalist.above_threshold, naive.above_threshold);
        near(risk.marketer, naive.average);
        prop_assert!(risk.journalist.average >= naive.average - 1e-12);
        let figures = risk.population.unwrap();
        let k_map = sample.iter().map(|&value| size(&population, value)).fold(f64::MAX, f64::min);
        near(figures.k_map.unwrap() as f64, k_map);
        let shares: Vec<f64> =
            population.iter().map(|&value| size(&sample, value) / size(&population, value)).collect();
        let presence = figures.presence.unwrap();
        near(presence.lowest, shares.iter().copied().fold(1.0, f64::min));
        near(presence.highest, shares.iter().copied().fold(0.0, f64::max));
        let uniques = population.iter().filter(|&&value| size(&population, value) < 1.5).count();
        near(figures.uniques.individuals, uniques as f64);
    }

    #[test]
    fn expected_risks_are_sums_over_populations(size in 1_u64..30, percent in 1_u64..100) {
        // A group of `size` among others: only the sampling fraction matters.
        let fraction = percent as f64 / 100.0;
        let sizes = std::iter::repeat_n(size, percent as usize);
        let risk = Risk::of_sizes(sizes).with_population_size(100 * size).unwrap();
        near(risk.journalist.highest, expectation(size, fraction));
    }
}

/// E[1/F] for a negative binomial F, term by term.
fn expectation(size: u64, fraction: f64) -> f64 {
    let (mut probability, mut sum) = (fraction.powi(size as i32), 0.0);
    for larger in 0_u64..20_000 {
        let total = size + larger;
        sum += probability / total as f64;
        probability *= (1.0 - fraction) * total as f64 / (larger + 1) as f64;
    }
    sum
}

fn against(sample: &[u16], population: &[u16]) -> Risk {
    let policy =
        Policy::new(vec![Attribute::new("x", Role::Public), Attribute::new("secret", Role::Private)]);
    let public = |values: &[u16]| {
        Column::from_numbers("x", &values.iter().map(|&value| Some(f64::from(value))).collect::<Vec<_>>())
            .unwrap()
    };
    let secret = Column::from_texts("secret", &vec![Some("s"); sample.len()]);
    let table = Table::new(vec![public(sample), secret], People::Rows).unwrap();
    let population = Table::new(vec![public(population)], People::Rows).unwrap();
    let released = crate::audit::ReleasedTable::whole(&table);
    let groups = population_of_table(&released, &policy, &population).unwrap();
    Risk::of_sizes([]).with_population(groups)
}

#[test]
fn a_population_includes_the_table() {
    let error = std::panic::catch_unwind(|| against(&[1, 1], &[1, 2]));
    assert!(error.is_err(), "the population lacks an individual");
}

#[test]
fn the_whole_population_has_its_own_uniques() {
    let risk = Risk::of_sizes([1, 1, 2, 5]).with_population_size(9).unwrap();
    near(risk.population.unwrap().uniques.individuals, 2.0);
    near(risk.journalist.highest, 1.0);
    assert!(Risk::of_sizes([1, 1]).with_population_size(1).is_err());
    assert!(Risk::of_sizes([1]).with_threshold(f64::NAN).is_err());
}

#[test]
fn a_table_without_uniques_has_none_in_the_population() {
    let risk = Risk::of_sizes([5, 6]).with_population_size(1000).unwrap();
    near(risk.population.unwrap().uniques.individuals, 0.0);
    assert_eq!(Risk::of_sizes([]).prosecutor, RiskFigures::default());
}
