//! The risk of re-identification, by the measures of the field.

use super::{Grid, count, percent};
use incrowd::audit::{PopulationFigures, PopulationUniques, Risk, RiskFigures};

pub(crate) fn render(risk: &Risk) -> String {
    let above = format!(">above {}", percent(risk.threshold));
    let mut grid = Grid::new(&["re-identification risk", ">highest", ">average", &above]);
    let line = |name: &str, figures: &RiskFigures| {
        [
            name.to_owned(),
            percent(figures.highest),
            percent(figures.average),
            percent(figures.above_threshold),
        ]
    };
    grid.line(line("prosecutor", &risk.prosecutor));
    if risk.population.is_some() {
        grid.line(line("journalist", &risk.journalist));
        grid.line(["marketer".to_owned(), String::new(), percent(risk.marketer), String::new()]);
    }
    let figures = risk.population.as_ref().map(|population| of_population(risk, population));
    grid.render() + &figures.unwrap_or_else(|| without_population(risk))
}

fn without_population(risk: &Risk) -> String {
    format!("  {} alone in the table (sample uniques)\n", people(risk.sample_uniques))
}

fn people(individuals: u64) -> String {
    super::counted(individuals, "individual")
}

fn of_population(risk: &Risk, population: &PopulationFigures) -> String {
    let mut grid = Grid::new(&["", ""]);
    let fraction = percent(population.sampling_fraction);
    let size = format!("{}; the table is a sample of {fraction}", people(population.individuals));
    grid.line(["population", &size]);
    grid.line(["sample uniques", &people(risk.sample_uniques)]);
    grid.line(["population uniques", &uniques(&population.uniques)]);
    if let Some(k_map) = population.k_map {
        grid.line(["k-map", &count(k_map)]);
    }
    if let Some(presence) = population.presence {
        let shares = format!("{} to {} of a group", percent(presence.lowest), percent(presence.highest));
        grid.line(["delta-presence", &shares]);
    }
    grid.render()
}

fn uniques(uniques: &PopulationUniques) -> String {
    let number = |number: f64| count(number.round() as u64);
    if uniques.estimator == "counted" {
        return number(uniques.individuals);
    }
    let other = uniques.other.as_ref().map_or_else(String::new, |other| {
        format!("; {} by the estimator {}", number(other.individuals), other.estimator)
    });
    format!(
        "about {} (estimator {}; standard error {}{other})",
        number(uniques.individuals),
        uniques.estimator,
        number(uniques.sampling_error)
    )
}
