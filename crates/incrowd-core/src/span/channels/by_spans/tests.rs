//! The proof by spans against a complete search by integer programs, which is compared with all worlds elsewhere.

use super::super::{Exact, Knowledge, Limits};
use super::*;
use crate::random::Random;

/// Rows with the items of some attributes.
struct Rows {
    facts: Vec<ItemFacts>,
    having: Vec<Bits>,
    weights: Vec<u64>,
}

impl ItemRows for Rows {
    fn having(&self, item: u32) -> &Bits {
        &self.having[item as usize]
    }

    fn individuals(&self, row: usize) -> u64 {
        self.weights[row]
    }

    fn facts(&self, item: u32) -> ItemFacts {
        self.facts[item as usize]
    }
}

impl Rows {
    fn support(&self, set: &[u32]) -> u64 {
        let mut rows = Bits::full(self.weights.len());
        set.iter().for_each(|&item| rows.keep(&self.having[item as usize]));
        rows.iter().map(|row| self.weights[row]).sum()
    }
}

/// Up to two public and two private attributes of two or three values, of which all, or all but one, are items.
fn rows(random: &mut Random) -> Rows {
    let length = 3 + random.below(12) as usize;
    let (mut facts, mut having) = (Vec::new(), Vec::new());
    for attribute in 0..2 + random.below(3) {
        let public = attribute % 2 == 0;
        let values = 2 + random.below(2);
        let items = values - u32::from(random.percent(50));
        let often = 20 + random.below(70);
        let of_row: Vec<u32> =
            (0..length).map(|_| if random.percent(often) { 0 } else { random.below(values) }).collect();
        for item in 0..items {
            facts.push(ItemFacts { public, attribute, values: if public { 0 } else { values } });
            having.push(Bits::of(length, |row| of_row[row] == item));
        }
    }
    let weights = (0..length).map(|_| 1 + u64::from(random.below(6))).collect();
    Rows { facts, having, weights }
}

#[test]
fn what_is_proven_by_spans_has_no_small_cell() {
    let (mut proven, mut refused, mut small) = (0, 0, 0);
    for seed in 0..1500 {
        let mut random = Random::of(seed, 7);
        let rows = rows(&mut random);
        let least = 2 + u64::from(random.below(4));
        let total = rows.support(&[]);
        let support = |set: &[u32]| rows.support(set);
        let mut proof = SpanProof::new(least, &rows, rows.weights.len());
        let mut knowledge = Knowledge::new(total, rows.facts.clone());
        let is_private = |item: &u32| !rows.facts[*item as usize].public;
        for _ in 0..=random.below(5) {
            let mut set: Vec<u32> = (0..rows.facts.len() as u32).filter(|_| random.percent(35)).collect();
            let mut seen = HashSet::new();
            set.retain(|&item| seen.insert(rows.facts[item as usize].attribute));
            if set.is_empty() {
                continue;
            }
            let mark = knowledge.mark();
            knowledge.publish(&set, &support).unwrap();
            if !set.iter().any(is_private) {
                continue;
            }
            let all: Vec<u32> = (0..rows.facts.len() as u32)
                .filter(|item| !is_private(item) || knowledge.published_with.contains_key(item))
                .collect();
            let limits = Limits { every: least, joint: 0 };
            let cells = knowledge.exact_within(&all, &limits, &support, true, &[]);
            let is_proven = proof.publish(&[&set]);
            if is_proven {
                assert_eq!(cells, Exact::Cells(Vec::new()), "seed {seed}: {set:?}, least {least}");
                proven += 1;
            } else {
                small += u32::from(cells != Exact::Cells(Vec::new()));
                refused += 1;
                knowledge.undo(mark);
            }
        }
    }
    assert!(proven > 300 && refused > 300 && small * 3 > refused, "{proven}, {refused}, {small}");
}

/// All have the private item: one individual with the public item is known to have it, too. With enough who lack it, any
/// public items may be combined.
#[test]
fn what_nearly_everyone_has_is_not_proven() {
    let private = ItemFacts { public: false, attribute: 1, values: 2 };
    let with = |lack: u64| Rows {
        facts: vec![private],
        having: vec![Bits::of(2, |row| row == 0)],
        weights: vec![20 - lack, lack],
    };
    let is_proven = |lack: u64| {
        let rows = with(lack);
        SpanProof::new(3, &rows, 2).publish(&[&[0]])
    };
    assert_eq!([0, 1, 2, 3, 17, 18].map(is_proven), [false, false, false, true, true, false]);
}
