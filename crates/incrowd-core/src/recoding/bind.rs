//! The cells of one attribute prepared for comparison, and values as they see them.
//!
//! Every name and every beginning of a code that some cell lists is an *atom*. A value has at most one name and a few
//! beginnings, so a few bits show whether a cell covers it.

use super::extent::{Extent, MaskedCode, NumberRange};
use crate::table::{Column, Date, Kind};
use hashbrown::HashMap;

/// The cells of one attribute.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    kind: Kind,
    names: HashMap<String, u32>,
    codes: HashMap<MaskedCode, u32>,
    /// The lengths and fillings of codes, each once.
    shapes: Vec<(u32, Option<char>)>,
    pub(super) atoms: usize,
    pub(super) list: Vec<Prepared>,
    /// The lowest and the highest bound of all cells.
    ends: Option<(f64, f64)>,
}

/// A cell.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub(super) any: bool,
    pub(super) missing: bool,
    /// Ascending.
    pub(super) atoms: Vec<u32>,
    pub(super) ranges: Vec<NumberRange>,
    /// How much of the attribute it covers, from 0 for one value to 1.
    pub(super) width: f64,
}

/// A value of a new row.
#[derive(Debug, Clone, Default)]
pub(super) struct Point {
    pub(super) missing: bool,
    pub(super) number: Option<f64>,
    pub(super) atoms: Vec<u32>,
}

impl Cells {
    pub(super) fn new(kind: Kind, extents: &[Extent]) -> Self {
        let (mut names, mut codes) = (HashMap::new(), HashMap::new());
        let mut next = 0;
        let mut number = || {
            next += 1;
            next - 1
        };
        let mut cells: Vec<Prepared> = Vec::with_capacity(extents.len());
        for extent in extents {
            let of_names = extent.names.iter().map(|name| match names.get(name) {
                Some(&atom) => atom,
                None => *names.entry(name.clone()).or_insert_with(&mut number),
            });
            let mut atoms: Vec<u32> = of_names.collect();
            atoms.extend(extent.codes.iter().map(|code| match codes.get(code) {
                Some(&atom) => atom,
                None => *codes.entry(code.clone()).or_insert_with(&mut number),
            }));
            atoms.sort_unstable();
            let Extent { any, missing, ranges, .. } = extent;
            cells.push(Prepared { any: *any, missing: *missing, atoms, ranges: ranges.clone(), width: 0.0 });
        }
        let mut shapes: Vec<_> = codes.keys().map(|code: &MaskedCode| (code.length, code.pad)).collect();
        shapes.sort_unstable();
        shapes.dedup();
        let ends = ends(&cells);
        let mut cells = Self { kind, names, codes, shapes, atoms: next as usize, list: cells, ends };
        cells.measure(extents);
        cells
    }

    /// Sets the width of every cell.
    fn measure(&mut self, extents: &[Extent]) {
        let all = self.atoms as f64;
        // A hidden character covers more than any list of names.
        let hidden = |code: &MaskedCode| f64::from(code.length) - code.shown.chars().count() as f64;
        let weight = |extent: &Extent| {
            let codes: f64 = extent.codes.iter().map(|code| 1.0 + hidden(code).max(0.0) * all).sum();
            (extent.names.len() as f64 + codes - 1.0).max(0.0)
        };
        let most = extents.iter().map(weight).fold(0.0, f64::max).max(1.0) + 1.0;
        for (cell, extent) in self.list.iter_mut().zip(extents) {
            let of_ranges = self.ends.map_or(0.0, |(low, high)| {
                let length = |range: &NumberRange| {
                    (range.high.unwrap_or(high) - range.low.unwrap_or(low)).clamp(0.0, f64::MAX)
                };
                let all = (high - low).min(f64::MAX);
                let covered: f64 = cell.ranges.iter().map(length).sum();
                if all > 0.0 { (covered / all).min(1.0) } else { 0.0 }
            });
            cell.width = if cell.any { 1.0 } else { of_ranges.max(weight(extent) / most) };
        }
    }

