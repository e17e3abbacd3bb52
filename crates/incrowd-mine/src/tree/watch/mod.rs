//! The check of a miner: would this split break the guarantee?
//!
//! A split changes only the spans that reach its node. A public one divides their individuals, so every non-empty part
//! is checked against the guarantee. A private one divides no span, but can make a bin small, turn a span of one bin
//! (which the exemption of VLDB Claim 3 allows to be small) into one of several, or distinguish values of the
//! attribute; so the spans themselves are checked against the guarantee where it can matter.
//!
//! Nothing is broken before the split, so only what changes is checked: the bins of the new leaves, and of a private
//! split what it reveals about its own attribute.
//!
//! A guarantee sees a span as a [`Crowd`]: see there. No formula is known here, and the check itself shares no code
//! with the audit.
//!
//! **Running time.** Where individuals have one row, a public attribute is counted once for each span and each private
//! attribute that the span distinguishes (`cuts`), and every split of it is decided by these counts. Where they have
//! several, counts do not add up: the number of rows settles most questions, and the others take one pass over the
//! span's rows (`several`). What does not depend on the split is looked up once for all splits by an attribute
//! (`check`), and what does is counted in memory that is used again.

mod careful;
mod check;
mod cuts;
mod memo;
mod people;
mod private;
mod several;
mod told;

pub(crate) use cuts::SafeCuts;
pub(crate) use people::{bins, individuals, with_individuals_together};

use super::grower::Grower;
use super::known::Known;
use super::reach::Reach;
use super::spans::Span;
use super::task::{Attribute, Task};
use incrowd_core::guarantee::{self, Crowd, Requirement, SingleBin, ValueCounts};
use memo::ToldOf;
use people::Held;
use std::sync::Arc;
use told::DistinguishedAttribute;

/// What has to be looked at.
pub(crate) struct Watch<'t> {
    task: &'t Task<'t>,
    /// The class, where its values are looked at.
    class: Option<DistinguishedAttribute<'t>>,
    /// For each attribute whether its values are looked at where the tree distinguishes them.
    private: Vec<bool>,
    /// The codes of each of these among all rows, where they matter.
    whole: Vec<Option<Held>>,
    /// The fewest individuals of a bin, where it matters.
    smallest_bin: Option<u64>,
    /// Whether it matters that a span has a single bin.
    single: bool,
    /// Whether nothing can be broken: k = 1 requires nothing.
    idle: bool,
    /// The most rows of any individual.
    most_rows: u64,
    /// The rows of each individual, where it is required that individuals have the same spans in all of them.
    rows_of: Option<careful::RowsOf<'t>>,
    /// Counts of spans that several nodes share.
    memo: memo::Memo<'t>,
}

impl<'t> Watch<'t> {
    pub(crate) fn new(task: &'t Task<'t>) -> Self {
        let guarantee = task.guarantee;
        let looks = guarantee.looks_at_values();
        let class_asked = looks && task.class.possible > 1 && task.class_in_scope;
        let private: Vec<bool> = task.in_scope.iter().map(|&in_scope| looks && in_scope).collect();
        let whole = |(attribute, &looked_at): (&Attribute<'_>, &bool)| {
            looked_at
                .then(|| DistinguishedAttribute::whole(task, attribute.table, attribute.column))
                .flatten()
        };
        Self {
            task,
            class: class_asked.then(|| DistinguishedAttribute::class(task)),
            whole: task.attributes.iter().zip(&private).map(whole).collect(),
            private,
            smallest_bin: guarantee.asked_smallest_bin(),
            single: guarantee.single_bin() == SingleBin::Exempt,
            idle: guarantee.is_idle(),
            most_rows: several::most_rows(task.table.people()),
            rows_of: careful::RowsOf::new(task),
            memo: memo::Memo::default(),
        }
    }

    /// Whether the class of individuals matters, and not only how many they are.
    pub(crate) fn minds_class(&self) -> bool {
        self.class.is_some() || self.smallest_bin.is_some()
    }

    /// Whether a private split of the attribute can break anything.
    fn minds_private(&self, attribute: usize) -> bool {
        self.smallest_bin.is_some() || self.single || self.private[attribute]
    }

    /// Whether one of these bins has too few individuals.
    fn has_small(&self, bins: &[u64]) -> bool {
        self.smallest_bin.is_some_and(|least| bins.iter().any(|&n| 0 < n && n < least))
    }

    /// What a group of individuals with these counts, one for each distinguished value of an attribute, would break as
    /// a span. This is asked of every split, so it allocates nothing.
    fn broken<'v>(
        &self,
        population: u64,
        single_bin: bool,
        told: impl IntoIterator<Item = (&'v DistinguishedAttribute<'t>, &'v [u64])>,
    ) -> Option<&'t Requirement>
    where
        't: 'v,
    {
        // Small bins are looked for where bins are made.
        let smallest_bin = u64::MAX;
        let crowd = Crowd { population, alike: population, single_bin, smallest_bin, histograms: &[] };
        let broken_with = |(told, counts): (&DistinguishedAttribute<'_>, &[u64])| {
            let values = guarantee::Histogram::new(ValueCounts::ByValue(counts), population, &told.whole);
            self.task.guarantee.broken_by(&Crowd { histograms: &[values], ..crowd }).next()
        };
        let mut told = told.into_iter();
        match told.next() {
            None => self.task.guarantee.broken_by(&crowd).next(),
            Some(first) => broken_with(first).or_else(|| told.find_map(broken_with)),
        }
    }

