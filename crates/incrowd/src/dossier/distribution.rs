//! The distribution of an attribute in the source and in the released table, over a few bins of its values.
//!
//! A released cell may cover several values. Its rows are spread evenly over them: over the length of an interval, or
//! over the names of a set.

use incrowd_core::recoding::{Extent, MaskedCode, NumberRange};
use incrowd_core::table::{Column, Date, Table};

/// The most bins of an attribute, besides those for rare names and for missing values.
const BINS: usize = 6;

/// What a released column has.
pub(super) struct Cells {
    /// What each code of the released column covers; none for a missing value.
    pub(super) extents: Vec<Option<Extent>>,
    /// The rows of each code.
    pub(super) rows: Vec<f64>,
}

/// The values of the source, in bins.
pub(super) enum Bins {
    Numbers(NumberBins),
    Names(NameBins),
}

pub(super) struct NumberBins {
    low: f64,
    high: f64,
    /// Where the second and the following bins begin.
    cuts: Vec<f64>,
    labels: Vec<String>,
    before: Vec<f64>,
}

pub(super) struct NameBins {
    names: Vec<String>,
    /// The bin of each name.
    of_name: Vec<usize>,
    labels: Vec<String>,
    before: Vec<f64>,
}

/// The number of a value of the source: itself, or its day.
pub(super) fn number(column: &Column, code: usize) -> Option<f64> {
    let values = column.values();
    match values.numbers() {
        Some(numbers) => numbers.get(code).copied(),
        None => Date::parse(&values.text(code), None).map(|date| f64::from(date.days())),
    }
}

impl Bins {
    /// The bins of a source column. Numbers and dates are numbers unless cells cover names or codes.
    pub(super) fn new(table: &Table, column: &Column, cells: &Cells, is_date: bool) -> Self {
        let mut weights = vec![0.0; column.values().len()];
        for (row, code) in column.codes().iter().enumerate() {
            if let Some(weight) = weights.get_mut(code as usize) {
                *weight += f64::from(table.weight(row));
            }
        }
        let has_names = |extent: &Extent| !extent.names.is_empty() || !extent.codes.is_empty();
        let is_numeric = column.values().numbers().is_some() || is_date;
        let numbers: Option<Vec<f64>> = (0..weights.len()).map(|code| number(column, code)).collect();
        let is_ranges = is_numeric && !cells.extents.iter().flatten().any(has_names);
        if let Some(numbers) = numbers.filter(|_| is_ranges) {
            return Self::Numbers(NumberBins::new(&numbers, &weights, is_date));
        }
        let names = (0..weights.len()).map(|code| column.values().text(code).into_owned());
        Self::Names(NameBins::new(names.collect(), &weights))
    }

    pub(super) fn labels(&self) -> &[String] {
        match self {
            Self::Numbers(own) => &own.labels,
            Self::Names(own) => &own.labels,
        }
    }

    /// The rows of the source in each bin.
    pub(super) fn before(&self) -> &[f64] {
        match self {
            Self::Numbers(own) => &own.before,
            Self::Names(own) => &own.before,
        }
    }

    /// The share of an extent in each bin, and the share of all values that it covers besides one. None for a missing
    /// value, or values that the source does not have.
    pub(super) fn spread(&self, extent: &Extent) -> Option<(Vec<f64>, f64)> {
        match self {
            Self::Numbers(own) => own.spread(extent),
            Self::Names(own) => own.spread(extent),
        }
    }

    /// The middle of an extent of numbers.
    pub(super) fn middle(&self, extent: &Extent) -> Option<f64> {
        let Self::Numbers(own) = self else { return None };
        let ranges = own.clipped(extent);
        let middles = ranges.iter().map(|(low, high)| f64::midpoint(*low, *high));
        (!ranges.is_empty()).then(|| middles.sum::<f64>() / ranges.len() as f64)
    }
}

impl NumberBins {
    fn new(numbers: &[f64], weights: &[f64], is_date: bool) -> Self {
        let mut sorted: Vec<(f64, f64)> = numbers.iter().copied().zip(weights.iter().copied()).collect();
        sorted.retain(|(_, weight)| *weight > 0.0);
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total: f64 = sorted.iter().map(|(_, weight)| weight).sum();
        let mut groups: Vec<Vec<(f64, f64)>> = Vec::new();
        let (mut open, mut sum) = (Vec::new(), 0.0);
        for pair in sorted {
            open.push(pair);
            sum += pair.1;
            // A bin ends when it and those before it have their share of all rows.
            if sum >= total * (groups.len() + 1) as f64 / BINS as f64 && groups.len() + 1 < BINS {
                groups.push(std::mem::take(&mut open));
            }
        }
        if !open.is_empty() {
            groups.push(open);
        }
        let ends = |group: &Vec<(f64, f64)>| {
            (group.first().map_or(0.0, |pair| pair.0), group.last().map_or(0.0, |pair| pair.0))
        };
        let text = |number: f64| if is_date { Date::text_of_days(number) } else { number.to_string() };
        let label = |group: &Vec<(f64, f64)>| match ends(group) {
            (low, high) if low < high => format!("{} to {}", text(low), text(high)),
            (low, _) => text(low),
        };
        let cut = |pair: &[Vec<(f64, f64)>]| f64::midpoint(ends(&pair[0]).1, ends(&pair[1]).0);
        Self {
            low: groups.first().map_or(0.0, |group| ends(group).0),
            high: groups.last().map_or(0.0, |group| ends(group).1),
            cuts: groups.windows(2).map(cut).collect(),
            labels: groups.iter().map(label).collect(),
            before: groups.iter().map(|group| group.iter().map(|pair| pair.1).sum()).collect(),
        }
    }

