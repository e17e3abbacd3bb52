//! One attribute at a node: its divisions in two, and what they gain.

use super::propose::{Division, Proposal, Proposer};
use crate::tree::grower::Grower;
use crate::tree::task::Asked;

/// How many rows' worth the share of the whole node counts when values are put in order; so that rare values do not end up first or last by accident.
const PRIOR: f64 = 10.0;

/// A division of an attribute's codes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// By how much it lowers the impurity.
    pub(super) gain: f64,
    /// The order in which the codes were swept.
    order: usize,
    /// How many of them go left.
    end: usize,
    /// The last of these.
    code: u32,
}

/// An attribute at a node.
pub(super) struct View<'v> {
    pub(super) attribute: usize,
    pub(super) is_numeric: bool,
    pub(super) classes: usize,
    /// Code by code (the missing one last), class by class.
    pub(super) counts: &'v [u64],
    /// The node's rows by class.
    here: &'v [u64],
    /// The orders in which codes that occur are swept.
    orders: Vec<Vec<u32>>,
}

impl<'v> View<'v> {
    pub(super) fn new(
        proposer: &Proposer<'_>,
        grower: &Grower<'_>,
        attribute: usize,
        counts: &'v [u64],
        here: &'v [u64],
    ) -> Self {
        let is_numeric = matches!(grower.task.attributes[attribute].kind, Asked::Numbers(_));
        let classes = proposer.layout.classes();
        let mut view = Self { attribute, is_numeric, classes, counts, here, orders: Vec::new() };
        view.orders = view.orders();
        view
    }

    /// The best division, the first of several.
    pub(super) fn top(&self, proposer: &Proposer<'_>) -> Option<Candidate> {
        let mut top: Option<Candidate> = None;
        self.sweep(proposer, |candidate| {
            if candidate.gain > top.map_or(0.0, |top| top.gain) {
                top = Some(candidate);
            }
        });
        top
    }

    /// All divisions that gain anything and have enough rows on both sides.
    pub(super) fn candidates(&self, proposer: &Proposer<'_>) -> Vec<Candidate> {
        let mut found = Vec::new();
        self.sweep(proposer, |candidate| found.extend(Some(candidate).filter(|found| found.gain > 0.0)));
        found
    }

    /// The split a division proposes.
    pub(super) fn proposal(&self, candidate: &Candidate) -> Proposal {
        let division = if self.is_numeric {
            Division::Behind(candidate.code)
        } else {
            let mut side = vec![None; self.counts.len() / self.classes];
            let order = self.orders[candidate.order].iter().enumerate();
            order.for_each(|(i, &code)| side[code as usize] = Some(u32::from(i >= candidate.end)));
            Division::Codes(side)
        };
        Proposal { gain: candidate.gain, attribute: self.attribute, division }
    }

    fn sweep(&self, proposer: &Proposer<'_>, mut note: impl FnMut(Candidate)) {
        let whole = proposer.criterion.of(self.here);
        for (number, order) in self.orders.iter().enumerate().filter(|(_, order)| order.len() > 1) {
            self.sweep_one(proposer, order, |end, code, left, right| {
                let gain = whole - proposer.criterion.of(left) - proposer.criterion.of(right);
                note(Candidate { gain, order: number, end, code });
            });
        }
    }

    /// Hands over the counts left and right of every place in an order that leaves enough rows on both sides.
    fn sweep_one(
        &self,
        proposer: &Proposer<'_>,
        order: &[u32],
        mut note: impl FnMut(usize, u32, &[u64], &[u64]),
    ) {
        let missing = self.missing();
        let (lacking, floor) = (missing.iter().sum::<u64>(), proposer.floor());
        let mut left = vec![0; self.classes];
        let mut right = self.here.to_vec();
        take(&mut right, missing);
        let (mut few, mut many) = (0, right.iter().sum::<u64>());
        for (end, &code) in (1..).zip(&order[..order.len() - 1]) {
            let moved = self.of_code(code);
            add(&mut left, moved);
            take(&mut right, moved);
            let rows: u64 = moved.iter().sum();
            (few, many) = (few + rows, many - rows);
            let most_left = few >= many;
            let (with_left, with_right) = if most_left { (lacking, 0) } else { (0, lacking) };
            if few + with_left < floor || many + with_right < floor {
                continue;
            }
            if lacking == 0 {
                note(end, code, &left, &right);
                continue;
            }
            add(if most_left { &mut left } else { &mut right }, missing);
            note(end, code, &left, &right);
            take(if most_left { &mut left } else { &mut right }, missing);
        }
    }

    /// The counts of missing numbers, which go with most rows; missing names are a value of their own.
    fn missing(&self) -> &'v [u64] {
        if self.is_numeric { &self.counts[self.counts.len() - self.classes..] } else { &[] }
    }

    /// The orders in which an attribute's codes are swept: by number, or by the share of each class (of two classes, one order finds the best division
    /// for any concave impurity).
    fn orders(&self) -> Vec<Vec<u32>> {
        let codes = (self.counts.len() / self.classes) as u32;
        let last = if self.is_numeric { codes - 1 } else { codes };
        let present: Vec<u32> = (0..last).filter(|&code| self.of_code(code).iter().any(|&n| n > 0)).collect();
        if self.is_numeric || present.len() < 2 {
            return vec![present];
        }
        if self.classes == 2 {
            return vec![self.by_share(&present, 1)];
        }
        (0..self.classes).map(|class| self.by_share(&present, class)).collect()
    }

    /// Codes by their share of a class, ascending.
    fn by_share(&self, present: &[u32], class: usize) -> Vec<u32> {
        let prior = PRIOR * self.here[class] as f64 / self.here.iter().sum::<u64>() as f64;
        let share = |&code: &u32| {
            let of_code = self.of_code(code);
            let rows = of_code.iter().sum::<u64>() as f64;
            ((of_code[class] as f64 + prior) / (rows + PRIOR), code)
        };
        let mut order: Vec<(f64, u32)> = present.iter().map(share).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        order.into_iter().map(|(_, code)| code).collect()
    }

    fn of_code(&self, code: u32) -> &'v [u64] {
        &self.counts[code as usize * self.classes..(code as usize + 1) * self.classes]
    }
}

fn add(sums: &mut [u64], counts: &[u64]) {
    sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
}

fn take(sums: &mut [u64], counts: &[u64]) {
    sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum -= n);
}
