//! An attribute: its steps from values to `*`, and what the cell of a group loses.

use super::super::cell::Cell;
use super::super::scale::Scale;
use super::super::task::Attribute;
use incrowd_core::taxonomy::{Taxonomy, TaxonomyNode};

/// Numbers are put into this many intervals of equal width at the first step, and half as many at each further one.
const INTERVALS: u32 = 64;

/// Up to so many pairs of nodes and codes, their lowest common group is looked up.
const LOOKED_UP: usize = 1 << 20;

/// The codes of a group with the number of its rows that have each, ascending.
pub(super) type Counts = Vec<(u32, u32)>;

pub(super) struct Ladder<'t> {
    scale: Scale<'t>,
    kind: Kind,
    codes: usize,
    /// The code of missing values.
    missing: u32,
    /// For each step, from the finest, the part of each code.
    pub(super) steps: Vec<Vec<u32>>,
    /// The lowest common group of each node and each code, node by node; empty where there are too many.
    common: Vec<TaxonomyNode>,
    /// The loss of each node.
    losses: Vec<f64>,
}

/// What the cells of an attribute are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Intervals,
    Groups,
    Sets,
}

/// What the cell of a group covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cover {
    /// Nothing, or only missing numbers.
    Nothing,
    /// The numbers from one code to another.
    Numbers(u32, u32),
    /// A group of the taxonomy.
    Group(TaxonomyNode),
    /// This many names.
    Names(u32),
}

impl<'t> Ladder<'t> {
    pub(super) fn new(attribute: &'t Attribute<'t>) -> Self {
        let scale = Scale::new(attribute);
        let codes = attribute.column.code_count() as u32;
        let mut steps: Vec<Vec<u32>> = vec![(0..codes).collect()];
        let kind = match (scale.taxonomy(), attribute.is_numeric()) {
            (Some(taxonomy), _) => {
                let at_depth = |depth| (0..codes).map(|code| part_at(taxonomy, code, depth)).collect();
                steps.extend((0..taxonomy.height()).rev().map(at_depth));
                Kind::Groups
            }
            (None, true) => {
                let mut intervals = INTERVALS;
                while intervals > 1 {
                    steps.push((0..codes).map(|code| scale.interval_of(code, intervals)).collect());
                    intervals /= 2;
                }
                Kind::Intervals
            }
            (None, false) => Kind::Sets,
        };
        steps.push(vec![0; codes as usize]);
        steps.dedup_by(|next, last| parts(next) == parts(last));
        let (mut common, mut losses) = (Vec::new(), Vec::new());
        if let Some(taxonomy) = scale.taxonomy() {
            losses = taxonomy.nodes().map(|node| scale.loss_of_group(taxonomy, node)).collect();
            if taxonomy.len() * codes as usize <= LOOKED_UP {
                let with =
                    |node: TaxonomyNode| (0..codes).map(move |code| lowest_common(taxonomy, node, code));
                common = taxonomy.nodes().flat_map(with).collect();
            }
        }
        let missing = attribute.column.missing_code();
        Self { scale, kind, codes: codes as usize, missing, steps, common, losses }
    }

    /// What a cover becomes by one more code; `is_new` tells whether no row of the group has it.
    pub(super) fn with(&self, cover: Cover, code: u32, is_new: bool) -> Cover {
        if !is_new {
            return cover;
        }
        match (self.kind, cover) {
            (Kind::Intervals, cover) if code == self.missing => cover,
            (Kind::Intervals, Cover::Numbers(low, high)) => Cover::Numbers(low.min(code), high.max(code)),
            (Kind::Intervals, _) => Cover::Numbers(code, code),
            (Kind::Groups, Cover::Group(node)) => Cover::Group(self.common(node, code)),
            (Kind::Groups, _) => {
                Cover::Group(self.scale.taxonomy().map_or(TaxonomyNode::ROOT, |tree| tree.leaf(code)))
            }
            (Kind::Sets, Cover::Names(count)) => Cover::Names(count + 1),
            (Kind::Sets, _) => Cover::Names(1),
        }
    }

    /// What two groups need together.
    pub(super) fn joined(&self, [a, b]: [Cover; 2], [of_a, of_b]: [&Counts; 2]) -> Cover {
        match (a, b, self.scale.taxonomy()) {
            (Cover::Numbers(low, high), Cover::Numbers(lower, higher), _) => {
                Cover::Numbers(low.min(lower), high.max(higher))
            }
            (Cover::Group(a), Cover::Group(b), Some(taxonomy)) => {
                Cover::Group(taxonomy.lowest_common_ancestor(a, b))
            }
            (Cover::Names(names), Cover::Names(_), _) => {
                let has = |code: u32| of_a.binary_search_by_key(&code, |&(other, _)| other).is_ok();
                Cover::Names(names + of_b.iter().filter(|&&(code, _)| !has(code)).count() as u32)
            }
            (Cover::Nothing, other, _) | (other, ..) => other,
        }
    }

