//! How fine the cells are, how trees are grown ([`super::settings`]) and how many rounds are made, by cross-validation on
//! the training rows.
//!
//! Cells are grown again in each fold, from its training rows, under a k that is smaller by the share of the rows that
//! are held out. Individuals are dealt to folds from rows sorted by class and features, so that neither the order of rows
//! nor a seed matters, nor whether equal rows are merged; all rows of an individual are in one fold. The choice is made
//! on a sample if there are many rows ([`sampled`]).

use super::Task;
use super::cells::{CellTask, Cells, Grain};
use super::fit::{Boosting, lowest};
use super::params::{CheckedBoostParams, Setting, USUAL_RATE};
use super::rows::{Deal, Rows};
use super::settings::{Trial, mean};
use crate::sample::{Part, sample, weight_of};
use incrowd_core::Result;
use incrowd_core::guarantee::Guarantee;
use incrowd_core::progress::{Progress, Silent};
use incrowd_core::table::{Column, People, Table};
use rayon::prelude::*;

/// The number of folds.
pub(crate) const FOLDS: u32 = 3;

/// The most leaves of trees of cells that are not pruned.
const LEAVES: u32 = 48;

/// The rounds by which grains are compared, with the usual learning rate; more if it is lower, as trees then correct
/// less. Only the best one goes on.
const FIRST: u32 = 40;

/// The most rows of a sample that the choice is made on, about.
const SAMPLE: u64 = 40_000;

/// A sample of a table with many rows, and its share of them.
pub(crate) fn sampled(table: &Table) -> Option<(Table, f64)> {
    let total = weight_of(table);
    let share = SAMPLE as f64 / total as f64;
    (total > SAMPLE + SAMPLE / 2).then(|| (sample(table, share).0, share))
}

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    pub(crate) grain: Grain,
    pub(crate) course: Course,
}

/// How trees are grown, and how many rounds of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Course {
    pub(crate) setting: Setting,
    pub(crate) rounds: u32,
}

/// The grains that are tried. Where public attributes may be divided by their effects, pruned trees were never better
/// on the training rows of Adult, Bank, Credit Default, German Credit and Waveform, and take longest.
fn grains(task: &Task<'_>) -> [Grain; 3] {
    let first = if task.may_divide() { Grain::Effects } else { Grain::Pruned };
    [first, Grain::Leaves(LEAVES), Grain::One]
}

/// How trees are grown with cells that are the same in all folds. Everything depends on the rows as merged alone.
pub(crate) fn course(task: &Task<'_>, cells: &Cells, progress: &dyn Progress) -> Result<Course> {
    let setting = task.params.setting();
    let features = task.features(cells);
    let rows = Rows::new(&task.source, &features, None).merged();
    let learn = |fold: u32| -> Result<Option<Boosting>> {
        progress.check()?;
        let (learned, held) = rows.dealt(u64::from(FOLDS), u64::from(fold));
        if learned.len() == 0 || held.len() == 0 {
            return Ok(None);
        }
        let mut boosting = Boosting::new(learned, Some(held), task.params.plan(setting));
        boosting.advance(task.params.rounds);
        Ok(Some(boosting))
    };
    let folds: Vec<Option<Boosting>> = (0..FOLDS).into_par_iter().map(learn).collect::<Result<_>>()?;
    let trial = Trial { setting, folds }.settled(task.params, progress)?;
    Ok(Course { setting: trial.setting, rounds: trial.rounds().0 as u32 })
}

/// Tries every grain in every fold for some rounds, and the best one for as many as it takes; then other settings with
/// that grain.
pub(crate) fn choose(task: &Task<'_>, progress: &dyn Progress) -> Result<Choice> {
    let folds = folds(task);
    let grains = grains(task);
    let pairs: Vec<(Grain, u32)> =
        grains.iter().flat_map(|&grain| (0..FOLDS).map(move |fold| (grain, fold))).collect();
    let guarantee = in_fold(&task.of_cells)?;
    let begin = |&(grain, fold): &(Grain, u32)| -> Result<Option<Boosting>> {
        progress.check()?;
        let mut begun = begun(task, &guarantee, grain, &folds[fold as usize])?;
        begun.iter_mut().for_each(|boosting| boosting.advance(first_rounds(task.params)));
        Ok(begun)
    };
    let mut begun: Vec<Option<Boosting>> = pairs.par_iter().map(begin).collect::<Result<_>>()?;
    let of_grain = |folds: &[Option<Boosting>]| {
        let losses = mean(folds);
        losses.get(lowest(&losses)).copied().unwrap_or(f64::INFINITY)
    };
    let losses: Vec<f64> = begun.chunks(FOLDS as usize).map(of_grain).collect();
    // The first of several.
    let best = lowest(&losses);
    let mut own: Vec<Option<Boosting>> =
        begun.drain(best * FOLDS as usize..(best + 1) * FOLDS as usize).collect();
    drop(begun);
    own.par_iter_mut().flatten().for_each(|boosting| boosting.advance(task.params.rounds));
    let trial = Trial { setting: task.params.setting(), folds: own }.settled(task.params, progress)?;
    progress.check()?;
    let (rounds, _) = trial.rounds();
    let wrong: f64 = trial.folds.iter().flatten().map(|boosting| boosting.wrong(rounds)).sum();
    let is_tree = task.private.is_empty() && wrong_of_tree(task, &folds)? <= wrong;
    let grain = if is_tree { Grain::Tree } else { grains[best] };
    Ok(Choice { grain, course: Course { setting: trial.setting, rounds: rounds as u32 } })
}

