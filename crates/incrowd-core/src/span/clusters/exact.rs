//! Cells of centroids in exact arithmetic, for comparisons that doubles leave in doubt.
//!
//! Coordinates, centres, scales and ends of ranges are doubles, so they are whole numbers times powers of two. A part
//! of a squared distance is divided by the square of a scale; the odd parts of those squares are gathered in one
//! denominator, and everything else is a whole number and a power of two.

use super::dyadic::{Dyadic, floor, shares};
use super::measure::differ;
use super::simplex::{Bounds, Inequality, Solved, Value, solve};
use super::space::{ClusterSpace, Place};
use crate::error::{Error, Result};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering as AtomicOrdering};

/// The most linear programs that are solved to find whole numbers in one cell for one public point.
const PROGRAMS: usize = 1 << 12;

/// The work that searches for whole numbers may take: the square of the inequalities times the variables, summed over
/// programs; at first, and for each row.
const WORK: (u64, u64) = (1 << 19, 1 << 13);

/// Centroids in a space, without rounding.
pub(super) struct Exact<'s, 'a> {
    space: &'s ClusterSpace<'a>,
    centers: Vec<&'s [f64]>,
    /// For each axis its scale.
    scales: Vec<Scale>,
    /// The different squares of the odd parts of scales.
    squares: Vec<BigInt>,
    /// The work done so far, by all threads: whether it exceeds its limit does not depend on their order.
    work: AtomicU64,
}

/// A scale whose square is `squares[group] · 2^-exponent`.
struct Scale {
    group: usize,
    exponent: i64,
}

/// Whether some private numbers lead into a cell.
pub(super) enum Answer {
    Reached,
    /// No numbers do. If no real ones do, weights of the other cells show it: [`Bar`](super::several).
    Barred(Option<Vec<(usize, f64)>>),
}

/// The outcome of a search.
enum SearchOutcome {
    Found,
    /// With the weights that show that there is nothing, if there is nothing in real numbers either.
    Nothing(Option<Vec<BigInt>>),
}

/// What it takes to be nearer to one centroid than to another: `coefficients · b ≤ right`, all of it multiplied by
/// `factor`.
struct Row {
    coefficients: Vec<Dyadic>,
    right: Dyadic,
    factor: BigInt,
}

impl<'s, 'a> Exact<'s, 'a> {
    pub(super) fn new(space: &'s ClusterSpace<'a>, centers: Vec<&'s [f64]>) -> Self {
        let mut squares: Vec<BigInt> = Vec::new();
        let scale = |scale: f64| {
            let scale = Dyadic::of(scale);
            let square = &scale.mantissa * &scale.mantissa;
            let known = squares.iter().position(|known| *known == square);
            let group = known.unwrap_or_else(|| {
                squares.push(square);
                squares.len() - 1
            });
            Scale { group, exponent: -2 * scale.exponent }
        };
        let scales = space.axes.iter().map(|axis| axis.scale).map(scale).collect();
        Self { space, centers, scales, squares, work: AtomicU64::new(0) }
    }

    /// How the squared distance of centroid `j` from a place compares with that of centroid `i`, over some axes.
    pub(super) fn compare(&self, places: &[Place], j: usize, i: usize, axes: &[usize]) -> Ordering {
        let mut sums = vec![None; self.squares.len()];
        axes.iter().for_each(|&axis| self.add_fixed(&mut sums, axis, places[axis], j, i));
        self.over_one(&sums).0.sign()
    }

