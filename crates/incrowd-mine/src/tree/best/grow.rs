//! Growing best first: of all leaves, the one whose best split gains most is split next.

use super::choose::Way;
use super::coarse::Coarse;
use super::counts::Layout;
use super::propose::{Proposal, Proposer};
use crate::tree::grower::Grower;
use crate::tree::growth::Growth;
use incrowd_core::progress::Progress;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A leaf with its best split and its counts.
struct Open {
    proposal: Proposal,
    node: u32,
    counts: Vec<u64>,
    /// When the proposal was found safe.
    as_of: Option<u32>,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.proposal.gain.total_cmp(&other.proposal.gain).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

/// Grows a tree to at most so many leaves; fewer if cancelled.
pub(super) fn grow(
    grower: &mut Grower<'_>,
    coarse: &Coarse,
    layout: &Layout,
    way: Way,
    progress: &dyn Progress,
) {
    let proposer = Proposer::new(grower, coarse, layout, way.criterion, way.min_rows);
    let mut open = BinaryHeap::new();
    if grower.task.known.is_some() {
        put_known(&proposer, grower, 0, &mut open);
    } else {
        put(&proposer, grower, 0, layout.whole().to_vec(), &mut open);
    }
    let (mut leaves, mut growth) = (1, Growth::new(progress));
    while leaves < way.max_leaves && !progress.is_cancelled() {
        let Some(Open { proposal, node, counts, as_of }) = open.pop() else { return };
        // Other splits may have divided the spans of this node meanwhile.
        let unchanged = as_of.is_some() && as_of == proposer.as_of(grower, node);
        if !unchanged && !proposer.still_safe(grower, node, &proposal, &counts) {
            // What was just refused is not tried again before another split is made, so that every step makes progress.
            put_unless(&proposer, grower, node, counts, &mut open, Some(&proposal));
            continue;
        }
        let rows = proposer.histogram(&counts, proposal.attribute);
        let Some(split) = proposer.split(grower, &proposal, &rows) else { continue };
        // Not known yet: all of this is done again once it is.
        if !grower.can_follow(node, &split) {
            continue;
        }
        let children = grower.commit_counted(node, split, &rows);
        leaves += 1;
        growth.split(grower, node);
        if grower.task.known.is_some() {
            children.for_each(|child| put_known(&proposer, grower, child, &mut open));
            continue;
        }
        let (small, large) = by_size(grower, children.start, children.end - 1);
        let (rows, size) = (grower.rows(small), |node: u32| grower.node(node).size());
        let of_small = proposer.may_split(grower, small).then(|| layout.count(rows, size(small)));
        if proposer.may_split(grower, large) {
            let of_large = layout.without(counts, rows, of_small.as_deref(), size(large));
            put(&proposer, grower, large, of_large, &mut open);
        }
        of_small.into_iter().for_each(|counts| put(&proposer, grower, small, counts, &mut open));
    }
}

/// The child with fewer rows, then the other.
fn by_size(grower: &Grower<'_>, a: u32, b: u32) -> (u32, u32) {
    if grower.rows(a).len() <= grower.rows(b).len() { (a, b) } else { (b, a) }
}

/// Puts a leaf to the open ones if it can be split.
fn put(
    proposer: &Proposer<'_>,
    grower: &Grower<'_>,
    node: u32,
    counts: Vec<u64>,
    open: &mut BinaryHeap<Open>,
) {
    put_unless(proposer, grower, node, counts, open, None);
}

/// The same where only counts are known. One whose counts are not known yet stays a leaf for now.
fn put_known(proposer: &Proposer<'_>, grower: &Grower<'_>, node: u32, open: &mut BinaryHeap<Open>) {
    if proposer.may_split(grower, node)
        && let Some(counts) = proposer.layout.known(grower, node)
    {
        put(proposer, grower, node, counts, open);
    }
}

/// The same, unless its best split is one that was refused.
fn put_unless(
    proposer: &Proposer<'_>,
    grower: &Grower<'_>,
    node: u32,
    counts: Vec<u64>,
    open: &mut BinaryHeap<Open>,
    refused: Option<&Proposal>,
) {
    let best = proposer.best(grower, node, &counts);
    if let Some(proposal) = best.filter(|best| Some(best) != refused) {
        let as_of = proposer.as_of(grower, node);
        open.push(Open { proposal, node, counts, as_of });
    }
}
