//! Chooses how a tree is grown and pruned, by cross-validation on the training rows alone.
//!
//! Where there are fewer than [`FEW`] rows, the errors of eight folds depend much on chance, and the choice is made
//! with more care: the folds are stratified by class and dealt up to five times ([`deal`](super::deal)), pruning by
//! impurity is tried beside pruning by errors, branches of fewer rows are tried where k allows it, and a tree must be
//! better than a single leaf by half a standard error. These cost time in proportion to the rows, and little is left
//! for them to find where a fold has more than a thousand rows: larger tables are chosen for as before.

use super::coarse::Coarse;
use super::counts::Layout;
use super::criterion::Criterion;
use super::deal::{FOLDS, Fold, deals};
use super::grow::grow;
use super::held::{Held, Passing};
use super::prune::{Price, links};
use crate::sample::{self, marks, weight_of};
use crate::tree::grower::Grower;
use crate::tree::params::{CheckedTreeParams, TreePurpose};
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

/// The number of trees that are grown to choose where rows are many: for each impurity one on all rows and one for each
/// fold.
const TREES: u64 = Criterion::ALL.len() as u64 * (1 + FOLDS);

/// Leaves are few where the rows are fewer than k times this.
const NARROW: u64 = 100;

/// With fewer rows, the choice is made with more care.
const FEW: u64 = 10_000;

/// Rows are dealt as often as makes so many rows, at least once and at most [`MOST_DEALS`] times.
const DEALT: u64 = 5_000;
const MOST_DEALS: u64 = 5;

/// The fewest rows of a branch that is tried where k is smaller than the usual minimum.
const LEAST: u64 = 2;

/// With fewer rows, held-out errors tell next to nothing: neither are small branches tried, nor is a tree doubted.
const ENOUGH_TO_JUDGE: u64 = 100;

/// By how many standard errors a tree must be better than a single leaf where rows are few.
const DOUBT: f64 = 0.5;

/// How a tree is grown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) criterion: Criterion,
    /// The fewest rows of a branch, whatever the guarantee.
    pub(super) min_rows: u64,
    pub(super) max_leaves: u32,
}

/// What was chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Choice {
    pub(super) way: Way,
    /// What a leaf must save.
    pub(super) price: Price,
    /// The complexity price: subtrees that save less for a leaf are cut off.
    pub(super) alpha: f64,
}

impl Choice {
    /// No pruning: every split that lowers the entropy stays.
    pub(super) fn whole(params: &CheckedTreeParams) -> Self {
        let way =
            Way { criterion: Criterion::Entropy, min_rows: params.min_rows, max_leaves: params.max_leaves };
        Self { way, price: Price::Errors, alpha: f64::NEG_INFINITY }
    }
}

impl Choice {
    /// Nothing is chosen: splits by entropy, and subtrees are cut off that save no error.
    pub(super) fn fixed(params: &CheckedTreeParams) -> Self {
        Self { alpha: 0.0, ..Self::whole(params) }
    }
}

/// The number of trees that are grown to choose, where it is known beforehand.
pub(super) fn trees(coarse: &Coarse) -> Option<u64> {
    (weight_of(&coarse.table) >= FEW).then_some(TREES)
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
    let rows = weight_of(&coarse.table);
    let sample = Sample { coarse, rows, params: scaled(params, share), progress };
    let repeats = if sample.is_small() { (DEALT / rows.max(1)).clamp(1, MOST_DEALS) } else { 1 };
    let class = policy.class.as_deref().and_then(|name| sample.coarse.table.column(name));
    let deals = deals(&sample.coarse.table, &marks, repeats, class.filter(|_| sample.is_small()));
    let folds: Vec<Fold> = (0..FOLDS * repeats)
        .into_par_iter()
        .map(|fold| sample.fold(&deals[(fold / FOLDS) as usize], fold % FOLDS))
        .collect();
    let whole = Ground::new(&sample.coarse, policy, &sample.params, progress);
    let grounds: Vec<_> = folds
        .par_iter()
        .map(|fold| (fold, Ground::new(&fold.kept, policy, &fold.params, progress)))
        .collect();
    let best = sample.best(whole.as_ref(), &grounds);
    let is_doubtful = || sample.may_doubt() && best.held.is_doubtful(repeats, DOUBT);
    let alpha = if is_doubtful() { f64::INFINITY } else { best.alpha * share };
    Choice { way: best.way, price: best.price, alpha }
}

/// The share of the rows that the choice is made on; all, unless a sample is much smaller.
fn share(table: &Table) -> f64 {
    let attributes = (table.columns().len() as u64).saturating_sub(1).max(1);
    let rows = (CELLS / attributes).clamp(FEWEST, SAMPLE);
    let total = weight_of(table);
    if total > rows + rows / 2 { rows as f64 / total as f64 } else { 1.0 }
}

/// A price tried with a way to grow.
#[derive(Debug, Clone, Copy)]
struct Trial {
    way: Way,
    price: Price,
    alpha: f64,
    held: Held,
}

struct Sample<'s> {
    coarse: Coarse,
    /// What its rows count for.
    rows: u64,
    params: CheckedTreeParams,
    progress: &'s dyn Progress,
}

