//! Individuals with several rows: by exchanging their rows in connected spans, as the audit does, and by all worlds.
//!
//! A world puts every row into a bin of its span such that each bin has as many *different* individuals as actually.

use super::figures::Figures;
use super::linked::{Attribute, Bin, View, individuals};
use super::{OfPersons, worlds};
use crate::table::People;
use std::collections::{BTreeMap, BTreeSet};

/// The bins of an individual's rows.
type Placement = Vec<Bin>;

impl Figures<'_> {
    /// The rows of each individual; a row each where individuals are not distinguished.
    fn persons(&self) -> Vec<Vec<usize>> {
        match self.table.people() {
            People::Subjects { of_row, count } => (0..*count)
                .map(|subject| (0..of_row.len()).filter(|&row| of_row[row] == subject).collect())
                .collect(),
            _ => (0..self.table.rows()).map(|row| vec![row]).collect(),
        }
    }

    /// Whether someone has several rows.
    pub(super) fn has_several(&self) -> bool {
        self.persons().iter().any(|rows| rows.len() > 1)
    }

    fn group_of(&self, row: usize) -> usize {
        self.groups.iter().position(|rows| rows.contains(&row)).unwrap_or(0)
    }

    /// The spans of an individual's rows, in order.
    fn spans_of(&self, rows: &[usize]) -> Vec<usize> {
        let mut spans: Vec<usize> = rows.iter().map(|&row| self.group_of(row)).collect();
        spans.sort_unstable();
        spans
    }

    /// The first row of those in the same span for whom every bin reveals the same.
    fn part_of(&self, row: usize) -> usize {
        let parts = self.linked.parts(&self.groups[self.group_of(row)]);
        parts.iter().find(|rows| rows.contains(&row)).map_or(row, |rows| rows[0])
    }

    /// The parts of spans of an individual's rows, in order.
    fn parts_of(&self, rows: &[usize]) -> Vec<usize> {
        let mut parts: Vec<usize> = rows.iter().map(|&row| self.part_of(row)).collect();
        parts.sort_unstable();
        parts
    }

    /// The individuals with the same spans in all rows as the individual of a row.
    pub(super) fn alike(&self, row: usize) -> u64 {
        let persons = self.persons();
        let own = persons.iter().find(|rows| rows.contains(&row)).map(|rows| self.spans_of(rows));
        let alike = persons.iter().filter(|rows| Some(self.spans_of(rows)) == own);
        alike.map(|rows| individuals(self.table, |row| rows.contains(&row))).sum()
    }

    /// For each attribute, for each row, whether its individual is exposed, and whether a value is excluded for them,
    /// by exchanging the rows of individuals in connected spans.
    pub(super) fn certainties_of_persons(&self) -> (Vec<Vec<bool>>, Vec<Vec<bool>>) {
        let (persons, regions) = (self.persons(), self.regions());
        let attributes = self.linked.attributes.iter();
        let of_attribute = |attribute: &Attribute| {
            let (mut exposed, mut excluded) =
                (vec![false; self.table.rows()], vec![false; self.table.rows()]);
            for rows in &persons {
                for region in &regions {
                    let within = |rows: &Vec<usize>| -> Vec<usize> {
                        rows.iter().copied().filter(|row| region.contains(&self.group_of(*row))).collect()
                    };
                    let own = within(rows);
                    if own.is_empty() {
                        continue;
                    }
                    let others = persons.iter().map(within);
                    let class: Vec<Vec<usize>> =
                        others.filter(|other| self.parts_of(other) == self.parts_of(&own)).collect();
                    let placements: Vec<Vec<(usize, &Bin)>> = class
                        .iter()
                        .map(|rows| rows.iter().map(|&row| (row, &self.linked.bins[row])).collect())
                        .collect();
                    let is_exposed = Self::is_certain(attribute, rows, &placements);
                    let is_excluded = self.is_excluded(attribute, &own, &placements);
                    rows.iter().for_each(|&row| {
                        exposed[row] |= is_exposed;
                        excluded[row] |= is_excluded;
                    });
                }
            }
            (exposed, excluded)
        };
        attributes.map(of_attribute).unzip()
    }

    /// The groups by region: two groups are in one region if rows of both are in one bin, directly or through others,
    /// or if individuals of many bins are counted together.
    fn regions(&self) -> Vec<BTreeSet<usize>> {
        let touch = |a: &BTreeSet<usize>, b: &BTreeSet<usize>| {
            let bins = |groups: &BTreeSet<usize>| -> BTreeSet<&Bin> {
                groups
                    .iter()
                    .flat_map(|&group| &self.groups[group])
                    .map(|&row| &self.linked.bins[row])
                    .collect()
            };
            self.linked.overlapping || !bins(a).is_disjoint(&bins(b))
        };
        let mut regions: Vec<BTreeSet<usize>> = Vec::new();
        for group in 0..self.groups.len() {
            let mut joined = BTreeSet::from([group]);
            while let Some(at) = regions.iter().position(|region| touch(region, &joined)) {
                joined.extend(regions.swap_remove(at));
            }
            regions.push(joined);
        }
        regions
    }

    /// Whether some value, as one of an individual's spans distinguishes it, is what a row must have in every one of
    /// some placements of the rows (or of rows of the same spans).
    fn is_certain(attribute: &Attribute, rows: &[usize], placements: &[Vec<(usize, &Bin)>]) -> bool {
        let told = rows.iter().map(|&row| &attribute.views[row]).filter(|view| view.tells);
        let mut values = told.flat_map(|view| (0..view.told.len()).map(|told| view.values_of(told)));
        let must = |(row, bin): &(usize, &Bin), values: &BTreeSet<usize>| {
            let view = &attribute.views[*row];
            view.tells && view.left_by(bin).is_subset(values)
        };
        values.any(|values| placements.iter().all(|rows| rows.iter().any(|row| must(row, &values))))
    }

    /// Whether some value that a span distinguishes is one that no row in that span can have in any of some placements.
    fn is_excluded(&self, attribute: &Attribute, rows: &[usize], placements: &[Vec<(usize, &Bin)>]) -> bool {
        let excluded = |&row: &usize| {
            let (view, part): (&View, usize) = (&attribute.views[row], self.part_of(row));
            let here = |other: &&(usize, &Bin)| self.part_of(other.0) == part;
            let bins: Vec<&Bin> = placements.iter().flatten().filter(here).map(|(_, bin)| *bin).collect();
            let was_possible = view.told.iter().zip(&view.possible).filter(|(_, possible)| **possible);
            let mut ruled_out = was_possible.map(|(told, _)| !bins.iter().any(|bin| told.contains(*bin)));
            view.tells && (view.open || ruled_out.any(|ruled_out| ruled_out))
        };
        rows.iter().any(excluded)
    }

    /// The most individuals in the smallest part of a span's individuals in one bin that has fewer than a smallest bin
    /// requires in every world, where only individuals with one row are moved.
    pub(super) fn small_cell(&self, group: usize) -> Option<u64> {
        let limit = self.guarantee.asked_smallest_bin().filter(|_| self.bins_counted)?;
        let several: BTreeSet<usize> =
            self.persons().into_iter().filter(|rows| rows.len() > 1).flatten().collect();
        let occupied: Vec<&Bin> = self.linked.bins.iter().collect::<BTreeSet<_>>().into_iter().collect();
        let count = |of: &dyn Fn(usize) -> bool| individuals(self.table, of);
        let free = |rows: &Vec<usize>| count(&|row| rows.contains(&row) && !several.contains(&row));
        let sizes: Vec<u64> = self.groups.iter().map(free).collect();
        let held = |bin: &&Bin| count(&|row| self.linked.bins[row] == **bin && !several.contains(&row));
        let populations: Vec<u64> = occupied.iter().map(held).collect();
        let reach = |rows: &Vec<usize>| {
            (0..occupied.len()).filter(|&i| self.linked.spans[rows[0]].contains(occupied[i])).collect()
        };
        let reach: Vec<Vec<usize>> = self.groups.iter().map(reach).collect();
        let ranges = worlds::ranges(&sizes, &populations, &reach);
        let whole = |(&bin, &(least, most)): (&usize, &worlds::Range)| {
            let fixed = |row: usize| self.groups[group].contains(&row) && several.contains(&row);
            let fixed = count(&|row| fixed(row) && self.linked.bins[row] == *occupied[bin]);
            (least + fixed, most + fixed)
        };
        let small = |(least, most): &worlds::Range| *least >= 1 && *most < limit;
        ranges[group].iter().map(whole).filter(small).map(|(_, most)| most).min()
    }

    /// What is certain of individuals by all worlds.
    pub(super) fn certain_of_persons(&self, limit: u64) -> OfPersons {
        let persons = self.persons();
        let occupied: BTreeSet<&Bin> = self.linked.bins.iter().collect();
        let populations: BTreeMap<&Bin, u64> = occupied
            .iter()
            .map(|&bin| (bin, individuals(self.table, |row| self.linked.bins[row] == *bin)))
            .collect();
        let options: Vec<Vec<Placement>> = persons.iter().map(|rows| self.options(rows, &occupied)).collect();
        let mut all = Worlds { options: &options, found: Vec::new() };
        all.search(&mut Vec::new(), &populations);
        let exposed = |attribute: &Attribute| {
            let certain = |&person: &usize| {
                let rows = &persons[person];
                let seen: BTreeSet<&Placement> =
                    all.found.iter().map(|world| &options[person][world[person]]).collect();
                let placed = seen.iter().map(|bins| rows.iter().copied().zip(bins.iter()).collect());
                Self::is_certain(attribute, rows, &placed.collect::<Vec<_>>())
            };
            (0..persons.len()).filter(certain).count() as u64
        };
        let in_cell = |world: &[usize], group: usize, bin: &Bin| {
            let inside = |&person: &usize| {
                let placed = persons[person].iter().zip(&options[person][world[person]]);
                placed.into_iter().any(|(&row, other)| other == bin && self.group_of(row) == group)
            };
            (0..persons.len()).filter(inside).count() as u64
        };
        let small = |group: usize, bin: &Bin| {
            let sizes = || all.found.iter().map(|world| in_cell(world, group, bin));
            sizes().all(|size| (1..limit).contains(&size))
        };
        let crowd = |person: usize| {
            let truth = sorted(persons[person].iter().map(|&row| self.linked.bins[row].clone()));
            let could = |other: &usize| {
                let placed = |world: &Vec<usize>| sorted(options[*other][world[*other]].iter().cloned());
                all.found.iter().any(|world| placed(world) == truth)
            };
            (0..persons.len()).filter(could).count() as u64
        };
        OfPersons {
            exposed_to: self.linked.attributes.iter().map(exposed).collect(),
            small_cell: (0..self.groups.len()).any(|g| occupied.iter().any(|bin| small(g, bin))),
            crowd: (0..persons.len()).map(crowd).collect(),
        }
    }

    /// All ways to put an individual's rows into non-empty bins.
    fn options(&self, rows: &[usize], occupied: &BTreeSet<&Bin>) -> Vec<Placement> {
        let mut all: Vec<Placement> = vec![Vec::new()];
        for &row in rows {
            let bins: Vec<&Bin> =
                self.linked.spans[row].iter().filter(|bin| occupied.contains(bin)).collect();
            let with = |start: &Placement, bin: &Bin| start.iter().cloned().chain([bin.clone()]).collect();
            all = all.iter().flat_map(|start| bins.iter().map(move |bin| with(start, bin))).collect();
        }
        all
    }
}

fn sorted(bins: impl Iterator<Item = Bin>) -> Placement {
    let mut bins: Placement = bins.collect();
    bins.sort();
    bins
}

/// All worlds, each by the number of every individual's placement.
struct Worlds<'a> {
    options: &'a [Vec<Placement>],
    found: Vec<Vec<usize>>,
}

impl Worlds<'_> {
    fn search(&mut self, placed: &mut Vec<usize>, left: &BTreeMap<&Bin, u64>) {
        let Some(options) = self.options.get(placed.len()) else {
            if left.values().all(|&left| left == 0) {
                self.found.push(placed.clone());
            }
            return;
        };
        for (number, option) in options.iter().enumerate() {
            let bins: BTreeSet<&Bin> = option.iter().collect();
            if bins.iter().all(|bin| left[bin] > 0) {
                let mut left = left.clone();
                bins.iter().for_each(|bin| *left.entry(bin).or_insert(1) -= 1);
                placed.push(number);
                self.search(placed, &left);
                placed.pop();
            }
        }
    }
}
