//! What an ensemble reveals about a private attribute that its trees test, followed from tree to tree.
//!
//! A vector of leaves leaves the cells that all its leaves leave. A span distinguishes two cells iff some leaf of it,
//! in any tree, leaves one of them and not the other (`docs/proofs.md`), so its division of the cells is the common one
//! of its trees' spans.

use super::super::allowance::Allowance;
use super::super::bind::CellMap;
use super::super::groups::Span;
use super::super::possible::Possible;
use super::super::relations::Component;
use super::interned::{Budget, CellSets, Divisions};
use super::step::Step;
use crate::error::Result;
use crate::model::{Ensemble, ModelAttribute, Node, Test, Tree};
use crate::table::Column;

/// A private attribute that some tree tests.
pub(super) struct Tracked<'a> {
    /// Its place among the attributes of the ensemble.
    pub(super) attribute: usize,
    pub(super) column: &'a Column,
    /// Its place in a component, if it is in one; its cells are then the component's values.
    pub(super) tied: Option<(usize, usize)>,
    /// Whether the release, the policy and the table together have more than one value of it.
    pub(super) has_choice: bool,
    /// `None` if it has too many values to be followed.
    pub(super) followed: Option<Followed>,
}

/// The cells of an attribute and what is left of them.
pub(super) struct Followed {
    pub(super) map: CellMap,
    pub(super) sets: CellSets,
    pub(super) divisions: Divisions,
    /// For each vector of leaves the cells it leaves.
    pub(super) set_of_bin: Vec<u32>,
    /// For each joint span so far how it divides the cells.
    pub(super) division_of_span: Vec<u32>,
    /// For each tree the cells that lead to each of its nodes; none where it does not test the attribute.
    at_nodes: Vec<Option<Vec<u32>>>,
    budget: Budget,
}

impl<'a> Tracked<'a> {
    /// The cells that the tests of all trees distinguish; they are numbered by the places of their trees' first nodes.
    pub(super) fn new(
        (attribute, own): (usize, &ModelAttribute),
        column: &'a Column,
        possible: &Possible,
        tests: &[(u32, &Test)],
        tied: Option<(usize, &Component<'_>, usize)>,
        budget: Budget,
    ) -> Result<Self> {
        let allowance = Allowance::of_cells();
        let map = match tied {
            Some((_, component, place)) => {
                CellMap::of_codes(own, &component.codes[place], tests, column, &allowance)
            }
            None => CellMap::new(possible, tests, column, &allowance),
        };
        let followed = match map {
            Ok(map) => Some(Followed {
                sets: CellSets::new(map.cells),
                divisions: Divisions::new(map.cells),
                map,
                set_of_bin: Vec::new(),
                division_of_span: Vec::new(),
                at_nodes: Vec::new(),
                budget,
            }),
            Err(error) if error.kind == crate::error::ErrorKind::Limit => None,
            Err(error) => return Err(error),
        };
        let tied = tied.map(|(number, _, place)| (number, place));
        Ok(Self { attribute, column, tied, has_choice: possible.has_choice(), followed })
    }

    /// Follows it through one more tree.
    pub(super) fn add(&mut self, tree: (&Tree, u32), step: &Step<'_>) {
        let Some(followed) = &mut self.followed else { return };
        if followed.add(tree, self.attribute, step, self.tied.is_none()).is_none() {
            self.followed = None;
        }
    }
}

impl Followed {
    fn add(
        &mut self,
        (tree, first): (&Tree, u32),
        attribute: usize,
        step: &Step<'_>,
        divides: bool,
    ) -> Option<()> {
        let is_test = |node: &Node| matches!(node, Node::Test(test) if test.attribute == attribute);
        let tests = tree.nodes().iter().any(is_test);
        let at_nodes = if tests { Some(self.sets_at(tree, first, attribute)?) } else { None };
        if divides {
            self.divide(at_nodes.as_deref(), step)?;
        }
        self.at_nodes.push(at_nodes);
        Some(())
    }

