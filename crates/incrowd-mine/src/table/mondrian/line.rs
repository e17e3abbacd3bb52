//! Divisions of values in some order: all below a place against all above.

use super::super::params::Criterion;
use super::super::scale::Scale;
use super::counts::Counts;
use super::score::{Judge, Shortlist, Side, Way};
use incrowd_core::table::Kind;

/// Proposes all divisions of numbers, of ordered names, or of names without a taxonomy.
pub(super) fn propose(
    place: usize,
    scale: &Scale<'_>,
    counts: &Counts,
    judge: &Judge,
    shortlist: &mut Shortlist,
) {
    let line = Line { scale, counts, order: order(scale, counts, judge.criterion) };
    let all: u64 = counts.weights.iter().sum();
    let mut below = 0;
    let mut of_class = of_classes(counts);
    for cut in 1..line.order.len() {
        below += counts.weights[line.order[cut - 1]];
        if counts.classes > 0 {
            move_below(&mut of_class, counts.of_class(line.order[cut - 1]));
        }
        let sides: [Side; 2] = [(below, line.loss(0, cut)), (all - below, line.loss(cut, line.order.len()))];
        if let Some(score) = judge.score(&sides, &of_class) {
            shortlist.propose(place, score, false, || line.below(cut));
        }
        if let Some(score) = judge.score_aside(sides[0]) {
            shortlist.propose(place, score, true, || line.below(cut));
        }
        if let Some(score) = judge.score_aside(sides[1]) {
            shortlist.propose(place, score, true, || line.above(cut));
        }
    }
}

/// The codes that occur, by their place in the counts, in the order they are divided along.
fn order(scale: &Scale<'_>, counts: &Counts, criterion: Criterion) -> Vec<usize> {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    if scale.attribute.column.kind() != Kind::Categorical {
        return order;
    }
    match criterion {
        Criterion::Width => {}
        // Cells lose least if many individuals have few values: no other sets of the same sizes lose less.
        Criterion::Loss => order.sort_by_key(|&i| std::cmp::Reverse(counts.weights[i])),
        // Of two classes, some division along the shares has the highest gain of all.
        Criterion::Gain => {
            let class = most_frequent(counts);
            let share = |i: usize| (u128::from(counts.of_class(i)[class]), u128::from(counts.weights[i]));
            order.sort_by(|&i, &j| {
                let ((a, of_a), (b, of_b)) = (share(i), share(j));
                (b * of_a).cmp(&(a * of_b))
            });
        }
    }
    order
}

fn most_frequent(counts: &Counts) -> usize {
    let sum = |class: usize| (0..counts.len()).map(|i| counts.of_class(i)[class]).sum::<u64>();
    (0..counts.classes).max_by_key(|&class| (sum(class), std::cmp::Reverse(class))).unwrap_or(0)
}

/// No individual below yet and every individual above, by class.
fn of_classes(counts: &Counts) -> Vec<u64> {
    let mut both = vec![0; 2 * counts.classes];
    for i in 0..counts.len() {
        both[counts.classes..].iter_mut().zip(counts.of_class(i)).for_each(|(sum, n)| *sum += n);
    }
    both
}

fn move_below(of_class: &mut [u64], moved: &[u64]) {
    let (below, above) = of_class.split_at_mut(moved.len());
    for ((below, above), n) in below.iter_mut().zip(above).zip(moved) {
        *below += n;
        *above -= n;
    }
}

struct Line<'a> {
    scale: &'a Scale<'a>,
    counts: &'a Counts,
    order: Vec<usize>,
}

impl Line<'_> {
    fn code(&self, place: usize) -> u32 {
        self.counts.codes[self.order[place]]
    }

    /// The loss of the cell over the codes from one place up to another.
    fn loss(&self, from: usize, to: usize) -> f64 {
        if !self.scale.attribute.is_numeric() {
            return self.scale.loss_of_names(to - from);
        }
        // A missing value comes last and does not widen the interval of the numbers before it.
        let missing = self.code(to - 1) == self.scale.attribute.column.missing_code();
        let last = if missing && to - from > 1 { to - 2 } else { to - 1 };
        self.scale.loss_between(self.code(from), self.code(last))
    }

    /// What is below a place against the rest.
    fn below(&self, cut: usize) -> Way {
        if self.scale.attribute.column.kind() == Kind::Categorical {
            return self.among(0, cut);
        }
        Way::From(self.code(cut))
    }

    /// What is above a place against the rest.
    fn above(&self, cut: usize) -> Way {
        self.among(cut, self.order.len())
    }

    fn among(&self, from: usize, to: usize) -> Way {
        let mut codes: Vec<u32> = (from..to).map(|place| self.code(place)).collect();
        codes.sort_unstable();
        Way::Among(codes)
    }
}
