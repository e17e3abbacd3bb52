//! Spans of clusterings by nearest centroid.
//!
//! For someone with public coordinates a, cell i can be reached iff some private b in the declared box is nearest to centroid i,
//! that is `2(c_j − c_i)·b ≤ w_j − w_i + |c_j|² − |c_i|²` for all j, with w the squared public distances; strictly so for j
//! before i, since the first centroid wins ties. One private axis gives an interval for each i (the lower envelope of parabolas), several a
//! small linear program. The three-way update of the VLDB paper is wrong here: a cut can change spans of clusters it does
//! not touch, so spans are always derived afresh from the centroids.
//!
//! Work: m² steps for each different public point with m centroids and one private axis; m programs of m rows with several.
//! Numbers are `f64`. Differences of squared distances are taken as products, `(c_i − c_j)·(2a − (c_i + c_j))`, so that far centroids
//! do not cancel each other out; they are compared as computed, without a tolerance, except that the solver's own (1e-9) decides
//! with several private axes. A difference that is not finite is refused: rounding must not make a release look safe.

use super::bind::{not_numeric, outside};
use super::{Bins, Cells, Linking, Sensitive, Tells};
use crate::error::{Error, Result};
use crate::group::{Grouping, group_rows};
use crate::model::Clusters;
use crate::policy::Policy;
use crate::table::{Column, Table};
use hashbrown::HashMap;
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
use rayon::prelude::*;

pub(super) fn link<'a>(table: &'a Table, policy: &Policy, clusters: &'a Clusters) -> Result<Linking<'a>> {
    let space = Space::new(table, policy, clusters)?;
    let points = space.public_points(table.rows());
    let nearest: Vec<u32> =
        (0..table.rows()).into_par_iter().map(|row| space.nearest(row)).collect::<Result<_>>()?;
    let mut reach: Vec<Vec<u32>> =
        points.first_rows().par_iter().map(|&row| space.reach(row as usize)).collect::<Result<_>>()?;
    // Whoever is in a cell can be there, whatever the last bit of a rounded comparison says.
    for (&point, &cell) in points.of_row.iter().zip(&nearest) {
        let cells = &mut reach[point as usize];
        if let Err(place) = cells.binary_search(&cell) {
            cells.insert(place, cell);
        }
    }
    Ok(join(&points, &nearest, reach, clusters.centroids().len()))
}

/// Joins public points of equal reach into spans.
fn join<'a>(points: &Grouping, nearest: &[u32], reach: Vec<Vec<u32>>, centroids: usize) -> Linking<'a> {
    let mut occupied = vec![false; centroids];
    nearest.iter().for_each(|&cell| occupied[cell as usize] = true);
    let number_of_cell: Vec<u32> = occupied
        .iter()
        .scan(0, |next, &held| {
            Some(if held {
                *next += 1;
                *next - 1
            } else {
                u32::MAX
            })
        })
        .collect();
    let mut spans: Vec<Vec<u32>> = Vec::new();
    let mut number: HashMap<Vec<u32>, u32> = HashMap::new();
    let span_of_point: Vec<u32> = reach
        .into_iter()
        .map(|cells| {
            *number.entry(cells).or_insert_with_key(|cells| {
                spans.push(cells.clone());
                spans.len() as u32 - 1
            })
        })
        .collect();
    let held = |cells: &Vec<u32>| -> Vec<u32> {
        cells.iter().map(|&cell| number_of_cell[cell as usize]).filter(|&bin| bin != u32::MAX).collect()
    };
    let bins = Bins {
        of_row: nearest.iter().map(|&cell| number_of_cell[cell as usize]).collect(),
        count: occupied.iter().filter(|&&held| held).count(),
        place: (0..centroids).filter(|&cell| occupied[cell]).collect(),
        reach: spans.iter().map(held).collect(),
        tells: Box::new(CellTells),
    };
    let silent = |cells: &Vec<u32>| if cells.len() == 1 { Sensitive::SILENT } else { 0 };
    let cluster = Sensitive {
        telling_of_span: spans.iter().map(silent).collect(),
        ..Sensitive::plain("cluster", Cells::Bin, bins.count)
    };
    Linking {
        span_of_row: points.of_row.iter().map(|&point| span_of_point[point as usize]).collect(),
        spans: spans.len(),
        single_bin: spans.iter().map(|cells| cells.len() == 1).collect(),
        sensitive: vec![cluster],
        bins: Some(bins),
        derived: None,
        rules: Box::new(move |span| {
            let names: Vec<String> = spans[span].iter().map(|cell| (cell + 1).to_string()).collect();
            format!("nearest to centroid {}", names.join(" or "))
        }),
    }
}

