//! The groups of equal rows as one attacker sees them, with links from every value to the groups that show it.

use super::super::task::Task;
use super::super::watch::Watch;
use super::values::{Cuts, NONE, Refined, Value, Way};
use crate::tree::partition::Partition;
use incrowd_core::table::{Code as _, People};
use incrowd_core::with_codes;
use rayon::prelude::*;
use std::ops::Range;

/// The groups of one set of attributes.
pub(super) struct Groups {
    pub(super) attributes: Vec<usize>,
    rows: Partition,
    /// The rows of each group; none once it is divided.
    parts: Vec<Option<Range<u32>>>,
    /// The groups that show each value, and some that are divided since.
    of_value: Vec<Vec<u32>>,
    /// The population of the smallest group.
    pub(super) smallest: u64,
}

/// What a step would leave of the groups it divides: the smallest population, or none if it breaks the guarantee.
pub(super) type Finding = (usize, Option<u64>);

/// A group to try steps on: all that could divide it, or those of one attribute.
type Trial = (u32, Option<usize>);

impl Groups {
    /// Every individual in one group; with what each step would do.
    pub(super) fn new(
        task: &Task<'_>,
        watch: &Watch<'_>,
        cuts: &Cuts<'_>,
        attributes: Vec<usize>,
    ) -> (Self, Vec<Finding>) {
        let rows = task.table.rows();
        let mut groups = Self {
            attributes,
            rows: Partition::new(rows),
            parts: Vec::new(),
            of_value: Vec::new(),
            smallest: u64::MAX,
        };
        let part = groups.add(task, cuts, 0..rows as u32);
        let findings = groups.findings(task, watch, cuts, &[(part, None)]);
        (groups, findings)
    }

    /// A new group.
    fn add(&mut self, task: &Task<'_>, cuts: &Cuts<'_>, range: Range<u32>) -> u32 {
        let part = self.parts.len() as u32;
        let rows = self.rows.rows(&range);
        self.smallest = self.smallest.min(task.table.individuals_among(rows));
        self.of_value.resize(cuts.values.len(), Vec::new());
        for &attribute in &self.attributes {
            self.of_value[value_of(task, cuts, attribute, rows[0])].push(part);
        }
        self.parts.push(Some(range));
        part
    }

    /// Divides the groups that show a value which the cuts have replaced; returns what each step would do to what is
    /// new.
    pub(super) fn divide(
        &mut self,
        task: &Task<'_>,
        watch: &Watch<'_>,
        cuts: &Cuts<'_>,
        refined: &Refined,
    ) -> Vec<Finding> {
        self.of_value.resize(cuts.values.len(), Vec::new());
        let Refined { attribute, value, way, first } = *refined;
        let column = task.attributes[attribute].column;
        // Codes elsewhere do not occur in these groups, and may get any branch.
        let branch = |&value: &u32| if value == NONE { 0 } else { value.saturating_sub(first as u32) };
        let branch_of_code: Vec<u32> = cuts.of_code[attribute].iter().map(branch).collect();
        let branches = (cuts.values.len() - first) as u32;
        let mut trials: Vec<Trial> = Vec::new();
        for part in std::mem::take(&mut self.of_value[value]) {
            let Some(range) = self.parts[part as usize].clone() else { continue };
            let mut ranges = self.rows.divide(&range, column.codes(), &branch_of_code, branches);
            ranges.retain(|range| !range.is_empty());
            if ranges.len() > 1 {
                self.parts[part as usize] = None;
                trials.extend(ranges.into_iter().map(|range| (self.add(task, cuts, range), None)));
                continue;
            }
            // No group was divided; only the steps below the new value are new.
            let now = value_of(task, cuts, attribute, self.rows.rows(&range)[0]);
            self.of_value[now].push(part);
            if !matches!(way, Way::Disclose(_)) {
                trials.push((part, Some(attribute)));
            }
        }
        self.findings(task, watch, cuts, &trials)
    }

    fn findings(
        &self,
        task: &Task<'_>,
        watch: &Watch<'_>,
        cuts: &Cuts<'_>,
        trials: &[Trial],
    ) -> Vec<Finding> {
        let of_trial = |&(part, only): &Trial| {
            let rows = self.parts[part as usize].as_ref().map_or(&[][..], |range| self.rows.rows(range));
            let asked = self.attributes.iter().filter(move |&&place| only.is_none_or(|only| only == place));
            let of_attribute = move |&place: &usize| {
                let value = &cuts.values[value_of(task, cuts, place, *rows.first()?)];
                Some(Bench { task, watch, cuts }.try_steps(value, rows))
            };
            asked.filter_map(of_attribute).flatten().collect::<Vec<Finding>>()
        };
        trials.par_iter().flat_map_iter(of_trial).collect()
    }
}

