//! The best safe split of a node.

use super::coarse::Coarse;
use super::counts::Layout;
use super::criterion::Criterion;
use crate::tree::grower::Grower;
use crate::tree::histogram::Histogram;
use crate::tree::split::Split;
use crate::tree::task::Asked;
use incrowd_core::guarantee::{Requirement, SingleBin};
use incrowd_core::taxonomy::short_decimal_between;

/// How many rows' worth the share of the whole node counts when values are put in order; so that rare values do not end up first or last by accident.
const PRIOR: f64 = 10.0;

/// How many unsafe divisions of one attribute are tried before it is given up.
const TRIES: usize = 64;

/// A split that was found good.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proposal {
    /// By how much it lowers the impurity.
    pub(super) gain: f64,
    pub(super) attribute: usize,
    division: Division,
}

#[derive(Debug, Clone, PartialEq)]
enum Division {
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
    /// The k, where span populations are leaf populations and nothing else is asked.
    simple: Option<u64>,
    /// Rows below which a branch says little about anybody, whatever the guarantee.
    few: u64,
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
        let simple = match task.guarantee.requirements() {
            [Requirement::K(k)] if k.single_bin() == SingleBin::Counted && !task.has_subjects() => {
                Some(k.k())
            }
            _ => None,
        };
        Self { coarse, layout, criterion, simple: simple.filter(|_| leaves_are_spans), few }
    }

    /// The best safe split of a node, by its counts.
    pub(super) fn best(&self, grower: &Grower<'_>, node: u32, counts: &[u64]) -> Option<Proposal> {
        let here = &grower.node(node).counts;
        if grower.node(node).is_pure() || grower.node(node).size() < 2 * self.floor() {
            return None;
        }
        let mut best: Option<Proposal> = None;
        for attribute in 0..grower.task.attributes.len() {
            let least = best.as_ref().map_or(0.0, |best| best.gain);
            if let Some(found) =
                self.best_of(grower, node, attribute, self.layout.of(counts, attribute), here, least)
            {
                best = Some(found);
            }
        }
        best
    }

    fn floor(&self) -> u64 {
        self.simple.unwrap_or(0).max(self.few)
    }

    /// The best safe split on one attribute that gains more than `least`.
    fn best_of(
        &self,
        grower: &Grower<'_>,
        node: u32,
        attribute: usize,
        counts: &[u64],
        here: &[u64],
        least: f64,
    ) -> Option<Proposal> {
        let mut found = self.candidates(grower, attribute, counts, here);
        found.retain(|(gain, ..)| *gain > least);
        if self.simple.is_some() {
            let best = found.iter().enumerate().reduce(|a, b| if b.1.0 > a.1.0 { b } else { a })?.0;
            let (gain, order, end) = found.swap_remove(best);
            return Some(self.proposal(grower, attribute, counts, gain, order, end));
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let rows = grower.histogram(node, attribute);
        let cuts = match grower.task.attributes[attribute].kind {
            Asked::Numbers(_) => grower.safe_cuts(node, attribute, &rows),
            Asked::Names(_) => None,
        };
        let mut tries = 0;
        found.into_iter().find_map(|(gain, order, end)| {
            let proposal = self.proposal(grower, attribute, counts, gain, order, end);
            if let (Some(cuts), Division::Behind(code)) = (&cuts, &proposal.division) {
                return cuts.behind(*code).then_some(proposal);
            }
            tries += 1;
            (tries <= TRIES && self.is_safe(grower, node, &proposal, &rows)).then_some(proposal)
        })
    }

    /// Whether a proposal breaks nothing, as things stand now.
    pub(super) fn still_safe(&self, grower: &Grower<'_>, node: u32, proposal: &Proposal) -> bool {
        self.simple.is_some()
            || self.is_safe(grower, node, proposal, &grower.histogram(node, proposal.attribute))
    }

    fn is_safe(&self, grower: &Grower<'_>, node: u32, proposal: &Proposal, rows: &Histogram) -> bool {
        self.split(grower, proposal, rows).is_some_and(|split| !grower.would_breach(node, &split, rows))
    }

    /// The split a proposal stands for.
    pub(super) fn split(&self, grower: &Grower<'_>, proposal: &Proposal, rows: &Histogram) -> Option<Split> {
        let attribute = &grower.task.attributes[proposal.attribute];
        match &proposal.division {
            Division::Behind(code) => {
                let (low, high) = self.coarse.gap(attribute.column, *code)?;
                let threshold =
                    Some(short_decimal_between(low, high)).filter(|&threshold| threshold < high)?;
                Some(Split::by_thresholds(proposal.attribute, attribute, vec![threshold], rows))
            }
            Division::Codes(side) => Some(Split::in_two(proposal.attribute, attribute, side, rows)),
        }
    }

    /// All divisions of an attribute with enough rows on both sides: the gain, the order of its codes, and how many of them go left.
    fn candidates(
        &self,
        grower: &Grower<'_>,
        attribute: usize,
        counts: &[u64],
        here: &[u64],
    ) -> Vec<(f64, usize, usize)> {
        let mut found = Vec::new();
        let whole = self.criterion.of(here);
        for (number, order) in self.orders(grower, attribute, counts, here).iter().enumerate() {
            self.sweep(grower, attribute, counts, here, (whole, number, order), &mut found);
        }
        found
    }

    fn sweep(
        &self,
        grower: &Grower<'_>,
        attribute: usize,
        counts: &[u64],
        here: &[u64],
        (whole, number, order): (f64, usize, &[u32]),
        found: &mut Vec<(f64, usize, usize)>,
    ) {
        let classes = self.layout.classes();
        let missing = self.missing(grower, attribute, counts);
        let lacking: u64 = missing.iter().sum();
        let mut left = vec![0; classes];
        let mut right = here.to_vec();
        right.iter_mut().zip(missing).for_each(|(all, n)| *all -= n);
        let (mut few, mut many) = (0, right.iter().sum::<u64>());
        for (end, &code) in order.iter().enumerate().take(order.len().saturating_sub(1)) {
            for (class, &n) in of_code(counts, code, classes).iter().enumerate() {
                left[class] += n;
                right[class] -= n;
                few += n;
                many -= n;
            }
            let floor = self.floor();
            let (with_left, with_right) = if few >= many { (lacking, 0) } else { (0, lacking) };
            if few + with_left >= floor && many + with_right >= floor {
                let side = if few >= many { &mut left } else { &mut right };
                side.iter_mut().zip(missing).for_each(|(all, n)| *all += n);
                let gain = whole - self.criterion.of(&left) - self.criterion.of(&right);
                let side = if few >= many { &mut left } else { &mut right };
                side.iter_mut().zip(missing).for_each(|(all, n)| *all -= n);
                found.push((gain, number, end + 1));
            }
        }
    }

    /// The counts of missing numbers, which go with most rows; missing names are a value of their own.
    fn missing<'c>(&self, grower: &Grower<'_>, attribute: usize, counts: &'c [u64]) -> &'c [u64] {
        const NONE: &[u64] = &[];
        match grower.task.attributes[attribute].kind {
            Asked::Numbers(_) => &counts[counts.len() - self.layout.classes()..],
            Asked::Names(_) => NONE,
        }
    }

    /// The orders in which an attribute's codes are swept: by number, or by the share of each class (of two classes, one order finds the best division
    /// for any concave impurity).
    fn orders(&self, grower: &Grower<'_>, attribute: usize, counts: &[u64], here: &[u64]) -> Vec<Vec<u32>> {
        let classes = self.layout.classes();
        let occurs = |&code: &u32| of_code(counts, code, classes).iter().any(|&n| n > 0);
        let codes = (counts.len() / classes) as u32;
        if matches!(grower.task.attributes[attribute].kind, Asked::Numbers(_)) {
            return vec![(0..codes - 1).filter(occurs).collect()];
        }
        let present: Vec<u32> = (0..codes).filter(occurs).collect();
        let total = here.iter().sum::<u64>() as f64;
        let by_class = |class: usize| {
            let share = |&code: &u32| {
                let of_code = of_code(counts, code, classes);
                let prior = PRIOR * here[class] as f64 / total;
                (of_code[class] as f64 + prior) / (of_code.iter().sum::<u64>() as f64 + PRIOR)
            };
            let mut order = present.clone();
            order.sort_by(|a, b| share(a).total_cmp(&share(b)));
            order
        };
        if classes == 2 { vec![by_class(1)] } else { (0..classes).map(by_class).collect() }
    }

    fn proposal(
        &self,
        grower: &Grower<'_>,
        attribute: usize,
        counts: &[u64],
        gain: f64,
        order: usize,
        end: usize,
    ) -> Proposal {
        let classes = self.layout.classes();
        let here: Vec<u64> =
            (0..classes).map(|class| counts.iter().skip(class).step_by(classes).sum()).collect();
        let order = &self.orders(grower, attribute, counts, &here)[order];
        let division = if matches!(grower.task.attributes[attribute].kind, Asked::Numbers(_)) {
            Division::Behind(order[end - 1])
        } else {
            let mut side = vec![None; counts.len() / classes];
            order.iter().enumerate().for_each(|(i, &code)| side[code as usize] = Some(u32::from(i >= end)));
            Division::Codes(side)
        };
        Proposal { gain, attribute, division }
    }
}

fn of_code(counts: &[u64], code: u32, classes: usize) -> &[u64] {
    &counts[code as usize * classes..(code as usize + 1) * classes]
}