/// Being in a cluster means being in that cluster.
struct CellTells;

impl Tells for CellTells {
    fn cells(&self, _span: usize, bin: u32, _sensitive: usize) -> Result<Vec<u32>> {
        Ok(vec![bin])
    }
}

/// The scaled space, its axes sorted into public and private ones.
struct Space<'a> {
    columns: Vec<(&'a Column, &'a [f64], f64)>,
    public: Vec<usize>,
    private: Vec<usize>,
    /// Scaled ranges of the private axes.
    ranges: Vec<(f64, f64)>,
    /// Scaled centres.
    centers: Vec<Vec<f64>>,
}

impl<'a> Space<'a> {
    fn new(table: &'a Table, policy: &Policy, clusters: &Clusters) -> Result<Self> {
        let mut space = Self {
            columns: Vec::new(),
            public: Vec::new(),
            private: Vec::new(),
            ranges: Vec::new(),
            centers: Vec::new(),
        };
        for (index, axis) in clusters.axes().iter().enumerate() {
            let column = table.require(&axis.name)?;
            let numbers = column.values().numbers().ok_or_else(|| not_numeric(column))?;
            let declared = policy.attribute(&axis.name).and_then(|a| a.range);
            let (low, high) = declared.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
            let (low, high) = (low.max(axis.low), high.min(axis.high));
            let known = policy.knows(&axis.name)?;
            let stray: Vec<bool> = numbers.iter().map(|&number| !(low <= number && number <= high)).collect();
            let occurs = |stray: &[bool]| column.codes().iter().any(|code| stray[code as usize]);
            if column.has_missing() || (!known && stray.contains(&true) && occurs(&stray)) {
                return Err(outside(column.name()));
            }
            space.columns.push((column, numbers, axis.scale));
            if known {
                space.public.push(index);
            } else {
                space.private.push(index);
                space.ranges.push((low / axis.scale, high / axis.scale));
            }
        }
        let scaled =
            |center: &Vec<f64>| center.iter().zip(clusters.axes()).map(|(x, a)| x / a.scale).collect();
        space.centers = clusters.centroids().iter().map(|centroid| scaled(&centroid.center)).collect();
        Ok(space)
    }

    fn coordinate(&self, row: usize, axis: usize) -> f64 {
        let (column, numbers, scale) = self.columns[axis];
        numbers[column.code(row) as usize] / scale
    }

    fn public_points(&self, rows: usize) -> Grouping {
        let columns: Vec<&Column> = self.public.iter().map(|&axis| self.columns[axis].0).collect();
        group_rows(rows, &columns)
    }

    /// How much farther centroid `j` is than centroid `i`, over some axes, as squared distances from a row.
    fn farther(&self, row: usize, j: usize, i: usize, axes: &[usize]) -> Result<f64> {
        let along = |&axis: &usize| {
            let (cj, ci) = (self.centers[j][axis], self.centers[i][axis]);
            (ci - cj) * (2.0 * self.coordinate(row, axis) - (ci + cj))
        };
        finite(axes.iter().map(along).sum())
    }

