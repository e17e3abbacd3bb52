//! The cells of a private column of a released table: each is a set of values.
//!
//! A cell of a foreign table may be less precise than a value: `*`, `{a, b}`, `[1, 3)`, a group of a taxonomy. Equal
//! sets are equal cells, however they are spelled ([`canonical`]). Cells whose sets overlap may be the same value:
//! within a group, cells that overlap, directly or through other cells, count as one value. Counts made in this way are
//! never better than the truth, because true values divide these classes further (`docs/proofs.md`).
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
pub(crate) use notation::extent_of_numbers;

use super::days::days_of_cell;
use crate::error::{Error, Result};
use crate::policy::{Attribute, Policy, not_allowed};
use crate::table::{Column, Date, Kind};
use crate::taxonomy::TaxonomySpec;
use hashbrown::HashSet;
use notation::Notation;
use std::borrow::Cow;

/// Half-open runs of places, ascending, none touching the next.
pub(super) type Runs = Vec<(u32, u32)>;

/// The contents of the cells of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CellContents {
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

impl CellContents {
    /// The contents of the cells of a private column; `None` where each is a single value.
    ///
    /// # Errors
    /// When a cell contradicts the policy, or numbers and names are mixed.
    pub(crate) fn of(column: &Column, policy: &Policy) -> Result<Option<Self>> {
        let Some(cells) = Cells::read(column, policy) else { return Ok(None) };
        cells.check_commas()?;
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
    /// For each code the first row that has it.
    first_row: Vec<Option<usize>>,
    has_missing: bool,
}

impl<'a> Cells<'a> {
    /// `None` where no cell is more than a value.
    fn read(column: &'a Column, policy: &'a Policy) -> Option<Self> {
        let attribute = policy.attribute(column.name())?;
        let texts = column.values().texts()?;
        let reader = notation::Reader::new(attribute);
        if !texts.iter().any(|text| reader.is_set(text)) {
            return None;
        }
        let mut first_row = vec![None; column.values().len() + 1];
        for (row, code) in column.codes().iter().enumerate() {
            first_row[code as usize].get_or_insert(row);
        }
        // Where the policy declares values to be names, one that looks like an interval is a name.
        let is_named =
            !attribute.values.is_empty() || attribute.kind.is_some_and(|kind| kind != Kind::Numeric);
        let read = |text: &'a str| match reader.read(text) {
            Notation::Interval(_) if is_named => Notation::Value(text),
            said => said,
        };
        let cell = |(text, row): (&'a str, &Option<usize>)| row.map(|_| (text, read(text)));
        let of_code: Vec<_> = texts.iter().zip(&first_row).map(cell).collect();
        let is_set = of_code.iter().flatten().any(|(_, said)| !matches!(said, Notation::Value(_)));
        is_set.then(|| Self { attribute, of_code, first_row, has_missing: column.has_missing() })
    }

