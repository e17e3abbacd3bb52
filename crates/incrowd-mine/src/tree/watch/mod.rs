//! The check of a miner: would this split break the guarantee?
//!
//! A split changes only the spans that reach its node. A public one divides their individuals, so every non-empty part
//! is checked against the guarantee. A private one divides no span, but can make a bin small, turn a span of one bin
//! (which the exemption of VLDB Claim 3 allows to be small) into one of several, or distinguish values of the
//! attribute; so the spans themselves are checked against the guarantee where it can matter.
//!
//! A guarantee sees a span as a [`Crowd`]: see there. No formula is known here, and the check itself shares no code
//! with the audit.

mod careful;
mod cuts;
mod memo;
mod told;

pub(crate) use cuts::SafeCuts;
use cuts::SpanCounts;

use super::grower::Grower;
use super::histogram::Histogram;
use super::reach::Reach;
use super::spans::{Place, Span};
use super::split::Split;
use super::task::Task;
use incrowd_core::guarantee::{self, Crowd, Requirement, SingleBin};
use incrowd_core::table::People;
use memo::ToldOf;
use std::sync::Arc;
use told::Told;

/// What has to be looked at.
pub(crate) struct Watch<'t> {
    task: &'t Task<'t>,
    /// The class, where its values are looked at.
    class: Option<Told<'t>>,
    /// For each attribute whether its values are looked at where the tree distinguishes them.
    private: Vec<bool>,
    /// For each of these the counts of its codes, where individuals have one row.
    by_code: Vec<Option<Vec<u64>>>,
    /// Whether the population of bins matters.
    bins: bool,
    /// Whether it matters that a span has a single bin.
    single: bool,
    /// Whether nothing can be broken: k = 1 requires nothing.
    idle: bool,
    /// Counts of spans that several nodes share.
    memo: memo::Memo<'t>,
}

impl<'t> Watch<'t> {
    pub(crate) fn new(task: &'t Task<'t>) -> Self {
        let guarantee = task.guarantee;
        let looks = guarantee.looks_at_values();
        let class_asked = looks && task.class.possible > 1 && task.class_in_scope;
        let private: Vec<bool> = task.in_scope.iter().map(|&in_scope| looks && in_scope).collect();
        let counted =
            |(attribute, &looked_at): (_, &bool)| looked_at.then(|| Told::by_code(task, attribute)).flatten();
        Self {
            task,
            class: class_asked.then(|| Told::class(task)),
            by_code: task.attributes.iter().zip(&private).map(counted).collect(),
            private,
            bins: guarantee.asked_smallest_bin().is_some(),
            single: guarantee.single_bin() == SingleBin::Exempt,
            idle: guarantee.is_idle(),
            memo: memo::Memo::default(),
        }
    }

    /// Whether nothing but the population and the class of spans is looked at, row by row.
    fn is_plain(&self) -> bool {
        !self.bins && !self.private.contains(&true) && !self.task.has_subjects()
    }

    /// Whether a private split of the attribute can break anything.
    fn minds_private(&self, attribute: usize) -> bool {
        self.bins || self.single || self.private[attribute]
    }

