//! What the cells of a private column of a released table state: each is a set of values.
//!
//! A cell of a foreign table may state less than a value: `*`, `{a, b}`, `[1, 3)`, a group of a taxonomy. Equal sets
//! are equal cells, however they are spelled ([`canonical`]). Cells whose sets overlap may be the same value: within a
//! group they count as one, and so do those that overlap one another step by step. What is counted in this way is never
//! better than the truth: true values split these classes further (`docs/proofs.md`).
//!
//! Values are numbered by *places*: a name, a number that some cell names, or all numbers between two of these. A set
//! is a list of runs of places, so that an interval takes the same space however many places it covers.

mod canonical;
mod line;
mod names;
mod notation;
#[cfg(test)]
mod tests;

pub(crate) use canonical::canonical;

use crate::error::{Error, Result};
use crate::policy::{Attribute, Policy};
use crate::table::{Column, Kind};
use notation::Notation;

/// Half-open runs of places, ascending, none touching the next.
pub(super) type Runs = Vec<(u32, u32)>;

/// The contents of the cells of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    /// For each code, a missing value's last; empty for those that do not occur.
    sets: Vec<Runs>,
    /// Whether each place is a single value.
    single: Vec<bool>,
    /// The number of each place that is one number, by its bits.
    numbers: Vec<Option<u64>>,
    /// Everything that is possible.
    domain: Runs,
    /// Whether two codes that occur are sets that overlap.
    overlap: bool,
}

/// What one group, or one individual, has in common.
pub(crate) struct Union {
    /// Whether one value is left.
    pub(crate) is_one: bool,
    /// Whether a possible value is ruled out.
    pub(crate) excludes: bool,
}

impl Said {
    /// The contents of the cells of a private column; `None` where each is a single value.
    ///
    /// # Errors
    /// When a cell contradicts the policy, or numbers and names are mixed.
    pub(crate) fn of(column: &Column, policy: &Policy) -> Result<Option<Self>> {
        let Some(cells) = Cells::read(column, policy) else { return Ok(None) };
        let made = if cells.are_numbers()? { line::said(&cells) } else { names::said(&cells) };
        made.map(Some).map_err(|error| error.of_attribute(column.name()))
    }

    fn new(sets: Vec<Runs>, single: Vec<bool>, numbers: Vec<Option<u64>>, domain: Runs) -> Self {
        let mut runs: Runs = sets.iter().flatten().copied().collect();
        runs.sort_unstable();
        let overlap = runs.windows(2).any(|pair| pair[1].0 < pair[0].1);
        Self { sets, single, numbers, domain, overlap }
    }

    /// Whether cells that differ can be the same value.
    pub(crate) fn overlaps(&self) -> bool {
        self.overlap
    }

    /// Numbers cells such that those which overlap, step by step, have the same number: the lowest of their cells. For
    /// ascending cells.
    pub(crate) fn classes(&self, cells: &[u32]) -> Vec<u32> {
        let mut class: Vec<u32> = (0..cells.len() as u32).collect();
        let runs = |(place, &cell): (u32, &u32)| {
            self.sets[cell as usize].iter().map(move |&(from, to)| (from, to, place))
        };
        let mut all: Vec<(u32, u32, u32)> = (0..).zip(cells).flat_map(runs).collect();
        all.sort_unstable();
        let mut open: Option<(u32, u32)> = None;
        for (from, to, place) in all {
            open = Some(match open {
                Some((end, other)) if from < end => {
                    let (a, b) = (root(&mut class, other), root(&mut class, place));
                    class[a.max(b) as usize] = a.min(b);
                    (end.max(to), other)
                }
                _ => (to, place),
            });
        }
        (0..cells.len() as u32).map(|place| cells[root(&mut class, place) as usize]).collect()
    }

    /// What some cells leave together.
    pub(crate) fn union(&self, cells: impl Iterator<Item = u32>) -> Union {
        let union = joined(cells.flat_map(|cell| self.sets[cell as usize].iter().copied()).collect());
        Union { is_one: self.is_one(&union) && !self.is_one(&self.domain), excludes: union != self.domain }
    }

    /// The one value that a cell states, by its place.
    pub(crate) fn only(&self, cell: u32) -> Option<u32> {
        let set = &self.sets[cell as usize];
        self.is_one(set).then(|| set[0].0)
    }