impl Sample<'_> {
    fn is_small(&self) -> bool {
        self.rows < FEW
    }

    /// Whether rows are few, and enough to judge by.
    fn is_judged(&self) -> bool {
        self.is_small() && self.rows >= ENOUGH_TO_JUDGE
    }

    /// Whether a tree may be doubted altogether. The groups of a table are of use even if the class is not predicted.
    fn may_doubt(&self) -> bool {
        self.is_judged() && self.params.purpose != TreePurpose::Table
    }

    fn fold(&self, deal: &[u64], number: u64) -> Fold {
        Fold::new(&self.coarse, deal, number, |share| scaled(&self.params, share))
    }

    /// The best trial.
    fn best(&self, whole: Option<&Ground<'_>>, folds: &[(&Fold, Option<Ground<'_>>)]) -> Trial {
        let ways = self.ways();
        let mut best = Trial {
            way: ways[0],
            price: Price::Errors,
            alpha: 0.0,
            held: Held { wrong: u64::MAX, ..Held::default() },
        };
        let tried: Vec<Vec<Trial>> = ways.into_par_iter().map(|way| self.trials(way, whole, folds)).collect();
        for trial in tried.into_iter().flatten() {
            // Within a way prices descend, so the first of equals is the smallest tree.
            if trial.held.wrong < best.held.wrong {
                best = trial;
            }
        }
        best
    }

    /// The ways to try: ratios only where leaves are few, and which branch comes first decides which others can come at
    /// all; small branches only where k allows them.
    fn ways(&self) -> Vec<Way> {
        let max_leaves = self.params.max_leaves;
        let k = self.params.guarantee.asked_k().unwrap_or(1);
        let is_narrow = self.rows < k.saturating_mul(NARROW);
        let usual = self.params.min_rows;
        let least = k.max(LEAST);
        let min_rows: &[u64] = if self.is_judged() && self.params.has_usual_min_rows() && least < usual {
            &[least, usual]
        } else {
            &[usual]
        };
        let criteria =
            Criterion::ALL.into_iter().filter(|&criterion| is_narrow || criterion != Criterion::Ratio);
        let with = |criterion| min_rows.iter().map(move |&min_rows| Way { criterion, min_rows, max_leaves });
        criteria.flat_map(with).collect()
    }

    fn prices(&self) -> &'static [Price] {
        if self.is_small() { &[Price::Errors, Price::Impurity] } else { &[Price::Errors] }
    }

    /// Tries the prices at which a tree on all rows of the sample changes.
    fn trials(
        &self,
        way: Way,
        whole: Option<&Ground<'_>>,
        folds: &[(&Fold, Option<Ground<'_>>)],
    ) -> Vec<Trial> {
        let whole = whole.map(|ground| ground.tree(way));
        let tried = |&price: &Price| {
            let links = whole.as_ref().map_or_else(Vec::new, |grower| links(grower, price));
            (price, alphas(&links))
        };
        let tried: Vec<(Price, Vec<f64>)> = self.prices().iter().map(tried).collect();
        self.progress.advance(1);
        let held: Vec<Vec<Vec<Held>>> =
            folds.par_iter().map(|(fold, ground)| self.held(way, fold, ground.as_ref(), &tried)).collect();
        let mut trials = Vec::new();
        for (place, (price, alphas)) in tried.into_iter().enumerate() {
            for (i, alpha) in alphas.into_iter().enumerate() {
                let held = held.iter().map(|held| held[place][i]).fold(Held::default(), Held::and);
                trials.push(Trial { way, price, alpha, held });
            }
        }
        trials
    }

    /// For each price what a tree grown on the other rows makes of those of a fold.
    fn held(
        &self,
        way: Way,
        fold: &Fold,
        ground: Option<&Ground<'_>>,
        tried: &[(Price, Vec<f64>)],
    ) -> Vec<Vec<Held>> {
        let held = ground.map(|ground| {
            let grower = ground.tree(way);
            let passing = Passing::new(&grower, &self.coarse.table, &fold.held);
            tried.iter().map(|(price, alphas)| passing.held(&links(&grower, *price), alphas)).collect()
        });
        self.progress.advance(1);
        held.unwrap_or_else(|| tried.iter().map(|(_, alphas)| vec![Held::default(); alphas.len()]).collect())
    }
}

/// What all trees on the same rows share.
struct Ground<'g> {
    coarse: &'g Coarse,
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
        Some(Self { coarse, task, layout, progress: Unreported(progress) })
    }

    /// A tree; without tests where even its root is unsafe.
    fn tree(&self, way: Way) -> Grower<'_> {
        let mut grower = Grower::new(&self.task);
        if grower.root_breach().is_none() {
            grow(&mut grower, self.coarse, &self.layout, way, &self.progress);
        }
        grower
    }
}

/// One price from each interval in which the tree stays the same, descending.
fn alphas(links: &[f64]) -> Vec<f64> {
    let mut finite: Vec<f64> = links.iter().copied().filter(|link| link.is_finite()).collect();
    finite.sort_by(|a, b| b.total_cmp(a));
    finite.dedup();
    let mut prices: Vec<f64> = finite.windows(2).map(|pair| (pair[0] * pair[1]).max(0.0).sqrt()).collect();
    prices.push(0.0);
    prices
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