    /// The values of a column, by code; a missing value last.
    pub(super) fn points(&self, column: &Column) -> Vec<Point> {
        let values = column.values();
        let missing = Point { missing: true, ..Point::default() };
        let point = |code: usize| {
            let text = values.text(code);
            Point { missing: false, number: self.number(column, code, &text), atoms: self.atoms_of(&text) }
        };
        (0..values.len()).map(point).chain([missing]).collect()
    }

    fn number(&self, column: &Column, code: usize, text: &str) -> Option<f64> {
        match (self.kind, column.values().numbers()) {
            (Kind::Numeric, Some(numbers)) => Some(numbers[code]),
            (Kind::Numeric, None) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            (Kind::Date, Some(numbers)) if column.is_in_days() => Some(numbers[code]),
            (Kind::Date, _) => Date::parse(text, None).map(|date| f64::from(date.days())),
            _ => None,
        }
    }

    fn atoms_of(&self, text: &str) -> Vec<u32> {
        let mut atoms: Vec<u32> = self.names.get(text).copied().into_iter().collect();
        for &(length, pad) in &self.shapes {
            let own = text.chars().count();
            let lack = (length as usize).saturating_sub(own);
            if own > length as usize || (lack > 0 && pad.is_none()) {
                continue;
            }
            let filled: String = pad.into_iter().cycle().take(lack).chain(text.chars()).collect();
            let ends = filled.char_indices().map(|(at, _)| at).skip(1).chain([filled.len()]);
            let beginnings = ends.map(|end| MaskedCode { shown: filled[..end].to_owned(), length, pad });
            atoms.extend(beginnings.filter_map(|code| self.codes.get(&code).copied()));
        }
        atoms.sort_unstable();
        atoms
    }

    /// How much of the attribute a cell covers.
    pub(super) fn width(&self, cell: u32) -> f64 {
        self.list[cell as usize].width
    }

    /// Where a cell is among the others: its lowest and its highest number, infinite for cells without.
    pub(super) fn place(&self, cell: u32) -> (f64, f64) {
        let ranges = &self.list[cell as usize].ranges;
        let low = ranges.first().map_or(f64::INFINITY, |range| range.low.unwrap_or(f64::NEG_INFINITY));
        let high = ranges.last().map_or(f64::INFINITY, |range| range.high.unwrap_or(f64::INFINITY));
        (low, high)
    }

    /// The range that gaps are compared with.
    pub(super) fn range(&self) -> f64 {
        self.ends.map_or(0.0, |(low, high)| (high - low).clamp(0.0, f64::MAX))
    }

    /// The distance of a value to a cell.
    pub(super) fn distance(&self, point: &Point, cell: u32) -> f64 {
        let cell = &self.list[cell as usize];
        let has_atom = || point.atoms.iter().any(|atom| cell.atoms.binary_search(atom).is_ok());
        if cell.any || (point.missing && cell.missing) || has_atom() {
            return 0.0;
        }
        let Some(number) = point.number else { return 1.0 };
        let gaps =
            cell.ranges.iter().map(|range| range.gap(number).map_or(0.0, |gap| share(gap, self.range())));
        gaps.fold(1.0, f64::min)
    }
}

/// A gap as a share: 0 for none, half if it is as wide as the range of all cells, always at most 1. Every step rounds
/// monotonically, so that a wider gap never has a smaller share.
pub(super) fn share(gap: f64, range: f64) -> f64 {
    if gap + range == 0.0 {
        return f64::MIN_POSITIVE;
    }
    (1.0 - range / (gap + range)).max(f64::MIN_POSITIVE)
}

fn ends(cells: &[Prepared]) -> Option<(f64, f64)> {
    let bounds = cells.iter().flat_map(|cell| &cell.ranges).flat_map(|range| [range.low, range.high]);
    bounds.flatten().fold(None, |ends: Option<(f64, f64)>, bound| match ends {
        Some((low, high)) => Some((low.min(bound), high.max(bound))),
        None => Some((bound, bound)),
    })
}