    /// Divides the cells as the spans of one more tree divide them.
    fn divide(&mut self, at_nodes: Option<&[u32]>, step: &Step<'_>) -> Option<()> {
        let of_span = |span: &Span| {
            let Some(at_nodes) = at_nodes else { return Some(0) };
            let mut marks: Vec<u32> = span.leaves.iter().map(|&leaf| at_nodes[leaf as usize]).collect();
            marks.sort_unstable();
            marks.dedup();
            self.divisions.by_sets(&self.sets, marks, &self.budget)
        };
        let of_span: Vec<u32> = step.spans_of_tree.iter().map(of_span).collect::<Option<_>>()?;
        let division = step.spans.iter().map(|&(before, own)| {
            let before = self.division_of_span.get(before as usize).copied().unwrap_or(0);
            self.divisions.common(before, of_span[own as usize], &self.budget)
        });
        self.division_of_span = division.collect::<Option<_>>()?;
        Some(())
    }

    /// For each node of a tree the cells that lead there, the other attributes left aside.
    fn sets_at(&mut self, tree: &Tree, first: u32, attribute: usize) -> Option<Vec<u32>> {
        let mut at = vec![0; tree.nodes().len()];
        for (index, node) in (0_u32..).zip(tree.nodes()) {
            let Node::Test(test) = node else { continue };
            let here = at[index as usize];
            for (branch, &child) in (0..).zip(&test.children) {
                at[child as usize] = if test.attribute == attribute {
                    self.sets.taking(here, self.map.branches(first + index), branch, &self.budget)?
                } else {
                    here
                };
            }
        }
        Some(at)
    }

    /// Whether a tree tests the attribute.
    pub(super) fn tests(&self, tree: usize) -> bool {
        self.at_nodes[tree].is_some()
    }

    /// Takes the steps of following so many vectors through a tree each.
    pub(super) fn can_take(&self, steps: usize) -> bool {
        self.budget.step(steps.saturating_mul(self.sets.words())).is_some()
    }

    /// Of the sets of some rows keeps what leads to the nodes of a tree that they end in.
    pub(super) fn keep(&self, tree: usize, ends: &[u32], left: &mut [u64]) {
        let Some(at_nodes) = &self.at_nodes[tree] else { return };
        let words = self.sets.words();
        match words {
            1 => self.keep_words::<1>(at_nodes, ends, left),
            2 => self.keep_words::<2>(at_nodes, ends, left),
            3 => self.keep_words::<3>(at_nodes, ends, left),
            4 => self.keep_words::<4>(at_nodes, ends, left),
            5 => self.keep_words::<5>(at_nodes, ends, left),
            _ => left.chunks_exact_mut(words).zip(ends).for_each(|(left, &end)| {
                let own = self.sets.get(at_nodes[end as usize]);
                left.iter_mut().zip(own).for_each(|(left, own)| *left &= own);
            }),
        }
    }

    /// The same for sets of so many words: few, and the program knows how many. The sets of the tree's nodes are put
    /// side by side.
    fn keep_words<const WORDS: usize>(&self, at_nodes: &[u32], ends: &[u32], left: &mut [u64]) {
        let mut sets = vec![[0; WORDS]; at_nodes.len()];
        sets.iter_mut().zip(at_nodes).for_each(|(own, &set)| own.copy_from_slice(self.sets.get(set)));
        for (left, &end) in left.as_chunks_mut::<WORDS>().0.iter_mut().zip(ends) {
            left.iter_mut().zip(&sets[end as usize]).for_each(|(left, own)| *left &= own);
        }
    }

    /// Names the sets of more vectors.
    pub(super) fn name_sets<'s>(&mut self, sets: impl Iterator<Item = &'s [u64]>) -> Option<()> {
        for set in sets {
            self.set_of_bin.push(self.sets.intern(set, &self.budget)?);
        }
        Some(())
    }
}

/// For each attribute its tests in all trees, each by the place of its tree's first node and its own.
pub(super) fn tests(ensemble: &Ensemble) -> Vec<Vec<(u32, &Test)>> {
    let mut tests = vec![Vec::new(); ensemble.attributes().len()];
    let nodes = ensemble.trees().iter().flat_map(|scored| scored.tree().nodes());
    for (place, node) in (0..).zip(nodes) {
        if let Node::Test(test) = node {
            tests[test.attribute].push((place, test));
        }
    }
    tests
}
