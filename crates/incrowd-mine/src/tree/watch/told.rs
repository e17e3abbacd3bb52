//! What a span reveals about a private attribute: which of its values lead to different leaves.
//!
//! Two values are one to a span if the same leaves of the span can be reached with either. These distinguished values
//! are counted.

use super::people::{Held, individuals_by};
use crate::tree::histogram::Histogram;
use crate::tree::reach::Reach;
use crate::tree::scratch::{Scratch, with_scratch};
use crate::tree::task::{Attribute, Task};
use hashbrown::HashMap;
use incrowd_core::guarantee::Whole;
use incrowd_core::model::Domain;
use incrowd_core::table::{Column, Kind, Table};
use std::cell::Cell;

thread_local! {
    static LEADS: Scratch<u64> = const { Cell::new(Vec::new()) };
}

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
        let column = task.class.column;
        let whole = Self::whole(task, task.class.table, column);
        Self::new(column, (0..=task.class.count as u32).collect(), task.class.possible, whole.as_ref())
    }

    /// The codes of a column among all rows, where the guarantee compares spans with these.
    pub(super) fn whole(task: &Task<'_>, table: &Table, column: &Column) -> Option<Held> {
        task.guarantee.compares_with_table().then(|| Held::of_column(task, table, column))
    }

    /// An attribute of which the leaves of a span can be reached with these values; none if the span does not
    /// distinguish them. `whole` are its codes among all rows, where they matter.
    pub(super) fn private(
        attribute: &Attribute<'a>,
        reaches: &[&Reach],
        whole: Option<&Held>,
    ) -> Option<Self> {
        if reaches.is_empty() {
            return None;
        }
        let (of_code, values) = with_scratch(&LEADS, |leads| {
            let cell_of_code = cells(attribute, reaches, leads);
            let mut number: HashMap<&[u64], u32> = HashMap::new();
            let told = |leads| {
                let next = number.len() as u32;
                *number.entry(leads).or_insert(next)
            };
            let told_of_cell: Vec<u32> = leads.chunks_exact(reaches.len().div_ceil(64)).map(told).collect();
            let told = |cell: u32| told_of_cell.get(cell as usize).copied().unwrap_or(0);
            (cell_of_code.into_iter().map(told).collect(), number.len())
        });
        (values > 1).then(|| Self::new(attribute.column, of_code, values, whole))
    }

    fn new(column: &'a Column, of_code: Vec<u32>, values: usize, whole: Option<&Held>) -> Self {
        let whole = match (whole, column.kind()) {
            (None, _) => Whole::new(vec![0; values]),
            (Some(held), kind) => {
                let mut counts = Vec::new();
                held.append_by(values, |(code, _)| of_code[code as usize] as usize, &mut counts);
                let whole = Whole::new(counts);
                if kind == Kind::Categorical { whole.without_order() } else { whole }
            }
        };
        Self { column, of_code, whole, number: 0 }
    }

    /// The number of elements.
    pub(super) fn size(&self) -> usize {
        self.of_code.len() + self.whole.values()
    }

    /// The number of distinguished values.
    pub(super) fn values(&self) -> usize {
        self.whole.values()
    }

    /// The value of each code.
    pub(super) fn of_code(&self) -> &[u32] {
        &self.of_code
    }

    /// The value of a row.
    pub(super) fn value(&self, row: u32) -> u32 {
        self.of_code[self.column.code(row as usize) as usize]
    }

    /// The individuals with each distinguished value among some rows.
    pub(super) fn count(&self, task: &Task<'_>, rows: &[u32]) -> Vec<u64> {
        individuals_by(task, rows, self.values(), |row| self.value(row) as usize)
    }

    /// The same from the counts of the attribute's codes, where individuals have one row, at the end of a list.
    pub(super) fn append_sum(&self, counts: &Histogram, list: &mut Vec<u64>) {
        let start = list.len();
        list.resize(start + self.values(), 0);
        for (code, of_code) in counts.iter() {
            list[start + self.of_code[code as usize] as usize] += of_code.iter().sum::<u64>();
        }
    }

    /// The same from the codes that each individual has.
    pub(super) fn append_among(&self, held: &Held, list: &mut Vec<u64>) {
        held.append_by(self.values(), |(code, _)| self.of_code[code as usize] as usize, list);
    }
}

/// The values of an attribute in the coarsest cells that no leaf divides: for each cell which leaves it leads to, in
/// words of 64 leaves, from the lowest cell to the highest and missing values last. Returns the cell of each code.
fn cells(attribute: &Attribute<'_>, reaches: &[&Reach], leads: &mut Vec<u64>) -> Vec<u32> {
    let values = attribute.column.values();
    let missing = usize::from(attribute.model.missing);
    let mut add = |has: &dyn Fn(&Reach) -> bool| {
        let bits = |part: &[&Reach]| {
            (0..).zip(part).fold(0, |bits, (bit, reach)| bits | u64::from(has(reach)) << bit)
        };
        leads.extend(reaches.chunks(64).map(bits));
    };
    match &attribute.model.domain {
        Domain::Values(names) => {
            (0..names.len() + missing).for_each(|place| add(&|reach| reach.has_value(place)));
            (0..values.len() as u32).chain([names.len() as u32]).collect()
        }
        Domain::Numbers { low, high } => {
            let cuts = cuts(reaches, *low, *high);
            cuts.iter().chain([high]).for_each(|&end| add(&|reach| holds_number(reach, end)));
            (0..missing).for_each(|_| add(&|reach| reach.has_value(0)));
            let cell = |number: &f64| cuts.partition_point(|cut| cut < number) as u32;
            let of_code = values.numbers().unwrap_or(&[]).iter().map(cell);
            of_code.chain([cuts.len() as u32 + 1]).collect()
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
