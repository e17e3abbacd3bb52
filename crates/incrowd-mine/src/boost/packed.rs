//! Sums of gradients in two words, and the bins of a row side by side: what is added up most often when a tree is grown.
//!
//! Curvatures and individuals share a word, each in as many bits as the sum over all rows needs, so that sums of some
//! rows never overflow, and the sum of one child is the parent's less the other's. Only where both together do not fit
//! into a word (about 3 million individuals) are curvatures rounded, to as few bits as necessary.

use super::grow::{Examples, Sums, UNIT};
use rayon::prelude::*;

/// Rows that one thread works on in one go.
const BLOCK: usize = 1 << 12;

/// The most bits of a sum of individuals.
const MOST_BITS: u32 = 34;

/// Sums over some rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Packed {
    gradient: i64,
    /// Individuals above, curvature below.
    rest: u64,
}

impl Packed {
    #[inline]
    pub(crate) fn add(&mut self, other: Self) {
        self.gradient += other.gradient;
        self.rest += other.rest;
    }

    /// The sums over the other rows of these, which include some rows.
    #[inline]
    pub(crate) fn less(self, part: Self) -> Self {
        Self { gradient: self.gradient - part.gradient, rest: self.rest - part.rest }
    }

    /// Whether there are no such rows.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// How sums are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packing {
    /// The bits of curvatures.
    bits: u32,
    /// The lowest bits of curvatures and of individuals, which are left out.
    coarse: [u32; 2],
}

impl Packing {
    /// Room for some rows: the highest sum of their curvatures, and the individuals of each, in units.
    pub(crate) fn new(curvature: f64, individuals: &[i64]) -> Self {
        let unit = UNIT as i64;
        // Where individuals have several rows, a row counts for a share. It is rounded down, so that rows never count for
        // more individuals than they are of.
        let is_whole = individuals.par_iter().all(|own| own % unit == 0);
        let mut low = if is_whole { unit.trailing_zeros() } else { 8 };
        let sum = |low: u32| individuals.par_iter().map(|own| (own >> low) as u64).sum::<u64>();
        let width = |sum: u64| u64::BITS - sum.leading_zeros();
        while width(sum(low)) > MOST_BITS {
            low += 1;
        }
        let bits = u64::BITS - width(sum(low)).max(1);
        let fits = |coarse: u32| {
            curvature / f64::from(1 << coarse) + (individuals.len() as f64) < 2_f64.powi(bits as i32)
        };
        let coarse = (0..30).find(|&coarse| fits(coarse)).unwrap_or(30);
        Self { bits, coarse: [coarse, low] }
    }

    /// The sums of one row.
    #[inline]
    pub(crate) fn pack(&self, gradient: i64, curvature: i64, individuals: i64) -> Packed {
        let [coarse, low] = self.coarse;
        let curvature = (curvature + (1 << coarse >> 1)) >> coarse;
        Packed { gradient, rest: ((individuals >> low) as u64) << self.bits | curvature as u64 }
    }

    /// The sums in units.
    #[inline]
    pub(crate) fn sums(&self, packed: Packed) -> Sums {
        let [coarse, low] = self.coarse;
        let curvature = packed.rest & ((1 << self.bits) - 1);
        Sums {
            gradient: packed.gradient,
            curvature: (curvature << coarse) as i64,
            individuals: ((packed.rest >> self.bits) << low) as i64,
        }
    }
}

/// The bins of each row side by side, so that one line of the cache has all of them.
pub(crate) struct Lines {
    width: usize,
    bins: Vec<u8>,
}

impl Lines {
    /// The lines of all rows.
    pub(crate) fn new(examples: &Examples) -> Self {
        let width = examples.bins.len();
        let mut bins = vec![0; examples.individuals.len() * width];
        bins.par_chunks_mut((BLOCK * width).max(1)).enumerate().for_each(|(block, lines)| {
            let first = block * BLOCK;
            for (place, own) in examples.bins.iter().enumerate() {
                lines.chunks_exact_mut(width).zip(&own[first..]).for_each(|(line, &bin)| line[place] = bin);
            }
        });
        Self { width, bins }
    }

    /// The first bin of a row; there must be features.
    #[inline]
    pub(crate) fn first_of(&self, row: u32) -> u8 {
        self.bins[row as usize * self.width]
    }

    /// The bins of a row.
    #[inline]
    pub(crate) fn of(&self, row: u32) -> &[u8] {
        &self.bins[row as usize * self.width..][..self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_fit_and_come_back() {
        let unit = UNIT as i64;
        for individuals in [vec![unit; 3], vec![unit / 3, unit / 3, unit], vec![unit * 4_000_000_000; 3]] {
            let of_row = [(-unit, unit / 4), (unit / 7, unit / 5), (3, 0)];
            let packing = Packing::new(0.75 * UNIT, &individuals);
            let mut all = Packed::default();
            let rows: Vec<Packed> = of_row
                .iter()
                .zip(&individuals)
                .map(|(&(gradient, curvature), &own)| packing.pack(gradient, curvature, own))
                .collect();
            rows.iter().for_each(|&row| all.add(row));
            let sums = packing.sums(all);
            assert_eq!(sums.gradient, -unit + unit / 7 + 3);
            assert_eq!(sums.curvature, unit / 4 + unit / 5);
            let exact: i64 = individuals.iter().sum();
            assert!(sums.individuals <= exact && exact - sums.individuals < unit, "{sums:?}");
            let rest = packing.sums(all.less(rows[0]));
            assert_eq!(rest.gradient, unit / 7 + 3);
            assert_eq!(rest.curvature, unit / 5);
        }
    }

    #[test]
    fn curvatures_are_rounded_where_there_is_no_room() {
        let individuals = vec![UNIT as i64 * 4_000_000_000; 3];
        let packing = Packing::new(UNIT * 3e9, &individuals);
        let curvature = UNIT as i64 * 1_000_000_000;
        let mut all = Packed::default();
        (0..3).for_each(|_| all.add(packing.pack(-5, curvature, individuals[0])));
        let sums = packing.sums(all);
        assert_eq!((sums.gradient, sums.individuals), (-15, 3 * individuals[0]));
        assert!((sums.curvature - 3 * curvature).abs() as f64 <= 1e-3 * (3 * curvature) as f64, "{sums:?}");
    }
}
