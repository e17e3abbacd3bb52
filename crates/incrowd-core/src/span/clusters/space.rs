//! A table bound to the axes of clusterings: everything about spans that does not depend on centroids.

use super::super::bind::{domain_codes, not_numeric, outside};
use super::super::possible::Possible;
use super::choices::Choices;
use super::near::Near;
use crate::error::{Error, Result};
use crate::group::{Grouping, group_rows};
use crate::model::{Axis, Domain, ModelAttribute};
use crate::policy::Policy;
use crate::table::{Column, Table};

/// A table bound to the axes of clusterings. Made once, it [links](ClusterSpace::link) the table by any centroids over
/// these axes.
pub struct ClusterSpace<'a> {
    pub(super) axes: Vec<Bound<'a>>,
    /// The axes an attacker knows.
    pub(super) public: Vec<usize>,
    /// The private axes of numbers, with what they can be.
    pub(super) ranges: Vec<Range>,
    /// The private axes of names, with what they can be.
    pub(super) choices: Choices,
    /// Rows of equal public coordinates for whom the same private names are possible.
    pub(super) points: Grouping,
    pub(super) rows: usize,
    /// Rows and public points in blocks, if asked for.
    pub(super) near: Option<Near>,
}

/// An axis bound to its column.
pub(super) struct Bound<'a> {
    pub(super) column: &'a Column,
    /// Its first coordinate.
    pub(super) start: usize,
    pub(super) scale: f64,
    /// The largest size of anyone's coordinate.
    pub(super) largest: f64,
    values: Coordinates<'a>,
}

/// The coordinates of each code.
enum Coordinates<'a> {
    Numbers(&'a [f64]),
    /// Places in the declared names.
    Names(Vec<u32>, usize),
}

/// The place of names that an axis does not list.
const OTHER: u32 = u32::MAX;

/// What becomes of names that an axis does not list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unlisted {
    Refused,
    OtherName,
}

/// What a private number can be.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) axis: usize,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether only whole numbers are possible; the ends are then whole, or infinite.
    pub(super) whole: bool,
}

/// The position of an individual on an axis.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Number(f64),
    /// By the place of a name among the axis's.
    Name(u32),
    /// By a name that the axis does not list: 0 on each of its coordinates.
    OtherName,
}

impl<'a> ClusterSpace<'a> {
    /// Binds a table to axes, as seen by someone who knows the public attributes of `policy`.
    ///
    /// # Errors
    /// When the table lacks a column or contains a value outside its domain, the policy gives an attribute no usable
    /// role or contradicts the axes, or a declared dependency ties a private number.
    pub fn new(table: &'a Table, policy: &Policy, axes: &[Axis]) -> Result<Self> {
        policy.check_whole(table)?;
        let mut space = Self::empty(axes.len());
        let (mut start, mut names, known_to_all) = (0, Vec::new(), policy.knowledge());
        for (place, axis) in axes.iter().enumerate() {
            let known = known_to_all.knows(&axis.name)?;
            let bound = Bound::new(table, axis, start, Unlisted::Refused)?;
            start += axis.width();
            if known {
                space.public.push(place);
            } else {
                let possible = bound.possible(axis, policy)?;
                match possible.attribute.domain {
                    Domain::Numbers { low, high } => {
                        space.ranges.push(Range { axis: place, low, high, whole: possible.whole });
                    }
                    Domain::Values(_) => names.push((place, possible)),
                }
            }
            space.axes.push(bound);
        }
        space.choices = Choices::new((table, policy), &space.axes, &space.ranges, &names)?;
        let columns: Vec<&Column> = space.public.iter().map(|&axis| space.axes[axis].column).collect();
        space.points = space.choices.divide(group_rows(table.rows(), &columns));
        space.rows = table.rows();
        Ok(space)
    }

    /// The private attributes that cells depend on: axes, and what relations tie to them.
    pub(super) fn private_attributes(&self) -> Vec<String> {
        let private = self.axes.iter().enumerate().filter(|(place, _)| !self.public.contains(place));
        let axes = private.map(|(_, axis)| axis.column.name().to_owned());
        axes.chain(self.choices.followers.iter().cloned()).collect()
    }

    /// Binds a table to axes for someone who knows them all. A name that an axis does not list is 0 on each of its
    /// coordinates.
    pub(crate) fn of_all(table: &'a Table, axes: &[Axis]) -> Result<Self> {
        let mut space = Self::empty(axes.len());
        let mut start = 0;
        for (place, axis) in axes.iter().enumerate() {
            space.axes.push(Bound::new(table, axis, start, Unlisted::OtherName)?);
            space.public.push(place);
            start += axis.width();
        }
        space.rows = table.rows();
        Ok(space)
    }

