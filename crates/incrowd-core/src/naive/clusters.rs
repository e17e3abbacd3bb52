//! Clusterings by nearest centroid, in whole numbers.
//!
//! Multiplied by a common number, all coordinates divided by their scales are whole. A centroid can be reached iff, for
//! some combination of private names and of private numbers that must be whole, the other private numbers can solve a
//! system of linear inequalities, with strict ones against the centroids before it. Fourier–Motzkin elimination decides
//! this: for each coordinate in turn, every lower bound must be below every upper bound.
//!
//! Declared dependencies restrict the combinations of private names to those that agree with them.

use super::domain::domain;
use super::known::knows;
use super::linked::{Attribute, Bins, CountedValues, Linked, View};
use super::relations::{possible, tied};
use super::units::Units;
use super::value::Value;
use crate::error::{Error, Result};
use crate::model::{Axis, Clusters, Domain, ModelAttribute};
use crate::policy::Policy;
use crate::table::Table;
use num_bigint::{BigInt, Sign};
use std::collections::{BTreeMap, BTreeSet};

/// The most whole numbers of one attribute that are tried.
const WHOLE: f64 = 1000.0;

/// `Σ factors·x ≤ bound`, or `<` if strict.
#[derive(Clone)]
struct Inequality {
    factors: Vec<BigInt>,
    bound: BigInt,
    strict: bool,
}

/// The clustering with every coordinate as a whole number.
struct Exact {
    units: Units,
    centers: Vec<Vec<BigInt>>,
    /// The range of each coordinate that is a private number, `None` for the others.
    ranges: Vec<Option<(Option<BigInt>, Option<BigInt>)>>,
    /// The private axes of names or of whole numbers.
    choices: Vec<Choice>,
    points: Vec<Vec<BigInt>>,
}

/// What the coordinates of an axis can be.
struct Choice {
    axis: String,
    /// The first of them.
    start: usize,
    /// Each value with its coordinates.
    values: Vec<(Value, Vec<BigInt>)>,
}

/// Links every row of the table by the clusters.
pub(super) fn link(table: &Table, policy: &Policy, clusters: &Clusters) -> Result<Linked> {
    let axes: BTreeSet<&str> = clusters.axes().iter().map(|axis| axis.name.as_str()).collect();
    let relations = tied(policy, &axes);
    let exact = Exact::new(table, policy, clusters, &relations)?;
    let mut spans = Vec::new();
    for (row, point) in exact.points.iter().enumerate() {
        let mut span = Bins::new();
        for chosen in possible(table, policy, &relations, row)? {
            span.extend(exact.span(point, &chosen));
        }
        spans.push(span);
    }
    let nearest: Vec<usize> = exact.points.iter().map(|point| exact.nearest(point)).collect();
    let told: Vec<Bins> = (0..exact.centers.len()).map(|i| Bins::from([vec![i as u32]])).collect();
    let view = |span: &Bins| {
        let tells = span.len() > 1;
        View {
            of_value: (0..told.len()).collect(),
            possible: told.iter().map(|cell| cell.is_subset(span)).collect(),
            told: told.clone(),
            of_row: nearest.clone(),
            counted: CountedValues::apart(told.len()),
            tells,
            measured: tells,
            open: false,
            reach: Vec::new(),
        }
    };
    let mut about = Vec::new();
    for name in axes.iter().chain(relations.iter().flatten()) {
        if !knows(policy, name)? {
            about.push((*name).to_owned());
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
        overlapping: false,
        single_bin: spans.iter().map(|span| span.len() == 1).collect(),
        bins: nearest.iter().map(|&i| vec![i as u32]).collect(),
        attributes: vec![attribute],
        spans,
    })
}

impl Exact {
    fn new(
        table: &Table,
        policy: &Policy,
        clusters: &Clusters,
        relations: &[BTreeSet<&str>],
    ) -> Result<Self> {
        let mut exact = Self {
            units: Units::new(table, policy, clusters)?,
            centers: vec![Vec::new(); clusters.centroids().len()],
            ranges: Vec::new(),
            choices: Vec::new(),
            points: vec![Vec::new(); table.rows()],
        };
        for (place, axis) in clusters.axes().iter().enumerate() {
            let from = exact.ranges.len();
            for (center, centroid) in exact.centers.iter_mut().zip(clusters.centroids()) {
                for &x in &centroid.center[from..from + axis.width()] {
                    center.push(exact.units.coordinate(place, x));
                }
            }
            let is_tied = relations.iter().any(|relation| relation.contains(axis.name.as_str()));
            match &axis.domain {
                Domain::Numbers { .. } if is_tied && !knows(policy, &axis.name)? => {
                    return Err(Error::input("a dependency ties a private number").of_attribute(&axis.name));
                }
                Domain::Numbers { low, high } => {
                    exact.add_numbers(table, policy, (place, axis), (*low, *high))?;
                }
                Domain::Values(names) => {
                    if !knows(policy, &axis.name)? {
                        check_names(table, policy, axis, is_tied)?;
                    }
                    exact.add_names(table, policy, (place, axis), names)?;
                }
            }
        }
        Ok(exact)
    }