    /// What a group of rows would break as a span, counted one by one; nothing if it is empty.
    fn broken_for(
        &self,
        rows: &[u32],
        single_bin: bool,
        told: Option<&DistinguishedAttribute<'t>>,
    ) -> Option<&'t Requirement> {
        if rows.is_empty() {
            return None;
        }
        let counted = told.map(|told| (told, told.count(self.task, rows)));
        let told = counted.as_ref().map(|(told, counts)| (*told, counts.as_slice()));
        self.broken(individuals(self.task, rows), single_bin, told)
    }
}

impl<'t> Grower<'t> {
    /// A requirement that a tree without tests breaks already.
    pub(crate) fn root_breach(&self) -> Option<&Requirement> {
        if let Some(known) = self.task.known {
            return self.counted_root_breach(known);
        }
        let broken = self.spans.of(0).find_map(|span| {
            let rows = self.spans.rows(&self.by_leaf, span);
            self.watch.broken_for(rows, self.is_single(span, 1), self.watch.class.as_ref())
        });
        let has_small_bin = || self.watch.has_small(&bins(self.task, self.rows(0), |_| 0, 1));
        let small_bin = || self.task.guarantee.requirement_of_smallest_bin().filter(|_| has_small_bin());
        broken.or_else(small_bin).or_else(|| self.careful_root_breach())
    }

    /// The same where only counts are known.
    fn counted_root_breach(&self, known: &Known) -> Option<&Requirement> {
        let broken = self.spans.of(0).find_map(|span| {
            let mut counts = known.by_class(span.place.part());
            let population = counts.iter().sum();
            let class = self.watch.class.as_ref().map(|class| {
                counts.resize(class.values(), 0);
                (class, counts.as_slice())
            });
            self.watch.broken(population, self.is_single(span, 1), class)
        });
        let has_small_bin = || self.watch.has_small(&self.node(0).counts);
        broken.or_else(|| self.task.guarantee.requirement_of_smallest_bin().filter(|_| has_small_bin()))
    }

    /// The individuals of the smallest span at the root: no tree has a larger smallest one.
    pub(crate) fn smallest_root_span(&self) -> u64 {
        let people = |span: &Span| match self.task.known {
            Some(known) => known.size(span.place.part()),
            None => self.task.table.individuals_among(self.spans.rows(&self.by_leaf, span)),
        };
        self.spans.of(0).map(people).min().unwrap_or(0)
    }

    /// The spans of a node, those that a split breaks most easily first: they take the least time as well.
    pub(crate) fn smallest_first(&self, node: u32) -> Vec<&Span> {
        let mut spans: Vec<&Span> = self.spans.of(node).collect();
        spans.sort_by_key(|span| span.people());
        spans
    }

    /// The individuals of a span.
    fn population(&self, span: &Span) -> u64 {
        if let Some(known) = self.task.known {
            return known.size(span.place.part());
        }
        let count = || individuals(self.task, self.spans.rows(&self.by_leaf, span));
        self.watch.memo.individuals(span.stamp, count)
    }

    /// Whether a span has a single bin once one of its leaves has been replaced by this many.
    fn is_single(&self, span: &Span, instead: usize) -> bool {
        span.leaves.len() - 1 + instead == 1 && (span.class.is_some() || self.task.class.possible == 1)
    }

    /// What a span currently reveals about the private attributes in scope.
    fn told_now(&self, span: &Span) -> Arc<ToldOf<'t>> {
        let tell = || {
            let looked_at = (0..self.task.attributes.len()).filter(|&index| self.watch.private[index]);
            let told = |index: usize| {
                let tested = span.tested.of(index);
                let tell = || self.told_of(index, tested, &[]);
                (*self.watch.memo.told_by(index, tested, tell)).clone()
            };
            looked_at.filter_map(|index| Some((index, told(index)?))).collect()
        };
        self.watch.memo.told(span.tested.number, tell)
    }

    /// What leaves below these nodes reveal about an attribute, together with others that have these reaches.
    fn told_of(&self, index: usize, tested: &[u32], more: &[Reach]) -> Option<DistinguishedAttribute<'t>> {
        let left = tested.iter().filter_map(|&node| self.node(node).left.as_ref());
        let reaches: Vec<&Reach> = left.chain(more).collect();
        let whole = self.watch.whole[index].as_ref();
        DistinguishedAttribute::private(&self.task.attributes[index], &reaches, whole)
    }
}
