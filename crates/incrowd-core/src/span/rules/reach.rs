//! Which outcomes of all rules an individual's private values can lead to.
//!
//! An outcome requires private items (those of every side that is met) and forbids whole lists of items (the sides that
//! could be met but are not). Items that nothing requires are best avoided: if an attribute has a value that no rule
//! names, an individual can have that value. So an outcome is possible iff the required items do not contain a whole
//! forbidden list, which is decided with sets of rules, 64 at a time. Only attributes whose values all occur in rules
//! leave a choice; these few are searched.

use super::Parts;
use crate::bits::Bits;
use crate::error::{Error, Result};
use crate::model::Item;
use crate::span::Tells;
use crate::span::allowance::Allowance;
use hashbrown::HashMap;
use rayon::prelude::*;

/// For each span, or each bin, the rules whose left side is met, and those of which all is.
pub(super) struct SatisfiedRules {
    pub(super) left: Bits,
    pub(super) all: Bits,
}

/// A private attribute of the rules.
pub(super) struct Spoken {
    /// Its place among the rules' attributes.
    pub(super) attribute: usize,
    /// The number of values it can take, a missing one included.
    pub(super) values: u32,
}

/// A private item by its attribute's place among the private ones.
type PrivateItem = (usize, u32);

/// The private side of a rule.
struct Sides {
    left: Vec<PrivateItem>,
    right: Vec<PrivateItem>,
}

/// What a bin requires, and which sides that settles.
struct RequiredValues {
    /// For each private attribute the required value.
    value: Vec<Option<u32>>,
    /// The rules with all of their private left (right) side required.
    left: Bits,
    right: Bits,
    /// The rules with a side that only attributes without a value to spare can keep from being had.
    open_left: Bits,
    open_right: Bits,
}

/// Private values against outcomes.
pub(super) struct Reach {
    attributes: Vec<Spoken>,
    /// Whether an attribute has a value that no rule names.
    spare: Vec<bool>,
    sides: Vec<Sides>,
    spans: Vec<SatisfiedRules>,
    bins: Vec<SatisfiedRules>,
    asked: Vec<RequiredValues>,
    /// For each private item the rules that have it on the left, and on the right.
    with: HashMap<PrivateItem, [Vec<usize>; 2]>,
}

impl Reach {
    pub(super) fn new(
        parts: &[Parts],
        attributes: Vec<Spoken>,
        spans: Vec<SatisfiedRules>,
        bins: Vec<SatisfiedRules>,
    ) -> Self {
        let place: HashMap<usize, usize> =
            attributes.iter().enumerate().map(|(place, spoken)| (spoken.attribute, place)).collect();
        let private =
            |items: &[Item]| items.iter().map(|item| (place[&item.attribute], item.value)).collect();
        let sides: Vec<Sides> = parts
            .iter()
            .map(|part| Sides { left: private(&part.private_left), right: private(&part.private_right) })
            .collect();
        let mut with: HashMap<PrivateItem, [Vec<usize>; 2]> = HashMap::new();
        for (rule, side) in sides.iter().enumerate() {
            side.left.iter().for_each(|item| with.entry(*item).or_default()[0].push(rule));
            side.right.iter().for_each(|item| with.entry(*item).or_default()[1].push(rule));
        }
        let mut named = vec![0; attributes.len()];
        with.keys().for_each(|item| named[item.0] += 1);
        let spare =
            attributes.iter().enumerate().map(|(i, spoken)| named[i] < spoken.values as usize).collect();
        let mut reach = Self { attributes, spare, sides, spans, bins, asked: Vec::new(), with };
        reach.asked = reach.bins.par_iter().map(|bin| reach.asked(bin)).collect();
        reach
    }

    /// For each span the bins it contains, ascending.
    pub(super) fn all(&self) -> Result<Vec<Vec<u32>>> {
        let allowance = Allowance::of_bins(
            "the rules distinguish too many groups of individuals to be checked together",
            "release fewer rules",
        );
        let of_span = |span: usize| {
            let mut reached = Vec::new();
            for bin in 0..self.bins.len() {
                if self.fits(span, bin)? {
                    reached.push(bin as u32);
                }
            }
            allowance.take(reached.len())?;
            Ok(reached)
        };
        (0..self.spans.len()).into_par_iter().map(of_span).collect()
    }

    fn asked(&self, bin: &SatisfiedRules) -> RequiredValues {
        let mut value = vec![None; self.attributes.len()];
        for rule in bin.left.iter() {
            let right = self.sides[rule].right.iter().filter(|_| bin.all.contains(rule));
            let items = self.sides[rule].left.iter().chain(right);
            items.for_each(|&(attribute, asked)| value[attribute] = Some(asked));
        }
        let rules = self.sides.len();
        let whole = |items: &[PrivateItem]| items.iter().all(|item| value[item.0] == Some(item.1));
        let open = |items: &[PrivateItem]| {
            let undecided = |item: &&PrivateItem| value[item.0] != Some(item.1);
            !whole(items)
                && items.iter().filter(undecided).all(|item| value[item.0].is_none() && !self.spare[item.0])
        };
        RequiredValues {
            left: Bits::of(rules, |rule| whole(&self.sides[rule].left)),
            right: Bits::of(rules, |rule| whole(&self.sides[rule].right)),
            open_left: Bits::of(rules, |rule| open(&self.sides[rule].left)),
            open_right: Bits::of(rules, |rule| open(&self.sides[rule].right)),
            value,
        }
    }