    /// The lowest group above a node and a code.
    fn common(&self, node: TaxonomyNode, code: u32) -> TaxonomyNode {
        let known = self.common.get(node.index() * self.codes + code as usize).copied();
        let search =
            || self.scale.taxonomy().map_or(TaxonomyNode::ROOT, |tree| lowest_common(tree, node, code));
        known.unwrap_or_else(search)
    }

    /// What the codes of a group need.
    pub(super) fn cover(&self, counts: &[(u32, u32)]) -> Cover {
        let codes = counts.iter().filter(|&&(_, rows)| rows > 0);
        codes.fold(Cover::Nothing, |cover, &(code, _)| self.with(cover, code, true))
    }

    /// The loss of a cell.
    pub(super) fn loss(&self, cover: Cover) -> f64 {
        match cover {
            Cover::Numbers(low, high) => self.scale.loss_between(low, high),
            Cover::Group(node) => self.losses[node.index()],
            Cover::Names(count) => self.scale.loss_of_names(count as usize),
            Cover::Nothing => 0.0,
        }
    }

    /// What a group shows.
    pub(super) fn cell(&self, counts: &Counts) -> Cell {
        let codes: Vec<u32> = counts.iter().map(|&(code, _)| code).collect();
        self.scale.cell(&codes)
    }

    /// The sets of codes without which the cell of a group is narrower: everything outside a narrower interval, or
    /// outside a group of the taxonomy, or one name. Sets of more than `most` rows are left out.
    pub(super) fn outside_narrower(&self, counts: &Counts, most: u64) -> Vec<Vec<u32>> {
        if counts.len() < 2 {
            return Vec::new();
        }
        if self.kind == Kind::Intervals {
            let ascending = counts.iter().copied();
            let descending = counts.iter().rev().copied();
            return [ends(ascending, most), ends(descending, most)].concat();
        }
        let Some(taxonomy) = self.scale.taxonomy() else {
            let few = counts.iter().filter(|&&(_, rows)| u64::from(rows) <= most);
            return few.map(|&(code, _)| vec![code]).collect();
        };
        let Cover::Group(cover) = self.cover(counts) else { return Vec::new() };
        let mut kept: Vec<TaxonomyNode> = Vec::new();
        for &(code, _) in counts {
            let mut node = taxonomy.leaf(code);
            while node != cover {
                kept.push(node);
                let Some(parent) = taxonomy.parent(node) else { break };
                node = parent;
            }
        }
        kept.sort_unstable();
        kept.dedup();
        let outside = |node: TaxonomyNode| {
            let out = counts.iter().filter(|&&(code, _)| !taxonomy.contains(node, taxonomy.leaf(code)));
            let rows: u64 = out.clone().map(|&(_, rows)| u64::from(rows)).sum();
            (rows <= most).then(|| out.map(|&(code, _)| code).collect())
        };
        kept.into_iter().filter_map(outside).collect()
    }
}

/// The number of different parts.
fn parts(step: &[u32]) -> usize {
    let mut parts = step.to_vec();
    parts.sort_unstable();
    parts.dedup();
    parts.len()
}

fn part_at(taxonomy: &Taxonomy, code: u32, depth: u32) -> u32 {
    taxonomy.ancestor_at_depth(code, depth).index() as u32
}

/// The lowest group above a node and a code.
fn lowest_common(taxonomy: &Taxonomy, mut node: TaxonomyNode, code: u32) -> TaxonomyNode {
    let leaf = taxonomy.leaf(code);
    while !taxonomy.contains(node, leaf) {
        let Some(parent) = taxonomy.parent(node) else { break };
        node = parent;
    }
    node
}

/// The codes at one end, one more in each set, up to so many rows; never all.
fn ends(counts: impl ExactSizeIterator<Item = (u32, u32)>, most: u64) -> Vec<Vec<u32>> {
    let (mut sets, mut set, mut rows) = (Vec::new(), Vec::new(), 0);
    let all = counts.len();
    for (code, count) in counts.take(all - 1) {
        rows += u64::from(count);
        if rows > most {
            break;
        }
        set.push(code);
        sets.push(set.clone());
    }
    sets
}
