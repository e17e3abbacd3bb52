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
    /// For each vector of leaves so far the cells it leaves.
    pub(super) set_of_bin: Vec<u32>,
    /// For each joint span so far how it divides the cells.
    pub(super) division_of_span: Vec<u32>,
}

impl<'a> Tracked<'a> {
    /// The cells that the tests of all trees distinguish; they are numbered by the places of their trees' first nodes.
    pub(super) fn new(
        (attribute, own): (usize, &ModelAttribute),
        column: &'a Column,
        possible: &Possible,
        tests: &[(u32, &Test)],
        tied: Option<(usize, &Component<'_>, usize)>,
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
                set_of_bin: vec![0],
                division_of_span: Vec::new(),
            }),
            Err(error) if error.kind == crate::error::ErrorKind::Limit => None,
            Err(error) => return Err(error),
        };
        let tied = tied.map(|(number, _, place)| (number, place));
        Ok(Self { attribute, column, tied, has_choice: possible.has_choice(), followed })
    }

    /// Follows it through one more tree.
    pub(super) fn add(&mut self, tree: (&Tree, u32), step: &Step<'_>, budget: &Budget) {
        let Some(followed) = &mut self.followed else { return };
        if followed.add(tree, self.attribute, step, self.tied.is_none(), budget).is_none() {
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
        budget: &Budget,
    ) -> Option<()> {
        let set_of_node = self.sets_at(tree, first, attribute, budget)?;
        let set_of_bin = step.bins.iter().map(|&(bin, leaf)| {
            self.sets.common(self.set_of_bin[bin as usize], set_of_node[leaf as usize], budget)
        });
        self.set_of_bin = set_of_bin.collect::<Option<_>>()?;
        if !divides {
            return Some(());
        }
        let of_span = |span: &Span| {
            let mut marks: Vec<u32> = span.leaves.iter().map(|&leaf| set_of_node[leaf as usize]).collect();
            marks.sort_unstable();
            marks.dedup();
            self.divisions.by_sets(&self.sets, marks, budget)
        };
        let of_span: Vec<u32> = step.spans_of_tree.iter().map(of_span).collect::<Option<_>>()?;
        let division = step.spans.iter().map(|&(before, own)| {
            let before = self.division_of_span.get(before as usize).copied().unwrap_or(0);
            self.divisions.common(before, of_span[own as usize], budget)
        });
        self.division_of_span = division.collect::<Option<_>>()?;
        Some(())
    }

    /// For each node of a tree the cells that lead there, the other attributes left aside.
    fn sets_at(&mut self, tree: &Tree, first: u32, attribute: usize, budget: &Budget) -> Option<Vec<u32>> {
        let mut at = vec![0; tree.nodes().len()];
        for (index, node) in (0_u32..).zip(tree.nodes()) {
            let Node::Test(test) = node else { continue };
            let here = at[index as usize];
            for (branch, &child) in (0..).zip(&test.children) {
                at[child as usize] = if test.attribute == attribute {
                    self.sets.taking(here, self.map.branches(first + index), branch, budget)?
                } else {
                    here
                };
            }
        }
        Some(at)
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
