//! Training and test rows.
//!
//! Rows are divided so that each part has its share of every class, and so that no individual is in two parts: a
//! learner must not be evaluated on an individual that it was trained on. Each division has its own random stream, so
//! the same seed gives the same folds, whatever else is computed.

mod protocol;
#[cfg(test)]
mod tests;

pub use protocol::{MAX_FOLDS, Protocol};

use incrowd_core::random::Random;
use incrowd_core::table::People;
use incrowd_core::{Error, Result};

/// Training and test rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// The training rows, ascending.
    pub train: Vec<u32>,
    /// The test rows, ascending.
    pub test: Vec<u32>,
}

/// Divides rows into training and test rows, stratified by class.
///
/// `classes` has each row's class as a number; rows without a class may have a number of their own. The individuals of
/// a class are shuffled and dealt to the parts in turn. The next class continues with the next part, so parts differ by
/// at most one individual, in total and per class. An individual with several rows counts with the most frequent class
/// among them (the first on ties). A weighted row, which stands for many equal individuals, is dealt as one.
///
/// Takes O(rows · log rows) per repetition.
///
/// # Errors
/// When the protocol does not [check](Protocol::check), classes and people are of different tables, or there are fewer
/// individuals than parts.
pub fn divide(classes: &[u32], people: &People, protocol: Protocol, seed: u64) -> Result<Vec<Fold>> {
    protocol.check()?;
    let units = Units::new(classes, people)?;
    if units.classes.len() < protocol.parts() as usize {
        let (people, parts) = (units.classes.len(), protocol.parts());
        return Err(Error::input(format!("there are fewer individuals ({people}) than parts ({parts})"))
            .help("use more individuals, or fewer folds"));
    }
    let strata = units.strata();
    let mut folds = Vec::new();
    for time in 0..protocol.times() {
        let part = deal(
            strata.clone(),
            units.classes.len(),
            protocol.parts(),
            &mut Random::of(seed, u64::from(time)),
        );
        let tested = if protocol == Protocol::TrainTest { 1 } else { protocol.parts() };
        folds.extend((0..tested).map(|tested| units.fold(&part, tested)));
    }
    Ok(folds)
}

/// The units that are dealt: rows, or individuals with all of their rows.
struct Units<'a> {
    /// The individual of each row; `None` if every row is a unit.
    of_row: Option<&'a [u32]>,
    classes: Vec<u32>,
    rows: usize,
}

impl<'a> Units<'a> {
    fn new(classes: &[u32], people: &'a People) -> Result<Self> {
        let rows = classes.len();
        let other = || Error::input("the number of classes differs from the number of rows");
        match people {
            People::Subjects { of_row, .. } if of_row.len() != rows => Err(other()),
            People::Weights(weights) if weights.len() != rows => Err(other()),
            People::Subjects { of_row, count } => Ok(Self {
                of_row: Some(of_row),
                classes: most_frequent(classes, of_row, *count as usize),
                rows,
            }),
            _ => Ok(Self { of_row: None, classes: classes.to_vec(), rows }),
        }
    }

    /// The units of each class, classes and units ascending.
    fn strata(&self) -> Vec<Vec<u32>> {
        let mut units: Vec<u32> = (0..self.classes.len() as u32).collect();
        let class = |unit: &u32| self.classes[*unit as usize];
        units.sort_by_key(class);
        units.chunk_by(|one, other| class(one) == class(other)).map(<[u32]>::to_vec).collect()
    }

    fn fold(&self, part: &[u32], tested: u32) -> Fold {
        let is_tested = |row: &u32| {
            let unit = self.of_row.map_or(*row, |of_row| of_row[*row as usize]);
            part[unit as usize] == tested
        };
        let (test, train) = (0..self.rows as u32).partition(is_tested);
        Fold { train, test }
    }
}

/// The most frequent class of each individual's rows; the first on ties.
fn most_frequent(classes: &[u32], of_row: &[u32], count: usize) -> Vec<u32> {
    let mut pairs: Vec<(u32, u32)> = of_row.iter().copied().zip(classes.iter().copied()).collect();
    pairs.sort_unstable();
    let mut found = vec![(0, 0); count];
    for run in pairs.chunk_by(|one, other| one == other) {
        let (individual, class) = run[0];
        let best: &mut (usize, u32) = &mut found[individual as usize];
        if run.len() > best.0 {
            *best = (run.len(), class);
        }
    }
    found.into_iter().map(|(_, class)| class).collect()
}

/// The part of each unit. Strata are shuffled and dealt one after the other.
fn deal(mut strata: Vec<Vec<u32>>, count: usize, parts: u32, random: &mut Random) -> Vec<u32> {
    strata.iter_mut().for_each(|stratum| shuffle(stratum, random));
    let mut part = vec![0; count];
    for (turn, unit) in strata.concat().into_iter().enumerate() {
        part[unit as usize] = turn as u32 % parts;
    }
    part
}

/// Shuffles items; all orders are equally likely (Fisher and Yates).
fn shuffle(things: &mut [u32], random: &mut Random) {
    for last in (1..things.len()).rev() {
        things.swap(last, random.below(last as u32 + 1) as usize);
    }
}
