//! The best safe split of a node.

use super::coarse::Coarse;
use super::counts::Layout;
use super::criterion::Criterion;
use super::view::{Candidate, View};
use crate::tree::grower::Grower;
use crate::tree::histogram::Histogram;
use crate::tree::spans::Span;
use crate::tree::split::{Split, has_between, threshold_in};
use crate::tree::task::{AttributeTests, Task};
use incrowd_core::guarantee::SingleBin;
use std::cell::OnceCell;

/// The number of unsafe divisions of one attribute that are tried before it is given up.
const TRIES: usize = 64;

/// A split that was found good.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proposal {
    /// By how much it lowers the impurity.
    pub(super) gain: f64,
    pub(super) attribute: usize,
    pub(super) division: Division,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Division {
    /// Behind this code of a numeric attribute.
    Behind(u32),
    /// These codes of a categorical one against the others, where each is.
    Codes(Vec<Option<u32>>),
}

/// What is looked at while a tree is grown.
pub(super) struct Proposer<'p> {
    pub(super) coarse: &'p Coarse,
    pub(super) layout: &'p Layout,
    pub(super) criterion: Criterion,
    /// The k, where span populations are leaf populations and nothing else is required: no branch has fewer rows.
    least: Option<u64>,
    /// Whether enough rows are enough individuals as well, so that no split needs to be checked.
    simple: bool,
    /// Rows below which a branch predicts little, whatever the guarantee.
    few: u64,
    /// Whether only the population of spans is required.
    populations: bool,
    /// For each attribute of numbers and each of its codes whether a threshold can lie behind it; empty for names.
    cuttable: Vec<Vec<bool>>,
    /// The threshold behind each of these codes, found when it is first needed.
    thresholds: Vec<Vec<OnceCell<Option<f64>>>>,
}

impl<'p> Proposer<'p> {
    pub(super) fn new(
        grower: &Grower<'_>,
        coarse: &'p Coarse,
        layout: &'p Layout,
        criterion: Criterion,
        few: u64,
    ) -> Self {
        let task = grower.task;
        let leaves_are_spans = !task.class.known && task.attributes.iter().all(|attribute| attribute.known);
        let is_plain = task.guarantee.single_bin() == SingleBin::Counted && !task.careful;
        let k = task.guarantee.is_only_k().filter(|_| is_plain);
        let cuttable: Vec<_> =
            (0..task.attributes.len()).map(|index| cuttable(task, coarse, index)).collect();
        let thresholds = cuttable.iter().map(|codes| vec![OnceCell::new(); codes.len()]).collect();
        let least = k.filter(|_| leaves_are_spans);
        let simple = least.is_some() && !task.has_subjects();
        let populations = k.is_some();
        Self { coarse, layout, criterion, least, simple, few, populations, cuttable, thresholds }
    }

    /// Whether a threshold of an attribute can lie behind a code.
    pub(super) fn can_cut(&self, attribute: usize, code: u32) -> bool {
        self.cuttable[attribute].get(code as usize).copied().unwrap_or(false)
    }

