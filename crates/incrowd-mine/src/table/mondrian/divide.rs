//! The recursion as a loop: a frontier of parts, each divided independently.

use super::super::cell::Cell;
use super::super::params::Criterion;
use super::super::scale::Scale;
use super::super::task::{Attribute, Task};
use super::super::watch::Watch;
use super::SHORTLIST;
use super::aside::EXPECTED;
use super::counts::{Class, Counts};
use super::score::{Division, Judge, Shortlist, Way, compare};
use super::{line, taxonomy};
use incrowd_core::Result;
use incrowd_core::progress::Progress;
use incrowd_core::table::{Code, People};
use incrowd_core::taxonomy::TaxonomyNode;
use incrowd_core::with_codes;
use rayon::prelude::*;

/// Parts with more rows count their attributes in parallel.
const MANY: usize = 1 << 16;

pub(super) struct Mondrian<'t> {
    task: &'t Task<'t>,
    pub(super) watch: &'t Watch<'t>,
    criterion: Criterion,
    scales: Vec<Scale<'t>>,
    class: Class<'t>,
    /// No group can be lighter.
    least: u64,
    /// Whether that is the only requirement.
    counts_suffice: bool,
}

/// What became of a part.
enum Divided<'r> {
    Whole(&'r mut [u32]),
    Parts(Vec<&'r mut [u32]>),
    /// The rest, and what was set aside.
    Aside(&'r mut [u32], &'r mut [u32]),
}

impl<'t> Mondrian<'t> {
    /// # Errors
    /// When the criterion needs a class and there is none.
    pub(super) fn new(task: &'t Task<'t>, watch: &'t Watch<'t>, criterion: Criterion) -> Result<Self> {
        let class = match criterion {
            Criterion::Gain => Some(task.learned_class()?).map(|class| (class.codes(), class.code_count())),
            Criterion::Width | Criterion::Loss => None,
        };
        let counts_suffice =
            watch.only_k().is_some() && !matches!(task.table.people(), People::Subjects { .. });
        let scales = task.attributes.iter().map(Scale::new).collect();
        // Individuals are never more than the weight of their rows.
        let least = task.guarantee.asked_k().unwrap_or(1);
        Ok(Self { task, watch, criterion, scales, class, least, counts_suffice })
    }

    /// Every individual in parts, no individual set aside.
    pub(super) fn strict(&self, progress: &dyn Progress) -> Vec<Vec<u32>> {
        self.run(self.everyone(), false, progress).0
    }

    pub(super) fn everyone(&self) -> Vec<u32> {
        (0..self.task.table.rows() as u32).collect()
    }

    /// Divides rows; returns the parts, and the rows that were set aside. Parts stay larger if cancelled.
    pub(super) fn run(
        &self,
        mut rows: Vec<u32>,
        may_set_aside: bool,
        progress: &dyn Progress,
    ) -> (Vec<Vec<u32>>, Vec<u32>) {
        let (mut whole, mut aside) = (Vec::new(), Vec::new());
        let mut frontier: Vec<&mut [u32]> = vec![&mut rows];
        while !frontier.is_empty() && !progress.is_cancelled() {
            let divided: Vec<Divided<'_>> =
                frontier.into_par_iter().map(|rows| self.divide(rows, may_set_aside, progress)).collect();
            frontier = Vec::new();
            for part in divided {
                match part {
                    Divided::Whole(rows) => whole.push(rows.to_vec()),
                    Divided::Parts(parts) => frontier.extend(parts),
                    Divided::Aside(rest, few) => {
                        frontier.push(rest);
                        aside.extend_from_slice(few);
                    }
                }
            }
            progress.advance(1);
        }
        whole.extend(frontier.into_iter().map(|rows| rows.to_vec()));
        (whole, aside)
    }

    fn divide<'r>(&self, rows: &'r mut [u32], may_set_aside: bool, progress: &dyn Progress) -> Divided<'r> {
        if progress.is_cancelled() {
            return Divided::Whole(rows);
        }
        let Some(division) = self.choose(rows, may_set_aside) else { return Divided::Whole(rows) };
        let attribute = &self.task.attributes[division.attribute];
        let branches = division.way.of_codes(attribute, rows.len());
        let ends = with_codes!(attribute.column.codes(), codes => {
            sort_by_branch(rows, |row| branches(codes[row as usize].wide()))
        });
        let mut parts = Vec::with_capacity(ends.len());
        let mut rest = rows;
        for size in ends {
            let (part, after) = rest.split_at_mut(size);
            parts.push(part);
            rest = after;
        }
        match (division.sets_aside, parts.pop(), parts.pop()) {
            (true, Some(few), Some(most)) => Divided::Aside(most, few),
            (_, last, before) => {
                parts.extend(before);
                parts.extend(last);
                parts.retain(|part| !part.is_empty());
                Divided::Parts(parts)
            }
        }
    }

    /// The best division that keeps the guarantee.
    pub(super) fn choose(&self, rows: &[u32], may_set_aside: bool) -> Option<Division> {
        let all = self.weight(rows);
        if all <= self.least || !may_set_aside && all < 2 * self.least {
            return None;
        }
        let mut divisions = self.divisions(rows, all, may_set_aside);
        // A stable sort: of equally good divisions the first stays first.
        divisions.sort_by(|a, b| compare(&b.score, &a.score));
        divisions.into_iter().find(|division| self.counts_suffice || self.is_safe(rows, division))
    }

    /// The best divisions by each attribute.
    fn divisions(&self, rows: &[u32], all: u64, may_set_aside: bool) -> Vec<Division> {
        let counts = self.counts(rows);
        let losses: Vec<f64> =
            self.scales.iter().zip(&counts).map(|(scale, counts)| scale.loss(&counts.codes)).collect();
        let few = match (may_set_aside, self.counts_suffice) {
            (false, _) => 0,
            (true, true) => self.least,
            (true, false) => self.least.max(all / 4),
        };
        let price = EXPECTED * losses.len() as f64 - losses.iter().sum::<f64>();
        let classes = self.class.map_or(0, |(_, classes)| classes);
        let of_attribute = |(place, (scale, counts)): (usize, (&Scale<'_>, &Counts))| {
            let mut shortlist = Shortlist::new(if self.counts_suffice { 1 } else { SHORTLIST });
            let whole = (all, losses[place]);
            let judge = Judge { criterion: self.criterion, whole, classes, least: self.least, few, price };
            match scale.taxonomy() {
                Some(tree) => taxonomy::propose(place, scale, tree, counts, &judge, &mut shortlist),
                None => line::propose(place, scale, counts, &judge, &mut shortlist),
            }
            shortlist.best
        };
        self.scales.iter().zip(&counts).enumerate().flat_map(of_attribute).collect()
    }

    /// Whether all parts of a division keep the guarantee.
    fn is_safe(&self, rows: &[u32], division: &Division) -> bool {
        let attribute = &self.task.attributes[division.attribute];
        let mut parts = vec![Vec::new(); division.way.count()];
        rows.iter().for_each(|&row| parts[division.way.branch(attribute.code(row), attribute)].push(row));
        parts.truncate(if division.sets_aside { 1 } else { parts.len() });
        parts.iter().all(|part| self.watch.holds(part))
    }

    /// The codes of each attribute among some rows.
    fn counts(&self, rows: &[u32]) -> Vec<Counts> {
        let of = |attribute: &Attribute<'_>| {
            let size = attribute.column.values().len() + 1;
            Counts::of(self.task.table, attribute.column.codes(), size, self.class, rows)
        };
        if rows.len() > MANY {
            return self.task.attributes.par_iter().map(of).collect();
        }
        self.task.attributes.iter().map(of).collect()
    }

    #[cfg(test)]
    pub(super) fn scale(&self, place: usize) -> &Scale<'t> {
        &self.scales[place]
    }

    /// The number of source rows that these rows represent.
    pub(super) fn weight(&self, rows: &[u32]) -> u64 {
        match self.task.table.people() {
            People::Weights(weights) => rows.iter().map(|&row| u64::from(weights[row as usize])).sum(),
            _ => rows.len() as u64,
        }
    }

    /// The codes that occur among rows, ascending, for each attribute.
    pub(super) fn codes(&self, rows: &[u32]) -> Vec<Vec<u32>> {
        let of = |attribute: &Attribute<'_>| {
            let mut codes: Vec<u32> = rows.iter().map(|&row| attribute.code(row)).collect();
            codes.sort_unstable();
            codes.dedup();
            codes
        };
        self.task.attributes.iter().map(of).collect()
    }

    /// What a group of these rows would show.
    pub(super) fn cells(&self, rows: &[u32]) -> Vec<Cell> {
        self.scales.iter().zip(self.codes(rows)).map(|(scale, codes)| scale.cell(&codes)).collect()
    }

    /// What a row would lose in a group with these codes.
    pub(super) fn loss_of_codes(&self, codes: &[Vec<u32>]) -> f64 {
        self.scales.iter().zip(codes).map(|(scale, codes)| scale.loss(codes)).sum()
    }

    /// What a row loses in a group of these rows.
    pub(super) fn loss(&self, rows: &[u32]) -> f64 {
        self.loss_of_codes(&self.codes(rows))
    }
}

