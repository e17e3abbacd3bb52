//! A proof that no small cell follows from supports, span by span: for more items than integer programs can look at
//! together.
//!
//! Let individuals be in one *span* if they have the same of the public parts of all published private sets. Within a
//! span, private items can be exchanged among individuals without changing a published support. Assume that the
//! attacker knows even the supports within each span of the private parts published about it; then spans are
//! independent of each other. A cell takes some m individuals of a span by their public items and some p by their
//! private items, out of s in all, and how these overlap is open: between m + p − s and the smaller of m and p. So a
//! cell below n that cannot be empty needs a span in which its private items have between 1 and n − 1 individuals in
//! every world, or more than s − n + 1 in every world, where every item of the cell has as many. If there is neither in
//! any span, no cell below n follows, whatever the public items are (docs/proofs.md, Small cells).

#[cfg(test)]
mod tests;

use super::Knowledge;
use super::own::ItemFacts;
use crate::bits::Bits;
use hashbrown::{HashMap, HashSet};
use std::cell::Cell;

/// The work of checking a span, besides that of programs.
const CHECK: usize = 1 << 8;

/// Who has which items: rows, or rows that have the same items taken together.
pub trait ItemRows {
    /// The rows that have an item.
    fn having(&self, item: u32) -> &Bits;
    /// The individuals of a row. No individual has several rows.
    fn individuals(&self, row: usize) -> u64;
    /// What else is known about an item.
    fn facts(&self, item: u32) -> ItemFacts;
}

/// The published private items of each attribute, ascending.
type ItemsOfAttributes = HashMap<u32, Vec<u32>>;

/// Published private sets that are proven to reveal no cell below a number of individuals.
pub struct SpanProof<'a> {
    least: u64,
    rows: &'a dyn ItemRows,
    spans: Vec<KnownSpan>,
    /// The published private items of each attribute, ascending.
    of_attribute: HashMap<u32, Vec<u32>>,
    /// The work that is left for programs, in squares of their unknowns; without any, nothing more is proven. Fixed at
    /// the start, so that results do not depend on the machine.
    work_left: Cell<usize>,
    /// Both as they were before sets were last added.
    before: Option<(Vec<KnownSpan>, ItemsOfAttributes)>,
}

/// A span and the private sets whose supports within it count as known.
#[derive(Clone)]
struct KnownSpan {
    rows: Bits,
    sets: Vec<Vec<u32>>,
}

impl<'a> SpanProof<'a> {
    /// A proof about no set at all. Every cell must be empty or have at least `least` individuals; there are `length`
    /// rows.
    pub fn new(least: u64, rows: &'a dyn ItemRows, length: usize) -> Self {
        let everyone = KnownSpan { rows: Bits::full(length), sets: Vec::new() };
        let work_left = Cell::new(usize::MAX);
        Self { least, rows, spans: vec![everyone], of_attribute: HashMap::new(), work_left, before: None }
    }

    /// Limits the work of programs, for sets that are added one by one.
    #[must_use]
    pub fn with_work(self, most: usize) -> Self {
        Self { work_left: Cell::new(most), ..self }
    }

    /// Adds sets of items if what is published is still proven with them; sets of public items alone add nothing.
    /// Otherwise all is as before, and the result is false.
    #[must_use]
    pub fn publish(&mut self, sets: &[&[u32]]) -> bool {
        let (mut spans, mut of_attribute) = (self.spans.clone(), self.of_attribute.clone());
        let mut changed = vec![false; spans.len()];
        let mut grown: HashSet<u32> = HashSet::new();
        for set in sets {
            let is_public = |item: &u32| self.rows.facts(*item).public;
            let (public, private): (Vec<u32>, Vec<u32>) = set.iter().copied().partition(is_public);
            if private.is_empty() {
                continue;
            }
            for &item in &private {
                let attribute = self.rows.facts(item).attribute;
                let items = of_attribute.entry(attribute).or_default();
                if let Err(place) = items.binary_search(&item) {
                    items.insert(place, item);
                    grown.insert(attribute);
                }
            }
            self.divide(&mut spans, &mut changed, &public, &private);
        }
        let names = |set: &[u32]| set.iter().any(|&item| grown.contains(&self.rows.facts(item).attribute));
        let is_open = |(span, changed): (&KnownSpan, &bool)| {
            (*changed || span.sets.iter().any(|set| names(set))) && !self.is_safe(span, &of_attribute)
        };
        if spans.iter().zip(&changed).any(is_open) {
            return false;
        }
        let spans = std::mem::replace(&mut self.spans, spans);
        self.before = Some((spans, std::mem::replace(&mut self.of_attribute, of_attribute)));
        true
    }

    /// Takes the sets back that were added last.
    pub fn undo(&mut self) {
        if let Some(before) = self.before.take() {
            (self.spans, self.of_attribute) = before;
        }
    }

