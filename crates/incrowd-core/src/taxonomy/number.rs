//! Numeric intervals: of one width, with round bounds, or with equally many individuals.

use super::ANY;
use super::decimal::{decimal_places, rounded, short_decimal_between};
use super::spec::{Intervals, Quantiles};
use super::tree::Grower;
use crate::error::{Error, Result};

/// A rule with round bounds makes at most this many intervals on its finest level.
const FINEST: f64 = 1000.0;

/// Beyond this many intervals from the origin doubles cannot count them one by one.
const MOST: f64 = (1u64 << 53) as f64;

/// The label of an interval that contains its lower bound and not its upper one; a missing bound means no limit.
pub fn interval_label(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("[{}, {})", low + 0.0, high + 0.0),
        (Some(low), None) => format!(">= {}", low + 0.0),
        (None, Some(high)) => format!("< {}", high + 0.0),
        (None, None) => ANY.to_owned(),
    }
}

pub(super) fn grow_intervals(rule: Intervals, numbers: &[f64]) -> Result<(Grower, Vec<u32>)> {
    let grid = Grid::new(rule.origin, rule.width);
    let bins = numbers.iter().map(|&number| grid.bin(number)).collect::<Result<Vec<_>>>()?;
    grow(numbers, &bins, |bin| Some(grid.bound(bin)), |_| i64::from(rule.factor))
}

pub(super) fn grow_round(numbers: &[f64]) -> Result<(Grower, Vec<u32>)> {
    let [low, .., high] = numbers else {
        return grow(numbers, &vec![0; numbers.len()], |_| None, |_| 2);
    };
    let (width, is_five) = round_width(numbers, *low, *high)?;
    let grid = Grid::new(0.0, width);
    let bins = numbers.iter().map(|&number| grid.bin(number)).collect::<Result<Vec<_>>>()?;
    // Five intervals of width 1 make one of 5, two of those one of 10.
    grow(numbers, &bins, |bin| Some(grid.bound(bin)), |level| if (level % 2 == 0) == is_five { 2 } else { 5 })
}

/// The finest round width, and whether it is a five.
fn round_width(numbers: &[f64], low: f64, high: f64) -> Result<(f64, bool)> {
    let gap = numbers.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::MAX, f64::min);
    // Doubles must be able to count the intervals from zero on.
    let least = (high / FINEST - low / FINEST).max(low.abs().max(high.abs()) / (MOST / 2.0));
    let start = gap.max(least).max(f64::MIN_POSITIVE).log10().floor() as i32 - 1;
    (start..=start + 3)
        .flat_map(|exponent| [(format!("1e{exponent}"), false), (format!("5e{exponent}"), true)])
        .filter_map(|(text, is_five)| text.parse::<f64>().ok().map(|width| (width, is_five)))
        .find(|(width, _)| width.is_finite() && *width > gap && *width >= least)
        .ok_or_else(|| Error::input("the numbers are too far apart for intervals"))
}

/// Intervals of one width to both sides of an origin.
struct Grid {
    origin: f64,
    width: f64,
    /// The number of decimals that the bounds need: as many as the origin and the width have.
    places: usize,
}

impl Grid {
    fn new(origin: f64, width: f64) -> Self {
        Self { origin, width, places: decimal_places(origin).max(decimal_places(width)) }
    }

    /// The lower bound of an interval.
    fn bound(&self, bin: i64) -> f64 {
        rounded(self.origin + bin as f64 * self.width, self.places)
    }

    /// The interval of a number.
    fn bin(&self, number: f64) -> Result<i64> {
        let guess = ((number - self.origin) / self.width).floor();
        if guess.is_nan() || guess.abs() > MOST {
            return Err(too_narrow());
        }
        // The quotient may be off by a rounding; the bounds as printed decide.
        let guess = guess as i64;
        [guess, guess - 1, guess + 1]
            .into_iter()
            .find(|&bin| self.bound(bin) <= number && number < self.bound(bin + 1))
            .ok_or_else(too_narrow)
    }
}

