//! The errors of all learners beside each other, and the verdict.

use crate::error;
use incrowd_bench::small::{DEVELOPED_ON, KS, SmallSet};
use incrowd_core::{Error, Result};
use incrowd_mine::tree::TreeMethod;
use rayon::prelude::*;
use serde_json::Value;
use std::ops::Range;
use std::path::Path;

/// The learners compared with.
const OTHERS: [&str; 3] = ["kadet-c45", "scikit-learn", "LightGBM"];

/// The errors of `best` and of the others on a set at a k, split by split.
struct Cell {
    set: &'static str,
    k: u64,
    best: Vec<f64>,
    others: [Vec<f64>; 3],
}

/// Prints the table and the verdict.
pub(crate) fn score(sets: &[SmallSet], peers: &Path, splits: Range<u64>) -> Result<()> {
    let text =
        std::fs::read_to_string(peers).map_err(|error| Error::input(error.to_string()).in_file(peers))?;
    let peers: Value = serde_json::from_str(&text).map_err(|error| Error::input(error.to_string()))?;
    let mut cells = Vec::new();
    println!(
        "| set | k | best | kadet-c45 | scikit-learn | LightGBM |\n| --- | --- | --- | --- | --- | --- |"
    );
    for set in sets {
        for k in KS {
            let cell = cell(set, k, &peers, splits.clone())?;
            println!("| {} | {k} | {} |", cell.set, cell.line());
            cells.push(cell);
        }
    }
    let all: Vec<&Cell> = cells.iter().collect();
    for set in sets {
        let own: Vec<&Cell> = all.iter().copied().filter(|cell| cell.set == set.name).collect();
        println!("| {} | all | {} |", set.name, mean_of(&own).line());
    }
    println!("| all | all | {} |", mean_of(&all).line());
    println!("chosen on {DEVELOPED_ON:?}; the other sets confirm");
    print_verdict(&all, sets);
    Ok(())
}

fn cell(set: &SmallSet, k: u64, peers: &Value, splits: Range<u64>) -> Result<Cell> {
    let ours = |method| {
        let of = |number| {
            let (train, judges) = set.split(number);
            error(set, method, k, &(set.part(&train)?, set.part(&judges)?))
        };
        splits.clone().into_par_iter().map(of).collect::<Result<Vec<f64>>>()
    };
    let theirs = |name: &str| {
        let all = peers[set.name][k.to_string()][name].as_array();
        let error = |number: u64| all.and_then(|all| all.get(number as usize)?.as_f64()).unwrap_or(f64::NAN);
        splits.clone().map(error).collect::<Vec<f64>>()
    };
    let others = [ours(TreeMethod::KadetC45)?, theirs("scikit-learn"), theirs("LightGBM")];
    Ok(Cell { set: set.name, k, best: ours(TreeMethod::Best)?, others })
}

impl Cell {
    /// The mean errors, and of the others by how much that of `best` is above theirs, with its standard error.
    fn line(&self) -> String {
        let other = |other: &Vec<f64>| {
            let (above, error) = self.above(other);
            format!("{:.2} ({above:+.2} ± {error:.2}{})", mean(other), if above > error { " !" } else { "" })
        };
        format!("{:.2} | {}", mean(&self.best), self.others.each_ref().map(other).join(" | "))
    }

    /// By how much `best` errs more than another, and the standard error of that.
    fn above(&self, other: &[f64]) -> (f64, f64) {
        let differences: Vec<f64> = self.best.iter().zip(other).map(|(best, other)| best - other).collect();
        let (mean, count) = (mean(&differences), differences.len() as f64);
        let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
        (mean, (squares / (count - 1.0) / count).sqrt())
    }
}

/// The mean of several cells, split by split.
fn mean_of(cells: &[&Cell]) -> Cell {
    let over = |errors: &dyn Fn(&Cell) -> Vec<f64>| {
        let all: Vec<Vec<f64>> = cells.iter().map(|cell| errors(cell)).collect();
        let splits = all.first().map_or(0, Vec::len);
        (0..splits).map(|i| mean(&all.iter().map(|errors| errors[i]).collect::<Vec<_>>())).collect()
    };
    let others = [0, 1, 2].map(|other| over(&|cell: &Cell| cell.others[other].clone()));
    Cell { set: "all", k: 0, best: over(&|cell: &Cell| cell.best.clone()), others }
}

fn print_verdict(all: &[&Cell], sets: &[SmallSet]) {
    for (place, name) in OTHERS.iter().enumerate() {
        let is_above = |cell: &Cell| {
            let (above, error) = cell.above(&cell.others[place]);
            above > error
        };
        let cells: Vec<String> = all
            .iter()
            .filter(|cell| is_above(cell))
            .map(|cell| format!("{} k = {}", cell.set, cell.k))
            .collect();
        let by_set = |set: &&SmallSet| {
            is_above(&mean_of(&all.iter().copied().filter(|cell| cell.set == set.name).collect::<Vec<_>>()))
        };
        let above: Vec<&str> = sets.iter().filter(by_set).map(|set| set.name).collect();
        let (mean, error) = mean_of(all).above(&mean_of(all).others[place]);
        println!(
            "against {name}: {mean:+.3} ± {error:.3} on average; above by more than a standard error on {above:?}, in \
             {} of {} cells {cells:?}",
            cells.len(),
            all.len()
        );
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}
