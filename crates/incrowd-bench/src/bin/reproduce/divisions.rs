//! Trees over ten divisions of the rows: how far apart methods are, and how much of that is due to the division.

use crate::kactus::seeded;
use crate::markdown::{head, table, whole};
use crate::sets::{self, Set};
use crate::today::{Division, area, others};
use crate::{Peers, Places};
use incrowd::Result;
use incrowd_eval::folds::Protocol;
use std::fmt::Write as _;

const SEEDS: std::ops::RangeInclusive<u64> = 1..=10;

const OURS: [(&str, &str); 2] = [("best", "**incrowd, `best`**"), ("kadet-c45", "incrowd, `kadet-c45`")];

const THEIRS: [(&str, &str); 3] = [
    ("sklearn", "scikit-learn, `min_samples_leaf` = k"),
    ("sklearn-pruned", "scikit-learn, pruned by cross-validation"),
    ("lightgbm", "LightGBM, one tree, `min_data_in_leaf` = k"),
];

/// Rows beyond which pruning by cross-validation would take scikit-learn hours.
const LARGE: usize = 2_000;

pub(crate) fn page(places: &Places) -> Result<String> {
    let Some(peers) = &places.peers else {
        return Ok("# Ten divisions\n\nNot run: Python is not there.\n".to_owned());
    };
    let sets = sets::five();
    let areas: Vec<Areas> = sets.iter().map(|set| of_set(places, peers, set)).collect::<Result<_>>()?;
    let columns: Vec<&str> = std::iter::once("").chain(sets.iter().map(|set| set.title)).collect();
    let lines: Vec<Vec<String>> = OURS
        .iter()
        .chain(&THEIRS)
        .enumerate()
        .map(|(program, (_, title))| {
            let cells = areas.iter().map(|areas| cell(areas, program));
            std::iter::once((*title).to_owned()).chain(cells).collect()
        })
        .collect();
    Ok(format!("{}\n{}", include_str!("ten.md"), table(&head(&columns), &lines)))
}

/// For each program, ours first, the area by each division.
type Areas = Vec<Vec<f64>>;

fn of_set(places: &Places, peers: &Peers, set: &Set) -> Result<Areas> {
    let protocol = Protocol::Repeated { times: 5, folds: 2 };
    let mut areas: Areas = vec![Vec::new(); OURS.len() + THEIRS.len()];
    for seed in SEEDS {
        let part = format!("ten-seed-{seed}");
        let names: Vec<&str> = OURS.iter().map(|&(name, _)| name).collect();
        let ours = seeded(places, set, &part, &names, &["c45"], protocol, seed)?;
        let loaded = set.load(places, &part)?;
        let is_small = loaded.table.rows() <= LARGE;
        let asked: Vec<(&str, usize)> = THEIRS
            .iter()
            .filter(|(name, _)| is_small || *name != "sklearn-pruned")
            .map(|&(name, _)| (name, 10))
            .collect();
        let theirs = others(places, peers, set, &loaded, Division { part: &part, protocol, seed }, &asked)?;
        let of_ours = OURS.iter().map(|(name, _)| ours.series.iter().find(|s| s.method == *name)?.area);
        let of_theirs = THEIRS.iter().map(|(name, _)| area(&theirs, name, set));
        for (areas, area) in areas.iter_mut().zip(of_ours.chain(of_theirs)) {
            areas.extend(area);
        }
    }
    Ok(areas)
}

/// Mean and deviation, and in how many divisions `best` is ahead.
fn cell(areas: &Areas, program: usize) -> String {
    let (best, of) = (&areas[0], &areas[program]);
    if of.len() < best.len() {
        return "–".to_owned();
    }
    let (mean, deviation) = mean_and_deviation(of);
    let mut text = format!("{} ± {}", whole(mean), whole(deviation));
    if program > 0 {
        let ahead = best.iter().zip(of).filter(|(best, of)| best > of).count();
        let _ = write!(text, " ({ahead})");
    }
    text
}

/// The mean and the standard deviation of a sample.
fn mean_and_deviation(sample: &[f64]) -> (f64, f64) {
    let size = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / size;
    let squares: f64 = sample.iter().map(|number| (number - mean).powi(2)).sum();
    (mean, (squares / (size - 1.0)).sqrt())
}
