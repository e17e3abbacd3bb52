//! Chooses the impurity and the amount of pruning by cross-validation on the training rows alone.

use super::coarse::Coarse;
use super::counts::Layout;
use super::criterion::Criterion;
use super::grow::grow;
use super::prune::links;
use crate::sample::{self, marks, weight_of};
use crate::tree::grower::Grower;
use crate::tree::params::CheckedTreeParams;
use crate::tree::partition::Partition;
use crate::tree::release::majority;
use crate::tree::task::Task;
use incrowd_core::policy::Policy;
use incrowd_core::progress::{Progress, Unreported};
use incrowd_core::table::Table;
use rayon::prelude::*;

/// The most rows of a sample that the choice is made on.
pub(super) const SAMPLE: u64 = 60_000;

/// The most cells of it: with more attributes than 14 it has fewer rows.
const CELLS: u64 = 14 * SAMPLE;

/// The fewest rows of it, however many attributes there are.
const FEWEST: u64 = 12_000;

/// The number of parts that the rows are divided into.
const FOLDS: u64 = 8;

/// The number of trees that are grown to choose: for each impurity one on all rows and one for each fold.
pub(super) const TREES: u64 = Criterion::ALL.len() as u64 * (1 + FOLDS);

/// Leaves are few where the rows are fewer than k times this.
const NARROW: u64 = 100;

/// What was chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Choice {
    pub(super) criterion: Criterion,
    /// The complexity price: subtrees that save fewer errors for a leaf are cut off.
    pub(super) alpha: f64,
}

impl Choice {
    /// No pruning: every split that lowers the entropy stays.
    pub(super) const WHOLE: Self = Self { criterion: Criterion::Entropy, alpha: f64::NEG_INFINITY };
}

