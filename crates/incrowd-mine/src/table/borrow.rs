//! Compensation at random: rows that cannot form a group are filled up from siblings that can spare some.

use super::climb::Group;
use super::task::Task;
use super::watch::Watch;
use incrowd_core::random::Random;

/// Fills `lacking` up with rows drawn at random from `donors` until it may be a group, if each donor then still may be
/// one. Returns whether that was done; if not, nothing has changed.
///
/// Of a number of individuals no more are drawn than are lacking; of any other requirement, twice as many at each try.
/// Stored rows are moved as a whole.
pub(crate) fn borrow(
    task: &Task<'_>,
    watch: &Watch<'_>,
    random: &mut Random,
    lacking: &mut Vec<u32>,
    donors: &mut [Group],
) -> bool {
    let k = task.guarantee.asked_k().unwrap_or(1);
    let mut offers: Vec<(usize, u32)> = Vec::new();
    for (place, donor) in donors.iter().enumerate() {
        let mut rows = donor.rows.clone();
        shuffle(random, &mut rows);
        let spare = spare(task, watch, k, &rows);
        offers.extend(rows[..spare].iter().map(|&row| (place, row)));
    }
    shuffle(random, &mut offers);
    let Some(taken) = enough(task, watch, k, lacking, &offers) else { return false };
    let mut gone: Vec<Vec<u32>> = vec![Vec::new(); donors.len()];
    offers[..taken].iter().for_each(|&(place, row)| gone[place].push(row));
    let left = donors.iter().zip(&mut gone).map(|(donor, gone)| without(&donor.rows, gone));
    let left: Vec<Vec<u32>> = left.collect();
    // What is spared as a whole need not be spared in part, where more than a number is required.
    let is_safe = |(rows, gone): (&Vec<u32>, &Vec<u32>)| gone.is_empty() || watch.holds(rows);
    if !left.iter().zip(&gone).all(is_safe) {
        return false;
    }
    donors.iter_mut().zip(left).for_each(|(donor, rows)| donor.rows = rows);
    lacking.extend(offers[..taken].iter().map(|&(_, row)| row));
    true
}

/// The number of first rows that can be given away.
fn spare(task: &Task<'_>, watch: &Watch<'_>, k: u64, rows: &[u32]) -> usize {
    let mut spare = first(rows.len(), |n| task.table.individuals_among(&rows[n..]) < k).saturating_sub(1);
    while spare > 0 && !watch.holds(&rows[spare..]) {
        spare /= 2;
    }
    spare
}

/// The number of first offers that make a group together with the rows that lack individuals.
fn enough(
    task: &Task<'_>,
    watch: &Watch<'_>,
    k: u64,
    lacking: &[u32],
    offers: &[(usize, u32)],
) -> Option<usize> {
    let with = |n: usize| -> Vec<u32> {
        lacking.iter().copied().chain(offers[..n].iter().map(|&(_, row)| row)).collect()
    };
    let mut taken = first(offers.len(), |n| task.table.individuals_among(&with(n)) >= k);
    let mut more = 1;
    loop {
        if taken > offers.len() {
            return None;
        }
        if watch.holds(&with(taken)) {
            return Some(taken);
        }
        taken += more;
        more *= 2;
    }
}

/// The first number from 0 to `most` with a property that all later ones have too; `most + 1` if none has it.
fn first(most: usize, mut is: impl FnMut(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, most + 1);
    while low < high {
        let middle = low.midpoint(high);
        if is(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// Rows without some of them.
fn without(rows: &[u32], gone: &mut [u32]) -> Vec<u32> {
    gone.sort_unstable();
    rows.iter().copied().filter(|row| gone.binary_search(row).is_err()).collect()
}

/// Puts things into a random order.
fn shuffle<T>(random: &mut Random, things: &mut [T]) {
    for last in (1..things.len()).rev() {
        things.swap(last, random.below(last as u32 + 1) as usize);
    }
}
