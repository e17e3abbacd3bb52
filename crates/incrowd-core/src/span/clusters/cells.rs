//! Cells of centroids in a space: whose somebody is, and whose he can be.

use super::finite;
use super::polygon::Polygon;
use super::space::{ClusterSpace, Place, Range};
use crate::error::{Error, Result};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};

/// Centroids in a space.
pub(super) struct CellsOf<'s, 'a> {
    space: &'s ClusterSpace<'a>,
    centers: Vec<&'s [f64]>,
    /// For each axis of names and each pair of centroids (i, j), by their places: `|c_j|² − |c_i|²` over its coordinates.
    squares: Vec<Vec<f64>>,
    all: Vec<usize>,
    /// The axes that stay as they are when private numbers vary.
    fixed: Vec<usize>,
}

impl<'s, 'a> CellsOf<'s, 'a> {
    pub(super) fn new(space: &'s ClusterSpace<'a>, centers: Vec<&'s [f64]>) -> Self {
        let all: Vec<usize> = (0..space.axes.len()).collect();
        let varies = |axis: &usize| space.ranges.iter().any(|range| range.axis == *axis);
        let fixed = all.iter().copied().filter(|axis| !varies(axis)).collect();
        let mut cells = Self { space, centers, squares: Vec::new(), all, fixed };
        cells.squares = (0..space.axes.len()).map(|axis| cells.squares_of(axis)).collect();
        cells
    }

    fn squares_of(&self, axis: usize) -> Vec<f64> {
        let axis = &self.space.axes[axis];
        if axis.names() == 0 {
            return Vec::new();
        }
        let own = |i: usize| &self.centers[i][axis.start..axis.start + axis.names()];
        let pair = |i: usize, j: usize| -> f64 {
            own(i).iter().zip(own(j)).map(|(ci, cj)| (cj - ci) * (cj + ci)).sum()
        };
        let count = self.centers.len();
        (0..count).flat_map(|i| (0..count).map(move |j| (i, j))).map(|(i, j)| pair(i, j)).collect()
    }

    /// How much farther centroid `j` is than centroid `i` on one axis, as squared distances from a place.
    fn farther_on(&self, axis: usize, place: Place, j: usize, i: usize) -> f64 {
        let bound = &self.space.axes[axis];
        let along = match place {
            Place::Number(x) => {
                let (ci, cj) = (self.centers[i][bound.start], self.centers[j][bound.start]);
                (ci - cj) * (2.0 * x - (ci + cj))
            }
            Place::Name(name) => {
                let at = bound.start + name as usize;
                let own = 2.0 * (self.centers[i][at] - self.centers[j][at]);
                self.squares[axis][i * self.centers.len() + j] + own
            }
        };
        along * bound.weight
    }

    /// The same over some axes.
    fn farther(&self, places: &[Place], j: usize, i: usize, axes: &[usize]) -> Result<f64> {
        finite(axes.iter().map(|&axis| self.farther_on(axis, places[axis], j, i)).sum())
    }

    /// The nearest centroid, the first one on a tie.
    pub(super) fn nearest(&self, places: &[Place]) -> Result<u32> {
        let mut best = 0;
        for centroid in 1..self.centers.len() {
            if self.farther(places, centroid, best, &self.all)? < 0.0 {
                best = centroid;
            }
        }
        Ok(best as u32)
    }

    /// Marks the cells that someone can be in whose public coordinates are those in `places`. Cells marked already are not looked at.
    pub(super) fn reach(&self, places: &mut [Place], marks: &mut [u64]) -> Result<()> {
        self.space.each_combination(places, |places| {
            if self.space.ranges.is_empty() {
                mark(marks, self.nearest(places)? as usize);
                return Ok(());
            }
            for i in 0..self.centers.len() {
                if !is_marked(marks, i) && self.is_reached(places, i)? {
                    mark(marks, i);
                }
            }
            Ok(())
        })
    }

    /// Whether some private numbers bring someone into cell i.
    fn is_reached(&self, places: &[Place], i: usize) -> Result<bool> {
        if let [range] = self.space.ranges[..] {
            return self.is_on_envelope(places, i, range);
        }
        if self.holds_at_its_own(places, i)? {
            return Ok(true);
        }
        let Some(half_spaces) = self.half_spaces(places, i)? else { return Ok(false) };
        match self.is_left_of_rectangle(places, i, &half_spaces)? {
            Some(reached) => Ok(reached),
            None => self.is_feasible(&half_spaces),
        }
    }

    /// Two private numbers with finite ranges: cell i is not reached if the half-planes, each a little wider, leave nothing, and is reached if the middle
    /// of what they leave is in it. `None` if neither is so: slivers and other cases are for the solver.
    fn is_left_of_rectangle(
        &self,
        places: &[Place],
        i: usize,
        half_spaces: &[HalfSpace],
    ) -> Result<Option<bool>> {
        const SLACK: f64 = 1e-9;
        let [x, y] = self.space.ranges[..] else { return Ok(None) };
        let scales = [x, y].map(|range| self.space.axes[range.axis].scale);
        let (low, high) = ([x.low / scales[0], y.low / scales[1]], [x.high / scales[0], y.high / scales[1]]);
        let Some(mut polygon) = Polygon::rectangle(low, high) else { return Ok(None) };
        for half in half_spaces {
            polygon.cut(&half.coefficients, half.right + SLACK * (1.0 + half.right.abs()));
        }
        let Some(middle) = polygon.middle() else { return Ok(Some(false)) };
        let mut places = places.to_vec();
        for (range, (at, scale)) in [x, y].iter().zip(middle.into_iter().zip(scales)) {
            places[range.axis] = Place::Number((at * scale).max(range.low).min(range.high));
        }
        Ok((self.nearest(&places)? as usize == i).then_some(true))
    }

