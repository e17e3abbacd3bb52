//! The block of a tree.

use super::super::binary::{Binary, Comparison};
use super::super::scored::leaf;
use super::columns::Features;
use super::section::Section;
use super::{fault, linear_leaves, zero_as_missing};
use crate::bounds::check_cells;
use incrowd_core::Result;
use incrowd_core::model::Ensemble;

const KEYS: &[&str] = &[
    "num_leaves",
    "num_cat",
    "split_feature",
    "threshold",
    "decision_type",
    "left_child",
    "right_child",
    "leaf_value",
    "cat_boundaries",
    "cat_threshold",
    "is_linear",
];

/// The flags of `decision_type`: whether a test lists categories, and where missing numbers go. The two bits after them
/// state how missing numbers are treated.
const CATEGORICAL: u32 = 1;
const DEFAULT_LEFT: u32 = 2;

/// What all trees together have used.
pub(super) struct Limits {
    trees: usize,
    outputs: usize,
    nodes: usize,
    /// The values that tests cover.
    pub(super) cells: usize,
    /// The codes that tests list, counted apart, before there are tests.
    codes: usize,
}

impl Limits {
    /// Of this many trees and scores.
    pub(super) fn new(trees: usize, outputs: usize) -> Self {
        Self { trees, outputs, nodes: 0, cells: 0, codes: 0 }
    }
}

/// The lists of a tree, one entry for each test; leaves are numbered on their own.
struct Lists {
    feature: Vec<usize>,
    threshold: Vec<f64>,
    decision: Vec<u32>,
    left: Vec<i64>,
    right: Vec<i64>,
    /// For each test by categories the words of its set, from one boundary to the next.
    boundaries: Vec<usize>,
    words: Vec<u32>,
}

/// The nodes of a tree, tests first, and the scores of each.
pub(super) fn read(
    block: &str,
    features: &Features,
    limits: &mut Limits,
) -> Result<(Vec<Binary>, Vec<Vec<f64>>)> {
    let section = Section::new(block, KEYS)?;
    let leaves: usize = section.number("num_leaves")?;
    if section.has("is_linear") && section.text("is_linear")? != "0" {
        return Err(linear_leaves());
    }
    let tests = leaves.checked_sub(1).ok_or_else(|| fault("it has no leaf"))?;
    limits.nodes = limits.nodes.saturating_add(leaves).saturating_add(tests);
    Ensemble::check_size(limits.trees, limits.nodes, limits.outputs)?;
    let values: Vec<f64> = section.list("leaf_value", leaves)?;
    let mut nodes =
        if tests == 0 { Vec::new() } else { Lists::read(&section, tests)?.nodes(features, limits)? };
    nodes.extend(values.iter().map(|_| leaf()));
    let scores = vec![Vec::new(); tests].into_iter().chain(values.into_iter().map(|value| vec![value]));
    Ok((nodes, scores.collect()))
}

impl Lists {
    fn read(section: &Section<'_>, tests: usize) -> Result<Self> {
        let sets: usize = if section.has("num_cat") { section.number("num_cat")? } else { 0 };
        let (boundaries, words) = match sets {
            0 => (Vec::new(), Vec::new()),
            _ if sets > tests => return Err(fault("it has more sets of categories than tests")),
            _ => {
                let boundaries: Vec<usize> = section.list("cat_boundaries", sets + 1)?;
                let words = boundaries.last().copied().unwrap_or(0);
                check_cells(words)?;
                (boundaries, section.list("cat_threshold", words)?)
            }
        };
        Ok(Self {
            feature: section.list("split_feature", tests)?,
            threshold: section.list("threshold", tests)?,
            decision: section.list("decision_type", tests)?,
            left: section.list("left_child", tests)?,
            right: section.list("right_child", tests)?,
            boundaries,
            words,
        })
    }

    fn nodes(&self, features: &Features, limits: &mut Limits) -> Result<Vec<Binary>> {
        let node = |test: usize| {
            let test = self.test(test, features, limits);
            Ok(Binary::Test(test?))
        };
        (0..self.feature.len()).map(node).collect()
    }

    fn test(&self, test: usize, features: &Features, limits: &mut Limits) -> Result<Comparison> {
        let (feature, decision) = (self.feature[test], self.decision[test]);
        let goals = [self.place(self.left[test])?, self.place(self.right[test])?];
        if decision & CATEGORICAL != 0 {
            let categories = features.categories(feature)?;
            limits.codes = limits.codes.saturating_add(categories);
            check_cells(limits.codes)?;
            let codes = Some(self.codes(self.threshold[test], categories)?);
            // Missing categories are in no set.
            return Ok(Comparison { feature, threshold: 0.0, strict: false, goals, missing: Some(1), codes });
        }
        let threshold = self.threshold[test];
        let is_left = match (decision >> 2) & 3 {
            // If a column had no missing numbers, they are taken for 0.
            0 => 0.0 <= threshold,
            2 => decision & DEFAULT_LEFT != 0,
            _ => return Err(zero_as_missing()),
        };
        Ok(Comparison {
            feature,
            threshold,
            strict: false,
            goals,
            missing: Some(u32::from(!is_left)),
            codes: None,
        })
    }

    /// The place of a child: a test, or a leaf, written as its complement.
    fn place(&self, child: i64) -> Result<usize> {
        let place = if child < 0 {
            usize::try_from(!child).ok().and_then(|leaf| leaf.checked_add(self.feature.len()))
        } else {
            usize::try_from(child).ok()
        };
        place.ok_or_else(|| fault("a test leads to a node that does not exist"))
    }

    /// The codes of a set, without those that no category has.
    fn codes(&self, set: f64, categories: usize) -> Result<Vec<f64>> {
        let place = (set >= 0.0 && set.fract() == 0.0).then_some(set as usize);
        let bounds = place.and_then(|set| Some((*self.boundaries.get(set)?, *self.boundaries.get(set + 1)?)));
        let words = bounds.and_then(|(start, end)| self.words.get(start..end));
        let words = words.ok_or_else(|| fault("a test lists a set of categories that does not exist"))?;
        let has =
            |&code: &u32| words.get(code as usize / 32).is_some_and(|word| word >> (code % 32) & 1 == 1);
        Ok((0..categories as u32).filter(has).map(f64::from).collect())
    }
}
