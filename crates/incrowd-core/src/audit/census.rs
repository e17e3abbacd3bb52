//! Counts the individuals of every span: how many there are, which private values they have, and which requirements
//! they break.

use super::blurred::refuse_blurred;
use super::certainty::{Certainty, Judge};
use super::exchange::Exchange;
use super::measures::{AttributeMeasures, WorstMeasures};
use super::persons::Persons;
use super::view::{Tally, View};
use crate::error::{Error, Result};
use crate::group::{Grouping, group_rows, sizes};
use crate::guarantee::{Crowd, Guarantee, Requirement, distinct};
use crate::policy::{Policy, Role};
use crate::span::channels::Limits;
use crate::span::{Derived, Judgement, Linking};
use crate::table::{Column, People, Table};
use rayon::prelude::*;
use unions::UnionCounts;

#[cfg(test)]
mod tests;
mod unions;

/// Spans are processed in runs of about this many rows, whatever the number of threads.
const RUN: usize = 1 << 16;

/// The counts and measures of every span.
pub(super) struct Census {
    /// The individuals of each part of a span.
    pub(super) populations: Vec<u64>,
    /// For each part the individuals of its span.
    pub(super) joint: Vec<u64>,
    /// Whether the span of each part breaks the guarantee.
    pub(super) broken: Vec<bool>,
    /// For each requirement of the guarantee the number of spans that break it.
    pub(super) broken_by: Vec<u64>,
    /// For each sensitive attribute its measures over all spans.
    pub(super) measures: Vec<AttributeMeasures>,
    /// For each span, the smallest number of individuals who have the same spans in all rows as one of its individuals,
    /// if individuals have several rows.
    pub(super) alike: Option<Vec<u64>>,
    /// The number of individuals whose spans over all rows no other individual has, if individuals have several rows.
    pub(super) alone_over_rows: Option<u64>,
    /// For each sensitive attribute of whom something is certain.
    pub(super) certain: Vec<Certainty>,
    /// The smallest bin, if bins were counted.
    pub(super) smallest_bin: Option<u64>,
    /// In how many places only bounds were checked, because a joint span may be too many spans together.
    pub(super) bounded: u64,
    /// What the supports of rules reveal, if this is required.
    pub(super) derived: Option<Derived>,
    /// Why that could not be determined, if no requirement depends on it.
    pub(super) not_derived: Option<Error>,
}

impl Census {
    pub(super) fn take(
        table: &Table,
        policy: &Policy,
        linking: &Linking<'_>,
        guarantee: &Guarantee,
        in_scope: &[bool],
    ) -> Result<Self> {
        let views: Vec<View> = linking.sensitive.iter().map(|s| View::new(table, linking, s)).collect();
        refuse_blurred(&linking.sensitive, guarantee, in_scope, table.has_several_rows())?;
        let has_subjects = matches!(table.people(), People::Subjects { .. });
        let by_row = has_subjects || !views.iter().all(View::is_counted);
        let order = Order::new(table, linking, by_row);
        let (derived, not_derived) = derived(linking, guarantee)?;
        let smallest_bin = match (&derived, &linking.derived) {
            (Some(derived), _) if guarantee.asked_smallest_bin().is_some() => Some(derived.of_span.clone()),
            (_, Some(_)) => None,
            (_, None) => smallest_bins(table, policy, linking, guarantee),
        };
        let joint = match &linking.joint {
            Some(_) => linking.joint_populations(table, &[]),
            None => Vec::new(),
        };
        let exchange = Exchange::of(table, linking);
        let (alike, alone_over_rows) = alike(table, linking).unzip();
        let counter = Counter {
            table,
            linking,
            guarantee,
            in_scope,
            order,
            views,
            smallest_bin,
            joint,
            exchange,
            alike,
            unions: unions::connected_pieces(table, linking),
        };
        Ok(Self { alone_over_rows, derived, not_derived, ..counter.run()? })
    }
}

/// Rows by span: one permuted index array with one range per span.
pub(super) struct Order {
    /// Empty if the rows of a span are not needed.
    rows: Vec<u32>,
    start: Vec<u32>,
    /// The individuals of each span; empty where they are counted among its rows.
    populations: Vec<u64>,
}

