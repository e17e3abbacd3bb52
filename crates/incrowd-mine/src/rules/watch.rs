//! Checks what the supports of the rules taken reveal together.
//!
//! Cells below k that several supports reveal are closed as far as they are found. A smallest bin must be proven: either
//! integer programs look at every cell, or there is a proof for each span. The first covers few items, the second any
//! number of public items, but not every set of rules that the first covers. A release needs one of them for all of its
//! rules, so there are two ways to choose ([`Proof`]).

use super::candidates::Candidate;
use super::params::CheckedRuleParams;
use super::task::Task;
use hashbrown::{HashMap, HashSet};
use incrowd_core::Result;
use incrowd_core::bits::Bits;
use incrowd_core::span::channels::{
    Cell, Exact, ItemFacts, ItemRows, Knowledge, Limits, MOST_ITEMS, SpanProof,
};

/// The most work that programs may take to prove a smallest bin, in squares of unknowns: enough for dozens of the
/// largest programs. Fixed, so that the choice of rules does not depend on the machine.
const MOST_WORK: usize = 32 << 16;

/// The same for the proof by spans.
const MOST_WORK_BY_SPANS: usize = 1 << 26;

/// What a rule would open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Opened {
    /// Anyone could derive a small cell.
    Channel(Cell),
    /// The rule has more items than can be examined.
    TooLong,
    /// With several rows per individual, nothing is known about the supports.
    SeveralRows,
    /// It could not be proven that no cell below this smallest bin can be derived.
    Unproven(u64),
}

/// How it is proven that no cell below the smallest bin follows from the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// By any proof: a rule that only integer programs prove safe is taken, although no larger release may then be
    /// provable.
    Any,
    /// Span by span.
    BySpans,
}

/// Watches over what the supports of the rules taken reveal.
pub(super) struct Watch<'a> {
    task: &'a Task<'a>,
    limits: Limits,
    knowledge: Knowledge,
    /// Sets that no rule may publish, each with a cell that follows from it and the rules taken.
    refused: HashMap<Box<[u32]>, Cell>,
    /// The groups of items that have no small cell with the rules about something private that were taken. Rules of
    /// public items alone only extend groups.
    searched: HashSet<Vec<u32>>,
    /// Whether the last search met a group about which it found nothing out.
    is_unknown: bool,
    /// The work of programs so far.
    work: usize,
    /// Which proofs of a smallest bin may be used.
    allowed: Proof,
    /// The proof by spans, while it covers all rules taken.
    by_spans: Option<SpanProof<'a>>,
    /// Whether too many items are connected for programs to look at every cell. With more rules that stays so.
    is_too_large: bool,
}

impl<'a> Watch<'a> {
    /// A watch, if there is a requirement on what supports reveal.
    pub(super) fn new(task: &'a Task<'a>, params: &CheckedRuleParams, allowed: Proof) -> Option<Self> {
        let asked = Limits::asked(&params.guarantee)?;
        let limits = if params.keep_channels { asked.without_joint()? } else { asked };
        let facts = (0..task.items.len() as u32).map(|item| task.facts(item));
        let knowledge = Knowledge::new(task.table.individuals(), facts.collect());
        let proof = || SpanProof::new(limits.every, task, task.table.rows()).with_work(MOST_WORK_BY_SPANS);
        let by_spans = (limits.every > 1).then(proof);
        Some(Self {
            task,
            limits,
            knowledge,
            refused: HashMap::new(),
            searched: HashSet::new(),
            is_unknown: false,
            work: 0,
            allowed,
            by_spans,
            is_too_large: false,
        })
    }

    /// Allows every proof from now on.
    pub(super) fn allow_any_proof(&mut self) {
        self.allowed = Proof::Any;
    }

    /// Whether what kept a rule out may not keep it out any more: a rule that alone publishes the cell was taken since.
    pub(super) fn has_come_to_hold(&self, opened: &Opened) -> bool {
        match opened {
            Opened::Channel(cell) => self.is_allowed(cell),
            Opened::TooLong | Opened::SeveralRows | Opened::Unproven(_) => false,
        }
    }

    /// Publishes a rule; what is wrong with that, in which case all is as before.
    pub(super) fn publish(&mut self, rule: &Candidate) -> Result<Option<Opened>> {
        let mut all = [&*rule.left, &*rule.right].concat();
        all.sort_unstable();
        let is_public = all.iter().all(|&item| self.task.items[item as usize].known);
        if all.len() > MOST_ITEMS {
            // Without private items, a rule is not left out for its length if nothing has to be proven, or the proof
            // covers it; the audit warns of it.
            let is_covered = self.limits.every <= 1 || self.by_spans.is_some();
            if !is_public {
                return Ok(Some(Opened::TooLong));
            }
            self.is_too_large |= is_covered;
            return Ok((!is_covered).then_some(Opened::Unproven(self.limits.every)));
        }
        if is_public && self.knowledge.has_published(&rule.left) && self.knowledge.has_published(&all) {
            return Ok(None);
        }
        let mark = self.knowledge.mark();
        if !is_public {
            self.knowledge.note_own(&rule.left, &all);
            self.searched.clear();
        }
        let opened = match self.refused(&all).or_else(|| self.refused(&rule.left)) {
            Some(cell) => Some(Opened::Channel(cell)),
            None => self.publish_sides(rule, &all)?,
        };
        if opened.is_some() {
            self.knowledge.undo(mark);
            // Cells that the rule would have published alone are no longer allowed.
            if !is_public {
                self.searched.clear();
            }
        }
        Ok(opened)
    }

