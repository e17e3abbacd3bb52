//! Several private numbers: cells are mostly settled by what was found out about other people.
//!
//! Let `F_j` be how far centroid j is from someone's fixed coordinates (public ones, and the private names that are tried), and `D_j(b)` how far it is from
//! private numbers b, squared. The numbers b are in cell i iff `D_i(b) − D_j(b) ≤ F_j − F_i` for all other j (`<` for those before i), and the left sides are linear
//! in b and the same for everybody. So two kinds of evidence, once found, hold for whomever the comparison comes out right:
//!
//! - a **witness** b with `F_i + D_i(b) < F_j + D_j(b)` for all j: the cell is reached;
//! - a **bar**, weights `y_j ≥ 0` that add up to one, with `Σ y_j F_j − F_i` less than `Σ y_j (D_i(b) − D_j(b))` is anywhere in the box: the cell is not reached, since
//!   the inequalities of a point in it would add up to the contrary. By Farkas' lemma there is a bar wherever there is no point, ties aside.
//!
//! To begin with, the witnesses are the centroids' own numbers, brought into the box, and the bars those of a single other centroid. A linear program is solved for those whom no evidence
//! settles, and leaves new evidence. Evidence must be clear of rounding: bounds on all that was added up, times [`ROUNDING`]; what is closer, such as a tie, is for the solver
//! and its rule alone.

use super::cells::CellsOf;
use super::finite;
use super::programs::{HalfSpace, Program};
use super::space::{Place, Range};
use crate::error::Result;

/// How far beyond zero a comparison must be, as a share of what was added up for it. Doubles err by about 1e-15 of that.
const ROUNDING: f64 = 1e-11;

/// The most witnesses and the most bars that are kept of a cell. So many comparisons cost about as much as a program.
const KEPT: usize = 256;

/// What was found out about the cells of some centroids.
#[derive(Clone)]
pub(super) struct Evidence {
    of_cell: Vec<Known>,
    /// For each pair of cells (i, j) what `F_j − F_i` must not be less than for i to be reached.
    limits: Vec<f64>,
    /// A bound on all that is added up for an offset.
    size: f64,
}

#[derive(Clone, Default)]
struct Known {
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

impl Evidence {
    /// Nothing, for centroids whose cells are told by other means.
    fn none() -> Self {
        Self { of_cell: Vec::new(), limits: Vec::new(), size: 0.0 }
    }

    pub(super) fn of(cells: &CellsOf<'_, '_>) -> Result<Self> {
        if cells.space.ranges.len() < 2 {
            return Ok(Self::none());
        }
        let count = cells.centers.len();
        let size = (0..count).map(|j| cells.size_of_offset(j)).fold(0.0, f64::max);
        let mut evidence = Self { of_cell: vec![Known::default(); count], limits: Vec::new(), size };
        for i in 0..count {
            for j in 0..count {
                evidence.limits.push(cells.bar(i, vec![(j, 1.0)], size).limit);
            }
            let own =
                cells.space.ranges.iter().map(|range| cells.centers[i][cells.space.axes[range.axis].start]);
            let own: Vec<f64> = own.collect();
            evidence.of_cell[i].witnesses.push(cells.witness(&own, size)?);
        }
        Ok(evidence)
    }

    /// Whether someone can be in cell i, if what is known says so.
    fn settles(&mut self, offsets: &[f64], i: usize) -> Option<bool> {
        let known = &mut self.of_cell[i];
        if holds_for_one(&mut known.witnesses, |witness| witness.holds(offsets, i)) {
            return Some(true);
        }
        let limits = &self.limits[i * offsets.len()..(i + 1) * offsets.len()];
        let is_barred = offsets.iter().zip(limits).any(|(offset, limit)| offset - offsets[i] < *limit)
            || holds_for_one(&mut known.bars, |bar| bar.holds(offsets, i));
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
        self.weights.iter().map(|&(j, weight)| weight * offsets[j]).sum::<f64>() - offsets[i] < self.limit
    }
}

impl CellsOf<'_, '_> {
    /// Whether some private numbers bring someone into cell i.
    pub(super) fn is_reached(
        &self,
        places: &[Place],
        offsets: &[f64],
        i: usize,
        evidence: &mut Evidence,
    ) -> Result<bool> {
        if let Some(reached) = evidence.settles(offsets, i) {
            return Ok(reached);
        }
        let program = self.program(places, i)?;
        let Some((deepest, margin)) = program.deepest() else { return program.is_feasible() };
        let size = evidence.size;
        let known = &mut evidence.of_cell[i];
        if margin > 0.0 {
            let scales = self.space.ranges.iter().map(|range| self.space.axes[range.axis].scale);
            let own: Vec<f64> = deepest.into_iter().zip(scales).map(|(b, scale)| b * scale).collect();
            if let Ok(witness) = self.witness(&own, size)
                && witness.holds(offsets, i)
            {
                keep(&mut known.witnesses, witness);
                return Ok(true);
            }
        } else if let Some(weights) = program.weights() {
            let cells = program.half_spaces.iter().map(|half| half.cell);
            let bar = self.bar(i, cells.zip(weights).filter(|&(_, weight)| weight > 0.0).collect(), size);
            if bar.holds(offsets, i) {
                keep(&mut known.bars, bar);
                return Ok(false);
            }
        }
        program.is_feasible()
    }

