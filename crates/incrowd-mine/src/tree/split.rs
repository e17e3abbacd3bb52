//! Splits of a node: how an attribute's values are sent to branches, and how a release states this.

use super::gain::Counts;
use super::histogram::{Histogram, with_branches};
use super::levels::Level;
use super::reach::Reach;
use super::scratch::{Scratch, with_scratch};
use super::task::Attribute;
use incrowd_core::model;
use incrowd_core::table::Date;
use incrowd_core::taxonomy::short_decimal_between;
use std::cell::Cell;
use std::mem;

thread_local! {
    static SIZES: Scratch<u64> = const { Cell::new(Vec::new()) };
}

/// A split of a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Split {
    /// The attribute, by its place in the task.
    pub(crate) attribute: usize,
    /// The branch of each code of the column, the missing code's included.
    pub(crate) branch_of_code: Vec<u32>,
    /// The number of branches.
    pub(crate) branches: u32,
    /// The same for the release.
    pub(crate) told: model::Split,
    /// The branch of names that are not printed, and of values no individual at the node can have.
    pub(crate) otherwise: u32,
    /// The branch of missing values.
    pub(crate) missing: u32,
}

impl Split {
    /// No split yet, to be made one again and again without allocating memory.
    pub(crate) fn blank() -> Self {
        let told = model::Split::Thresholds(Vec::new());
        Self { attribute: 0, branch_of_code: Vec::new(), branches: 0, told, otherwise: 0, missing: 0 }
    }

    /// One branch for each group of a level that someone at the node can be in. Missing values are a group like any
    /// other, and so are all names that must not be printed together. What cannot occur here goes with those, or else
    /// where most rows go.
    pub(crate) fn by_level(
        index: usize,
        attribute: &Attribute<'_>,
        level: &Level,
        reach: Option<&Reach>,
        rows: &Histogram,
    ) -> Self {
        let missing_place = level.of_value.len() - 1;
        let met = |place: usize| {
            (place < missing_place || attribute.model.missing)
                && reach.is_none_or(|reach| reach.has_value(place))
        };
        let rare = level.labels.len();
        let group =
            |place: usize| if attribute.is_rare(place) { rare } else { level.of_value[place] as usize };
        let mut branch_of_group = vec![None; level.labels.len() + 1];
        let mut branches = 0;
        for place in (0..=missing_place).filter(|&place| met(place)) {
            let group = group(place);
            branch_of_group[group].get_or_insert_with(|| {
                branches += 1;
                branches - 1
            });
        }
        let branch = |place: usize| branch_of_group[group(place)].filter(|_| met(place));
        let told = |place: usize| branch(place).filter(|_| !attribute.is_rare(place));
        let of_value: Vec<Option<u32>> = (0..missing_place).map(told).collect();
        let own_missing = branch(missing_place);
        let otherwise = branch_of_group[rare].or(own_missing);
        let mut split = Self {
            attribute: index,
            branch_of_code: Vec::new(),
            branches,
            told: model::Split::Values(of_value),
            otherwise: otherwise.unwrap_or(0),
            missing: own_missing.or(otherwise).unwrap_or(0),
        };
        split.bind(attribute);
        if otherwise.is_none() {
            let classes = rows.iter().next().map_or(1, |(_, counts)| counts.len());
            let largest =
                with_branches(std::iter::once(rows), &split, |all| Counts { all, classes }.largest());
            split.otherwise = largest;
            split.missing = split.otherwise;
            split.bind(attribute);
        }
        split
    }

    /// Makes it two branches by the side of each code (the missing one's last). Names that must not be printed are all
    /// on one side. Values that no individual at the node has go with those, or else with missing ones, or else where
    /// most rows go.
    pub(crate) fn set_in_two(
        &mut self,
        index: usize,
        attribute: &Attribute<'_>,
        side: &[Option<u32>],
        rows: &Histogram,
    ) {
        let mut sizes = [0; 2];
        for (code, counts) in rows.iter() {
            side[code as usize]
                .into_iter()
                .for_each(|side| sizes[side as usize] += counts.iter().sum::<u64>());
        }
        let largest = u32::from(sizes[1] > sizes[0]);
        let values = attribute.column.values();
        let extra = match &attribute.model.domain {
            model::Domain::Values(all) => all.len() - values.len(),
            model::Domain::Numbers { .. } => 0,
        };
        let printed = |(code, &side): (usize, &Option<u32>)| side.filter(|_| !attribute.is_rare(code));
        let own = side[..values.len()].iter().enumerate().map(printed);
        let rare = (0..values.len()).filter(|&code| attribute.is_rare(code)).find_map(|code| side[code]);
        let otherwise = rare.or(side[values.len()]).unwrap_or(largest);
        let mut told = match mem::replace(&mut self.told, model::Split::Values(Vec::new())) {
            model::Split::Values(of_value) => of_value,
            model::Split::Thresholds(_) => Vec::new(),
        };
        told.clear();
        told.extend(own.chain(std::iter::repeat_n(None, extra)));
        self.told = model::Split::Values(told);
        (self.attribute, self.branches, self.otherwise) = (index, 2, otherwise);
        self.missing = side[values.len()].unwrap_or(otherwise);
        self.bind(attribute);
    }

