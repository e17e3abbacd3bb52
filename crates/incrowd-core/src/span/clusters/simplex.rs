//! Whether linear inequalities over bounded variables have a common solution, decided in whole numbers.
//!
//! The general simplex method of Dutertre and de Moura (*A fast linear-arithmetic solver for DPLL(T)*, CAV 2006): every
//! inequality has a variable for its left side, which is bounded by the right side. Variables that are not in the basis
//! are at a bound; while one in the basis is beyond one of its bounds, it is exchanged with one that can compensate,
//! and if there is none, its row is the reason why no solution exists. With the smallest variable chosen each time
//! (Bland's rule), no basis is repeated, so it terminates. A strict bound is the bound less an infinitely small number.
//! The rows have one common denominator, as in Edmonds' and Bareiss' elimination, so that fractions are never needed
//! and entries stay determinants of the system.

use super::dyadic::sign;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// The most changes of the basis before a system counts as undecided.
const PIVOTS: usize = 10_000;

/// `number + tiny · δ` for a δ that is above 0 and below everything else.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value {
    pub(super) number: BigInt,
    pub(super) tiny: BigInt,
}

impl Value {
    pub(super) fn of(number: BigInt) -> Self {
        Self { number, tiny: BigInt::ZERO }
    }

    fn times(&self, factor: &BigInt) -> Self {
        Self { number: &self.number * factor, tiny: &self.tiny * factor }
    }
}

/// What a variable can be.
#[derive(Debug, Clone, Default)]
pub(super) struct Bounds {
    pub(super) low: Option<Value>,
    pub(super) high: Option<Value>,
}

/// `coefficients · x ≤ right`, or `<` if strict.
#[derive(Debug, Clone)]
pub(super) struct Inequality {
    pub(super) coefficients: Vec<BigInt>,
    pub(super) right: BigInt,
    pub(super) strict: bool,
}

/// What became of a system.
#[derive(Debug)]
pub(super) enum Solved {
    /// A solution: for each variable a value, and what it has to be divided by.
    Point(Vec<(Value, BigInt)>),
    /// Weights of the inequalities, none below 0, whose weighted sum has no solution within the bounds.
    Contradiction(Vec<BigInt>),
    /// It took too many steps.
    Undecided,
}

/// Decides inequalities over variables with bounds.
pub(super) fn solve(inequalities: &[Inequality], bounds: &[Bounds]) -> Solved {
    Tableau::new(inequalities, bounds).solve()
}

/// `denominator · basic = entries · others`, row by row. Variables are counted from those of the system, then the left
/// sides.
struct Tableau {
    bounds: Vec<Bounds>,
    variables: usize,
    entries: Vec<Vec<BigInt>>,
    /// Above 0.
    denominator: BigInt,
    basic: Vec<usize>,
    others: Vec<usize>,
    /// The values of the variables that are not in the basis.
    at: Vec<Value>,
}

/// A row whose variable is beyond a bound.
struct Broken {
    row: usize,
    bound: Value,
    is_above: bool,
}

impl Tableau {
    fn new(inequalities: &[Inequality], bounds: &[Bounds]) -> Self {
        let variables = bounds.len();
        let right = |inequality: &Inequality| {
            let tiny = BigInt::from(-i32::from(inequality.strict));
            Bounds { low: None, high: Some(Value { number: inequality.right.clone(), tiny }) }
        };
        let start = |bounds: &Bounds| {
            let bound = bounds.low.as_ref().or(bounds.high.as_ref());
            bound.cloned().unwrap_or(Value::of(BigInt::ZERO))
        };
        Self {
            bounds: bounds.iter().cloned().chain(inequalities.iter().map(right)).collect(),
            variables,
            entries: inequalities.iter().map(|inequality| inequality.coefficients.clone()).collect(),
            denominator: BigInt::from(1),
            basic: (variables..variables + inequalities.len()).collect(),
            others: (0..variables).collect(),
            at: bounds.iter().map(start).collect(),
        }
    }

    fn solve(mut self) -> Solved {
        let crossed =
            |bounds: &Bounds| matches!(bounds, Bounds { low: Some(low), high: Some(high) } if low > high);
        if self.bounds.iter().any(crossed) {
            return Solved::Contradiction(vec![BigInt::ZERO; self.basic.len()]);
        }
        for _ in 0..PIVOTS {
            let Some(broken) = self.broken() else { return Solved::Point(self.point()) };
            match self.room_for(&broken) {
                Some(column) => self.exchange(&broken, column),
                None => return Solved::Contradiction(self.weights(&broken)),
            }
        }
        Solved::Undecided
    }

