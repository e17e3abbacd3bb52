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
use incrowd_core::progress::Silent;
use incrowd_core::table::{People, Table};
use rayon::prelude::*;

/// Above so many rows the choice is made on about as many.
pub(super) const SAMPLE: usize = 60_000;

/// How many parts the rows are divided into.
const FOLDS: u64 = 8;

/// What was chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Choice {
    pub(super) criterion: Criterion,
    /// The complexity price: subtrees that save fewer errors for a leaf are cut off.
    pub(super) alpha: f64,
}

/// Chooses. On a sample of a share s of the rows, k is s times as large, and so is the price: what a leaf saves by accident is some rows, whatever their number.
pub(super) fn choose(coarse: &Coarse, policy: &Policy, params: &CheckedTreeParams) -> Choice {
    let marks = marks(&coarse.table, policy);
    let rows: Vec<u32> = sample(&marks);
    let share = rows.len() as f64 / marks.len().max(1) as f64;
    let sampled = if rows.len() == marks.len() { None } else { Some(coarse.select(&rows)) };
    let sample = Sample {
        coarse: sampled.as_ref().unwrap_or(coarse),
        policy,
        params: scaled(params, share),
        fold_of_row: rows.iter().map(|&row| marks[row as usize] >> 32).map(|mark| mark % FOLDS).collect(),
    };
    let tried: Vec<Vec<Trial>> =
        Criterion::ALL.into_par_iter().map(|criterion| sample.trials(criterion)).collect();
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
    coarse: &'s Coarse,
    policy: &'s Policy,
    params: CheckedTreeParams,
    fold_of_row: Vec<u64>,
}

impl Sample<'_> {
    /// Tries the prices at which a tree on all rows of the sample changes.
    fn trials(&self, criterion: Criterion) -> Vec<Trial> {
        let alphas =
            with_tree(self.coarse, self.policy, &self.params, criterion, |grower| prices(&links(grower)));
        let alphas = alphas.unwrap_or_else(|| vec![0.0]);
        let folds: Vec<Vec<u64>> =
            (0..FOLDS).into_par_iter().map(|fold| self.wrong(criterion, fold, &alphas)).collect();
        let wrong = |i: usize| folds.iter().map(|fold| fold[i]).sum();
        alphas.iter().enumerate().map(|(i, &alpha)| Trial { criterion, alpha, wrong: wrong(i) }).collect()
    }

    /// For each price the rows of a fold that a tree grown on the others gets wrong.
    fn wrong(&self, criterion: Criterion, fold: u64, alphas: &[f64]) -> Vec<u64> {
        let rows = 0..self.fold_of_row.len() as u32;
        let (held, kept): (Vec<u32>, Vec<u32>) =
            rows.partition(|&row| self.fold_of_row[row as usize] == fold);
        let part = self.coarse.select(&kept);
        let params = scaled(&self.params, kept.len() as f64 / self.fold_of_row.len() as f64);
        let wrong = with_tree(&part, self.policy, &params, criterion, |grower| {
            let by_node = route(grower, &self.coarse.table, &held);
            errors(grower, &by_node, alphas)
        });
        wrong.unwrap_or_else(|| vec![0; alphas.len()])
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
        grow(&mut grower, coarse, criterion, params.max_leaves, &Silent);
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
    for &row in held {
        let row = row as usize;
        let Some(class) = class.map(|class| class.code(row) as usize) else { continue };
        let mut node = 0_u32;
        loop {
            passing[node as usize][class] += u64::from(table.weight(row));
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
fn marks(table: &Table, policy: &Policy) -> Vec<u64> {
    if let People::Subjects { of_row, .. } = table.people() {
        return of_row.iter().map(|&subject| mix(u64::from(subject))).collect();
    }
    let mut marks = vec![0_u64; table.rows()];
    for column in table.columns().iter().filter(|column| policy.attribute(column.name()).is_some()) {
        let codes: Vec<u64> = (0..=u64::from(column.missing_code())).map(mix).collect();
        marks.par_iter_mut().enumerate().for_each(|(row, mark)| {
            *mark =
                mark.rotate_left(5).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ codes[column.code(row) as usize];
        });
    }
    marks.par_iter_mut().for_each(|mark| *mark = mix(*mark));
    marks
}

/// `SplitMix64`'s mixing of a number.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// All rows, or those whose mark is low, about [`SAMPLE`] of them.
fn sample(marks: &[u64]) -> Vec<u32> {
    let rows = 0..marks.len() as u32;
    if marks.len() <= SAMPLE + SAMPLE / 2 {
        return rows.collect();
    }
    let limit = u64::from(u32::MAX) * SAMPLE as u64 / marks.len() as u64;
    rows.filter(|&row| marks[row as usize] & 0xffff_ffff <= limit).collect()
}
