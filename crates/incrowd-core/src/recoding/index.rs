//! Finds the nearest group of a row without comparing it with every group.
//!
//! Groups are leaves of a binary tree. Every node states what the cells below it cover at most, so that no group below
//! is nearer than the node: a branch is left out if it cannot contain a nearer group. The groups are numbered by rank;
//! of equally near ones the first is taken, whatever the shape of the tree is.

use super::bind::{Cells, Point, share};
use crate::bits::Bits;

/// The most groups that are compared one by one.
const LEAF: usize = 8;
/// The most names of an attribute that nodes distinguish.
const MOST_ATOMS: usize = 4096;

/// A tree over the groups of a table.
#[derive(Debug, Clone)]
pub(super) struct Index {
    /// Children come after their parents; the root is 0.
    nodes: Vec<Node>,
    /// The groups below a node are neighbours.
    groups: Vec<u32>,
}

#[derive(Debug, Clone)]
struct Node {
    /// One for each attribute.
    hulls: Vec<Hull>,
    /// The first of its groups.
    first: u32,
    below: Below,
}

#[derive(Debug, Clone)]
enum Below {
    /// The places of its groups, ascending by rank.
    Groups(std::ops::Range<usize>),
    Nodes(usize, usize),
}

/// What some cells cover at most.
#[derive(Debug, Clone)]
struct Hull {
    any: bool,
    missing: bool,
    /// None where there are too many to be distinguished.
    atoms: Option<Bits>,
    /// The lowest and highest number.
    ends: Option<(f64, f64)>,
}

/// The group of a row, and how far it is from the row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nearest {
    pub(super) distance: f64,
    pub(super) group: u32,
}

impl Index {
    /// An index of groups, given the cell of each group and attribute.
    pub(super) fn new(attributes: &[&Cells], groups: usize, cell: &dyn Fn(usize, u32) -> u32) -> Self {
        let mut index = Self { nodes: Vec::new(), groups: (0..groups as u32).collect() };
        let mut all = std::mem::take(&mut index.groups);
        // The place of the parent's child that is made next, and its groups.
        let mut open = vec![(None::<(usize, bool)>, 0..groups)];
        while let Some((parent, range)) = open.pop() {
            let own = &mut all[range.clone()];
            own.sort_unstable();
            let number = index.nodes.len();
            let below = Below::Groups(range.clone());
            index.nodes.push(Node {
                hulls: hulls(attributes, own, cell),
                first: own.first().copied().unwrap_or(0),
                below,
            });
            if let Some((parent, is_second)) = parent
                && let Below::Nodes(first, second) = &mut index.nodes[parent].below
            {
                *(if is_second { second } else { first }) = number;
            }
            if own.len() > LEAF && divide(attributes, own, cell) {
                let middle = range.start + own.len() / 2;
                index.nodes[number].below = Below::Nodes(0, 0);
                open.push((Some((number, true)), middle..range.end));
                open.push((Some((number, false)), range.start..middle));
            }
        }
        index.groups = all;
        index
    }

    /// The nearest group of a row; the first of several. None if there are no groups.
    pub(super) fn nearest(
        &self,
        attributes: &[&Cells],
        row: &[&Point],
        cell: &dyn Fn(usize, u32) -> u32,
    ) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        let can_improve = |best: &Option<Nearest>, bound: f64, first: u32| {
            best.is_none_or(|best| bound < best.distance || bound <= best.distance && first < best.group)
        };
        let bound = |node: usize| -> f64 {
            let hulls = self.nodes[node].hulls.iter().zip(attributes).zip(row);
            hulls.map(|((hull, cells), point)| hull.distance(point, cells.range())).sum()
        };
        let mut open = vec![(bound(0), 0_usize)];
        while let Some((least, number)) = open.pop() {
            let node = &self.nodes[number];
            if !can_improve(&best, least, node.first) {
                continue;
            }
            match &node.below {
                Below::Groups(range) => {
                    for &group in &self.groups[range.clone()] {
                        let mut distance = 0.0;
                        for (place, (cells, point)) in attributes.iter().zip(row).enumerate() {
                            distance += cells.distance(point, cell(place, group));
                            if !can_improve(&best, distance, group) {
                                break;
                            }
                        }
                        if can_improve(&best, distance, group) {
                            best = Some(Nearest { distance, group });
                        }
                    }
                }
                &Below::Nodes(first, second) => {
                    let (a, b) = ((bound(first), first), (bound(second), second));
                    // The last one is looked at first.
                    let key = |(bound, node): (f64, usize)| (bound, self.nodes[node].first);
                    open.extend(if key(a) <= key(b) { [b, a] } else { [a, b] });
                }
            }
        }
        best
    }
}

