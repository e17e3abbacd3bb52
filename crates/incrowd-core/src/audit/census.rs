//! Counting the people of every span: how many, with which private values, and what they break.

use super::measures::{AttributeMeasures, Worst};
use crate::group::group_rows;
use crate::guarantee::{Crowd, Guarantee, Histogram, Requirement, Whole, distinct};
use crate::policy::{Policy, Role};
use crate::span::{Cells, Linking, Sensitive};
use crate::table::{Code, Column, People, Table};
use crate::with_codes;
use rayon::prelude::*;

/// Spans are worked on in runs of about this many rows, whatever the number of threads.
const RUN: usize = 1 << 16;

/// How many counts are held at once to spare a second way through the rows.
const MATRIX: usize = 1 << 18;

/// Rows counted in one go into a table of counts.
const BLOCK: usize = 1 << 20;

/// What is known of every span.
pub(super) struct Census {
    /// The individuals of each span.
    pub(super) populations: Vec<u64>,
    /// Whether each span breaks the guarantee.
    pub(super) broken: Vec<bool>,
    /// For each requirement of the guarantee the number of spans that break it.
    pub(super) broken_by: Vec<u64>,
    /// For each sensitive attribute its measures over all spans.
    pub(super) measures: Vec<AttributeMeasures>,
    /// For each sensitive attribute whether each span is exposed to it; empty if none is.
    pub(super) exposed: Vec<Vec<bool>>,
    /// The smallest bin, where bins were counted.
    pub(super) smallest_bin: Option<u64>,
}

impl Census {
    pub(super) fn take(
        table: &Table,
        policy: &Policy,
        linking: &Linking<'_>,
        guarantee: &Guarantee,
        in_scope: &[bool],
    ) -> Self {
        let order = Order::new(&linking.span_of_row, linking.spans);
        let views: Vec<View> = linking.sensitive.iter().map(|s| View::new(table, linking, s)).collect();
        let smallest_bin = smallest_bins(table, policy, linking, guarantee);
        let counter = Counter { table, linking, guarantee, in_scope, order, views, smallest_bin };
        counter.run()
    }
}

/// Rows by span: one permuted index array with a range a span.
struct Order {
    rows: Vec<u32>,
    start: Vec<u32>,
}

impl Order {
    fn new(span_of_row: &[u32], spans: usize) -> Self {
        let mut start = vec![0_u32; spans + 1];
        span_of_row.iter().for_each(|&span| start[span as usize + 1] += 1);
        (0..spans).for_each(|span| start[span + 1] += start[span]);
        let mut next = start.clone();
        let mut rows = vec![0; span_of_row.len()];
        for (row, &span) in (0_u32..).zip(span_of_row) {
            let place = &mut next[span as usize];
            rows[*place as usize] = row;
            *place += 1;
        }
        Self { rows, start }
    }

    fn of(&self, span: usize) -> &[u32] {
        &self.rows[self.start[span] as usize..self.start[span + 1] as usize]
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

/// A sensitive attribute as the spans of a linking tell it.
struct View<'a> {
    sensitive: &'a Sensitive,
    source: Source<'a>,
    /// For each telling the local value of each code (or bin).
    local_of_code: Vec<Vec<u32>>,
    /// For each telling the whole table.
    whole: Vec<Whole>,
    /// The counts of every span, local value by local value, where one pass over the rows in their order can give them.
    matrix: Option<Vec<u64>>,
}

enum Source<'a> {
    Column(&'a Column),
    Bins(&'a [u32]),
}

impl Source<'_> {
    /// Counts rows (with their weights) by code, or by span and code where spans are given; `size` counters in all.
    fn count(&self, table: &Table, span_of_row: &[u32], size: usize) -> Vec<u64> {
        let weights = match table.people() {
            People::Weights(weights) => weights.as_slice(),
            People::Rows | People::Subjects { .. } => &[],
        };
        match self {
            Self::Column(column) => {
                with_codes!(column.codes(), codes => count(codes, span_of_row, weights, size))
            }
            Self::Bins(bins) => count(bins, span_of_row, weights, size),
        }
    }

    fn code(&self, row: u32) -> u32 {
        match self {
            Self::Column(column) => column.code(row as usize),
            Self::Bins(bins) => bins[row as usize],
        }
    }
}

impl<'a> View<'a> {
    fn new(table: &'a Table, linking: &'a Linking<'_>, sensitive: &'a Sensitive) -> Self {
        let bins = linking.bins.as_ref().map_or(&[][..], |bins| &bins.of_row);
        let every_cell: Vec<u32>;
        let (source, cell_of_code) = match &sensitive.source {
            Cells::Column { column, cell_of_code } => {
                (Source::Column(&table.columns()[*column]), cell_of_code)
            }
            Cells::Bin => {
                every_cell = (0..sensitive.cells as u32).collect();
                (Source::Bins(bins), &every_cell)
            }
        };
        // Codes outside the domain do not occur (the linking has seen to that); they get any local value.
        let local = |of_cell: &Vec<u32>, cell: u32| of_cell.get(cell as usize).copied().unwrap_or(0);
        let local_of_code: Vec<Vec<u32>> = sensitive
            .tellings
            .iter()
            .map(|telling| cell_of_code.iter().map(|&cell| local(&telling.local_of_cell, cell)).collect())
            .collect();
        let by_code = source.count(table, &[], cell_of_code.len());
        let whole = sensitive
            .tellings
            .iter()
            .zip(&local_of_code)
            .map(|(telling, local)| {
                let whole = Whole::new(whole_counts(table, &source, &by_code, local, telling.locals));
                if sensitive.ordered { whole } else { whole.without_order() }
            })
            .collect();
        let mut view = Self { sensitive, source, local_of_code, whole, matrix: None };
        view.matrix = view.count_at_once(table, linking);
        view
    }