impl Order {
    pub(super) fn new(table: &Table, linking: &Linking<'_>, by_row: bool) -> Self {
        let (of_row, spans) = (&linking.span_of_row, linking.spans);
        if !by_row {
            // What is left to do for a span does not depend on its rows.
            let start = (0..=spans as u32).collect();
            return Self { rows: Vec::new(), start, populations: sizes(of_row, spans, table) };
        }
        let mut start = vec![0_u32; spans + 1];
        of_row.iter().for_each(|&span| start[span as usize + 1] += 1);
        (0..spans).for_each(|span| start[span + 1] += start[span]);
        let mut next = start.clone();
        let mut rows = vec![0; of_row.len()];
        for (row, &span) in (0_u32..).zip(of_row) {
            let place = &mut next[span as usize];
            rows[*place as usize] = row;
            *place += 1;
        }
        Self { rows, start, populations: Vec::new() }
    }

    pub(super) fn of(&self, span: usize) -> &[u32] {
        self.rows.get(self.start[span] as usize..self.start[span + 1] as usize).unwrap_or(&[])
    }

    /// Runs of whole spans with about [`RUN`] rows each.
    fn runs(&self) -> Vec<std::ops::Range<usize>> {
        let spans = self.start.len() - 1;
        let mut runs = Vec::new();
        let mut from = 0;
        while from < spans {
            let end = self.start[from] as usize + RUN;
            let to =
                (from + 1).max(self.start.partition_point(|&start| start as usize <= end) - 1).min(spans);
            runs.push(from..to);
            from = to;
        }
        runs
    }
}

/// What the supports of rules reveal (populations of their bins are not published), or why this cannot be determined.
/// The latter is an error only if a smallest bin of two or more is required.
fn derived(linking: &Linking<'_>, guarantee: &Guarantee) -> Result<(Option<Derived>, Option<Error>)> {
    let Some((derive, limits)) = linking.derived.as_ref().zip(Limits::asked(guarantee)) else {
        return Ok((None, None));
    };
    match derive(&limits) {
        Ok(derived) => Ok((Some(derived), None)),
        Err(error) if guarantee.asked_smallest_bin().is_none_or(|n| n <= 1) => Ok((None, Some(error))),
        Err(error) => Err(error),
    }
}

/// The cells of a table: rows with equal public and private values.
pub(super) fn cells_of_table(table: &Table, policy: &Policy) -> Grouping {
    let told = |column: &&Column| {
        policy.attribute(column.name()).is_some_and(|a| matches!(a.role, Role::Public | Role::Private))
    };
    group_rows(table.rows(), &table.columns().iter().filter(told).collect::<Vec<_>>())
}

/// For each span its smallest bin: always for a model, for a table only if the guarantee requires a smallest bin.
fn smallest_bins(
    table: &Table,
    policy: &Policy,
    linking: &Linking<'_>,
    guarantee: &Guarantee,
) -> Option<Vec<u64>> {
    let asked = guarantee.asked_smallest_bin().is_some();
    let grouping;
    let (of_row, count): (&[u32], usize) = match &linking.bins {
        Some(bins) => (&bins.of_row, bins.count),
        None if asked => {
            grouping = cells_of_table(table, policy);
            (&grouping.of_row, grouping.count as usize)
        }
        None => return None,
    };
    let sizes = sizes(of_row, count, table);
    let mut smallest = vec![u64::MAX; linking.spans];
    let mut note = |span: usize, bin: u32| smallest[span] = smallest[span].min(sizes[bin as usize]);
    match &linking.bins {
        Some(bins) => {
            bins.reach
                .iter()
                .enumerate()
                .for_each(|(span, reach)| reach.iter().for_each(|&bin| note(span, bin)));
        }
        None => linking.span_of_row.iter().zip(of_row).for_each(|(&span, &bin)| note(span as usize, bin)),
    }
    if let Some(limit) = guarantee.asked_smallest_bin().filter(|_| linking.bins.is_some()) {
        let derived = linking.smallest_cells(table, limit);
        smallest.iter_mut().zip(derived).for_each(|(smallest, cell)| *smallest = cell.min(*smallest));
    }
    Some(smallest)
}

struct Counter<'a> {
    table: &'a Table,
    linking: &'a Linking<'a>,
    guarantee: &'a Guarantee,
    in_scope: &'a [bool],
    order: Order,
    views: Vec<View<'a>>,
    smallest_bin: Option<Vec<u64>>,
    /// For each part the individuals of its span; empty where all spans have one part.
    joint: Vec<u64>,
    exchange: Option<Exchange>,
    alike: Option<Vec<u64>>,
    /// Spans that may be one joint span together, as far as merging them needs a check.
    unions: Vec<Vec<u32>>,
}

