//! One private number: the interval that the half-spaces leave of its range.

use super::cells::CellsOf;
use super::measure::differ;
use super::space::{Place, Range};
use crate::error::Result;

/// An end of the interval is known to lie between two numbers.
#[derive(Clone, Copy)]
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
}

impl CellsOf<'_, '_> {
    /// Whether some number of the range leads into cell `i`.
    pub(super) fn is_on_envelope(&self, places: &[Place], i: usize, range: Range) -> Result<bool> {
        let of_all = self.measure.error(self.size_of_fixed);
        let found = self
            .is_left(places, i, range, |_| of_all)
            .or_else(|| self.is_left(places, i, range, |j| self.measure.error_at(places, j, i, &self.fixed)));
        found.map_or_else(|| self.is_reached_exactly(places, i), Ok)
    }

    /// The same in doubles, `None` if rounding leaves it in doubt. `error` bounds what it does to the axes that stay as
    /// they are.
    fn is_left(
        &self,
        places: &[Place],
        i: usize,
        range: Range,
        error: impl Fn(usize) -> f64,
    ) -> Option<bool> {
        /// More than division and the operations before it can add to the error.
        const DIVISION: f64 = 1.0 / (1_u64 << 49) as f64;
        /// Less has lost bits on the way.
        const SMALLEST: f64 = 1e-270;
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
            let (lead, error) = (self.measure.over(places, j, i, &self.fixed), error(j));
            let coefficient = 2.0 * axis.weight * (cj - ci);
            if !differ(self.centers[i][start], self.centers[j][start]) {
                if lead < -error {
                    return Some(false);
                }
                in_doubt |= lead <= error;
                continue;
            }
            let (middle, beyond) = (f64::midpoint(ci, cj), lead / coefficient);
            let error = error / coefficient.abs() * 1.01 + (middle.abs() + beyond.abs()) * DIVISION;
            let (least, most) = (middle + beyond - error, middle + beyond + error);
            if coefficient > 0.0 {
                high = End { least: high.least.min(least), most: high.most.min(most) };
            } else {
                low = End { least: low.least.max(least), most: low.most.max(most) };
            }
            // Beyond the precision of doubles, including results that are not numbers.
            in_doubt |= !(error < f64::INFINITY && coefficient.abs() > SMALLEST);
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