    /// Counts all spans in one pass, where every span tells the same and the table of counts is small against the rows. Going
    /// through the rows span by span would fetch every part of a long column once a span.
    fn count_at_once(&self, table: &Table, linking: &Linking<'_>) -> Option<Vec<u64>> {
        let locals = self.whole.first()?.values();
        if locals == 0 {
            return None;
        }
        let size = linking.spans.checked_mul(locals)?;
        let alike = self.sensitive.telling_of_span.is_empty();
        if !alike
            || linking.spans.checked_mul(self.local_of_code[0].len())? > table.rows().min(MATRIX)
            || matches!(table.people(), People::Subjects { .. })
        {
            return None;
        }
        let codes = self.local_of_code[0].len();
        let by_code = self.source.count(table, &linking.span_of_row, linking.spans * codes);
        let mut counts = vec![0; size];
        for (of_span, by_code) in counts.chunks_exact_mut(locals).zip(by_code.chunks_exact(codes)) {
            let held = self.local_of_code[0].iter().zip(by_code).filter(|&(_, &n)| n > 0);
            held.for_each(|(&local, n)| of_span[local as usize] += n);
        }
        Some(counts)
    }
}

fn count<C: Code>(codes: &[C], span_of_row: &[u32], weights: &[u32], size: usize) -> Vec<u64> {
    // A table has at least one code a span, so this is the number of codes.
    let spans = span_of_row.iter().max().map_or(1, |&span| span as usize + 1);
    let width = size / spans;
    let block = |(block, codes): (usize, &[C])| {
        let mut counts = vec![0_u64; size];
        let from = block * BLOCK;
        for (i, code) in codes.iter().enumerate() {
            let span = span_of_row.get(from + i).map_or(0, |&span| span as usize);
            let weight = weights.get(from + i).map_or(1, |&weight| u64::from(weight));
            counts[span * width + code.wide() as usize] += weight;
        }
        counts
    };
    let add = |mut a: Vec<u64>, b: Vec<u64>| {
        a.iter_mut().zip(b).for_each(|(sum, n)| *sum += n);
        a
    };
    codes.par_chunks(BLOCK).enumerate().map(block).reduce(|| vec![0; size], add)
}

fn whole_counts(
    table: &Table,
    source: &Source<'_>,
    by_code: &[u64],
    local_of_code: &[u32],
    locals: usize,
) -> Vec<u64> {
    let mut counts = vec![0; locals];
    match table.people() {
        People::Subjects { of_row, .. } => {
            let local = |row: u32| local_of_code[source.code(row) as usize];
            let rows = 0..table.rows() as u32;
            let mut pairs: Vec<(u32, u32)> = rows.map(|row| (local(row), of_row[row as usize])).collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs.iter().for_each(|&(local, _)| counts[local as usize] += 1);
        }
        People::Rows | People::Weights(_) => {
            // A column without values has a code, the missing one's, that nobody holds and that stands for nothing.
            let held = by_code.iter().zip(local_of_code).filter(|&(&n, _)| n > 0);
            held.for_each(|(n, &local)| counts[local as usize] += n);
        }
    }
    counts
}

/// For each span its smallest bin, where it can be asked for: always for a model, for a table only if the guarantee does.
fn smallest_bins(
    table: &Table,
    policy: &Policy,
    linking: &Linking<'_>,
    guarantee: &Guarantee,
) -> Option<Vec<u64>> {
    let asked = guarantee.requirements().iter().any(|r| matches!(r, Requirement::SmallestBin(_)));
    let grouping;
    let of_row: &[u32] = match &linking.bins {
        Some(bins) => &bins.of_row,
        None if asked => {
            let told = |column: &&Column| {
                policy
                    .attribute(column.name())
                    .is_some_and(|a| matches!(a.role, Role::Public | Role::Private))
            };
            grouping = group_rows(table.rows(), &table.columns().iter().filter(told).collect::<Vec<_>>());
            &grouping.of_row
        }
        None => return None,
    };
    let count = of_row.iter().max().map_or(0, |&bin| bin as usize + 1);
    let sizes = crate::group::Grouping { of_row: of_row.to_vec(), count: count as u32 }.sizes(table);
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
}

/// The result of one run of spans.
struct Part {
    populations: Vec<u64>,
    broken: Vec<bool>,
    broken_by: Vec<u64>,
    worst: Vec<Worst>,
    constant: Vec<Vec<bool>>,
}

impl Counter<'_> {
    fn run(&self) -> Census {
        let runs = self.order.runs();
        let parts: Vec<Part> = runs.par_iter().map(|run| self.count(run.clone())).collect();
        let mut census = Census {
            populations: Vec::with_capacity(self.linking.spans),
            broken: Vec::with_capacity(self.linking.spans),
            broken_by: vec![0; self.guarantee.requirements().len()],
            measures: Vec::new(),
            exposed: vec![Vec::new(); self.views.len()],
            smallest_bin: self.smallest_bin.as_ref().and_then(|bins| bins.iter().min().copied()),
        };
        let mut worst = vec![Worst::default(); self.views.len()];
        for part in parts {
            census.populations.extend(part.populations);
            census.broken.extend(part.broken);
            census.broken_by.iter_mut().zip(part.broken_by).for_each(|(sum, n)| *sum += n);
            worst.iter_mut().zip(&part.worst).for_each(|(all, one)| all.join(one));
            census.exposed.iter_mut().zip(part.constant).for_each(|(all, one)| all.extend(one));
        }
        let recursive = self.recursive(&runs, &worst);
        census.measures = self
            .views
            .iter()
            .zip(worst.iter().zip(recursive))
            .map(|(view, (worst, c))| worst.measures(&view.sensitive.name, view.sensitive.ordered, c))
            .collect();
        if let Some(possible) = self.linking.possible_bins() {
            census.exposed = (0..self.views.len()).map(|i| self.exposed(i, &possible)).collect();
        }
        census
    }

