//! Cells of centroids in a space: which one contains an individual, and which ones can.

use super::choices::{Combinations, Representatives};
use super::exact::{Answer, Exact};
use super::measure::{Measure, is_ahead};
use super::several::Evidence;
use super::space::{ClusterSpace, Place};
use crate::error::Result;
use std::cmp::Ordering;

/// Centroids in a space. Comparisons are made in doubles where rounding leaves no doubt, and exactly where it does.
pub(super) struct CellsOf<'s, 'a> {
    pub(super) space: &'s ClusterSpace<'a>,
    pub(super) centers: Vec<&'s [f64]>,
    pub(super) measure: Measure,
    pub(super) exact: Exact<'s, 'a>,
    pub(super) all: Vec<usize>,
    /// What rounding can do to comparisons over all axes, wherever.
    pub(super) error: f64,
    /// The axes that stay as they are when private numbers vary.
    pub(super) fixed: Vec<usize>,
    /// The size of what is added up over those, at most.
    pub(super) size_of_fixed: f64,
    /// The combinations of private names to try.
    pub(super) representatives: Representatives,
}

impl<'s, 'a> CellsOf<'s, 'a> {
    pub(super) fn new(space: &'s ClusterSpace<'a>, centers: Vec<&'s [f64]>) -> Self {
        let all: Vec<usize> = (0..space.axes.len()).collect();
        let varies = |axis: &usize| space.ranges.iter().any(|range| range.axis == *axis);
        let fixed: Vec<usize> = all.iter().copied().filter(|axis| !varies(axis)).collect();
        let mut measure = Measure::new(space, &centers);
        if space.near.is_some() {
            measure.spread_names(space);
        }
        Self {
            space,
            error: measure.error(measure.size(&all)),
            size_of_fixed: measure.size(&fixed),
            exact: Exact::new(space, centers.clone()),
            representatives: space.choices.representatives(&space.axes, &centers),
            measure,
            centers,
            all,
            fixed,
        }
    }

    /// How the squared distance of centroid `j` compares with that of centroid `i`.
    fn compare(&self, places: &[Place], j: usize, i: usize) -> Ordering {
        let value = self.measure.over(places, j, i, &self.all);
        let closer = || is_ahead(value, self.measure.error_at(places, j, i, &self.all));
        match is_ahead(value, self.error).or_else(closer) {
            Some(true) => Ordering::Greater,
            Some(false) => Ordering::Less,
            None => self.exact.compare(places, j, i, &self.all),
        }
    }

    /// The nearest centroid, the first one on a tie.
    pub(super) fn nearest(&self, places: &[Place]) -> u32 {
        self.nearest_of(places, 0..self.centers.len())
    }

    /// The nearest of some centroids, given in their order, the first one on a tie.
    pub(super) fn nearest_of(&self, places: &[Place], mut centroids: impl Iterator<Item = usize>) -> u32 {
        let mut best = centroids.next().unwrap_or(0);
        for centroid in centroids {
            if self.compare(places, centroid, best) == Ordering::Less {
                best = centroid;
            }
        }
        best as u32
    }

    /// How much farther every centroid is than the first one on the axes that stay as they are.
    pub(super) fn offsets(&self, places: &[Place]) -> Vec<f64> {
        (0..self.centers.len()).map(|j| self.measure.over(places, j, 0, &self.fixed)).collect()
    }

    /// Marks the cells that someone can be in who is known as the individual of `row` is, whose places are given. Cells
    /// marked already are not looked at, nor those that are `barred`, which no such individual can be in.
    pub(super) fn reach(
        &self,
        row: usize,
        places: &mut [Place],
        marks: &mut [u64],
        barred: &[u64],
        evidence: &mut Evidence,
    ) -> Result<()> {
        self.space.choices.each(row, &self.representatives, places, |places| {
            match self.space.ranges[..] {
                [] => mark(marks, self.nearest(places) as usize),
                [range] => {
                    let offsets = self.offsets(places);
                    self.mark_if(marks, barred, |i| self.is_on_envelope(places, &offsets, i, range))?;
                }
                _ => {
                    let offsets = self.offsets(places);
                    self.mark_if(marks, barred, |i| self.is_reached(places, &offsets, i, evidence))?;
                }
            }
            let marked: u32 = marks.iter().zip(barred).map(|(mark, bar)| (mark | bar).count_ones()).sum();
            Ok(if marked as usize == self.centers.len() { Combinations::Enough } else { Combinations::Next })
        })
    }

    fn mark_if(
        &self,
        marks: &mut [u64],
        barred: &[u64],
        mut is_reached: impl FnMut(usize) -> Result<bool>,
    ) -> Result<()> {
        for i in 0..self.centers.len() {
            if !is_marked(marks, i) && !is_marked(barred, i) && is_reached(i)? {
                mark(marks, i);
            }
        }
        Ok(())
    }

    /// Whether some private numbers lead into cell `i`, decided exactly.
    pub(super) fn is_reached_exactly(&self, places: &[Place], i: usize) -> Result<bool> {
        Ok(matches!(self.exact.decide(places, i, &self.fixed)?, Answer::Reached))
    }
}

pub(super) fn is_marked(marks: &[u64], cell: usize) -> bool {
    marks[cell / 64] >> (cell % 64) & 1 == 1
}

pub(super) fn mark(marks: &mut [u64], cell: usize) {
    marks[cell / 64] |= 1 << (cell % 64);
}