    /// Whether some private numbers lead into cell `i` from a place, of which the `fixed` axes stay as they are.
    pub(super) fn decide(&self, places: &[Place], i: usize, fixed: &[usize]) -> Result<Answer> {
        let others: Vec<usize> = (0..self.centers.len()).filter(|&j| j != i).collect();
        let rows: Vec<Row> = others.iter().map(|&j| self.row(places, j, i, fixed)).collect();
        let finite = |end: f64| end.is_finite().then(|| Dyadic::of(end));
        let ends: Vec<_> = self.space.ranges.iter().map(|r| (finite(r.low), finite(r.high))).collect();
        let all_ends = ends.iter().flat_map(|(low, high)| low.iter().chain(high));
        // Everything is counted in units of this power of two, of which 1 is a multiple.
        let unit = all_ends.map(|end| end.exponent).fold(0, i64::min);
        let bound = |end: &Option<Dyadic>| end.as_ref().map(|end| Value::of(end.at(unit)));
        let bounds = ends.iter().map(|(low, high)| Bounds { low: bound(low), high: bound(high) }).collect();
        let (inequalities, factors): (Vec<_>, Vec<_>) =
            others.iter().zip(rows).map(|(&j, row)| row.inequality(unit, j < i)).unzip();
        match self.search(&inequalities, bounds, unit)? {
            SearchOutcome::Found => Ok(Answer::Reached),
            SearchOutcome::Nothing(weights) => Ok(Answer::Barred(weights.map(|weights| {
                let weights = weights.iter().zip(&factors).map(|(weight, factor)| factor.times_whole(weight));
                let weights = shares(&weights.collect::<Vec<_>>());
                others.into_iter().zip(weights).filter(|&(_, weight)| weight > 0.0).collect()
            }))),
        }
    }

    /// Looks for a solution with whole numbers where they must be, by branch and bound.
    fn search(&self, inequalities: &[Inequality], bounds: Vec<Bounds>, unit: i64) -> Result<SearchOutcome> {
        let mut reason = None;
        let mut left = vec![bounds];
        for program in 0..PROGRAMS {
            let Some(bounds) = left.pop() else { return Ok(SearchOutcome::Nothing(reason)) };
            if self.space.ranges.iter().any(|range| range.whole) {
                self.take(inequalities.len() * inequalities.len() * bounds.len())?;
            }
            match solve(inequalities, &bounds) {
                Solved::Undecided => return Err(undecided()),
                Solved::Contradiction(weights) if program == 0 => reason = Some(weights),
                Solved::Contradiction(_) => {}
                Solved::Point(point) => match self.broken_number(&point, unit) {
                    None => return Ok(SearchOutcome::Found),
                    Some((variable, below)) => left.extend(parted(&bounds, variable, &below, unit)),
                },
            }
        }
        Err(undecided())
    }

    /// Counts the work of a program.
    fn take(&self, work: usize) -> Result<()> {
        let limit = WORK.0 + WORK.1 * self.space.rows as u64;
        let done = self.work.fetch_add(work as u64, AtomicOrdering::Relaxed) + work as u64;
        if done > limit { Err(undecided()) } else { Ok(()) }
    }

    /// A variable that must be whole and is not, with the whole number below it.
    fn broken_number(&self, point: &[(Value, BigInt)], unit: i64) -> Option<(usize, BigInt)> {
        for (variable, (value, under)) in point.iter().enumerate() {
            if !self.space.ranges[variable].whole {
                continue;
            }
            let one = under << -unit;
            let below = floor(&value.number, &one);
            let is_at = &below * &one == value.number;
            match value.tiny.cmp(&BigInt::ZERO) {
                Ordering::Equal if is_at => {}
                Ordering::Less if is_at => return Some((variable, below - 1)),
                _ => return Some((variable, below)),
            }
        }
        None
    }

    /// Adds how much farther centroid `j` is than centroid `i` on an axis, before it is divided by the odd square of
    /// its scale.
    fn add_fixed(&self, sums: &mut [Option<Dyadic>], axis: usize, place: Place, j: usize, i: usize) {
        let bound = &self.space.axes[axis];
        let center = |centroid: usize, at: usize| Dyadic::of(self.centers[centroid][at]);
        // `(c_i − c_j)·(2x − (c_i + c_j))`
        let along = |at: usize, twice: &Dyadic| {
            let (ci, cj) = (center(i, at), center(j, at));
            ci.minus(&cj).times(&twice.minus(&ci.plus(&cj)))
        };
        let width = bound.start..bound.start + bound.names().max(1);
        let differs = |&at: &usize| differ(self.centers[i][at], self.centers[j][at]);
        for at in width.filter(differs) {
            let twice = match place {
                Place::Number(x) => Dyadic::of(x).shifted(1),
                Place::Name(name) if at == bound.start + name as usize => Dyadic::of(2.0),
                Place::Name(_) | Place::OtherName => Dyadic::ZERO,
            };
            self.add(sums, axis, &along(at, &twice));
        }
    }