    fn count(&self, run: std::ops::Range<usize>) -> Part {
        let mut part = Part {
            populations: Vec::with_capacity(run.len()),
            broken: Vec::with_capacity(run.len()),
            broken_by: vec![0; self.guarantee.requirements().len()],
            worst: vec![Worst::default(); self.views.len()],
            constant: vec![Vec::new(); self.views.len()],
        };
        let mut tallies: Vec<Tally> = self.views.iter().map(|_| Tally::default()).collect();
        let mut subjects = Vec::new();
        let looks = self.guarantee.requirements().iter().any(Requirement::looks_at_values);
        for span in run {
            let rows = self.order.of(span);
            let population = population(self.table, rows, &mut subjects);
            let (mut asked, mut histograms) = (Vec::new(), Vec::new());
            for (i, (view, tally)) in self.views.iter().zip(&mut tallies).enumerate() {
                let Some(values) = tally.count(self.table, view, span, rows, population) else {
                    part.constant[i].push(false);
                    continue;
                };
                part.worst[i].note(&values, view.sensitive.ordered);
                part.constant[i].push(distinct::measure(&values) == 1 && values.whole.values() > 1);
                if looks && self.in_scope[i] {
                    asked.push(true);
                    histograms.push(values);
                }
            }
            let crowd = Crowd {
                population,
                single_bin: self.linking.single_bin.get(span).copied().unwrap_or(false),
                smallest_bin: self.smallest_bin.as_ref().map_or(u64::MAX, |smallest| smallest[span]),
                histograms: &histograms,
            };
            part.populations.push(population);
            part.broken.push(self.breaks(&crowd, &asked, &mut part.broken_by));
        }
        part
    }