/// The result of one run of spans.
struct Part {
    populations: Vec<u64>,
    /// For each span the requirements it breaks, one bit each.
    broken: Vec<u64>,
    worst: Vec<WorstMeasures>,
    /// For each attribute how many values occur in each span; 0 where it distinguishes none.
    distinct: Vec<Vec<u32>>,
}

impl Counter<'_> {
    fn run(&self) -> Result<Census> {
        let runs = self.order.runs();
        let parts: Vec<Part> = runs.par_iter().map(|run| self.count(run.clone())).collect();
        let mut census = Census {
            populations: Vec::with_capacity(self.linking.spans),
            joint: Vec::new(),
            broken: Vec::new(),
            broken_by: vec![0; self.guarantee.requirements().len()],
            measures: Vec::new(),
            alike: self.alike.clone(),
            alone_over_rows: None,
            certain: Vec::new(),
            smallest_bin: self
                .smallest_bin
                .as_ref()
                .and_then(|bins| bins.iter().min().copied())
                .filter(|&n| n < u64::MAX),
            bounded: self.unions.iter().filter(|pieces| unions::is_bounded(pieces)).count() as u64,
            derived: None,
            not_derived: None,
        };
        let mut worst = vec![WorstMeasures::default(); self.views.len()];
        let mut broken = vec![0; self.linking.joint_spans()];
        let mut distinct = vec![Vec::new(); self.views.len()];
        for part in parts {
            for requirements in part.broken {
                broken[self.linking.joint_of(census.broken.len())] |= requirements;
                census.broken.push(requirements != 0);
            }
            census.populations.extend(part.populations);
            worst.iter_mut().zip(&part.worst).for_each(|(all, one)| all.join(one));
            distinct.iter_mut().zip(part.distinct).for_each(|(all, one)| all.extend(one));
        }
        let unions: Vec<UnionCounts> =
            self.unions.par_iter().map(|pieces| self.count_unions(pieces)).collect();
        for (pieces, counts) in self.unions.iter().zip(unions) {
            for (&piece, requirements) in pieces.iter().zip(counts.broken) {
                broken[self.linking.joint_of(piece as usize)] |= requirements;
            }
            worst.iter_mut().zip(&counts.worst).for_each(|(all, one)| all.join(one));
        }
        for (i, sum) in census.broken_by.iter_mut().enumerate() {
            *sum = broken.iter().filter(|&&requirements| requirements >> i & 1 == 1).count() as u64;
        }
        for (part, is_broken) in census.broken.iter_mut().enumerate() {
            *is_broken = broken[self.linking.joint_of(part)] != 0;
        }
        census.joint = self.linking.joint_populations(self.table, &census.populations);
        let recursive = self.recursive(&runs, &worst);
        census.measures = self
            .views
            .iter()
            .zip(worst.iter().zip(recursive))
            .map(|(view, (worst, c))| worst.measures(&view.sensitive.name, view.sensitive.ordered, c))
            .collect();
        census.certain = self.certain(&distinct)?;
        Ok(census)
    }

    /// For each sensitive attribute of whom something is certain.
    fn certain(&self, distinct: &[Vec<u32>]) -> Result<Vec<Certainty>> {
        let judge = Judge { linking: self.linking, views: &self.views };
        let attributes = 0..self.views.len();
        if let Some(exchange) = &self.exchange {
            let subjects = self.table.individuals() as usize;
            return attributes.map(|i| judge.by_exchange(i, exchange, subjects, &distinct[i])).collect();
        }
        match self.linking.possible_bins() {
            Some(possible) => attributes.map(|i| judge.by_bins(i, &possible)).collect(),
            None => Ok(attributes.map(|i| judge.by_values(i, &distinct[i])).collect()),
        }
    }

    fn count(&self, run: std::ops::Range<usize>) -> Part {
        let mut part = Part {
            populations: Vec::with_capacity(run.len()),
            broken: Vec::with_capacity(run.len()),
            worst: vec![WorstMeasures::default(); self.views.len()],
            distinct: vec![Vec::new(); self.views.len()],
        };
        let mut tallies: Vec<Tally> = self.views.iter().map(|_| Tally::default()).collect();
        let mut subjects = Vec::new();
        let looks = self.guarantee.requirements().iter().any(Requirement::looks_at_values);
        let all = match self.table.people() {
            People::Weights(_) => self.table.individuals(),
            _ => self.table.rows() as u64,
        };
        for span in run {
            let rows = self.order.of(span);
            let known = self.order.populations.get(span).copied();
            let population = known.unwrap_or_else(|| population(self.table, rows, &mut subjects));
            let joint = self.joint.get(span).copied().unwrap_or(population);
            let crowd = Crowd {
                population: joint,
                alike: self.alike.as_ref().map_or(joint, |alike| alike[span]),
                single_bin: self.linking.single_bin.get(span).copied().unwrap_or(false),
                smallest_bin: self.smallest_bin.as_ref().map_or(u64::MAX, |smallest| smallest[span]),
                histograms: &[],
            };
            let mut broken = self.broken(&crowd);
            for (i, (view, tally)) in self.views.iter().zip(&mut tallies).enumerate() {
                let Some(values) = tally.count(self.table, view, span, rows, population) else {
                    part.distinct[i].push(0);
                    continue;
                };
                part.distinct[i].push(distinct::measure(&values) as u32);
                // Of the others, only exposure is derived.
                if view.sensitive.judged != Judgement::Fully {
                    continue;
                }
                match view.blurred() {
                    Some(_) => part.worst[i].note_blurred(&values, view.sensitive.ordered, population, all),
                    None => part.worst[i].note(&values, view.sensitive.ordered),
                }
                if looks && self.in_scope[i] {
                    broken |= self.broken(&Crowd { histograms: &[values], ..crowd });
                }
            }
            part.populations.push(population);
            part.broken.push(broken);
        }
        part
    }

    /// The requirements that a crowd breaks, one bit each.
    fn broken(&self, crowd: &Crowd<'_>) -> u64 {
        let place =
            |broken| self.guarantee.requirements().iter().position(|requirement| requirement == broken);
        self.guarantee.broken_by(crowd).filter_map(place).fold(0, |all, place| all | 1 << place)
    }

    /// For each attribute the c of recursive (c,l)-diversity at the l its spans reach; a second pass, as l is known
    /// only now.
    fn recursive(&self, runs: &[std::ops::Range<usize>], worst: &[WorstMeasures]) -> Vec<f64> {
        let levels: Vec<u32> = worst.iter().map(WorstMeasures::distinct_l).collect();
        if levels.iter().all(|&l| l <= 1) {
            return worst.iter().map(WorstMeasures::recursive_1).collect();
        }
        let of_run = |run: &std::ops::Range<usize>| {
            let mut tallies: Vec<Tally> = self.views.iter().map(|_| Tally::default()).collect();
            let mut c = vec![0.0_f64; self.views.len()];
            for span in run.clone() {
                let rows = self.order.of(span);
                for (i, (view, tally)) in self.views.iter().zip(&mut tallies).enumerate() {
                    let is_judged = view.sensitive.judged == Judgement::Fully;
                    if let Some(values) = tally.count(self.table, view, span, rows, 0).filter(|_| is_judged) {
                        c[i] = c[i].max(crate::guarantee::recursive::measure(&values, levels[i]));
                    }
                }
            }
            c
        };
        let highest = |mut a: Vec<f64>, b: Vec<f64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = a.max(b));
            a
        };
        let of_spans = runs.par_iter().map(of_run);
        let of_unions = self.unions.par_iter().map(|pieces| self.recursive_of_unions(pieces, &levels));
        of_spans.chain(of_unions).reduce(|| vec![0.0; self.views.len()], highest)
    }
}