    fn add(&self, sums: &mut [Option<Dyadic>], axis: usize, term: &Dyadic) {
        let scale = &self.scales[axis];
        let term = term.clone().shifted(scale.exponent);
        let sum = &mut sums[scale.group];
        *sum = Some(sum.as_ref().map_or(term.clone(), |sum| sum.plus(&term)));
    }

    /// Sums over different squares, brought over one denominator.
    fn over_one(&self, sums: &[Option<Dyadic>]) -> (Dyadic, BigInt) {
        let (mut over, mut under) = (Dyadic::ZERO, BigInt::from(1));
        for (sum, square) in sums.iter().zip(&self.squares) {
            if let Some(sum) = sum {
                over = over.times_whole(square).plus(&sum.times_whole(&under));
                under *= square;
            }
        }
        (over, under)
    }

    fn row(&self, places: &[Place], j: usize, i: usize, fixed: &[usize]) -> Row {
        let mut sums = vec![None; self.squares.len()];
        fixed.iter().for_each(|&axis| self.add_fixed(&mut sums, axis, places[axis], j, i));
        let gaps: Vec<Dyadic> = self.space.ranges.iter().map(|range| self.gap(range.axis, j, i)).collect();
        for (range, gap) in self.space.ranges.iter().zip(&gaps).filter(|(_, gap)| !gap.is_zero()) {
            let start = self.space.axes[range.axis].start;
            let sum = Dyadic::of(self.centers[j][start]).plus(&Dyadic::of(self.centers[i][start]));
            self.add(&mut sums, range.axis, &gap.times(&sum));
        }
        let (right, factor) = self.over_one(&sums);
        let coefficient = |(range, gap): (&super::space::Range, Dyadic)| {
            let scale = &self.scales[range.axis];
            if gap.is_zero() {
                return Dyadic::ZERO;
            }
            gap.times_whole(&(&factor / &self.squares[scale.group])).shifted(1 + scale.exponent)
        };
        let coefficients = self.space.ranges.iter().zip(gaps).map(coefficient).collect();
        Row { coefficients, right, factor }
    }

    /// `c_j − c_i` on an axis of numbers.
    fn gap(&self, axis: usize, j: usize, i: usize) -> Dyadic {
        let start = self.space.axes[axis].start;
        Dyadic::of(self.centers[j][start]).minus(&Dyadic::of(self.centers[i][start]))
    }
}

impl Row {
    /// The inequality in whole numbers, with variables and right side in units of a power of two, and what it was
    /// multiplied by.
    fn inequality(self, unit: i64, strict: bool) -> (Inequality, Dyadic) {
        let exponents = self.coefficients.iter().filter(|c| !c.is_zero()).map(|c| c.exponent);
        let right = (!self.right.is_zero()).then_some(self.right.exponent - unit);
        let lowest = exponents.chain(right).min().unwrap_or(0);
        let inequality = Inequality {
            coefficients: self.coefficients.iter().map(|coefficient| coefficient.at(lowest)).collect(),
            right: self.right.at(lowest + unit),
            strict,
        };
        (inequality, Dyadic { mantissa: self.factor, exponent: -lowest })
    }
}

/// Bounds without the numbers between a whole number and the next, in one variable: those below, and those above.
fn parted(bounds: &[Bounds], variable: usize, below: &BigInt, unit: i64) -> [Vec<Bounds>; 2] {
    let (mut lower, mut upper) = (bounds.to_vec(), bounds.to_vec());
    lower[variable].high = Some(Value::of(below << -unit));
    upper[variable].low = Some(Value::of((below + 1_i32) << -unit));
    [lower, upper]
}

fn undecided() -> Error {
    Error::limit("the audit cannot decide within its limits which clusters an individual can be in")
        .help("declare a `range` for private numbers that can only be whole, or leave some of them out of the clustering")
}