impl Hull {
    /// At most the distance of a value to any of the cells.
    fn distance(&self, point: &Point, range: f64) -> f64 {
        let has_atom = || match &self.atoms {
            Some(atoms) => point.atoms.iter().any(|&atom| atoms.contains(atom as usize)),
            None => !point.atoms.is_empty(),
        };
        if self.any || (point.missing && self.missing) || has_atom() {
            return 0.0;
        }
        match (point.number, self.ends) {
            (Some(number), Some((low, high))) => {
                let gap = (low - number).max(number - high).clamp(0.0, f64::MAX);
                if gap > 0.0 { share(gap, range) } else { 0.0 }
            }
            _ => 1.0,
        }
    }

    /// How much of an attribute it covers.
    fn width(&self, all: &Self) -> f64 {
        if self.any {
            return 1.0;
        }
        let share = |own: f64, all: f64| if all > 0.0 { own / all } else { 0.0 };
        let atoms = |hull: &Self| hull.atoms.as_ref().map_or(1.0, |atoms| atoms.count() as f64);
        let length = |hull: &Self| hull.ends.map_or(0.0, |(low, high)| (high - low).min(f64::MAX));
        share(atoms(self), atoms(all)).max(share(length(self), length(all)))
    }
}

fn hulls(attributes: &[&Cells], groups: &[u32], cell: &dyn Fn(usize, u32) -> u32) -> Vec<Hull> {
    (0..attributes.len())
        .map(|place| hull(attributes[place], groups.iter().map(|&group| cell(place, group))))
        .collect()
}

fn hull(attribute: &Cells, cells: impl Iterator<Item = u32>) -> Hull {
    let atoms = (attribute.atoms <= MOST_ATOMS).then(|| Bits::new(attribute.atoms));
    let mut hull = Hull { any: false, missing: false, atoms, ends: None };
    for cell in cells {
        let cell = &attribute.list[cell as usize];
        hull.any |= cell.any;
        hull.missing |= cell.missing;
        if let Some(atoms) = &mut hull.atoms {
            cell.atoms.iter().for_each(|&atom| atoms.insert(atom as usize));
        }
        for range in &cell.ranges {
            let low = range.low.unwrap_or(f64::NEG_INFINITY);
            let high = range.high.unwrap_or(f64::INFINITY);
            hull.ends = Some(hull.ends.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
        }
    }
    hull
}

/// Divides groups in two halves along the attribute that separates them best. False if none does.
fn divide(attributes: &[&Cells], groups: &mut [u32], cell: &dyn Fn(usize, u32) -> u32) -> bool {
    let middle = groups.len() / 2;
    let mut best: Option<(f64, usize)> = None;
    for (place, attribute) in attributes.iter().enumerate() {
        halve(attribute, groups, &|group| cell(place, group));
        let of = |groups: &[u32]| hull(attribute, groups.iter().map(|&group| cell(place, group)));
        let (first, second, all) = (of(&groups[..middle]), of(&groups[middle..]), of(groups));
        let cost = first.width(&all) + second.width(&all);
        if cost < 2.0 && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, place));
        }
    }
    if let Some((_, place)) = best {
        halve(attributes[place], groups, &|group| cell(place, group));
    }
    best.is_some()
}

/// Puts the groups whose cells come first in the first half.
fn halve(attribute: &Cells, groups: &mut [u32], cell: &dyn Fn(u32) -> u32) {
    let place = |group: u32| {
        let cell = &attribute.list[cell(group) as usize];
        let of_range = cell.ranges.first().map(|range| match (range.low, range.high) {
            (Some(low), Some(high)) => f64::midpoint(low, high),
            (low, high) => low.or(high).unwrap_or(0.0),
        });
        let of_atom = cell.atoms.first().map(|&atom| f64::from(atom));
        if cell.any { f64::INFINITY } else { of_range.or(of_atom).unwrap_or(f64::NEG_INFINITY) }
    };
    let middle = groups.len() / 2;
    groups.select_nth_unstable_by(middle, |&a, &b| place(a).total_cmp(&place(b)).then(a.cmp(&b)));
}