    fn empty(axes: usize) -> Self {
        Self {
            axes: Vec::with_capacity(axes),
            public: Vec::new(),
            ranges: Vec::new(),
            choices: Choices::default(),
            points: Grouping { of_row: Vec::new(), count: 0 },
            rows: 0,
            near: None,
        }
    }

    /// The squared scaled distance from a row to a centre.
    pub(crate) fn square(&self, row: usize, center: &[f64]) -> f64 {
        let along = |(axis, place): (&Bound<'_>, Place)| match place {
            Place::Number(x) => ((x - center[axis.start]) / axis.scale).powi(2),
            Place::Name(name) => {
                let own = center[axis.start..axis.start + axis.names()].iter();
                let gap = |(i, c): (u32, &f64)| ((f64::from(u8::from(i == name)) - c) / axis.scale).powi(2);
                (0..).zip(own).map(gap).sum::<f64>()
            }
            Place::OtherName => {
                let own = center[axis.start..axis.start + axis.names()].iter();
                own.map(|c| (c / axis.scale).powi(2)).sum::<f64>()
            }
        };
        self.axes.iter().zip(self.places(row)).map(along).sum()
    }

    /// The position of a row on an axis.
    pub(super) fn place(&self, axis: usize, row: usize) -> Place {
        self.axes[axis].place(row)
    }

    /// The position of a row on an axis as a number: the place of its name, if it has one.
    pub(super) fn coordinate(&self, axis: usize, row: u32) -> f64 {
        match self.place(axis, row as usize) {
            Place::Number(x) => x,
            Place::Name(name) => f64::from(name),
            Place::OtherName => f64::NAN,
        }
    }

    /// The position of a row on every axis.
    pub(super) fn places(&self, row: usize) -> impl Iterator<Item = Place> {
        self.axes.iter().map(move |axis| axis.place(row))
    }
}

/// A row with a missing value has no place among the centroids.
fn incomplete(name: &str) -> Error {
    Error::input("a value is missing, and the nearest centroid cannot be found without it")
        .of_attribute(name)
        .help("fill in missing values or leave out such rows")
}

impl<'a> Bound<'a> {
    fn new(table: &'a Table, axis: &Axis, start: usize, unlisted: Unlisted) -> Result<Self> {
        let column = table.require(&axis.name)?;
        if column.has_missing() {
            return Err(incomplete(column.name()));
        }
        let values = match &axis.domain {
            Domain::Numbers { .. } => {
                Coordinates::Numbers(column.values().numbers().ok_or_else(|| not_numeric(column))?)
            }
            Domain::Values(names) => {
                let places = domain_codes(&axis.domain, column.values());
                let strange = |code: u32| places[code as usize].is_none();
                let refused = unlisted == Unlisted::Refused && places.contains(&None);
                if refused && column.codes().iter().any(strange) {
                    return Err(outside(column.name()));
                }
                let places = places.into_iter().map(|place| place.unwrap_or(OTHER)).collect();
                Coordinates::Names(places, names.len())
            }
        };
        let largest = match &values {
            Coordinates::Numbers(numbers) => numbers.iter().fold(0.0, |most, x: &f64| x.abs().max(most)),
            Coordinates::Names(..) => 1.0,
        };
        Ok(Self { column, start, scale: axis.scale, largest, values })
    }

    /// The places of its coordinates in centres.
    pub(super) fn coordinates(&self) -> std::ops::Range<usize> {
        self.start..self.start + if let Coordinates::Names(_, count) = &self.values { *count } else { 1 }
    }

    /// The number of names; none for numbers.
    pub(super) fn names(&self) -> usize {
        match &self.values {
            Coordinates::Numbers(_) => 0,
            Coordinates::Names(_, count) => *count,
        }
    }

    /// The place of the name of a code.
    pub(super) fn name_of_code(&self, code: u32) -> u32 {
        match &self.values {
            Coordinates::Numbers(_) => 0,
            Coordinates::Names(places, _) => places[code as usize],
        }
    }

    /// What an attacker who does not know it considers possible.
    fn possible(&self, axis: &Axis, policy: &Policy) -> Result<Possible> {
        let attribute = ModelAttribute::of_axis(axis);
        let possible = Possible::new(&attribute, self.column, policy)?;
        // A range and some numbers besides are not what cells are decided for.
        if possible.points.is_empty() { Ok(possible) } else { Err(outside(self.column.name())) }
    }

    fn place(&self, row: usize) -> Place {
        let code = self.column.code(row) as usize;
        match &self.values {
            Coordinates::Numbers(numbers) => Place::Number(numbers[code]),
            Coordinates::Names(places, _) if places[code] == OTHER => Place::OtherName,
            Coordinates::Names(places, _) => Place::Name(places[code]),
        }
    }
}
