//! The rules of frequent sets, with their measures, the most useful first.

use super::eclat::{Set, too_many};
use super::params::{CheckedRuleParams, Usefulness};
use hashbrown::HashMap;
use incrowd_core::Result;
use rayon::prelude::*;
use std::cmp::Ordering;

/// A rule that may be released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The items of the left side, ascending.
    pub(super) left: Box<[u32]>,
    /// The items of the right side, ascending.
    pub(super) right: Box<[u32]>,
    pub(super) counts: Counts,
}

/// The supports of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// All individuals.
    pub individuals: u64,
    /// Those with the left side.
    pub antecedent: u64,
    /// Those with the right side.
    pub consequent: u64,
    /// Those with both.
    pub both: u64,
}

impl Counts {
    /// The share of individuals that have both sides.
    pub fn support(&self) -> f64 {
        self.both as f64 / self.individuals as f64
    }

    /// The share of those with the left side that have the right one too.
    pub fn confidence(&self) -> f64 {
        self.both as f64 / self.antecedent as f64
    }

    /// The ratio of individuals with both sides to the number expected if the sides were independent.
    pub fn lift(&self) -> f64 {
        self.confidence() / (self.consequent as f64 / self.individuals as f64)
    }

    /// The excess of the share of individuals with both sides over the share expected if the sides were independent.
    pub fn leverage(&self) -> f64 {
        let share = |count: u64| count as f64 / self.individuals as f64;
        self.support() - share(self.antecedent) * share(self.consequent)
    }

    /// The factor by which the rule would be wrong more often if the sides were independent; infinite if it never is.
    pub fn conviction(&self) -> f64 {
        let wrong = (self.antecedent - self.both) as f64 / self.antecedent as f64;
        let without = 1.0 - self.consequent as f64 / self.individuals as f64;
        if wrong == 0.0 { f64::INFINITY } else { without / wrong }
    }

    fn of(&self, usefulness: Usefulness) -> f64 {
        match usefulness {
            Usefulness::Leverage => self.leverage(),
            Usefulness::Lift => self.lift(),
            Usefulness::Support => self.support(),
            Usefulness::Confidence => self.confidence(),
        }
    }
}

/// All rules with enough confidence, the most useful first.
///
/// # Errors
/// When there are more than allowed.
pub(super) fn candidates(
    sets: &[Set],
    individuals: u64,
    params: &CheckedRuleParams,
) -> Result<Vec<Candidate>> {
    let support: HashMap<&[u32], u64> = sets.iter().map(|(items, support)| (&**items, *support)).collect();
    let count_of = |set: &Set| -> usize { rules_of(set, &support, individuals, params).count() };
    let count: usize = sets.par_iter().map(count_of).sum();
    if count > params.most {
        return Err(too_many(params.most, "rules"));
    }
    let of_set = |set| rules_of(set, &support, individuals, params);
    let mut rules: Vec<Candidate> = sets.par_iter().flat_map_iter(of_set).collect();
    rules.par_sort_unstable_by(|a, b| before(a, b, params.first));
    Ok(rules)
}

fn rules_of<'s>(
    (items, both): &'s Set,
    support: &'s HashMap<&[u32], u64>,
    individuals: u64,
    params: &'s CheckedRuleParams,
) -> impl Iterator<Item = Candidate> + 's {
    let sizes = 1..=params.max_consequent.min(items.len().saturating_sub(1));
    let masks = sizes.flat_map(|size| masks_of(items.len(), size));
    masks.filter_map(move |mask| {
        let side = |on: bool| -> Box<[u32]> {
            (0..items.len()).filter(|i| (mask >> i & 1 == 1) == on).map(|i| items[i]).collect()
        };
        let (left, right) = (side(false), side(true));
        let counts = Counts {
            individuals,
            antecedent: *support.get(&*left)?,
            consequent: *support.get(&*right)?,
            both: *both,
        };
        (counts.confidence() >= params.min_confidence).then_some(Candidate { left, right, counts })
    })
}

/// All masks of `bits` bits with `size` of them set, ascending (Gosper's hack).
fn masks_of(bits: usize, size: usize) -> impl Iterator<Item = u64> {
    let next = move |&mask: &u64| {
        let low = mask & mask.wrapping_neg();
        let carried = mask + low;
        let next = (((carried ^ mask) >> 2) / low) | carried;
        (next < 1 << bits).then_some(next)
    };
    std::iter::successors(Some((1 << size) - 1), next)
}

fn before(a: &Candidate, b: &Candidate, first: Usefulness) -> Ordering {
    let length = |rule: &Candidate| rule.left.len() + rule.right.len();
    (b.counts.of(first).total_cmp(&a.counts.of(first)))
        .then_with(|| b.counts.both.cmp(&a.counts.both))
        .then_with(|| length(a).cmp(&length(b)))
        .then_with(|| (&a.left, &a.right).cmp(&(&b.left, &b.right)))
}