fn value_of(task: &Task<'_>, cuts: &Cuts<'_>, attribute: usize, row: u32) -> usize {
    cuts.of_code[attribute][task.attributes[attribute].code(row) as usize] as usize
}

/// Tries steps on rows.
struct Bench<'a> {
    task: &'a Task<'a>,
    watch: &'a Watch<'a>,
    cuts: &'a Cuts<'a>,
}

impl Bench<'_> {
    /// What the steps that refine a value would leave of rows that show it.
    fn try_steps(&self, value: &Value, rows: &[u32]) -> Vec<Finding> {
        let live = value.steps.iter().copied().filter(|&step| !self.cuts.steps[step].is_out);
        let way = |step: usize| self.cuts.steps[step].way;
        let place = value.attribute;
        if value.steps.iter().any(|&step| matches!(way(step), Way::Disclose(_))) {
            let by_code = self.by_child(place, rows, value.codes.len(), |code| {
                value.codes.binary_search(&code).unwrap_or_default()
            });
            let all = by_code.iter().map(Part::size).sum();
            let tried = |step: usize| {
                let Way::Disclose(code) = way(step) else { return None };
                let own = value.codes.binary_search(&code).ok()?;
                // Where no individual has the value, disclosing it divides no group.
                (by_code[own].size() > 0).then(|| (step, self.disclosed(&by_code, all, own)))
            };
            return live.filter_map(tried).collect();
        }
        let tried = |step: usize| {
            let attribute = &self.task.attributes[place];
            let way = way(step);
            let parts = self.by_child(place, rows, way.count(attribute), |code| way.child(code, attribute));
            (step, parts.iter().map(|part| self.left(part)).try_fold(u64::MAX, |a, b| Some(a.min(b?))))
        };
        live.map(tried).collect()
    }

    /// Rows by the child they would go to; as numbers alone where no more is required.
    fn by_child(
        &self,
        place: usize,
        rows: &[u32],
        children: usize,
        child: impl Fn(u32) -> usize,
    ) -> Vec<Part> {
        let attribute = &self.task.attributes[place];
        if self.counts_suffice() {
            let mut sizes = vec![0_u64; children];
            if rows.len() < attribute.column.code_count() {
                for &row in rows {
                    sizes[child(attribute.code(row))] += u64::from(self.task.table.weight(row as usize));
                }
            } else {
                // The child is found once for each code that occurs.
                let of_code = self.by_code(place, rows);
                let occurring = (0..).zip(of_code).filter(|&(_, size)| size > 0);
                occurring.for_each(|(code, size)| sizes[child(code)] += size);
            }
            return sizes.into_iter().map(Part::Size).collect();
        }
        let mut parts = vec![Vec::new(); children];
        rows.iter().for_each(|&row| parts[child(attribute.code(row))].push(row));
        parts.into_iter().map(Part::Rows).collect()
    }

    /// How many of the rows, with their weights, have each code of an attribute.
    fn by_code(&self, place: usize, rows: &[u32]) -> Vec<u64> {
        let (column, table) = (self.task.attributes[place].column, self.task.table);
        let mut sizes = vec![0_u64; column.code_count()];
        with_codes!(column.codes(), codes => {
            for &row in rows {
                sizes[codes[row as usize].wide() as usize] += u64::from(table.weight(row as usize));
            }
        });
        sizes
    }

    /// What disclosing a value would leave of `all` rows.
    fn disclosed(&self, by_code: &[Part], all: u64, own: usize) -> Option<u64> {
        let rest = match &by_code[own] {
            Part::Size(size) => Part::Size(all - size),
            Part::Rows(_) => {
                let others = by_code.iter().enumerate().filter(|&(code, _)| code != own);
                Part::Rows(others.flat_map(|(_, part)| part.rows()).copied().collect())
            }
        };
        Some(self.left(&by_code[own])?.min(self.left(&rest)?))
    }

    /// The population of a part, if it may be a group; an empty one is none.
    fn left(&self, part: &Part) -> Option<u64> {
        match part {
            part if part.size() == 0 => Some(u64::MAX),
            Part::Size(size) => (Some(*size) >= self.watch.only_k()).then_some(*size),
            Part::Rows(rows) => self.watch.holds(rows).then(|| self.task.table.individuals_among(rows)),
        }
    }

    /// Whether the only requirement on a group is its number of rows.
    fn counts_suffice(&self) -> bool {
        self.watch.only_k().is_some() && !matches!(self.task.table.people(), People::Subjects { .. })
    }
}

/// Some of a group's rows.
enum Part {
    Size(u64),
    Rows(Vec<u32>),
}

impl Part {
    fn size(&self) -> u64 {
        match self {
            Self::Size(size) => *size,
            Self::Rows(rows) => rows.len() as u64,
        }
    }

    fn rows(&self) -> &[u32] {
        match self {
            Self::Size(_) => &[],
            Self::Rows(rows) => rows,
        }
    }
}