    /// What it takes to be in cell i: each half-space is where it beats another cell.
    pub(super) fn program(&self, places: &[Place], i: usize) -> Result<Program> {
        let scaled = |range: &Range| {
            let scale = self.space.axes[range.axis].scale;
            (range.low / scale, range.high / scale)
        };
        let others = (0..self.centers.len()).filter(|&j| j != i);
        Ok(Program {
            ranges: self.space.ranges.iter().map(scaled).collect(),
            half_spaces: others.map(|j| self.half_space(places, j, i)).collect::<Result<_>>()?,
        })
    }

    fn half_space(&self, places: &[Place], j: usize, i: usize) -> Result<HalfSpace> {
        let mut right = self.farther(places, j, i, &self.fixed)?;
        let mut coefficients = Vec::with_capacity(self.space.ranges.len());
        for range in &self.space.ranges {
            let axis = &self.space.axes[range.axis];
            let (ci, cj) = (self.centers[i][axis.start], self.centers[j][axis.start]);
            right += axis.weight * ((cj - ci) * (cj + ci));
            coefficients.push(finite(2.0 * (cj - ci) / axis.scale)?);
        }
        Ok(HalfSpace { cell: j, coefficients, right: finite(right)?, strict: j < i })
    }

    /// Private numbers, brought into the box, as a witness.
    fn witness(&self, numbers: &[f64], size: f64) -> Result<Witness> {
        let within = |(x, range): (&f64, &Range)| (range.axis, x.max(range.low).min(range.high));
        let at: Vec<(usize, f64)> = numbers.iter().zip(&self.space.ranges).map(within).collect();
        let farther = |j: usize| {
            finite(at.iter().map(|&(axis, x)| self.farther_on(axis, Place::Number(x), j, 0)).sum())
        };
        let sizes = |j: usize| at.iter().map(|&(axis, x)| self.size_on(axis, x.abs(), j, 0)).sum();
        let own = (0..self.centers.len()).map(sizes).fold(0.0, f64::max);
        Ok(Witness {
            farther: (0..self.centers.len()).map(farther).collect::<Result<_>>()?,
            slack: ROUNDING * (own + size),
        })
    }

    /// The bar of cell i with some weights.
    fn bar(&self, i: usize, weights: Vec<(usize, f64)>, size: f64) -> Bar {
        let (mut limit, mut added) = (0.0, size);
        for range in &self.space.ranges {
            let at = self.least_at(range, i, &weights);
            let along =
                |&(j, weight): &(usize, f64)| -weight * self.farther_on(range.axis, Place::Number(at), j, i);
            limit += weights.iter().map(along).sum::<f64>();
            let sizes = |&(j, weight): &(usize, f64)| weight * self.size_on(range.axis, at.abs(), j, i);
            added += weights.iter().map(sizes).sum::<f64>();
        }
        limit -= ROUNDING * added;
        // An end that is infinite says nothing.
        Bar { weights, limit: if limit.is_finite() { limit } else { f64::NEG_INFINITY } }
    }

    /// Where in a range the weighted lead of the other cells over cell i is least. Coefficients that cancel out up to rounding are zero.
    fn least_at(&self, range: &Range, i: usize, weights: &[(usize, f64)]) -> f64 {
        let start = self.space.axes[range.axis].start;
        let terms =
            || weights.iter().map(|&(j, weight)| weight * (self.centers[j][start] - self.centers[i][start]));
        let (sum, size) = (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>());
        if sum.abs() <= ROUNDING * size {
            0_f64.max(range.low).min(range.high)
        } else if sum > 0.0 {
            range.low
        } else {
            range.high
        }
    }

    /// A bound on all that is added up to compare two centroids on an axis of numbers, from numbers of this size.
    fn size_on(&self, axis: usize, number: f64, j: usize, i: usize) -> f64 {
        let bound = &self.space.axes[axis];
        let (ci, cj) = (self.centers[i][bound.start], self.centers[j][bound.start]);
        (ci - cj).abs() * (2.0 * number + (ci + cj).abs()) * bound.weight
    }

    /// The same for anybody's offset of a centroid.
    fn size_of_offset(&self, j: usize) -> f64 {
        let on = |&axis: &usize| {
            let bound = &self.space.axes[axis];
            let squares = |center: &[f64]| -> f64 {
                center[bound.start..bound.start + bound.names()].iter().map(|c| c * c + 2.0 * c.abs()).sum()
            };
            match bound.names() {
                0 => self.size_on(axis, bound.largest(), j, 0),
                _ => (squares(self.centers[j]) + squares(self.centers[0])) * bound.weight,
            }
        };
        self.fixed.iter().map(on).sum()
    }
}

fn keep<T>(list: &mut Vec<T>, new: T) {
    if list.len() < KEPT {
        list.push(new);
    }
}