    /// What a group of individuals with these counts would break as a span.
    fn broken(
        &self,
        population: u64,
        form: Form,
        told: &[(&Told<'_>, Vec<(u32, u64)>)],
    ) -> Option<&'t Requirement> {
        let histograms: Vec<guarantee::Histogram<'_>> = told
            .iter()
            .map(|(told, counts)| guarantee::Histogram {
                counts,
                total: counts.iter().map(|&(_, n)| n).sum(),
                individuals: population,
                whole: &told.whole,
            })
            .collect();
        let Form { single_bin, smallest_bin } = form;
        let crowd =
            Crowd { population, alike: population, single_bin, smallest_bin, histograms: &histograms };
        let asked = vec![true; histograms.len()];
        let requirements = self.task.guarantee.requirements();
        let broken = self.task.guarantee.broken_by(&crowd, &asked).next()?;
        requirements.iter().find(|requirement| *requirement == broken)
    }

    /// Whether a group of which the counts by class are known may be a span.
    fn holds_by_class(&self, by_class: &[u64], single_bin: bool) -> bool {
        let population = by_class.iter().sum();
        let pairs = || (0..).zip(by_class.iter().copied()).filter(|&(_, n)| n > 0).collect();
        let told: Vec<_> = self.class.iter().map(|class| (class, pairs())).collect();
        let form = Form { single_bin, smallest_bin: u64::MAX };
        population == 0 || self.broken(population, form, &told).is_none()
    }

    /// What a group of rows would break as a span, counted one by one; nothing if it is empty.
    fn broken_for(&self, rows: &[u32], form: Form, told: &[&Told<'_>]) -> Option<&'t Requirement> {
        if rows.is_empty() {
            return None;
        }
        let counted: Vec<_> = told.iter().map(|&told| (told, told.count(self.task, rows))).collect();
        self.broken(individuals(self.task, rows), form, &counted)
    }
}

/// The requirements on a span besides its individuals.
#[derive(Debug, Clone, Copy)]
struct Form {
    single_bin: bool,
    smallest_bin: u64,
}

/// The number of individuals of the rows.
pub(crate) fn individuals(task: &Task<'_>, rows: &[u32]) -> u64 {
    match task.table.people() {
        People::Subjects { of_row, .. } => {
            let mut subjects: Vec<u32> = rows.iter().map(|&row| of_row[row as usize]).collect();
            subjects.sort_unstable();
            subjects.dedup();
            subjects.len() as u64
        }
        People::Weights(weights) => rows.iter().map(|&row| u64::from(weights[row as usize])).sum(),
        _ => rows.len() as u64,
    }
}

/// The individuals of each bin, by branch and class, among the rows of a node.
pub(crate) fn bins(task: &Task<'_>, rows: &[u32], branch: impl Fn(u32) -> u32, branches: u32) -> Vec<u64> {
    let classes = task.class.count;
    let bin = |row: u32| branch(row) as usize * classes + task.class.column.code(row as usize) as usize;
    let mut sizes = vec![0; branches as usize * classes];
    match task.table.people() {
        People::Subjects { of_row, .. } => {
            let mut pairs: Vec<(usize, u32)> =
                rows.iter().map(|&row| (bin(row), of_row[row as usize])).collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs.iter().for_each(|&(bin, _)| sizes[bin] += 1);
        }
        _ => rows.iter().for_each(|&row| sizes[bin(row)] += u64::from(task.table.weight(row as usize))),
    }
    sizes
}

impl<'t> Grower<'t> {
    /// A requirement that a tree without tests breaks already.
    pub(crate) fn root_breach(&self) -> Option<&Requirement> {
        let sizes = self.watch.bins.then(|| bins(self.task, self.rows(0), |_| 0, 1));
        let broken = self.spans.of(0).find_map(|span| {
            let form = Form {
                single_bin: self.is_single(span, 1),
                smallest_bin: sizes.as_ref().map_or(u64::MAX, |sizes| smallest(sizes, span)),
            };
            let told: Vec<&Told<'_>> = self.watch.class.iter().collect();
            self.watch.broken_for(self.spans.rows(&self.by_leaf, span), form, &told)
        });
        broken.or_else(|| self.careful_root_breach())
    }

    /// The individuals of the smallest span at the root: no tree has a larger smallest one.
    pub(crate) fn smallest_root_span(&self) -> u64 {
        let people = |span| self.task.table.individuals_among(self.spans.rows(&self.by_leaf, span));
        self.spans.of(0).map(people).min().unwrap_or(0)
    }

    /// Whether a split would break the guarantee. `rows` are the counts of the split's attribute at the node.
    pub(crate) fn would_breach(&self, node: u32, split: &Split, rows: &Histogram) -> bool {
        self.breaks_a_span(node, split, rows) || self.careful_breach(node, split)
    }

    fn breaks_a_span(&self, node: u32, split: &Split, rows: &Histogram) -> bool {
        let attribute = &self.task.attributes[split.attribute];
        if self.watch.idle {
            return false;
        }
        if !attribute.known {
            return self.watch.minds_private(split.attribute) && self.private_breach(node, split);
        }
        match self.counted(node, split.attribute, rows) {
            Some(counted) => self.divides_badly(&counted, split),
            None => self.public_breach(node, split),
        }
    }

    /// The counts of an attribute among a span's individuals; the node's own where these are the same.
    fn span_histogram<'h>(
        &self,
        node: u32,
        span: &Span,
        attribute: usize,
        rows: &'h Histogram,
    ) -> SpanCounts<'h> {
        if matches!(&span.place, Place::ByLeaf(part) if *part == self.node(node).rows) {
            return SpanCounts::Own(rows);
        }
        let column = self.task.attributes[attribute].column;
        let count = || Histogram::of(self.task, column, self.spans.rows(&self.by_leaf, span));
        SpanCounts::Shared(self.watch.memo.counts(span.stamp, attribute, count))
    }

    /// The public case, row by row.
    fn public_breach(&self, node: u32, split: &Split) -> bool {
        let column = self.task.attributes[split.attribute].column;
        let branch = |row: u32| split.branch_of_code[column.code(row as usize) as usize];
        let child_bins = bins(self.task, self.rows(node), branch, split.branches);
        let classes = self.task.class.count;
        self.spans.of(node).any(|span| {
            let now = self.told_now(span);
            let told: Vec<&Told<'_>> =
                self.watch.class.iter().chain(now.iter().map(|(_, told)| told)).collect();
            let others = self.smallest_elsewhere(span, node);
            let mut parts = vec![Vec::new(); split.branches as usize];
            for &row in self.spans.rows(&self.by_leaf, span) {
                parts[branch(row) as usize].push(row);
            }
            parts.iter().zip(child_bins.chunks_exact(classes)).any(|(part, bins)| {
                let smallest_bin = others.min(smallest(bins, span));
                let form = Form { single_bin: self.is_single(span, 1), smallest_bin };
                self.watch.broken_for(part, form, &told).is_some()
            })
        })
    }

    /// The private case: the same individuals, other bins.
    fn private_breach(&self, node: u32, split: &Split) -> bool {
        let column = self.task.attributes[split.attribute].column;
        let branch = |row: u32| split.branch_of_code[column.code(row as usize) as usize];
        let child_bins = bins(self.task, self.rows(node), branch, split.branches);
        let classes = self.task.class.count;
        self.spans.of(node).any(|span| {
            let (now, behind) = (self.told_now(span), self.told_behind(span, node, split));
            let others = now.iter().filter(|(index, _)| *index != split.attribute).map(|(_, told)| told);
            let told: Vec<&Told<'_>> = self.watch.class.iter().chain(others).chain(&behind).collect();
            let of_children = child_bins.chunks_exact(classes).map(|bins| smallest(bins, span)).min();
            let smallest_bin = self.smallest_elsewhere(span, node).min(of_children.unwrap_or(u64::MAX));
            let form = Form { single_bin: self.is_single(span, split.branches as usize), smallest_bin };
            self.watch.broken_for(self.spans.rows(&self.by_leaf, span), form, &told).is_some()
        })
    }

    /// Whether a span has a single bin once one of its leaves has been replaced by so many.
    fn is_single(&self, span: &Span, instead: usize) -> bool {
        span.leaves.len() - 1 + instead == 1 && (span.class.is_some() || self.task.class.possible == 1)
    }

    /// The smallest bin with anyone in it among a span's other leaves.
    fn smallest_elsewhere(&self, span: &Span, node: u32) -> u64 {
        if !self.watch.bins {
            return u64::MAX;
        }
        let others = span.leaves.iter().filter(|&&leaf| leaf != node);
        let of_leaf = |&leaf: &u32| smallest(&bins(self.task, self.rows(leaf), |_| 0, 1), span);
        others.map(of_leaf).min().unwrap_or(u64::MAX)
    }

    /// What a span currently reveals about the private attributes in scope.
    fn told_now(&self, span: &Span) -> Arc<ToldOf<'t>> {
        let tell = || {
            let looked_at = (0..self.task.attributes.len()).filter(|&index| self.watch.private[index]);
            looked_at.filter_map(|index| Some((index, self.told_of(span, index, &[])?))).collect()
        };
        self.watch.memo.told(span.stamp, span.leaves.len(), tell)
    }

