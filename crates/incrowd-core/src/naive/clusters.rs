//! Clusterings by nearest centroid, in exact fractions.
//!
//! A centroid can be reached iff, for some combination of private names, the private numbers can solve a system of linear
//! inequalities, strict ones against the centroids before it. Fourier and Motzkin's elimination decides that: for each coordinate in
//! turn, every lower bound must lie below every upper bound.

use super::fraction::Fraction;
use super::known::knows;
use super::linked::{Attribute, Bins, Linked, View};
use super::value::Value;
use crate::error::{Error, Result};
use crate::model::{Axis, Clusters, Domain};
use crate::policy::Policy;
use crate::table::Table;
use std::cmp::Ordering;

/// `Σ factors·x ≤ bound`, or `<` if strict.
#[derive(Clone)]
struct Inequality {
    factors: Vec<Fraction>,
    bound: Fraction,
    strict: bool,
}

/// The clustering with every number as a fraction, coordinates divided by their scales.
struct Exact {
    centers: Vec<Vec<Fraction>>,
    /// The range of each coordinate that is a private number, `None` for the others.
    ranges: Vec<Option<(Option<Fraction>, Option<Fraction>)>>,
    /// For each private axis of names what its coordinates can be: where they start, and the coordinates of each name.
    choices: Vec<(usize, Vec<Vec<Fraction>>)>,
    points: Vec<Vec<Fraction>>,
}

/// Links every row of the table by the clusters.
pub(super) fn link(table: &Table, policy: &Policy, clusters: &Clusters) -> Result<Linked> {
    let exact = Exact::new(table, policy, clusters)?;
    let too_large = || Error::new("the numbers are too large for exact arithmetic");
    let rows = exact.points.iter();
    let spans: Vec<Bins> =
        rows.clone().map(|p| exact.span(p)).collect::<Option<_>>().ok_or_else(too_large)?;
    let nearest: Vec<usize> = rows.map(|p| exact.nearest(p)).collect::<Option<_>>().ok_or_else(too_large)?;
    let told: Vec<Bins> = (0..exact.centers.len()).map(|i| Bins::from([vec![i as u32]])).collect();
    let view = |span: &Bins| {
        let tells = span.len() > 1;
        View { told: told.clone(), of_row: nearest.clone(), tells, measured: tells }
    };
    let mut about = Vec::new();
    for axis in clusters.axes() {
        if !policy.knows(&axis.name)? {
            about.push(axis.name.clone());
        }
    }
    let attribute = Attribute {
        name: "cluster".to_owned(),
        about,
        is_class: false,
        ordered: false,
        views: spans.iter().map(view).collect(),
    };
    Ok(Linked {
        cells: None,
        single_bin: spans.iter().map(|span| span.len() == 1).collect(),
        bins: nearest.iter().map(|&i| vec![i as u32]).collect(),
        attributes: vec![attribute],
        spans,
    })
}

impl Exact {
    fn new(table: &Table, policy: &Policy, clusters: &Clusters) -> Result<Self> {
        let mut exact = Self {
            centers: vec![Vec::new(); clusters.centroids().len()],
            ranges: Vec::new(),
            choices: Vec::new(),
            points: vec![Vec::new(); table.rows()],
        };
        for axis in clusters.axes() {
            let from = exact.ranges.len();
            for (center, centroid) in exact.centers.iter_mut().zip(clusters.centroids()) {
                for &x in &centroid.center[from..from + axis.width()] {
                    center.push(scaled(axis, x)?);
                }
            }
            match &axis.domain {
                Domain::Numbers { low, high } => exact.add_numbers(table, policy, axis, (*low, *high))?,
                Domain::Values(names) => exact.add_names(table, policy, axis, names)?,
            }
        }
        Ok(exact)
    }

    /// Adds everybody's coordinate on an axis of numbers, and its range if it is private.
    fn add_numbers(
        &mut self,
        table: &Table,
        policy: &Policy,
        axis: &Axis,
        (lowest, highest): (f64, f64),
    ) -> Result<()> {
        let column = table.require(&axis.name)?;
        let declared = policy.attribute(&axis.name).and_then(|attribute| attribute.range);
        let (low, high) = declared.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let (low, high) = (low.max(lowest), high.min(highest));
        let known = knows(policy, &axis.name)?;
        for (row, point) in self.points.iter_mut().enumerate() {
            match Value::of_row(column, row) {
                Value::Number(x) if known || (low <= x && x <= high) => point.push(scaled(axis, x)?),
                _ => return Err(Error::new("a value is outside the range").of_attribute(&axis.name)),
            }
        }
        let end = |x: f64| x.is_finite().then(|| scaled(axis, x)).transpose();
        self.ranges.push(if known { None } else { Some((end(low)?, end(high)?)) });
        Ok(())
    }

    /// Adds everybody's coordinates on an axis of names: 1 for the own name, 0 for the others.
    fn add_names(&mut self, table: &Table, policy: &Policy, axis: &Axis, names: &[String]) -> Result<()> {
        let column = table.require(&axis.name)?;
        let one = scaled(axis, 1.0)?;
        let coordinates = |own: usize| -> Vec<Fraction> {
            (0..names.len()).map(|name| if name == own { one } else { Fraction::ZERO }).collect()
        };
        if !knows(policy, &axis.name)? {
            self.choices.push((self.ranges.len(), (0..names.len()).map(coordinates).collect()));
        }
        for (row, point) in self.points.iter_mut().enumerate() {
            let value = Value::of_row(column, row);
            let own = names.iter().position(|name| Value::of_name(column, name) == value);
            let own =
                own.ok_or_else(|| Error::new("a value is not among the names").of_attribute(&axis.name))?;
            point.extend(coordinates(own));
        }
        self.ranges.extend(names.iter().map(|_| None));
        Ok(())
    }

