//! Several private numbers: most cells are decided by evidence found for other individuals.
//!
//! Let `F_j` be the squared distance of centroid j from an individual's fixed coordinates (public ones, and the private
//! names that are tried), and `D_j(b)` its squared distance from private numbers b. The numbers b are in cell i iff
//! `D_i(b) − D_j(b) ≤ F_j − F_i` for all other j (`<` for those before i), and the left sides are linear in b and the
//! same for everyone. So two kinds of evidence, once found, hold for everyone for whom the comparison holds:
//!
//! - a **witness** b with `F_i + D_i(b) < F_j + D_j(b)` for all j: the cell is reached;
//! - a **bar**, weights `y_j ≥ 0` with `Σ y_j (F_j − F_i)` less than `Σ y_j (D_i(b) − D_j(b))` is anywhere in the box:
//!   the cell is not reached, since the inequalities of a point in it would add up to the contrary. By Farkas' lemma
//!   a bar exists wherever no point does, ties aside.
//!
//! The first witnesses are the centroids' own numbers, brought into the box, and the first bars those of a single other
//! centroid. If no evidence decides an individual, a linear program in doubles proposes new evidence. All evidence is
//! checked with a margin for rounding; if the margin is not enough, as at a tie, exact arithmetic decides. If the range
//! of a number has no end, the weights of a bar must cancel exactly, so weights found in doubles count only if their
//! signs leave no doubt. If numbers must be whole, witnesses are whole; bars remain valid.

use super::cells::CellsOf;
use super::exact::Answer;
use super::programs::{HalfSpace, Program};
use super::space::{Place, Range};
use crate::error::Result;

#[cfg(test)]
mod tests;

/// The most witnesses and the most bars that are kept of a cell. So many comparisons cost about as much as a program.
const KEPT: usize = 256;

/// Numbers beyond this size, in the units of their axes, are useless as evidence.
const FAR: f64 = 1e15;

/// The evidence found about the cells of some centroids.
#[derive(Clone)]
pub(super) struct Evidence {
    of_cell: Vec<KnownPoints>,
    /// For each pair of cells (i, j) what `F_j − F_i` must not be less than for i to be reached.
    limits: Vec<f64>,
}

#[derive(Clone, Default)]
struct KnownPoints {
    witnesses: Vec<Witness>,
    bars: Vec<Bar>,
}

/// Private numbers, by how much farther every centroid is from them than the first one.
#[derive(Clone)]
struct Witness {
    farther: Vec<f64>,
    slack: f64,
}

/// Why a cell is not reached by those whose weighted offsets, less that of the cell, stay below the limit.
#[derive(Clone)]
struct Bar {
    weights: Vec<(usize, f64)>,
    limit: f64,
}

/// How the weights of a bar are known.
#[derive(Clone, Copy, PartialEq)]
enum Weights {
    /// They are these doubles.
    Given,
    /// They are close to weights that were found exactly, which leave nothing of coefficients in directions without
    /// end.
    Exact,
}

impl Evidence {
    pub(super) fn of(cells: &CellsOf<'_, '_>) -> Self {
        let mut evidence = Self { of_cell: Vec::new(), limits: Vec::new() };
        // The cells of other centroids are decided by other means.
        if cells.space.ranges.len() < 2 {
            return evidence;
        }
        for i in 0..cells.centers.len() {
            for j in 0..cells.centers.len() {
                evidence.limits.push(cells.bar(i, vec![(j, 1.0)], Weights::Given).limit);
            }
            let own = cells.space.ranges.iter();
            let own: Vec<f64> =
                own.map(|range| cells.centers[i][cells.space.axes[range.axis].start]).collect();
            let witnesses = cells.witness(&own).into_iter().collect();
            evidence.of_cell.push(KnownPoints { witnesses, bars: Vec::new() });
        }
        evidence
    }

    /// Whether individuals can be in cell i, if known evidence decides it for offsets from `least` to `most`; for cell
    /// i both are the same.
    pub(super) fn settles(&mut self, least: &[f64], most: &[f64], i: usize) -> Option<bool> {
        let known = &mut self.of_cell[i];
        if holds_for_one(&mut known.witnesses, |witness| witness.holds(least, i)) {
            return Some(true);
        }
        let limits = &self.limits[i * most.len()..(i + 1) * most.len()];
        let is_barred = most.iter().zip(limits).any(|(offset, limit)| offset - most[i] < *limit)
            || holds_for_one(&mut known.bars, |bar| bar.holds(most, i));
        is_barred.then_some(false)
    }
}

