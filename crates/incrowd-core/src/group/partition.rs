//! Long keys: sorted by their leading bits into partitions, block of rows by block of rows.

use super::Grouping;
use super::keys::Keys;
use super::tally::{Tally, spread};
use rayon::prelude::*;
use std::ops::Range;

/// Rows sorted at a time: keys and their sorted copy fit a core's own cache.
const BLOCK: usize = 1 << 16;

/// The number of keys in a partition, so that its table fits a core's own cache.
const PARTITION: usize = 1 << 14;

/// The most partitions: what a core can write to side by side.
const MOST_BITS: u32 = 10;

/// What goes along with each key.
#[derive(Clone, Copy)]
pub(super) enum Tags<'a> {
    /// Nothing.
    None,
    /// Its row.
    Rows,
    /// Its row's weight.
    Weights(&'a [u32]),
}

/// Spread keys, within each block of rows sorted by partition and then by row.
pub(super) struct Partitioned {
    keys: Vec<u64>,
    /// As long as `keys`, or empty.
    tags: Vec<u32>,
    /// For each block, where each partition begins in it; one entry more than partitions.
    starts: Vec<Vec<u32>>,
    bits: u32,
}

impl Partitioned {
    pub(super) fn new(keys: &Keys<'_>, tags: Tags<'_>) -> Self {
        let rows = keys.rows();
        let bits = rows.div_ceil(PARTITION).next_power_of_two().trailing_zeros().min(MOST_BITS);
        let tagged = if matches!(tags, Tags::None) { 0 } else { rows };
        let (mut sorted, mut tag_of) = (vec![0; rows], vec![0; tagged]);
        // Without tags every block gets an empty slice of them.
        let mut tag_blocks: Vec<&mut [u32]> = tag_of.chunks_mut(BLOCK).collect();
        tag_blocks.resize_with(rows.div_ceil(BLOCK), Default::default);
        let blocks = keys.blocks(BLOCK).zip(sorted.par_chunks_mut(BLOCK)).zip(tag_blocks);
        let starts = blocks.map_init(Vec::new, |packed, ((rows, sorted), tag_of)| {
            packed.resize(rows.len(), 0);
            keys.pack(rows.clone(), packed);
            let starts = count(packed, bits);
            match tags {
                Tags::None => scatter(packed, bits, &starts, |place, key, _| sorted[place] = key),
                Tags::Rows => scatter(packed, bits, &starts, |place, key, i| {
                    (sorted[place], tag_of[place]) = (key, (rows.start + i) as u32);
                }),
                Tags::Weights(weights) => scatter(packed, bits, &starts, |place, key, i| {
                    (sorted[place], tag_of[place]) = (key, weights[rows.start + i]);
                }),
            }
            starts
        });
        let starts = starts.collect();
        Self { keys: sorted, tags: tag_of, starts, bits }
    }

    /// The number of partitions.
    pub(super) fn count(&self) -> usize {
        1 << self.bits
    }

    /// An empty table for the keys of a partition.
    pub(super) fn tally(&self) -> Tally {
        Tally::new(self.bits)
    }

    /// Counts the individuals with each key of a partition.
    pub(super) fn tally_sizes(&self, partition: usize, tally: &mut Tally) {
        tally.clear(self.expected(partition));
        for range in self.ranges(partition) {
            if self.tags.is_empty() {
                self.keys[range].iter().for_each(|&key| *tally.number(key) += 1);
            } else {
                for (&key, &weight) in self.keys[range.clone()].iter().zip(&self.tags[range]) {
                    *tally.number(key) += u64::from(weight);
                }
            }
        }
    }

    /// The number of each key of a partition, counted from 0 in order of first appearance, and how many there are.
    fn numbers(&self, partition: usize, tally: &mut Tally) -> (Vec<u32>, u32) {
        tally.clear(self.expected(partition));
        let mut numbers = Vec::with_capacity(self.len(partition));
        for range in self.ranges(partition) {
            for &key in &self.keys[range] {
                let next = tally.len() as u64 + 1;
                let number = tally.number(key);
                if *number == 0 {
                    *number = next;
                }
                numbers.push((*number - 1) as u32);
            }
        }
        (numbers, tally.len() as u32)
    }

