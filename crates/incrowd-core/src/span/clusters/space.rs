//! A table bound to the axes of clusterings: everything about spans that no centroid changes.

use super::super::bind::{domain_codes, not_numeric, outside};
use super::super::relations::ties;
use crate::error::{Error, Result};
use crate::group::{Grouping, group_rows};
use crate::model::{Axis, Domain};
use crate::policy::Policy;
use crate::table::{Column, Table};

/// The most combinations of private names that are tried for one public point.
const COMBINATIONS: usize = 1 << 16;

/// A table bound to the axes of clusterings. Made once, it [links](ClusterSpace::link) the table by any centroids over these axes.
pub struct ClusterSpace<'a> {
    pub(super) axes: Vec<Bound<'a>>,
    /// The axes an attacker knows.
    pub(super) public: Vec<usize>,
    /// The private axes of numbers, with what they can be.
    pub(super) ranges: Vec<Range>,
    /// The private axes of names.
    pub(super) private_names: Vec<usize>,
    /// Rows of equal public coordinates.
    pub(super) points: Grouping,
    pub(super) rows: usize,
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

/// What a private number can be.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) axis: usize,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether only whole numbers are possible; the ends are then whole, or infinite.
    pub(super) whole: bool,
}

/// Where somebody stands on an axis.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Number(f64),
    /// By the place of a name among the axis's.
    Name(u32),
}

/// Whether more combinations of private names are to be tried.
pub(super) enum Combinations {
    Next,
    Enough,
}

impl<'a> ClusterSpace<'a> {
    /// Binds a table to axes, as someone sees it who knows what `policy` calls public.
    ///
    /// # Errors
    /// When the table lacks a column or holds a value outside its domain, or the policy gives an attribute no usable role.
    pub fn new(table: &'a Table, policy: &Policy, axes: &[Axis]) -> Result<Self> {
        policy.check_whole(table)?;
        let mut space = Self::empty(axes.len());
        let mut start = 0;
        for (place, axis) in axes.iter().enumerate() {
            let known = policy.knows(&axis.name)?;
            let bound = Bound::new(table, axis, start)?;
            start += axis.width();
            match (known, &axis.domain) {
                (true, _) => space.public.push(place),
                (false, Domain::Values(_)) => space.private_names.push(place),
                (false, Domain::Numbers { low, high }) => {
                    let declared = policy.attribute(&axis.name).and_then(|attribute| attribute.range);
                    let declared = declared.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
                    let whole = policy.is_whole(&axis.name);
                    let (low, high) = (low.max(declared.0), high.min(declared.1));
                    let (low, high) = if whole { (low.ceil(), high.floor()) } else { (low, high) };
                    let range = Range { axis: place, low, high, whole };
                    bound.check_within(range)?;
                    space.ranges.push(range);
                }
            }
            space.axes.push(bound);
        }
        space.check_combinations()?;
        space.check_untied(table, policy)?;
        let columns: Vec<&Column> = space.public.iter().map(|&axis| space.axes[axis].column).collect();
        space.points = group_rows(table.rows(), &columns);
        space.rows = table.rows();
        Ok(space)
    }

    /// Fails where a declared dependency ties a private axis to other attributes: not every combination is possible then.
    fn check_untied(&self, table: &Table, policy: &Policy) -> Result<()> {
        let names: Vec<&str> = self.private_axes().map(|axis| axis.column.name()).collect();
        let ties = ties(table, policy, &names)?;
        let tied = names.iter().find(|name| ties.iter().any(|tie| tie.has(name)));
        tied.map_or(Ok(()), |name| {
            Err(Error::new("a declared dependency ties this private attribute to others, which spans of clusters do not follow")
                .of_attribute(*name)
                .help("leave the attribute out of the clustering"))
        })
    }