    /// Whether some private values lead an individual of the span into the bin.
    fn fits(&self, span: usize, bin: usize) -> Result<bool> {
        let (can, is, asked) = (&self.spans[span], &self.bins[bin], &self.asked[bin]);
        let mut open = false;
        for word in 0..is.left.words().len() {
            let of = |bits: &Bits| bits.words()[word];
            let (left, all) = (of(&is.left), of(&is.all));
            let (not_left, not_right) = (of(&can.left) & !left, of(&can.all) & left & !all);
            let beyond = (left & !of(&can.left)) | (all & !of(&can.all));
            if beyond | (not_left & of(&asked.left)) | (not_right & of(&asked.right)) != 0 {
                return Ok(false);
            }
            open |= (not_left & of(&asked.open_left)) | (not_right & of(&asked.open_right)) != 0;
        }
        if open { self.search(span, bin, None) } else { Ok(true) }
    }

    /// Whether an individual of the span can be in the bin, which the span contains, with a value of a private
    /// attribute.
    fn fits_with(&self, span: usize, bin: usize, item: PrivateItem) -> Result<bool> {
        if let Some(value) = self.asked[bin].value[item.0] {
            return Ok(value == item.1);
        }
        if self.spare.contains(&false) {
            return self.search(span, bin, Some(item));
        }
        let Some([left, right]) = self.with.get(&item) else { return Ok(true) };
        let (can, is, value) = (&self.spans[span], &self.bins[bin], &self.asked[bin].value);
        let completed =
            |side: &[PrivateItem]| side.iter().all(|other| *other == item || value[other.0] == Some(other.1));
        let by_left = left.iter().any(|&rule| {
            can.left.contains(rule) && !is.left.contains(rule) && completed(&self.sides[rule].left)
        });
        let by_right = right.iter().any(|&rule| {
            let forbidden = can.all.contains(rule) && is.left.contains(rule) && !is.all.contains(rule);
            forbidden && completed(&self.sides[rule].right)
        });
        Ok(!by_left && !by_right)
    }

    /// The same by search, `fixed` being one of the private values.
    fn search(&self, span: usize, bin: usize, fixed: Option<PrivateItem>) -> Result<bool> {
        let (can, is) = (&self.spans[span], &self.bins[bin]);
        let mut value = self.asked[bin].value.clone();
        fixed.into_iter().for_each(|item| value[item.0] = Some(item.1));
        let mut open: Vec<Vec<PrivateItem>> = Vec::new();
        for (rule, sides) in self.sides.iter().enumerate() {
            let forbidden = match (is.left.contains(rule), is.all.contains(rule)) {
                (false, _) if can.left.contains(rule) => &sides.left,
                (true, false) if can.all.contains(rule) => &sides.right,
                _ => continue,
            };
            let avoided = |item: &PrivateItem| match value[item.0] {
                Some(value) => value != item.1,
                None => self.spare[item.0],
            };
            if !forbidden.iter().any(avoided) {
                let mut left: Vec<PrivateItem> =
                    forbidden.iter().copied().filter(|item| value[item.0].is_none()).collect();
                left.sort_unstable();
                open.push(left);
            }
        }
        open.sort_unstable();
        open.dedup();
        ValueSearch { reach: self, value, open: &open, steps: 0 }.solve(0)
    }
}

impl Tells for Reach {
    fn cells(&self, span: usize, bin: u32, sensitive: usize) -> Result<Vec<u32>> {
        let mut cells = Vec::new();
        for value in 0..self.attributes[sensitive].values {
            if self.fits_with(span, bin as usize, (sensitive, value))? {
                cells.push(value);
            }
        }
        Ok(cells)
    }
}

/// A search for values under which no individual has all items of a list.
struct ValueSearch<'b> {
    reach: &'b Reach,
    value: Vec<Option<u32>>,
    open: &'b [Vec<PrivateItem>],
    steps: u32,
}

impl ValueSearch<'_> {
    /// Beyond this many steps the rules are too entangled to be judged.
    const LIMIT: u32 = 1_000_000;

    fn solve(&mut self, done: usize) -> Result<bool> {
        self.steps += 1;
        if self.steps > Self::LIMIT {
            return Err(Error::limit(
                "too many rules share private attributes to compute what their populations reveal",
            )
            .help("release fewer rules that share private attributes"));
        }
        // Lists that are settled already are skipped, so that every step down settles an attribute.
        let settled = |items: &&Vec<PrivateItem>| {
            items.iter().any(|item| self.value[item.0].is_some_and(|value| value != item.1))
        };
        let done = done + self.open[done..].iter().take_while(settled).count();
        let Some(items) = self.open.get(done) else { return Ok(true) };
        for &(attribute, had) in items.iter().filter(|item| self.value[item.0].is_none()).collect::<Vec<_>>()
        {
            for value in (0..self.reach.attributes[attribute].values).filter(|&value| value != had) {
                self.value[attribute] = Some(value);
                if self.solve(done + 1)? {
                    return Ok(true);
                }
            }
            self.value[attribute] = None;
        }
        Ok(false)
    }
}
