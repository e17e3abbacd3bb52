//! What a span reveals about a private attribute: which of its values lead to different leaves.
//!
//! Two values are one to a span if the same leaves of the span can be reached with either. These distinguished values
//! are counted.

use super::people::{Held, individuals_by};
use crate::tree::histogram::Histogram;
use crate::tree::reach::Reach;
use crate::tree::task::{Attribute, Task};
use hashbrown::HashMap;
use incrowd_core::bits::Bits;
use incrowd_core::guarantee::Whole;
use incrowd_core::model::Domain;
use incrowd_core::table::{Column, Kind};

/// A private attribute as a span distinguishes it.
#[derive(Debug, Clone)]
pub(super) struct DistinguishedAttribute<'a> {
    column: &'a Column,
    of_code: Vec<u32>,
    pub(super) whole: Whole,
    /// A number of its own, under which counts by its values are kept; 0 where none are.
    pub(super) number: u32,
}

impl<'a> DistinguishedAttribute<'a> {
    /// The class: every span distinguishes its values.
    pub(super) fn class(task: &Task<'a>) -> Self {
        let (count, possible) = (task.class.count, task.class.possible);
        Self::new(task, task.class.column, (0..=count as u32).collect(), possible, None)
    }

    /// An attribute of which the leaves of a span can be reached with these values; none if the span does not
    /// distinguish them. `by_code` are the counts of its codes among all rows, where there are such.
    pub(super) fn private(
        task: &Task<'a>,
        attribute: &Attribute<'a>,
        reaches: &[&Reach],
        by_code: Option<&[u64]>,
    ) -> Option<Self> {
        let (cells, cell_of_code) = cells(attribute, reaches);
        let mut number: HashMap<Bits, u32> = HashMap::new();
        let mut told_of_cell = Vec::with_capacity(cells.len());
        for leads in cells {
            let next = number.len() as u32;
            told_of_cell.push(*number.entry(leads).or_insert(next));
        }
        if number.len() < 2 {
            return None;
        }
        let told = |cell: u32| told_of_cell.get(cell as usize).copied().unwrap_or(0);
        let of_code = cell_of_code.into_iter().map(told).collect();
        Some(Self::new(task, attribute.column, of_code, number.len(), by_code))
    }

    fn new(
        task: &Task<'a>,
        column: &'a Column,
        of_code: Vec<u32>,
        values: usize,
        by_code: Option<&[u64]>,
    ) -> Self {
        let whole = Whole::new(vec![0; values]);
        let mut told = Self { column, of_code, whole, number: 0 };
        if !task.guarantee.compares_with_table() {
            return told;
        }
        let mut counts = vec![0; values];
        if let Some(by_code) = by_code {
            told.of_code.iter().zip(by_code).for_each(|(&value, n)| counts[value as usize] += n);
        } else {
            let everyone: Vec<u32> = (0..task.table.rows() as u32).collect();
            counts = told.count(task, &everyone);
        }
        told.whole = match column.kind() {
            Kind::Categorical => Whole::new(counts).without_order(),
            _ => Whole::new(counts),
        };
        told
    }

    /// The number of elements.
    pub(super) fn size(&self) -> usize {
        self.of_code.len() + self.whole.values()
    }

    /// How often each code of an attribute occurs; none where individuals have several rows, who count once with
    /// whatever is revealed about them.
    pub(super) fn by_code(task: &Task<'_>, attribute: &Attribute<'_>) -> Option<Vec<u64>> {
        if task.has_subjects() {
            return None;
        }
        let mut counts = vec![0; attribute.column.code_count()];
        let codes = attribute.column.codes().iter().enumerate();
        codes.for_each(|(row, code)| counts[code as usize] += u64::from(task.table.weight(row)));
        Some(counts)
    }

    /// The number of distinguished values.
    pub(super) fn values(&self) -> usize {
        self.whole.values()
    }

    /// The value of a row.
    pub(super) fn value(&self, row: u32) -> u32 {
        self.of_code[self.column.code(row as usize) as usize]
    }

    /// The individuals with each distinguished value among some rows.
    pub(super) fn count(&self, task: &Task<'_>, rows: &[u32]) -> Vec<u64> {
        individuals_by(task, rows, self.values(), |row| self.value(row) as usize)
    }

    /// The same from the counts of the attribute's codes, where individuals have one row.
    pub(super) fn sum(&self, counts: &Histogram) -> Vec<u64> {
        let mut sums = vec![0; self.values()];
        for (code, of_code) in counts.iter() {
            sums[self.of_code[code as usize] as usize] += of_code.iter().sum::<u64>();
        }
        sums
    }

    /// The same from the codes that each individual has.
    pub(super) fn among(&self, held: &Held) -> Vec<u64> {
        held.by(self.values(), |code| self.of_code[code as usize] as usize)
    }
}

/// The values of an attribute in the coarsest cells that no leaf divides: for each cell the leaves it leads to, from
/// the lowest cell to the highest and missing values last; and the cell of each code.
fn cells(attribute: &Attribute<'_>, reaches: &[&Reach]) -> (Vec<Bits>, Vec<u32>) {
    let values = attribute.column.values();
    let missing = usize::from(attribute.model.missing);
    let which = |has: &dyn Fn(&Reach) -> bool| Bits::of(reaches.len(), |leaf| has(reaches[leaf]));
    match &attribute.model.domain {
        Domain::Values(names) => {
            let leads = |place: usize| which(&|reach| reach.has_value(place));
            let cells = (0..names.len() + missing).map(leads).collect();
            (cells, (0..values.len() as u32).chain([names.len() as u32]).collect())
        }
        Domain::Numbers { low, high } => {
            let cuts = cuts(reaches, *low, *high);
            let leads = |end: f64| which(&|reach| holds_number(reach, end));
            let numbers = cuts.iter().copied().chain([*high]).map(leads);
            let missing_leads = || which(&|reach| reach.has_value(0));
            let cells = numbers.chain((0..missing).map(|_| missing_leads())).collect();
            let cell = |number: &f64| cuts.partition_point(|cut| cut < number) as u32;
            let of_code = values.numbers().unwrap_or(&[]).iter().map(cell);
            (cells, of_code.chain([cuts.len() as u32 + 1]).collect())
        }
    }
}

/// The ends of all intervals that lie within the declared range.
fn cuts(reaches: &[&Reach], low: f64, high: f64) -> Vec<f64> {
    let ends = |reach: &&Reach| match reach {
        Reach::Numbers { above, up_to, .. } => [*above, *up_to],
        Reach::Names(_) => [f64::INFINITY; 2],
    };
    let mut cuts: Vec<f64> = reaches.iter().flat_map(ends).filter(|cut| cut.is_finite()).collect();
    cuts.retain(|&cut| low <= cut && cut < high);
    cuts.sort_unstable_by(f64::total_cmp);
    cuts.dedup();
    cuts
}

fn holds_number(reach: &Reach, number: f64) -> bool {
    matches!(reach, Reach::Numbers { above, up_to, .. } if *above < number && number <= *up_to)
}