    /// The centroids that someone with the public coordinates of `point` can be nearest to.
    fn span(&self, point: &[Fraction]) -> Option<Bins> {
        let mut span = Bins::new();
        for point in self.combinations(point) {
            for i in 0..self.centers.len() {
                if can_hold(self.nearest_to(i, &point)?, self.ranges.len())? {
                    span.insert(vec![i as u32]);
                }
            }
        }
        Some(span)
    }

    /// The point with every combination of private names.
    fn combinations(&self, point: &[Fraction]) -> Vec<Vec<Fraction>> {
        let mut points = vec![point.to_vec()];
        for (start, choices) in &self.choices {
            let with = |point: &Vec<Fraction>, choice: &Vec<Fraction>| {
                let mut point = point.clone();
                point[*start..start + choice.len()].copy_from_slice(choice);
                point
            };
            points = points.iter().flat_map(|p| choices.iter().map(move |choice| with(p, choice))).collect();
        }
        points
    }

    /// What it takes of the private coordinates to be nearest to centroid i.
    fn nearest_to(&self, i: usize, point: &[Fraction]) -> Option<Vec<Inequality>> {
        let mut system = self.box_of_ranges();
        for j in (0..self.centers.len()).filter(|&j| j != i) {
            let (mut factors, mut bound) = (Vec::new(), Fraction::ZERO);
            for (axis, range) in self.ranges.iter().enumerate() {
                let (own, other) = (self.centers[i][axis], self.centers[j][axis]);
                let gap = other.minus(own)?;
                let twice = gap.plus(gap)?;
                // (x − own)² ≤ (x − other)²  iff  2(other − own)·x ≤ other² − own²
                bound = bound.plus(other.times(other)?.minus(own.times(own)?)?)?;
                if range.is_some() {
                    factors.push(twice);
                } else {
                    factors.push(Fraction::ZERO);
                    bound = bound.minus(twice.times(point[axis])?)?;
                }
            }
            system.push(Inequality { factors, bound, strict: j < i });
        }
        Some(system)
    }

    fn box_of_ranges(&self) -> Vec<Inequality> {
        let unit = |axis: usize, sign: i128| {
            let one = Fraction::new(sign, 1).unwrap_or(Fraction::ZERO);
            (0..self.ranges.len()).map(|a| if a == axis { one } else { Fraction::ZERO }).collect()
        };
        let mut system = Vec::new();
        for (axis, range) in self.ranges.iter().enumerate() {
            let Some((low, high)) = range else { continue };
            system.extend(high.map(|bound| Inequality { factors: unit(axis, 1), bound, strict: false }));
            let below = low.and_then(|low| Fraction::ZERO.minus(low));
            system.extend(below.map(|bound| Inequality { factors: unit(axis, -1), bound, strict: false }));
        }
        system
    }

    /// The nearest centroid, the first one on a tie.
    fn nearest(&self, point: &[Fraction]) -> Option<usize> {
        let mut best: Option<(usize, Fraction)> = None;
        for (i, center) in self.centers.iter().enumerate() {
            let mut distance = Fraction::ZERO;
            for (x, c) in point.iter().zip(center) {
                let gap = x.minus(*c)?;
                distance = distance.plus(gap.times(gap)?)?;
            }
            let nearer = match best {
                Some((_, least)) => distance.minus(least)?.sign() == Ordering::Less,
                None => true,
            };
            if nearer {
                best = Some((i, distance));
            }
        }
        best.map(|(i, _)| i)
    }
}

/// A coordinate divided by its axis's scale.
fn scaled(axis: &Axis, number: f64) -> Result<Fraction> {
    let exact = Fraction::of(number).zip(Fraction::of(axis.scale)).and_then(|(x, scale)| x.divided_by(scale));
    exact.ok_or_else(|| Error::new("a number has no exact fraction that fits").of_attribute(&axis.name))
}

/// Whether a system of inequalities has a solution.
fn can_hold(mut system: Vec<Inequality>, variables: usize) -> Option<bool> {
    for variable in 0..variables {
        system = eliminate(&system, variable)?;
    }
    let holds = |left: &Inequality| match left.bound.sign() {
        Ordering::Greater => true,
        Ordering::Equal => !left.strict,
        Ordering::Less => false,
    };
    Some(system.iter().all(holds))
}

/// The same system without a variable: each of its upper bounds lies above each of its lower bounds.
fn eliminate(system: &[Inequality], variable: usize) -> Option<Vec<Inequality>> {
    let of_sign = |sign| system.iter().filter(move |left| left.factors[variable].sign() == sign);
    let mut rest: Vec<Inequality> = of_sign(Ordering::Equal).cloned().collect();
    for upper in of_sign(Ordering::Greater) {
        for lower in of_sign(Ordering::Less) {
            let ratio = Fraction::ZERO.minus(upper.factors[variable].divided_by(lower.factors[variable])?)?;
            let add = |a: Fraction, b: Fraction| a.plus(b.times(ratio)?);
            let factors = upper.factors.iter().zip(&lower.factors).map(|(&a, &b)| add(a, b));
            rest.push(Inequality {
                factors: factors.collect::<Option<_>>()?,
                bound: add(upper.bound, lower.bound)?,
                strict: upper.strict || lower.strict,
            });
        }
    }
    Some(rest)
}
