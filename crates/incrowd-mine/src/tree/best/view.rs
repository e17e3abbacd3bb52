//! One attribute at a node: its binary divisions and their gains.

use super::criterion::Terms;
use super::propose::{Division, Proposal, Proposer};
use crate::tree::grower::Grower;
use crate::tree::scratch::{Scratch, with_scratch};
use crate::tree::task::AttributeTests;
use std::cell::Cell;

thread_local! {
    static SIDES: Scratch<ClassSides> = const { Cell::new(Vec::new()) };
}

/// How many rows' worth the share of the whole node counts when values are put in order; so that rare values do not end
/// up first or last by accident.
const PRIOR: f64 = 10.0;

/// Names of an attribute with more values than this are many: however little they have to do with the class, some
/// division of them seems to.
pub(super) const MANY: u32 = 64;

/// Of many names, those of fewer rows at a node go together (`min_data_per_group` of `LightGBM`).
pub(super) const ENOUGH: u64 = 100;

/// In an order: the names that stay together.
const POOL: u32 = u32::MAX;

/// A division of an attribute's codes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// By how much it lowers the impurity.
    pub(super) gain: f64,
    /// The order in which the codes were swept.
    order: usize,
    /// The number of its items that go left.
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
    /// Which names must not be printed, so that they stay together.
    rare: &'v [bool],
    /// The counts of the names that stay together: those of few rows among many names, and those that must not be
    /// printed.
    pool: Vec<u64>,
    /// The number of names that occur and are not in the pool, and the pool.
    items: usize,
    /// The orders in which these are swept, one after the other, each ascending by the share of a class; none for
    /// numbers, which have their own.
    orders: Vec<(f64, u32)>,
}

