//! Private names that an individual can have, given the individual's known attributes.
//!
//! Axes that no declared dependency names vary freely. Axes that relations tie together ([`Component`]) take the
//! combinations that the individual's known attributes leave, whether these attributes are axes or not. Of names with
//! the same coordinates in every centroid, one is tried: the others are at the same distances.

use super::super::bind::not_total;
use super::super::possible::Possible;
use super::super::relations::{Combination, Component, components};
use super::space::{Bound, Place, Range};
use crate::error::{Error, Result};
use crate::group::{Grouping, group_numbers};
use crate::policy::Policy;
use crate::table::Table;
use hashbrown::{HashMap, HashSet};

/// The most combinations of private names that are tried for one public point.
const COMBINATIONS: usize = 1 << 16;

/// Private axes of names whose values are chosen together.
struct Choice {
    axes: Vec<usize>,
    /// For each kind of individuals all that can be chosen, as places of names, one for each axis.
    kinds: Vec<Vec<Combination>>,
    /// The kind of each row; nothing if there is one kind.
    kind_of_row: Vec<u32>,
}

/// All private axes of names, and what is possible of them for whom.
#[derive(Default)]
pub(super) struct Choices {
    all: Vec<Choice>,
    /// The private attributes that are not axes, but that relations tie to some.
    pub(super) followers: Vec<String>,
}

/// For each choice and each kind of individuals the places of the combinations to try: one of those with the same
/// coordinates in all centroids. Names that few individuals have are released with no share, so they are often many.
pub(super) type Representatives = Vec<Vec<Vec<u32>>>;

/// Whether more combinations of private names are to be tried.
pub(super) enum Combinations {
    Next,
    Enough,
}