    fn publish_sides(&mut self, rule: &Candidate, all: &[u32]) -> Result<Option<Opened>> {
        let mark = self.knowledge.mark();
        if let Some(opened) = self.publish_set(all)? {
            self.note(all, &opened);
            return Ok(Some(opened));
        }
        let Some(opened) = self.publish_set(&rule.left)? else { return Ok(self.search(&rule.left, all)) };
        // Whether the left side does it alone is worth knowing for other rules.
        self.knowledge.undo(mark);
        if let Some(alone) = self.publish_set(&rule.left)? {
            self.note(&rule.left, &alone);
        }
        Ok(Some(opened))
    }

    /// Searches for what follows from a rule whose sides were published. A smallest bin must be proven: a rule for which
    /// there is no hope of this is left out without a search.
    fn search(&mut self, left: &[u32], all: &[u32]) -> Option<Opened> {
        if self.limits.every <= 1 {
            return self.exact(all);
        }
        let unproven = Some(Opened::Unproven(self.limits.every));
        let fits = !self.is_too_large && self.work < MOST_WORK && self.knowledge.unsearched().is_empty();
        if self.by_spans.as_mut().is_some_and(|proof| proof.publish(&[left, all])) {
            // What is proven needs no search, unless more is required of cells that take several supports.
            let opened = if self.limits.joint > self.limits.every { self.exact(all) } else { None };
            if opened.is_some() {
                self.by_spans.iter_mut().for_each(SpanProof::undo);
            } else {
                self.is_too_large |= !fits;
            }
            return opened;
        }
        if !fits || self.allowed == Proof::BySpans {
            return unproven;
        }
        let opened = self.exact(all).or(if self.is_unknown { unproven } else { None });
        if opened.is_none() {
            self.by_spans = None;
        }
        opened
    }

    fn publish_set(&mut self, items: &[u32]) -> Result<Option<Opened>> {
        let task = self.task;
        let touched = self.knowledge.publish(items, &|set| support(task, set))?;
        if self.knowledge.contradicts() {
            return Ok(Some(Opened::SeveralRows));
        }
        let small = self.knowledge.small_cells(touched, &self.limits);
        Ok(small.into_iter().next().map(Opened::Channel))
    }

    /// Notes what a set opens together with the rules taken.
    fn note(&mut self, items: &[u32], opened: &Opened) {
        if let Opened::Channel(cell) = opened {
            self.refused.insert(items.into(), cell.clone());
        }
    }

    /// A cell that a set is known to open together with the rules taken.
    fn refused(&self, items: &[u32]) -> Option<Cell> {
        self.refused.get(items).filter(|cell| !self.is_allowed(cell)).cloned()
    }

    /// Searches the groups of items that a new set belongs to.
    fn exact(&mut self, items: &[u32]) -> Option<Opened> {
        self.is_unknown = false;
        for group in self.knowledge.groups_of(items) {
            if self.searched.contains(&group) {
                continue;
            }
            self.work += self.knowledge.baskets(&group).pow(2);
            let support = |set: &[u32]| support(self.task, set);
            match self.knowledge.exact_within(&group, &self.limits, &support, true, &[]) {
                Exact::Cells(cells) => {
                    if let Some(cell) = cells.into_iter().next() {
                        return Some(Opened::Channel(cell));
                    }
                }
                Exact::Contradiction => return Some(Opened::SeveralRows),
                Exact::Unknown => {
                    self.is_unknown = true;
                    continue;
                }
            }
            self.searched.insert(group);
        }
        None
    }

    fn is_allowed(&self, cell: &Cell) -> bool {
        self.knowledge.is_own(cell) && cell.high >= self.limits.every
    }
}

impl ItemRows for Task<'_> {
    fn having(&self, item: u32) -> &Bits {
        &self.items[item as usize].rows
    }

    fn individuals(&self, row: usize) -> u64 {
        u64::from(self.table.weight(row))
    }

    fn facts(&self, item: u32) -> ItemFacts {
        let item = &self.items[item as usize];
        ItemFacts {
            public: item.known,
            attribute: item.attribute as u32,
            // Who has which public item is known, whether all values are items or not: the audit sees it like this.
            values: if item.known { 0 } else { self.attributes[item.attribute].values() },
        }
    }
}

/// The number of individuals who have all of some items.
fn support(task: &Task<'_>, items: &[u32]) -> u64 {
    let mut rows = Bits::full(task.table.rows());
    items.iter().for_each(|&item| rows.keep(&task.items[item as usize].rows));
    task.people.count(&rows)
}
