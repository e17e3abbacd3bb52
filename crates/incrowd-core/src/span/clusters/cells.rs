//! Cells of centroids in a space: whose somebody is, and whose he can be.

use super::finite;
use super::several::Evidence;
use super::space::{ClusterSpace, Combinations, Place, Range};
use crate::error::Result;

/// Centroids in a space.
pub(super) struct CellsOf<'s, 'a> {
    pub(super) space: &'s ClusterSpace<'a>,
    pub(super) centers: Vec<&'s [f64]>,
    /// For each axis of names and each pair of centroids (i, j), by their places: `|c_j|² − |c_i|²` over its coordinates.
    squares: Vec<Vec<f64>>,
    all: Vec<usize>,
    /// The axes that stay as they are when private numbers vary.
    pub(super) fixed: Vec<usize>,
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
    pub(super) fn farther_on(&self, axis: usize, place: Place, j: usize, i: usize) -> f64 {
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
    pub(super) fn farther(&self, places: &[Place], j: usize, i: usize, axes: &[usize]) -> Result<f64> {
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

    /// How much farther every centroid is than the first one on the axes that stay as they are.
    pub(super) fn offsets(&self, places: &[Place]) -> Result<Vec<f64>> {
        (0..self.centers.len()).map(|j| self.farther(places, j, 0, &self.fixed)).collect()
    }

    /// Marks the cells that someone can be in whose public coordinates are those in `places`. Cells marked already are not looked at.
    pub(super) fn reach(
        &self,
        places: &mut [Place],
        marks: &mut [u64],
        evidence: &mut Evidence,
    ) -> Result<()> {
        self.space.each_combination(places, |places| {
            match self.space.ranges[..] {
                [] => mark(marks, self.nearest(places)? as usize),
                [range] => self.mark_if(marks, |i| self.is_on_envelope(places, i, range))?,
                _ => {
                    let offsets = self.offsets(places)?;
                    self.mark_if(marks, |i| self.is_reached(places, &offsets, i, evidence))?;
                }
            }
            let marked: u32 = marks.iter().map(|word| word.count_ones()).sum();
            Ok(if marked as usize == self.centers.len() { Combinations::Enough } else { Combinations::Next })
        })
    }

    fn mark_if(&self, marks: &mut [u64], mut is_reached: impl FnMut(usize) -> Result<bool>) -> Result<()> {
        for i in 0..self.centers.len() {
            if !is_marked(marks, i) && is_reached(i)? {
                mark(marks, i);
            }
        }
        Ok(())
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
}

pub(super) fn is_marked(marks: &[u64], cell: usize) -> bool {
    marks[cell / 64] >> (cell % 64) & 1 == 1
}

pub(super) fn mark(marks: &mut [u64], cell: usize) {
    marks[cell / 64] |= 1 << (cell % 64);
}