impl Choices {
    /// What is possible of the private axes of names, each with what its domain leaves.
    ///
    /// # Errors
    /// When a relation names a private number among the axes, a name that is possible has no coordinate, or too many
    /// combinations are possible.
    pub(super) fn new(
        (table, policy): (&Table, &Policy),
        axes: &[Bound<'_>],
        ranges: &[Range],
        names: &[(usize, Possible)],
    ) -> Result<Self> {
        let private = ranges.iter().map(|range| range.axis).chain(names.iter().map(|(axis, _)| *axis));
        let private: Vec<&str> = private.map(|axis| axes[axis].column.name()).collect();
        let components = components(table, policy, &private)?;
        let number = ranges.iter().map(|range| axes[range.axis].column.name());
        if let Some(name) =
            number.into_iter().find(|name| components.iter().any(|of| of.place(name).is_some()))
        {
            return Err(Error::input("a declared dependency ties this private number to other attributes; clusters with such a number cannot be checked")
                .of_attribute(name)
                .help("leave the attribute out of the clustering"));
        }
        let mut choices = Self::default();
        for component in &components {
            choices.add_tied(axes, names, component);
        }
        for (axis, possible) in names {
            let name = axes[*axis].column.name();
            if components.iter().all(|component| component.place(name).is_none()) {
                choices.add_free(*axis, axes[*axis].names(), possible)?;
            }
        }
        choices.check()?;
        Ok(choices)
    }

    fn add_free(&mut self, axis: usize, names: usize, possible: &Possible) -> Result<()> {
        if possible.values() > names {
            return Err(not_total(&possible.attribute.name));
        }
        let one = |name: u32| Combination::from([name]);
        let kinds = vec![(0..names as u32).map(one).collect()];
        self.all.push(Choice { axes: vec![axis], kinds, kind_of_row: Vec::new() });
        Ok(())
    }

    /// Adds the axes that a component ties together. Whatever is possible of them occurs, so the release has a
    /// coordinate for it.
    fn add_tied(&mut self, axes: &[Bound<'_>], names: &[(usize, Possible)], component: &Component<'_>) {
        let of_axis =
            |(axis, _): &(usize, Possible)| Some((*axis, component.place(axes[*axis].column.name())?));
        let tied: Vec<(usize, usize)> = names.iter().filter_map(of_axis).collect();
        let is_axis = |place: usize| tied.iter().any(|(_, own)| *own == place);
        let others = component.columns.iter().enumerate().filter(|(place, _)| !is_axis(*place));
        self.followers.extend(others.map(|(_, column)| column.name().to_owned()));
        let chosen = |combination: &Combination| -> Combination {
            let name = |&(axis, place): &(usize, usize)| {
                axes[axis].name_of_code(component.codes[place][combination[place] as usize])
            };
            tied.iter().map(name).collect()
        };
        let mut number: HashMap<Vec<Combination>, u32> = HashMap::new();
        let (mut kinds, mut kind_of) = (Vec::new(), Vec::new());
        for combinations in &component.kinds {
            let mut own: Vec<Combination> = combinations.iter().map(chosen).collect();
            own.sort_unstable();
            own.dedup();
            kind_of.push(*number.entry(own).or_insert_with_key(|own| {
                kinds.push(own.clone());
                kinds.len() as u32 - 1
            }));
        }
        let kind_of_row = component.kind_of_row.iter().map(|&kind| kind_of[kind as usize]).collect();
        self.all.push(Choice { axes: tied.into_iter().map(|(axis, _)| axis).collect(), kinds, kind_of_row });
    }

    fn check(&self) -> Result<()> {
        let most = |choice: &Choice| choice.kinds.iter().map(Vec::len).max().unwrap_or(1);
        let count = self.all.iter().map(most).fold(1_usize, usize::saturating_mul);
        if count > COMBINATIONS {
            return Err(Error::limit(format!(
                "the private attributes have more than {COMBINATIONS} combinations of values, too many to enumerate"
            ))
            .help("leave private attributes with many values out of the clustering"));
        }
        Ok(())
    }

    /// Whether the same combinations are possible for all of these rows.
    pub(super) fn are_alike(&self, rows: &[u32]) -> bool {
        let kinds = self.all.iter().map(|choice| &choice.kind_of_row).filter(|kinds| !kinds.is_empty());
        kinds.into_iter().all(|kinds| rows.iter().all(|&row| kinds[row as usize] == kinds[rows[0] as usize]))
    }

    /// Whether there is nothing to choose.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Divides groups of rows by what is possible of private names.
    pub(super) fn divide(&self, groups: Grouping) -> Grouping {
        let kinds =
            self.all.iter().map(|choice| choice.kind_of_row.as_slice()).filter(|kinds| !kinds.is_empty());
        let numbers: Vec<&[u32]> = [groups.of_row.as_slice()].into_iter().chain(kinds).collect();
        if numbers.len() == 1 { groups } else { group_numbers(&numbers) }
    }

    /// The combinations to try for centroids of the given axes.
    pub(super) fn representatives(&self, axes: &[Bound<'_>], centers: &[&[f64]]) -> Representatives {
        let of_choice = |choice: &Choice| {
            let starts: Vec<usize> = choice.axes.iter().map(|&axis| axes[axis].coordinates().start).collect();
            choice.kinds.iter().map(|kind| distinct(kind, &starts, centers)).collect()
        };
        self.all.iter().map(of_choice).collect()
    }

    /// Calls `each` with the combinations of private names in `places` that are possible for those who are known as the
    /// individual of `row` is, one of those that lead to the same cells, until one is enough or an error.
    pub(super) fn each(
        &self,
        row: usize,
        representatives: &Representatives,
        places: &mut [Place],
        mut each: impl FnMut(&[Place]) -> Result<Combinations>,
    ) -> Result<()> {
        let choices = self.all.iter().zip(representatives);
        let mut wheels: Vec<Wheel<'_>> =
            choices.map(|(choice, tried)| Wheel::new(choice, tried, row)).collect();
        wheels.iter().for_each(|wheel| wheel.put(places));
        loop {
            if matches!(each(places)?, Combinations::Enough) {
                return Ok(());
            }
            let mut moved = false;
            for wheel in &mut wheels {
                moved = wheel.turn();
                wheel.put(places);
                if moved {
                    break;
                }
            }
            if !moved {
                return Ok(());
            }
        }
    }
}

/// The first of each of the combinations with the same coordinates in all centroids; `starts` are the places of the
/// axes in these.
fn distinct(combinations: &[Combination], starts: &[usize], centers: &[&[f64]]) -> Vec<u32> {
    let mut seen: HashSet<Vec<u64>> = HashSet::new();
    let coordinates = |combination: &Combination| -> Vec<u64> {
        let places = || starts.iter().zip(combination.iter()).map(|(&start, &name)| start + name as usize);
        centers.iter().flat_map(|center| places().map(|place| center[place].to_bits())).collect()
    };
    (0..).zip(combinations).filter(|(_, one)| seen.insert(coordinates(one))).map(|(place, _)| place).collect()
}

/// A choice, and which of its combinations is next.
struct Wheel<'c> {
    axes: &'c [usize],
    combinations: &'c [Combination],
    /// The places of those to try.
    tried: &'c [u32],
    at: usize,
}

impl<'c> Wheel<'c> {
    fn new(choice: &'c Choice, tried: &'c [Vec<u32>], row: usize) -> Self {
        let kind = choice.kind_of_row.get(row).map_or(0, |&kind| kind as usize);
        Self { axes: &choice.axes, combinations: &choice.kinds[kind], tried: &tried[kind], at: 0 }
    }

    /// Goes on to the next combination; from the last one to the first, which is not progress.
    fn turn(&mut self) -> bool {
        self.at = (self.at + 1) % self.tried.len();
        self.at > 0
    }

    fn put(&self, places: &mut [Place]) {
        let chosen = self.axes.iter().zip(self.combinations[self.tried[self.at] as usize].iter());
        chosen.for_each(|(&axis, &name)| places[axis] = Place::Name(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn names_with_the_same_coordinates_are_tried_once() {
        let one = |name: u32| Combination::from([name]);
        let names: Vec<Combination> = (0..5).map(one).collect();
        let centers: [&[f64]; 2] = [&[9.0, 0.0, 0.5, 0.0, 0.5, 0.0], &[9.0, 0.0, 0.5, 0.0, 0.25, 0.0]];
        assert_eq!(distinct(&names, &[1], &centers), [0, 1, 3]);
        assert_eq!(distinct(&names, &[1], &centers[..1]), [0, 1]);
        let pairs: Vec<Combination> = [[0, 1], [2, 1], [1, 0], [1, 2]].map(Combination::from).to_vec();
        assert_eq!(distinct(&pairs, &[1, 1], &centers), [0, 2]);
    }

    #[test]
    fn too_many_combinations_are_refused() {
        let choice = |names: u32| Choice {
            axes: vec![0],
            kinds: vec![
                vec![Combination::from([0])],
                (0..names).map(|name| Combination::from([name])).collect(),
            ],
            kind_of_row: Vec::new(),
        };
        let choices = |names: &[u32]| Choices {
            all: names.iter().copied().map(choice).collect(),
            ..Choices::default()
        };
        assert!(choices(&[256, 256]).check().is_ok());
        assert_eq!(choices(&[256, 257]).check().unwrap_err().kind, ErrorKind::Limit);
        assert_eq!(choices(&[256, 256, 2]).check().unwrap_err().kind, ErrorKind::Limit);
    }
}
