//! The largest useful subset of rules that keeps the guarantee, found greedily: from the most useful rule on, each is taken if all taken so far keep it.
//!
//! Greedy, since rules break the guarantee together, two or more at a time, so that the largest subset would have to be searched for.
//! Requirements on private values can come to hold again when more is told (a value can be one of several only where the others are
//! told too), so with them what was left out is tried again until nothing more can be taken. In the end no rule that is left out could be added.

use super::candidates::Candidate;
use super::spans::{Broken, Question, Spans};
use super::task::Task;
use incrowd_core::Result;
use incrowd_core::guarantee::{Guarantee, Requirement};
use incrowd_core::progress::Progress;
use incrowd_core::span::channels::{Cell, Knowledge};

/// Why a rule is left out.
pub(super) enum Why {
    /// Too few people could be told apart, or too much of them.
    Span(Broken),
    /// Anybody could work out a small cell.
    Channel(Cell),
}

/// Which candidates are taken, and why the others are not.
pub(super) struct Selection {
    pub(super) taken: Vec<usize>,
    pub(super) left_out: Vec<(usize, Why)>,
}

pub(super) fn select(
    task: &Task<'_>,
    guarantee: &Guarantee,
    candidates: &[Candidate],
    progress: &dyn Progress,
) -> Result<Selection> {
    let mut spans = Spans::new(task, guarantee);
    let mut watch = Watch::new(task, guarantee);
    let mut selection = Selection { taken: Vec::new(), left_out: Vec::new() };
    let may_come_to_hold = guarantee.requirements().iter().any(Requirement::looks_at_values);
    let mut open: Vec<usize> = (0..candidates.len()).collect();
    loop {
        let before = selection.taken.len();
        selection.left_out.clear();
        progress.begin("choosing", Some(open.len() as u64));
        for &place in &open {
            match take(task, &mut spans, watch.as_mut(), &candidates[place])? {
                None => selection.taken.push(place),
                Some(why) => selection.left_out.push((place, why)),
            }
            progress.advance(1);
        }
        progress.end();
        if !may_come_to_hold || selection.taken.len() == before {
            selection.taken.sort_unstable();
            return Ok(selection);
        }
        open = selection.left_out.iter().map(|(place, _)| *place).collect();
    }
}

/// Takes a rule if everything asked for still holds with it; says why not otherwise.
fn take(
    task: &Task<'_>,
    spans: &mut Spans<'_>,
    watch: Option<&mut Watch<'_>>,
    rule: &Candidate,
) -> Result<Option<Why>> {
    let question = Question::new(task, &rule.left, &rule.right);
    let Some(watch) = watch.filter(|_| question.tells()) else {
        return Ok(spans.take(&question).err().map(Why::Span));
    };
    let mark = watch.knowledge.mark();
    let why = match watch.publish(rule)? {
        Some(cell) => Some(Why::Channel(cell)),
        None => spans.take(&question).err().map(Why::Span),
    };
    if why.is_some() {
        watch.knowledge.undo(mark);
    }
    Ok(why)
}

/// Watches over what the supports of the rules taken give away.
struct Watch<'a> {
    task: &'a Task<'a>,
    least: u64,
    knowledge: Knowledge,
}

impl<'a> Watch<'a> {
    /// A watch, if the guarantee asks for one.
    fn new(task: &'a Task<'a>, guarantee: &Guarantee) -> Option<Self> {
        let least = guarantee.requirements().iter().find_map(|requirement| match requirement {
            Requirement::SmallestBin(least) => Some(least.n()),
            _ => None,
        })?;
        let public = task.items.iter().map(|item| item.known).collect();
        Some(Self { task, least, knowledge: Knowledge::new(task.table.individuals(), public) })
    }

    /// Publishes a rule; the smallest cell below the least allowed that can be worked out now.
    fn publish(&mut self, rule: &Candidate) -> Result<Option<Cell>> {
        let mut all = [&*rule.left, &*rule.right].concat();
        all.sort_unstable();
        let task = self.task;
        let support = |items: &[u32]| {
            let mut rows = incrowd_core::bits::Bits::full(task.table.rows());
            items.iter().for_each(|&item| rows.keep(&task.items[item as usize].rows));
            task.people.count(&rows)
        };
        let mut touched = self.knowledge.publish(&rule.left, &support)?;
        touched.extend(self.knowledge.publish(&all, &support)?);
        let cells = touched.into_iter().flat_map(|set| self.knowledge.cells_of(set));
        Ok(cells.filter(|cell| cell.high < self.least).min_by(|a, b| (a.high, a).cmp(&(b.high, b))))
    }
}