    /// The one number that a cell states.
    fn number(&self, cell: u32) -> Option<f64> {
        self.numbers.get(self.only(cell)? as usize)?.map(f64::from_bits)
    }

    /// Whether more than one value is possible.
    pub(crate) fn tells(&self) -> bool {
        !self.is_one(&self.domain)
    }

    fn is_one(&self, set: &Runs) -> bool {
        matches!(set[..], [(from, to)] if from + 1 == to && self.single[from as usize])
    }
}

/// The class that represents the others, found step by step.
fn root(class: &mut [u32], mut place: u32) -> u32 {
    while class[place as usize] != place {
        class[place as usize] = class[class[place as usize] as usize];
        place = class[place as usize];
    }
    place
}

/// Runs in their order, those that touch made one.
fn joined(mut runs: Runs) -> Runs {
    runs.sort_unstable();
    let mut all: Runs = Vec::with_capacity(runs.len());
    for (from, to) in runs.into_iter().filter(|(from, to)| from < to) {
        match all.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => all.push((from, to)),
        }
    }
    all
}

/// A column of texts with the policy's word on the attribute.
struct Cells<'a> {
    attribute: &'a Attribute,
    /// For each code that occurs its text, and what it looks like.
    of_code: Vec<Option<(&'a str, Notation<'a>)>>,
    has_missing: bool,
}

impl<'a> Cells<'a> {
    /// `None` where no cell is more than a value.
    fn read(column: &'a Column, policy: &'a Policy) -> Option<Self> {
        let attribute = policy.attribute(column.name())?;
        let texts = column.values().texts()?;
        let reader = notation::Reader::new(attribute);
        let mut occurs = vec![false; column.values().len() + 1];
        if !texts.iter().any(|text| reader.is_set(text)) {
            return None;
        }
        column.codes().iter().for_each(|code| occurs[code as usize] = true);
        // Where the policy declares values to be names, one that looks like an interval is a name.
        let is_named =
            !attribute.values.is_empty() || attribute.kind.is_some_and(|kind| kind != Kind::Numeric);
        let read = |text: &'a str| match reader.read(text) {
            Notation::Interval(_) if is_named => Notation::Value(text),
            said => said,
        };
        let cell = |(text, occurs): (&'a str, &bool)| occurs.then(|| (text, read(text)));
        let of_code: Vec<_> = texts.iter().zip(&occurs).map(cell).collect();
        let is_set = of_code.iter().flatten().any(|(_, said)| !matches!(said, Notation::Value(_)));
        is_set.then(|| Self { attribute, of_code, has_missing: column.has_missing() })
    }

    /// Whether the cells are about numbers: as the policy declares, or else if they can be parsed as such.
    fn are_numbers(&self) -> Result<bool> {
        let declared = self.attribute;
        if declared.kind == Some(Kind::Numeric) || declared.range.is_some() || declared.whole {
            return Ok(true);
        }
        if declared.kind.is_some() || !declared.values.is_empty() {
            return Ok(false);
        }
        let cells = || self.of_code.iter().flatten().map(|(_, said)| said);
        let is_number = |said: &Notation<'_>| said.parts().all(|part| part == "?" || number(part).is_some());
        let any = cells().any(|said| said.parts().next().is_some() || matches!(said, Notation::Interval(_)));
        if any && cells().all(is_number) {
            return Ok(true);
        }
        if cells().any(|said| matches!(said, Notation::Interval(_))) {
            return Err(Error::input("some cells are intervals of numbers, others names")
                .of_attribute(&declared.name)
                .help("declare the attribute's `kind` in the policy"));
        }
        Ok(false)
    }
}

/// Whether a cell of a released table states less than a value of the attribute, or nothing.
pub fn is_recoded_cell(attribute: &Attribute, cell: &str) -> bool {
    notation::Reader::new(attribute).is_set(cell)
}

/// The finite number that a text represents.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number + 0.0)
}

/// A cell that states something the policy rules out.
fn contradicts() -> Error {
    Error::input("the table has a private cell that the policy does not allow")
        .help("correct the attribute's `values`, `order`, `range` or `whole` in the policy, or the table")
}