impl<'v> View<'v> {
    pub(super) fn new(
        proposer: &Proposer<'_>,
        grower: &'v Grower<'_>,
        attribute: usize,
        counts: &'v [u64],
        here: &'v [u64],
    ) -> Self {
        let is_numeric = matches!(grower.task.attributes[attribute].kind, AttributeTests::Numbers(_));
        let classes = proposer.layout.classes();
        let rare = grower.task.attributes[attribute].rare.as_slice();
        let (pool, orders) = (Vec::new(), Vec::new());
        let mut view = Self { attribute, is_numeric, classes, counts, here, rare, pool, items: 0, orders };
        if !is_numeric {
            view.put_in_order();
        }
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

    /// All divisions that gain anything, and enough, and have enough rows on both sides.
    pub(super) fn candidates(
        &self,
        proposer: &Proposer<'_>,
        is_enough: impl Fn(f64) -> bool,
    ) -> Vec<Candidate> {
        let mut found = Vec::new();
        self.sweep(proposer, |candidate| {
            found.extend(Some(candidate).filter(|found| found.gain > 0.0 && is_enough(found.gain)));
        });
        found
    }

    /// The split a division proposes.
    pub(super) fn proposal(&self, candidate: &Candidate) -> Proposal {
        let mut division = Division::Codes(Vec::new());
        self.divide(candidate, &mut division);
        Proposal { gain: candidate.gain, attribute: self.attribute, division }
    }

    /// Writes down a division in the memory of another.
    pub(super) fn divide(&self, candidate: &Candidate, division: &mut Division) {
        match division {
            Division::Codes(side) if !self.is_numeric => {
                side.clear();
                side.resize(self.codes() as usize, None);
                let order = &self.orders[candidate.order * self.items..][..self.items];
                for (place, &(_, item)) in order.iter().enumerate() {
                    let own = Some(u32::from(place >= candidate.end));
                    if item == POOL {
                        self.pooled().for_each(|code| side[code as usize] = own);
                    } else {
                        side[item as usize] = own;
                    }
                }
            }
            _ => *division = Division::Behind(candidate.code),
        }
    }

    fn sweep(&self, proposer: &Proposer<'_>, mut note: impl FnMut(Candidate)) {
        if self.is_numeric {
            self.sweep_one(proposer, 0, 0..self.codes() - 1, &mut |candidate: Candidate| {
                if proposer.can_cut(self.attribute, candidate.code) {
                    note(candidate);
                }
            });
        }
        if self.items > 1 {
            for (number, order) in self.orders.chunks_exact(self.items).enumerate() {
                self.sweep_one(proposer, number, order.iter().map(|&(_, item)| item), &mut note);
            }
        }
    }

    fn sweep_one(
        &self,
        proposer: &Proposer<'_>,
        order: usize,
        codes: impl Iterator<Item = u32>,
        note: &mut impl FnMut(Candidate),
    ) {
        let (criterion, floor) = (proposer.criterion, proposer.floor());
        let whole = criterion.of(self.here);
        if let &[first, second] = self.here {
            self.sweep_two([first, second], codes, floor, |end, code, left, right| {
                let leaves = criterion.of_two(left) + criterion.of_two(right);
                let gain = criterion.worth(whole, leaves, [left[0] + left[1], right[0] + right[1]]);
                note(Candidate { gain, order, end, code });
            });
        } else {
            self.sweep_many(Terms::of(criterion), codes, floor, |end, code, leaves, rows| {
                let gain = criterion.worth(whole, leaves, rows);
                note(Candidate { gain, order, end, code });
            });
        }
    }

    /// Hands over the impurity and the rows left and right of every place in an order that leaves enough rows on both
    /// sides, and some.
    fn sweep_many(
        &self,
        terms: Terms,
        codes: impl Iterator<Item = u32>,
        floor: u64,
        mut note: impl FnMut(usize, u32, f64, [u64; 2]),
    ) {
        let missing = self.missing();
        let lacking = missing.iter().sum::<u64>();
        with_scratch(&SIDES, |classes| {
            let mut sides = Sides::new(terms, self.here, missing, classes);
            for (end, code) in (1..).zip(codes) {
                let moved = self.of_item(code);
                if moved.iter().all(|&n| n == 0) {
                    continue;
                }
                sides.move_left(moved);
                let [few, many] = sides.rows;
                if many == 0 {
                    return;
                }
                let most_left = few >= many;
                let sizes = if most_left { [few + lacking, many] } else { [few, many + lacking] };
                if sizes[0] >= floor && sizes[1] >= floor {
                    let missing = (lacking > 0).then_some((missing, most_left));
                    note(end, code, sides.impurity(missing), sizes);
                }
            }
        });
    }

    /// The same for two classes, which is what takes most of the time.
    fn sweep_two(
        &self,
        [first, second]: [u64; 2],
        codes: impl Iterator<Item = u32>,
        floor: u64,
        mut note: impl FnMut(usize, u32, [u64; 2], [u64; 2]),
    ) {
        let pairs = self.counts.as_chunks::<2>().0;
        let missing = if self.is_numeric { pairs[pairs.len() - 1] } else { [0, 0] };
        let (mut left, mut right) = ([0, 0], [first - missing[0], second - missing[1]]);
        for (end, code) in (1..).zip(codes) {
            let [a, b] = if code == POOL { [self.pool[0], self.pool[1]] } else { pairs[code as usize] };
            if a + b == 0 {
                continue;
            }
            left = [left[0] + a, left[1] + b];
            right = [right[0] - a, right[1] - b];
            let (few, many) = (left[0] + left[1], right[0] + right[1]);
            if many == 0 {
                return;
            }
            let (mut all_left, mut all_right) = (left, right);
            let goes_with = if few >= many { &mut all_left } else { &mut all_right };
            *goes_with = [goes_with[0] + missing[0], goes_with[1] + missing[1]];
            if all_left[0] + all_left[1] >= floor && all_right[0] + all_right[1] >= floor {
                note(end, code, all_left, all_right);
            }
        }
    }

    /// The number of codes, the missing one included.
    fn codes(&self) -> u32 {
        (self.counts.len() / self.classes) as u32
    }

    /// The counts of missing numbers, which go with most rows; missing names are a separate value.
    fn missing(&self) -> &'v [u64] {
        if self.is_numeric { &self.counts[self.counts.len() - self.classes..] } else { &[] }
    }

    /// Puts the names in the orders in which they are swept: by the share of each class (of two classes, one order
    /// finds the best division for any concave impurity).
    fn put_in_order(&mut self) {
        // Among many names, all are of few rows where the node is: nothing can be divided.
        if self.has_many() && self.here.iter().sum::<u64>() < ENOUGH {
            return;
        }
        let (mut items, mut pool, mut pooled) = (Vec::new(), vec![0; self.classes], 0);
        for (code, counts) in (0..).zip(self.counts.chunks_exact(self.classes)) {
            let rows: u64 = counts.iter().sum();
            if rows > 0 && self.stays_together(code, rows) {
                add(&mut pool, counts);
                pooled += rows;
            } else if rows > 0 {
                items.push((code, rows));
            }
        }
        (self.pool, self.items) = (pool, items.len() + usize::from(pooled > 0));
        let classes = if self.classes == 2 { 1..2 } else { 0..self.classes };
        self.orders.reserve_exact(self.items * classes.len());
        for class in classes {
            let start = self.orders.len();
            self.append_order(class, &items, pooled);
            // In the order of codes where shares are the same, and the pool last: the sort is stable.
            self.orders[start..].sort_by(|a, b| a.0.total_cmp(&b.0));
        }
    }

