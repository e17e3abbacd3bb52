//! One attribute at a node: its binary divisions and their gains.

use super::propose::{Division, Proposal, Proposer};
use crate::tree::grower::Grower;
use crate::tree::task::AttributeTests;
use std::ops::Range;

/// How many rows' worth the share of the whole node counts when values are put in order; so that rare values do not end
/// up first or last by accident.
const PRIOR: f64 = 10.0;

/// Names of an attribute with more values than this are many: however little they have to do with the class, some
/// division of them seems to.
const MANY: u32 = 64;

/// Of many names, those of fewer rows at a node go together (`min_data_per_group` of `LightGBM`).
const ENOUGH: u64 = 100;

/// An order in which names are swept.
struct Order {
    /// The codes that occur, each with its share of a class, ascending by that.
    codes: Vec<(f64, u32)>,
    /// Those of few rows among many names, and those that must not be printed: they stay together.
    pool: Range<usize>,
}

impl Order {
    /// Whether a division after this many codes would separate those that stay together.
    fn parts_pool(&self, end: usize) -> bool {
        self.pool.start < end && end < self.pool.end
    }
}

/// A division of an attribute's codes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// By how much it lowers the impurity.
    pub(super) gain: f64,
    /// The order in which the codes were swept.
    order: usize,
    /// The number of them that go left.
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
    /// The orders in which the names that occur are swept; none for numbers, which have their own.
    orders: Vec<Order>,
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
        let mut view = Self { attribute, is_numeric, classes, counts, here, rare, orders: Vec::new() };
        if !is_numeric {
            view.orders = view.orders();
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
                let order = self.orders[candidate.order].codes.iter().enumerate();
                order.for_each(|(i, &(_, code))| side[code as usize] = Some(u32::from(i >= candidate.end)));
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
        for (number, order) in self.orders.iter().enumerate() {
            let codes = order.codes.iter().map(|&(_, code)| code);
            self.sweep_one(proposer, number, codes, &mut |candidate: Candidate| {
                if !order.parts_pool(candidate.end) {
                    note(candidate);
                }
            });
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
            self.sweep_many(codes, floor, |end, code, [left, right], rows| {
                let leaves = criterion.of(left) + criterion.of(right);
                let gain = criterion.worth(whole, leaves, rows);
                note(Candidate { gain, order, end, code });
            });
        }
    }

    /// Hands over the counts left and right of every place in an order that leaves enough rows on both sides, and some.
    fn sweep_many(
        &self,
        codes: impl Iterator<Item = u32>,
        floor: u64,
        mut note: impl FnMut(usize, u32, [&[u64]; 2], [u64; 2]),
    ) {
        let missing = self.missing();
        let lacking = missing.iter().sum::<u64>();
        let mut left = vec![0; self.classes];
        let mut right = self.here.to_vec();
        take(&mut right, missing);
        let (mut few, mut many) = (0, right.iter().sum::<u64>());
        for (end, code) in (1..).zip(codes) {
            let moved = self.of_code(code);
            let rows: u64 = moved.iter().sum();
            if rows == 0 {
                continue;
            }
            add(&mut left, moved);
            take(&mut right, moved);
            (few, many) = (few + rows, many - rows);
            if many == 0 {
                return;
            }
            let most_left = few >= many;
            let (with_left, with_right) = if most_left { (lacking, 0) } else { (0, lacking) };
            let sizes = [few + with_left, many + with_right];
            if sizes.iter().any(|&size| size < floor) {
                continue;
            }
            if lacking == 0 {
                note(end, code, [&left, &right], sizes);
                continue;
            }
            add(if most_left { &mut left } else { &mut right }, missing);
            note(end, code, [&left, &right], sizes);
            take(if most_left { &mut left } else { &mut right }, missing);
        }
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
            let [a, b] = pairs[code as usize];
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

    /// The orders in which names are swept: by the share of each class (of two classes, one order finds the best
    /// division for any concave impurity).
    fn orders(&self) -> Vec<Order> {
        let present = self.present();
        if self.classes == 2 {
            return vec![self.by_share(1, &present)];
        }
        (0..self.classes).map(|class| self.by_share(class, &present)).collect()
    }

    /// The codes that occur with their rows.
    fn present(&self) -> Vec<(u32, u64)> {
        let rows = self.counts.chunks_exact(self.classes).map(|of_code| of_code.iter().sum());
        (0..).zip(rows).filter(|&(_, rows)| rows > 0).collect()
    }

    /// The codes that occur, ascending by their share of a class.
    fn by_share(&self, class: usize, present: &[(u32, u64)]) -> Order {
        let prior = PRIOR * self.here[class] as f64 / self.here.iter().sum::<u64>() as f64;
        let share = |of_class: u64, rows: u64| (of_class as f64 + prior) / (rows as f64 + PRIOR);
        let is_rare = |code: u32| self.rare.get(code as usize).copied().unwrap_or(false);
        let is_few = |code: u32, rows: u64| (self.codes() > MANY && rows < ENOUGH) || is_rare(code);
        let mut pooled = (0, 0);
        let mut codes: Vec<(f64, bool, u32)> = Vec::with_capacity(present.len());
        for &(code, rows) in present {
            let (of_class, few) = (self.of_code(code)[class], is_few(code, rows));
            if few {
                pooled = (pooled.0 + of_class, pooled.1 + rows);
            }
            codes.push((share(of_class, rows), few, code));
        }
        let together = share(pooled.0, pooled.1);
        codes.iter_mut().filter(|(_, few, _)| *few).for_each(|(share, ..)| *share = together);
        codes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let start = codes.iter().position(|&(_, few, _)| few).unwrap_or(0);
        let pool = start..start + codes.iter().filter(|&&(_, few, _)| few).count();
        Order { codes: codes.into_iter().map(|(share, _, code)| (share, code)).collect(), pool }
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
