//! Numbers turned into few intervals that retain as much information about the class as possible.
//!
//! Paper: Fayyad and Irani, "Multi-interval discretization of continuous-valued attributes for classification
//! learning", IJCAI 1993; what it leaves open as in Weka's supervised `Discretize`.
//!
//! A set of rows is cut between two neighbouring numbers where the class entropy of the parts is lowest, the first such
//! place, if the gain exceeds the description cost of the cut: *gain* > [log₂(*n* − 1) + log₂(3^*c* − 2) − (*c·H* −
//! *c₁·H₁* − *c₂·H₂*)] / *n*, with *c* classes in the set and *c₁*, *c₂* in its parts. Then the parts are cut in the
//! same way. A row counts as often as its weight; rows without a number are left out.
//!
//! A cut is put on a short decimal between its two neighbours and is never the value of an individual. Neighbours
//! without a number in between are not separated. A cut between dates is the end of a year, quarter or month between
//! them, or a day in the middle; between neighbouring days it is the first of them.
//!
//! Running time: one pass over the distinct values of a set for every set.

use incrowd_core::table::{Column, Date, Table};
use incrowd_core::taxonomy::short_decimal_between;
use std::ops::Range;

/// Entropies of all rows closer than this, in bits, are equal.
const CLOSE: f64 = 1e-9;

/// The cuts of a numeric column of a table, ascending; none where no cut is worthwhile. Intervals contain their upper
/// cut, which is not the value of an individual.
///
/// Fitted to the rows given: cuts made from rows that a model is later tested with would leak information about them.
pub fn fayyad_irani(table: &Table, column: &Column, class: &Column) -> Vec<f64> {
    let Some(numbers) = column.values().numbers() else { return Vec::new() };
    let cells = Cells::new(table, column, class, numbers);
    let mut behind: Vec<usize> = Vec::new();
    let all = 0..cells.numbers.len();
    let mut next = vec![all];
    while let Some(set) = next.pop() {
        if let Some(cut) = cells.cut(&set) {
            behind.push(cut);
            next.push(set.start..cut + 1);
            next.push(cut + 1..set.end);
        }
    }
    behind.sort_unstable();
    let between = if column.is_in_days() { Date::day_between } else { short_decimal_between };
    behind.iter().map(|&cut| between(cells.numbers[cut], cells.numbers[cut + 1])).collect()
}

/// The numbers that occur, ascending, and how often each goes with each class.
struct Cells {
    numbers: Vec<f64>,
    classes: usize,
    /// Number by number, class by class.
    counts: Vec<u64>,
}

impl Cells {
    fn new(table: &Table, column: &Column, class: &Column, numbers: &[f64]) -> Self {
        let classes = class.code_count();
        let mut counts = vec![0; numbers.len() * classes];
        for (row, (code, class)) in column.codes().iter().zip(class.codes()).enumerate() {
            if (code as usize) < numbers.len() {
                counts[code as usize * classes + class as usize] += u64::from(table.weight(row));
            }
        }
        let mut cells = Self { numbers: Vec::new(), classes, counts: Vec::new() };
        for (&number, counts) in numbers.iter().zip(counts.chunks_exact(classes.max(1))) {
            if counts.iter().any(|&n| n > 0) {
                cells.numbers.push(number);
                cells.counts.extend_from_slice(counts);
            }
        }
        cells
    }

    fn of(&self, cell: usize) -> &[u64] {
        &self.counts[cell * self.classes..(cell + 1) * self.classes]
    }

    /// The number that a set is best cut behind, if that pays.
    fn cut(&self, set: &Range<usize>) -> Option<usize> {
        let mut above = vec![0; self.classes];
        set.clone().for_each(|cell| above.iter_mut().zip(self.of(cell)).for_each(|(sum, n)| *sum += n));
        let whole = Side::of(&above);
        let mut below = vec![0; self.classes];
        let mut best: Option<(usize, Side, Side)> = None;
        let mut lowest = whole.bits();
        for cell in set.start..set.end.saturating_sub(1) {
            for ((below, above), n) in below.iter_mut().zip(&mut above).zip(self.of(cell)) {
                *below += n;
                *above -= n;
            }
            let (low, high) = (Side::of(&below), Side::of(&above));
            let bits = low.bits() + high.bits();
            if bits < lowest - CLOSE && self.numbers[cell].next_up() < self.numbers[cell + 1] {
                lowest = bits;
                best = Some((cell, low, high));
            }
        }
        let (cell, low, high) = best?;
        pays(&whole, &low, &high).then_some(cell)
    }
}

/// Rows on one side of a cut.
struct Side {
    size: f64,
    classes: f64,
    /// The class entropy of a row, in bits.
    entropy: f64,
}

impl Side {
    fn of(counts: &[u64]) -> Self {
        let size = counts.iter().sum::<u64>() as f64;
        let occurring = counts.iter().filter(|&&n| n > 0).map(|&n| n as f64);
        let classes = occurring.clone().count() as f64;
        let bits: f64 = occurring.map(|n| n * (size / n).log2()).sum();
        Self { size, classes, entropy: if size > 0.0 { bits / size } else { 0.0 } }
    }

    /// The class entropy of all its rows.
    fn bits(&self) -> f64 {
        self.size * self.entropy
    }
}

/// Fayyad and Irani's criterion.
fn pays(whole: &Side, low: &Side, high: &Side) -> bool {
    let gain = whole.entropy - (low.bits() + high.bits()) / whole.size;
    let told = whole.classes * whole.entropy - low.classes * low.entropy - high.classes * high.entropy;
    let cost = (whole.size - 1.0).log2() + log_of_divisions(whole.classes) - told;
    gain > cost / whole.size
}

/// log₂(3^c − 2), also where 3^c overflows.
fn log_of_divisions(classes: f64) -> f64 {
    if classes > 100.0 { classes * 3_f64.log2() } else { (3_f64.powf(classes) - 2.0).log2() }
}