impl Way {
    /// The maximum number of parts.
    fn count(&self) -> usize {
        match self {
            Self::Children(_, parts) => parts.iter().max().map_or(1, |&last| last as usize + 1),
            _ => 2,
        }
    }

    /// The part of each code; computed once per code where rows are many.
    fn of_codes<'a>(&'a self, attribute: &'a Attribute<'a>, rows: usize) -> Box<dyn Fn(u32) -> usize + 'a> {
        let codes = attribute.column.code_count() as u32;
        if rows < codes as usize {
            return Box::new(|code| self.branch(code, attribute));
        }
        let known: Vec<usize> = (0..codes).map(|code| self.branch(code, attribute)).collect();
        Box::new(move |code| known[code as usize])
    }

    /// The part of a code.
    fn branch(&self, code: u32, attribute: &Attribute<'_>) -> usize {
        match (self, &attribute.taxonomy) {
            (Self::From(first), _) => usize::from(code >= *first),
            (Self::Among(codes), _) => usize::from(codes.binary_search(&code).is_err()),
            (Self::Group(node), Some(taxonomy)) => {
                usize::from(!taxonomy.contains(*node, taxonomy.leaf(code)))
            }
            (Self::Children(node, parts), Some(taxonomy)) => {
                let child = taxonomy.ancestor_at_depth(code, taxonomy.depth(*node) + 1);
                // Siblings are neighbours.
                let first = taxonomy.children(*node).next().map_or(0, TaxonomyNode::index);
                let part = child.index().checked_sub(first).and_then(|place| parts.get(place));
                // Codes under other groups do not occur in the part that is divided.
                part.map_or(0, |&part| part as usize)
            }
            (Self::Group(_) | Self::Children(..), None) => 0,
        }
    }
}

/// Sorts rows by branch, stably; returns the size of each branch.
fn sort_by_branch(rows: &mut [u32], branch: impl Fn(u32) -> usize) -> Vec<usize> {
    let branches: Vec<u32> = rows.iter().map(|&row| branch(row) as u32).collect();
    let mut sizes = vec![0; branches.iter().max().map_or(0, |&last| last as usize + 1)];
    branches.iter().for_each(|&branch| sizes[branch as usize] += 1);
    let mut next: Vec<usize> = sizes
        .iter()
        .scan(0, |end, &size| {
            *end += size;
            Some(*end - size)
        })
        .collect();
    let source = rows.to_vec();
    for (row, branch) in source.into_iter().zip(branches) {
        let next = &mut next[branch as usize];
        rows[*next] = row;
        *next += 1;
    }
    sizes
}
