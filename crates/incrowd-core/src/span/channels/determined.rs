//! Cells whose populations are determined, found without a search.
//!
//! Only sums over baskets are known. The population of a cell is a sum over its baskets, too; if it is a linear
//! combination of known sums, it is the same in every world. Baskets that have the same population in every world are
//! also known sums. Whether a sum is a combination of others is computed modulo a large prime. In the rare case that
//! this goes wrong, a cell counts as determined although it is not, which errs on the safe side, or is left to the
//! search.

use super::world::{Goal, Program, SearchResult, Sides, World};

/// A prime whose square fits into 64 bits.
const PRIME: u64 = (1 << 31) - 1;

/// Sums that are known, in echelon form.
#[derive(Default)]
pub(super) struct Determined {
    rows: Vec<(usize, Vec<u64>)>,
}

impl Determined {
    pub(super) fn by_sums(program: &Program<'_>) -> Self {
        let mut determined = Self::default();
        program.known_sums().for_each(|sides| determined.add(program.indicator(sides)));
        determined
    }

    /// Adds the baskets that have the same individuals in every world; worlds that are found on the way strike off
    /// cells.
    pub(super) fn add_fixed(&mut self, program: &Program<'_>, world: &World, open: &mut Vec<(Sides, u64)>) {
        let mut varies = vec![false; world.len()];
        for basket in 0..world.len() {
            if varies[basket] || self.has(program, program.one(basket)) {
                continue;
            }
            let (one, people) = (program.one(basket), world[basket].max(0) as u64);
            let fewer = people.checked_sub(1).map(|fewer| Goal::AtMost(one, fewer));
            let goals = fewer.into_iter().chain([Goal::AtLeast(one, people + 1)]);
            let mut is_fixed = true;
            for goal in goals {
                match program.find(&goal) {
                    SearchResult::World(other) => {
                        program.keep(open, &other, 0);
                        let differs = other.iter().zip(world).map(|(a, b)| a != b);
                        varies.iter_mut().zip(differs).for_each(|(varies, differs)| *varies |= differs);
                        is_fixed = false;
                    }
                    SearchResult::None => {}
                    SearchResult::Unknown => is_fixed = false,
                }
                if !is_fixed {
                    break;
                }
            }
            if is_fixed {
                self.add(program.indicator(one));
            }
        }
    }

    /// Whether a cell has the same individuals in every world.
    pub(super) fn has(&self, program: &Program<'_>, sides: Sides) -> bool {
        self.is_combination(program.indicator(sides))
    }

    pub(super) fn add(&mut self, mut sum: Vec<u64>) {
        self.reduce(&mut sum);
        let Some(pivot) = sum.iter().position(|&x| x != 0) else { return };
        let inverse = power(sum[pivot], PRIME - 2);
        sum.iter_mut().for_each(|x| *x = times(*x, inverse));
        self.rows.push((pivot, sum));
    }

    pub(super) fn is_combination(&self, mut sum: Vec<u64>) -> bool {
        self.reduce(&mut sum);
        sum.iter().all(|&x| x == 0)
    }

    /// Subtracts multiples of the rows. Each has nothing where earlier ones begin, so one round is enough.
    fn reduce(&self, sum: &mut [u64]) {
        for (pivot, row) in &self.rows {
            let factor = sum[*pivot];
            if factor != 0 {
                let less = |(x, y): (&mut u64, &u64)| *x = (*x + PRIME - times(factor, *y)) % PRIME;
                sum.iter_mut().zip(row).for_each(less);
            }
        }
    }
}

fn times(a: u64, b: u64) -> u64 {
    a * b % PRIME
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}