    /// The cell of each code that occurs, as `read` makes it of what it looks like. An error names its row.
    fn each<T>(&self, read: impl Fn(&Notation<'a>) -> Result<T, Unreadable>) -> Result<Vec<Option<T>>> {
        let cell = |(cell, row): (&Option<(&str, Notation<'a>)>, &Option<usize>)| {
            let Some((_, said)) = cell else { return Ok(None) };
            read(said).map(Some).map_err(|error| error.at_row(row.unwrap_or(0)))
        };
        self.of_code.iter().zip(&self.first_row).map(cell).collect()
    }

    /// Refuses sets of names whose commas may be part of a name: sets with the same part twice, and sets with the parts
    /// of another cell. A value that is declared is found whatever it contains.
    fn check_commas(&self) -> Result<()> {
        let split = |(text, said): &(&'a str, Notation<'a>)| match said {
            Notation::OneOf(_) => notation::unquoted_parts(text),
            _ => None,
        };
        let is_declared = !self.attribute.values.is_empty()
            || matches!(self.attribute.taxonomy, Some(TaxonomySpec::Tree(_)));
        if is_declared || self.are_numbers()? {
            return Ok(());
        }
        let cells = || self.of_code.iter().flatten();
        let with_commas: Vec<Vec<&str>> = cells()
            .filter(|(text, said)| matches!(said, Notation::Value(_)) && text.contains(','))
            .map(|(text, _)| text.split(',').map(str::trim).collect())
            .collect();
        let is_doubtful = |parts: &Vec<&str>| {
            let different: HashSet<&&str> = parts.iter().collect();
            let repeats = different.len() > 1 && different.len() < parts.len();
            repeats || with_commas.iter().any(|name| parts.windows(name.len()).any(|run| run == name))
        };
        if cells().filter_map(split).any(|parts| is_doubtful(&parts)) {
            return Err(Error::input(
                "some names contain commas, so it is not clear which names a set lists",
            )
            .of_attribute(&self.attribute.name)
            .help(
                "quote such names within sets, as in {\"a, b\", c}, or declare all `values` in the policy",
            ));
        }
        Ok(())
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

/// What a cell names if it is a set or a group of a taxonomy: values, masked codes and marks.
pub(crate) fn values_of_set<'t>(attribute: &'t Attribute, cell: &'t str) -> Option<Vec<Cow<'t, str>>> {
    match notation::Reader::new(attribute).read(cell) {
        Notation::OneOf(values) => Some(values),
        // A set with `*` in it still names the others.
        Notation::Any => {
            let inside = cell.strip_prefix('{')?.strip_suffix('}')?;
            Some(notation::parts_of_set(inside))
        }
        Notation::Value(_) | Notation::Interval(_) => None,
    }
}

/// Whether a cell is an interval of numbers.
pub(crate) fn is_interval(cell: &str) -> bool {
    matches!(notation::read(cell), Notation::Interval(_))
}

/// Whether a cell of a released table states less than a value of the attribute, or nothing.
pub fn is_recoded_cell(attribute: &Attribute, cell: &str) -> bool {
    let is_set_of_dates = || days_of_cell(cell).is_some() && Date::parse(cell, None).is_none();
    notation::Reader::new(attribute).is_set(cell) || (attribute.kind == Some(Kind::Date) && is_set_of_dates())
}

/// Whether a public cell certainly states one value. Texts that read like numbers or dates but are neither may be
/// intervals in a notation that is not known, unless the policy lists the values or calls them names.
pub fn states_one_value(attribute: &Attribute, cell: &str) -> bool {
    let is_date = || Date::parse(cell, None).is_some();
    let reads_like_number =
        || cell.trim_start().starts_with(|c: char| c.is_ascii_digit() || "+-.,[(<>~≤≥".contains(c));
    match attribute.kind {
        _ if is_recoded_cell(attribute, cell) => false,
        Some(Kind::Numeric) => number(cell).is_some(),
        Some(Kind::Date) => is_date(),
        _ if !attribute.values.is_empty() => attribute.values.iter().any(|value| value == cell),
        Some(_) => true,
        None => number(cell).is_some() || is_date() || !reads_like_number(),
    }
}

/// The finite number that a text represents.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number + 0.0)
}

/// Why a cell cannot be read.
enum Unreadable {
    /// It states something that the policy rules out.
    Contradicts,
    /// It covers values without naming them, though the policy declares all of them.
    Unlisted,
    /// It is not about numbers.
    NotANumber,
}

impl Unreadable {
    fn at_row(self, row: usize) -> Error {
        let at =
            |what: &str| Error::input(format!("row {} of the table has a private cell that {what}", row + 1));
        match self {
            Self::Contradicts => not_allowed("private cell", row),
            Self::Unlisted => at("does not name the values it covers, although the policy declares `values`")
                .help(
                    "write the cell as a set of values, such as {a, b}, or leave `values` out of the policy",
                ),
            Self::NotANumber => at("is not a number, a date or a set of these")
                .help("correct the table, or the attribute's `kind` in the policy"),
        }
    }
}