    fn breaks(&self, crowd: &Crowd<'_>, asked: &[bool], broken_by: &mut [u64]) -> bool {
        let mut any = false;
        for broken in self.guarantee.broken_by(crowd, asked) {
            let place = self.guarantee.requirements().iter().position(|requirement| requirement == broken);
            place.into_iter().for_each(|place| broken_by[place] += 1);
            any = true;
        }
        any
    }

    /// For each attribute the c of recursive (c,l)-diversity at the l its spans reach; a second pass, as l is known only now.
    fn recursive(&self, runs: &[std::ops::Range<usize>], worst: &[Worst]) -> Vec<f64> {
        let levels: Vec<u32> = worst.iter().map(Worst::distinct_l).collect();
        if levels.iter().all(|&l| l <= 1) {
            return worst.iter().map(Worst::recursive_1).collect();
        }
        let of_run = |run: &std::ops::Range<usize>| {
            let mut tallies: Vec<Tally> = self.views.iter().map(|_| Tally::default()).collect();
            let mut c = vec![0.0_f64; self.views.len()];
            for span in run.clone() {
                let rows = self.order.of(span);
                for (i, (view, tally)) in self.views.iter().zip(&mut tallies).enumerate() {
                    if let Some(values) = tally.count(self.table, view, span, rows, 0) {
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
        runs.par_iter().map(of_run).reduce(|| vec![0.0; self.views.len()], highest)
    }

    /// For each span whether its possible bins leave one local value of an attribute.
    fn exposed(&self, sensitive: usize, possible: &[Vec<bool>]) -> Vec<bool> {
        let Some(bins) = &self.linking.bins else { return Vec::new() };
        let attribute = &self.linking.sensitive[sensitive];
        let of_span = |span: usize| {
            let Some(telling) = attribute.telling(span) else { return false };
            let local_of_cell = &attribute.tellings[telling].local_of_cell;
            let open = bins.reach[span].iter().zip(&possible[span]).filter(|&(_, &open)| open);
            let cells = open.flat_map(|(&bin, _)| bins.tells.cells(span, bin, sensitive));
            let mut locals = cells.map(|cell| local_of_cell[cell as usize]);
            locals.next().is_some_and(|first| locals.all(|local| local == first))
        };
        (0..self.linking.spans).into_par_iter().map(of_span).collect()
    }
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

/// Counts of one attribute's local values in a span; kept between spans to save allocations.
#[derive(Default)]
struct Tally {
    dense: Vec<u64>,
    counts: Vec<(u32, u64)>,
    pairs: Vec<(u32, u32)>,
}

impl Tally {
    fn count<'t>(
        &'t mut self,
        table: &Table,
        view: &'t View<'_>,
        span: usize,
        rows: &[u32],
        individuals: u64,
    ) -> Option<Histogram<'t>> {
        let telling = view.sensitive.telling(span)?;
        let local_of_code = &view.local_of_code[telling];
        let local = |row: u32| local_of_code[view.source.code(row) as usize];
        self.counts.clear();
        match table.people() {
            _ if view.matrix.is_some() => {
                let locals = view.whole[telling].values();
                let counts = view.matrix.iter().flat_map(|all| &all[span * locals..(span + 1) * locals]);
                self.counts.extend((0..).zip(counts).filter(|&(_, &n)| n > 0).map(|(value, &n)| (value, n)));
            }
            People::Subjects { of_row, .. } => {
                self.pairs.clear();
                self.pairs.extend(rows.iter().map(|&row| (local(row), of_row[row as usize])));
                self.pairs.sort_unstable();
                self.pairs.dedup();
                let same = |a: &(u32, u32), b: &(u32, u32)| a.0 == b.0;
                self.counts.extend(self.pairs.chunk_by(same).map(|run| (run[0].0, run.len() as u64)));
            }
            People::Rows | People::Weights(_) if rows.len() == 1 => {
                self.counts.push((local(rows[0]), u64::from(table.weight(rows[0] as usize))));
            }
            People::Rows | People::Weights(_) => {
                self.dense.resize(self.dense.len().max(view.whole[telling].values()), 0);
                for &row in rows {
                    let slot = &mut self.dense[local(row) as usize];
                    if *slot == 0 {
                        self.counts.push((local(row), 0));
                    }
                    *slot += u64::from(table.weight(row as usize));
                }
                self.counts.sort_unstable();
                self.counts
                    .iter_mut()
                    .for_each(|(value, n)| *n = std::mem::take(&mut self.dense[*value as usize]));
            }
        }
        let total = self.counts.iter().map(|&(_, n)| n).sum();
        Some(Histogram { counts: &self.counts, total, individuals, whole: &view.whole[telling] })
    }
}