    fn nearest(&self, row: usize) -> Result<u32> {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        let mut best = 0;
        for centroid in 1..self.centers.len() {
            if self.farther(row, centroid, best, &all)? < 0.0 {
                best = centroid;
            }
        }
        Ok(best as u32)
    }

    /// The cells someone with the public coordinates of `row` can be in, ascending.
    fn reach(&self, row: usize) -> Result<Vec<u32>> {
        let mut cells = Vec::new();
        for i in 0..self.centers.len() {
            let half_spaces = self.half_spaces(row, i)?;
            let reachable = match self.private.len() {
                0 => half_spaces.iter().all(HalfSpace::holds_at_zero),
                1 => self.is_on_envelope(&half_spaces),
                _ => self.is_feasible(&half_spaces)?,
            };
            if reachable {
                cells.push(i as u32);
            }
        }
        Ok(cells)
    }

    /// The half-spaces of private coordinates in which centroid i beats each of the others.
    fn half_spaces(&self, row: usize, i: usize) -> Result<Vec<HalfSpace>> {
        let of_other = |j: usize| {
            let pairs =
                || self.private.iter().map(move |&axis| (self.centers[j][axis], self.centers[i][axis]));
            let squares: f64 = pairs().map(|(cj, ci)| (cj - ci) * (cj + ci)).sum();
            Ok(HalfSpace {
                coefficients: pairs().map(|(cj, ci)| finite(2.0 * (cj - ci))).collect::<Result<_>>()?,
                right: finite(self.farther(row, j, i, &self.public)? + squares)?,
                strict: j < i,
            })
        };
        (0..self.centers.len()).filter(|&j| j != i).map(of_other).collect()
    }

    fn is_on_envelope(&self, half_spaces: &[HalfSpace]) -> bool {
        let (mut low, mut high) = ((self.ranges[0].0, false), (self.ranges[0].1, false));
        for half in half_spaces {
            let (coefficient, strict) = (half.coefficients[0], half.strict);
            let bound = half.right / coefficient;
            if coefficient == 0.0 {
                if !half.holds_at_zero() {
                    return false;
                }
            } else if coefficient > 0.0 {
                if bound < high.0 || (bound <= high.0 && strict) {
                    high = (bound, strict);
                }
            } else if bound > low.0 || (bound >= low.0 && strict) {
                low = (bound, strict);
            }
        }
        low.0 < high.0 || (low.0 <= high.0 && !low.1 && !high.1)
    }

    /// Maximizes how far the strict half-spaces are beaten; reachable iff there is a point, and a positive margin where one is needed.
    fn is_feasible(&self, half_spaces: &[HalfSpace]) -> Result<bool> {
        const MARGIN: f64 = 1e-9;
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let b: Vec<_> = self.ranges.iter().map(|&range| problem.add_var(0.0, range)).collect();
        let margin = problem.add_var(1.0, (0.0, 1.0));
        for half in half_spaces {
            let mut row: Vec<_> = b.iter().copied().zip(half.coefficients.iter().copied()).collect();
            if half.strict {
                row.push((margin, 1.0));
            }
            problem.add_constraint(&row, ComparisonOp::Le, half.right);
        }
        let needs_margin = half_spaces.iter().any(|half| half.strict);
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

/// Where centroid i beats another one: coefficients · b ≤ right, or < if the other one wins ties.
struct HalfSpace {
    coefficients: Vec<f64>,
    right: f64,
    strict: bool,
}

impl HalfSpace {
    /// Whether 0 ≤ right (0 < right if strict): what is left where the coefficients are zero.
    fn holds_at_zero(&self) -> bool {
        if self.strict { 0.0 < self.right } else { 0.0 <= self.right }
    }
}

/// A number that can be compared, or the reason why the clustering cannot be judged.
fn finite(number: f64) -> Result<f64> {
    if number.is_finite() {
        return Ok(number);
    }
    Err(Error::new("the numbers of the clustering are too large to be compared")
        .help("scale the attributes so that distances stay far below 1e150"))
}