    fn len(&self, partition: usize) -> usize {
        self.ranges(partition).map(|range| range.len()).sum()
    }

    /// How many different keys to make room for: a few common keys can make a partition much longer than others.
    fn expected(&self, partition: usize) -> usize {
        self.len(partition).min(2 * self.keys.len() / self.count())
    }

    fn ranges(&self, partition: usize) -> impl Iterator<Item = Range<usize>> {
        self.starts.iter().enumerate().map(move |(block, starts)| {
            let first = block * BLOCK;
            first + starts[partition] as usize..first + starts[partition + 1] as usize
        })
    }
}

/// The groups of rows with equal keys.
pub(super) fn group(keys: &Keys<'_>) -> Grouping {
    let parts = Partitioned::new(keys, Tags::Rows);
    let numbered: Vec<(Vec<u32>, u32)> = (0..parts.count())
        .into_par_iter()
        .map_init(|| parts.tally(), |tally, partition| parts.numbers(partition, tally))
        .collect();
    let first_number = running_sums(numbered.iter().map(|(_, count)| *count));
    let mut of_row = vec![0; keys.rows()];
    let places = places_in_partitions(&parts);
    of_row.par_chunks_mut(BLOCK).enumerate().for_each(|(block, of_row)| {
        let first_row = block * BLOCK;
        for (partition, (numbers, _)) in numbered.iter().enumerate() {
            let range = parts.starts[block][partition] as usize..parts.starts[block][partition + 1] as usize;
            let rows = &parts.tags[first_row + range.start..first_row + range.end];
            for (&row, &number) in rows.iter().zip(&numbers[places[block][partition] as usize..]) {
                of_row[row as usize - first_row] = first_number[partition] + number;
            }
        }
    });
    let count = first_number[parts.count()];
    number_by_appearance(&mut of_row, count);
    Grouping { of_row, count }
}

/// For each block, how many keys of each partition lie in earlier blocks.
fn places_in_partitions(parts: &Partitioned) -> Vec<Vec<u32>> {
    let mut before = vec![0; parts.count()];
    let places = parts.starts.iter().map(|starts| {
        let here = before.clone();
        for (sum, ends) in before.iter_mut().zip(starts.windows(2)) {
            *sum += ends[1] - ends[0];
        }
        here
    });
    places.collect()
}

/// Gives numbers below `count` in order of first appearance.
fn number_by_appearance(numbers: &mut [u32], count: u32) {
    let mut renumbered = vec![u32::MAX; count as usize];
    let mut next = 0;
    for number in numbers {
        let new = &mut renumbered[*number as usize];
        if *new == u32::MAX {
            *new = next;
            next += 1;
        }
        *number = *new;
    }
}

/// Spreads the keys of a block and counts them by partition; returns where each partition begins.
fn count(keys: &mut [u64], bits: u32) -> Vec<u32> {
    let mut counts = vec![0; 1 << bits];
    for key in keys {
        *key = spread(*key);
        counts[partition_of(*key, bits)] += 1;
    }
    running_sums(counts.into_iter())
}

/// Hands each key with its place in partition order to `put`.
fn scatter(keys: &[u64], bits: u32, starts: &[u32], mut put: impl FnMut(usize, u64, usize)) {
    let mut next = starts.to_vec();
    for (i, &key) in keys.iter().enumerate() {
        let place = &mut next[partition_of(key, bits)];
        put(*place as usize, key, i);
        *place += 1;
    }
}

fn partition_of(key: u64, bits: u32) -> usize {
    // Two shifts, because with a single partition one would be by all 64 bits.
    ((key >> 1) >> (u64::BITS - 1 - bits)) as usize
}

/// The sum of all numbers before each, and of all at the end.
fn running_sums(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut sum = 0;
    let after = numbers.map(|number| {
        sum += number;
        sum
    });
    std::iter::once(0).chain(after.collect::<Vec<_>>()).collect()
}
