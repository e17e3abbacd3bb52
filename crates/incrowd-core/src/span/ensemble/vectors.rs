//! Vectors of leaves: which rows have the same leaf in every tree, and what a vector leaves of private attributes.
//!
//! Leaves of several trees fit into one word, so rows are grouped once for some trees, not once for each.

use super::super::groups::Groups;
use super::tracked::{Followed, Tracked};
use super::walk::{NEAR, Near, Walk, Walks};
use crate::bits::Bits;
use crate::group::group_numbers;
use rayon::prelude::*;

/// The bits of a word that leaves are put into.
const WORD: u32 = u32::BITS;

/// Vectors whose sets are found before these are named, so that they take little memory.
const BATCH: usize = 1 << 16;

/// The vectors of leaves that rows have.
pub(super) struct Vectors {
    /// The vector of each row, numbered in order of first appearance.
    pub(super) of_row: Vec<u32>,
    /// The first row of each vector.
    pub(super) first: Vec<u32>,
}

impl Vectors {
    /// Groups rows by their leaves in all trees. A row that is alone in its group is not followed further.
    pub(super) fn new(walks: &Walks<'_>, rows: usize) -> Self {
        let mut of_row = vec![0; rows];
        let (mut open, mut group): (Vec<u32>, Vec<u32>) = ((0..rows as u32).collect(), vec![0; rows]);
        let (mut alone, mut trees) = (0, &walks.trees[..]);
        while !trees.is_empty() && !open.is_empty() {
            let (own, rest) = trees.split_at(fitting(trees));
            group = group_numbers(&[&group, &words(walks, own, &open)]).of_row;
            alone = set_aside(&mut of_row, &mut open, &mut group, alone);
            trees = rest;
        }
        open.iter().zip(&group).for_each(|(&row, &own)| of_row[row as usize] = alone + own);
        let first = by_appearance(&mut of_row);
        Self { of_row, first }
    }

    pub(super) fn len(&self) -> usize {
        self.first.len()
    }

    /// The leaf of each vector in each tree, by its place among the leaves: tree after tree for each block of vectors.
    fn leaves(&self, walks: &Walks<'_>) -> Vec<Vec<u32>> {
        let of_block = |rows: &[u32]| {
            let (mut near, mut leaves) = (Near::default(), vec![0; rows.len() * walks.trees.len()]);
            walks.pick(&mut near, rows);
            for (walk, leaves) in walks.trees.iter().zip(leaves.chunks_exact_mut(rows.len())) {
                walk.ends(&mut near, leaves);
                leaves.iter_mut().for_each(|leaf| *leaf = walk.leaf_of_node[*leaf as usize]);
            }
            leaves
        };
        self.first.par_chunks(NEAR).map(of_block).collect()
    }

    /// Finds the cells of private attributes that each vector leaves: those that all of its leaves leave.
    pub(super) fn follow(&self, walks: &Walks<'_>, tracked: &mut [Tracked<'_>]) {
        let steps = self.len().saturating_mul(walks.trees.len());
        for tracked in tracked.iter_mut() {
            let enough = |followed: &Followed| followed.can_take(steps);
            if !tracked.followed.as_ref().is_some_and(enough) {
                tracked.followed = None;
            }
        }
        for batch in self.first.chunks(BATCH) {
            let found = find(walks, tracked, batch);
            tracked.par_iter_mut().enumerate().for_each(|(place, tracked)| {
                let Some(followed) = &mut tracked.followed else { return };
                let words = followed.sets.words();
                let sets = found.iter().flat_map(|block| block[place].chunks_exact(words));
                if followed.name_sets(sets).is_none() {
                    tracked.followed = None;
                }
            });
        }
    }
}

/// For each block of rows and each attribute the sets of the rows, one after the other.
fn find(walks: &Walks<'_>, tracked: &[Tracked<'_>], batch: &[u32]) -> Vec<Vec<Vec<u64>>> {
    let of_block = |rows: &[u32]| {
        let mut near = Near::default();
        walks.pick(&mut near, rows);
        let all = |tracked: &Tracked<'_>| {
            tracked.followed.as_ref().map_or_else(Vec::new, |own| own.sets.get(0).repeat(rows.len()))
        };
        let mut left: Vec<Vec<u64>> = tracked.iter().map(all).collect();
        let mut ends = vec![0; rows.len()];
        for (number, walk) in walks.trees.iter().enumerate() {
            let tests =
                |tracked: &Tracked<'_>| tracked.followed.as_ref().is_some_and(|own| own.tests(number));
            if !tracked.iter().any(tests) {
                continue;
            }
            walk.ends(&mut near, &mut ends);
            for (tracked, left) in tracked.iter().zip(&mut left) {
                let Some(followed) = &tracked.followed else { continue };
                followed.keep(number, &ends, left);
            }
        }
        left
    };
    batch.par_chunks(NEAR).map(of_block).collect()
}