    /// Divides the spans by who has all of some public items: of these, the support of some private ones is known.
    fn divide(&self, spans: &mut Vec<KnownSpan>, changed: &mut Vec<bool>, public: &[u32], private: &[u32]) {
        for place in 0..spans.len() {
            let mut inside = spans[place].rows.clone();
            public.iter().for_each(|&item| inside.keep(self.rows.having(item)));
            let part = inside.count();
            if part == 0 {
                continue;
            }
            if part < spans[place].rows.count() {
                let mut outside = spans[place].clone();
                outside.rows.remove_all(&inside);
                spans.push(outside);
                changed.push(true);
                changed[place] = true;
                spans[place].rows = inside;
            }
            if !spans[place].sets.iter().any(|set| set == private) {
                spans[place].sets.push(private.to_vec());
                changed[place] = true;
            }
        }
    }

    /// Whether no private cell of a span is small, or so large that all other individuals are few, in every world.
    fn is_safe(&self, span: &KnownSpan, of_attribute: &HashMap<u32, Vec<u32>>) -> bool {
        let parts = self.parts(&span.sets);
        parts.iter().all(|sets| self.is_part_safe(&span.rows, sets, of_attribute))
    }

    /// Sets that are connected through attributes, together.
    fn parts<'s>(&self, sets: &'s [Vec<u32>]) -> Vec<Vec<&'s [u32]>> {
        let mut parts: Vec<(HashSet<u32>, Vec<&[u32]>)> = Vec::new();
        for set in sets {
            let mut attributes: HashSet<u32> =
                set.iter().map(|&item| self.rows.facts(item).attribute).collect();
            let mut together = vec![set.as_slice()];
            parts.retain_mut(|(others, part)| {
                let apart = others.is_disjoint(&attributes);
                if !apart {
                    attributes.extend(others.iter().copied());
                    together.append(part);
                }
                apart
            });
            parts.push((attributes, together));
        }
        parts.into_iter().map(|(_, sets)| sets).collect()
    }

    fn is_part_safe(&self, rows: &Bits, sets: &[&[u32]], of_attribute: &HashMap<u32, Vec<u32>>) -> bool {
        let attributes: HashSet<u32> =
            sets.iter().flat_map(|set| set.iter()).map(|&item| self.rows.facts(item).attribute).collect();
        let mut items: Vec<u32> =
            attributes.iter().flat_map(|attribute| &of_attribute[attribute]).copied().collect();
        items.sort_unstable();
        let facts: Vec<ItemFacts> = items.iter().map(|&item| self.rows.facts(item)).collect();
        let total = rows.iter().map(|row| self.rows.individuals(row)).sum();
        let mut knowledge = Knowledge::new(total, facts);
        let group: Vec<u32> = (0..items.len() as u32).collect();
        if !knowledge.is_small(&group) {
            return false;
        }
        let work = CHECK + knowledge.baskets(&group).pow(2);
        let Some(left) = self.work_left.get().checked_sub(work) else { return false };
        self.work_left.set(left);
        let supports = self.supports(rows, &items);
        // The most frequent reasons need no program.
        let is_small = |set: &&[u32]| {
            let places = set.iter().filter_map(|item| items.binary_search(item).ok());
            let people = supports[places.map(|place| 1_usize << place).sum::<usize>()];
            (1..self.least).contains(&people) || (set.len() == 1 && !is_between(people, self.least, total))
        };
        if sets.iter().any(is_small) {
            return false;
        }
        let support = |set: &[u32]| supports[set.iter().map(|&place| 1_usize << place).sum::<usize>()];
        for set in sets {
            let places: Vec<u32> = set
                .iter()
                .filter_map(|item| items.binary_search(item).ok())
                .map(|place| place as u32)
                .collect();
            if knowledge.publish(&places, &support).is_err() || knowledge.contradicts() {
                return false;
            }
        }
        knowledge.is_clear(&group, self.least, &support)
    }

    /// For every subset of few items, by mask, the individuals of some rows who have all of it.
    fn supports(&self, rows: &Bits, items: &[u32]) -> Vec<u64> {
        let having: Vec<&Bits> = items.iter().map(|&item| self.rows.having(item)).collect();
        let mut supports = vec![0; 1 << items.len()];
        for row in rows.iter() {
            let has = (0..items.len()).filter(|&place| having[place].contains(row));
            supports[has.map(|place| 1_usize << place).sum::<usize>()] += self.rows.individuals(row);
        }
        super::bounds::each_bit(supports.len(), |without, with| supports[without] += supports[with]);
        supports
    }
}

/// Whether neither those who have an item that some individuals of a span have, nor those who lack it, are too many.
fn is_between(people: u64, least: u64, total: u64) -> bool {
    people + least <= total + 1 && people + 1 >= least
}