/// For each part of a span, the smallest number of individuals who have the same spans in all rows as one of the span's
/// individuals, and the number of individuals with spans that no other has; `None` if every individual has one row.
fn alike(table: &Table, linking: &Linking<'_>) -> Option<(Vec<u64>, u64)> {
    let joint = |&part: &u32| linking.joint_of(part as usize) as u32;
    let span_of_row: Vec<u32> = linking.span_of_row.iter().map(joint).collect();
    let spans = linking.joint_spans();
    let persons = Persons::of(table, &span_of_row)?;
    let of_span = persons.alike(table, &span_of_row, spans);
    let of_part = |part| of_span.get(linking.joint_of(part)).copied().unwrap_or(u64::MAX);
    Some(((0..linking.spans).map(of_part).collect(), persons.alone()))
}

/// The individuals among some rows.
fn population(table: &Table, rows: &[u32], subjects: &mut Vec<u32>) -> u64 {
    match table.people() {
        People::Rows => rows.len() as u64,
        People::Weights(weights) => rows.iter().map(|&row| u64::from(weights[row as usize])).sum(),
        People::Subjects { of_row, .. } => {
            subjects.clear();
            subjects.extend(rows.iter().map(|&row| of_row[row as usize]));
            subjects.sort_unstable();
            subjects.dedup();
            subjects.len() as u64
        }
    }
}