    /// The smallest variable of the basis that is beyond a bound.
    fn broken(&self) -> Option<Broken> {
        let mut first: Option<Broken> = None;
        for (row, &variable) in self.basic.iter().enumerate() {
            if first.as_ref().is_some_and(|first| self.basic[first.row] < variable) {
                continue;
            }
            let value = self.value(row);
            let Bounds { low, high } = &self.bounds[variable];
            let above = high.as_ref().filter(|high| value > high.times(&self.denominator));
            let below = low.as_ref().filter(|low| value < low.times(&self.denominator));
            if let Some(bound) = above.or(below) {
                first = Some(Broken { row, bound: bound.clone(), is_above: above.is_some() });
            }
        }
        first
    }

    /// The value of a row's variable, times the denominator.
    fn value(&self, row: usize) -> Value {
        let mut sum = Value::of(BigInt::ZERO);
        for (entry, at) in self.entries[row].iter().zip(&self.at) {
            sum.number += entry * &at.number;
            sum.tiny += entry * &at.tiny;
        }
        sum
    }

    /// The smallest variable outside the basis that can move so that the broken one moves towards its bound.
    fn room_for(&self, broken: &Broken) -> Option<usize> {
        let can_move = |&column: &usize| {
            let bounds = &self.bounds[self.others[column]];
            let can_rise = || bounds.high.as_ref().is_none_or(|high| self.at[column] < *high);
            let can_fall = || bounds.low.as_ref().is_none_or(|low| self.at[column] > *low);
            match sign(&self.entries[broken.row][column]) {
                Ordering::Equal => false,
                Ordering::Greater => {
                    if broken.is_above {
                        can_fall()
                    } else {
                        can_rise()
                    }
                }
                Ordering::Less => {
                    if broken.is_above {
                        can_rise()
                    } else {
                        can_fall()
                    }
                }
            }
        };
        (0..self.others.len()).filter(can_move).min_by_key(|&column| self.others[column])
    }

    /// Brings the broken variable to its bound and out of the basis, and the one of a column in.
    fn exchange(&mut self, broken: &Broken, column: usize) {
        let mut row = std::mem::take(&mut self.entries[broken.row]);
        let pivot = std::mem::replace(&mut row[column], -&self.denominator);
        for entries in self.entries.iter_mut().filter(|entries| !entries.is_empty()) {
            let factor = std::mem::replace(&mut entries[column], BigInt::ZERO);
            for (place, entry) in entries.iter_mut().enumerate() {
                if place == column {
                    entry.clone_from(&factor);
                } else {
                    // Exact: entries are minors of the system, and the denominator divides this difference of two
                    // products.
                    *entry = (&pivot * &*entry - &factor * &row[place]) / &self.denominator;
                }
            }
        }
        row.iter_mut().for_each(|entry| *entry = -std::mem::take(entry));
        self.entries[broken.row] = row;
        self.denominator = pivot;
        if sign(&self.denominator) == Ordering::Less {
            self.denominator = -std::mem::take(&mut self.denominator);
            let entries = self.entries.iter_mut().flatten();
            entries.for_each(|entry| *entry = -std::mem::take(entry));
        }
        std::mem::swap(&mut self.basic[broken.row], &mut self.others[column]);
        self.at[column] = broken.bound.clone();
    }

    /// The values of the system's variables.
    fn point(&self) -> Vec<(Value, BigInt)> {
        let of = |variable: usize| {
            if let Some(row) = self.basic.iter().position(|&basic| basic == variable) {
                return (self.value(row), self.denominator.clone());
            }
            let column = self.others.iter().position(|&other| other == variable).unwrap_or(0);
            (self.at[column].clone(), BigInt::from(1))
        };
        (0..self.variables).map(of).collect()
    }