/// Whether one of a list holds; it comes a place to the front, so that useful ones are tried early.
fn holds_for_one<T>(list: &mut [T], holds: impl Fn(&T) -> bool) -> bool {
    let found = list.iter().position(holds);
    if let Some(place) = found {
        list.swap(place, place.saturating_sub(1));
    }
    found.is_some()
}

impl Witness {
    fn holds(&self, offsets: &[f64], i: usize) -> bool {
        let most = offsets[i] + self.farther[i] + self.slack;
        let mut all = offsets.iter().zip(&self.farther).enumerate();
        all.all(|(j, (offset, farther))| most < offset + farther || j == i)
    }
}

impl Bar {
    fn holds(&self, offsets: &[f64], i: usize) -> bool {
        self.weights.iter().map(|&(j, weight)| weight * (offsets[j] - offsets[i])).sum::<f64>() < self.limit
    }
}

impl CellsOf<'_, '_> {
    /// Whether some private numbers lead an individual into cell i.
    pub(super) fn is_reached(
        &self,
        places: &[Place],
        offsets: &[f64],
        i: usize,
        evidence: &mut Evidence,
    ) -> Result<bool> {
        if let Some(reached) = evidence.settles(offsets, offsets, i) {
            return Ok(reached);
        }
        let known = &mut evidence.of_cell[i];
        if let Some(reached) = self.is_proposed(places, offsets, i, known) {
            return Ok(reached);
        }
        let Answer::Barred(weights) = self.exact.decide(places, i, &self.fixed)? else { return Ok(true) };
        if let Some(bar) = weights.map(|weights| self.bar(i, weights, Weights::Exact))
            && bar.holds(offsets, i)
        {
            keep(&mut known.bars, bar);
        }
        Ok(false)
    }

    /// Whether cell i is reached, by new evidence that a program proposes and that passes its check.
    fn is_proposed(
        &self,
        places: &[Place],
        offsets: &[f64],
        i: usize,
        known: &mut KnownPoints,
    ) -> Option<bool> {
        let program = self.program(places, i);
        let (deepest, margin) = program.deepest()?;
        if margin > 0.0 {
            let units = self.space.ranges.iter().map(|range| self.scaled_unit(range));
            let own: Vec<f64> = deepest.into_iter().zip(units).map(|(b, unit)| b / unit).collect();
            let witness = self.witness(&own)?;
            witness.holds(offsets, i).then(|| {
                keep(&mut known.witnesses, witness);
                true
            })
        } else {
            let bar = self.bar(i, program.weights()?, Weights::Given);
            bar.holds(offsets, i).then(|| {
                keep(&mut known.bars, bar);
                false
            })
        }
    }

    /// What a private number is multiplied by to be in scaled units, nearly.
    fn scaled_unit(&self, range: &Range) -> f64 {
        let axis = self.measure.axis(range.axis);
        axis.unit * axis.weight.sqrt()
    }

    /// What it takes to be in cell i: each half-space is where it beats another cell.
    fn program(&self, places: &[Place], i: usize) -> Program {
        let scaled = |range: &Range| {
            let unit = self.scaled_unit(range);
            let end =
                |end: f64| if (end * unit).abs() < FAR { end * unit } else { end.signum() * f64::INFINITY };
            (end(range.low), end(range.high))
        };
        let others = (0..self.centers.len()).filter(|&j| j != i);
        Program {
            ranges: self.space.ranges.iter().map(scaled).collect(),
            half_spaces: others.map(|j| self.half_space(places, j, i)).collect(),
        }
    }

    fn half_space(&self, places: &[Place], j: usize, i: usize) -> HalfSpace {
        let mut right = self.measure.over(places, j, i, &self.fixed);
        let mut coefficients = Vec::with_capacity(self.space.ranges.len());
        for range in &self.space.ranges {
            let (start, weight) = (self.space.axes[range.axis].start, self.measure.axis(range.axis).weight);
            let (ci, cj) = (self.measure.near[i][start], self.measure.near[j][start]);
            right += weight * ((cj - ci) * (cj + ci));
            coefficients.push(2.0 * (cj - ci) * weight.sqrt());
        }
        let size = coefficients.iter().fold(0.0_f64, |most, c: &f64| c.abs().max(most));
        let size = if size > f64::MIN_POSITIVE { size } else { 1.0 };
        coefficients.iter_mut().for_each(|coefficient| *coefficient /= size);
        HalfSpace { cell: j, coefficients, right: right / size, size }
    }

