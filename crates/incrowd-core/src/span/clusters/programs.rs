//! Linear programs over the private numbers, in doubles: where a cell is deepest, and why it does not intersect the
//! box. The results are proposals, to be checked.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Solution};
use std::time::Duration;

/// The longest a program may take before it is decided by other means.
const LONGEST: Duration = Duration::from_secs(1);

/// What it takes to be in a cell, in scaled units.
pub(super) struct Program {
    /// What each private number can be.
    pub(super) ranges: Vec<(f64, f64)>,
    /// One for each other cell.
    pub(super) half_spaces: Vec<HalfSpace>,
}

/// `coefficients · b ≤ right`, divided by `size` so that no coefficient is above 1.
pub(super) struct HalfSpace {
    /// The cell on the other side.
    pub(super) cell: usize,
    pub(super) coefficients: Vec<f64>,
    pub(super) right: f64,
    pub(super) size: f64,
}

impl Program {
    /// Private numbers with the largest margin to all half-spaces, and that margin, which is negative if they are not
    /// in the cell. A margin beyond one is as good as one. `None` if the solver fails.
    pub(super) fn deepest(&self) -> Option<(Vec<f64>, f64)> {
        let mut problem = problem();
        let b: Vec<_> = self.ranges.iter().map(|&range| problem.add_var(0.0, range)).collect();
        let margin = problem.add_var(1.0, (f64::NEG_INFINITY, 1.0));
        for half in &self.half_spaces {
            let row = b.iter().copied().zip(half.coefficients.iter().copied()).chain([(margin, 1.0)]);
            problem.add_constraint(row.collect::<Vec<_>>(), ComparisonOp::Le, half.right);
        }
        let solution = solution(&problem)?;
        Some((b.iter().map(|&of_b| solution.var_value(of_b)).collect(), solution.objective()))
    }

    /// Weights of the other cells under which the left sides of their half-spaces together exceed the right sides the
    /// most, wherever in the box: the dual of [`deepest`](Self::deepest). `None` if the solver fails.
    pub(super) fn weights(&self) -> Option<Vec<(usize, f64)>> {
        let mut problem = problem();
        let weights: Vec<_> =
            self.half_spaces.iter().map(|half| problem.add_var(-half.right, (0.0, f64::INFINITY))).collect();
        let all = weights.iter().map(|&weight| (weight, 1.0)).collect::<Vec<_>>();
        problem.add_constraint(all, ComparisonOp::Eq, 1.0);
        for (axis, &(low, high)) in self.ranges.iter().enumerate() {
            let own = self.half_spaces.iter().map(|half| half.coefficients[axis]);
            let mut row: Vec<_> = weights.iter().copied().zip(own).collect();
            // What is left of the coefficients is least at an end of the range, if there is one.
            for (end, sign) in [(low, 1.0), (high, -1.0)] {
                if end.is_finite() {
                    row.push((problem.add_var(sign * end, (0.0, f64::INFINITY)), -sign));
                }
            }
            problem.add_constraint(row, ComparisonOp::Eq, 0.0);
        }
        let solution = solution(&problem)?;
        let own = |(half, &weight): (&HalfSpace, &_)| (half.cell, solution.var_value(weight) / half.size);
        let weights: Vec<(usize, f64)> =
            self.half_spaces.iter().zip(&weights).map(own).filter(|&(_, weight)| weight > 0.0).collect();
        let sum: f64 = weights.iter().map(|&(_, weight)| weight).sum();
        let shares = weights.into_iter().map(|(cell, weight)| (cell, weight / sum));
        (sum.is_finite() && sum > 0.0).then(|| shares.collect())
    }
}

fn problem() -> Problem {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    problem.set_time_limit(LONGEST);
    problem
}

fn solution(problem: &Problem) -> Option<Solution> {
    problem.solve().ok().and_then(|outcome| outcome.into_solution().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One number from 0 to 10 that must be at most `below` and at least `above`, in units of different sizes.
    fn program(below: f64, above: f64) -> Program {
        Program {
            ranges: vec![(0.0, 10.0)],
            half_spaces: vec![
                HalfSpace { cell: 3, coefficients: vec![1.0], right: below, size: 4.0 },
                HalfSpace { cell: 5, coefficients: vec![-1.0], right: -above, size: 0.5 },
            ],
        }
    }

    #[test]
    fn the_deepest_point_is_in_the_middle() {
        let near = |found: Option<(Vec<f64>, f64)>, at: f64, margin: f64| {
            let (point, found) = found.unwrap();
            assert!((point[0] - at).abs() < 1e-9 && (found - margin).abs() < 1e-9, "{point:?} {found}");
        };
        near(program(2.5, 2.0).deepest(), 2.25, 0.25);
        near(program(2.0, 5.0).deepest(), 3.5, -1.5);
        assert!((program(9.0, 1.0).deepest().unwrap().1 - 1.0).abs() < 1e-9, "a margin of one is enough");
    }

    /// Weighted, the two inequalities in their own units add up to `0 ≤ −12/9`.
    #[test]
    fn weights_show_a_contradiction() {
        let weights = program(2.0, 5.0).weights().unwrap();
        assert_eq!(weights.iter().map(|&(cell, _)| cell).collect::<Vec<_>>(), [3, 5]);
        assert!(
            (weights[0].1 - 1.0 / 9.0).abs() < 1e-9 && (weights[1].1 - 8.0 / 9.0).abs() < 1e-9,
            "{weights:?}"
        );
    }

    /// Beyond the end of the range one half-space is enough, and others have no weight.
    #[test]
    fn ends_of_ranges_count() {
        let above = Program { ranges: vec![(0.0, 4.0)], ..program(20.0, 5.0) };
        assert_eq!(above.weights().unwrap(), [(5, 1.0)]);
        let below = Program { ranges: vec![(6.0, f64::INFINITY)], ..program(5.0, 1.0) };
        assert_eq!(below.weights().unwrap(), [(3, 1.0)]);
    }
}