    /// Where cell i beats cell j: coefficients · b ≤ right for private b in scaled units, or < if j wins ties.
    fn half_space(&self, places: &[Place], j: usize, i: usize) -> Result<HalfSpace> {
        let mut right = self.farther(places, j, i, &self.fixed)?;
        let mut coefficients = Vec::with_capacity(self.space.ranges.len());
        for range in &self.space.ranges {
            let axis = &self.space.axes[range.axis];
            let (ci, cj) = (self.centers[i][axis.start], self.centers[j][axis.start]);
            right += axis.weight * ((cj - ci) * (cj + ci));
            coefficients.push(finite(2.0 * (cj - ci) / axis.scale)?);
        }
        Ok(HalfSpace { coefficients, right: finite(right)?, strict: j < i })
    }

    /// All of them for a cell; `None` if one of them has nothing of the box.
    fn half_spaces(&self, places: &[Place], i: usize) -> Result<Option<Vec<HalfSpace>>> {
        let mut all = Vec::with_capacity(self.centers.len());
        for j in (0..self.centers.len()).filter(|&j| j != i) {
            let half = self.half_space(places, j, i)?;
            if self.least(&half) > half.right {
                return Ok(None);
            }
            all.push(half);
        }
        Ok(Some(all))
    }

    /// The least that the left side of a half-space can be in the box.
    fn least(&self, half: &HalfSpace) -> f64 {
        let end = |(coefficient, range): (&f64, &Range)| {
            let scale = self.space.axes[range.axis].scale;
            match coefficient {
                c if *c > 0.0 => c * (range.low / scale),
                c if *c < 0.0 => c * (range.high / scale),
                _ => 0.0,
            }
        };
        half.coefficients.iter().zip(&self.space.ranges).map(end).sum()
    }

    /// Whether cell i is the nearest to its own private coordinates, brought into the box: a witness that spares a linear program.
    fn holds_at_its_own(&self, places: &[Place], i: usize) -> Result<bool> {
        let mut places = places.to_vec();
        for range in &self.space.ranges {
            let own = self.centers[i][self.space.axes[range.axis].start];
            places[range.axis] = Place::Number(own.max(range.low).min(range.high));
        }
        Ok(self.nearest(&places)? as usize == i)
    }

    /// One private number: the interval that the half-spaces leave of its range.
    fn is_on_envelope(&self, places: &[Place], i: usize, range: Range) -> Result<bool> {
        let axis = &self.space.axes[range.axis];
        let (mut low, mut high) = ((range.low, false), (range.high, false));
        for j in (0..self.centers.len()).filter(|&j| j != i) {
            let (ci, cj) = (self.centers[i][axis.start], self.centers[j][axis.start]);
            let fixed = self.farther(places, j, i, &self.fixed)?;
            let right = finite(fixed + axis.weight * ((cj - ci) * (cj + ci)))?;
            let (coefficient, strict) = (finite(2.0 * axis.weight * (cj - ci))?, j < i);
            let bound = right / coefficient;
            if coefficient == 0.0 {
                if right < 0.0 || (strict && right <= 0.0) {
                    return Ok(false);
                }
            } else if coefficient > 0.0 {
                if bound < high.0 || (bound <= high.0 && strict) {
                    high = (bound, strict);
                }
            } else if bound > low.0 || (bound >= low.0 && strict) {
                low = (bound, strict);
            }
            let is_left = low.0 < high.0 || (low.0 <= high.0 && !low.1 && !high.1);
            if !is_left {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Several: maximizes how far the strict half-spaces are beaten; reachable iff there is a point, and a positive margin where one is needed.
    fn is_feasible(&self, half_spaces: &[HalfSpace]) -> Result<bool> {
        const MARGIN: f64 = 1e-9;
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let scaled = |range: &Range| {
            let scale = self.space.axes[range.axis].scale;
            (range.low / scale, range.high / scale)
        };
        let b: Vec<_> = self.space.ranges.iter().map(|range| problem.add_var(0.0, scaled(range))).collect();
        let margin = problem.add_var(1.0, (0.0, 1.0));
        for half in half_spaces {
            let mut row: Vec<_> = b.iter().copied().zip(half.coefficients.iter().copied()).collect();
            if half.strict {
                row.push((margin, 1.0));
            }
            problem.add_constraint(&row, ComparisonOp::Le, half.right);
        }
        let needs_margin = half_spaces.iter().any(|half| half.strict);
        match problem.solve() {
            Ok(SolveOutcome::Solution(solution)) => Ok(!needs_margin || solution.objective() > MARGIN),
            Err(microlp::Error::Infeasible) => Ok(false),
            Ok(SolveOutcome::Interrupted(_)) | Err(_) => {
                Err(Error::new("the solver cannot tell which clusters someone can be in")
                    .help("scale the attributes so that their ranges are of similar size"))
            }
        }
    }
}

struct HalfSpace {
    coefficients: Vec<f64>,
    right: f64,
    strict: bool,
}

pub(super) fn is_marked(marks: &[u64], cell: usize) -> bool {
    marks[cell / 64] >> (cell % 64) & 1 == 1
}

pub(super) fn mark(marks: &mut [u64], cell: usize) {
    marks[cell / 64] |= 1 << (cell % 64);
}
