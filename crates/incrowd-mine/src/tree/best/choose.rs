//! Which impurity and how much pruning: by cross-validation on the training rows alone.

use super::coarse::Coarse;
use super::criterion::Criterion;
use super::grow::grow;
use super::prune::links;
use crate::tree::grower::Grower;
use crate::tree::params::CheckedTreeParams;
use crate::tree::release::majority;
use crate::tree::task::Task;
use incrowd_core::guarantee::{Guarantee, Requirement};
use incrowd_core::policy::Policy;
use incrowd_core::progress::{Progress, Silent};
use incrowd_core::table::{People, Table};
use rayon::prelude::*;

/// Above so many rows the choice is made on about as many.
pub(super) const SAMPLE: u64 = 60_000;

/// How many parts the rows are divided into.
const FOLDS: u64 = 8;

/// How many trees are grown to choose: for each impurity one on all rows and one for each fold.
pub(super) const TREES: u64 = Criterion::ALL.len() as u64 * (1 + FOLDS);

/// What was chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Choice {
    pub(super) criterion: Criterion,
    /// The complexity price: subtrees that save fewer errors for a leaf are cut off.
    pub(super) alpha: f64,
}

/// Chooses. On a sample of a share s of the rows, k is s times as large, and so is the price: what a leaf saves by accident is some rows, whatever their number.
pub(super) fn choose(
    coarse: &Coarse,
    policy: &Policy,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Choice {
    let merged = coarse.merged();
    let marks = marks(&merged.table);
    let total = weight_of(&merged.table);
    let share = if total > SAMPLE + SAMPLE / 2 { SAMPLE as f64 / total as f64 } else { 1.0 };
    let (coarse, marks) = if share < 1.0 { sample(&merged, &marks, share) } else { (merged, marks) };
    let sample = Sample { coarse, policy, params: scaled(params, share), marks, progress };
    let folds: Vec<Fold> = (0..FOLDS).into_par_iter().map(|fold| sample.fold(fold)).collect();
    let tried: Vec<Vec<Trial>> =
        Criterion::ALL.into_par_iter().map(|criterion| sample.trials(criterion, &folds)).collect();
    let mut best = Trial { criterion: Criterion::Gini, alpha: 0.0, wrong: u64::MAX };
    for trial in tried.into_iter().flatten() {
        // Within an impurity prices descend, so the first of equals is the smallest tree.
        if trial.wrong < best.wrong {
            best = trial;
        }
    }
    Choice { criterion: best.criterion, alpha: best.alpha * share }
}

/// A price tried with an impurity, and how many held-out rows it got wrong.
#[derive(Debug, Clone, Copy)]
struct Trial {
    criterion: Criterion,
    alpha: f64,
    wrong: u64,
}

struct Sample<'s> {
    coarse: Coarse,
    policy: &'s Policy,
    params: CheckedTreeParams,
    marks: Vec<u64>,
    progress: &'s dyn Progress,
}

/// A part of the rows that is held out.
struct Fold {
    /// How many individuals of each row are.
    held: Vec<u32>,
    /// The others.
    kept: Coarse,
    params: CheckedTreeParams,
}

impl Sample<'_> {
    /// Tries the prices at which a tree on all rows of the sample changes.
    fn trials(&self, criterion: Criterion, folds: &[Fold]) -> Vec<Trial> {
        let alphas =
            with_tree(&self.coarse, self.policy, &self.params, criterion, |grower| prices(&links(grower)));
        self.progress.advance(1);
        let alphas = alphas.unwrap_or_else(|| vec![0.0]);
        let folds: Vec<Vec<u64>> =
            folds.par_iter().map(|fold| self.wrong(criterion, fold, &alphas)).collect();
        let wrong = |i: usize| folds.iter().map(|fold| fold[i]).sum();
        alphas.iter().enumerate().map(|(i, &alpha)| Trial { criterion, alpha, wrong: wrong(i) }).collect()
    }

    fn fold(&self, fold: u64) -> Fold {
        let table = &self.coarse.table;
        let held: Vec<u32> = (0..table.rows()).map(|row| self.held(row, fold)).collect();
        let kept = held.iter().enumerate().map(|(row, held)| table.weight(row) - held).collect();
        let kept = self.coarse.weighted(kept);
        let share = weight_of(&kept.table) as f64 / weight_of(table).max(1) as f64;
        Fold { held, kept, params: scaled(&self.params, share) }
    }

    /// For each price the rows of a fold that a tree grown on the others gets wrong.
    fn wrong(&self, criterion: Criterion, fold: &Fold, alphas: &[f64]) -> Vec<u64> {
        let wrong = with_tree(&fold.kept, self.policy, &fold.params, criterion, |grower| {
            errors(grower, &route(grower, &self.coarse.table, &fold.held), alphas)
        });
        self.progress.advance(1);
        wrong.unwrap_or_else(|| vec![0; alphas.len()])
    }

    /// How many of the individuals of a row are in a fold: they are dealt to the folds one after the other, beginning by the row's mark.
    /// The rows of a subject go all to one.
    fn held(&self, row: usize, fold: u64) -> u32 {
        let weight = self.coarse.table.weight(row);
        let first = (fold + FOLDS - (self.marks[row] >> 32) % FOLDS) % FOLDS;
        u32::try_from((u64::from(weight) + FOLDS - 1 - first) / FOLDS).unwrap_or(weight)
    }
}