    /// The axes an attacker does not know.
    pub(super) fn private_axes(&self) -> impl Iterator<Item = &Bound<'a>> {
        let axes = self.axes.iter().enumerate();
        axes.filter(|(place, _)| !self.public.contains(place)).map(|(_, axis)| axis)
    }

    /// Binds a table to axes for somebody who knows them all.
    pub(crate) fn of_all(table: &'a Table, axes: &[Axis]) -> Result<Self> {
        let mut space = Self::empty(axes.len());
        let mut start = 0;
        for (place, axis) in axes.iter().enumerate() {
            space.axes.push(Bound::new(table, axis, start)?);
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
            private_names: Vec::new(),
            points: Grouping { of_row: Vec::new(), count: 0 },
            rows: 0,
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
        };
        self.axes.iter().zip(self.places(row)).map(along).sum()
    }

    /// Where a row stands on every axis.
    pub(super) fn places(&self, row: usize) -> impl Iterator<Item = Place> {
        self.axes.iter().map(move |axis| axis.place(row))
    }

    /// Calls `each` with every combination of private names in `places`, until one is enough or an error.
    pub(super) fn each_combination(
        &self,
        places: &mut [Place],
        mut each: impl FnMut(&[Place]) -> Result<Combinations>,
    ) -> Result<()> {
        let first = |place: &mut Place| *place = Place::Name(0);
        self.private_names.iter().for_each(|&axis| first(&mut places[axis]));
        loop {
            if matches!(each(places)?, Combinations::Enough) {
                return Ok(());
            }
            let mut moved = false;
            for &axis in &self.private_names {
                let Place::Name(name) = places[axis] else { continue };
                moved = (name as usize) + 1 < self.axes[axis].names();
                places[axis] = Place::Name(if moved { name + 1 } else { 0 });
                if moved {
                    break;
                }
            }
            if !moved {
                return Ok(());
            }
        }
    }

    fn check_combinations(&self) -> Result<()> {
        let names = self.private_names.iter().map(|&axis| self.axes[axis].names());
        let count = names.fold(1_usize, usize::saturating_mul);
        if count > COMBINATIONS {
            return Err(Error::new(format!(
                "the private attributes have more than {COMBINATIONS} combinations of values, too many to try"
            ))
            .help("leave private attributes with many values out of the clustering"));
        }
        Ok(())
    }
}

impl<'a> Bound<'a> {
    fn new(table: &'a Table, axis: &Axis, start: usize) -> Result<Self> {
        let column = table.require(&axis.name)?;
        if column.has_missing() {
            return Err(outside(column.name()));
        }
        let values = match &axis.domain {
            Domain::Numbers { .. } => {
                Coordinates::Numbers(column.values().numbers().ok_or_else(|| not_numeric(column))?)
            }
            Domain::Values(names) => {
                let places = domain_codes(&axis.domain, column.values());
                let strange = |code: u32| places[code as usize].is_none();
                if places.contains(&None) && column.codes().iter().any(strange) {
                    return Err(outside(column.name()));
                }
                let places = places.into_iter().map(|place| place.unwrap_or(0)).collect();
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

    /// How many names there are; none for numbers.
    pub(super) fn names(&self) -> usize {
        match &self.values {
            Coordinates::Numbers(_) => 0,
            Coordinates::Names(_, count) => *count,
        }
    }

    fn place(&self, row: usize) -> Place {
        let code = self.column.code(row) as usize;
        match &self.values {
            Coordinates::Numbers(numbers) => Place::Number(numbers[code]),
            Coordinates::Names(places, _) => Place::Name(places[code]),
        }
    }

    fn check_within(&self, range: Range) -> Result<()> {
        let Coordinates::Numbers(numbers) = &self.values else { return Ok(()) };
        let stray: Vec<bool> = numbers.iter().map(|&x| !(range.low <= x && x <= range.high)).collect();
        if stray.contains(&true) && self.column.codes().iter().any(|code| stray[code as usize]) {
            return Err(outside(self.column.name()));
        }
        Ok(())
    }
}