    /// Adds every individual's coordinate on an axis of numbers, and its range if it is private.
    fn add_numbers(
        &mut self,
        table: &Table,
        policy: &Policy,
        (place, axis): (usize, &Axis),
        (lowest, highest): (f64, f64),
    ) -> Result<()> {
        let column = table.require(&axis.name)?;
        let known = knows(policy, &axis.name)?;
        let declared = policy.attribute(&axis.name).and_then(|attribute| attribute.range);
        let (low, high) = declared.unwrap_or((lowest, highest));
        if !known && ((lowest.is_finite() && lowest < low) || (highest.is_finite() && high < highest)) {
            return Err(Error::input("the release declares more than the policy").of_attribute(&axis.name));
        }
        for (row, point) in self.points.iter_mut().enumerate() {
            match Value::of_row(column, row) {
                Value::Number(x) if known || (low <= x && x <= high) => {
                    point.push(self.units.coordinate(place, x));
                }
                _ => return Err(Error::input("a value is outside the range").of_attribute(&axis.name)),
            }
        }
        if !known && policy.is_whole(&axis.name) {
            let (low, high) = (low.ceil(), high.floor());
            if high - low > WHOLE {
                return Err(Error::input("there are too many whole numbers to try").of_attribute(&axis.name));
            }
            let numbers = (0..=(high - low) as u32).map(|step| low + f64::from(step));
            let numbers =
                numbers.map(|number| (Value::Number(number), vec![self.units.coordinate(place, number)]));
            let (axis, start) = (axis.name.clone(), self.ranges.len());
            self.choices.push(Choice { axis, start, values: numbers.collect() });
            self.ranges.push(None);
            return Ok(());
        }
        let end = |x: f64| x.is_finite().then(|| self.units.coordinate(place, x));
        self.ranges.push(if known { None } else { Some((end(low), end(high))) });
        Ok(())
    }

    /// Adds every individual's coordinates on an axis of names: 1 for the own name, 0 for the others.
    fn add_names(
        &mut self,
        table: &Table,
        policy: &Policy,
        (place, axis): (usize, &Axis),
        names: &[String],
    ) -> Result<()> {
        let column = table.require(&axis.name)?;
        let one = self.units.coordinate(place, 1.0);
        let coordinates = |own: usize| -> Vec<BigInt> {
            (0..names.len()).map(|name| if name == own { one.clone() } else { BigInt::ZERO }).collect()
        };
        if !knows(policy, &axis.name)? {
            let value = |own: usize| (Value::of_name(column, &names[own]), coordinates(own));
            let values = (0..names.len()).map(value).collect();
            self.choices.push(Choice { axis: axis.name.clone(), start: self.ranges.len(), values });
        }
        for (row, point) in self.points.iter_mut().enumerate() {
            let value = Value::of_row(column, row);
            let own = names.iter().position(|name| Value::of_name(column, name) == value);
            let own =
                own.ok_or_else(|| Error::input("a value is not among the names").of_attribute(&axis.name))?;
            point.extend(coordinates(own));
        }
        self.ranges.extend(names.iter().map(|_| None));
        Ok(())
    }

    /// The centroids that someone with the public coordinates of `point` can be nearest to, with the private values
    /// that are chosen.
    fn span(&self, point: &[BigInt], chosen: &BTreeMap<&str, Value>) -> Bins {
        let mut span = Bins::new();
        for point in self.combinations(point, chosen) {
            for i in 0..self.centers.len() {
                if !span.contains(&vec![i as u32]) && can_hold(self.nearest_to(i, &point), self.ranges.len())
                {
                    span.insert(vec![i as u32]);
                }
            }
        }
        span
    }

