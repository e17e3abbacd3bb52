//! Linear programs over the private numbers: where a cell is deepest, why it has nothing of the box, and whether it has anything.

use crate::error::{Error, Result};
use microlp::{ComparisonOp, OptimizationDirection, Problem, Solution, SolveOutcome};

/// What it takes to be in a cell, in scaled units.
pub(super) struct Program {
    /// What each private number can be.
    pub(super) ranges: Vec<(f64, f64)>,
    /// One for each other cell.
    pub(super) half_spaces: Vec<HalfSpace>,
}

/// `coefficients · b ≤ right`, or `<` if strict.
pub(super) struct HalfSpace {
    /// The cell on the other side.
    pub(super) cell: usize,
    pub(super) coefficients: Vec<f64>,
    pub(super) right: f64,
    pub(super) strict: bool,
}

impl Program {
    /// Private numbers with the largest margin to all half-spaces, and that margin, which is negative if they are not in the cell. A
    /// margin beyond one is as good as one. `None` if the solver fails.
    pub(super) fn deepest(&self) -> Option<(Vec<f64>, f64)> {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let b: Vec<_> = self.ranges.iter().map(|&range| problem.add_var(0.0, range)).collect();
        let margin = problem.add_var(1.0, (f64::NEG_INFINITY, 1.0));
        for half in &self.half_spaces {
            let row = b.iter().copied().zip(half.coefficients.iter().copied()).chain([(margin, 1.0)]);
            problem.add_constraint(row.collect::<Vec<_>>(), ComparisonOp::Le, half.right);
        }
        let solution = solution(&problem)?;
        Some((b.iter().map(|&of_b| solution.var_value(of_b)).collect(), solution.objective()))
    }

    /// Weights of the half-spaces that add up to one, under which their left sides together exceed the right sides the most, wherever in
    /// the box: the dual of [`deepest`](Self::deepest). `None` if the solver fails.
    pub(super) fn weights(&self) -> Option<Vec<f64>> {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
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
        Some(weights.iter().map(|&weight| solution.var_value(weight)).collect())
    }

    /// Whether the cell has a point of the box: maximizes how far the strict half-spaces are beaten. It has one iff there is a point, and a
    /// positive margin where one is needed.
    pub(super) fn is_feasible(&self) -> Result<bool> {
        const MARGIN: f64 = 1e-9;
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let b: Vec<_> = self.ranges.iter().map(|&range| problem.add_var(0.0, range)).collect();
        let margin = problem.add_var(1.0, (0.0, 1.0));
        for half in &self.half_spaces {
            let mut row: Vec<_> = b.iter().copied().zip(half.coefficients.iter().copied()).collect();
            if half.strict {
                row.push((margin, 1.0));
            }
            problem.add_constraint(&row, ComparisonOp::Le, half.right);
        }
        let needs_margin = self.half_spaces.iter().any(|half| half.strict);
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

fn solution(problem: &Problem) -> Option<Solution> {
    problem.solve().ok().and_then(|outcome| outcome.into_solution().ok())
}
