//! The measures and guarantees of one span, from lists of probabilities.

use super::fraction::Fraction;
use crate::guarantee::{Distance, Requirement, SeveralRows, SingleBin};

/// How the distinguished values of an attribute are spread in a span.
pub(super) struct Spread {
    /// The individuals with each distinguished value.
    pub(super) here: Vec<u64>,
    /// The same in the whole table.
    pub(super) whole: Vec<u64>,
    /// The individuals of the span.
    pub(super) individuals: u64,
    /// Whether the distinguished values have an order.
    pub(super) ordered: bool,
    /// Where shares in the whole table are not known: its rows.
    pub(super) blurred: Option<u64>,
}

/// A span as a guarantee sees it.
pub(super) struct Span {
    pub(super) population: u64,
    /// The fewest individuals with the same spans in all rows as one of the span's individuals.
    pub(super) alike: u64,
    pub(super) single_bin: bool,
    pub(super) smallest_bin: u64,
    /// The attributes that it distinguishes and the guarantee covers.
    pub(super) spreads: Vec<Spread>,
}

/// Entropies nearer than this are the same: logarithms are not known better.
const SAME: f64 = 1e-12;

impl Spread {
    pub(super) fn distinct(&self) -> u64 {
        self.here.iter().filter(|&&count| count > 0).count() as u64
    }

    pub(super) fn entropy(&self) -> f64 {
        let shares = shares(&self.here).into_iter().map(Fraction::number);
        shares.filter(|&p| p > 0.0).map(|p| -p * p.ln()).sum()
    }

    /// The c above which recursive (c,l)-diversity holds.
    pub(super) fn recursive(&self, l: u32) -> f64 {
        let mut counts: Vec<u64> = self.here.iter().copied().filter(|&count| count > 0).collect();
        counts.sort_unstable();
        counts.reverse();
        let rank = (l.max(1) - 1) as usize;
        let tail: u64 = counts.iter().skip(rank).sum();
        if tail == 0 { f64::INFINITY } else { counts[0] as f64 / tail as f64 }
    }

    pub(super) fn confidence(&self) -> f64 {
        self.here.iter().max().map_or(0.0, |&most| most as f64 / self.individuals as f64)
    }

    pub(super) fn alpha(&self) -> f64 {
        shares(&self.here).into_iter().map(Fraction::number).fold(0.0, f64::max)
    }

    /// The earth mover's distance: half the sum of all differences, or the mean difference of the cumulative shares if
    /// values have an order and it is requested.
    pub(super) fn distance(&self, distance: Distance) -> Option<f64> {
        if let Some(bound) = self.bound() {
            return bound.divided_by(Fraction::new(i128::from(self.blurred?), 1)?).map(Fraction::number);
        }
        let by_rank = self.ordered && distance == Distance::Ordered;
        let (here, whole) = (shares(&self.here), shares(&self.whole));
        let (mut sum, mut ahead, mut occurring) = (Fraction::ZERO, Fraction::ZERO, 0_usize);
        // Values that no individual has take no rank.
        for (p, q) in here.iter().zip(&whole).filter(|&(_, &q)| q != Fraction::ZERO) {
            let gap = p.minus(*q)?;
            ahead = ahead.plus(gap)?;
            sum = sum.plus(absolute(if by_rank { ahead } else { gap })?)?;
            occurring += 1;
        }
        let steps = if by_rank { occurring.max(2) - 1 } else { 2 };
        Some(sum.divided_by(Fraction::new(steps as i128, 1)?)?.number())
    }

    /// How many of the whole are outside the span: each share there is at least the part of the one here that is the
    /// span's.
    fn bound(&self) -> Option<Fraction> {
        let outside = self.blurred?.saturating_sub(self.individuals);
        Fraction::new(i128::from(outside), 1)
    }

    /// The largest growth of a share, relative to the whole table's.
    pub(super) fn beta(&self) -> Option<f64> {
        if let Some(bound) = self.bound() {
            return bound.divided_by(Fraction::new(i128::from(self.individuals), 1)?).map(Fraction::number);
        }
        let mut most = 0.0;
        for (p, q) in shares(&self.here).into_iter().zip(shares(&self.whole)) {
            if p != Fraction::ZERO {
                most = f64::max(most, p.minus(q)?.divided_by(q)?.number());
            }
        }
        Some(most)
    }
}

/// Whether the span breaks the requirement; `None` where a fraction does not fit.
pub(super) fn breaks(span: &Span, requirement: &Requirement) -> Option<bool> {
    let any = |broken: &dyn Fn(&Spread) -> Option<bool>| {
        span.spreads.iter().try_fold(false, |any, spread| Some(any || broken(spread)?))
    };
    match requirement {
        Requirement::K(k) => {
            let exempt = span.single_bin && k.single_bin() == SingleBin::Exempt;
            let counted = match k.several_rows() {
                SeveralRows::Counted => span.population,
                SeveralRows::Strict => span.alike,
            };
            Some(counted < k.k() && !exempt)
        }
        Requirement::SmallestBin(smallest) => Some(span.smallest_bin < smallest.n()),
        Requirement::DistinctL(l) => any(&|spread| Some(spread.distinct() < u64::from(l.l()))),
        Requirement::EntropyL(l) => any(&|spread| Some(spread.entropy() < l.l().ln() - SAME)),
        Requirement::RecursiveL(r) => any(&|spread| Some(spread.recursive(r.l()) >= r.c())),
        Requirement::Confidence(cap) => any(&|spread| Some(spread.confidence() > cap.cap())),
        Requirement::Alpha(alpha) => any(&|spread| Some(spread.alpha() > alpha.alpha())),
        Requirement::TCloseness(t) => any(&|spread| Some(spread.distance(t.distance())? > t.t())),
        Requirement::Beta(beta) => any(&|spread| Some(spread.beta()? > beta.beta())),
    }
}

fn shares(counts: &[u64]) -> Vec<Fraction> {
    let total: u64 = counts.iter().sum();
    let share = |&n: &u64| Fraction::new(i128::from(n), i128::from(total)).unwrap_or(Fraction::ZERO);
    counts.iter().map(share).collect()
}

fn absolute(fraction: Fraction) -> Option<Fraction> {
    if fraction.sign().is_lt() { Fraction::ZERO.minus(fraction) } else { Some(fraction) }
}
