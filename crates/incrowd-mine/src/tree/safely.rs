//! Pruning as far as the guarantee allows.
//!
//! A pruned tree is a coarser function of the same tests, but pruning private tests makes a span distinguish fewer
//! private values, and individuals with several rows can be in both of two spans that are merged. In these cases a
//! requirement can fail for the pruned tree (docs/proofs.md, "Merging preserves guarantees"). Then subtrees are pruned
//! in steps: first those without private tests, which is safe if every individual has one row, then those with private
//! tests, the lowest first. Every step is checked against the whole guarantee, and one that fails is divided into two
//! smaller ones.

use super::grower::Grower;
use super::release::{self, Cut};
use super::{CheckedTreeParams, MinedTree, TreeMethod};
use incrowd_core::audit::Report;
use incrowd_core::model::Model;
use incrowd_core::progress::Progress;
use incrowd_core::words::count;
use incrowd_core::{Error, Result};

/// The rows that all checks together may read, and the fewest and the most checks.
const ROWS: usize = 4_000_000;
const FEWEST: usize = 8;
const MOST: usize = 64;

/// Releases the tree pruned as `wanted`, or as far towards it as the guarantee allows, with a warning.
///
/// Time: that of at most [`MOST`] checks of the guarantee.
///
/// # Errors
/// When neither the pruned nor the whole tree passes its audit, or the work is cancelled.
pub(super) fn release_pruned(
    grower: &Grower<'_>,
    wanted: &Cut,
    params: &CheckedTreeParams,
    progress: &dyn Progress,
) -> Result<MinedTree> {
    let released = release::release(grower, wanted);
    if !released.as_ref().is_err_and(Error::is_about_the_guarantee) {
        return released;
    }
    let whole = release::release(grower, &Cut::nothing(grower))?;
    let cut = Search::new(grower, progress).run(wanted)?;
    let mut mined = if cut.0.contains(&true) {
        // The search has checked all spans; only what the audit looks at beyond them can still fail.
        release::release(grower, &cut)
            .or_else(|error| if error.is_about_the_guarantee() { Ok(whole) } else { Err(error) })?
    } else {
        whole
    };
    let pruned = wanted.nodes(grower).iter().filter(|&&node| !wanted.keeps(grower, node)).count() as u64;
    if mined.summary.leaves > pruned {
        mined.warnings.push(warning(grower, wanted, params, (mined.summary.leaves, pruned))?);
    }
    Ok(mined)
}

/// Looks for the nodes that can become leaves.
struct Search<'g, 't> {
    grower: &'g Grower<'t>,
    progress: &'g dyn Progress,
    cut: Cut,
    checks: usize,
}

impl<'g, 't> Search<'g, 't> {
    fn new(grower: &'g Grower<'t>, progress: &'g dyn Progress) -> Self {
        let checks = (ROWS / grower.task.judge.rows().max(1)).clamp(FEWEST, MOST);
        Self { grower, progress, cut: Cut::nothing(grower), checks }
    }

    fn run(mut self, wanted: &Cut) -> Result<Cut> {
        let private = with_private_tests(self.grower);
        // Children come after their parents: the lowest subtrees are first.
        let nodes = (0..private.len()).rev().filter(|&node| wanted.0[node]);
        let (private, public): (Vec<usize>, Vec<usize>) = nodes.partition(|&node| private[node]);
        self.step(&public)?;
        // All of them at once are what was refused.
        let (lower, upper) = private.split_at(private.len() / 2);
        self.step(lower)?;
        self.step(upper)?;
        Ok(self.cut)
    }

    /// Turns nodes into leaves if the guarantee allows it, else as many of them as are found by halving.
    fn step(&mut self, nodes: &[usize]) -> Result<()> {
        self.progress.check()?;
        if nodes.is_empty() || self.checks == 0 {
            return Ok(());
        }
        self.checks -= 1;
        nodes.iter().for_each(|&node| self.cut.0[node] = true);
        if self.holds()? {
            return Ok(());
        }
        nodes.iter().for_each(|&node| self.cut.0[node] = false);
        if nodes.len() > 1 {
            let (lower, upper) = nodes.split_at(nodes.len() / 2);
            self.step(lower)?;
            self.step(upper)?;
        }
        Ok(())
    }

    /// Whether all spans of the tree meet the guarantee.
    fn holds(&self) -> Result<bool> {
        let task = self.grower.task;
        let (model, policy) = (released(self.grower, &self.cut)?, task.policy.ok_or_else(no_policy)?);
        task.judge.holds(policy, &model, task.guarantee)
    }
}

/// For each node whether a private attribute is tested there or below.
pub(super) fn with_private_tests(grower: &Grower<'_>) -> Vec<bool> {
    let mut private = vec![false; grower.nodes.len()];
    for node in (0..private.len()).rev() {
        let split = grower.nodes[node].split.as_ref();
        private[node] = split.is_some_and(|(split, _)| !grower.task.attributes[split.attribute].known)
            || grower.nodes[node].children().any(|child| private[child as usize]);
    }
    private
}

fn released(grower: &Grower<'_>, cut: &Cut) -> Result<Model> {
    Ok(Model::Tree(release::model(grower, cut)?.in_detail(grower.task.detail)))
}

fn no_policy() -> Error {
    Error::internal("a tree without a policy is not released")
}

/// What the owner should know about a tree that has more leaves than its pruned form.
fn warning(
    grower: &Grower<'_>,
    wanted: &Cut,
    params: &CheckedTreeParams,
    (leaves, pruned): (u64, u64),
) -> Result<String> {
    let policy = grower.task.policy.ok_or_else(no_policy)?;
    let report = grower.task.judge.audit(policy, &released(grower, wanted)?, grower.task.guarantee)?;
    let other = if params.method == TreeMethod::Best { TreeMethod::KadetC45 } else { TreeMethod::Best };
    let help = match sufficient_cap(&report, params) {
        Some(cap) => format!("a cap of {cap} on confidence would allow it"),
        None => "a weaker guarantee may allow it".to_owned(),
    };
    Ok(format!(
        "pruning stopped at {} instead of {}, because fewer leaves would break the guarantee; the larger tree may \
         predict new rows less accurately; {help}; method `{other}` may find a smaller tree",
        if leaves == 1 { "1 leaf".to_owned() } else { format!("{} leaves", count(leaves)) },
        count(pruned)
    ))
}

/// The cap on confidence with which a tree would pass its audit, if a cap is all that it breaks.
fn sufficient_cap(report: &Report, params: &CheckedTreeParams) -> Option<f64> {
    let requirements = params.guarantee.requirements();
    let only_cap = requirements
        .iter()
        .zip(&report.asked)
        .all(|(requirement, asked)| requirement.is_confidence_cap() || !asked.is_broken_by_spans());
    let cap = (report.max_confidence? * 100.0).ceil() / 100.0;
    (only_cap && cap < 1.0).then_some(cap)
}
