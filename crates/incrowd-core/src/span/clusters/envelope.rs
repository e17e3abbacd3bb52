//! One private number: the interval that the half-spaces leave of its range.

use super::cells::CellsOf;
use super::measure::{differ, is_ahead};
use super::space::{Place, Range};
use crate::error::Result;

#[cfg(test)]
mod tests;

/// More than division and the operations before it can add to the error.
const DIVISION: f64 = 1.0 / (1_u64 << 49) as f64;

/// Coefficients below this have lost bits on the way.
const SMALLEST: f64 = 1e-270;

/// An end of the interval is known to lie between two numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct End {
    least: f64,
    most: f64,
}

impl End {
    fn at(number: f64) -> Self {
        Self { least: number, most: number }
    }

    /// The first whole number that is above this end and not below `low`, if it is clear which one that is. An end that
    /// may be whole itself is not clear, since it may be excluded.
    fn first_whole(self, low: f64) -> Option<f64> {
        if self.most <= f64::NEG_INFINITY {
            return Some(low);
        }
        let (least, most) = (self.least.ceil(), self.most.ceil());
        let is_clear = self.most < low || (least >= most && self.least < least && self.most < most);
        is_clear.then_some(most.max(low))
    }

    /// The last whole number that is below this end and not above `high`, if it is clear which one that is.
    fn last_whole(self, high: f64) -> Option<f64> {
        let turned = Self { least: -self.most, most: -self.least };
        turned.first_whole(-high).map(|number| -number)
    }

    /// Where the lead of another centroid, which is `lead` at the middle between the two and falls by `coefficient`,
    /// ends. `error` bounds how far the lead is from the truth. `None` beyond the precision of doubles, including
    /// results that are not numbers.
    fn of_lead(lead: f64, error: f64, middle: f64, coefficient: f64) -> Option<Self> {
        let beyond = lead / coefficient;
        let error = error / coefficient.abs() * 1.01 + (middle.abs() + beyond.abs()) * DIVISION;
        let end = Self { least: middle + beyond - error, most: middle + beyond + error };
        (error < f64::INFINITY && coefficient.abs() > SMALLEST).then_some(end)
    }
}

impl CellsOf<'_, '_> {
    /// Whether some number of the range leads into cell `i`; `offsets` are those of the axes that stay as they are.
    pub(super) fn is_on_envelope(
        &self,
        places: &[Place],
        offsets: &[f64],
        i: usize,
        range: Range,
    ) -> Result<bool> {
        let of_all = self.measure.error(self.size_of_fixed);
        // A difference of two offsets has the error of both, and a little more.
        let by_offsets = |j: usize| (offsets[j] - offsets[i], 3.0 * of_all);
        let over = |j: usize| self.measure.over(places, j, i, &self.fixed);
        let closer = |j: usize| (over(j), self.measure.error_at(places, j, i, &self.fixed));
        let found = self
            .is_left(i, range, by_offsets)
            .or_else(|| self.is_left(i, range, |j| (over(j), of_all)))
            .or_else(|| self.is_left(i, range, closer));
        found.map_or_else(|| self.is_reached_exactly(places, i), Ok)
    }

    /// The same in doubles, `None` if rounding leaves it in doubt. `lead` is how much farther centroid `j` is on the
    /// axes that stay as they are, with a bound on its error.
    pub(super) fn is_left(&self, i: usize, range: Range, lead: impl Fn(usize) -> (f64, f64)) -> Option<bool> {
        let axis = self.measure.axis(range.axis);
        let start = self.space.axes[range.axis].start;
        let (mut low, mut high) = (End::at(f64::NEG_INFINITY), End::at(f64::INFINITY));
        if !range.whole {
            (low, high) = (End::at(range.low * axis.unit), End::at(range.high * axis.unit));
        }
        let mut in_doubt = false;
        for j in (0..self.centers.len()).filter(|&j| j != i) {
            let (ci, cj) = (self.measure.near[i][start], self.measure.near[j][start]);
            // At the middle between the two centres, the axes that stay as they are decide alone.
            let (lead, error) = lead(j);
            if !differ(self.centers[i][start], self.centers[j][start]) {
                match is_ahead(lead, error) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => in_doubt = true,
                }
                continue;
            }
            let coefficient = 2.0 * axis.weight * (cj - ci);
            let Some(end) = End::of_lead(lead, error, f64::midpoint(ci, cj), coefficient) else {
                in_doubt = true;
                continue;
            };
            if coefficient > 0.0 {
                high = End { least: high.least.min(end.least), most: high.most.min(end.most) };
            } else {
                low = End { least: low.least.max(end.least), most: low.most.max(end.most) };
            }
            if low.least > high.most {
                return Some(false);
            }
        }
        match (in_doubt, range.whole) {
            (true, _) => None,
            (false, false) => (low.most < high.least).then_some(true),
            (false, true) => {
                let own = |end: End| End { least: end.least / axis.unit, most: end.most / axis.unit };
                Some(own(low).first_whole(range.low)? <= own(high).last_whole(range.high)?)
            }
        }
    }
}