    /// Why the broken variable cannot come to its bound: its own inequality, if it has one, and those that bound the
    /// others.
    fn weights(&self, broken: &Broken) -> Vec<BigInt> {
        let mut weights = vec![BigInt::ZERO; self.basic.len() + self.others.len() - self.variables];
        let mut add = |variable: usize, weight: BigInt| {
            if variable >= self.variables {
                weights[variable - self.variables] = weight;
            }
        };
        add(self.basic[broken.row], self.denominator.clone());
        for (&variable, entry) in self.others.iter().zip(&self.entries[broken.row]) {
            add(variable, if sign(entry) == Ordering::Less { -entry } else { entry.clone() });
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn whole(random: &mut Random) -> BigInt {
        BigInt::from(random.below(9) as i32 - 4)
    }

    fn bounds(random: &mut Random) -> Bounds {
        let (low, high) = (random.below(7) as i32 - 5, random.below(7) as i32 - 1);
        let mut bound = |at: i32| random.percent(75).then(|| Value::of(BigInt::from(at)));
        Bounds { low: bound(low), high: bound(high) }
    }

    fn inequality(random: &mut Random, variables: usize) -> Inequality {
        let coefficients = (0..variables).map(|_| whole(random)).collect();
        Inequality { coefficients, right: whole(random), strict: random.percent(40) }
    }

    /// Whether a point is within all bounds and inequalities.
    fn is_solution(point: &[(Value, BigInt)], inequalities: &[Inequality], bounds: &[Bounds]) -> bool {
        let within = |((value, under), bounds): (&(Value, BigInt), &Bounds)| {
            *under > BigInt::ZERO
                && bounds.low.as_ref().is_none_or(|low| *value >= low.times(under))
                && bounds.high.as_ref().is_none_or(|high| *value <= high.times(under))
        };
        let meets = |inequality: &Inequality| {
            let all: BigInt = point.iter().map(|(_, under)| under).product();
            let (mut number, mut tiny) = (BigInt::ZERO, BigInt::ZERO);
            for ((value, under), coefficient) in point.iter().zip(&inequality.coefficients) {
                let factor = coefficient * (&all / under);
                number += &value.number * &factor;
                tiny += &value.tiny * &factor;
            }
            let strict = BigInt::from(-i32::from(inequality.strict));
            Value { number, tiny } <= Value { number: inequality.right.clone(), tiny: strict }.times(&all)
        };
        point.iter().zip(bounds).all(within) && inequalities.iter().all(meets)
    }

    /// Whether the weighted sum of inequalities has no solution within the bounds.
    fn is_contradiction(weights: &[BigInt], inequalities: &[Inequality], bounds: &[Bounds]) -> bool {
        let crossed =
            |bounds: &Bounds| bounds.low.as_ref().zip(bounds.high.as_ref()).is_some_and(|(l, h)| l > h);
        if bounds.iter().any(crossed) {
            return true;
        }
        let mut least = BigInt::ZERO;
        for (variable, bounds) in bounds.iter().enumerate() {
            let own: BigInt =
                weights.iter().zip(inequalities).map(|(w, row)| w * &row.coefficients[variable]).sum();
            let end = match sign(&own) {
                Ordering::Equal => continue,
                Ordering::Greater => &bounds.low,
                Ordering::Less => &bounds.high,
            };
            let Some(end) = end else { return false };
            least += own * &end.number;
        }
        let right: BigInt = weights.iter().zip(inequalities).map(|(w, row)| w * &row.right).sum();
        let strict = weights.iter().zip(inequalities).any(|(w, row)| row.strict && *w > BigInt::ZERO);
        weights.iter().all(|weight| *weight >= BigInt::ZERO) && (least > right || (least == right && strict))
    }

    /// Every solution solves, and every contradiction is one: each proves its answer.
    #[test]
    fn answers_prove_themselves() {
        let (mut points, mut contradictions) = (0, 0);
        for seed in 0..4000 {
            let random = &mut Random::of(seed, 0);
            let variables = 1 + random.below(3) as usize;
            let bounds: Vec<Bounds> = (0..variables).map(|_| bounds(random)).collect();
            let inequalities: Vec<Inequality> =
                (0..=random.below(4)).map(|_| inequality(random, variables)).collect();
            match solve(&inequalities, &bounds) {
                Solved::Point(point) => {
                    assert!(is_solution(&point, &inequalities, &bounds), "seed {seed}");
                    points += 1;
                }
                Solved::Contradiction(weights) => {
                    assert!(is_contradiction(&weights, &inequalities, &bounds), "seed {seed}: {weights:?}");
                    contradictions += 1;
                }
                Solved::Undecided => panic!("seed {seed}"),
            }
        }
        assert!(points > 1000 && contradictions > 1000, "{points} {contradictions}");
    }
}
