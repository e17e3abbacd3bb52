//! Inclusion and exclusion over the subsets of one set, with ranges in place of supports.

use super::Range;

/// The populations of all cells of a set, by the mask of the items present: no lower and no higher than this.
pub(super) struct Bounds {
    ranges: Vec<Range>,
    pub(super) low: Vec<i64>,
    pub(super) high: Vec<i64>,
    /// Whether all supports are known, so that nothing more follows from these.
    pub(super) is_exact: bool,
}

impl Bounds {
    /// From the ranges of its subsets, by mask. An even number of items more than a cell's adds a range, an odd number
    /// takes it away: so the middles of ranges are added with signs, and their widths without.
    pub(super) fn of(ranges: impl Iterator<Item = Range>) -> Self {
        let ranges: Vec<Range> = ranges.collect();
        let mut middle: Vec<i64> = ranges.iter().map(|range| range.low + range.high).collect();
        let mut width: Vec<i64> = ranges.iter().map(|range| range.high - range.low).collect();
        let is_exact = width.iter().all(|&width| width == 0);
        each_bit(ranges.len(), |without, with| middle[without] -= middle[with]);
        if !is_exact {
            each_bit(ranges.len(), |without, with| width[without] += width[with]);
        }
        let both = || middle.iter().zip(&width);
        let low = both().map(|(middle, width)| ((middle - width) / 2).max(0)).collect();
        let high = both().map(|(middle, width)| (middle + width) / 2).collect();
        Self { ranges, low, high, is_exact }
    }

    /// The bounds on each subset that follow because no cell is negative. If the subset has an even number of items
    /// more than I, f(I, J) ≥ 0 gives a lower bound of its support, otherwise an upper bound.
    pub(super) fn narrowed(&self) -> impl Iterator<Item = Range> {
        let (mut even, mut odd) = (self.high.clone(), vec![i64::MAX; self.high.len()]);
        each_bit(self.high.len(), |without, with| {
            (even[with], odd[with]) = (even[with].min(odd[without]), odd[with].min(even[without]));
        });
        let highest = |range: &Range, least: i64| range.low.saturating_add(least);
        let bounds: Vec<Range> = (self.ranges.iter().zip(even.iter().zip(&odd)))
            .map(|(range, (&even, &odd))| Range { low: range.high - even, high: highest(range, odd) })
            .collect();
        bounds.into_iter()
    }
}

/// Calls `step` for every pair of masks that differ in one bit, bit by bit: without it and with it.
pub(super) fn each_bit(masks: usize, mut step: impl FnMut(usize, usize)) {
    let mut bit = 1;
    while bit < masks {
        for block in (0..masks).step_by(2 * bit) {
            (block..block + bit).for_each(|mask| step(mask, mask | bit));
        }
        bit <<= 1;
    }
}
