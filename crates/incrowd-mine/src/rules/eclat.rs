//! Frequent sets of items.
//!
//! Eclat (Zaki, "Scalable algorithms for association mining", IEEE TKDE 12, 2000): depth first, every set with the rows
//! that have it as a bitmap, items in order of ascending support so that branches die early. Deviations: if a set has
//! only few of the rows left, the bitmaps below it are packed to just these rows, which has the same effect for sparse
//! data as FP-growth's conditional trees. Supports count individuals, so rows may have weights, or several rows may
//! belong to one individual.
//!
//! The subtrees of single items are mined in parallel. Neither the sets nor their order depends on the number of
//! threads. Time O(sets · items · rows / 64) at the worst.

use super::people::People;
use super::task::Task;
use incrowd_core::bits::Bits;
use incrowd_core::progress::Progress;
use incrowd_core::{Error, Result};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A frequent set: its items, ascending, and how many individuals have all of them.
pub(super) type Set = (Box<[u32]>, u64);

/// All frequent sets of at most `longest` items, by their items.
///
/// # Errors
/// When there are more than `most`, or the work was cancelled.
pub(super) fn frequent_sets(
    task: &Task<'_>,
    longest: usize,
    most: usize,
    progress: &dyn Progress,
) -> Result<Vec<Set>> {
    let mut order: Vec<u32> = (0..task.items.len() as u32).collect();
    order.sort_by_key(|&item| (task.items[item as usize].support, item));
    let search = SetSearch { least: task.least, longest, most, found: AtomicUsize::new(0), progress };
    let below = |place: usize| -> Result<Vec<Set>> {
        let item = &task.items[order[place] as usize];
        let node = Node {
            prefix: vec![order[place]],
            rows: item.rows.clone(),
            support: item.support,
            people: task.people.clone(),
        };
        // An attribute has one value, so two items of one are never had together.
        let others = order[place + 1..]
            .iter()
            .filter(|&&other| task.items[other as usize].attribute != item.attribute);
        let mut sets = Vec::new();
        let others: Vec<(u32, &Bits)> =
            others.map(|&other| (other, &task.items[other as usize].rows)).collect();
        search.visit(node, &others, &mut sets)?;
        Ok(sets)
    };
    let sets: Vec<Vec<Set>> = (0..order.len()).into_par_iter().map(below).collect::<Result<_>>()?;
    let mut sets: Vec<Set> = sets.into_iter().flatten().collect();
    sets.par_sort_unstable();
    Ok(sets)
}

struct SetSearch<'p> {
    least: u64,
    longest: usize,
    most: usize,
    found: AtomicUsize,
    progress: &'p dyn Progress,
}

/// A frequent set in progress: its items in the order of the search, and the rows that have it.
struct Node {
    prefix: Vec<u32>,
    rows: Bits,
    support: u64,
    people: People,
}

impl SetSearch<'_> {
    /// Takes a set, and all that others make of it.
    fn visit(&self, node: Node, others: &[(u32, &Bits)], sets: &mut Vec<Set>) -> Result<()> {
        self.progress.check()?;
        if self.found.fetch_add(1, Ordering::Relaxed) >= self.most {
            return Err(too_many(self.most, "sets of items"));
        }
        let mut items = node.prefix.clone();
        items.sort_unstable();
        sets.push((items.into_boxed_slice(), node.support));
        if node.prefix.len() == self.longest || others.is_empty() {
            return Ok(());
        }
        let frequent: Vec<(u32, u64, &Bits)> = others
            .iter()
            .map(|&(item, rows)| (item, node.people.count_and(&node.rows, rows), rows))
            .filter(|&(_, support, _)| support >= self.least)
            .collect();
        let few = node.rows.count() as usize;
        let (kept, people): (Vec<Bits>, People) = if few.div_ceil(64) * 2 <= node.rows.words().len() {
            let packed = frequent.iter().map(|&(_, _, rows)| packed(&node.rows, few, rows)).collect();
            (packed, node.people.select(&node.rows))
        } else {
            (frequent.iter().map(|&(_, _, rows)| node.rows.and(rows)).collect(), node.people)
        };
        for (place, &(item, support, _)) in frequent.iter().enumerate() {
            let prefix = [node.prefix.as_slice(), &[item]].concat();
            let next = Node { prefix, rows: kept[place].clone(), support, people: people.clone() };
            let others: Vec<(u32, &Bits)> = frequent[place + 1..]
                .iter()
                .zip(&kept[place + 1..])
                .map(|(&(o, _, _), rows)| (o, rows))
                .collect();
            self.visit(next, &others, sets)?;
        }
        Ok(())
    }
}

/// The rows of an item among some rows, numbered anew.
fn packed(among: &Bits, count: usize, rows: &Bits) -> Bits {
    let mut packed = Bits::new(count);
    for (place, row) in among.iter().enumerate() {
        if rows.contains(row) {
            packed.insert(place);
        }
    }
    packed
}

/// The error of a threshold that lets too much through.
pub(super) fn too_many(most: usize, what: &str) -> Error {
    Error::limit(format!("there are more than {most} {what}"))
        .help("raise the minimum support, shorten rules, or allow more (`most`)")
}
