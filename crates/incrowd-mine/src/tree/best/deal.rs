//! Deals the rows to the folds of a cross-validation.

use super::coarse::Coarse;
use crate::sample::weight_of;
use crate::tree::params::CheckedTreeParams;
use incrowd_core::random::scattered;
use incrowd_core::table::{Column, People, Table};

/// The number of parts that the rows are divided into.
pub(super) const FOLDS: u64 = 8;

/// Makes the marks of one deal differ from those of another.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A part of the rows that is held out.
pub(super) struct Fold {
    /// The number of held-out individuals of each row.
    pub(super) held: Vec<u32>,
    /// The others.
    pub(super) kept: Coarse,
    pub(super) params: CheckedTreeParams,
}

impl Fold {
    /// The fold with this number of a deal, with the parameters for the share of the rows that are kept.
    pub(super) fn new(
        coarse: &Coarse,
        deal: &[u64],
        number: u64,
        params: impl Fn(f64) -> CheckedTreeParams,
    ) -> Self {
        let table = &coarse.table;
        let held: Vec<u32> =
            deal.iter().enumerate().map(|(row, &first)| held(table.weight(row), first, number)).collect();
        let kept: Vec<u32> = held.iter().enumerate().map(|(row, held)| table.weight(row) - held).collect();
        let kept = coarse.weighted(&kept);
        let share = weight_of(&kept.table) as f64 / weight_of(table).max(1) as f64;
        Self { held, kept, params: params(share) }
    }
}

/// For each deal and each row the fold of its first individual, modulo [`FOLDS`]; the others follow one by one. With a
/// class, each class value is dealt evenly: its rows one after the other, in the order of their marks.
///
/// The first deal without a class is by the marks themselves.
pub(super) fn deals(table: &Table, marks: &[u64], repeats: u64, class: Option<&Column>) -> Vec<Vec<u64>> {
    // The rows of a subject, who may have several class values, have the same mark and go all to one fold.
    let class = class.filter(|_| !matches!(table.people(), People::Subjects { .. }));
    let deal = |repeat: u64| {
        let marked =
            |&mark: &u64| if repeat == 0 { mark } else { scattered(mark ^ repeat.wrapping_mul(STEP)) };
        let marks: Vec<u64> = marks.iter().map(marked).collect();
        match class {
            None => marks.iter().map(|mark| mark >> 32).collect(),
            Some(class) => in_turn(table, &marks, class),
        }
    };
    (0..repeats).map(deal).collect()
}

/// The place of each row's first individual, class by class.
fn in_turn(table: &Table, marks: &[u64], class: &Column) -> Vec<u64> {
    let mut rows: Vec<usize> = (0..marks.len()).collect();
    rows.sort_by_key(|&row| (class.code(row), marks[row]));
    let mut places = vec![0; marks.len()];
    let mut next = 0;
    for row in rows {
        places[row] = next;
        next += u64::from(table.weight(row));
    }
    places
}

/// How many of the individuals of a row are in a fold: they are dealt to the folds one after the other.
fn held(weight: u32, first: u64, fold: u64) -> u32 {
    let first = (fold + FOLDS - first % FOLDS) % FOLDS;
    u32::try_from((u64::from(weight) + FOLDS - 1 - first) / FOLDS).unwrap_or(weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(weights: &[u32]) -> (Table, Column) {
        let classes: Vec<_> =
            (0..weights.len()).map(|row| Some(if row % 3 == 0 { "a" } else { "b" })).collect();
        let class = Column::from_texts("class", &classes);
        (Table::new(vec![class.clone()], People::Weights(weights.to_vec())).expect("a table"), class)
    }

    #[test]
    fn every_class_value_is_dealt_evenly_and_every_individual_once() {
        let weights: Vec<u32> = (1..40).map(|n| n % 5 + 1).collect();
        let (table, class) = table(&weights);
        let marks: Vec<u64> = (0..weights.len() as u64).map(scattered).collect();
        for deal in deals(&table, &marks, 3, Some(&class)) {
            let mut all = vec![0; weights.len()];
            let mut sizes = Vec::new();
            for fold in 0..FOLDS {
                let held: Vec<u32> = (0..all.len()).map(|row| held(weights[row], deal[row], fold)).collect();
                all.iter_mut().zip(&held).for_each(|(all, held)| *all += held);
                sizes.push((0..all.len()).filter(|row| row % 3 == 0).map(|row| held[row]).sum::<u32>());
            }
            assert_eq!(all, weights);
            assert!(
                sizes.iter().max().expect("folds") - sizes.iter().min().expect("folds") <= 1,
                "{sizes:?}"
            );
        }
    }

    #[test]
    fn deals_differ() {
        let (table, class) = table(&[1; 40]);
        let marks: Vec<u64> = (0..40).map(scattered).collect();
        let deals = deals(&table, &marks, 2, Some(&class));
        assert_ne!(deals[0], deals[1]);
    }
}
