//! The search for the best step, and the update after it.

use super::super::draft::Draft;
use super::super::task::Task;
use super::super::watch::Watch;
use super::groups::{Finding, Groups};
use super::values::{Cuts, Step};
use incrowd_core::Result;
use incrowd_core::group::group_rows;
use incrowd_core::table::{Codes, Column, Values};

/// Cuts and the groups they leave, for every set of attributes.
pub(super) struct CutSearch<'t> {
    task: &'t Task<'t>,
    watch: &'t Watch<'t>,
    pub(super) cuts: Cuts<'t>,
    pub(super) sets: Vec<Groups>,
    /// The steps that could be made, in the order they came up.
    open: Vec<usize>,
}

impl<'t> CutSearch<'t> {
    pub(super) fn new(
        task: &'t Task<'t>,
        watch: &'t Watch<'t>,
        sets: Vec<Vec<usize>>,
        mut cuts: Cuts<'t>,
    ) -> Self {
        cuts.steps.iter_mut().for_each(|step| step.smallest = vec![u64::MAX; sets.len()]);
        let open = (0..cuts.steps.len()).collect();
        let mut search = Self { task, watch, cuts, sets: Vec::new(), open };
        for (set, attributes) in sets.into_iter().enumerate() {
            let (groups, findings) = Groups::new(task, watch, &search.cuts, attributes);
            search.sets.push(groups);
            search.note(set, findings);
        }
        search
    }

    /// The step with the highest positive score.
    pub(super) fn best(&mut self) -> Option<usize> {
        let Self { open, cuts, .. } = self;
        open.retain(|&step| !cuts.steps[step].is_out);
        let mut best: Option<(usize, f64)> = None;
        // Disclosing a value can gain something later, when others are disclosed.
        for &step in self.open.iter().filter(|&&step| self.cuts.steps[step].gain > 0.0) {
            let score = self.score(&self.cuts.steps[step]);
            let is_better = best.is_none_or(|(other, highest)| {
                score > highest || score >= highest && self.rank(step) < self.rank(other)
            });
            if is_better {
                best = Some((step, score));
            }
        }
        best.map(|(step, _)| step)
    }

    /// What decides between equal scores: the attribute, the lowest code of the value, then of what is disclosed.
    fn rank(&self, step: usize) -> (usize, Option<u32>, usize) {
        let value = &self.cuts.values[self.cuts.steps[step].value];
        (value.attribute, value.codes.first().copied(), step)
    }

    /// Information gain over what the smallest groups lose, and one.
    pub(super) fn score(&self, step: &Step) -> f64 {
        let attribute = self.cuts.values[step.value].attribute;
        let knowing =
            self.sets.iter().zip(&step.smallest).filter(|(set, _)| set.attributes.contains(&attribute));
        let (mut lost, mut sets) = (0, 0_u64);
        for (set, after) in knowing {
            lost += set.smallest - set.smallest.min(*after);
            sets += 1;
        }
        step.gain / (lost as f64 / sets.max(1) as f64 + 1.0)
    }

    /// Makes a step.
    pub(super) fn make(&mut self, step: usize) {
        let steps = self.cuts.steps.len();
        let refined = self.cuts.refine(step);
        let Self { cuts, sets, open, .. } = self;
        let made = &refined.value;
        open.retain(|&other| cuts.steps[other].value != *made);
        open.extend(steps..cuts.steps.len());
        for new in &mut cuts.steps[steps..] {
            new.smallest.resize(sets.len(), u64::MAX);
        }
        for set in 0..self.sets.len() {
            if self.sets[set].attributes.contains(&refined.attribute) {
                let findings = self.sets[set].divide(self.task, self.watch, &self.cuts, &refined);
                self.note(set, findings);
            }
        }
    }

    fn note(&mut self, set: usize, findings: Vec<Finding>) {
        for (step, smallest) in findings {
            let step = &mut self.cuts.steps[step];
            match smallest {
                Some(smallest) => step.smallest[set] = step.smallest[set].min(smallest),
                None => step.is_out = true,
            }
        }
    }

    /// Every individual by the values they show.
    pub(super) fn into_draft(self) -> Result<Draft> {
        let Self { task, cuts, .. } = self;
        let shown = task.attributes.iter().zip(&cuts.of_code).map(|(attribute, of_code)| {
            let size = cuts.values.len();
            let codes =
                Codes::collect(size, attribute.column.codes().iter().map(|code| of_code[code as usize]));
            let values = Values::Numeric((0..size as u32).map(f64::from).collect());
            Column::new(attribute.column.name(), values, codes)
        });
        let shown = shown.collect::<Result<Vec<_>>>()?;
        let grouping = group_rows(task.table.rows(), &shown.iter().collect::<Vec<_>>());
        let first_rows = grouping.first_rows();
        let shows = |group: u32| {
            let row = first_rows[group as usize] as usize;
            shown.iter().map(move |column| column.code(row))
        };
        // Groups are numbered by what they show, not by the rows that happen to come first.
        let mut order: Vec<u32> = (0..grouping.count).collect();
        order.sort_unstable_by(|&a, &b| shows(a).cmp(shows(b)));
        let mut draft = Draft::new(task.table.rows(), task.attributes.len());
        let mut number = vec![0; order.len()];
        for &group in &order {
            let cells = shows(group).map(|value| cuts.values[value as usize].cell.clone());
            number[group as usize] = draft.add_group(cells);
        }
        draft.group_of_row = grouping.of_row.iter().map(|&group| number[group as usize]).collect();
        Ok(draft)
    }
}