/// Chooses. On a sample of a share s of the rows, k is s times as large, and so is the price: what a leaf saves by
/// accident is some rows, whatever their number.
pub(super) fn choose(
    coarse: &Coarse,
    policy: &Policy,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Choice {
    let share = share(&coarse.table);
    let (coarse, marks) = if share < 1.0 { sample(coarse, share) } else { with_marks(coarse.merged()) };
    let sample = Sample { coarse, params: scaled(params, share), marks, progress };
    let folds: Vec<Fold> = (0..FOLDS).into_par_iter().map(|fold| sample.fold(fold)).collect();
    let whole = Ground::new(&sample.coarse, policy, &sample.params, progress);
    let grounds: Vec<_> = folds
        .par_iter()
        .map(|fold| (fold, Ground::new(&fold.kept, policy, &fold.params, progress)))
        .collect();
    let tried: Vec<Vec<Trial>> = tried(&sample)
        .into_par_iter()
        .map(|criterion| sample.trials(criterion, whole.as_ref(), &grounds))
        .collect();
    let mut best = Trial { criterion: Criterion::Gini, alpha: 0.0, wrong: u64::MAX };
    for trial in tried.into_iter().flatten() {
        // Within an impurity prices descend, so the first of equals is the smallest tree.
        if trial.wrong < best.wrong {
            best = trial;
        }
    }
    Choice { criterion: best.criterion, alpha: best.alpha * share }
}

/// The share of the rows that the choice is made on; all, unless a sample is much smaller.
fn share(table: &Table) -> f64 {
    let attributes = (table.columns().len() as u64).saturating_sub(1).max(1);
    let rows = (CELLS / attributes).clamp(FEWEST, SAMPLE);
    let total = weight_of(table);
    if total > rows + rows / 2 { rows as f64 / total as f64 } else { 1.0 }
}

/// The impurities to try: ratios only where leaves are few, and which branch comes first decides which others can come
/// at all.
fn tried(sample: &Sample<'_>) -> Vec<Criterion> {
    let k = sample.params.guarantee.asked_k().unwrap_or(1);
    let is_narrow = weight_of(&sample.coarse.table) < k.saturating_mul(NARROW);
    Criterion::ALL.into_iter().filter(|&criterion| is_narrow || criterion != Criterion::Ratio).collect()
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
    params: CheckedTreeParams,
    marks: Vec<u64>,
    progress: &'s dyn Progress,
}

/// A part of the rows that is held out.
struct Fold {
    /// The number of held-out individuals of each row.
    held: Vec<u32>,
    /// The others.
    kept: Coarse,
    params: CheckedTreeParams,
}

impl Sample<'_> {
    /// Tries the prices at which a tree on all rows of the sample changes.
    fn trials(
        &self,
        criterion: Criterion,
        whole: Option<&Ground<'_>>,
        folds: &[(&Fold, Option<Ground<'_>>)],
    ) -> Vec<Trial> {
        let alphas = whole.map_or_else(|| vec![0.0], |ground| prices(&links(&ground.tree(criterion))));
        self.progress.advance(1);
        let folds: Vec<Vec<u64>> = folds
            .par_iter()
            .map(|(fold, ground)| self.wrong(criterion, fold, ground.as_ref(), &alphas))
            .collect();
        let wrong = |i: usize| folds.iter().map(|fold| fold[i]).sum();
        alphas.iter().enumerate().map(|(i, &alpha)| Trial { criterion, alpha, wrong: wrong(i) }).collect()
    }

    fn fold(&self, fold: u64) -> Fold {
        let table = &self.coarse.table;
        let held: Vec<u32> = (0..table.rows()).map(|row| self.held(row, fold)).collect();
        let kept: Vec<u32> = held.iter().enumerate().map(|(row, held)| table.weight(row) - held).collect();
        let kept = self.coarse.weighted(&kept);
        let share = weight_of(&kept.table) as f64 / weight_of(table).max(1) as f64;
        Fold { held, kept, params: scaled(&self.params, share) }
    }

    /// For each price the rows of a fold that a tree grown on the others misclassifies.
    fn wrong(
        &self,
        criterion: Criterion,
        fold: &Fold,
        ground: Option<&Ground<'_>>,
        alphas: &[f64],
    ) -> Vec<u64> {
        let wrong = ground.map(|ground| {
            let grower = ground.tree(criterion);
            errors(&grower, &route(&grower, &self.coarse.table, &fold.held), alphas)
        });
        self.progress.advance(1);
        wrong.unwrap_or_else(|| vec![0; alphas.len()])
    }

    /// How many of the individuals of a row are in a fold: they are dealt to the folds one after the other, beginning
    /// by the row's mark. The rows of a subject go all to one.
    fn held(&self, row: usize, fold: u64) -> u32 {
        let weight = self.coarse.table.weight(row);
        let first = (fold + FOLDS - (self.marks[row] >> 32) % FOLDS) % FOLDS;
        u32::try_from((u64::from(weight) + FOLDS - 1 - first) / FOLDS).unwrap_or(weight)
    }
}

/// What all trees on the same rows share.
struct Ground<'g> {
    coarse: &'g Coarse,
    params: &'g CheckedTreeParams,
    task: Task<'g>,
    layout: Layout,
    progress: Unreported<'g>,
}

impl<'g> Ground<'g> {
    /// Nothing where the rows are nothing to learn from.
    fn new(
        coarse: &'g Coarse,
        policy: &'g Policy,
        params: &'g CheckedTreeParams,
        progress: &'g dyn Progress,
    ) -> Option<Self> {
        let task = Task::new(&coarse.table, policy, params).ok()?;
        let layout = Layout::new(&task);
        Some(Self { coarse, params, task, layout, progress: Unreported(progress) })
    }

    /// A tree; without tests where even its root is unsafe.
    fn tree(&self, criterion: Criterion) -> Grower<'_> {
        let mut grower = Grower::new(&self.task);
        if grower.root_breach().is_none() {
            grow(&mut grower, self.coarse, &self.layout, criterion, self.params, &self.progress);
        }
        grower
    }
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

/// The number of held-out rows of each class at each node.
fn route(grower: &Grower<'_>, table: &Table, held: &[u32]) -> Vec<Vec<u64>> {
    let mut passing = vec![vec![0; grower.task.class.count]; grower.nodes.len()];
    let Some(class) = table.column(grower.task.class.column.name()) else { return passing };
    let columns: Vec<_> =
        grower.task.attributes.iter().map(|attribute| table.column(attribute.column.name())).collect();
    let rows: Vec<u32> = (0..).zip(held).filter(|&(_, &held)| held > 0).map(|(row, _)| row).collect();
    let mut parts = vec![0..0; grower.nodes.len()];
    parts[0] = 0..rows.len() as u32;
    let mut partition = Partition::of(rows);
    // Children come after their parents.
    for (node, grown) in grower.nodes.iter().enumerate() {
        if let Some((split, first)) = &grown.split {
            let Some(column) = columns[split.attribute] else { continue };
            let below = partition.divide(&parts[node], column.codes(), &split.branch_of_code, split.branches);
            parts[*first as usize..].iter_mut().zip(below).for_each(|(part, below)| *part = below);
        } else {
            for &row in partition.rows(&parts[node]) {
                passing[node][class.code(row as usize) as usize] += u64::from(held[row as usize]);
            }
        }
    }
    for node in (1..grower.nodes.len()).rev() {
        let Some(parent) = grower.nodes[node].parent else { continue };
        let own = std::mem::take(&mut passing[node]);
        passing[parent as usize].iter_mut().zip(&own).for_each(|(sum, n)| *sum += n);
        passing[node] = own;
    }
    passing
}

/// For each price (descending) the held-out rows that the tree pruned by it misclassifies.
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
    let k = params.guarantee.asked_k().unwrap_or(1);
    let fewer = ((k as f64 * share).ceil() as u64).max(1);
    params.with_guarantee(params.guarantee.clone().with_k(fewer))
}

fn with_marks(coarse: Coarse) -> (Coarse, Vec<u64>) {
    let marks = marks(&coarse.table);
    (coarse, marks)
}

/// About a share of the individuals of every row, and the marks of the rows that are left.
fn sample(coarse: &Coarse, share: f64) -> (Coarse, Vec<u64>) {
    let (table, marks) = sample::sample(&coarse.table, share);
    (coarse.of_table(table), marks)
}
