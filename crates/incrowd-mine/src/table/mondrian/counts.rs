//! How often each code of an attribute occurs among some rows, and with which class.

use incrowd_core::table::{Code, Codes, People, Table};
use incrowd_core::with_codes;

/// Codes that occur, ascending, with the weight of their rows; and by class, where classes are requested.
pub(super) struct Counts {
    pub(super) codes: Vec<u32>,
    pub(super) weights: Vec<u64>,
    /// The weight of each class, code by code; empty where classes are not requested.
    of_class: Vec<u64>,
    pub(super) classes: usize,
}

/// The class of each row, and how many classes there are.
pub(super) type Class<'t> = Option<(&'t Codes, usize)>;

impl Counts {
    /// One pass where rows are many against the codes, a sort where they are few.
    pub(super) fn of(table: &Table, codes: &Codes, size: usize, class: Class<'_>, rows: &[u32]) -> Self {
        let classes = class.map_or(0, |(_, count)| count);
        // Slots are numbered by code, then by class. What every row needs is computed once here.
        match (class, table.people()) {
            (None, People::Weights(weights)) => with_codes!(codes, codes => count(
                rows, size, classes, |row| codes[row].wide() as usize, |row| u64::from(weights[row]))),
            (None, _) => with_codes!(codes, codes => count(
                rows, size, classes, |row| codes[row].wide() as usize, |_| 1)),
            (Some((class, _)), _) => with_codes!(codes, codes => with_codes!(class, class => count(
                rows,
                size,
                classes,
                |row| codes[row].wide() as usize * classes + class[row].wide() as usize,
                |row| u64::from(table.weight(row)),
            ))),
        }
    }

    /// How many codes occur.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The weight of each class of the code at a place.
    pub(super) fn of_class(&self, place: usize) -> &[u64] {
        &self.of_class[place * self.classes..][..self.classes]
    }

    /// Adds to the weight of a slot; slots come in ascending order.
    fn add(&mut self, slot: usize, weight: u64) {
        let stride = self.classes.max(1);
        let code = (slot / stride) as u32;
        if self.codes.last() != Some(&code) {
            self.codes.push(code);
            self.weights.push(0);
            self.of_class.resize(self.of_class.len() + self.classes, 0);
        }
        let last = self.codes.len() - 1;
        self.weights[last] += weight;
        if self.classes > 0 {
            self.of_class[last * self.classes + slot % stride] += weight;
        }
    }
}

/// Counts rows by slot, `size` codes wide.
fn count(
    rows: &[u32],
    size: usize,
    classes: usize,
    slot: impl Fn(usize) -> usize,
    weight: impl Fn(usize) -> u64,
) -> Counts {
    let mut counts = Counts { codes: Vec::new(), weights: Vec::new(), of_class: Vec::new(), classes };
    if rows.len() * 4 < size {
        let mut slots: Vec<(usize, u64)> =
            rows.iter().map(|&row| (slot(row as usize), weight(row as usize))).collect();
        slots.sort_unstable_by_key(|&(slot, _)| slot);
        slots.into_iter().for_each(|(slot, weight)| counts.add(slot, weight));
        return counts;
    }
    let mut all = vec![0_u64; size * classes.max(1)];
    rows.iter().for_each(|&row| all[slot(row as usize)] += weight(row as usize));
    let occurring = all.into_iter().enumerate().filter(|&(_, weight)| weight > 0);
    occurring.for_each(|(slot, weight)| counts.add(slot, weight));
    counts
}