    /// Private numbers, brought into the box, as a witness; `None` if they are too large to be of use.
    fn witness(&self, numbers: &[f64]) -> Option<Witness> {
        let within = |(x, range): (&f64, &Range)| {
            let x = if range.whole { x.round() } else { *x };
            (range.axis, x.max(range.low).min(range.high))
        };
        let at: Vec<(usize, f64)> = numbers.iter().zip(&self.space.ranges).map(within).collect();
        let is_near = |&(axis, x): &(usize, f64)| (x * self.measure.axis(axis).unit).abs() < FAR;
        if !at.iter().all(is_near) {
            return None;
        }
        let (mut farther, mut error) = (Vec::with_capacity(self.centers.len()), 0.0_f64);
        for j in 0..self.centers.len() {
            let parts = at.iter().map(|&(axis, x)| self.measure.at(axis, x, j, 0));
            let (sum, own) = parts.fold((0.0, 0.0), |(sum, own), part| (sum + part.value, own + part.error));
            farther.push(sum);
            error = error.max(own);
        }
        // Twice for the two cells that are compared, and twice to be sure.
        Some(Witness { farther, slack: 4.0 * (error + self.measure.error(self.size_of_fixed)) })
    }

    /// The bar of cell i with some weights, which add up to one, nearly.
    fn bar(&self, i: usize, weights: Vec<(usize, f64)>, known: Weights) -> Bar {
        let (mut limit, mut error) = (0.0, self.measure.error(self.size_of_fixed));
        for range in &self.space.ranges {
            if known == Weights::Given && !self.is_bounded(range, i, &weights) {
                return Bar { weights, limit: f64::NEG_INFINITY };
            }
            // A sum of linear functions is least at an end of the range.
            let (mut least, mut own) = (f64::INFINITY, 0.0_f64);
            for at in ends(range) {
                let parts =
                    weights.iter().map(|&(j, weight)| (weight, self.measure.at(range.axis, at, j, i)));
                let sums = parts.fold((0.0, 0.0), |(sum, own), (weight, part)| {
                    (sum - weight * part.value, own + weight * part.error)
                });
                least = least.min(sums.0);
                own = own.max(sums.1);
            }
            limit += least;
            error += own;
        }
        limit -= 4.0 * error;
        Bar { weights, limit: if limit.is_finite() { limit } else { f64::NEG_INFINITY } }
    }

    /// Whether the weighted lead of the other cells over cell i does not fall without end, wherever the range has none.
    fn is_bounded(&self, range: &Range, i: usize, weights: &[(usize, f64)]) -> bool {
        let start = self.space.axes[range.axis].start;
        let terms = || {
            weights
                .iter()
                .map(|&(j, weight)| weight * (self.measure.near[j][start] - self.measure.near[i][start]))
        };
        let rises = terms().sum::<f64>() > 1e-9 * terms().map(f64::abs).sum::<f64>();
        let falls = terms().sum::<f64>() < -1e-9 * terms().map(f64::abs).sum::<f64>();
        // Signs of differences of doubles are exact.
        let no_lower = |(j, _): &(usize, f64)| self.centers[*j][start] >= self.centers[i][start];
        let no_higher = |(j, _): &(usize, f64)| self.centers[*j][start] <= self.centers[i][start];
        (range.high.is_finite() || rises || weights.iter().all(no_lower))
            && (range.low.is_finite() || falls || weights.iter().all(no_higher))
    }
}

/// The ends of a range; some point of it, if it has none.
fn ends(range: &Range) -> impl Iterator<Item = f64> {
    let ends = [range.low, range.high];
    let none = ends.iter().all(|end| end.is_infinite()).then_some(0.0);
    ends.into_iter().filter(|end| end.is_finite()).chain(none)
}

fn keep<T>(list: &mut Vec<T>, new: T) {
    if list.len() < KEPT {
        list.push(new);
    }
}