    /// Branches by thresholds; missing values go where most rows go.
    pub(crate) fn by_thresholds(
        index: usize,
        attribute: &Attribute<'_>,
        thresholds: Vec<f64>,
        rows: &Histogram,
    ) -> Self {
        let mut split = Self::blank();
        split.set_thresholds(index, attribute, thresholds, rows);
        split
    }

    /// Makes it two branches by a threshold.
    pub(crate) fn set_threshold(
        &mut self,
        index: usize,
        attribute: &Attribute<'_>,
        threshold: f64,
        rows: &Histogram,
    ) {
        let mut thresholds = match mem::replace(&mut self.told, model::Split::Thresholds(Vec::new())) {
            model::Split::Thresholds(thresholds) => thresholds,
            model::Split::Values(_) => Vec::new(),
        };
        thresholds.clear();
        thresholds.push(threshold);
        self.set_thresholds(index, attribute, thresholds, rows);
    }

    fn set_thresholds(
        &mut self,
        index: usize,
        attribute: &Attribute<'_>,
        thresholds: Vec<f64>,
        rows: &Histogram,
    ) {
        (self.attribute, self.branches) = (index, thresholds.len() as u32 + 1);
        self.told = model::Split::Thresholds(thresholds);
        self.bind(attribute);
        let missing = attribute.column.missing_code();
        self.otherwise = with_scratch(&SIZES, |sizes| {
            sizes.resize(self.branches as usize, 0);
            for (code, counts) in rows.iter().filter(|&(code, _)| code != missing) {
                sizes[self.branch_of_code[code as usize] as usize] += counts.iter().sum::<u64>();
            }
            Counts { all: sizes, classes: 1 }.largest()
        });
        self.missing = self.otherwise;
        self.branch_of_code[missing as usize] = self.missing;
    }

    /// Computes the branch of each code.
    fn bind(&mut self, attribute: &Attribute<'_>) {
        let (otherwise, missing) = (self.otherwise, self.missing);
        let values = attribute.column.values();
        self.branch_of_code.clear();
        match &self.told {
            model::Split::Values(of_value) => {
                let own = of_value[..values.len()].iter().map(|branch| branch.unwrap_or(otherwise));
                self.branch_of_code.extend(own);
            }
            model::Split::Thresholds(thresholds) => {
                // Numbers and thresholds ascend.
                let mut below = 0;
                let branch = |number: &f64| {
                    below += thresholds[below..].iter().take_while(|t| *t < number).count();
                    below as u32
                };
                self.branch_of_code.extend(values.numbers().unwrap_or(&[]).iter().map(branch));
            }
        }
        self.branch_of_code.push(missing);
    }
}

/// Whether there is a double strictly between two numbers, so that a threshold can.
pub(crate) fn has_between(low: f64, high: f64) -> bool {
    low < high && low.next_up() < high
}

/// A threshold between a number that occurs and the next, by rank: a short decimal that is neither, or a day, which is
/// the first of the two only where there is none between. None if no number lies between.
pub(crate) fn threshold_behind(numbers: &[f64], rank: usize, dates: bool) -> Option<f64> {
    threshold_in(numbers[rank], *numbers.get(rank + 1)?, dates)
}

/// A threshold that parts two numbers: a short decimal between them, or a day that is not after the second.
pub(crate) fn threshold_in(low: f64, high: f64, dates: bool) -> Option<f64> {
    let threshold = if dates { Date::day_between(low, high) } else { short_decimal_between(low, high) };
    Some(threshold).filter(|&threshold| threshold < high)
}

/// A threshold between two numbers of a *private* attribute, others in between or not: the shortest decimal between the
/// two if it is not the value of an individual, otherwise one beside it. A wide gap leaves a short decimal, which
/// reveals little about the two.
pub(crate) fn threshold_between(numbers: &[f64], low: usize, high: usize, dates: bool) -> Option<f64> {
    let short = threshold_in(numbers[low], numbers[high], dates)?;
    match numbers.binary_search_by(|number| number.total_cmp(&short)) {
        Err(_) => Some(short),
        Ok(rank) => {
            let mut beside = (rank.min(high - 1)..high).chain(low..high);
            beside.find_map(|rank| threshold_behind(numbers, rank, dates))
        }
    }
}