    /// The point with every combination of private names and whole numbers that agrees with those chosen.
    fn combinations(&self, point: &[BigInt], chosen: &BTreeMap<&str, Value>) -> Vec<Vec<BigInt>> {
        let mut points = vec![point.to_vec()];
        for Choice { axis, start, values } in &self.choices {
            let chosen = chosen.get(axis.as_str());
            let values: Vec<_> =
                values.iter().filter(|(value, _)| chosen.is_none_or(|own| own == value)).collect();
            let with = |point: &Vec<BigInt>, coordinates: &Vec<BigInt>| {
                let mut point = point.clone();
                point[*start..start + coordinates.len()].clone_from_slice(coordinates);
                point
            };
            points = points.iter().flat_map(|p| values.iter().map(move |value| with(p, &value.1))).collect();
        }
        points
    }

    /// What it takes of the private coordinates to be nearest to centroid i.
    fn nearest_to(&self, i: usize, point: &[BigInt]) -> Vec<Inequality> {
        let mut system = self.box_of_ranges();
        for j in (0..self.centers.len()).filter(|&j| j != i) {
            let (mut factors, mut bound) = (Vec::new(), BigInt::ZERO);
            for (axis, range) in self.ranges.iter().enumerate() {
                let (own, other) = (&self.centers[i][axis], &self.centers[j][axis]);
                let twice = (other - own) * 2;
                // (x − own)² ≤ (x − other)²  iff  2(other − own)·x ≤ other² − own²
                bound += other * other - own * own;
                if range.is_some() {
                    factors.push(twice);
                } else {
                    factors.push(BigInt::ZERO);
                    bound -= twice * &point[axis];
                }
            }
            system.push(Inequality { factors, bound, strict: j < i });
        }
        system
    }

    fn box_of_ranges(&self) -> Vec<Inequality> {
        let unit = |axis: usize, sign: i32| {
            (0..self.ranges.len()).map(|a| BigInt::from(if a == axis { sign } else { 0 })).collect()
        };
        let mut system = Vec::new();
        for (axis, range) in self.ranges.iter().enumerate() {
            let Some((low, high)) = range else { continue };
            let mut add = |sign: i32, bound: BigInt| {
                system.push(Inequality { factors: unit(axis, sign), bound, strict: false });
            };
            high.iter().for_each(|high| add(1, high.clone()));
            low.iter().for_each(|low| add(-1, -low));
        }
        system
    }

    /// The nearest centroid, the first one on a tie.
    fn nearest(&self, point: &[BigInt]) -> usize {
        let distance = |center: &Vec<BigInt>| -> BigInt {
            point.iter().zip(center).map(|(x, c)| (x - c) * (x - c)).sum()
        };
        let distances: Vec<BigInt> = self.centers.iter().map(distance).collect();
        let least = distances.iter().min();
        distances.iter().position(|distance| Some(distance) == least).unwrap_or(0)
    }
}

/// Fails where the policy and the release contradict each other, or the release has no coordinate for a name that is
/// possible. Of a name that a dependency ties to others only what occurs is possible.
fn check_names(table: &Table, policy: &Policy, axis: &Axis, is_tied: bool) -> Result<()> {
    let column = table.require(&axis.name)?;
    let attribute = ModelAttribute::of_axis(axis);
    let possible = domain(&attribute, column, policy, &[])?;
    let listed = |value: &Value| axis.names().iter().any(|name| Value::of_name(column, name) == *value);
    if !is_tied && !possible.iter().all(listed) {
        return Err(Error::input("the release has no coordinate for a value").of_attribute(&axis.name));
    }
    Ok(())
}

/// Whether a system of inequalities has a solution.
fn can_hold(mut system: Vec<Inequality>, variables: usize) -> bool {
    for variable in 0..variables {
        system = eliminate(&system, variable);
    }
    system.iter().all(|left| match left.bound.sign() {
        Sign::Plus => true,
        Sign::NoSign => !left.strict,
        Sign::Minus => false,
    })
}

/// The same system without a variable: each of its upper bounds is above each of its lower bounds.
fn eliminate(system: &[Inequality], variable: usize) -> Vec<Inequality> {
    let of_sign = |sign| system.iter().filter(move |left| left.factors[variable].sign() == sign);
    let mut rest: Vec<Inequality> = of_sign(Sign::NoSign).cloned().collect();
    for upper in of_sign(Sign::Plus) {
        for lower in of_sign(Sign::Minus) {
            let (times_upper, times_lower) = (-&lower.factors[variable], &upper.factors[variable]);
            let add = |a: &BigInt, b: &BigInt| a * &times_upper + b * times_lower;
            rest.push(Inequality {
                factors: upper.factors.iter().zip(&lower.factors).map(|(a, b)| add(a, b)).collect(),
                bound: add(&upper.bound, &lower.bound),
                strict: upper.strict || lower.strict,
            });
        }
    }
    rest
}