    /// The names that are divided, and the pool, each with its share of a class.
    fn append_order(&mut self, class: usize, items: &[(u32, u64)], pooled: u64) {
        let prior = PRIOR * self.here[class] as f64 / self.here.iter().sum::<u64>() as f64;
        let share = |of_class: u64, rows: u64| (of_class as f64 + prior) / (rows as f64 + PRIOR);
        for &(code, rows) in items {
            let of_class = self.counts[code as usize * self.classes + class];
            self.orders.push((share(of_class, rows), code));
        }
        if pooled > 0 {
            self.orders.push((share(self.pool[class], pooled), POOL));
        }
    }

    /// Whether the attribute has many names.
    fn has_many(&self) -> bool {
        self.codes() > MANY
    }

    /// Whether a name of so many rows stays together with others.
    fn stays_together(&self, code: u32, rows: u64) -> bool {
        (self.has_many() && rows < ENOUGH) || self.rare.get(code as usize).copied().unwrap_or(false)
    }

    /// The names in the pool.
    fn pooled(&self) -> impl Iterator<Item = u32> {
        let rows = self.counts.chunks_exact(self.classes).map(|counts| counts.iter().sum());
        let is_pooled = |&(code, rows): &(u32, u64)| rows > 0 && self.stays_together(code, rows);
        (0..).zip(rows).filter(is_pooled).map(|(code, _)| code)
    }

    /// The counts of a code, or of the pool.
    fn of_item(&self, code: u32) -> &[u64] {
        if code == POOL {
            return &self.pool;
        }
        &self.counts[code as usize * self.classes..(code as usize + 1) * self.classes]
    }
}

fn add(sums: &mut [u64], counts: &[u64]) {
    sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
}

/// A class on both sides of a division: its rows and the terms of these.
#[derive(Debug, Clone, Copy)]
struct ClassSides {
    rows: [u64; 2],
    terms: [u64; 2],
}

/// The classes left and right of a division that moves.
struct Sides<'s> {
    terms: Terms,
    classes: &'s mut [ClassSides],
    sums: [u64; 2],
    rows: [u64; 2],
}

impl<'s> Sides<'s> {
    /// All rows on the right, except those with a missing value.
    fn new(terms: Terms, here: &[u64], missing: &[u64], classes: &'s mut Vec<ClassSides>) -> Self {
        let missing = missing.iter().copied().chain(std::iter::repeat(0));
        let none = terms.term(0);
        classes.extend(here.iter().zip(missing).map(|(all, missing)| {
            let rows = all - missing;
            ClassSides { rows: [0, rows], terms: [none, terms.term(rows)] }
        }));
        let (mut sums, mut rows) = ([0_u64; 2], [0; 2]);
        for class in &*classes {
            sums = [sums[0].wrapping_add(class.terms[0]), sums[1].wrapping_add(class.terms[1])];
            rows[1] += class.rows[1];
        }
        Self { terms, classes, sums, rows }
    }

    /// Moves rows from right to left.
    fn move_left(&mut self, moved: &[u64]) {
        for (class, &moved) in self.classes.iter_mut().zip(moved) {
            if moved == 0 {
                continue;
            }
            class.rows = [class.rows[0] + moved, class.rows[1] - moved];
            let terms = class.rows.map(|rows| self.terms.term(rows));
            for ((sum, new), old) in self.sums.iter_mut().zip(terms).zip(class.terms) {
                *sum = sum.wrapping_add(new).wrapping_sub(old);
            }
            class.terms = terms;
            self.rows = [self.rows[0] + moved, self.rows[1] - moved];
        }
    }

    /// The impurity of both sides, with missing values on the left or the right.
    fn impurity(&self, missing: Option<(&[u64], bool)>) -> f64 {
        let (mut sums, mut rows) = (self.sums, self.rows);
        if let Some((missing, is_left)) = missing {
            let side = usize::from(!is_left);
            let all = self.classes.iter().zip(missing).map(|(class, missing)| class.rows[side] + missing);
            (sums[side], rows[side]) =
                all.fold((0, 0), |(sum, rows), n| (u64::wrapping_add(sum, self.terms.term(n)), rows + n));
        }
        self.terms.impurity(sums[0], rows[0]) + self.terms.impurity(sums[1], rows[1])
    }
}