    /// The parts of an extent between the lowest and the highest number.
    fn clipped(&self, extent: &Extent) -> Vec<(f64, f64)> {
        if extent.any {
            return vec![(self.low, self.high)];
        }
        let clip = |range: &NumberRange| {
            let low = range.low.unwrap_or(self.low).clamp(self.low, self.high);
            let high = range.high.unwrap_or(self.high).clamp(self.low, self.high);
            (low, high.max(low))
        };
        extent.ranges.iter().map(clip).collect()
    }

    fn spread(&self, extent: &Extent) -> Option<(Vec<f64>, f64)> {
        let ranges = self.clipped(extent);
        if ranges.is_empty() || self.labels.is_empty() {
            return None;
        }
        let length: f64 = ranges.iter().map(|(low, high)| high - low).sum();
        let mut shares = vec![0.0; self.labels.len()];
        for &(low, high) in &ranges {
            if length <= 0.0 {
                let bin = self.cuts.partition_point(|&cut| cut < low);
                shares[bin] += 1.0 / ranges.len() as f64;
                continue;
            }
            for (bin, share) in shares.iter_mut().enumerate() {
                let from = if bin == 0 { self.low } else { self.cuts[bin - 1] };
                let to = self.cuts.get(bin).copied().unwrap_or(self.high);
                *share += (high.min(to) - low.max(from)).max(0.0) / length;
            }
        }
        let all = self.high - self.low;
        Some((shares, if all > 0.0 { (length / all).min(1.0) } else { 0.0 }))
    }
}

impl NameBins {
    fn new(names: Vec<String>, weights: &[f64]) -> Self {
        let kept: Vec<(String, f64)> =
            names.into_iter().zip(weights.iter().copied()).filter(|(_, weight)| *weight > 0.0).collect();
        let mut order: Vec<usize> = (0..kept.len()).collect();
        // The most frequent first; the sort is stable, so equally frequent ones stay in their order.
        order.sort_by(|&a, &b| kept[b].1.total_cmp(&kept[a].1));
        let shown = if kept.len() <= BINS + 1 { kept.len() } else { BINS };
        let mut of_name = vec![shown; kept.len()];
        let mut labels: Vec<String> = Vec::new();
        for (bin, &name) in order.iter().take(shown).enumerate() {
            of_name[name] = bin;
            labels.push(kept[name].0.clone());
        }
        labels.extend((shown < kept.len()).then(|| format!("{} others", kept.len() - shown)));
        let mut before = vec![0.0; labels.len()];
        kept.iter().zip(&of_name).for_each(|((_, weight), &bin)| before[bin] += weight);
        Self { names: kept.into_iter().map(|(name, _)| name).collect(), of_name, labels, before }
    }

    fn spread(&self, extent: &Extent) -> Option<(Vec<f64>, f64)> {
        let covered: Vec<usize> =
            (0..self.names.len()).filter(|&name| covers(extent, &self.names[name])).collect();
        if covered.is_empty() {
            return None;
        }
        let mut shares = vec![0.0; self.labels.len()];
        covered.iter().for_each(|&name| shares[self.of_name[name]] += 1.0 / covered.len() as f64);
        let others = self.names.len().saturating_sub(1).max(1) as f64;
        Some((shares, (covered.len() - 1) as f64 / others))
    }
}

fn covers(extent: &Extent, name: &str) -> bool {
    let is_number =
        || name.trim().parse().is_ok_and(|number| extent.ranges.iter().any(|own| own.contains(number)));
    extent.any
        || extent.names.binary_search_by(|own| own.as_str().cmp(name)).is_ok()
        || extent.codes.iter().any(|code| begins(code, name))
        || is_number()
}

fn begins(code: &MaskedCode, name: &str) -> bool {
    let length = name.chars().count();
    let missing = (code.length as usize).saturating_sub(length);
    let padded = code.pad.filter(|_| missing > 0).map(|pad| pad.to_string().repeat(missing) + name);
    let name = padded.as_deref().unwrap_or(name);
    name.chars().count() == code.length as usize && name.starts_with(&code.shown)
}