fn too_narrow() -> Error {
    Error::input("the intervals are too narrow for the numbers").help("choose a larger width")
}

/// Cuts between values so that each part has about the same weight; `weights` has one entry a number.
pub(super) fn grow_quantiles(
    rule: Quantiles,
    numbers: &[f64],
    weights: &[u64],
) -> Result<(Grower, Vec<u32>)> {
    let cuts: Vec<f64> = quantile_gaps(rule.count, weights)
        .into_iter()
        .map(|gap| short_decimal_between(numbers[gap - 1], numbers[gap]))
        .collect();
    // At most 10,000 parts, so their numbers fit any integer.
    let part = |number: &f64| i64::from(cuts.partition_point(|cut| cut <= number) as u32);
    let bins: Vec<i64> = numbers.iter().map(part).collect();
    let bound = |bin: i64| usize::try_from(bin - 1).ok().and_then(|index| cuts.get(index).copied());
    grow(numbers, &bins, bound, |_| i64::from(rule.factor))
}

/// Before which numbers to cut: for each quantile the gap whose lower part is nearest to it, the first of ties.
pub(super) fn quantile_gaps(count: u32, weights: &[u64]) -> Vec<usize> {
    let below: Vec<u128> = std::iter::once(0)
        .chain(weights.iter().scan(0, |sum, weight| {
            *sum += u128::from(*weight);
            Some(*sum)
        }))
        .collect();
    let total = below[weights.len()];
    let Some(gaps) = below.get(1..weights.len()).filter(|gaps| !gaps.is_empty()) else { return Vec::new() };
    let mut cuts: Vec<usize> =
        (1..u128::from(count)).map(|part| 1 + nearest(gaps, total * part, u128::from(count))).collect();
    cuts.dedup();
    cuts
}

/// The first of the ascending sums whose `count`-fold is nearest to the goal.
fn nearest(sums: &[u128], goal: u128, count: u128) -> usize {
    let above = sums.partition_point(|sum| sum * count < goal).min(sums.len() - 1);
    let below = sums.partition_point(|sum| *sum < sums[above.saturating_sub(1)]);
    let distance = |index: usize| (sums[index] * count).abs_diff(goal);
    if distance(below) <= distance(above) { below } else { above }
}

/// Grows values under their intervals, level by level wider, up to one root.
///
/// `bound` is the lower bound of an interval of the finest level, `factor` how many neighbours of a level make one of
/// the next.
fn grow(
    numbers: &[f64],
    bins: &[i64],
    bound: impl Fn(i64) -> Option<f64>,
    factor: impl Fn(u32) -> i64,
) -> Result<(Grower, Vec<u32>)> {
    let widths = widths(bins, factor);
    let mut grower = Grower::with_root(ANY);
    let leaves = numbers
        .iter()
        .zip(bins)
        .map(|(number, bin)| {
            let intervals = widths.iter().map(|width| {
                let first = bin.div_euclid(*width) * width;
                interval_label(bound(first), bound(first + width))
            });
            grower.add_value(&number.to_string(), intervals.chain([ANY.to_owned()]))
        })
        .collect::<Result<_>>()?;
    Ok((grower, leaves))
}

/// The width of each level in intervals of the finest, as long as there is more than one interval.
fn widths(bins: &[i64], factor: impl Fn(u32) -> i64) -> Vec<i64> {
    let (low, high) = (bins.first().copied().unwrap_or(0), bins.last().copied().unwrap_or(0));
    let mut widths = Vec::new();
    let mut width = 1i64;
    while low.div_euclid(width) != high.div_euclid(width) {
        widths.push(width);
        // Intervals on both sides of the origin never merge; above them is the root.
        if (low.div_euclid(width), high.div_euclid(width)) == (-1, 0) {
            break;
        }
        width = width.saturating_mul(factor(widths.len() as u32 - 1));
    }
    widths
}
