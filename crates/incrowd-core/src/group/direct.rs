//! Short keys: one array slot per key.

use super::Grouping;
use super::keys::Keys;
use rayon::prelude::*;

/// The longest keys that are counted in arrays: these fit a core's cache.
const MOST_BITS: u32 = 18;

const BLOCK: usize = 1 << 16;

/// Whether keys are short enough, and rows many enough to be worth the arrays.
pub(super) fn suits(keys: &Keys<'_>) -> bool {
    keys.bits() <= MOST_BITS && 1 << keys.bits() <= keys.rows().max(1 << 10)
}

/// The groups of rows with equal keys.
pub(super) fn group(keys: &Keys<'_>) -> Grouping {
    let first = first_rows(keys);
    let mut found: Vec<u32> =
        (0..first.len() as u32).filter(|&key| first[key as usize] != u32::MAX).collect();
    found.sort_unstable_by_key(|&key| first[key as usize]);
    let mut number = first;
    for (group, &key) in found.iter().enumerate() {
        number[key as usize] = group as u32;
    }
    let mut of_row = vec![0; keys.rows()];
    let work = of_row.par_chunks_mut(BLOCK).zip(keys.blocks(BLOCK));
    work.for_each_init(Vec::new, |packed, (groups, rows)| {
        packed.resize(rows.len(), 0);
        keys.pack(rows, packed);
        for (group, &key) in groups.iter_mut().zip(packed.iter()) {
            *group = number[key as usize];
        }
    });
    Grouping { of_row, count: found.len() as u32 }
}

/// The number of individuals who have each key that occurs; `weights` is empty where each row is one.
pub(super) fn sizes(keys: &Keys<'_>, weights: &[u32]) -> Vec<u64> {
    let empty = || (vec![0_u64; 1 << keys.bits()], Vec::new());
    let counted = keys.blocks(BLOCK).fold(empty, |(mut sizes, mut packed), rows| {
        packed.resize(rows.len(), 0);
        keys.pack(rows.clone(), &mut packed);
        match weights.get(rows) {
            Some(weights) if !weights.is_empty() => {
                packed
                    .iter()
                    .zip(weights)
                    .for_each(|(&key, &weight)| sizes[key as usize] += u64::from(weight));
            }
            _ => packed.iter().for_each(|&key| sizes[key as usize] += 1),
        }
        (sizes, packed)
    });
    let add = |a: Vec<u64>, b: Vec<u64>| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
    let sizes = counted.map(|(sizes, _)| sizes).reduce_with(add).unwrap_or_default();
    sizes.into_iter().filter(|&size| size != 0).collect()
}

/// The first row of each key, `u32::MAX` for keys that do not occur.
fn first_rows(keys: &Keys<'_>) -> Vec<u32> {
    let empty = || (vec![u32::MAX; 1 << keys.bits()], Vec::new());
    let found = keys.blocks(BLOCK).fold(empty, |(mut first, mut packed), rows| {
        packed.resize(rows.len(), 0);
        keys.pack(rows.clone(), &mut packed);
        for (row, &key) in rows.zip(packed.iter()) {
            let slot = &mut first[key as usize];
            *slot = (*slot).min(row as u32);
        }
        (first, packed)
    });
    let least = |a: Vec<u32>, b: Vec<u32>| a.into_iter().zip(b).map(|(a, b)| a.min(b)).collect();
    found.map(|(first, _)| first).reduce_with(least).unwrap_or_default()
}