    /// What a span would reveal about an attribute if it also had leaves with these reaches.
    fn told_of(&self, span: &Span, index: usize, more: &[Reach]) -> Option<Told<'t>> {
        let attribute = &self.task.attributes[index];
        let reach =
            |leaf: &u32| self.node(*leaf).reach_of(index).cloned().unwrap_or_else(|| Reach::whole(attribute));
        let reaches: Vec<Reach> = span.leaves.iter().map(reach).chain(more.iter().cloned()).collect();
        Told::private(self.task, attribute, &reaches, self.watch.by_code[index].as_deref())
    }

    /// What a span would reveal about the attribute of a private split.
    fn told_behind(&self, span: &Span, node: u32, split: &Split) -> Option<Told<'t>> {
        if !self.watch.private[split.attribute] {
            return None;
        }
        let children: Vec<Reach> =
            (0..split.branches).map(|branch| self.reach_behind(node, split, branch)).collect();
        self.told_of(span, split.attribute, &children)
    }
}

/// The smallest non-empty bin of a leaf that someone of the span can be in.
fn smallest(bins: &[u64], span: &Span) -> u64 {
    let reached = (0..).zip(bins).filter(|&(class, _)| span.class.is_none_or(|own| own == class));
    reached.map(|(_, &n)| n).filter(|&n| n > 0).min().unwrap_or(u64::MAX)
}