    /// The best safe split of a node, by its counts.
    pub(super) fn best(&self, grower: &Grower<'_>, node: u32, counts: &[u64]) -> Option<Proposal> {
        if !self.may_split(grower, node) {
            return None;
        }
        let here = grower.node(node).counts.as_slice();
        let view =
            |attribute| Some(View::new(self, grower, attribute, self.layout.of(counts, attribute)?, here));
        let views = (0..grower.task.attributes.len()).filter_map(view);
        let mut tops: Vec<(View<'_>, Candidate)> =
            views.filter_map(|view| view.top(self).map(|top| (view, top))).collect();
        // The most promising first: what cannot beat a safe split need not be checked against the guarantee. The sort
        // is stable.
        tops.sort_by(|a, b| b.1.gain.total_cmp(&a.1.gain));
        if self.simple {
            return tops.first().map(|(view, top)| view.proposal(top));
        }
        let spans = grower.smallest_first(node);
        let mut best: Option<Proposal> = None;
        for (view, top) in &tops {
            if best.as_ref().is_some_and(|best| top.gain < best.gain) {
                break;
            }
            let found = self.safest(grower, (node, &spans), (view, top), best.as_ref());
            best = found.or(best);
        }
        best
    }

    /// Whether a node has enough rows, and of more than one class.
    pub(super) fn may_split(&self, grower: &Grower<'_>, node: u32) -> bool {
        !grower.node(node).is_pure() && grower.node(node).size() >= 2 * self.floor()
    }

    /// The fewest rows of a branch.
    pub(super) fn floor(&self) -> u64 {
        self.least.unwrap_or(0).max(self.few)
    }

    /// The best safe split on one attribute, if it is better than the best so far (or as good, and first in the table).
    /// `top` is its best split, safe or not.
    fn safest(
        &self,
        grower: &Grower<'_>,
        (node, spans): (u32, &[&Span]),
        (view, top): (&View<'_>, &Candidate),
        best: Option<&Proposal>,
    ) -> Option<Proposal> {
        let beats = |gain: f64| {
            best.is_none_or(|best| {
                gain > best.gain || (gain.total_cmp(&best.gain).is_eq() && view.attribute < best.attribute)
            })
        };
        if !beats(top.gain) {
            return None;
        }
        if self.unminded(grower, view.attribute) {
            return Some(view.proposal(top));
        }
        let rows = self.counted(grower, view.counts);
        let mut check = grower.check(node, view.attribute, &rows, spans);
        let counts_decide = grower.task.attributes[view.attribute].known && !grower.task.has_subjects();
        let (mut division, mut split) = (Division::Codes(Vec::new()), Split::blank());
        let mut is_safe = |candidate: &Candidate| {
            view.divide(candidate, &mut division);
            if let Division::Behind(code) = division
                && let Some(is_broken) = check.is_broken_at(code)
            {
                return !is_broken && self.threshold(grower, view.attribute, code).is_some();
            }
            self.make_split(grower, view.attribute, &division, &rows, &mut split)
                && !match division {
                    Division::Behind(code) => check.is_broken_behind(code, &split),
                    Division::Codes(_) => check.is_broken_by(&split),
                }
        };
        if is_safe(top) {
            return Some(view.proposal(top));
        }
        let mut found = view.candidates(self, beats);
        found.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let tries = if counts_decide && view.is_numeric { found.len() } else { TRIES };
        // The first of them is the top.
        let safe = found.iter().take(tries).skip(1).find(|candidate| is_safe(candidate));
        safe.map(|candidate| view.proposal(candidate))
    }

    /// Whether no split on an attribute can break anything.
    fn unminded(&self, grower: &Grower<'_>, attribute: usize) -> bool {
        self.populations && !grower.task.attributes[attribute].known
    }

    /// A number that is unchanged as long as a safe proposal stays safe; none where that cannot be known.
    pub(super) fn as_of(&self, grower: &Grower<'_>, node: u32) -> Option<u32> {
        self.populations.then(|| grower.spans.changes(node))
    }

    /// Whether a proposal breaks nothing in the current state. `counts` are the node's.
    pub(super) fn still_safe(
        &self,
        grower: &Grower<'_>,
        node: u32,
        proposal: &Proposal,
        counts: &[u64],
    ) -> bool {
        if self.simple || self.unminded(grower, proposal.attribute) {
            return true;
        }
        let rows = self.counted(grower, self.layout.of(counts, proposal.attribute).unwrap_or_default());
        self.split(grower, proposal, &rows).is_some_and(|split| !grower.would_breach(node, &split, &rows))
    }

    /// The counts of one attribute, by class where a check looks at classes.
    fn counted(&self, grower: &Grower<'_>, counts: &[u64]) -> Histogram {
        let classes = self.layout.classes();
        let minds_class = grower.watch.minds_class() || grower.task.careful;
        if minds_class {
            Histogram::from_counts(counts, classes)
        } else {
            Histogram::of_rows(counts, classes)
        }
    }

    /// The counts of one attribute at a node with these counts.
    pub(super) fn histogram(&self, counts: &[u64], attribute: usize) -> Histogram {
        Histogram::from_counts(self.layout.of(counts, attribute).unwrap_or_default(), self.layout.classes())
    }

    /// The split of a proposal.
    pub(super) fn split(&self, grower: &Grower<'_>, proposal: &Proposal, rows: &Histogram) -> Option<Split> {
        let mut split = Split::blank();
        self.make_split(grower, proposal.attribute, &proposal.division, rows, &mut split).then_some(split)
    }

    /// Makes a split of a division in the memory of another; false if there is none.
    fn make_split(
        &self,
        grower: &Grower<'_>,
        index: usize,
        division: &Division,
        rows: &Histogram,
        split: &mut Split,
    ) -> bool {
        let attribute = &grower.task.attributes[index];
        match division {
            Division::Behind(code) => {
                let Some(threshold) = self.threshold(grower, index, *code) else { return false };
                split.set_threshold(index, attribute, threshold, rows);
            }
            Division::Codes(side) => split.set_in_two(index, attribute, side, rows),
        }
        true
    }

    /// The threshold behind a code.
    fn threshold(&self, grower: &Grower<'_>, index: usize, code: u32) -> Option<f64> {
        *self.thresholds[index].get(code as usize)?.get_or_init(|| {
            let attribute = &grower.task.attributes[index];
            let (low, high) = self.coarse.gap(attribute.column, code)?;
            threshold_in(low, high, attribute.model.dates)
        })
    }
}

/// Behind which codes of an attribute a threshold can lie. What is proposed must be possible, or it would be proposed
/// again for ever.
fn cuttable(task: &Task<'_>, coarse: &Coarse, index: usize) -> Vec<bool> {
    let attribute = &task.attributes[index];
    let AttributeTests::Numbers(numbers) = &attribute.kind else { return Vec::new() };
    let can_cut = |code| {
        let gap = coarse.gap(attribute.column, code);
        // Bins hide how many individuals have a day, so a day that is printed of a private attribute belongs to no
        // individual.
        let is_between = |low: f64, high: f64| {
            if numbers.dates { attribute.known || high - low >= 2.0 } else { has_between(low, high) }
        };
        gap.is_some_and(|(low, high)| is_between(low, high) && numbers.may_cut_behind(low))
    };
    (0..attribute.column.missing_code()).map(can_cut).collect()
}