/// How many of the next trees have leaves that fit into a word together; at least one.
fn fitting(trees: &[Walk]) -> usize {
    let mut left = WORD;
    let fits = |walk: &&Walk| {
        let rest = left.checked_sub(bits(walk));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    trees.iter().take_while(fits).count().max(1)
}

/// The bits that the leaves of a tree need.
fn bits(walk: &Walk) -> u32 {
    u32::BITS - walk.leaves.saturating_sub(1).leading_zeros()
}

/// The leaves of some rows in some trees, as one word for each row.
fn words(walks: &Walks<'_>, trees: &[Walk], rows: &[u32]) -> Vec<u32> {
    let mut words = vec![0; rows.len()];
    let start = || (Near::default(), vec![0; NEAR]);
    let blocks = words.par_chunks_mut(NEAR).zip(rows.par_chunks(NEAR));
    blocks.for_each_init(start, |(near, ends), (words, rows)| {
        walks.pick(near, rows);
        for walk in trees {
            walk.ends(near, ends);
            // A tree whose leaves fill a word is alone in it.
            let room = if trees.len() == 1 { 0 } else { bits(walk) };
            for (word, &end) in words.iter_mut().zip(&*ends) {
                *word = *word << room | walk.leaf_of_node[end as usize];
            }
        }
    });
    words
}

/// Removes the rows that are alone in their groups, and gives them numbers from `alone` on; returns the next one. The
/// other groups are numbered again, without gaps.
fn set_aside(of_row: &mut [u32], open: &mut Vec<u32>, group: &mut Vec<u32>, mut alone: u32) -> u32 {
    let mut rows_of_group = vec![0_u32; group.iter().max().map_or(0, |&last| last as usize + 1)];
    group.iter().for_each(|&own| rows_of_group[own as usize] += 1);
    let mut left = 0;
    let number_of_group: Vec<Option<u32>> = rows_of_group
        .into_iter()
        .map(|rows| {
            left += u32::from(rows > 1);
            (rows > 1).then(|| left - 1)
        })
        .collect();
    let mut kept = 0;
    for place in 0..open.len() {
        let row = open[place];
        if let Some(number) = number_of_group[group[place] as usize] {
            (open[kept], group[kept]) = (row, number);
            kept += 1;
        } else {
            of_row[row as usize] = alone;
            alone += 1;
        }
    }
    open.truncate(kept);
    group.truncate(kept);
    alone
}

/// Numbers groups in order of first appearance; returns the first row of each.
fn by_appearance(of_row: &mut [u32]) -> Vec<u32> {
    let mut number = vec![u32::MAX; of_row.iter().max().map_or(0, |&last| last as usize + 1)];
    let mut first = Vec::new();
    for (row, own) in (0..).zip(of_row) {
        let number = &mut number[*own as usize];
        if *number == u32::MAX {
            *number = first.len() as u32;
            first.push(row);
        }
        *own = *number;
    }
    first
}

/// For each joint span the vectors it reaches, ascending: those each leaf of which is in the span of its tree. `None` if
/// they are too many to be listed or found.
///
/// There are `spans` joint spans, and a merged row of each is given.
pub(super) fn reach(
    vectors: &Vectors,
    walks: &Walks<'_>,
    spans_of_trees: &[SpansOfTree],
    example: &[u32],
) -> Option<Vec<Vec<u32>>> {
    let spans = example.len();
    let words = vectors.len().div_ceil(64);
    let steps = spans.checked_mul(words)?.checked_mul(walks.trees.len().max(1))?;
    let leaves = vectors.len().saturating_mul(walks.trees.len());
    if spans * words > MOST_WORDS || steps > MOST_STEPS || leaves > MOST_LEAVES {
        return None;
    }
    let leaves = vectors.leaves(walks);
    let leaf = |tree: usize, vector: usize| {
        let block = &leaves[vector / NEAR];
        block[block.len() / walks.trees.len() * tree + vector % NEAR]
    };
    let mut reached = vec![Bits::full(vectors.len()); spans];
    for (tree, (walk, of_tree)) in walks.trees.iter().zip(spans_of_trees).enumerate() {
        let mut at_leaf = vec![Bits::new(vectors.len()); walk.leaves as usize];
        (0..vectors.len()).for_each(|vector| at_leaf[leaf(tree, vector) as usize].insert(vector));
        let in_span = |leaves: &Vec<u32>| {
            let mut own = Bits::new(vectors.len());
            for &node in leaves {
                own.add_words(at_leaf[walk.leaf_of_node[node as usize] as usize].words());
            }
            own
        };
        let in_spans: Vec<Bits> = of_tree.leaves.par_iter().map(in_span).collect();
        reached.par_iter_mut().zip(example).for_each(|(reached, &row)| {
            reached.keep(&in_spans[of_tree.of_merged[row as usize] as usize]);
        });
    }
    let pairs: u64 = reached.par_iter().map(Bits::count).sum();
    let listed = |reached: &Bits| reached.iter().map(|vector| vector as u32).collect();
    (pairs <= MOST_PAIRS).then(|| reached.par_iter().map(listed).collect())
}

/// The spans of one tree.
pub(super) struct SpansOfTree {
    /// The span of each merged row.
    pub(super) of_merged: Vec<u32>,
    /// The leaves of each span.
    pub(super) leaves: Vec<Vec<u32>>,
}

impl SpansOfTree {
    /// Whether the spans of all trees can be kept.
    pub(super) fn can_be_kept(merged: usize, trees: usize) -> bool {
        merged.saturating_mul(trees) <= MOST_LEAVES
    }

    pub(super) fn new(groups: Groups) -> Self {
        let leaves = groups.spans.into_iter().map(|span| span.leaves).collect();
        Self { of_merged: groups.of_row, leaves }
    }
}

/// The most words of bits that are kept and examined, leaves that are looked up, and pairs of spans and vectors that are
/// listed.
const MOST_WORDS: usize = 1 << 24;
const MOST_STEPS: usize = 1 << 31;
const MOST_LEAVES: usize = 1 << 26;
const MOST_PAIRS: u64 = 1 << 26;