/// The rounds by which grains are compared.
fn first_rounds(params: &CheckedBoostParams) -> u32 {
    let longer = f64::max(USUAL_RATE / params.setting().learning_rate, 1.0);
    params.rounds.min((f64::from(FIRST) * longer).ceil() as u32)
}

/// The weight of the rows that single trees, learned from the other folds, classify wrongly.
fn wrong_of_tree(task: &Task<'_>, folds: &[Fold]) -> Result<f64> {
    let guarantee = in_fold(&task.params.guarantee)?;
    let of_fold = |fold: &Fold| task.wrong_of_tree(&guarantee, &fold.learned, &fold.held);
    let wrong: Vec<f64> = folds.par_iter().map(of_fold).collect();
    Ok(wrong.iter().sum())
}

/// Boosting on the rows of all folds but one; nothing if there are none.
fn begun(
    task: &Task<'_>,
    guarantee: &Guarantee,
    grain: Grain,
    Fold { learned, held }: &Fold,
) -> Result<Option<Boosting>> {
    if held.rows.is_empty() || learned.rows.is_empty() {
        return Ok(None);
    }
    let cells = CellTask { guarantee, ..task.cells() };
    // A fold can lack a class value, or be too small for the guarantee: then it has one cell.
    let cells =
        cells.grow(grain, Some(learned), &Silent).or_else(|_| cells.grow(Grain::One, None, &Silent))?;
    let features = task.features(&cells);
    let of = |part: &Part| Rows::new(&task.source, &features, Some(part));
    Ok(Some(Boosting::new(of(learned), Some(of(held)), task.params.plan(task.params.setting()))))
}

/// The guarantee of the cells of a fold.
fn in_fold(guarantee: &Guarantee) -> Result<Guarantee> {
    match guarantee.is_only_k() {
        Some(k) => Guarantee::k_anonymity((k * u64::from(FOLDS - 1)).div_ceil(u64::from(FOLDS)).max(1)),
        None => Ok(guarantee.clone()),
    }
}

/// Rows to learn from, and those held out.
struct Fold {
    learned: Part,
    held: Part,
}

/// The rows of each fold and all others.
fn folds(task: &Task<'_>) -> Vec<Fold> {
    let table = task.table;
    let all: Vec<u32> = (0..table.rows()).map(|row| table.weight(row)).collect();
    let fold = |held: &Vec<u32>| {
        let rest: Vec<u32> = all.iter().zip(held).map(|(all, held)| all - held).collect();
        Fold { learned: Part::weighted(table, &rest), held: Part::weighted(table, held) }
    };
    held_out(task).iter().map(fold).collect()
}

/// For each fold how many individuals of each row it holds out.
fn held_out(task: &Task<'_>) -> Vec<Vec<u32>> {
    let order = sorted(task);
    let mut held = vec![vec![0; order.len()]; FOLDS as usize];
    if let People::Subjects { of_row, count } = task.table.people() {
        let mut fold_of_subject = vec![None; *count as usize];
        let mut next = 0;
        for row in order {
            let fold = fold_of_subject[of_row[row as usize] as usize].get_or_insert_with(|| {
                next += 1;
                (next - 1) % FOLDS
            });
            held[*fold as usize][row as usize] = 1;
        }
        return held;
    }
    let mut deal = Deal { folds: u64::from(FOLDS), dealt: 0 };
    for row in order {
        let own = deal.next(u64::from(task.table.weight(row as usize)));
        (0..).zip(&mut held).for_each(|(fold, held)| held[row as usize] = own(fold) as u32);
    }
    held
}

/// The rows by class and features. The first of these are compared all at once, as far as they fit into a word.
fn sorted(task: &Task<'_>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..task.table.rows() as u32).collect();
    let columns: Vec<_> =
        task.table.columns().iter().filter(|column| task.policy.attribute(column.name()).is_some()).collect();
    let mut room = u64::MAX / (task.source.classes as u64 + 1);
    let fits = |column: &&Column| {
        room /= column.code_count().max(1) as u64;
        room > 0
    };
    let (first, rest) = columns.split_at(columns.iter().copied().take_while(fits).count());
    let mut words: Vec<u64> = task.source.class_of_row.iter().map(|&class| u64::from(class)).collect();
    for column in first {
        let count = column.code_count() as u64;
        words
            .iter_mut()
            .zip(column.codes().iter())
            .for_each(|(word, code)| *word = *word * count + u64::from(code));
    }
    order.par_sort_by(|&a, &b| {
        let (a, b) = (a as usize, b as usize);
        let by_words = words[a].cmp(&words[b]);
        rest.iter().fold(by_words, |order, column| order.then_with(|| column.code(a).cmp(&column.code(b))))
    });
    order
}
