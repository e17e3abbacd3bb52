//! `kactus`: deficient siblings are pooled and filled up at random.

use crate::table::borrow::borrow;
use crate::table::climb::{Group, by_compliance};
use crate::table::task::Task;
use crate::table::watch::Watch;
use incrowd_core::random::Random;

/// How the leaves below a node become groups. Each node draws from a stream of its own.
pub(super) fn siblings(
    task: &Task<'_>,
    watch: &Watch<'_>,
    seed: u64,
) -> impl FnMut(u32, Vec<Group>, &mut Vec<Group>) -> Vec<u32> {
    move |node, leaves, groups| {
        let (mut complying, lacking) = by_compliance(watch, leaves);
        let mut pool: Vec<u32> = lacking.into_iter().flat_map(|leaf| leaf.rows).collect();
        let random = &mut Random::of(seed, u64::from(node));
        let is_group = !pool.is_empty()
            && (watch.holds(&pool) || borrow(task, watch, random, &mut pool, &mut complying));
        groups.append(&mut complying);
        if is_group {
            groups.push(Group { node, rows: std::mem::take(&mut pool) });
        }
        pool
    }
}