/// Grows a tree and hands it over; nothing where even its root is unsafe.
fn with_tree<R>(
    coarse: &Coarse,
    policy: &Policy,
    params: &CheckedTreeParams,
    criterion: Criterion,
    then: impl FnOnce(&Grower<'_>) -> R,
) -> Option<R> {
    let task = Task::new(&coarse.table, policy, params).ok()?;
    let mut grower = Grower::new(&task);
    if grower.root_breach().is_none() {
        grow(&mut grower, coarse, criterion, params, &Silent);
    }
    Some(then(&grower))
}

/// One price from each interval in which the tree stays the same, descending.
fn prices(links: &[f64]) -> Vec<f64> {
    let mut finite: Vec<f64> = links.iter().copied().filter(|link| link.is_finite()).collect();
    finite.sort_by(|a, b| b.total_cmp(a));
    finite.dedup();
    let mut prices: Vec<f64> = finite.windows(2).map(|pair| (pair[0] * pair[1]).max(0.0).sqrt()).collect();
    prices.push(0.0);
    prices
}

/// How many held-out rows of each class pass each node.
fn route(grower: &Grower<'_>, table: &Table, held: &[u32]) -> Vec<Vec<u64>> {
    let columns: Vec<_> =
        grower.task.attributes.iter().map(|attribute| table.column(attribute.column.name())).collect();
    let class = table.column(grower.task.class.column.name());
    let mut passing = vec![vec![0; grower.task.class.count]; grower.nodes.len()];
    for (row, &held) in held.iter().enumerate().filter(|&(_, &held)| held > 0) {
        let Some(class) = class.map(|class| class.code(row) as usize) else { continue };
        let mut node = 0_u32;
        loop {
            passing[node as usize][class] += u64::from(held);
            let Some((split, first)) = &grower.node(node).split else { break };
            let Some(column) = columns[split.attribute] else { break };
            node = first + split.branch_of_code[column.code(row) as usize];
        }
    }
    passing
}

/// For each price (descending) the held-out rows that the tree pruned by it gets wrong.
fn errors(grower: &Grower<'_>, passing: &[Vec<u64>], alphas: &[f64]) -> Vec<u64> {
    let links = links(grower);
    let mut wrong = vec![0_i64; alphas.len() + 1];
    let mut leaf_from = vec![f64::INFINITY; links.len()];
    for (node, link) in links.iter().enumerate() {
        let above = grower.nodes[node].parent.map_or(f64::INFINITY, |parent| leaf_from[parent as usize]);
        leaf_from[node] = above.min(*link);
        // It is a leaf of the pruned tree for prices from its own link up to where a node above becomes one.
        let from = alphas.partition_point(|&alpha| alpha >= above);
        let to = alphas.partition_point(|&alpha| alpha >= leaf_from[node]);
        let label = majority(&grower.nodes[node].counts) as usize;
        let missed = passing[node].iter().sum::<u64>() - passing[node][label];
        wrong[from] += missed.cast_signed();
        wrong[to] -= missed.cast_signed();
    }
    let mut sum = 0;
    let all = wrong.iter().take(alphas.len()).map(|change| {
        sum += change;
        sum.cast_unsigned()
    });
    all.collect()
}

/// The parameters for a share of the rows: k shrinks with them.
fn scaled(params: &CheckedTreeParams, share: f64) -> CheckedTreeParams {
    let mut guarantee: Guarantee = params.guarantee.clone();
    if let Some(Requirement::K(k)) =
        guarantee.requirements().iter().find(|r| matches!(r, Requirement::K(_))).copied()
    {
        let fewer = ((k.k() as f64 * share).ceil() as u64).max(1);
        if let Ok(fewer) = Requirement::k(fewer, k.single_bin()) {
            guarantee = guarantee.with(fewer);
        }
    }
    params.with_guarantee(guarantee)
}

/// A mark for each row by the values it has (or by whose row it is), the same for equal rows wherever they stand.
fn marks(table: &Table) -> Vec<u64> {
    if let People::Subjects { of_row, .. } = table.people() {
        return of_row.iter().map(|&subject| mix(u64::from(subject))).collect();
    }
    let mut marks = vec![0_u64; table.rows()];
    for column in table.columns() {
        let codes: Vec<u64> = (0..=u64::from(column.missing_code())).map(mix).collect();
        marks.par_iter_mut().enumerate().for_each(|(row, mark)| {
            *mark =
                mark.rotate_left(5).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ codes[column.code(row) as usize];
        });
    }
    marks.par_iter_mut().for_each(|mark| *mark = mix(*mark));
    marks
}

fn weight_of(table: &Table) -> u64 {
    (0..table.rows()).map(|row| u64::from(table.weight(row))).sum()
}

/// `SplitMix64`'s mixing of a number.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// About a share of the individuals of every row, rounded up or down by the row's mark; and the marks of the rows that are left.
fn sample(coarse: &Coarse, marks: &[u64], share: f64) -> (Coarse, Vec<u64>) {
    let taken = |row: usize| {
        let dither = f64::from(marks[row] as u32) / f64::from(u32::MAX);
        (f64::from(coarse.table.weight(row)) * share + dither * 0.999_999) as u32
    };
    let weights: Vec<u32> = (0..marks.len()).map(taken).collect();
    let marks =
        marks.iter().zip(&weights).filter(|&(_, &weight)| weight > 0).map(|(&mark, _)| mark).collect();
    (coarse.weighted(weights), marks)
}
